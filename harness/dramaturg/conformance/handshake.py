"""Level 0: does it speak the protocol, and can it count?"""

import json
import threading
import time
from collections.abc import Callable
from typing import Any

from google.protobuf import json_format

from dramaturg.conformance.cases import Case
from dramaturg.control.errors import CallFailed, ControlError
from dramaturg.control.manifest import Implementation
from dramaturg.control.session import ORDINARY_TIME, SHUTDOWN_TIME, Session
from dramaturg.model.fibonacci import fibonacci
from dramaturg.model.lcg import Lcg
from dramaturg.v1 import benchmarks_pb2, case_pb2, control_pb2

UNDER_WAY = 0.3
"""Seconds after which a Run of four thousand million rounds is surely under way."""


def perform_introduction(case: Case, implementation: Implementation, session: Session) -> str:
    """What Describe says otherwise than the manifest."""
    manifest, said = implementation.manifest, session.describe()
    expected = {
        "name": manifest.name,
        "spec_version": manifest.spec,
        "benchmarks": sorted(manifest.benchmarks),
        "distributed": sorted(manifest.distributed),
    }
    actual = {
        "name": said.name,
        "spec_version": said.spec_version,
        "benchmarks": sorted(said.benchmarks),
        "distributed": sorted(said.distributed),
    }
    problems = [
        f"{key} is {actual[key]!r}, the manifest says {value!r}"
        for key, value in expected.items()
        if actual[key] != value
    ]
    problems += [
        f"{key} is not set" for key in ("runtime", "runtime_version") if not getattr(said, key)
    ]
    if said.schedulers < 1:
        problems.append("schedulers is 0; actors run on at least one thread")
    return "; ".join(problems)


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


def answer_of(probe: control_pb2.Probe) -> list[int]:
    """The model's answer to a probe."""
    match probe.WhichOneof("probe"):
        case "lcg":
            lcg = Lcg(probe.lcg.seed)
            return [lcg.next_int(modulus) for modulus in probe.lcg.moduli]
        case "shuffle":
            lcg, items = Lcg(probe.shuffle.seed), list(range(probe.shuffle.length))
            lcg.shuffle(items)
            return [*items, lcg.state]
        case _:
            return [fibonacci(probe.fibonacci.n)]


def _at(values: list[int], place: int) -> str:
    return str(values[place]) if place < len(values) else "missing"


def perform_calls(case: Case, implementation: Implementation, session: Session) -> str:
    """The first step that ends with another status than it must."""
    for number, step in enumerate(case.message.calls.steps, start=1):
        call = str(step.WhichOneof("call"))
        wanted = step.status or "OK"
        try:
            _CALLS[call](session, getattr(step, call))
            status, details = "OK", ""
        except CallFailed as error:
            status, details = error.code, error.details
        if status != wanted:
            return (
                f"step {number}, {call} {{ {_brief(getattr(step, call))} }}: answered {status}"
                f"{f' ({details})' if details else ''}, expected {wanted}"
            )
        unsaid = [word for word in step.mentions if word.lower() not in details.lower()]
        if unsaid:
            return f"step {number}, {call}: the message {details!r} does not name {unsaid[0]!r}"
    return ""


def _brief(message: object) -> str:
    return " ".join(str(message).split())


def _abandoned_run(session: Session, request: control_pb2.RunRequest) -> None:
    errors: list[ControlError] = []

    def run() -> None:
        try:
            session.run(request.iterations)
        except ControlError as error:
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    time.sleep(UNDER_WAY)
    if session.traced:
        session.trace(ORDINARY_TIME)
    session.teardown(abandon=True)
    thread.join(session.call_timeout)
    if errors:
        raise errors[0]


_CALLS: dict[str, Callable[[Session, Any], Any]] = {
    "prepare": lambda session, request: session.prepare(request.benchmark, request.trace),
    "act": lambda session, request: session.act(
        request.client, request.choice, request.index, request.k
    ),
    "turn": lambda session, request: session.turn(),
    "run": lambda session, request: session.run(request.iterations),
    "trace": lambda session, request: session.trace(),
    "teardown": lambda session, request: session.teardown(request.abandon),
    "abandoned_run": _abandoned_run,
}


def perform_ending(case: Case, implementation: Implementation, session: Session) -> str:
    """Whether the process ends as it must. The session is spent afterwards."""
    how = case.message.ending.how
    if how == case_pb2.Ending.HOW_SHUTDOWN:
        session.shutdown()
        return ""
    process = session.process
    if process is None or process.popen.stdin is None:
        return ""
    if how == case_pb2.Ending.HOW_END_OF_INPUT_WHILE_RUNNING:
        endless = benchmarks_pb2.PingPongParameters(rounds=2**32 - 1)
        session.prepare(benchmarks_pb2.Benchmark(pingpong=endless), trace=False)
        threading.Thread(target=_run_quietly, args=(session,), daemon=True).start()
        time.sleep(UNDER_WAY)
    process.popen.stdin.close()
    if process.wait(SHUTDOWN_TIME) is None:
        return f"still runs {SHUTDOWN_TIME:.0f} s after the end of its standard input"
    return ""


def _run_quietly(session: Session) -> None:
    try:
        session.run(1)
    except ControlError:
        return


def concerns(case: Case, implementation: Implementation) -> bool:
    """Whether the case can be put to this kind of control port at all (STDIO-9 cannot, to gRPC)."""
    through_input = (
        case_pb2.Ending.HOW_END_OF_INPUT,
        case_pb2.Ending.HOW_END_OF_INPUT_WHILE_RUNNING,
    )
    over_pipes = implementation.manifest.control == "stdio"
    return over_pipes or case.message.ending.how not in through_input
