"""Audits: what timed runs have logged, held against the model (spec/measurements.md, MEAS-17).

Every timed iteration has a few watches, drawn by chance. After the last one of an invocation
comes an iteration that is audited: as much of it is watched as can be decided within a budget.
One more invocation of each unit is audited at places drawn by chance, so that nobody can tell
an audited iteration by its place. Logs wait on disk until the processes have ended.
"""

import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dramaturg.model import names, openweb, placement
from dramaturg.model.workload import ChatAppWorkload, MicroWorkload, workload_of
from dramaturg.outcomes import Outcome
from dramaturg.records import Depth
from dramaturg.timing.planning.scenarios import Scenario
from dramaturg.timing.validity import (
    look_bounds,
    look_bounds_work,
    looks,
    watched_parts,
    window_ticks,
)
from dramaturg.timing.validity.fetching import SPOOLED, Spooled
from dramaturg.timing.validity.look_bounds import Whole
from dramaturg.timing.validity.look_bounds_work import Computing
from dramaturg.timing.validity.looks import Looks
from dramaturg.trace import recorded, spool, traffic
from dramaturg.trace.codec import LogBuilder
from dramaturg.trace.columns.array_logs import ArrayLogs
from dramaturg.trace.events import AnyLogs, Message, TraceError, without_cyclic_gc
from dramaturg.trace.partial import message_counts
from dramaturg.trace.partial.watched_replay import explain_watched, replay_watched
from dramaturg.trace.replay import openweb_order, receipts, turn_order
from dramaturg.trace.spool import Snapshot
from dramaturg.trace.watches import ALL, Watches, is_everybody
from dramaturg.v2 import benchmarks_pb2, trace_pb2

FOLDER = "audits"
"""The subfolder of a results folder with logs that wait, and runs that did not conform."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The logs of one iteration, on disk."""

    iteration: int
    salt: int
    depth: Depth
    watches: Watches
    sent: Watches
    """The rows that said so."""
    set_up: Spooled
    """The events that had been logged when Prepare had been answered."""
    at_rest: Spooled
    """The events that were new when Run had ended."""
    ended: Spooled
    """The events that were new after Teardown."""
    looks: Looks = looks.NONE
    """The events that had been logged by moments in the midst of Run; ``at_rest`` has those that
    were new after them."""

    @property
    def files(self) -> list[Path]:
        return [file for each in self.spooled for file in each.files] + self.looks.files

    @property
    def spooled(self) -> tuple[Spooled, Spooled, Spooled]:
        """The traces in the order in which they were fetched, but for the looks."""
        return self.set_up, self.at_rest, self.ended


@dataclass(slots=True)
class Finding:
    """The finding of an audit."""

    outcome: Outcome = Outcome.PASS
    message: str = ""
    events: int = 0
    """Number of events that were logged."""
    decided: int = 0
    """The events of which sender, content and place are decided."""
    pairs: int = 0
    """Pairs of sender and receiver between which everything is decided."""
    bounded: int = 0
    """The events that are only compared with facts."""
    open: list[str] = field(default_factory=list)
    """The points that are not decided, and why."""
    divergence: dict[str, Any] | None = None
    """As ``Explanation.to_dict`` gives it, if the replay failed."""
    run: Path | None = None
    """The run that does not conform, for ``dramaturg replay``."""
    seconds: float = 0.0
    margins: dict[str, float] = field(default_factory=dict)
    """As records have them."""
    between_nodes: int | None = None
    """Events whose message went from one node to another; None of one node, and of a few watched
    actors, who are drawn and not like all."""
    within_nodes: int | None = None
    """Number of events whose message stayed on its node."""


def positions(iterations: int, *, extra: bool, chance: random.Random) -> list[Depth]:
    """Return the depth at which each iteration of an invocation is watched, in order. A timed
    invocation has one audit after its last iteration; the ``extra`` one has two by chance."""
    if not extra:
        return [Depth.CROSSING] * iterations + [Depth.PARTS]
    audited = chance.sample(range(iterations), min(2, iterations))
    return [Depth.PARTS if n in audited else Depth.CROSSING for n in range(iterations)]


