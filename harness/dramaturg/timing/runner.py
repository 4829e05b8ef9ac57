"""Carry out a plan: start, check, record, and say of every unit how it ended."""

import contextlib
import itertools
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dramaturg.control import scratch, session
from dramaturg.control.session import Session
from dramaturg.errors import ControlError
from dramaturg.implementation import build, toolchain
from dramaturg.implementation.manifest import Implementation
from dramaturg.machine import capabilities, environment
from dramaturg.machine.floors import Cost
from dramaturg.net import links, topology
from dramaturg.net.links import LinkOff
from dramaturg.net.topology import Network
from dramaturg.net.unavailable import NetworkUnavailable
from dramaturg.outcomes import Outcome, worst
from dramaturg.performance.result import outcome_of
from dramaturg.records import LinksRecord, UnitRecord
from dramaturg.results import Writer
from dramaturg.timing import audit, invocation
from dramaturg.timing.invocation import Logs
from dramaturg.timing.judge import Judge, describe, speaks_of, unit_record
from dramaturg.timing.observer import Observer
from dramaturg.timing.plan import Plan, Unit, lacking
from dramaturg.timing.suites import NetworkRequest

AFFINITY_ALONE = "nothing: affinity alone"
"""What the record says of a runtime that finds out by itself how many cores it has, or does not."""

IsCertified = Callable[[Implementation], bool]
"""Whether this very build holds a certificate."""

Start = Callable[..., AbstractContextManager[Session]]
"""As ``control.session.start``."""

IsWanted = Callable[[Unit, int], bool]
"""Whether an invocation of a unit is still worth running, when its turn has come."""

Steps = Generator[int, None, UnitRecord]
"""An invocation that stops before each iteration, and says what memory it has held at most, in
bytes; and the record of how it ended."""

_Placed = tuple[int, tuple[Unit, int]]
"""An invocation, and its place in the order."""


@dataclass(frozen=True, slots=True)
class _Standing:
    """Whether an implementation can be timed at all, found out once."""

    build: str = ""
    certified: bool = False
    outcome: Outcome = Outcome.PASS
    message: str = ""


@dataclass(slots=True)
class _Turns:
    """An invocation that is under way."""

    steps: Steps
    position: int
    unit: Unit
    number: int
    begun: bool = False
    alone: bool = False
    """Whether it did not wait for another one's iterations."""


