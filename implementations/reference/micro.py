"""The micro-benchmarks on asyncio: the model's behaviours, for all of them alike."""

import asyncio
import time
from itertools import pairwise
from typing import Any

from dramaturg.model import web
from dramaturg.model.play import PIECES, Piece
from dramaturg.v1 import benchmarks_pb2
from dramaturg.v1 import trace_pb2 as kind

from actors import ActorFailed, World
from fibonacci import fibonacci
from trace import Trace

web.Worker.work_of = staticmethod(fibonacci)

NAMES = tuple(PIECES)


def check(name: str, message: Any) -> str:
    """What is out of range (benchmarks.proto), or nothing."""
    for field, (low, high) in PIECES[name].ranges(message).items():
        value = getattr(message, field)
        if not low <= value <= high:
            return f"{field} is {value}, must be in {low}..{high}"
    return ""


class Micro:
    """One iteration of a micro-benchmark."""

    def __init__(self, name: str, message: Any, trace: Trace | None) -> None:
        self.name = name
        self._piece: Piece = PIECES[name]
        values = {field.name: getattr(message, field.name) for field in message.DESCRIPTOR.fields}
        self._parameters = self._piece.parameters(**values)
        delay = values.get("delay", values.get("window", 0)) / 1000
        self._world = World(trace, self._report, self._fail, delay=delay)
        self._windows: list[int] = []
        self._done: asyncio.Future[tuple[int, ...]] = asyncio.get_running_loop().create_future()
        self._nanos = 0
        self.confirmed = 0
        self.total = 1

    async def prepare(self) -> int:
        """Bring those to life that are there at first; the nanoseconds it took."""
        start = time.monotonic_ns()
        for actor in self._piece.cast(self._parameters):
            self._world.spawn(actor)
        self._nanos = time.monotonic_ns() - start
        return self._nanos

    async def run(self) -> benchmarks_pb2.Receipt:
        """From the first message to the lead's report."""
        start = time.monotonic_ns()
        number, args = self._piece.line(self._parameters)
        self._world.tell(self._piece.lead, number, *args)
        done = await self._done
        receipt = await self._receipt(time.monotonic_ns() - start, done)
        if self._windows:
            counts = getattr(receipt, self.name)
            counts.windows.extend(self._windows)
            ends = [start, *self._world.ticks]
            counts.window_nanos.extend(end - begin for begin, end in pairwise(ends))
        return receipt

    async def disconnect(self) -> benchmarks_pb2.Receipt:
        """The receipt of a world in which nothing was run."""
        await self._world.end()
        return await self._receipt(0, ())

    async def end(self) -> None:
        """Let nothing live on."""
        await self._world.end()

    async def _receipt(self, nanos: int, done: tuple[int, ...]) -> benchmarks_pb2.Receipt:
        receipt = benchmarks_pb2.Receipt(
            iteration_nanos=self._nanos + nanos,
            run_nanos=nanos,
            alive=await self._world.alive(),
        )
        counts = getattr(receipt, self.name)
        counts.SetInParent()
        for field, value in zip(_FIELDS[self.name], done, strict=False):
            if field:
                setattr(counts, field, value)
        return receipt

    def _report(self, message: int, args: tuple[int, ...]) -> None:
        if message == kind.MESSAGE_KIND_CONTROL_WINDOW:
            self._windows.append(args[1])
        elif not self._done.done():
            self._done.set_result(args if len(args) > 1 else args * 2)

    def _fail(self, failure: ActorFailed) -> None:
        if not self._done.done():
            self._done.set_exception(failure)


_FIELDS = {
    "pingpong": ("pings", "pongs"),
    "big": ("pings", "pongs"),
    "bang": ("bangs", "answers"),
    "web": ("answers", "value_sum", "workers_used"),
    "count": ("adds", "sum"),
    "chain": ("length",),
    "fanout": ("attempted", "completed"),
    "sleepers": ("naps",),
    "mergesort": (None, "checksum", "sorters"),
    "broker": ("results", "checksum_sum"),
}
"""Which field of the receipt each argument of the lead's last report is."""