def draw(
    scenario: Scenario,
    depth: Depth,
    *,
    extra: bool,
    chance: random.Random,
    volume: int = 0,
    most: int = ALL,
) -> Watches:
    """Draws the watches of such an iteration: the best of the parts that fit into the budget, or
    of the ``extra`` invocation any of them, and slices beside it. ``volume``: the messages of an
    iteration before, if there was one; ``most``: events of one that is timed."""
    if depth is Depth.CROSSING:
        return watched_parts.crossing(scenario, chance, most)
    found = watched_parts.closed(scenario, chance, volume=volume)
    part = chance.choice(found) if extra else found[0]
    return *part.watches, *watched_parts.beside(scenario, part, chance)


def rows(watches: Watches, benchmark: str, chance: random.Random) -> Watches:
    """The rows for an implementation: where all actors are watched, none that certification has
    (MEAS-26)."""
    return watched_parts.spelled_out(benchmark, chance) if is_everybody(watches) else watches


def judged(
    kept: Kept,
    scenario: Scenario,
    implementation: str,
    said: Sequence[benchmarks_pb2.Receipt],
    alive: int | None = None,
    computing: Computing = look_bounds_work.NOTHING,
) -> Finding:
    """Hold the logs against the model, and the receipts of each node, if there are any to look at,
    against both. ``alive``: how many actors lived on by the receipts; ``computing``: the work of
    each compute. Logs of a run that conforms are removed; of one that does not a recorded run is
    left. Never raises for anything that an implementation does."""
    start = time.monotonic()
    found = Finding()
    try:
        with without_cyclic_gc():
            _judge(kept, scenario, implementation, said, found, alive, computing)
    except TraceError as error:
        found.outcome, found.message = Outcome.FAIL, str(error)
    finally:
        for file in kept.files:
            file.unlink(missing_ok=True)
    found.seconds = time.monotonic() - start
    return found


def discard(folder: Path, name: str = "*") -> None:
    """Remove from a results folder what no audit will read: the logs of an invocation that was
    cut short, since what it watched is forgotten. With a ``name``, those of one alone."""
    for file in (folder / FOLDER).glob(f"{name}-*{SPOOLED}"):
        file.unlink(missing_ok=True)


def _judge(
    kept: Kept,
    scenario: Scenario,
    implementation: str,
    said: Sequence[benchmarks_pb2.Receipt],
    found: Finding,
    alive: int | None,
    computing: Computing,
) -> None:
    problems = [look.problem for look in kept.looks.all]
    problems += [spooled.problem for spooled in kept.spooled]
    if problem := next(filter(None, problems), ""):
        raise TraceError(problem)
    workload = _workload(scenario, kept.salt)
    logs, taken, seen = _read(kept, workload.parameters)
    found.events = logs.events
    nodes = len(kept.ended.files)
    if nodes > 1 and kept.depth is Depth.PARTS:
        found.between_nodes, found.within_nodes = traffic.counted(logs, nodes, workload.parameters)
    unheard = _unheard(kept.watches, taken) if kept.depth is Depth.CROSSING else ""
    if unheard:
        raise TraceError(unheard)
    verdict = replay_watched(workload, kept.watches, logs, taken)
    found.decided, found.bounded, found.pairs = verdict.decided, verdict.bounded, verdict.pairs
    found.open = sorted(map(str, verdict.open))
    explained = explain_watched(workload, kept.watches, logs, taken, verdict, alive)
    if explained is not None:
        found.outcome, found.divergence = Outcome.FAIL, explained.to_dict()
        found.message = "; ".join(filter(None, (verdict.shifted, explained.headline())))
        found.run = _keep(kept, scenario, implementation, workload, logs, taken)
    elif verdict.miscounted:
        raise TraceError(verdict.miscounted)
    elif wrong := _receipts(kept, scenario, said, logs, verdict.control):
        raise TraceError(f"the receipt is wrong: {wrong}")
    elif said:
        whole = Whole(kept.watches, logs, taken)
        cold = not kept.iteration
        shown = look_bounds.shown(
            scenario, kept.looks, seen, whole, said[0], cold=cold, computing=computing
        )
        if scenario.benchmark == "openweb":
            due = openweb.arrivals_of(scenario.micro)
            for each in openweb_order.beyond(due, logs, said[0].done):
                shown.exact(each.bound, each.nanos, openweb_order.GRAIN, each.text)
        for each in turn_order.beyond(logs, said[0].chatapp.turn_nanos):
            shown.exact(each.bound, each.nanos, turn_order.GRAIN, each.text)
        found.margins = shown.margins
        if shown.problems:
            raise TraceError("; ".join(shown.problems))


