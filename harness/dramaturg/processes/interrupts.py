"""Ctrl-C, SIGTERM and a terminal that closes end the work, never what cleans up after it."""

import contextlib
import signal
import sys
import threading
import time
from collections.abc import Iterator
from types import FrameType

ONE_REQUEST = 1.0
"""Seconds in which a second signal is the first one once more: the terminal sends one to the
whole group, and make or timeout pass theirs on."""

_REQUESTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_AGAIN = signal.SIGALRM
_NUMBERS = (*_REQUESTS, _AGAIN)

_SOON = 0.01
"""Seconds until an interrupt that was lost is there again."""

_heard = threading.Event()


def install() -> None:
    """They raise KeyboardInterrupt from now on. Signals that the parent had ignored stay ignored.

    If Python drops the exception (in finalizers, or functions that a weak reference calls:
    importing a module does that) it comes again after a moment.
    """
    last = -ONE_REQUEST
    report = sys.unraisablehook

    def ended(frame: FrameType | None) -> None:
        """Raise it in what is under way, or after that, if it would be dropped there."""
        while frame is not None:
            if frame.f_code is dropped.__code__:
                signal.setitimer(signal.ITIMER_REAL, _SOON)
                return
            frame = frame.f_back
        raise KeyboardInterrupt

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= ONE_REQUEST:
            last = now
            _heard.set()
            ended(frame)

    def interrupt_again(number: int, frame: FrameType | None) -> None:
        ended(frame)

    def dropped(what: "sys.UnraisableHookArgs") -> None:
        if issubclass(what.exc_type, KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, _SOON)
        else:
            report(what)

    for number in _REQUESTS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, interrupt)
    signal.signal(_AGAIN, interrupt_again)
    sys.unraisablehook = dropped


def over() -> None:
    """Marks that the interrupted work has ended, and has said so. Another signal is ignored: while
    Python ends, signals do what they do by default, so that it would decide the exit code."""
    if _heard.is_set():
        for number in _NUMBERS:
            signal.signal(number, signal.SIG_IGN)


@contextlib.contextmanager
def held() -> Iterator[None]:
    """Signals that come inside are heard when it is left: for what must not be left half done.

    Not a signal mask: another thread (gRPC has some) would take the signal then.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = {
        number: signal.signal(number, lambda number, frame: came.append(number))
        for number in _NUMBERS
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if came:
            signal.raise_signal(came[0])
