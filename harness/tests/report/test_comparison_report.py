"""Summaries of the records of a comparison, and records that are never a verdict."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from compared_kit import SAME, SLOW, WILD, A, B, asked, audits, header, invoked, pairs, write
from report_records import write_samples

from dramaturg import paths, results
from dramaturg.outcomes import Outcome
from dramaturg.records import Point
from dramaturg.report import job_summary
from dramaturg.report.comparison import UNLIKE, slower
from dramaturg.report.report_files import summarise, write_all
from dramaturg.report.summary import Compared, ComparedRow
from dramaturg.results import ResultsError
from dramaturg.terminal import comparison_table
from dramaturg.timing.statistics.difference import Verdict


def _row(folder: Path) -> ComparedRow:
    (row,) = _compared(folder).rows
    return row


def _compared(folder: Path) -> Compared:
    found = summarise(folder).comparison
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("first", "fresh", "verdict"),
    [
        (SLOW[:10], SLOW, Verdict.SLOWER),
        (SLOW[:10], [1 / each for each in SLOW], Verdict.FASTER),
        (SLOW[:10], SAME, Verdict.EQUAL),
        (SLOW[:10], WILD, Verdict.NO_DIFFERENCE),
        (SAME[:10], [], Verdict.EQUAL),
        (WILD[:10], [], Verdict.NO_DIFFERENCE),
    ],
)
def test_a_row_has_the_verdict_of_its_pairs(
    tmp_path: Path, first: list[float], fresh: list[float], verdict: Verdict
) -> None:
    write(tmp_path, first, fresh)
    found = _compared(tmp_path)
    (row,) = found.rows
    assert row.verdict is verdict
    assert row.certified
    assert row.first == pytest.approx(first, rel=1e-6)
    assert row.fresh == pytest.approx(fresh, rel=1e-6)
    assert row.pairs == (12 if fresh else 10)
    assert slower(found) == ([row] if verdict is Verdict.SLOWER else [])


def test_the_margin_is_named_with_equality(tmp_path: Path) -> None:
    write(tmp_path, SAME[:10], margin=0.025)
    assert _row(tmp_path).said == "equal within 2.5 %"


def _invalid(records: list[Any]) -> None:
    sample = next(each for each in records if each.record == "sample")
    sample.valid, sample.problems = False, ["wrong checksum"]


def _crashed(records: list[Any]) -> None:
    last = next(each for each in reversed(records) if each.record == "unit")
    last.outcome, last.message = Outcome.CRASH, "ended by itself"


def _audit_failed(records: list[Any]) -> None:
    last = next(each for each in reversed(records) if each.record == "audit")
    last.outcome, last.message = Outcome.FAIL, "turn 8: lost"


def _audit_broke(records: list[Any]) -> None:
    last = next(each for each in reversed(records) if each.record == "audit")
    last.outcome, last.message = Outcome.HARNESS_FAULT, "torn"


def _half(records: list[Any]) -> None:
    last = max(each.invocation for each in records if each.record == "sample")
    records[:] = [each for each in records if (each.implementation, each.invocation) != (B, last)]


def _unaudited(records: list[Any]) -> None:
    del records[-4:]


def _other_network(records: list[Any]) -> None:
    for each in records[:4]:
        each.network = {"kind": "local", "kernel": "other"}


@pytest.mark.parametrize("first", [SAME, SLOW], ids=["same", "slow"])
@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (_invalid, "wrong checksum"),
        (_crashed, "crash: ended by itself"),
        (_audit_failed, "its audit ended with fail: turn 8: lost"),
        (_audit_broke, "its audit ended with harness fault: torn"),
        (_half, "pairs are there"),
        (_unaudited, "its last invocation, which is audited elsewhere, was not run"),
        (_other_network, "another network"),
    ],
)
def test_what_is_wrong_or_missing_is_no_verdict(
    tmp_path: Path, first: list[float], spoil: Callable[[list[Any]], None], says: str
) -> None:
    of = asked()
    fresh = pairs(SLOW, of.pairs) if first is SLOW else []
    records = [*pairs(first[: of.pairs]), *fresh, *audits(of.invocations)]
    spoil(records)
    write_samples(tmp_path, *records, **header(of))
    row = _row(tmp_path)
    assert row.verdict is Verdict.NONE
    assert says in row.why
    assert (row.ratio, row.low, row.confirmed) == (None, None, False)


def test_a_row_that_was_not_run_is_listed_without_verdict(tmp_path: Path) -> None:
    of = asked()
    records = [*pairs(SAME[:10]), *audits(of.invocations)]
    other = {"benchmark": "pingpong", "name": "counted", "parameters": {"rounds": 7}}
    write_samples(tmp_path, *records, **header(of, other))
    done, left = _compared(tmp_path).rows
    assert done.verdict is Verdict.EQUAL
    assert (left.benchmark, left.verdict) == ("pingpong", Verdict.NONE)
    assert left.why == "0 of 10 pairs are there"


def test_other_cores_are_another_row(tmp_path: Path) -> None:
    of = asked()
    same, wild = ([*pairs(ratios[:10]), *audits(of.invocations)] for ratios in (SAME, WILD))
    head = header(of)
    head["plan"]["units"] += [{**unit, "cores": [0]} for unit in head["plan"]["units"]]
    confined = [each.model_copy(update={"cores": [0]}) for each in wild]
    write_samples(tmp_path, *same, *confined, **head)
    on_all, on_one = _compared(tmp_path).rows
    assert (on_all.cores, on_all.verdict) == ([], Verdict.EQUAL)
    assert (on_one.cores, on_one.verdict) == ([0], Verdict.NO_DIFFERENCE)


def test_an_interrupted_comparison_decides_nothing_and_says_how_to_go_on(tmp_path: Path) -> None:
    of = asked()
    write_samples(tmp_path, *pairs(SLOW[:10]), *pairs(SLOW[:5], 10), complete=False, **header(of))
    row = _row(tmp_path)
    assert row.verdict is Verdict.NONE
    assert row.why == "5 of 12 fresh pairs are there: the run was interrupted, and --resume goes on"


def test_warm_up_and_other_rows_are_in_no_pair(tmp_path: Path) -> None:
    of = asked()
    records = [*pairs(SAME[:10]), *audits(of.invocations)]
    records[0].warmup = True
    records[0].run_nanos *= 1000
    records += invoked(A, 3, 1e12, scenario="compute-bound")
    write_samples(tmp_path, *records, **header(of))
    assert _row(tmp_path).verdict is Verdict.EQUAL


def test_one_build_on_both_sides_is_said(tmp_path: Path) -> None:
    of = asked()
    of = of.model_copy(update={"b": of.b.model_copy(update={"build": of.a.build})})
    write_samples(tmp_path, *pairs(SAME[:10]), *audits(of.invocations), **header(of))
    (note,) = _compared(tmp_path).notes
    assert "A/A" in note


def test_a_dirty_tree_is_said(tmp_path: Path) -> None:
    of = asked()
    of = of.model_copy(update={"b": of.b.model_copy(update={"modified": True})})
    write_samples(tmp_path, *pairs(SAME[:10]), *audits(of.invocations), **header(of))
    (note,) = _compared(tmp_path).notes
    assert note.startswith("erlang: its sources are not what was committed at dddddddddddd")


@pytest.mark.parametrize(
    ("a", "b", "due"),
    [
        ("erlang", "elixir", True),
        ("erlang@HEAD~1", "elixir+receive", True),
        ("go#A", "protoactor#B", True),
        ("erlang@HEAD~1", "erlang", False),
        ("erlang#A", "erlang#B", False),
        ("caf", "caf+sharing", False),
        ("caf@v1.0+sharing", "caf@v1.1", False),
    ],
)
def test_a_comparison_of_two_implementations_names_the_page_on_fair_pairs_everywhere(
    tmp_path: Path, a: str, b: str, due: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    of = asked()
    of = of.model_copy(
        update={
            "a": of.a.model_copy(update={"label": a}),
            "b": of.b.model_copy(update={"label": b}),
        }
    )
    records = [*pairs(SAME[:10], labels=of.labels), *audits(of.invocations, of.labels)]
    write_samples(tmp_path, *records, **header(of))
    write_all(tmp_path)
    page = "docs/fair-pairs.md"
    found = _compared(tmp_path)
    assert found.notes == [UNLIKE] * due
    html = (tmp_path / "report.html").read_text()
    before, _, timings = html.partition('<section id="timings">')
    shown = [before, timings, job_summary.document(summarise(tmp_path))]
    for as_json in (False, True):
        comparison_table.Form(markdown=False, as_json=as_json).tell(found, Outcome.PASS, 0, None)
        shown.append(capsys.readouterr().out)
    assert [page in text for text in shown] == [due] * 5
    assert (paths.ROOT / page).is_file()


def test_what_ran_without_certificate_is_marked_everywhere(tmp_path: Path) -> None:
    of = asked()
    records = [*pairs(SAME[:10]), *audits(of.invocations)]
    for each in records:
        if each.record in ("sample", "unit"):
            each.certified = False
    write_samples(tmp_path, *records, **header(of))
    write_all(tmp_path)
    assert not _row(tmp_path).certified
    assert "uncertified" in job_summary.document(summarise(tmp_path))
    page = (tmp_path / "report.html").read_text()
    assert 'class="dots hollow"' in page.partition('<section id="timings">')[0]


def test_the_page_has_a_dot_for_each_pair_that_decided(tmp_path: Path) -> None:
    write(tmp_path, SLOW[:10], SLOW)
    write_all(tmp_path)
    page = (tmp_path / "report.html").read_text()
    drawn = page.partition('<section id="comparison">')[2].partition("</section>")[0]
    assert drawn.count("<circle") == 12
    assert "fresh pair 12: 1.190" in drawn
    assert '<td class="nowrap bad">slower</td>' in drawn


def test_the_pairs_that_flagged_a_row_are_in_no_figure_of_the_report(tmp_path: Path) -> None:
    of = asked()
    swept = {"points": [Point(entry="test/1", axes={"turns": 32})]}
    runs = enumerate([*SLOW[:10], *SAME])
    both = [each for n, ratio in runs for label, nanos in ((A, 1e8), (B, 1e8 * ratio))
            for each in invoked(label, n, nanos, **swept)]  # fmt: skip
    write_samples(tmp_path, *both, *audits(of.invocations), **header(of))
    write_all(tmp_path)
    found = summarise(tmp_path)
    [group], [curve] = found.groups, found.curves
    for row, line in zip(group.implementations, curve.lines, strict=True):
        assert [each.invocation for each in row.by_invocation] == list(range(10, 22))
        assert row.invocations == line.points[0].invocations == 12
        assert row.run is not None and row.run.value < 1.02e8
    said = "flagged by its first 10 pairs, which are in no figure"
    for text in ((tmp_path / "report.html").read_text(), job_summary.document(found)):
        assert said in text


def test_pairs_that_flag_nothing_are_in_all_figures(tmp_path: Path) -> None:
    write(tmp_path, SAME[:10])
    found = summarise(tmp_path)
    assert [row.invocations for row in found.groups[0].implementations] == [10, 10]
    assert "flagged by" not in job_summary.document(found)


def test_a_sample_that_is_not_valid_is_listed_whichever_pair_it_is_of(tmp_path: Path) -> None:
    of = asked()
    records = [*pairs(SLOW[:10]), *pairs(SLOW, of.pairs), *audits(of.invocations)]
    _invalid(records)
    write_samples(tmp_path, *records, **header(of))
    [group] = summarise(tmp_path).groups
    assert [len(row.invalid) for row in group.implementations] == [0, 1]


def test_markdown_has_effect_and_interval_and_no_bare_percentage(tmp_path: Path) -> None:
    write(tmp_path, SLOW[:10], SLOW)
    text = job_summary.document(summarise(tmp_path))
    (line,) = [each for each in text.splitlines() if "slower" in each and each.startswith("|")]
    row = _row(tmp_path)
    interval = f"{row.low:.3f} to {row.high:.3f} (99.5 %)"
    assert f"| **slower** | {row.ratio:.3f} | {interval} | 12 |" in line
    assert "not certified" not in text


def test_names_in_markdown_and_html_are_text(tmp_path: Path) -> None:
    evil = "x`<img src=y>|\x1b[31m"
    of = asked()
    of = of.model_copy(update={"b": of.b.model_copy(update={"label": evil})})
    records = [*pairs(SAME[:10], labels=of.labels), *audits(of.invocations, of.labels)]
    write_samples(tmp_path, *records, **header(of))
    write_all(tmp_path)
    for text in ((tmp_path / "report.html").read_text(), job_summary.document(summarise(tmp_path))):
        assert "\x1b" not in text
    assert "<img" not in (tmp_path / "report.html").read_text()


@pytest.mark.parametrize(
    "change",
    [
        lambda head: head.update(comparison={}),
        lambda head: head.update(comparison=[1]),
        lambda head: head["comparison"].update(margin="much"),
        lambda head: head["comparison"].update(margin=-1.0),
        lambda head: head["comparison"].update(pairs=10**9),
        lambda head: head.pop("plan"),
        lambda head: head.update(plan={"units": 7}),
        lambda head: head["plan"].update(units=[{"scenario": 1}]),
        lambda head: head["plan"].update(
            units=[{**head["plan"]["units"][0], "network": {"nodes": n}} for n in range(501)]
        ),
    ],
)
def test_a_header_that_tells_nonsense_is_an_error_in_one_line(
    tmp_path: Path, change: Callable[[dict[str, Any]], None]
) -> None:
    head = json.loads(json.dumps(header(asked())))
    change(head)
    write_samples(tmp_path, *pairs(SAME[:10]), **head)
    with pytest.raises(ResultsError, match="comparison") as raised:
        summarise(tmp_path)
    assert "\n" not in str(raised.value)


def test_results_without_comparison_have_none(tmp_path: Path) -> None:
    write_samples(tmp_path, *pairs(SAME[:3]))
    assert summarise(tmp_path).comparison is None
    assert results.read(tmp_path / results.TIMINGS).complete
    assert B in {row.implementation for row in summarise(tmp_path).groups[0].implementations}
