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

from dramaturg.control.session import Session
from dramaturg.model import names, places
from dramaturg.model.workload import ChatAppWorkload, MicroWorkload, workload_of
from dramaturg.outcomes import Outcome
from dramaturg.records import Depth
from dramaturg.results import RecordsLost
from dramaturg.timing import parts, ticks
from dramaturg.timing.scenarios import Scenario
from dramaturg.trace import receipts, recorded, spool
from dramaturg.trace.codec import LogBuilder
from dramaturg.trace.events import Logs, Message, TraceError
from dramaturg.trace.parts import counts
from dramaturg.trace.parts.whole import explain_watched, replay_watched
from dramaturg.trace.replay import without_cyclic_gc
from dramaturg.trace.watches import Watches, is_everybody
from dramaturg.v2 import benchmarks_pb2, trace_pb2

FOLDER = "audits"
"""Of a results folder: logs that wait, and runs that did not conform."""

SPOOLED = ".trace"
"""Suffix of a log that waits."""


@dataclass(frozen=True, slots=True)
class Spooled:
    """What one call of Trace brought of each node, on disk."""

    files: Sequence[Path]
    """One for each node."""
    problem: str = ""
    """Why the trace was none; empty if nothing was wrong with it."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The logs of one iteration, on disk."""

    iteration: int
    salt: int
    depth: Depth
    watches: Watches
    sent: Watches
    """The rows that said so."""
    at_rest: Spooled
    """What had been logged when Run had ended."""
    ended: Spooled
    """What was new after Teardown."""

    @property
    def files(self) -> list[Path]:
        return [*self.at_rest.files, *self.ended.files]


@dataclass(slots=True)
class Finding:
    """What an audit has found."""

    outcome: Outcome = Outcome.PASS
    message: str = ""
    events: int = 0
    """That were logged."""
    decided: int = 0
    """Of them, those of which sender, content and place are decided."""
    pairs: int = 0
    """Pairs of sender and receiver between which everything is decided."""
    bounded: int = 0
    """Of them, those that are only held against what facts say of them."""
    open: list[str] = field(default_factory=list)
    """What is not decided, and why."""
    divergence: dict[str, Any] | None = None
    """As ``Explanation.to_dict`` gives it, if the replay failed."""
    run: Path | None = None
    """The run that does not conform, for ``dramaturg replay``."""
    seconds: float = 0.0


def positions(iterations: int, *, extra: bool, chance: random.Random) -> list[Depth]:
    """How deep each iteration of an invocation is watched, in order. Of an invocation that is
    timed the one after the last is audited; of the ``extra`` one, two by chance."""
    if not extra:
        return [Depth.CROSSING] * iterations + [Depth.PARTS]
    audited = chance.sample(range(iterations), min(2, iterations))
    return [Depth.PARTS if n in audited else Depth.CROSSING for n in range(iterations)]


def draw(
    scenario: Scenario, depth: Depth, *, extra: bool, chance: random.Random, volume: int = 0
) -> Watches:
    """What such an iteration watches: the best of the parts that fit into the budget, or of the
    ``extra`` invocation any of them, and slices beside it. ``volume``: the messages of an
    iteration before, if there was one."""
    if depth is Depth.CROSSING:
        return parts.crossing(scenario, chance)
    found = parts.closed(scenario, chance, volume=volume)
    part = chance.choice(found) if extra else found[0]
    return *part.watches, *parts.beside(scenario, part, chance)


def rows(watches: Watches, benchmark: str, chance: random.Random) -> Watches:
    """What says so to an implementation: of everybody no row that certification has (MEAS-26)."""
    return parts.spelled_out(benchmark, chance) if is_everybody(watches) else watches


def fetch(sessions: Sequence[Session], folder: Path, name: str, timeout: float) -> Spooled:
    """Lay what every node has logged on disk since the last time. Raises ControlError, and
    RecordsLost that names the file if it cannot be written."""
    problem, files = "", []
    for node, session in enumerate(sessions):
        file = folder / f"{name}-node{node}{SPOOLED}"
        files.append(file)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("wb") as stream:
                session.spool(stream, timeout)
        except TraceError as error:
            problem = problem or _of_node(node, len(sessions), error)
        except OSError as error:
            file.unlink(missing_ok=True)
            raise RecordsLost(f"{file}: {error.strerror}") from None
    return Spooled(files, problem)


