"""Carry out a plan: start, check, record, and say of every unit how it ended."""

import contextlib
import itertools
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dramaturg.conformance.result import outcome_of
from dramaturg.control import place, starting
from dramaturg.control.session import Session
from dramaturg.errors import ControlError
from dramaturg.implementation import variables
from dramaturg.implementation.manifest import Implementation
from dramaturg.machine import capabilities, environment, language
from dramaturg.machine.call_floor import Floor
from dramaturg.machine.floors import Cost
from dramaturg.net import links, topology
from dramaturg.net.links import LinkOff
from dramaturg.net.topology import Network
from dramaturg.net.unavailable import NetworkUnavailable
from dramaturg.outcomes import Outcome, worst
from dramaturg.records import LinksRecord, UnitRecord
from dramaturg.results import Writer
from dramaturg.timing.planning.suites import NetworkRequest
from dramaturg.timing.planning.timing_plan import Plan, Unit, lacking
from dramaturg.timing.planning.unit_records import describe, speaks_of, unit_record
from dramaturg.timing.running import invocation, readiness
from dramaturg.timing.running.invocation import Logs
from dramaturg.timing.running.judge import Judge
from dramaturg.timing.running.node_hosts import Elsewhere
from dramaturg.timing.running.observer import Observer
from dramaturg.timing.running.readiness import IsCertified, Readiness
from dramaturg.timing.validity import audit, plausibility

AFFINITY_ALONE = "nothing: affinity alone"
"""The record's text on a runtime that finds out its number of cores by itself, or does not."""

Start = Callable[..., AbstractContextManager[Session]]
"""As ``control.starting.start``."""

IsWanted = Callable[[Unit, int], bool]
"""True if an invocation of a unit is still worth running, when its turn has come."""

Steps = Generator[int, None, UnitRecord]
"""An invocation that stops before each iteration, and says what memory it has held at most, in
bytes; and the record of how it ended."""

_Placed = tuple[int, tuple[Unit, int]]
"""An invocation, and its place in the order."""


