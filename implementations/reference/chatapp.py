"""ChatApp on asyncio: the model's behaviours, and a poker with a clock."""

import asyncio
import time

from dramaturg.model import chatapp as model
from dramaturg.model import names
from dramaturg.v1 import benchmarks_pb2
from dramaturg.v1 import trace_pb2 as kind

from actors import ActorFailed, World
from fibonacci import fibonacci
from trace import Trace

model.Client.work = staticmethod(fibonacci)

_POKER = names.name(names.POKER)


def check(p: benchmarks_pb2.ChatAppParameters) -> str:
    """What is out of range (benchmarks.proto), or nothing."""
    ranges = {
        "clients": (1, 2**32 - 1), "directories": (1, p.clients), "turns": (1, 2**24 - 1),
        "compute": (0, 100), "post": (0, 100), "leave": (0, 100), "invite": (0, 100),
        "befriend": (0, 100), "selection": (1, 2), "fib_n": (0, 47), "seed": (0, 65535),
    }  # fmt: skip
    for field, (low, high) in ranges.items():
        value = getattr(p, field)
        if not low <= value <= high:
            return f"{field} is {value}, must be in {low}..{high}"
    return ""


class Poker(model.Poker):
    """The model's poker, which also stamps each turn's start and end."""

    __slots__ = ("starts", "ends", "value")

    def __init__(self, parameters: model.Parameters) -> None:
        super().__init__(parameters)
        self.starts: list[int] = []
        self.ends: dict[int, int] = {}
        self.value = 0

    def _next_turn(self, expected: int) -> int:
        self.starts.append(time.monotonic_ns())
        return super()._next_turn(expected)

    def confirm(self, sender: int, turn: int, value: int) -> None:
        self.ends[turn] = time.monotonic_ns()
        self.value += value
        super().confirm(sender, turn, value)


class ChatApp:
    """One iteration of ChatApp, from Prepare to Teardown."""

    name = "chatapp"

    def __init__(self, p: benchmarks_pb2.ChatAppParameters, trace: Trace | None) -> None:
        values = {field.name: getattr(p, field.name) for field in p.DESCRIPTOR.fields}
        values["selection"] = model.Selection(p.selection)
        self._poker = Poker(model.Parameters(**values))
        self._world = World(trace, self._report, self._fail)
        self._reports: asyncio.Queue[tuple[int, tuple[int, ...]] | ActorFailed] = asyncio.Queue()
        self._nanos = 0
        self.confirmed = 0
        self.total = p.turns

    async def prepare(self) -> int:
        """Set the scene; its nanoseconds."""
        start = time.monotonic_ns()
        self._world.spawn(self._poker)
        await self._tell(kind.MESSAGE_KIND_POKER_PREPARE, until=kind.MESSAGE_KIND_CONTROL_READY)
        self._nanos = time.monotonic_ns() - start
        return self._nanos

    async def act(self, client: int, choice: int, index: int, k: int) -> int:
        """One client acts; the number of its turn."""
        arguments = (client, choice, index, k)
        confirmed = kind.MESSAGE_KIND_CONTROL_CONFIRMED
        return (await self._tell(kind.MESSAGE_KIND_POKER_ACT, *arguments, until=confirmed))[0]

    async def turn(self) -> tuple[int, int]:
        """All clients act; the turn's number and nanoseconds."""
        confirmed = kind.MESSAGE_KIND_CONTROL_CONFIRMED
        turn = (await self._tell(kind.MESSAGE_KIND_POKER_TURN, until=confirmed))[0]
        return turn, self._poker.ends[turn] - self._poker.starts[turn]

    async def run(self) -> benchmarks_pb2.Receipt:
        """All turns, then the end."""
        return await self._finish(kind.MESSAGE_KIND_POKER_RUN)

    async def disconnect(self) -> benchmarks_pb2.Receipt:
        """The end, after acts and turns."""
        return await self._finish(kind.MESSAGE_KIND_POKER_DISCONNECT)

    async def end(self) -> None:
        """Let nothing live on."""
        await self._world.end()

    async def _finish(self, last: int) -> benchmarks_pb2.Receipt:
        start = time.monotonic_ns()
        sums = await self._tell(last, until=kind.MESSAGE_KIND_CONTROL_FINISHED)
        iteration = self._nanos + time.monotonic_ns() - start
        lcg, computes, posts, leaves, invites, nones, deliveries, joins = sums
        poker = self._poker
        turns = [poker.ends[turn] - start for turn, start in enumerate(poker.starts)]
        return benchmarks_pb2.Receipt(
            chatapp=benchmarks_pb2.ChatAppReceipt(
                computes=computes,
                posts=posts,
                leaves=leaves,
                invites=invites,
                nones=nones,
                joins=joins,
                deliveries=deliveries,
                lcg_checksum=lcg,
                fib_sum=poker.value,
                confirms=poker.confirms,
                turn_nanos=turns,
            ),
            iteration_nanos=iteration,
            run_nanos=max(poker.ends.values()) - poker.starts[0] if turns else 0,
            alive=await self._world.alive(),
        )

    async def _tell(self, message: int, *args: int, until: int) -> tuple[int, ...]:
        self._world.tell(_POKER, message, *args)
        while True:
            report = await self._reports.get()
            if isinstance(report, ActorFailed):
                raise report
            if report[0] == until:
                return report[1]

    def _report(self, message: int, args: tuple[int, ...]) -> None:
        if message == kind.MESSAGE_KIND_CONTROL_CONFIRMED:
            self.confirmed += 1
        self._reports.put_nowait((message, args))

    def _fail(self, failure: ActorFailed) -> None:
        self._reports.put_nowait(failure)
