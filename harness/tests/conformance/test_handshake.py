"""Level 0: what is said of a runtime, sums, a log that is asked for in time, and the end."""

import threading
from types import SimpleNamespace
from typing import Any

import pytest

from dramaturg.cases.cases import Case, load_all
from dramaturg.conformance import handshake
from dramaturg.conformance.case_run import perform
from dramaturg.conformance.cluster import Cluster
from dramaturg.conformance.result import Result
from dramaturg.errors import Crashed, Late
from dramaturg.implementation.manifest import Implementation, find
from dramaturg.model import names
from dramaturg.model.probes import answer_of
from dramaturg.outcomes import Outcome
from dramaturg.trace.codec import LogBuilder, encode
from dramaturg.trace.events import Event
from dramaturg.trace.watches import EVERYBODY, watch
from dramaturg.v2 import control_pb2
from dramaturg.v2 import trace_pb2 as kind

CASES = {case.name: case for case in load_all()}
REFERENCE = find("reference")
PING = names.name(names.PING)
PONG: Event = (names.name(names.PONG), (kind.MESSAGE_KIND_PING_PONG, (1, 5)))


@pytest.fixture(autouse=True)
def in_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handshake, "PATIENCE", 0.2)


class Endless:
    """A session whose run does not end; it logs so many events by each Trace."""

    process: Any = SimpleNamespace(pid=1)
    attached = None

    def __init__(self, *logged: int, ends: Exception | None = None) -> None:
        self.logged = list(logged)
        self.ends = ends
        self.calls: list[str] = []
        self.watches: Any = None
        self._is_run = threading.Event()

    def describe(self, probes: Any = ()) -> Any:
        answers = [control_pb2.ProbeAnswer(values=answer_of(probe)) for probe in probes]
        return control_pb2.DescribeResponse(
            runtime="x", runtime_version="1", schedulers=2, answers=answers
        )

    def prepare(self, benchmark: Any, watches: Any = EVERYBODY) -> None:
        self.calls.append("prepare")
        self.benchmark = benchmark.WhichOneof("parameters")
        self.watches = watches
        self.log = LogBuilder(watches)

    def run(self, timeout: float | None = None) -> None:
        self.calls.append("run")
        self._is_run.set()

    def trace(self, timeout: float) -> LogBuilder:
        assert self._is_run.wait(30), "it is asked for while the run is under way"
        self.calls.append("trace")
        for batch in encode({PING: [PONG] * (self.logged.pop(0) if self.logged else 0)}):
            self.log.add(batch)
        return self.log

    def leave_trace_unread(self) -> None:
        self.calls.append("unread trace")

    def end_input(self) -> None:
        self.calls.append("end")
        if self.ends is not None:
            raise self.ends


def performed(
    name: str | Case, session: Any, implementation: Implementation = REFERENCE
) -> tuple[Result, Cluster]:
    cluster = Cluster([session])
    case = CASES[name] if isinstance(name, str) else name
    return perform(case, implementation, cluster), cluster


def offering(*benchmarks: str) -> Implementation:
    manifest = REFERENCE.manifest.model_copy(update={"benchmarks": list(benchmarks)})
    return Implementation(REFERENCE.folder, manifest)


INTERIM = "answers-trace-while-it-runs"


def test_a_log_that_can_be_had_while_a_run_is_under_way_passes() -> None:
    session = Endless(handshake.FEW, 0)
    result, cluster = performed(INTERIM, session)
    assert result.outcome is Outcome.PASS
    assert session.calls == ["prepare", "run", "trace", "trace"]
    assert session.watches == [watch(names.PING, events=handshake.FEW)]
    assert cluster.spent, "its run goes on: nothing else can be asked of this process"


@pytest.mark.parametrize("logged", [(1, 2), (0, 0, 0, 3), (0, 1, 0, 1, 1)])
def test_what_has_not_come_yet_is_waited_for(logged: tuple[int, ...]) -> None:
    """On a busy machine a run may begin late: that is nobody's fault."""
    assert performed(INTERIM, Endless(*logged))[0].outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("logged", "said"),
    [
        ((), "ping/0 had taken messages, and Trace did not deliver any (CTRL-7)"),
        ((1, 1), "ping/0 had taken messages, and Trace did not deliver more than 2 (CTRL-7)"),
        ((3, 1), "ping/0: its log goes beyond the 3 events that were asked for (TRACE-16)"),
        ((3, 3), "ping/0: its log goes beyond the 3 events that were asked for (TRACE-16)"),
        ((4, 0), "ping/0: its log goes beyond the 3 events that were asked for (TRACE-16)"),
    ],
    ids=["nothing", "too little", "more", "the same again", "too much"],
)
def test_a_log_that_is_late_or_comes_twice_fails(logged: tuple[int, ...], said: str) -> None:
    result, _ = performed(INTERIM, Endless(*logged))
    assert (result.outcome, result.message) == (Outcome.FAIL, said)


