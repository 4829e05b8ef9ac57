"""Wrong by the ledger: clocks, claims, CPU time and memory that do not add up.

All of them are right in every message, and are caught when they are timed.
"""

import time
from functools import cache
from typing import Any

from dramaturg.model import chatapp as model
from dramaturg.model import pingpong
from dramaturg.model.fibonacci import naive_fibonacci
from dramaturg.v2 import trace_pb2 as kind

from changes import answers, replaced
from reference.control.port import Control
from reference.control.stopwatch import Stopwatch, now
from reference.control.world import World

# --- clocks ---


def clock_runs_slow() -> None:
    """The clock counts the ticks of another processor: four pass for each that it counts."""

    def receipt(answer: Any) -> None:
        answer.run_nanos //= 4
        answer.teardown_nanos //= 4
        answer.chatapp.turn_nanos[:] = [nanos // 4 for nanos in answer.chatapp.turn_nanos]

    def prepared(answer: Any) -> None:
        answer.setup_nanos //= 4

    answers(World, "teardown", receipt)
    answers(Control, "Prepare", prepared)


def clock_starts_late() -> None:
    """The stopwatch is started when nine tenths of the pings have gone: until then it warms up."""

    def pong(self: Any, sender: int, left: int, *args: int) -> None:
        if left > self.pongs // 9:
            late[:] = [now()]
        right(self, sender, left, *args)

    late: list[int] = []
    right = replaced(pingpong.Ping, kind.MESSAGE_KIND_PING_PONG, pong)

    def since(stopwatch: Stopwatch) -> int:
        start = stopwatch._start
        return stopwatch._end - max([start, *late]) if start else 0

    Stopwatch.run_nanos = property(since)  # type: ignore[assignment,method-assign]


def clock_stops_early() -> None:
    """The stopwatch is stopped as soon as the first message was handed over."""
    right = Stopwatch.start

    def start(self: Stopwatch) -> None:
        right(self)
        self.stop()

    Stopwatch.start = start  # type: ignore[method-assign]


# --- claims ---


def set_up_of_no_time() -> None:
    """Set-up is not timed."""
    answers(Control, "Prepare", lambda answer: setattr(answer, "setup_nanos", 0))


def tear_down_of_no_time() -> None:
    """Tear-down is not timed."""
    answers(World, "teardown", lambda answer: setattr(answer, "teardown_nanos", 0))


def runtime_in_place_of_set_up() -> None:
    """All that is made in Prepare is said to outlive the world, each time: no figure that is
    compared has it."""

    def change(answer: Any) -> None:
        answer.runtime_nanos, answer.setup_nanos = answer.setup_nanos, 0

    answers(Control, "Prepare", change)


# --- CPU time and memory ---


def naps_in_place_of_computing() -> None:
    """A Fibonacci number is looked up, after a nap as long as it takes to compute one."""

    @cache
    def fibonacci(n: int) -> int:
        return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

    def napping(n: int) -> int:
        time.sleep(0.02)
        return fibonacci(n)

    model.Client.work = staticmethod(napping)  # type: ignore[assignment]


def computes_every_fifth() -> None:
    """One of five Fibonacci numbers is computed; there is CPU time for all of them natively."""
    seen: list[int] = []
    known: dict[int, int] = {}

    def sometimes(n: int) -> int:
        seen.append(n)
        if len(seen) % 5 == 1 or n not in known:
            known[n] = naive_fibonacci(n)
        return known[n]

    model.Client.work = staticmethod(sometimes)  # type: ignore[assignment]


def world_is_kept() -> None:
    """The memory of a world is kept for ever, though no actor of it is alive."""
    kept: list[bytearray] = []
    right = World.__init__

    def init(self: World, *args: Any) -> None:
        right(self, *args)
        kept.append(bytearray(b"\1") * (8 << 20))

    World.__init__ = init  # type: ignore[method-assign]
