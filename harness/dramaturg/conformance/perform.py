"""Perform one case on one implementation and judge it."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from dramaturg.conformance import features, receipts
from dramaturg.conformance.cases import Case, play_of, serial_play
from dramaturg.conformance.company import Company
from dramaturg.conformance.handshake import (
    perform_calls,
    perform_ending,
    perform_introduction,
    perform_vectors,
)
from dramaturg.control.errors import (
    BuildFailed,
    CallFailed,
    ControlError,
    Crashed,
    HarnessFault,
    Late,
    ManifestError,
    ToolchainMissing,
)
from dramaturg.control.manifest import Implementation
from dramaturg.control.session import ORDINARY_TIME, Session
from dramaturg.model.messages import Choice
from dramaturg.model.play import ChatAppPlay, MicroPlay
from dramaturg.net.topology import NetworkUnavailable
from dramaturg.outcomes import Outcome
from dramaturg.trace import golden, recorded
from dramaturg.trace.divergence import Divergence
from dramaturg.trace.events import Logs, TraceError
from dramaturg.trace.replay import Verdict, replay
from dramaturg.v1 import benchmarks_pb2, case_pb2

REST_STEP, REST_STEPS, REST_PATIENCE = 0.7, 3, 30
"""Seconds between two looks at an overdue run; looks in a row that must find it at rest; looks
in all, after which it is merely slow."""

LOST_AFTER = 1.0
"""Seconds into a run after which a node is killed, where a case asks for that."""


@dataclass
class Result:
    """How a case ended."""

    outcome: Outcome
    message: str = ""
    divergence: Divergence | None = None
    run: Path | None = None
    """The recorded run, kept when something was wrong with it."""
    known: str = ""
    """Why this failure is a known one; set by who knows the manifest."""
    events: int = 0
    seconds: float = 0.0


class _Failed(Exception):
    """The implementation is wrong."""

    def __init__(self, message: str, divergence: Divergence | None = None) -> None:
        super().__init__(message)
        self.divergence = divergence


class _NotExercised(Exception):
    """The run lacked what the case is for."""


_OUTCOMES: list[tuple[type[Exception], Outcome]] = [
    (Late, Outcome.TIMEOUT),
    (Crashed, Outcome.CRASH),
    (CallFailed, Outcome.FAIL),
    (ToolchainMissing, Outcome.TOOLCHAIN_MISSING),
    (BuildFailed, Outcome.FAIL),
    (ManifestError, Outcome.HARNESS_FAULT),
    (NetworkUnavailable, Outcome.NOT_RUN),
    (HarnessFault, Outcome.HARNESS_FAULT),
    (TraceError, Outcome.FAIL),
    (_Failed, Outcome.FAIL),
    (_NotExercised, Outcome.NOT_RUN),
]


def outcome_of(error: Exception) -> Outcome:
    """The outcome that an exception stands for; what is not listed is the harness's fault."""
    for kind, outcome in _OUTCOMES:
        if isinstance(error, kind):
            return outcome
    return Outcome.HARNESS_FAULT


