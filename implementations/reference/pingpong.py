"""Ping-pong on asyncio: the model's behaviours."""

import asyncio
import time

from dramaturg.model import names
from dramaturg.model import pingpong as model
from dramaturg.v1 import benchmarks_pb2
from dramaturg.v1 import trace_pb2 as kind

from actors import ActorFailed, World
from trace import Trace

_PING, _PONG = names.name(names.PING), names.name(names.PONG)


def check(p: benchmarks_pb2.PingPongParameters) -> str:
    """What is out of range (benchmarks.proto), or nothing."""
    return "" if p.rounds >= 1 else f"rounds is {p.rounds}, must be in 1..4294967295"


class PingPong:
    """One iteration of ping-pong."""

    name = "pingpong"

    def __init__(self, p: benchmarks_pb2.PingPongParameters, trace: Trace | None) -> None:
        self._ping, self._pong = model.Ping(_PING, _PONG), model.Pong(_PONG)
        self._world = World(trace, self._report, self._fail)
        self._played: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._nanos = 0
        self.total = p.rounds

    @property
    def confirmed(self) -> int:
        """Rounds played so far."""
        return self._ping.pongs

    async def prepare(self) -> int:
        """Bring both to life; the nanoseconds it took."""
        start = time.monotonic_ns()
        self._world.spawn(self._ping)
        self._world.spawn(self._pong)
        self._nanos = time.monotonic_ns() - start
        return self._nanos

    async def run(self) -> benchmarks_pb2.Receipt:
        """All rounds."""
        start = time.monotonic_ns()
        self._world.tell(_PING, kind.MESSAGE_KIND_PING_START, self.total)
        await self._played
        nanos = time.monotonic_ns() - start
        return await self._receipt(nanos)

    async def disconnect(self) -> benchmarks_pb2.Receipt:
        """The receipt of a world in which nothing was run."""
        await self._world.end()
        return await self._receipt(0)

    async def end(self) -> None:
        """Let nothing live on."""
        await self._world.end()

    async def _receipt(self, nanos: int) -> benchmarks_pb2.Receipt:
        return benchmarks_pb2.Receipt(
            pingpong=benchmarks_pb2.PingPongReceipt(pings=self._pong.pings, pongs=self._ping.pongs),
            iteration_nanos=self._nanos + nanos,
            run_nanos=nanos,
            alive=await self._world.alive(),
        )

    def _report(self, message: int, args: tuple[int, ...]) -> None:
        self._played.set_result(args[0])

    def _fail(self, failure: ActorFailed) -> None:
        if not self._played.done():
            self._played.set_exception(failure)
