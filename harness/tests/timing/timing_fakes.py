"""Honest receipts, made by performing the model; and sessions that say what they are told."""

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from google.protobuf import proto

from dramaturg.control.session import MarkSeen, Ran
from dramaturg.model import openweb
from dramaturg.model.buckets import bucket_of
from dramaturg.model.fold import add
from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import MICRO, ChatAppWorkload, MicroWorkload
from dramaturg.timing.scenarios import Scenario
from dramaturg.trace.codec import encode
from dramaturg.trace.events import Logs
from dramaturg.trace.watches import Watched
from dramaturg.v2 import benchmarks_pb2, control_pb2, trace_pb2
from dramaturg.v2 import trace_pb2 as kind

MILLISECOND = 1_000_000

TRIP = 50_000
"""Nanoseconds of an empty call, and of one that does next to nothing."""

SALT = 0xB105F00D
"""More than 31 bits, so that whoever takes it for a signed number or cuts it is found out."""

Receipt = benchmarks_pb2.Receipt
Tell = Callable[[Scenario, int], Receipt]
"""A receipt of this scenario when it was Run with this salt."""


@cache
def performed(of: Scenario, salt: int, *, ended: bool = True) -> Simulation:
    """The scenario, performed by the model's actors, up to the end of Run or that of Teardown."""
    workload: ChatAppWorkload | MicroWorkload
    if of.benchmark in MICRO:
        workload = MicroWorkload(MICRO[of.benchmark], of.micro)
    else:
        workload = ChatAppWorkload(of.chatapp).prepare()
    workload.run(salt)
    return Simulation(workload.disconnect() if ended else workload).perform()