@dataclass
class _Performance:
    """One world driven through a case, with all it takes to judge it afterwards."""

    case: Case
    company: Company
    benchmark: benchmarks_pb2.Benchmark
    play: ChatAppPlay | MicroPlay
    settle: float
    receipts: list[benchmarks_pb2.Receipt] = field(default_factory=list)
    """One from each node, when there are any."""
    golden: str = ""
    verdict: Verdict | None = field(default=None, init=False)

    @property
    def logs(self) -> Logs:
        return self.company.logs

    def judge(self) -> None:
        """Trace, replay, receipt, features: in this order, since each explains the next."""
        self.company.trace()
        misplaced = self.company.misplaced()
        if misplaced:
            raise _Failed(misplaced)
        self.verdict = replay(self.play, self.logs)
        if self.verdict.divergence is not None:
            divergence = self.verdict.divergence
            raise _Failed(divergence.headline(), divergence)
        if self.golden:
            raise _Failed(f"differs from the golden trace: {self.golden}")
        if self.receipts:
            problems = receipts.problems(self.receipts, self.verdict, self.benchmark)
            if problems:
                raise _Failed("the receipt is wrong: " + "; ".join(problems))
        lacking = features.missing(self.logs, self.case.message.exercises)
        if lacking:
            raise _NotExercised(f"the run had no {', no '.join(lacking)}, which it is for")

    def _comes_to_rest(self) -> bool:
        """Whether, for some time on end, nothing was logged and hardly anything computed."""
        quiet, company = 0, self.company
        for _ in range(REST_PATIENCE):
            events, worked = company.events, company.cpu_seconds()
            time.sleep(REST_STEP)
            company.trace(timeout=ORDINARY_TIME)
            worked = company.cpu_seconds() - worked
            # Idle runtimes look for work now and then, each of them.
            moved = company.events > events or worked > REST_STEP / 2 * len(company.sessions)
            quiet = 0 if moved else quiet + 1
            if quiet == REST_STEPS:
                return True
        return False

    def explain(self, late: Late) -> None:
        """An answer is overdue: fetch the trace (CTRL-9) and find the message that is missing.

        Raises _Failed if there is one; returns if the trace explains nothing. While
        anything still moves nothing is missing yet: a slow run is a timeout.
        """
        try:
            if not self._comes_to_rest():
                return
        except (ControlError, TraceError):
            return
        verdict = replay(self.play, self.logs)
        if verdict.divergence is not None:
            headline = verdict.divergence.headline()
            raise _Failed(f"{headline} (then: {late})", verdict.divergence) from None


def perform(
    case: Case,
    implementation: Implementation,
    company: Company,
    keep: Path | None = None,
) -> Result:
    """Perform the case. ``keep`` is a folder for the recorded runs of failures.

    Never raises for anything that the implementation does.
    """
    start = time.monotonic()
    performances: list[_Performance] = []
    result = Result(Outcome.PASS)
    try:
        _DRIVES[case.drive](case, implementation, company, performances)
    except Exception as error:
        result = Result(outcome_of(error), str(error))
        if result.outcome is Outcome.HARNESS_FAULT and not isinstance(error, ControlError):
            result.message = f"{type(error).__name__}: {error}"
        if isinstance(error, _Failed):
            result.divergence = error.divergence
        if performances and keep is not None and result.outcome is not Outcome.NOT_RUN:
            try:
                result.run = _keep(keep, implementation, performances[-1])
            except OSError as fault:
                said = f"{fault.filename}: {fault.strerror}, so the run of this is not kept"
                result.message = f"{said}: {result.outcome}: {result.message}"
                result.outcome = Outcome.HARNESS_FAULT
    result.events = sum(len(log) for p in performances[-1:] for log in p.logs.values())
    result.seconds = time.monotonic() - start
    return result


def _keep(folder: Path, implementation: Implementation, performance: _Performance) -> Path | None:
    if not performance.logs:
        return None
    file = folder / f"{implementation.name}-{performance.case.name}.run"
    recorded.save(
        file,
        implementation=implementation.name,
        case=performance.case.name,
        benchmark=performance.benchmark,
        script=performance.play.script,
        logs=performance.logs,
    )
    return file


def _serial(
    case: Case, implementation: Implementation, company: Company, done: list[_Performance]
) -> None:
    session, serial = company.lead, case.message.serial
    settle = implementation.manifest.run.settle_timeout
    scripted = serial_play(serial)
    play = play_of(serial.benchmark)
    performance = _Performance(case, company, serial.benchmark, play, settle)
    done.append(performance)
    if isinstance(play, ChatAppPlay):
        play.prepare()
        _overdue(performance, lambda: session.prepare(serial.benchmark, trace=True))
        for number, (_, arguments) in enumerate(scripted.script[1:]):
            client, choice, index, k = arguments
            play.act(client, Choice(choice), index, k)
            act = partial(session.act, client, choice, index, k, timeout=settle)
            answer = _overdue(performance, act)
            if answer.turn != number:
                raise _Failed(f"act {number} was answered as turn {answer.turn} (CHAT-5)")
        session.trace()
        performance.golden = _compare(case, performance.logs)
        play.disconnect()
        performance.receipts = _given(_overdue(performance, session.teardown))
    else:
        session.prepare(serial.benchmark, trace=True)
        play.run()
        performance.receipts = _overdue(performance, lambda: session.run(1, timeout=settle))
        session.trace()
        performance.golden = _compare(case, performance.logs)
        session.teardown()
    performance.judge()


