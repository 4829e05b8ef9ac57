"""The reports of actors to control, and the call that waits for them (ACT-7)."""

import asyncio
import sys
from collections.abc import Callable

from asyncio_actors.control.stopwatch import Stopwatch, now

MARK_INTERVAL = 100_000_000
"""Nanoseconds between two marks, at least (CTRL-6)."""


class ActorFailed(Exception):
    """An actor failed, or a node was lost: its name and the reason (CTRL-10, DIST-5)."""


class Marks:
    """Says how far a run is, as often as it is due."""

    def __init__(self, taken: int, say: Callable[[int], None]) -> None:
        self._last = taken
        self._say = say

    def seen(self, done: int) -> None:
        """A report has come."""
        if now() - self._last >= MARK_INTERVAL:
            self._last = now()
            self._say(done)


class Reports:
    """The reports of one world. ``system.Control`` lists them."""

    def __init__(self, stopwatch: Stopwatch) -> None:
        self._stopwatch = stopwatch
        self._due = 0
        self._complete: asyncio.Future[None] | None = None
        self._failure: str | None = None
        self.marks: Marks | None = None
        self.confirmed = 0
        self.sums = (0, 0, 0, 0)
        """Of all turns: values, stops, announced, consumed."""
        self.windows: list[int] = []
        self.counts: tuple[int, ...] = ()
        self.tell: Callable[[str], None] | None = None
        """On another node than 0, how node 0 hears of a failure."""

    def ready(self) -> None:
        self._come()

    def confirmed_turn(self, value: int, stops: int, announced: int, consumed: int) -> None:
        a, b, c, d = self.sums
        self.sums = a + value, b + stops, c + announced, d + consumed
        self.confirmed += 1
        self._progress(self.confirmed)

    def window(self, number: int, count: int) -> None:
        self.windows.append(count)
        self._progress(number + 1)

    def done(self, *counts: int) -> None:
        self._stopwatch.stop()
        self.counts = counts
        self._come()

    def fail(self, reason: str, error: Exception | None = None) -> None:
        if self._failure:
            return
        self._failure = reason
        if self.tell:
            self.tell(reason)
        if self._complete and not self._complete.done():
            self._complete.set_result(None)
        if error:
            # The place of the error is for people, on standard error (STDIO-2).
            sys.excepthook(type(error), error, error.__traceback__)

    async def complete(self, due: int) -> None:
        """Wait until so many reports have come. Raises ActorFailed, also for what has failed
        before."""
        self._due = due
        self._complete = asyncio.get_running_loop().create_future()
        if not self._failure:
            await self._complete
        self.raise_failure()

    def raise_failure(self) -> None:
        """Raises ActorFailed if an actor has failed."""
        if self._failure:
            raise ActorFailed(self._failure)

    def _progress(self, done: int) -> None:
        if self.marks:
            self.marks.seen(done)
        self._come()

    def _come(self) -> None:
        self._due -= 1
        if not self._due and self._complete and not self._complete.done():
            self._complete.set_result(None)
