"""A search reaches the awkward situations, and what it finds is as short as can be."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st

from dramaturg.cases import features
from dramaturg.cases.cases import Case, CaseError, load_all, load_file, speak, unfit
from dramaturg.conformance.certification import certify
from dramaturg.conformance.search import Attempt, Found, scripts, search, write
from dramaturg.errors import Crashed, HarnessFault
from dramaturg.implementation.manifest import find
from dramaturg.model.messages import Choice
from dramaturg.model.simulation import AtRandom, Simulation
from dramaturg.model.workload import workload_of
from dramaturg.mutation.reference_mutants import FOLDER
from dramaturg.outcomes import Outcome
from dramaturg.plan.case_plan import make
from dramaturg.trace.events import Logs
from dramaturg.trace.replay.token_game import replay
from dramaturg.v2 import case_pb2
from dramaturg.v2 import trace_pb2 as kind

SEARCHES = {case.name: case for case in load_all() if case.drive == "search"}
ACTS = SEARCHES["search-acts"]
MADE_UP = settings(
    max_examples=60, database=None, deadline=None, suppress_health_check=list(HealthCheck)
)


def simulated(script: case_pb2.Script, schedule: AtRandom | None = None) -> Simulation:
    """The model's run of a script, told to the end."""
    workload = workload_of(script.benchmark)
    if script.benchmark.WhichOneof("parameters") == "chatapp":
        workload.prepare()  # type: ignore[union-attr]
    for called in script.steps:
        speak(workload, called)
    return Simulation(workload.disconnect(), schedule).perform()


def failing(wrong: Callable[[Simulation], bool]) -> Callable[[Case, float | None], Attempt]:
    """An implementation that departs whenever the model's run has this property."""

    def perform(script: Case, settle: float | None) -> Attempt:
        simulation = simulated(script.message.script)
        error = Crashed("here it is") if wrong(simulation) else None
        return Attempt(script, None, error, Outcome.CRASH if error else Outcome.PASS)

    return perform


def received(logs: Logs, number: int) -> int:
    return sum(message[0] == number for log in logs.values() for _, message in log)


def found_by(case: Case, wrong: Callable[[Simulation], bool]) -> Found:
    found = search(case, failing(wrong))
    assert found is not None
    return found


@pytest.mark.parametrize("case", SEARCHES.values(), ids=list(SEARCHES))
def test_the_replay_accepts_whatever_is_made_up_under_any_schedule(case: Case) -> None:
    @seeded(2)
    @MADE_UP
    @given(scripts(case.message.search), st.randoms(use_true_random=False))
    def accepted(script: case_pb2.Script, rng: random.Random) -> None:
        simulation = simulated(script, AtRandom(rng.randrange))
        verdict = replay(simulation.workload, simulation.logs)
        assert verdict.conforms
        assert verdict.control == simulation.control
        assert verdict.alive == 0

    accepted()


@pytest.mark.parametrize("case", SEARCHES.values(), ids=list(SEARCHES))
def test_a_search_only_makes_up_what_can_be_performed(case: Case) -> None:
    made = []

    @seeded(1)
    @MADE_UP
    @given(scripts(case.message.search))
    def collect(script: case_pb2.Script) -> None:
        assert unfit(script) == ""
        assert len(script.steps) <= max(1, case.message.search.steps)
        made.append(script.SerializeToString(deterministic=True))

    collect()
    assert len(set(made)) > 20


RUNS = [case for case in SEARCHES.values() if not case.message.search.steps]


@pytest.mark.parametrize("case", RUNS, ids=lambda case: case.name)
def test_the_runs_that_are_made_up_have_many_salts(case: Case) -> None:
    salts = []

    @seeded(3)
    @MADE_UP
    @given(scripts(case.message.search))
    def collect(script: case_pb2.Script) -> None:
        (called,) = script.steps
        assert called.HasField("run")
        salts.append(called.run.salt)

    collect()
    assert len(set(salts) - {0}) > 3