@pytest.mark.parametrize(
    ("name", "calls"),
    [
        ("ends-with-its-input", ["end"]),
        ("ends-with-its-input-while-prepared", ["prepare", "end"]),
        ("ends-with-its-input-while-running", ["prepare", "run", "trace", "end"]),
        ("ends-with-its-input-while-nobody-reads", ["prepare", "run", "unread trace", "end"]),
    ],
)
def test_input_ends_idle_prepared_and_under_way(name: str, calls: list[str]) -> None:
    session = Endless(handshake.FEW)
    result, cluster = performed(name, session)
    assert result.outcome is Outcome.PASS
    assert session.calls == calls
    assert cluster.spent


@pytest.mark.parametrize(
    ("ends", "outcome"),
    [(Crashed("with 3"), Outcome.CRASH), (Late("still runs"), Outcome.TIMEOUT)],
)
def test_how_it_ends_otherwise_is_the_outcome(ends: Exception, outcome: Outcome) -> None:
    result, _ = performed("ends-with-its-input", Endless(ends=ends))
    assert (result.outcome, result.message) == (outcome, str(ends))


def test_what_was_attached_to_is_not_said_to_end() -> None:
    session = Endless()
    session.process = None
    result, _ = performed("ends-with-its-input", session)
    assert result.outcome is Outcome.NOT_RUN
    assert session.calls == []


@pytest.mark.parametrize(
    "name",
    [
        INTERIM,
        "ends-with-its-input-while-prepared",
        "ends-with-its-input-while-running",
        "ends-with-its-input-while-nobody-reads",
    ],
)
@pytest.mark.parametrize("benchmark", ["broker", "web", "fanout", "sleepers", "bang", "chatapp"])
def test_who_has_no_pingpong_is_asked_for_what_its_manifest_names(
    name: str, benchmark: str
) -> None:
    """A conforming implementation of one benchmark need not know another (CTRL-3)."""
    session = Endless()
    performed(name, session, offering("count", benchmark))
    assert session.benchmark == benchmark


def test_who_has_no_run_without_end_is_not_asked_for_one() -> None:
    session = Endless()
    result, _ = performed(INTERIM, session, offering("chain", "mergesort"))
    assert result.outcome is Outcome.NOT_RUN
    assert "broker" in result.message
    assert session.calls == []


VECTORS = [case for case in CASES.values() if case.drive == "vectors"]


@pytest.mark.parametrize("case", VECTORS, ids=lambda case: case.name)
def test_right_answers_to_probes_pass(case: Case) -> None:
    assert performed(case, Endless())[0].outcome is Outcome.PASS


@pytest.mark.parametrize("case", VECTORS, ids=lambda case: case.name)
@pytest.mark.parametrize("change", ["altered", "cut", "longer"])
def test_one_wrong_value_is_named_with_its_probe(case: Case, change: str) -> None:
    class Wrong(Endless):
        def describe(self, probes: Any = ()) -> Any:
            said = super().describe(probes)
            values = said.answers[-1].values
            match change:
                case "altered":
                    values[-1] += 1
                case "cut":
                    values.pop()
                case _:
                    values.append(7)
            return said

    result, _ = performed(case, Wrong())
    assert result.outcome is Outcome.FAIL
    assert result.message.startswith("probe {")
    words = {"altered": ", expected ", "cut": "is missing", "longer": "is 7, expected missing"}
    assert words[change] in result.message


def test_a_probe_without_an_answer_is_told() -> None:
    class Silent(Endless):
        def describe(self, probes: Any = ()) -> Any:
            return control_pb2.DescribeResponse()

    result, _ = performed("fold-vectors", Silent())
    assert result.message == "7 probes got 0 answers"


def test_each_kind_of_probe_has_the_models_answer() -> None:
    ask = control_pb2.Probe
    asked = [
        ask(lcg=ask.Lcg(seed=42, moduli=[0, 100])),
        ask(shuffle=ask.Shuffle(seed=42, length=3)),
        ask(fibonacci=ask.Fibonacci(n=10)),
        ask(fold=ask.Fold(salt=0, numbers=[1, 2, 3])),
        ask(fold=ask.Fold(salt=9)),
    ]
    answers = [answer_of(probe) for probe in asked]
    assert answers == [[3291, 28], [1, 2, 0, 61928], [55], [483920844], [9]]


@pytest.mark.parametrize("field", ["runtime", "runtime_version", "schedulers"])
def test_what_describe_leaves_unsaid_is_named(field: str) -> None:
    class Taciturn(Endless):
        def describe(self, probes: Any = ()) -> Any:
            said = super().describe()
            said.ClearField(field)
            return said

    result, _ = performed("introduces-itself", Taciturn())
    assert result.message == f"Describe: {field} is not set (CTRL-14)"
    assert performed("introduces-itself", Endless())[0].outcome is Outcome.PASS