@dataclass(slots=True)
class _Turns:
    """An invocation that is under way."""

    steps: Steps
    position: int
    unit: Unit
    number: int
    begun: bool = False
    alone: bool = False
    """True if it did not wait for another one's iterations."""


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
        start: Start = starting.start,
        is_wanted: IsWanted = lambda unit, number: True,
        ready: Mapping[str, Readiness] | None = None,
        elsewhere: Elsewhere | None = None,
    ) -> None:
        """``ready`` has findings on some implementations, by their names. ``elsewhere``: the hosts
        that nodes are spread over; without it networks are emulated."""
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
        self._standings = dict(ready or {})
        self._elsewhere = elsewhere
        self._floors: dict[str, Floor] = {}
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
        """Groups the units that may be run at the same time: pairs, if the plan has some."""
        if not self._plan.pairs:
            yield from ([each] for each in order)
            return
        for _, pair in itertools.groupby(order, lambda each: (each[1][0].what[1:], each[1][1])):
            yield list(pair)

    def _run_together(
        self, due: Sequence[tuple[int, Unit, int]], total: int
    ) -> Iterator[UnitRecord]:
        """Run them in turns, iteration by iteration; the first one changes. An invocation that
        holds more than its part of the memory goes on alone, and networks exist one at a time."""
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
            return self._unrun(unit, number, Outcome.NOT_RUN, self._hopeless[unit])
        refusal = self._refusal(unit)
        if refusal is not None:
            self._refused.add(unit)
            return self._unrun(unit, None, *refusal)
        standing = self._standings[unit.implementation]
        judge = Judge(
            unit,
            number,
            self._writer,
            self._observer,
            build=standing.built.build,
            certified=standing.certified,
            cost=self._cost,
            floor=self._floor(unit),
            again=lambda: self._floor(unit, again=True),
            heap=self._implementations[unit.implementation].manifest.run.heap << 20,
            cores=self._cores(unit),
        )
        judge.network = self._asked(unit)
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
            return self._unrun(unit, None, Outcome.NOT_RUN, str(error))
        except (ControlError, OSError) as error:
            outcome = outcome_of(error)
            message = error.in_full if isinstance(error, ControlError) else str(error)
            if outcome is Outcome.TIMEOUT:
                self._hopeless[unit] = f"invocation {number} timed out: {message}"
        self._observer.audits(unit, number)
        judge.audit()
        audit.discard(self._folder, logs.name)
        return judge.record(outcome, message, time.monotonic() - start)

    def _unrun(self, unit: Unit, number: int | None, outcome: Outcome, message: str) -> UnitRecord:
        return unit_record(unit, number, outcome, message, network=self._asked(unit))

    def _asked(self, unit: Unit) -> dict[str, Any]:
        """The network that it is to be timed over."""
        return describe(unit.network, kind="mininet" if self._elsewhere is None else "hosts")

    def _cores(self, unit: Unit) -> int:
        """Return the number of cores that its nodes have together; 0 for those of this machine."""
        if self._elsewhere is None or unit.network.local:
            return 0
        return self._elsewhere.cores(unit.network.nodes, len(unit.cores))

    def _floor(self, unit: Unit, *, again: bool = False) -> Floor:
        """Return the cost of computing in the implementation's language, if the unit computes."""
        if not plausibility.computes(unit.scenario):
            return plausibility.NO_FLOOR
        if again or unit.implementation not in self._floors:
            implementation = self._implementations[unit.implementation]
            self._floors[unit.implementation] = language.floor(
                language.language_of(
                    tool.probe[0] for tool in implementation.manifest.toolchain.needs
                ),
                variables.for_build(implementation),
                self._standings[unit.implementation].versions,
                again=again,
            )
        return self._floors[unit.implementation]

    def _refusal(self, unit: Unit) -> tuple[Outcome, str] | None:
        """Return the reason why a unit cannot be invoked at all; None if it can."""
        manifest = self._implementations[unit.implementation].manifest
        if why := lacking(unit, manifest):
            return Outcome.UNSUPPORTED, why
        if unit.cores and (why_not := environment.why_not_confined(unit.cores)):
            return Outcome.NOT_RUN, f"confined to {len(unit.cores)} cores: {why_not}"
        standing = self._standing(unit.implementation)
        if standing.outcome is not Outcome.PASS:
            return standing.outcome, standing.message
        return None

    def _standing(self, name: str) -> Readiness:
        if name not in self._standings:
            self._standings[name] = readiness.find(
                self._implementations[name], self._is_certified, uncertified=self._uncertified
            )
        return self._standings[name]

    @contextlib.contextmanager
    def _network(self, request: NetworkRequest) -> Iterator[Network | None]:
        """The network that was asked for; None for one node; the loopback where nothing can
        be emulated and nothing was to be shaped."""
        if request.local:
            yield None
            return
        if self._elsewhere is not None:
            with self._elsewhere.network(request.nodes, request.link) as network:
                yield network
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
        """Hold the links against what was asked for, also where the invocation failed: samples over
        other links than these do not count. Raises LinkOff."""
        if network is not None and self._elsewhere is not None:
            judge.links = self._elsewhere.links(network.link)
        if network is None or not (network.link.delayed or self._elsewhere is not None):
            yield
            return
        asked, failed = network.link.loss or 0, None
        if network.link.delayed:
            judge.links = LinksRecord.model_validate(network.measured)
        assert judge.links is not None
        try:
            yield
        except (ControlError, OSError) as error:
            failed = error
        try:
            self._require_limits(network)
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

    def _require_limits(self, network: Network) -> None:
        """Raises LinkOff for links between hosts that are not limited any more."""
        if self._elsewhere is not None and network.link.bandwidth is not None:
            unlimited = self._elsewhere.unlimited(len(network.hosts))
            if unlimited:
                raise LinkOff(
                    f"the link of {', '.join(unlimited)} has lost its bandwidth of"
                    f" {network.link.bandwidth:g} Mbit/s: somebody else changed its qdisc, or it"
                    " cannot be asked"
                )

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
            built = self._standings[unit.implementation].built
            folder = stack.enter_context(place.made(implementation, built))
            sessions = []
            for node, prefix in enumerate(prefixes):
                # Not the unit's own word for it, which may be a path.
                name = implementation.name if network is None else f"{implementation.name}.{node}"
                cores: Sequence[int] = unit.cores
                there = None
                if network is not None and self._elsewhere is not None:
                    cores = unit.cores or self._elsewhere.cores_of(node, len(prefixes))
                    there = self._elsewhere.start(
                        node,
                        implementation,
                        environment=surroundings,
                        cores=cores,
                        stderr=logs / f"{name}.log",
                    )
                started = there or self._start(
                    implementation,
                    prefix=prefix,
                    stderr=logs / f"{name}.log",
                    environment=surroundings,
                    cores=cores,
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
        """The settings that told its runtime the number of cores, and its own answer about
        them."""
        if not unit.cores:
            return {}
        told = self._implementations[unit.implementation].told(len(unit.cores))
        return {"told": str(told) or AFFINITY_ALONE, "schedulers": started.describe().schedulers}

    def _describe(self, name: str, started: Session) -> None:
        if name not in self._described:
            self._described.add(name)
            build, said = self._standings[name].built.build, started.describe()
            self._observer.described(name, self._implementations[name], build, said)


def is_done(unit: Unit, number: int, done: Sequence[UnitRecord]) -> bool:
    """True if these records have its end, or say that it cannot be invoked."""
    return any(record.invocation in (None, number) and speaks_of(record, unit) for record in done)
