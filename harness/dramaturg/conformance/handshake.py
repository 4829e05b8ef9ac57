"""Level 0: does it speak the protocol, and can it count?"""

import contextlib
import json
import math
import threading
import time
from collections.abc import Mapping

from google.protobuf import json_format

from dramaturg.cases.cases import Case
from dramaturg.conformance import busy_world
from dramaturg.conformance.world import NotExercised
from dramaturg.control.session import ORDINARY_TIME, Session
from dramaturg.errors import ControlError
from dramaturg.implementation.manifest import Implementation
from dramaturg.model import names
from dramaturg.model.probes import answer_of
from dramaturg.model.workload import MICRO, workload_of
from dramaturg.trace.watches import NOBODY, watch
from dramaturg.v2 import benchmarks_pb2, case_pb2

PATIENCE = 20.0
"""Seconds in which a run takes its first messages, however busy the machine is."""

PAUSE = 0.01
"""Seconds between two looks at what it has taken."""

_ENDLESS: Mapping[str, dict[str, int]] = {
    **{
        name: micro.model.ENDLESS
        for name, micro in MICRO.items()
        if hasattr(micro.model, "ENDLESS")
    },
    "chatapp": {"clients": 1, "directories": 1, "turns": 1_000, "compute": 100, "selection": 1}
    | {"fib_n": 35},
}
"""Runs whose end nobody waits for. The first that an implementation has is used."""

_LONG: Mapping[str, dict[str, int]] = {
    **{name: MICRO[name].model.LONG for name in _ENDLESS if name in MICRO},
    "chatapp": {"clients": 64, "directories": 1, "turns": 300, "compute": 100, "selection": 1}
    | {"fib_n": 1},
}
"""Runs that end soon, and whose log is many times what a pipe holds."""

FEW = 3
"""Events that are looked for in a run of four thousand million rounds."""


def perform_introduction(case: Case, implementation: Implementation, session: Session) -> str:
    """The fields that Describe leaves unsaid."""
    said = session.describe()
    unset = [key for key in ("runtime", "runtime_version") if not getattr(said, key)]
    if said.schedulers < 1:
        unset.append("schedulers")
    return "; ".join(f"Describe: {key} is not set (CTRL-14)" for key in unset)


def perform_vectors(case: Case, implementation: Implementation, session: Session) -> str:
    """The first probe that is answered wrongly."""
    probes = case.message.vectors.probes
    answers = session.describe(probes).answers
    if len(answers) != len(probes):
        return f"{len(probes)} probes got {len(answers)} answers"
    for probe, answer in zip(probes, answers, strict=True):
        expected, actual = answer_of(probe), list(answer.values)
        if actual != expected:
            place = next(
                (
                    i
                    for i, pair in enumerate(zip(expected, actual, strict=False))
                    if pair[0] != pair[1]
                ),
                min(len(expected), len(actual)),
            )
            asked = json_format.MessageToDict(probe, preserving_proto_field_name=True)
            return (
                f"probe {json.dumps(asked)}: value {place} is {_at(actual, place)},"
                f" expected {_at(expected, place)}"
            )
    return ""


def _at(values: list[int], place: int) -> str:
    return str(values[place]) if place < len(values) else "missing"


def perform_ending(case: Case, implementation: Implementation, session: Session) -> str:
    """Check that the process ends with its input. The session is spent afterwards."""
    if session.process is None and session.attached is None:
        raise NotExercised("the harness attached to a running process, and cannot end its input")
    when = case.message.ending.when
    problem = ""
    if when == case_pb2.Ending.WHEN_PREPARED:
        session.prepare(_endless(implementation), NOBODY)
    elif when == case_pb2.Ending.WHEN_RUNNING:
        problem = _begun(session, _endless(implementation))
    elif when == case_pb2.Ending.WHEN_COMPUTING:
        busy_world.begin(session, implementation.manifest.benchmarks)
    elif when == case_pb2.Ending.WHEN_UNREAD:
        session.prepare(_first_of(_LONG, implementation))
        session.run(timeout=implementation.manifest.run.settle_timeout)
        session.leave_trace_unread()
    session.end_input()
    return problem


def perform_interim(case: Case, implementation: Implementation, session: Session) -> str:
    """Check that the log can be fetched while a run is under way. The session is spent
    afterwards."""
    if case.message.interim.computing:
        busy_world.look(session, implementation.manifest.benchmarks)
        return ""
    asked = case.message.interim.benchmark
    named = asked.WhichOneof("parameters") in implementation.manifest.benchmarks
    problem = _begun(session, asked if named else _endless(implementation))
    if not problem:
        # A log that comes twice is more than was asked for.
        session.trace(ORDINARY_TIME)
    return problem


def _endless(implementation: Implementation) -> benchmarks_pb2.Benchmark:
    """A benchmark that nobody sees the end of. Raises NotExercised where there is none."""
    return _first_of(_ENDLESS, implementation)


def _first_of(
    runs: Mapping[str, dict[str, int]], implementation: Implementation
) -> benchmarks_pb2.Benchmark:
    """A benchmark that the manifest names (CTRL-3). Raises NotExercised where there is none."""
    for name, parameters in runs.items():
        if name in implementation.manifest.benchmarks:
            return json_format.ParseDict({name: parameters}, benchmarks_pb2.Benchmark())
    raise NotExercised(
        f"no benchmark that the manifest names has a run as this case needs it; {', '.join(runs)}"
        " have"
    )


def _begun(session: Session, benchmark: benchmarks_pb2.Benchmark) -> str:
    """Run it without end, and wait for its first messages; return what is wrong if they do not
    come."""
    lead = workload_of(benchmark).lead
    session.prepare(benchmark, [watch(names.class_of(lead), events=FEW)])
    threading.Thread(target=_run_quietly, args=(session,), daemon=True).start()
    deadline = math.inf if session.attached else time.monotonic() + PATIENCE
    while len(came := session.trace(ORDINARY_TIME).logs.get(lead, ())) < FEW:
        if time.monotonic() > deadline:
            some = f"more than {len(came)}" if came else "any"
            said = f"{names.spell(lead)} had taken messages, and Trace did not deliver {some}"
            return f"{said} (CTRL-7)"
        time.sleep(PAUSE)
    return ""


def _run_quietly(session: Session) -> None:
    with contextlib.suppress(ControlError):
        session.run()