def test_shortening_keeps_the_salt_with_which_it_was_found() -> None:
    salts = set()

    def perform(script: Case, settle: float | None) -> Attempt:
        salts.update(called.run.salt for called in script.message.script.steps)
        return Attempt(script, None, Crashed("always"), Outcome.CRASH)

    found = search(SEARCHES["search-chain"], perform)
    assert found is not None
    assert found.attempt.script.message.script.benchmark.chain.length == 1
    assert salts == {found.attempt.script.message.script.steps[0].run.salt}


def test_only_what_is_run_has_a_salt() -> None:
    """Acts and turns have the salt 0."""

    @seeded(4)
    @MADE_UP
    @given(scripts(ACTS.message.search))
    def acted(script: case_pb2.Script) -> None:
        assert {str(called.WhichOneof("call")) for called in script.steps} <= {"act", "turn"}
        logs = simulated(script).logs
        number = kind.MESSAGE_KIND_CLIENT_ACT
        salts = {args[-1] for log in logs.values() for _, (k, args) in log if k == number}
        assert salts <= {0}

    acted()


def test_a_search_reaches_what_it_is_for() -> None:
    seen: set[int] = set()

    def watch(simulation: Simulation) -> bool:
        seen.update(features.found(simulation.logs))
        return False

    assert search(ACTS, failing(watch)) is None
    assert set(ACTS.message.exercises) <= seen


def test_the_same_seed_makes_up_the_same_scripts_and_another_others() -> None:
    def made(seed: int) -> list[bytes]:
        message = case_pb2.Case()
        message.CopyFrom(ACTS.message)
        message.search.seed = seed
        message.search.examples = 20
        scripts_made: list[bytes] = []

        def perform(script: Case, settle: float | None) -> Attempt:
            scripts_made.append(script.message.script.SerializeToString(deterministic=True))
            return Attempt(script, None, None, Outcome.PASS)

        assert search(Case("chatapp", message), perform) is None
        return scripts_made

    assert made(1) == made(1)
    assert made(1) != made(2)


def test_what_a_third_post_breaks_is_shown_by_an_invitation_and_three_posts() -> None:
    found = found_by(
        ACTS,
        lambda simulation: any(
            sum(message[0] == kind.MESSAGE_KIND_CHAT_POST for _, message in log) > 2
            for log in simulation.logs.values()
        ),
    )
    script = found.attempt.script.message.script
    choices = [called.act.choice for called in script.steps if called.HasField("act")]
    assert len(script.steps) <= 4
    assert Choice.INVITE in choices or script.benchmark.chatapp.invite > 0
    assert found.recurs


def test_what_any_friendship_breaks_is_shown_without_a_step_by_the_least_parameters() -> None:
    found = found_by(
        ACTS, lambda simulation: received(simulation.logs, kind.MESSAGE_KIND_CLIENT_BEFRIEND) > 0
    )
    script = found.attempt.script.message.script
    parameters = script.benchmark.chatapp
    assert not script.steps
    assert (parameters.clients, parameters.directories, parameters.invite) == (2, 1, 0)
    assert not parameters.history


@pytest.mark.parametrize(("name", "least"), [("pingpong", 17), ("chain", 17)])
def test_parameters_are_lessened_to_the_last_one_that_fails(name: str, least: int) -> None:
    field = {"pingpong": "rounds", "chain": "length"}[name]
    found = found_by(
        SEARCHES[f"search-{name}"],
        lambda simulation: getattr(simulation.workload.parameters, field) >= least,  # type: ignore[attr-defined]
    )
    benchmark = found.attempt.script.message.script.benchmark
    assert getattr(getattr(benchmark, name), field) == least


def test_what_does_not_recur_is_reported_as_it_was_seen() -> None:
    seen = 0

    def once(script: Case, settle: float | None) -> Attempt:
        nonlocal seen
        seen += 1
        error = Crashed("once") if seen == 3 else None
        return Attempt(script, None, error, Outcome.CRASH if error else Outcome.PASS)

    found = search(ACTS, once)
    assert found is not None
    assert found.attempt.outcome is Outcome.CRASH
    assert found.recurs is None, "nothing shorter showed it, so the first is the shortest"


