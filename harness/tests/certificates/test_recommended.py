"""Recommended cases are shown, recorded and named, and decide nothing (LEVEL-34)."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from dramaturg import paths, results
from dramaturg.cases import cases
from dramaturg.cases.cases import Case
from dramaturg.certificates import certificate, statement, verification
from dramaturg.certificates.verification import Verification
from dramaturg.conformance.certification import certify, is_certified
from dramaturg.implementation.build import build
from dramaturg.implementation.manifest import Implementation, find
from dramaturg.levels import REQUIRED
from dramaturg.outcomes import Outcome
from dramaturg.plan import case_plan
from dramaturg.plan.case_plan import Item, Plan
from dramaturg.records import CaseRecord
from dramaturg.report.report_files import write_all
from dramaturg.standing import Certification
from dramaturg.v2 import control_pb2

FAILS = "1-serial/chatapp/two-clients-one-directory"
PASS = ["0-handshake/control/introduces-itself", "1-serial/pingpong/pingpong-one-round"]
ABSENT = "3-concurrent/pingpong/pingpong-never-heard-of"


def changed(case: Case, *, recommended: bool, name: str = "") -> Case:
    message = type(case.message)()
    message.CopyFrom(case.message)
    message.recommended = recommended
    message.name = name or message.name
    return replace(case, message=message)


def with_recommended(*extra: str) -> list[Case]:
    """The cases, of which these are recommended; one that is not there is made up."""
    made = [
        changed(case, recommended=case.recommended or case.path in extra)
        for case in cases.load_all()
    ]
    (model,) = (case for case in made if case.path == "3-concurrent/pingpong/" + MODEL)
    if ABSENT in extra:
        made.append(changed(model, recommended=True, name=ABSENT.rpartition("/")[2]))
    return made


MODEL = next(
    case.name
    for case in cases.load_all()
    if (case.level, case.benchmark) == (3, "pingpong") and not case.message.large
)


def has(monkeypatch: pytest.MonkeyPatch, everything: Sequence[Case]) -> None:
    """Let these be the cases that the harness has."""
    for place in (cases, case_plan):
        monkeypatch.setattr(place, "load_all", lambda: list(everything))


@pytest.fixture
def mutant(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Implementation:
    """Fails a case of chatapp, and passes ping-pong's."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    return find(f"{paths.CONFORMANCE}/mutants+seed_off_by_one")


def judged(mutant: Implementation, everything: Sequence[Case], folder: Path) -> Certification:
    build(mutant)
    chosen = [case for case in everything if case.path in (*PASS, FAILS)]
    made = Plan((mutant,), tuple(REQUIRED), tuple(Item(mutant, case) for case in chosen))
    return certify(made, folder)


def described(implementation: Implementation) -> control_pb2.DescribeResponse:
    return control_pb2.DescribeResponse(runtime="x", runtime_version="1", schedulers=1)


