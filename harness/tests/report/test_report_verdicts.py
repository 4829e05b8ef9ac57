"""The findings of a run of the cases, and above all what it does not show."""

import pytest
from report_records import case, certified, sample, write_cases, write_samples

from dramaturg.levels import REQUIRED
from dramaturg.outcomes import Outcome
from dramaturg.report import html
from dramaturg.report.report_files import summarise
from dramaturg.report.summary import State


def only(summary):
    [verdict] = summary.implementations
    return verdict


def test_passing_every_planned_case_of_the_required_levels_certifies(tmp_path):
    write_cases(
        tmp_path, *certified("erlang"), planned={"erlang": len(REQUIRED)}, levels=list(REQUIRED)
    )
    verdict = only(summarise(tmp_path))
    assert verdict.certified
    assert verdict.obstacles == []
    assert verdict.outcome is Outcome.PASS


def test_an_interrupted_run_certifies_nothing(tmp_path):
    write_cases(tmp_path, *certified("erlang"), complete=False)
    summary = summarise(tmp_path)
    assert summary.state is State.INTERRUPTED
    assert summary.conformance.state is State.INTERRUPTED
    assert only(summary).obstacles == ["interrupted"]


def test_a_run_that_can_certify_nothing_is_not_shown_as_certified(tmp_path):
    write_cases(tmp_path, *certified("erlang"), void="the cases are not the specification's")
    assert only(summarise(tmp_path)).obstacles == ["the cases are not the specification's"]


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome is not Outcome.PASS])
def test_one_case_that_did_not_pass_prevents_certification(tmp_path, outcome):
    write_cases(tmp_path, *certified("erlang"), case(outcome=outcome, case="other"))
    verdict = only(summarise(tmp_path))
    assert not verdict.certified
    assert verdict.outcome is outcome
    assert verdict.obstacles == [f"1 {outcome}"]


def test_a_planned_case_without_a_record_counts_as_not_run(tmp_path):
    write_cases(tmp_path, *certified("erlang"), planned={"erlang": len(REQUIRED) + 2})
    verdict = only(summarise(tmp_path))
    assert verdict.outcome is Outcome.NOT_RUN
    assert verdict.obstacles == ["2 planned cases without a record"]


def test_the_remark_of_a_manifest_stands_beside_the_verdict(tmp_path):
    write_cases(tmp_path, *certified("one"), *certified("two"), remarks={"one": "read <this>"})
    assert [verdict.remark for verdict in summarise(tmp_path).implementations] == [
        "read <this>",
        "",
    ]
    assert "read &lt;this&gt;" in html.document(summarise(tmp_path))


def test_a_planned_implementation_without_any_record_is_shown(tmp_path):
    write_cases(tmp_path, planned={"pony": 48}, complete=False)
    verdict = only(summarise(tmp_path))
    assert verdict.implementation == "pony"
    assert verdict.outcome is Outcome.NOT_RUN
    assert not verdict.certified


def test_some_levels_alone_do_not_certify(tmp_path):
    write_cases(tmp_path, case(level=0), levels=[0])
    assert only(summarise(tmp_path)).obstacles == ["level 1, 2, 3 not run"]


def test_a_known_failure_is_named_does_not_count_and_is_no_pass(tmp_path):
    known = case(outcome=Outcome.FAIL, case="other", known="issue 7")
    write_cases(tmp_path, *certified("erlang"), known)
    summary = summarise(tmp_path)
    verdict = only(summary)
    assert verdict.outcome is Outcome.PASS
    assert not verdict.certified
    assert verdict.obstacles == ["1 known failure"]
    [finding] = summary.findings
    assert finding.known == "issue 7"
    assert finding.outcome is Outcome.FAIL


def test_levels_are_counted_apart(tmp_path):
    write_cases(
        tmp_path,
        case(level=0),
        case(level=3, case="a", outcome=Outcome.CRASH),
        case(level=3, case="b"),
        case(level=3, case="c", outcome=Outcome.TIMEOUT),
    )
    handshake, concurrent = only(summarise(tmp_path)).levels
    assert handshake.counts == {Outcome.PASS: 1}
    assert concurrent.counts == {Outcome.CRASH: 1, Outcome.TIMEOUT: 1, Outcome.PASS: 1}
    assert concurrent.worst is Outcome.CRASH


def test_findings_come_worst_first_and_known_failures_last(tmp_path):
    write_cases(
        tmp_path,
        case(case="known", outcome=Outcome.FAIL, known="issue 7"),
        case(case="skipped", outcome=Outcome.UNSUPPORTED),
        case(case="late", outcome=Outcome.TIMEOUT),
        case(case="wrong", outcome=Outcome.FAIL),
    )
    found = [finding.case for finding in summarise(tmp_path).findings]
    assert found == ["wrong", "late", "skipped", "known"]


def test_being_timed_says_nothing_about_conformance(tmp_path):
    write_samples(tmp_path, sample(), sample(valid=False, iteration=1))
    verdict = only(summarise(tmp_path))
    assert not verdict.certified
    assert verdict.outcome is Outcome.NOT_RUN
    assert verdict.timed_certified
    assert (verdict.receipts, verdict.wrong_receipts) == (2, 1)