def _compare(case: Case, logs: Logs) -> str:
    return golden.difference(logs, golden.file_of(case.name).read_text(encoding="utf-8"))


def _concurrent(
    case: Case, implementation: Implementation, company: Company, done: list[_Performance]
) -> None:
    session, concurrent = company.lead, case.message.concurrent
    settle = implementation.manifest.run.settle_timeout
    for _ in range(max(1, concurrent.repeats)):
        play = play_of(concurrent.benchmark)
        performance = _Performance(case, company, concurrent.benchmark, play, settle)
        done.append(performance)
        if isinstance(play, ChatAppPlay):
            play.prepare()
        _overdue(performance, lambda: session.prepare(concurrent.benchmark, trace=True))
        if concurrent.turns and isinstance(play, ChatAppPlay):
            for _ in range(concurrent.turns):
                play.turn()
                _overdue(performance, lambda: session.turn(timeout=settle))
            play.disconnect()
            performance.receipts = _given(_overdue(performance, session.teardown))
        else:
            play.run()
            performance.receipts = _overdue(performance, lambda: session.run(1, timeout=settle))
            session.trace()
            session.teardown()
        performance.judge()
        done[:] = done[-1:]


def _distributed(
    case: Case, implementation: Implementation, company: Company, done: list[_Performance]
) -> None:
    distributed = case.message.distributed
    settle = implementation.manifest.run.settle_timeout
    if distributed.lost_node:
        _lose(company, distributed, settle)
        return
    for _ in range(max(1, distributed.repeats)):
        play = play_of(distributed.benchmark)
        assert isinstance(play, MicroPlay)
        play.run()
        performance = _Performance(case, company, distributed.benchmark, play, settle)
        done.append(performance)
        company.prepare(distributed.benchmark, trace=True, timeout=settle)
        (receipt,) = _overdue(performance, lambda: company.lead.run(1, timeout=settle))
        company.trace()
        others = company.teardown()[1:]
        performance.receipts = [receipt, *(other or benchmarks_pb2.Receipt() for other in others)]
        performance.judge()
        done[:] = done[-1:]


def _lose(company: Company, distributed: case_pb2.Distributed, settle: float) -> None:
    """Kill a node while all are busy; the run must say so, and soon (DIST-5)."""
    company.spent = True
    company.prepare(distributed.benchmark, trace=False, timeout=settle)
    process = company.sessions[distributed.lost_node].process
    assert process is not None
    lost = f"node {distributed.lost_node}"
    killer = threading.Timer(LOST_AFTER, process.kill)
    killer.start()
    try:
        company.lead.run(1, timeout=settle)
    except CallFailed as error:
        if error.code != "INTERNAL" or lost not in str(error):
            raise _Failed(f"{lost} was killed; expected INTERNAL and its name: {error}") from None
    except Late as late:
        raise _Failed(f"{lost} was killed, and the run hangs: {late} (DIST-5)") from None
    else:
        raise _Failed(f"{lost} was killed, and the run ended as if nothing had happened (DIST-5)")
    finally:
        killer.cancel()


def _given(receipt: benchmarks_pb2.Receipt | None) -> list[benchmarks_pb2.Receipt]:
    return [] if receipt is None else [receipt]


def _overdue(performance: _Performance, call: Callable[[], Any]) -> Any:
    """Make a call; if its answer is overdue, let the trace say why."""
    try:
        return call()
    except Late as late:
        performance.explain(late)
        raise


def _handshake(perform_it: Callable[[Case, Implementation, Session], str]) -> Any:
    def drive(
        case: Case, implementation: Implementation, company: Company, done: list[_Performance]
    ) -> None:
        problem = perform_it(case, implementation, company.lead)
        if problem:
            raise _Failed(problem)

    return drive


_DRIVES: dict[str, Callable[[Case, Implementation, Company, list[_Performance]], None]] = {
    "introduction": _handshake(perform_introduction),
    "vectors": _handshake(perform_vectors),
    "calls": _handshake(perform_calls),
    "ending": _handshake(perform_ending),
    "serial": _serial,
    "concurrent": _concurrent,
    "distributed": _distributed,
}