def test_one_that_fails_is_shown_and_recorded_and_takes_no_certificate_away(
    mutant: Implementation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = with_recommended(FAILS)
    has(monkeypatch, everything)
    done = judged(mutant, everything, tmp_path)
    standing = done.standings[mutant.name]
    assert (standing.certified, standing.outcome, done.exit_code) == (True, Outcome.PASS, 0)
    assert standing.to_dict()["recommended"] == {"two-clients-one-directory": "fail"}
    assert is_certified(mutant)
    assert certificate.issue(done, [mutant], described) == {}
    claim = statement.parse(
        (tmp_path / results.CERTIFICATE).read_bytes(), tmp_path
    ).predicate.implementations[mutant.name]
    assert claim.recommended == {FAILS: Outcome.FAIL}
    assert FAILS not in claim.cases

    recorded = (tmp_path / results.CONFORMANCE).read_text()
    assert [line for line in recorded.splitlines() if json.loads(line).get("recommended")]
    summary = write_all(tmp_path)
    assert summary.implementations[0].certified
    assert "recommended: it does not count" in (tmp_path / "report.html").read_text()
    assert '<skipped type="recommended"' in (tmp_path / "junit.xml").read_text()


def test_required_it_takes_it_away(mutant: Implementation, tmp_path: Path) -> None:
    done = judged(mutant, cases.load_all(), tmp_path)
    standing = done.standings[mutant.name]
    assert standing.obstacles == ["1 fail"]
    assert done.exit_code == Outcome.FAIL.exit_code
    assert not is_certified(mutant)


@pytest.mark.parametrize("outcome", [Outcome.HARNESS_FAULT])
def test_a_fault_of_the_harness_counts_wherever_it_happens(
    outcome: Outcome, mutant: Implementation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = with_recommended(FAILS)
    has(monkeypatch, everything)
    done = judged(mutant, everything, tmp_path)
    standing = done.standings[mutant.name]
    standing.records = [
        record.model_copy(update={"outcome": outcome}) if record.recommended else record
        for record in standing.records
    ]
    assert standing.obstacles == [f"1 {outcome}"]


def compared(claimed: statement.Statement) -> list[str]:
    made = Verification(Path("certificate.json"))
    verification.compare(made, claimed, {"reference": find("reference")})
    return [difference.what for difference in made.differences]


@pytest.fixture
def claimed(monkeypatch: pytest.MonkeyPatch) -> statement.Statement:
    """A certificate of the reference, by the cases as they are, all of which it has passed."""
    from test_certificate import standing

    reference = find("reference")
    items = case_plan.make([reference], REQUIRED).items
    record = standing().records[0]
    passed = standing(
        planned=len(items),
        records=[
            record.model_copy(
                update={
                    "level": item.case.level,
                    "benchmark": item.case.benchmark,
                    "case": item.case.name,
                }
            )
            for item in items
        ],
    )
    return certificate.statement({"reference": certificate.claim(reference, passed, described)})


def test_a_new_recommended_case_ends_no_certificate(
    claimed: statement.Statement, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert compared(claimed) == []
    before = cases.digest()
    has(monkeypatch, with_recommended(ABSENT))
    assert cases.digest() == before
    assert compared(claimed) == []


def test_a_new_required_case_ends_it(
    claimed: statement.Statement, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = with_recommended(ABSENT)
    has(monkeypatch, [changed(case, recommended=False) for case in everything])
    assert set(compared(claimed)) >= {f"cases.each.{ABSENT}", f"reference {ABSENT}"}


def test_a_recommended_case_that_passed_may_become_required_or_go(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    with monkeypatch.context() as then:
        has(then, with_recommended(ABSENT))
        claimed = request.getfixturevalue("claimed")
        assert ABSENT in claimed.predicate.implementations["reference"].cases
    assert compared(claimed) == []
    has(monkeypatch, [changed(case, recommended=False) for case in with_recommended(ABSENT)])
    assert compared(claimed) == []


def test_one_that_failed_and_became_required_ends_it(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    with monkeypatch.context() as then:
        has(then, with_recommended(ABSENT))
        claimed = request.getfixturevalue("claimed")
    del claimed.predicate.implementations["reference"].cases[ABSENT]
    has(monkeypatch, [changed(case, recommended=False) for case in with_recommended(ABSENT)])
    assert f"reference {ABSENT}" in compared(claimed)


@pytest.mark.parametrize("outcome", [Outcome.NOT_RUN, Outcome.FAIL])
def test_one_that_passed_and_cannot_be_run_here_is_no_difference(outcome: Outcome) -> None:
    """Where the kernel has no delay and no loss, as where it passed, the others are looked at."""
    records = [
        CaseRecord(
            implementation="reference", level=level, benchmark="pingpong", case=name,
            outcome=said, recommended=level == 4,
        )
        for level, name, said in ((1, "a", Outcome.PASS), (4, "b", outcome))
    ]  # fmt: skip
    subject = verification.Subject("reference")
    paths = ["1-serial/pingpong/a", "4-distributed/pingpong/b"]
    found = list(verification._judge(subject, paths, records))
    assert (subject.outcome is Outcome.PASS and not found) == (outcome is Outcome.NOT_RUN)
