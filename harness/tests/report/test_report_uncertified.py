"""Every place in which a figure of an uncertified build comes out, and that it is marked there.

One of two builds in one group is uncertified; only that one may be marked.
"""

import json
import re
import xml.etree.ElementTree as ET

import pytest
from report_records import audit, sample, unit, write_cases, write_samples

from dramaturg import paths
from dramaturg.outcomes import Outcome
from dramaturg.records import UnitRecord
from dramaturg.report.formatting import UNCERTIFIED
from dramaturg.report.report_files import HTML, JUNIT, SUMMARY, write_all
from dramaturg.terminal import timing_table

MILLISECOND = 1_000_000
ENDED = "it ended after 3 of 6 iterations in 12 ms"


def _records(name, *, certified):
    """With something of everything: an outlier, warm-up, a wide interval, an invalid sample, a
    unit that did not pass."""
    records = []
    for invocation in range(6):
        for iteration in range(4):
            far = 9 if (invocation, iteration) == (5, 3) else 1
            run = (100 + 40 * invocation) * far * MILLISECOND
            records.append(
                sample(name, certified=certified, invocation=invocation, iteration=iteration,
                       run_nanos=run, warmup=iteration == 0)
            )  # fmt: skip
        records.append(audit(name, invocation=invocation))
        records.append(
            unit(name, certified=certified, invocation=invocation, samples=4, audits=1, warmup=1)
        )
    wrong = sample(name, certified=certified, invocation=6, iteration=1, valid=False,
                   problems=["joins: 1, expected 2"])  # fmt: skip
    failed = unit(name, certified=certified, invocation=6, samples=1, outcome=Outcome.FAIL,
                  message=ENDED)  # fmt: skip
    return [*records, wrong, failed]


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """``caf`` was timed without a certificate, ``erlang`` with one."""
    folder = tmp_path_factory.mktemp("results") / "mixed"
    write_cases(folder)
    write_samples(folder, *_records("caf", certified=False), *_records("erlang", certified=True))
    return folder, write_all(folder)


def marked_alone(parts):
    """True if every part on caf is marked, and no other one."""
    of_caf = [part for part in parts if "caf" in part]
    others = [part for part in parts if "erlang" in part and "caf" not in part]
    assert of_caf and others
    return all(UNCERTIFIED in part for part in of_caf) and not any(
        UNCERTIFIED in part for part in others
    )


def test_the_summary_marks_rows_units_and_the_verdict(mixed):
    folder, _ = mixed
    summary = json.loads((folder / SUMMARY).read_text())
    [group] = summary["groups"]
    expected = {"caf": False, "erlang": True}
    assert {row["implementation"]: row["certified"] for row in group["implementations"]} == expected
    assert {each["implementation"]: each["certified"] for each in summary["units"]} == expected
    verdicts = summary["implementations"]
    assert {each["implementation"]: each["timed_certified"] for each in verdicts} == expected


def test_the_document_of_bench_marks_rows_and_units(mixed):
    folder, summary = mixed
    document = timing_table.document(summary, folder, Outcome.PASS)
    [group] = document["groups"]
    for parts in (group["implementations"], document["units"]):
        assert {each["implementation"]: each["certified"] for each in parts} == {
            "caf": False,
            "erlang": True,
        }


def test_the_table_of_bench_marks_the_row_by_its_name(mixed, capsys):
    folder, summary = mixed
    timing_table.print_all(summary, folder, Outcome.PASS)
    table = capsys.readouterr().out.partition("warning:")[0]
    assert marked_alone(table.splitlines())


def test_a_unit_that_is_told_of_while_timing_is_marked():
    told = [timing_table.line(UnitRecord.model_validate(each)) for each in _failed_units()]
    assert marked_alone(told)


def _failed_units():
    for name, certified in (("caf", False), ("erlang", True)):
        yield unit(name, certified=certified, outcome=Outcome.FAIL, message=ENDED).model_dump()


def test_cautions_mark_every_figure_that_they_name(mixed):
    _, summary = mixed
    named = [
        part
        for warning in summary.warnings
        if not warning.startswith("Timed without a certificate")
        for part in warning.rstrip(".").partition(": ")[2].split("; ")
    ]
    assert marked_alone(named)


def _page(folder):
    return (folder / HTML).read_text(encoding="utf-8")


def test_the_page_marks_every_row_of_every_table_of_timings(mixed):
    section = _page(mixed[0]).partition('<section id="timings">')[2]
    section = section.partition('<section id="findings">')[0]
    rows = re.findall(r"<tr data-of=.*?</tr>", section, re.S)
    assert len([row for row in rows if "caf" in row]) == 4  # timings, ledger, invalid, units
    assert marked_alone(rows)
    cells = re.findall(r"<td[^>]* data-of=.*?</td>", section, re.S)
    assert len(cells) == 2  # the overview
    assert marked_alone(cells)