_LAST = (trace_pb2.MESSAGE_KIND_CONTROL_DONE, trace_pb2.MESSAGE_KIND_CONTROL_FINISHED)


def _receipts(
    kept: Kept,
    scenario: Scenario,
    said: Sequence[benchmarks_pb2.Receipt],
    logs: AnyLogs,
    control: list[Message],
) -> str:
    """The differences of the receipts from what the lead has reported by its log, if it was
    watched as a whole, or from what a slice of it shows."""
    if not said:
        return ""
    if any(number in _LAST for number, _ in control):
        return "; ".join(receipts.problems(said, control, scenario.message(), kept.salt))
    return window_ticks.problem(scenario, kept.watches, logs, said[0])


def _read(kept: Kept, parameters: Any) -> tuple[ArrayLogs, dict[int, int], list[Snapshot | None]]:
    """Logs and counts of all nodes, and what the looks saw, in their order: None of one at which a
    node was not asked, since it still answered the one before. Raises TraceError."""
    logs = ArrayLogs()
    taken: dict[int, int] = {}
    seen: list[Snapshot | None] = [Snapshot({}, {}) for _ in kept.looks.all]
    nodes = len(kept.ended.files)
    fetched = zip(kept.set_up.files, kept.at_rest.files, kept.ended.files, strict=True)
    for node, files in enumerate(fetched):
        try:
            of_node: list[Snapshot | None] = []
            looks_at = [look.files[node] for look in kept.looks.all]
            log = spool.read(*files, kept.watches, looks_at, of_node)
        except TraceError as error:
            raise TraceError(_of_node(node, nodes, error)) from None
        _check_places(log, node, nodes, parameters)
        logs.extend(log.in_columns)
        taken |= log.taken
        for number, snapshot in enumerate(of_node):
            before = seen[number]
            seen[number] = (
                Snapshot({**before.taken, **snapshot.taken}, {**before.rows, **snapshot.rows})
                if before is not None and snapshot is not None
                else None
            )
    return logs, taken, seen


def _check_places(log: LogBuilder, node: int, nodes: int, parameters: Any) -> None:
    for actor in log.taken:
        if placement.node_of(actor, nodes, parameters) != node:
            raise TraceError(
                f"{names.spell(actor)} was logged on node {node} of {nodes}; it lives on node"
                f" {placement.node_of(actor, nodes, parameters)} (DIST-1)"
            )


def _unheard(watches: Watches, taken: Mapping[int, int]) -> str:
    """A watched actor that each run has, and that took nothing by what was counted. Chats are
    not among those: a client that invites nobody has none."""
    for row in watches:
        actor = names.name(getattr(row, "class"), row.first)
        if names.class_of(actor) != names.CHAT and not taken.get(actor):
            if actor not in taken:
                return f"{names.spell(actor)} {message_counts.UNCOUNTED}"
            return f"{names.spell(actor)} is watched and took no message by its count (TRACE-17)"
    return ""


def _workload(scenario: Scenario, salt: int) -> ChatAppWorkload | MicroWorkload:
    workload = workload_of(scenario.message())
    if isinstance(workload, ChatAppWorkload):
        workload.prepare()
    return workload.run(salt).disconnect()


def _keep(
    kept: Kept,
    scenario: Scenario,
    implementation: str,
    workload: ChatAppWorkload | MicroWorkload,
    logs: AnyLogs,
    taken: dict[int, int],
) -> Path:
    whole = is_everybody(kept.watches)
    return recorded.save(
        kept.ended.files[0].with_suffix(".run"),
        implementation=implementation,
        case=f"{scenario}, timed",
        benchmark=scenario.message(),
        script=workload.script,
        logs=logs,
        watches=() if whole else kept.watches,
        counts=None
        if whole
        else trace_pb2.TraceCounts(actor=list(taken), taken=list(taken.values())),
    )


def _of_node(node: int, nodes: int, error: TraceError) -> str:
    return str(error) if nodes == 1 else f"node {node}: {error}"
