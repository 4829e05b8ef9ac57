"""Honest receipts, made by performing the model; and sessions that say what they are told."""

import contextlib
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from google.protobuf import proto

from dramaturg.control.session import Looked, MarkSeen, Ran
from dramaturg.model import names, openweb, receipt_names
from dramaturg.model.buckets import count_in
from dramaturg.model.fold import add
from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import MICRO, ChatAppWorkload, MicroWorkload
from dramaturg.timing.planning.scenarios import Scenario
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


@cache
def set_up(of: Scenario) -> Simulation:
    """Return the world that is there when Prepare has been answered."""
    if of.benchmark in MICRO:
        return Simulation(MicroWorkload(MICRO[of.benchmark], of.micro)).perform()
    return Simulation(ChatAppWorkload(of.chatapp).prepare()).perform()


def honest(of: Scenario, salt: int = SALT, run_nanos: int = 20 * MILLISECOND) -> Receipt:
    """Return the receipt of a right implementation: its actors' reports, and no formula."""
    said = performed(of, salt).control
    if of.benchmark == "chatapp":
        chatapp = _chatapp(said, run_nanos, of.parameters["turns"])
        return Receipt(chatapp=chatapp, run_nanos=run_nanos, teardown_nanos=1000)
    done = next(args for number, args in said if number == kind.MESSAGE_KIND_CONTROL_DONE)
    receipt = receipt_names.made(of.benchmark, done, run_nanos=run_nanos, teardown_nanos=1000)
    counts = receipt.done
    if of.benchmark == "sleepers":
        counts.shortest_nanos = of.parameters["delay"] * MILLISECOND
    if of.benchmark == "openweb":
        lateness, latency, ended = _times(of, salt)
        receipt.run_nanos = max(run_nanos, ended)
        counts.lateness.extend(lateness)
        counts.latency.extend(latency)
    windows = [args[1] for number, args in said if number == kind.MESSAGE_KIND_CONTROL_WINDOW]
    if windows:
        lasted = of.parameters["window"] * MILLISECOND
        counts.windows.extend(windows)
        counts.window_nanos.extend([lasted] * len(windows))
        receipt.run_nanos = max(run_nanos, lasted * len(windows))
    return receipt