def honest(of: Scenario, salt: int = SALT, run_nanos: int = 20 * MILLISECOND) -> Receipt:
    """What a right implementation hands over: what its actors have said, and no formula."""
    said = performed(of, salt).control
    receipt = Receipt(run_nanos=run_nanos, teardown_nanos=1000)
    counts = getattr(receipt, of.benchmark)
    if of.benchmark == "chatapp":
        counts.CopyFrom(_chatapp(said, run_nanos, of.parameters["turns"]))
        return receipt
    done = next(args for number, args in said if number == kind.MESSAGE_KIND_CONTROL_DONE)
    for field, value in zip(counts.DESCRIPTOR.fields, done, strict=False):
        setattr(counts, field.name, value)
    if of.benchmark == "openweb":
        answer = 5 * MILLISECOND
        receipt.run_nanos = max(run_nanos, openweb.arrivals_of(of.micro)[-1] + answer)
        counts.lateness.extend([0] * bucket_of(answer // 50) + [counts.answers])
        counts.latency.extend([0] * bucket_of(answer) + [counts.answers])
    windows = [args[1] for number, args in said if number == kind.MESSAGE_KIND_CONTROL_WINDOW]
    if windows:
        lasted = of.parameters["window"] * MILLISECOND
        counts.windows.extend(windows)
        counts.window_nanos.extend([lasted] * len(windows))
        receipt.run_nanos = max(run_nanos, lasted * len(windows))
    return receipt


def _chatapp(said: Any, run_nanos: int, turns: int) -> benchmarks_pb2.ChatAppReceipt:
    names = ("computes", "posts", "leaves", "invites", "nones", "deliveries", "joins")
    sums = next(args for number, args in said if number == kind.MESSAGE_KIND_CONTROL_FINISHED)
    confirmed = [args for number, args in said if number == kind.MESSAGE_KIND_CONTROL_CONFIRMED]
    values, stops, announced, consumed = (sum(args[n] for args in confirmed) for n in range(1, 5))
    return benchmarks_pb2.ChatAppReceipt(
        **dict(zip(("lcg_checksum", *names), sums, strict=True)),
        fib_sum=values,
        confirms=len(confirmed),
        stops=stops,
        announced=add(0, announced),
        consumed=add(0, consumed),
        turn_nanos=[run_nanos // 2 + turn for turn in range(turns)],
    )


@dataclass
class Handed:
    """What is handed over upon Trace."""

    logs: Logs
    taken: dict[int, int]


def whole(watches: Sequence[control_pb2.Watch]) -> bool:
    """Whether these are the rows of an audit that has everybody."""
    return all(row.events >= 1 << 31 for row in watches)


def logged(of: Scenario, salt: int, watches: Sequence[control_pb2.Watch]) -> Handed:
    """What a right implementation has logged of these in the end."""
    watched = Watched(watches)
    slices = {
        actor: (wanted.of(events), len(events))
        for actor, events in performed(of, salt).logs.items()
        if (wanted := watched.slice_of(actor))
    }
    return Handed(
        {actor: events for actor, (events, _) in slices.items()},
        {actor: taken for actor, (_, taken) in slices.items()},
    )


class FakeSession:
    """A right implementation that sleeps for as long as it claims to have run, and no longer than
    0.2 s. What tests change of it is what is wrong with it."""

    process = None

    left = 0
    """Messages of each actor that are still to be taken when Run has ended."""

    def __init__(self, of: Scenario, tell: Tell = honest) -> None:
        self.of = of
        self.tell = tell
        self.calls: list[str] = []
        self.salts: list[int] = []
        self.watches: Sequence[control_pb2.Watch] = ()
        self.first = TRIP
        self.passed = {"Describe": TRIP, "Prepare": TRIP, "Teardown": TRIP}

    def describe(self) -> control_pb2.DescribeResponse:
        return control_pb2.DescribeResponse(runtime="fake", runtime_version="1", schedulers=1)

    def prepare(
        self, benchmark: Any, watches: Any, *rest: Any, **more: Any
    ) -> control_pb2.PrepareResponse:
        assert benchmark == self.of.message()
        self.calls.append("prepare")
        self.watches = watches
        return control_pb2.PrepareResponse(setup_nanos=1000)

    def run(self, salt: int, timeout: float, on_mark: Callable[[int], None]) -> Ran:
        self.calls.append("run")
        self.salts.append(salt)
        self.receipt = self.tell(self.of, salt)
        start = time.monotonic()
        self.passed["Run"] = min(self.receipt.run_nanos, 200 * MILLISECOND)
        time.sleep(self.passed["Run"] / 1e9)
        marks = [MarkSeen(done, time.monotonic() - start) for done in self.marks()]
        for mark in marks:
            on_mark(mark.done)
        return Ran(marks, time.monotonic() - start)

    def marks(self) -> list[int]:
        """All of them in the end, as is right where it takes less than a tenth of a second."""
        last = self.of.parameters.get("turns") or self.of.parameters.get("windows")
        return [last] if last else []

    def teardown(self, timeout: float) -> Receipt:
        self.calls.append("teardown")
        return self.receipt

    def handed(self) -> Handed:
        """What it hands over upon Trace."""
        return logged(self.of, self.salts[-1], self.watches)

    def at_rest(self, handed: Handed) -> Handed:
        """What of it was there when Run had ended."""
        whole = performed(self.of, SALT)
        then = performed(self.of, SALT, ended=False).logs
        watched = Watched(self.watches)
        there = Handed({}, {})
        for actor, taken in handed.taken.items():
            ending = len(whole.logs.get(actor, ())) - len(then.get(actor, ()))
            count = max(0, taken - ending - self.left)
            wanted = watched.slice_of(actor)
            later = wanted.rows(taken) - wanted.rows(count) if wanted else 0
            log = handed.logs.get(actor, [])
            there.logs[actor], there.taken[actor] = log[: len(log) - later], count
        return there

    def spool(self, file: Any, timeout: float) -> None:
        handed, early = self.handed(), self.at_rest(self.handed())
        if "trace" in self.calls[len(self.calls) - self.calls[::-1].index("prepare") :]:
            lengths = {actor: len(log) for actor, log in early.logs.items()}
            handed.logs = {a: log[lengths.get(a, 0) :] for a, log in handed.logs.items()}
        else:
            handed = early
        self.calls.append("trace")
        counts = trace_pb2.TraceCounts(actor=list(handed.taken), taken=handed.taken.values())
        for batch in encode(handed.logs):
            proto.serialize_length_prefixed(control_pb2.TraceResponse(batch=batch), file)
        proto.serialize_length_prefixed(control_pb2.TraceResponse(counts=counts), file)

    @contextlib.contextmanager
    def stopped(self) -> Iterator[None]:
        self.calls.append("stopped")
        try:
            yield
        finally:
            self.calls.append("goes on")

    def end_input(self) -> None:
        self.calls.append("end of input")
