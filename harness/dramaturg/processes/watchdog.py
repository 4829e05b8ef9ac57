"""The limit above all others: a call that has not ended long after it must have, ends this process.

Nothing here should ever be needed. If it is, a thread of ours is held by something that nobody has
thought of; the processes that it started end with it (fence.py), and a run that says why it has no
verdict is better than one that says nothing for ever.
"""

import contextlib
import itertools
import os
import sys
import threading
import time
from collections.abc import Iterator
from typing import NoReturn

OVERTIME = 600.0
"""Seconds over its limit until something is taken to be stuck: ending what is late takes some, and
reading what it has said takes more, on a machine that swaps."""

TICK = 2.0
"""Seconds between two looks."""

_FAULT = 8
"""The exit code of a harness fault."""

_watched: dict[int, tuple[float, str]] = {}
_numbers = itertools.count()
_started = threading.Lock()
_now = 0.0
"""Seconds for which the watchdog was there to look: neither a harness that was stopped (Ctrl-Z)
nor a machine that slept is late by that."""


@contextlib.contextmanager
def within(seconds: float, what: str) -> Iterator[None]:
    """Limits the work inside, which is to keep the limit by itself; ``what`` begins a sentence."""
    _start()
    number = next(_numbers)
    _watched[number] = (_now + seconds + OVERTIME, f"{what} (limit {seconds:.0f} s)")
    try:
        yield
    finally:
        del _watched[number]


def _start() -> None:
    if _started.acquire(blocking=False):
        threading.Thread(target=_watch, name="watchdog", daemon=True).start()


def _watch() -> None:
    global _now  # noqa: PLW0603 (one clock for this process)
    last = time.monotonic()
    while True:
        time.sleep(TICK)
        now = time.monotonic()
        _now += min(now - last, 2 * TICK)
        last = now
        for until, what in list(_watched.values()):
            if _now > until:
                _end(what)


def _end(what: str) -> NoReturn:
    """Past everything that cleans up: that could be what is held."""
    said = f"dramaturg: harness fault: {what} is {OVERTIME:.0f} s over its limit, and nothing ended"
    with contextlib.suppress(OSError):
        os.write(sys.__stderr__.fileno() if sys.__stderr__ else 2, f"{said} it\n".encode())
    os._exit(_FAULT)
