"""A run in which every actor was watched, held against the model.

Up to a million events the token game decides, in this process: the compiled one, where there is
one, and the plain one what that does not find to conform. More of them are on disk, and
three steps decide (spec/actors.md), in a process that is ended when it takes too long or too much.
If they refuse, or cannot tell, the token game says what is wrong with a log that memory has room
for; for a larger one, the places where actors took something else than they were sent.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from dramaturg.errors import HarnessFault
from dramaturg.model.workload import ChatAppWorkload, MicroWorkload
from dramaturg.processes import confined
from dramaturg.results import ResultsError
from dramaturg.trace.columns.array_logs import ArrayLogs
from dramaturg.trace.events import DECIDING, AnyLogs, LaidDown, Logs, Message
from dramaturg.trace.explanation.departure import Explanation, explain
from dramaturg.trace.replay import quick_game
from dramaturg.trace.replay.token_game import Verdict, replay
from dramaturg.v2 import benchmarks_pb2

EXPLAINED = 10_000_000
"""Events of a run that the token game can hold: three gigabytes."""

_CPU, _CPU_EACH, _CPU_ACTOR = 15.0, 40e-6, 300e-6
"""Seconds of CPU time in which a run is decided, for each of its events, and for each actor: ten
times what they take on a busy machine. Whoever needs more is in a loop."""

_MEMORY, _MEMORY_EACH = 2 << 30, 400
"""Bytes of memory, and for each actor; events are on disk."""

_WORKER = "dramaturg.judging.worker"


@dataclass(slots=True)
class Judged:
    """The result of judging a run."""

    verdict: Verdict
    failed: str = ""
    """The fault, in a line; empty if the run conforms."""
    explanation: Explanation | None = None
    """More of it, where the token game could say more."""


def judge(
    benchmark: benchmarks_pb2.Benchmark,
    workload: ChatAppWorkload | MicroWorkload,
    logs: AnyLogs,
    alive: int | None = None,
) -> Judged:
    """Hold these logs against the model. ``alive`` is how many actors lived on by the receipts;
    None without any. Raises HarnessFault if the ways to decide disagree, and where there is no
    room on disk."""
    if isinstance(logs, ArrayLogs):
        quick = quick_game.conforming(workload, logs)
        if quick is not None:
            return Judged(quick[0])
        logs = logs.in_lists()
    if not isinstance(logs, LaidDown):
        return _by_token_game(workload, cast("Logs", logs), alive)
    given = _given(benchmark, workload, logs)
    decision = _decision(given, logs)
    if decision["conforms"]:
        return Judged(_conforming(logs, decision))
    if logs.arrived[0] > EXPLAINED:
        return _by_places(given, logs, decision)
    judged = _by_token_game(workload, {actor: [*log] for actor, log in logs.items()}, alive)
    if not judged.failed and decision["conforms"] is False:
        raise HarnessFault(
            f"three steps refuse a log that the token game accepts: {decision['why']}"
        )
    return judged


def _by_token_game(
    workload: ChatAppWorkload | MicroWorkload, logs: Logs, alive: int | None
) -> Judged:
    verdict = replay(workload, logs)
    explanation = explain(workload, logs, verdict, alive=alive)
    return Judged(verdict, explanation.headline() if explanation else "", explanation)


def _given(
    benchmark: benchmarks_pb2.Benchmark, workload: ChatAppWorkload | MicroWorkload, logs: LaidDown
) -> dict[str, Any]:
    # With Numba, which is loaded where logs are laid down.
    from dramaturg.trace.columns.laying_down import sorted_in

    return {
        "folder": str(sorted_in(logs)),
        "benchmark": confined.packed(benchmark.SerializeToString()),
        "script": workload.script,
    }


def _decision(given: dict[str, Any], logs: LaidDown) -> dict[str, Any]:
    try:
        return cast(
            "dict[str, Any]",
            confined.read(
                f"{_WORKER}:decide", "a log", given, limits_of(logs.arrived[0], len(logs))
            ),
        )
    except confined.Exceeded as error:
        return {"conforms": None, "why": str(error)}
    except (ResultsError, OSError) as error:
        raise HarnessFault(f"{given['folder']}: a log cannot be decided: {error}") from None


def limits_of(events: int, actors: int) -> confined.Limits:
    """The limits within which a log of so many is decided."""
    return confined.Limits(
        cpu=_CPU + _CPU_EACH * events + _CPU_ACTOR * actors,
        memory=_MEMORY + _MEMORY_EACH * actors,
        written=(64 << 20) + DECIDING * events,
        answer=64 << 20,
        files=128,
    )


def _conforming(logs: LaidDown, decision: dict[str, Any]) -> Verdict:
    control: Sequence[Message] = [(number, tuple(args)) for number, args in decision["control"]]
    born = np.load(logs.lie_in() / "born.npy", allow_pickle=False)
    return Verdict(
        events=logs.arrived[0],
        control=list(control),
        born=set(born.tolist()),
        alive=decision["alive"],
    )


def _by_places(given: dict[str, Any], logs: LaidDown, decision: dict[str, Any]) -> Judged:
    """Judges a log that is too large for the token game."""
    verdict = Verdict(events=logs.arrived[0])
    if decision["conforms"] is None:
        raise HarnessFault(
            f"a log of {logs.arrived[0]:,} events could not be decided: {decision['why']}"
        )
    try:
        where: list[str] = confined.read(
            f"{_WORKER}:find", "a log", given, limits_of(logs.arrived[0], len(logs))
        )
    except confined.Exceeded as error:
        return Judged(verdict, f"{decision['why']} (where was not found: {error})")
    except (ResultsError, OSError) as error:
        raise HarnessFault(f"the harness cannot find what is wrong with a log: {error}") from None
    if decision["differs"] and not where:
        raise HarnessFault("three steps refuse a log, and every message is as it was sent")
    said = where[0] if where else decision["why"]
    more = f" (and {len(where) - 1} more)" if len(where) > 1 else ""
    return Judged(verdict, f"{said}{more}")