def _times(of: Scenario, salt: int) -> tuple[list[int], list[int], int]:
    """Both histograms, by a clock that goes on whenever the source takes something; and the end."""
    due, chance, now = openweb.arrivals_of(of.micro), random.Random(salt), 0
    lateness: list[int] = []
    latency: list[int] = []
    for _, (number, args) in performed(of, salt).logs[names.name(names.SOURCE)]:
        if number == kind.MESSAGE_KIND_SOURCE_ARRIVE:
            now = max(now, args[1]) + chance.randrange(1000, MILLISECOND // 10)
            count_in(lateness, now - args[1])
        elif number == kind.MESSAGE_KIND_SOURCE_ANSWER:
            now = max(now, due[args[0]] + 5 * MILLISECOND) + chance.randrange(1, MILLISECOND // 10)
            count_in(latency, now - due[args[0]])
    return lateness, latency, now


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
    """The answer to Trace."""

    logs: Logs
    taken: dict[int, int]


def whole(watches: Sequence[control_pb2.Watch]) -> bool:
    """True if these are the rows of an audit that has everybody."""
    return all(row.events >= 1 << 31 for row in watches)


def logged(of: Scenario, salt: int, watches: Sequence[control_pb2.Watch]) -> Handed:
    """Return a right implementation's log of these in the end."""
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


def written(handed: Handed, file: Any) -> None:
    """As a log that waits on disk."""
    counts = trace_pb2.TraceCounts(actor=list(handed.taken), taken=handed.taken.values())
    for batch in encode(handed.logs):
        proto.serialize_length_prefixed(control_pb2.TraceResponse(batch=batch), file)
    proto.serialize_length_prefixed(control_pb2.TraceResponse(counts=counts), file)


class FakeSession:
    """A right implementation that sleeps for as long as it claims to have run, and no longer than
    0.2 s. Tests make it wrong by changing it."""

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
        self.passed = {"Describe": TRIP, "Prepare": TRIP, "Teardown": TRIP, "Trace": TRIP}
        self.came = {"Run": 0, "Trace": TRIP}

    def describe(self) -> control_pb2.DescribeResponse:
        return control_pb2.DescribeResponse(runtime="fake", runtime_version="1", schedulers=1)

    def prepare(
        self, benchmark: Any, watches: Any, *rest: Any, **more: Any
    ) -> control_pb2.PrepareResponse:
        assert benchmark == self.of.message()
        self.calls.append("prepare")
        self.watches = watches
        self.given: dict[int, int] = {}
        self.sent, self.run_since = time.monotonic_ns(), 0
        return control_pb2.PrepareResponse(setup_nanos=1000)

    def run(self, salt: int, timeout: float, on_mark: Callable[[int], None]) -> Ran:
        self.calls.append("run")
        self.salts.append(salt)
        self.receipt = self.tell(self.of, salt)
        start = time.monotonic()
        self.sent = self.run_since = time.monotonic_ns()
        self.passed["Run"] = min(self.receipt.run_nanos, 200 * MILLISECOND)
        time.sleep(self.passed["Run"] / 1e9)
        marks = [MarkSeen(done, time.monotonic() - start) for done in self.marks()]
        for mark in marks:
            on_mark(mark.done)
        return Ran(marks, time.monotonic() - start, self.sent)

    def share(self, passed: float) -> float:
        """Return the share of its CPU time in a run that it has used when such a share of the run
        has passed."""
        return passed

    def look(self, timeout: float) -> Looked:
        asked = time.monotonic_ns()
        share = min(1.0, self.share((asked - self.sent) / self.passed.get("Run", TRIP)))
        now, watched = self.at_rest(self.handed()), Watched(self.watches)
        so_far = Handed({}, {actor: int(taken * share) for actor, taken in now.taken.items()})
        for actor, taken in so_far.taken.items():
            wanted = watched.slice_of(actor)
            rows = wanted.rows(taken) if wanted else 0
            so_far.logs[actor] = now.logs[actor][self.given.get(actor, 0) : rows]
            self.given[actor] = max(self.given.get(actor, 0), rows)
        return Looked(asked, time.monotonic_ns(), lambda file: written(so_far, file))

    def marks(self) -> list[int]:
        """All of them in the end, as is right where it takes less than a tenth of a second."""
        last = self.of.parameters.get("turns") or self.of.parameters.get("windows")
        return [last] if last else []

    def teardown(self, timeout: float) -> Receipt:
        self.calls.append("teardown")
        return self.receipt

    def strays(self) -> list[str]:
        """Return its descendants that are not counted."""
        return []

    def handed(self) -> Handed:
        """Return its answer to Trace."""
        return logged(self.of, self.salts[-1], self.watches)

    def at_rest(self, handed: Handed) -> Handed:
        """Return the part of it that was there when Run had ended."""
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

    def beforehand(self) -> Handed:
        """Return its answer before Run."""
        there, watched = set_up(self.of), Watched(self.watches)
        found = Handed({}, {})
        for actor in there.actors:
            if wanted := watched.slice_of(actor):
                log = there.logs.get(actor, [])
                found.logs[actor], found.taken[actor] = list(wanted.of(log)), len(log)
        return found

    def spool(self, file: Any, timeout: float, meanwhile: Callable[[], None] | None = None) -> int:
        """Write the events since the last Trace of this world: before Run, when it has ended, and
        after Teardown."""
        if meanwhile is not None:
            meanwhile()
        of_this_world = self.calls[len(self.calls) - self.calls[::-1].index("prepare") :]
        self.calls.append("trace")
        handed = (
            self.beforehand, lambda: self.at_rest(self.handed()), self.handed,
        )[of_this_world.count("trace")]()  # fmt: skip
        fresh = {actor: log[self.given.get(actor, 0) :] for actor, log in handed.logs.items()}
        for actor, log in handed.logs.items():
            self.given[actor] = max(self.given.get(actor, 0), len(log))
        written(Handed(fresh, handed.taken), file)
        return sum(map(len, fresh.values())) + len(handed.taken)

    @contextlib.contextmanager
    def stopped(self) -> Iterator[None]:
        self.calls.append("stopped")
        try:
            yield
        finally:
            self.calls.append("goes on")

    def end_input(self) -> None:
        self.calls.append("end of input")
