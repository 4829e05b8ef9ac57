"""A session with the model itself, in this process: right, but for what it is told to spoil."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from dramaturg.conformance.cluster import Cluster
from dramaturg.control.session import MarkSeen, Ran
from dramaturg.model import openweb, receipt_names
from dramaturg.model.buckets import count_in
from dramaturg.model.fold import add
from dramaturg.model.simulation import InOrder, Simulation
from dramaturg.model.workload import ChatAppWorkload, workload_of
from dramaturg.trace.codec import LogBuilder, encode
from dramaturg.trace.events import Logs, Message
from dramaturg.trace.watches import EVERYBODY, Watched, Watches
from dramaturg.v2 import benchmarks_pb2, trace_pb2
from dramaturg.v2 import trace_pb2 as kind

SUMS = ("lcg_checksum", "computes", "posts", "leaves", "invites", "nones", "deliveries", "joins")
REPORTED = (kind.MESSAGE_KIND_CONTROL_CONFIRMED, kind.MESSAGE_KIND_CONTROL_WINDOW)


def honest(benchmark: benchmarks_pb2.Benchmark, control: Sequence[Message]) -> Any:
    """The receipt of what was reported to control."""
    name = str(benchmark.WhichOneof("parameters"))
    fields: dict[str, int] = {}
    if name == "chatapp":
        receipt = benchmarks_pb2.Receipt(chatapp={}, run_nanos=1, teardown_nanos=1)
    else:
        receipt = receipt_names.made(name, run_nanos=1, teardown_nanos=1)
    own = receipt_names.own(receipt)
    turns = [args for number, args in control if number == kind.MESSAGE_KIND_CONTROL_CONFIRMED]
    for number, args in control:
        if number == kind.MESSAGE_KIND_CONTROL_FINISHED:
            fields = dict(zip(SUMS, args, strict=True))
        elif number == kind.MESSAGE_KIND_CONTROL_DONE:
            own.arguments.extend(args)
        elif number == kind.MESSAGE_KIND_CONTROL_WINDOW:
            own.windows.append(args[1])
            own.window_nanos.append(int(getattr(benchmark, name).window * 1e6))
            receipt.run_nanos += own.window_nanos[-1]
    if name == "chatapp":
        fields |= {"confirms": len(turns), "fib_sum": sum(turn[1] for turn in turns)}
        fields |= {"stops": sum(turn[2] for turn in turns)}
        fields |= {"announced": add(0, sum(turn[3] for turn in turns))}
        fields |= {"consumed": add(0, sum(turn[4] for turn in turns))}
        own.turn_nanos.extend([1] * len(turns))
    if name == "sleepers":
        receipt.run_nanos += int(benchmark.sleepers.naps * benchmark.sleepers.delay * 1e6)
        own.shortest_nanos = benchmark.sleepers.delay * 1_000_000
    if name == "openweb":
        # Whatever the order: all have arrived, and then all are answered at once.
        p = benchmark.openweb
        due = openweb.arrivals(p.requests, p.gap, p.seed)
        receipt.run_nanos += due[-1]
        counts: list[int] = []
        for each in due:
            count_in(counts, due[-1] - each)
        own.latency.extend(counts)
        own.lateness.extend(counts)
    for field, value in fields.items():
        setattr(own, field, value)
    return receipt


class ModelSession:
    """The parts of a Session that a Cluster needs."""

    process = None
    run_since = 0

    def __init__(
        self,
        *,
        logs: Callable[[Logs], None] = lambda logs: None,
        counts: Callable[[dict[int, int]], None] = lambda counts: None,
        marks: Callable[[list[int]], None] = lambda marks: None,
        receipt: Callable[[Any], None] = lambda receipt: None,
        hasty: bool = False,
    ) -> None:
        """``hasty``: everybody is let go in Run already."""
        self._hasty = hasty
        self._spoil_logs, self._spoil_counts = logs, counts
        self._spoil_marks, self._spoil_receipt = marks, receipt
        self.calls: list[str] = []
        self.salts: list[int] = []
        self.log = LogBuilder()

    def prepare(
        self,
        benchmark: benchmarks_pb2.Benchmark,
        watches: Watches = EVERYBODY,
        timeout: float | None = None,
    ) -> None:
        self.calls.append("prepare")
        self.log, self._watched, self._benchmark = LogBuilder(watches), Watched(watches), benchmark
        self._workload = workload_of(benchmark)
        self._simulation = Simulation(self._workload, InOrder())
        self._fetched: dict[int, int] = {}
        if isinstance(self._workload, ChatAppWorkload):
            self._workload.prepare()
            self._perform()

    def act(self, *act: int) -> None:
        self._workload.act(*act[:4])  # type: ignore[union-attr]
        self._perform()

    def turn(self, timeout: float | None = None) -> None:
        self._workload.turn()  # type: ignore[union-attr]
        self._perform()

    def run(self, salt: int = 0, timeout: float | None = None, log_limit: int = 0) -> Ran:
        self.calls.append("run")
        self.salts.append(salt)
        self._workload.run(salt)
        self._perform()
        if self._hasty:
            self._let_go()
        done = sum(number in REPORTED for number, _ in self._simulation.control)
        marks = list(range(1, done + 1))
        self._spoil_marks(marks)
        # As long as it takes to send them all.
        return Ran([MarkSeen(mark, float(n)) for n, mark in enumerate(marks, 1)], len(marks) + 1.0)

    def unchanged(self) -> AbstractContextManager[None]:
        return nullcontext()

    def excuse(self, since: Any = None) -> str:
        return ""

    def trace(self, timeout: float | None = None) -> LogBuilder:
        self.calls.append("trace")
        new, taken = {}, {}
        for actor in self._simulation.actors:
            wanted = self._watched.slice_of(actor)
            if wanted is not None:
                log = self._simulation.logs.get(actor, [])
                part, had = wanted.of(log), self._fetched.get(actor, 0)
                new[actor], taken[actor] = part[had:], len(log)
                self._fetched[actor] = len(part)
        self._spoil_logs(new)
        self._spoil_counts(taken)
        for batch in encode(new):
            self.log.add(batch)
        self.log.begin_counts()
        self.log.count(trace_pb2.TraceCounts(actor=list(taken), taken=list(taken.values())))
        return self.log

    def teardown(self, timeout: float | None = None) -> Any:
        self.calls.append("teardown")
        if not self._hasty:
            self._let_go()
        receipt = honest(self._benchmark, self._simulation.control)
        receipt.alive = len(self._simulation.alive())
        self._spoil_receipt(receipt)
        return receipt

    @property
    def reported(self) -> list[Message]:
        """The reports that control has heard in this world."""
        return self._simulation.control

    def _let_go(self) -> None:
        before = len(self._workload.script)
        self._workload.disconnect()
        if len(self._workload.script) > before:
            self._perform()

    def _perform(self) -> None:
        self._simulation.perform(self._workload.script[-1:])


def cluster(**spoiled: Any) -> Cluster:
    """A cluster of one such session."""
    return Cluster([ModelSession(**spoiled)])  # type: ignore[list-item]