def test_the_page_marks_the_names_in_the_notes_below_a_table(mixed):
    [notes] = re.findall(r'<p class="note">clients.*?</p>', _page(mixed[0]), re.S)
    spoken = re.findall(r"(?:caf|erlang)(?: \(uncertified\))? \S+", notes)
    assert len(spoken) == 6  # warm-up, outliers, builds
    assert marked_alone(spoken)


def test_the_page_marks_the_receipts_of_level_5(mixed):
    section = re.search(r'<section id="verdicts">.*?</section>', _page(mixed[0]), re.S)[0]
    assert marked_alone(re.findall(r"<tr data-of=.*?</tr>", section, re.S))


@pytest.fixture
def drawing(mixed):
    """The one chart of the page."""
    return ET.fromstring(re.search(r"<svg.*?</svg>", _page(mixed[0]), re.S)[0])


def test_a_chart_marks_the_label_of_a_row(drawing):
    texts = [(each.get("class"), each.text) for each in drawing.iter("text")]
    after = texts[texts.index(("label", "caf")) + 1]
    assert after[0] == "note"
    assert UNCERTIFIED in after[1]
    assert UNCERTIFIED not in texts[texts.index(("label", "erlang")) + 1][1]


def test_a_chart_draws_every_sample_as_a_ring_and_says_so_of_each(drawing):
    rings, dots = (
        [each for each in drawing.iter("g") if each.get("class") == kind]
        for kind in ("dots hollow", "dots")
    )
    assert (len(rings), len(dots)) == (1, 1)
    assert all(UNCERTIFIED in title.text for title in rings[0].iter("title"))
    assert not any(UNCERTIFIED in title.text for title in dots[0].iter("title"))


def test_a_chart_explains_its_rings_itself_and_to_those_who_hear_it(drawing):
    assert f"rings: {UNCERTIFIED}" in [text.text for text in drawing.iter("text")]
    assert marked_alone(drawing.get("aria-label").partition(": ")[2].split(", "))


def test_a_chart_without_rings_explains_none(tmp_path):
    write_samples(tmp_path, *_records("erlang", certified=True))
    write_all(tmp_path)
    assert f"rings: {UNCERTIFIED}" not in _page(tmp_path)


def test_junit_marks_the_test_case_and_its_message(mixed):
    root = ET.parse(mixed[0] / JUNIT).getroot()
    messages, properties = [], {}
    for found in root.iter("testcase"):
        name = found.get("classname")
        messages += [f"{name} {result.get('message')}" for result in found if result.get("message")]
        for each in found.iter("property"):
            if each.get("name") == "certified":
                properties[name.partition(".")[0]] = each.get("value")
    assert marked_alone(messages)
    assert properties == {"caf": "false", "erlang": "true"}


def test_programs_side_by_side_are_marked_too(monkeypatch):
    monkeypatch.syspath_prepend(paths.ROOT / "harness" / "benchmarks")
    import side_by_side

    monkeypatch.setattr(side_by_side, "is_certified", lambda made: made == "certified")
    assert side_by_side.marked("ours", "certified") == "ours"
    assert side_by_side.marked("ours", "other") == f"ours ({UNCERTIFIED})"


AUDIT_FAILED = "audit failed"


@pytest.fixture(scope="module")
def unsound(tmp_path_factory):
    """Both builds were timed under a certificate; an audit of ``caf`` failed."""
    folder = tmp_path_factory.mktemp("results") / "unsound"
    of_caf = _records("caf", certified=True)
    for record in of_caf:
        if isinstance(record, UnitRecord):
            record.certified, record.mark = False, AUDIT_FAILED
    write_samples(folder, *of_caf, *_records("erlang", certified=True))
    return folder, write_all(folder)


def test_a_certified_build_whose_audit_failed_is_not_called_uncertified(unsound, capsys):
    folder, summary = unsound
    timing_table.print_all(summary, folder, Outcome.FAIL)
    said = capsys.readouterr().out
    assert "caf (audit failed)" in said
    assert UNCERTIFIED not in said
    section = _page(folder).partition('<section id="timings">')[2]
    rows = re.findall(r"<tr data-of=.*?</tr>", section, re.S)
    of_caf = [row for row in rows if "caf" in row]
    assert of_caf and all(AUDIT_FAILED in row for row in of_caf)
    assert not any(AUDIT_FAILED in row for row in rows if "caf" not in row)
    assert not any(UNCERTIFIED in row for row in rows)
    messages = [
        result.get("message")
        for found in ET.parse(folder / JUNIT).getroot().iter("testcase")
        for result in found
        if (found.get("classname") or "").startswith("caf") and result.get("message")
    ]
    assert messages and all(AUDIT_FAILED in message for message in messages)


def test_a_caution_tells_what_has_no_certificate_from_what_did_not_pass(unsound):
    _, summary = unsound
    assert not any("Timed without a certificate" in warning for warning in summary.warnings)
    [said] = [each for each in summary.warnings if each.startswith("Certified builds whose")]
    assert "caf (audit failed)" in said
    assert "erlang" not in said