def test_another_outcome_is_another_failure_and_not_shortened_to() -> None:
    def perform(script: Case, settle: float | None) -> Attempt:
        long = len(script.message.script.steps) > 5
        outcome = Outcome.FAIL if long else Outcome.CRASH
        if not script.message.script.steps:
            return Attempt(script, None, None, Outcome.PASS)
        return Attempt(script, None, Crashed("x"), outcome)

    found = search(ACTS, perform)
    assert found is not None
    steps = len(found.attempt.script.message.script.steps)
    assert steps == (6 if found.attempt.outcome is Outcome.FAIL else 1)


def test_without_time_to_shorten_the_first_one_is_reported() -> None:
    tried = []

    def perform(script: Case, settle: float | None) -> Attempt:
        tried.append(script)
        return Attempt(script, None, Crashed("always"), Outcome.CRASH)

    found = search(ACTS, perform, shortening=0.0)
    assert found is not None
    assert len(tried) == 1


def test_the_harness_s_own_fault_is_no_finding() -> None:
    def perform(script: Case, settle: float | None) -> Attempt:
        raise HarnessFault("out of sockets")

    with pytest.raises(HarnessFault, match="out of sockets"):
        search(ACTS, perform)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("examples: 0", "examples must be at least 1"),
        ("steps: 3", "steps is 3; only chatapp has any"),
        ("limits: {pingpong: {rounds: 0}}", "rounds is 0; it must be at least 1"),
        ("limits: {}", "limits must name a benchmark"),
    ],
)
def test_a_search_that_cannot_be_made_is_refused(tmp_path: Path, change: str, words: str) -> None:
    search_of = {"limits": "{pingpong: {rounds: 3}}", "examples": "2"}
    key, _, value = change.partition(": ")
    search_of[key] = value
    fields = ", ".join(f"{key}: {value}" for key, value in search_of.items())
    file = tmp_path / "search.yaml"
    file.write_text(
        "benchmark: pingpong\ncases:\n"
        f"  - {{name: x, purpose: y, level: 2, search: {{{fields}}}}}\n"
    )
    with pytest.raises(CaseError, match=words):
        load_file(file)


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ("[{run: {}}, {turn: {}}]", "run must be the only step"),
        ("[{act: {client: 9}}]", "client is 9; it must be in 0..1"),
        ("[{}]", "every step must be one of"),
    ],
)
def test_a_script_that_cannot_be_performed_is_refused(
    tmp_path: Path, steps: str, words: str
) -> None:
    file = tmp_path / "script.yaml"
    file.write_text(
        "benchmark: chatapp\ncases:\n  - {name: x, purpose: y, level: 2, script: {benchmark:"
        " {chatapp: {clients: 2, directories: 1, turns: 1, selection: SELECTION_CASCADE}},"
        f" steps: {steps}}}}}\n"
    )
    with pytest.raises(CaseError, match=words):
        load_file(file)


def test_what_is_found_is_a_case_that_shows_it_again(tmp_path: Path) -> None:
    """All the way: a wrong implementation, a search, a file, and the file as a case."""
    implementation = find(f"{FOLDER}+history_off_by_one")
    done = certify(
        make([implementation], [2]), tmp_path, pytest_arguments=["-x", "-k", "search-acts"]
    )
    (record,) = next(iter(done.standings.values())).records
    assert record.outcome is Outcome.FAIL
    (file,) = (tmp_path / "traces").glob("*.yaml")
    assert str(file) in record.message
    (case,) = load_file(file)
    assert len(case.message.script.steps) == 3
    again = certify(make([implementation], [2], file), tmp_path / "again")
    (shown,) = next(iter(again.standings.values())).records
    assert shown.outcome is Outcome.FAIL
    assert shown.divergence is not None
    right = certify(make([find("reference")], [2], file), tmp_path / "right")
    assert [record.outcome for record in right.standings["reference"].records] == [Outcome.PASS]


def test_a_case_file_says_what_was_found(tmp_path: Path) -> None:
    found = found_by(SEARCHES["search-chain"], lambda simulation: True)
    write(tmp_path / "found.yaml", found.attempt.script)
    (case,) = load_file(tmp_path / "found.yaml")
    assert case.message == found.attempt.script.message