class Runner:
    """Carries out one plan. Everything goes to ``writer`` as it happens."""

    def __init__(
        self,
        plan: Plan,
        implementations: Mapping[str, Implementation],
        writer: Writer,
        folder: Path,
        *,
        is_certified: IsCertified,
        cost: Cost,
        uncertified: bool = False,
        observer: Observer | None = None,
        start: Start = session.start,
        is_wanted: IsWanted = lambda unit, number: True,
    ) -> None:
        self._plan = plan
        self._implementations = implementations
        self._writer = writer
        self._folder = folder
        self._is_certified = is_certified
        self._cost = cost
        self._uncertified = uncertified
        self._observer = observer or Observer()
        self._start = start
        self._is_wanted = is_wanted
        self._standings: dict[str, _Standing] = {}
        self._refused: set[Unit] = set()
        self._hopeless: dict[Unit, str] = {}
        self._described: set[str] = set()
        self._invoked = 0
        lossy = (unit.invocations + 1 for unit in plan.units if unit.network.loss)
        self._lossy = max(1, sum(lossy))
        """Invocations that are held against a loss."""

    def run(self, done: Sequence[UnitRecord] = ()) -> Outcome:
        """All invocations but those ``done`` in an earlier run; the worst outcome of all."""
        audit.discard(self._folder)
        outcomes = [record.outcome for record in done]
        order = list(enumerate(self._plan.order()))
        for together in self._together(order):
            due = [
                (position, unit, number)
                for position, (unit, number) in together
                if unit not in self._refused
                and not is_done(unit, number, done)
                and self._is_wanted(unit, number)
            ]
            outcomes += [record.outcome for record in self._run_together(due, len(order))]
        return worst(outcomes)

    def _together(self, order: Sequence[_Placed]) -> Iterator[list[_Placed]]:
        """What may be run at the same time: pairs, if the plan has some."""
        if not self._plan.pairs:
            yield from ([each] for each in order)
            return
        for _, pair in itertools.groupby(order, lambda each: (each[1][0].what[1:], each[1][1])):
            yield list(pair)

    def _run_together(
        self, due: Sequence[tuple[int, Unit, int]], total: int
    ) -> Iterator[UnitRecord]:
        """Iteration by iteration in turns, and who is first changes. Who holds more than its part
        of the memory goes on alone, and networks are there one at a time."""
        local = all(unit.network.local for _, unit, _ in due)
        share = environment.memory() // max(1, len(due))
        with contextlib.ExitStack() as stack:
            turns = []
            for position, unit, number in due:
                steps = stack.enter_context(contextlib.closing(self._unit(unit, number)))
                turns.append(_Turns(steps, position, unit, number))
            while turns:
                for each in list(turns):
                    if not each.begun:
                        each.begun = True
                        self._observer.started(each.unit, each.number, each.position, total)
                    try:
                        while next(each.steps) > share or not local:
                            each.alone = True
                    except StopIteration as stop:
                        turns.remove(each)
                        record: UnitRecord = stop.value
                        record.in_turns = len(due) > 1 and not each.alone
                        self._writer.write(record)
                        self._observer.ended(record)
                        yield record
                turns.reverse()

    def _unit(self, unit: Unit, number: int) -> Steps:
        if unit in self._hopeless:
            return unit_record(unit, number, Outcome.NOT_RUN, self._hopeless[unit])
        refusal = self._refusal(unit)
        if refusal is not None:
            self._refused.add(unit)
            return unit_record(unit, None, *refusal)
        standing = self._standings[unit.implementation]
        judge = Judge(
            unit,
            number,
            self._writer,
            self._observer,
            build=standing.build,
            certified=standing.certified,
            cost=self._cost,
            heap=self._implementations[unit.implementation].manifest.run.heap << 20,
        )
        self._invoked += 1
        name = f"{self._implementations[unit.implementation].name}-{unit.scenario.benchmark}"
        logs = Logs(self._folder / audit.FOLDER, f"{name}-{self._invoked}")
        start = time.monotonic()
        outcome, message = Outcome.PASS, ""
        try:
            with self._network(unit.network) as network:
                judge.network = describe(unit.network, network)
                with self._links(network, judge):
                    steps = self._invoke(unit, number, network, judge, logs)
                    with contextlib.closing(steps):
                        for held in steps:
                            left = time.monotonic()
                            yield held
                            start += time.monotonic() - left
        except NetworkUnavailable as error:
            self._refused.add(unit)
            return unit_record(unit, None, Outcome.NOT_RUN, str(error))
        except (ControlError, OSError) as error:
            outcome = outcome_of(error)
            message = error.in_full if isinstance(error, ControlError) else str(error)
            if outcome is Outcome.TIMEOUT:
                self._hopeless[unit] = f"invocation {number} timed out: {message}"
        self._observer.audits(unit, number)
        judge.audit()
        audit.discard(self._folder, logs.name)
        return judge.record(outcome, message, time.monotonic() - start)

    def _refusal(self, unit: Unit) -> tuple[Outcome, str] | None:
        """Why a unit cannot be invoked at all; None if it can."""
        manifest = self._implementations[unit.implementation].manifest
        if why := lacking(unit, manifest):
            return Outcome.UNSUPPORTED, why
        if unit.cores and (why_not := environment.why_not_confined(unit.cores)):
            return Outcome.NOT_RUN, f"confined to {len(unit.cores)} cores: {why_not}"
        standing = self._standing(unit.implementation)
        if standing.outcome is not Outcome.PASS:
            return standing.outcome, standing.message
        return None

    def _standing(self, name: str) -> _Standing:
        if name not in self._standings:
            self._standings[name] = self._find_standing(name)
        return self._standings[name]

    def _find_standing(self, name: str) -> _Standing:
        implementation = self._implementations[name]
        try:
            toolchain.require(implementation)
            digest = build.build(implementation)
            certified = self._is_certified(implementation)
        except ControlError as error:
            return _Standing(outcome=outcome_of(error), message=str(error))
        if not certified and not self._uncertified:
            message = (
                f"this build of {implementation.name} is not certified, and what is not known to"
                " be right is not timed (LEVEL-16): run"
                f" `dramaturg certify {implementation.designation}` first, or add --uncertified"
            )
            return _Standing(digest, False, Outcome.NOT_RUN, message)
        return _Standing(digest, certified)

    @contextlib.contextmanager
    def _network(self, request: NetworkRequest) -> Iterator[Network | None]:
        """The network that was asked for; None for one node; the loopback where nothing can
        be emulated and nothing was to be shaped."""
        if request.local:
            yield None
            return
        why_not = capabilities.probe().why_no_mininet
        if why_not and request.link.shaped:
            raise NetworkUnavailable(
                f"a shaped link needs an emulated network: {why_not}; {topology.elsewhere()}"
            )
        opened = (
            topology.loopback(request.nodes, note=f"no emulated network: {why_not}")
            if why_not
            else topology.mininet(request.nodes, request.link)
        )
        with opened as network:
            yield network

    @contextlib.contextmanager
    def _links(self, network: Network | None, judge: Judge) -> Iterator[None]:
        """Hold the links against what was asked for, also where the invocation failed: what was
        timed over others than these does not count. Raises LinkOff."""
        if network is None or not network.link.delayed:
            yield
            return
        asked, failed = network.link.loss or 0, None
        judge.links = LinksRecord.model_validate(network.measured)
        try:
            yield
        except (ControlError, OSError) as error:
            failed = error
        try:
            lost = network.lost()
            if lost is not None:
                expected = links.expected(asked, lost.packets, self._lossy)
                judge.links.packets, judge.links.lost = lost.packets, lost.lost
                judge.links.between = [expected.low, expected.high]
                judge.links.confidence = expected.confidence
                links.check_lost(asked, lost, expected)
        except LinkOff as error:
            judge.links.off = str(error)
            raise error from failed
        if failed is not None:
            raise failed

    def _invoke(
        self, unit: Unit, number: int, network: Network | None, judge: Judge, waiting: Logs
    ) -> Generator[int, None, None]:
        """Half of a pair waits between two iterations, and its processes are stopped there."""
        implementation = self._implementations[unit.implementation]
        logs = self._folder / "stderr"
        logs.mkdir(parents=True, exist_ok=True)
        prefixes = [host.prefix for host in network.hosts] if network else [()]
        surroundings = implementation.manifest.run.node_environment if network else {}
        with contextlib.ExitStack() as stack:
            # Builds differ in what they are, and not in where that lies (MEAS-37).
            built = build.made(implementation)
            folder = stack.enter_context(scratch.place(implementation.folder, built))
            sessions = []
            for node, prefix in enumerate(prefixes):
                # Not the unit's own word for it, which may be a path.
                name = implementation.name if network is None else f"{implementation.name}.{node}"
                started = self._start(
                    implementation,
                    prefix=prefix,
                    stderr=logs / f"{name}.log",
                    environment=surroundings,
                    cores=unit.cores,
                    folder=folder,
                )
                sessions.append(stack.enter_context(started))
            self._describe(unit.implementation, sessions[0])
            judge.told = self._told(unit, sessions[0])
            extra = number == unit.invocations
            waits = self._plan.pairs and unit.network.local
            steps = invocation.steps(sessions, unit, network, judge, logs=waiting, extra=extra)
            for held in steps:
                with contextlib.ExitStack() as stopped:
                    for session in sessions if waits else ():
                        stopped.enter_context(session.stopped())
                    yield held

    def _told(self, unit: Unit, started: Session) -> dict[str, Any]:
        """What its runtime was told of its cores, and what it says of them."""
        if not unit.cores:
            return {}
        told = self._implementations[unit.implementation].told(len(unit.cores))
        return {"told": str(told) or AFFINITY_ALONE, "schedulers": started.describe().schedulers}

    def _describe(self, name: str, started: Session) -> None:
        if name not in self._described:
            self._described.add(name)
            build, said = self._standings[name].build, started.describe()
            self._observer.described(name, self._implementations[name], build, said)


def is_done(unit: Unit, number: int, done: Sequence[UnitRecord]) -> bool:
    """Whether these records say how it ended, or that it cannot be invoked."""
    return any(record.invocation in (None, number) and speaks_of(record, unit) for record in done)
