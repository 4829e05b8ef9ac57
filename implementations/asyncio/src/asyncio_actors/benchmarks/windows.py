"""The windowed form of ping-pong, big and bang (spec/windows.md)."""

from collections.abc import Callable
from dataclasses import dataclass

from asyncio_actors.benchmarks.actor import Actor
from asyncio_actors.benchmarks.benchmark import Benchmark


@dataclass(frozen=True)
class Windowed(Benchmark):
    """A benchmark that has both forms; ``window`` is in milliseconds."""

    windows: int
    window: int

    @property
    def reports(self) -> int:
        return self.windows + 1

    @property
    def marked(self) -> int:
        return self.windows


class Windows:
    """A lead's windows; none of them in the counted form."""

    __slots__ = ("_lead", "_seconds", "_tick", "number")

    def __init__(self, lead: Actor, tick: Callable[..., None], parameters: Windowed) -> None:
        self._lead = lead
        self._tick = tick
        self._seconds = parameters.window / 1000
        self.number = parameters.windows

    def begin(self) -> None:
        """The run begins, and with it the first window (WIN-1)."""
        if self.number:
            self._lead.send_later(self._seconds, self._tick, 0)

    def ended(self, number: int) -> bool:
        """The lead has taken `tick`: take the stamp and begin the next. True if it was the last."""
        self._lead.system.stopwatch.tick()
        last = number + 1 == self.number
        if not last:
            self._lead.send_later(self._seconds, self._tick, number + 1)
        return last