def judged(
    kept: Kept,
    scenario: Scenario,
    implementation: str,
    said: Sequence[benchmarks_pb2.Receipt],
) -> Finding:
    """Hold the logs against the model, and the receipts of each node, if there are any to look at,
    against both. Logs of a run that conforms are removed; of one that does not a recorded run is
    left. Never raises for anything that an implementation does."""
    start = time.monotonic()
    found = Finding()
    try:
        with without_cyclic_gc():
            _judge(kept, scenario, implementation, said, found)
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
) -> None:
    if problem := kept.at_rest.problem or kept.ended.problem:
        raise TraceError(problem)
    logs, taken = _read(kept)
    found.events = sum(map(len, logs.values()))
    unheard = _unheard(kept.watches, taken) if kept.depth is Depth.CROSSING else ""
    if unheard:
        raise TraceError(unheard)
    workload = _workload(scenario, kept.salt)
    verdict = replay_watched(workload, kept.watches, logs, taken)
    found.decided, found.bounded, found.pairs = verdict.decided, verdict.bounded, verdict.pairs
    found.open = sorted(map(str, verdict.open))
    explained = explain_watched(workload, kept.watches, logs, taken, verdict)
    if explained is not None:
        found.outcome, found.divergence = Outcome.FAIL, explained.to_dict()
        found.message = explained.headline()
        found.run = _keep(kept, scenario, implementation, workload, logs, taken)
    elif verdict.miscounted:
        raise TraceError(verdict.miscounted)
    elif wrong := _receipts(kept, scenario, said, logs, verdict.control):
        raise TraceError(f"the receipt is wrong: {wrong}")


_LAST = (trace_pb2.MESSAGE_KIND_CONTROL_DONE, trace_pb2.MESSAGE_KIND_CONTROL_FINISHED)


def _receipts(
    kept: Kept,
    scenario: Scenario,
    said: Sequence[benchmarks_pb2.Receipt],
    logs: Logs,
    control: list[Message],
) -> str:
    """What the receipts say otherwise than the lead has reported by its log, if it was watched
    as a whole, or than a slice of it shows."""
    if not said:
        return ""
    if any(number in _LAST for number, _ in control):
        return "; ".join(receipts.problems(said, control, scenario.message(), kept.salt))
    return ticks.problem(scenario, kept.watches, logs, said[0])


def _read(kept: Kept) -> tuple[Logs, dict[int, int]]:
    """Logs and counts of all nodes. Raises TraceError."""
    logs: Logs = {}
    taken: dict[int, int] = {}
    nodes = len(kept.ended.files)
    for node, files in enumerate(zip(kept.at_rest.files, kept.ended.files, strict=True)):
        try:
            log = spool.read(*files, kept.watches)
        except TraceError as error:
            raise TraceError(_of_node(node, nodes, error)) from None
        _check_places(log, node, nodes)
        logs |= log.logs
        taken |= log.taken
    return logs, taken


def _check_places(log: LogBuilder, node: int, nodes: int) -> None:
    for actor in log.taken:
        if nodes > 1 and places.node_of(actor, nodes) != node:
            raise TraceError(
                f"{names.spell(actor)} was logged on node {node} of {nodes}; it lives on node"
                f" {places.node_of(actor, nodes)} (DIST-1)"
            )


def _unheard(watches: Watches, taken: Mapping[int, int]) -> str:
    """A watched actor that each run has, and that took nothing by what was counted. Chats are
    not among those: who invites nobody has none."""
    for row in watches:
        actor = names.name(getattr(row, "class"), row.first)
        if names.class_of(actor) != names.CHAT and not taken.get(actor):
            if actor not in taken:
                return f"{names.spell(actor)}: {counts.UNCOUNTED}"
            return f"{names.spell(actor)}: is watched and took no message by its count (TRACE-17)"
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
    logs: Logs,
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
