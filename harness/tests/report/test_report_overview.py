"""The overview, the drawings of invocations and turns, and the data behind each."""

import csv
import io
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from report_records import audited, sample, write_samples
from report_timed import CAST, INVOCATIONS, ITERATIONS, ledger, session

from dramaturg.report import data, drawings, filtered, html, invocations, ledgers, matrix
from dramaturg.report.report_files import summarise
from dramaturg.report.summary import Summary, TimingGroup

HOSTILE = '=1+1"],[x="\\</style><script>alert(1)</script>'


@pytest.fixture(scope="module")
def timed(tmp_path_factory: pytest.TempPathFactory) -> Summary:
    folder = tmp_path_factory.mktemp("timed")
    session(folder)
    return summarise(folder)


@pytest.fixture(scope="module")
def chatapp(timed: Summary) -> TimingGroup:
    [group] = [group for group in timed.groups if group.benchmark == "chatapp"]
    return group


def rows_of(table: data.Table) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(table.text())))


def measured(name: str, millis: float, invocations: int = 5, **values: Any) -> list[Any]:
    return [
        record
        for number in range(invocations)
        for record in audited(
            *(
                sample(name, invocation=number, iteration=at,
                       run_nanos=int(millis * 1e6 * (1 + 0.001 * number)), **values)
                for at in range(2)
            )
        )
    ]  # fmt: skip


def overview(folder: Path, *records: Any) -> dict[str, matrix.Cell]:
    write_samples(folder, *records)
    [row] = matrix.overview(summarise(folder)).rows
    return {cell.timed.implementation: cell for cell in row.cells}


# --- the overview ---


def test_each_is_held_against_the_fastest_certified_one(tmp_path: Path) -> None:
    cells = overview(
        tmp_path,
        *measured("caf", 20), *measured("erlang", 50),
        *measured("go", 10, certified=False),
    )  # fmt: skip
    assert {name: cell.said for name, cell in cells.items()} == {
        "caf": "1.00", "erlang": "2.50", "go": "0.50",
    }  # fmt: skip
    assert cells["caf"].place == "1"
    assert cells["erlang"].place == "2"
    assert cells["go"].place == ""
    assert any("without a certificate" in said for said in cells["go"].cautions)
    assert cells["caf"].cautions == []
    assert cells["caf"].audited == "audited 100%"


def test_of_a_given_run_time_what_happened_in_it_is_compared(tmp_path: Path) -> None:
    """Windowed forms (WIN-1): the one that sends more messages in the same time is ahead."""
    windowed = {"benchmark": "bang", "parameters": {"windows": 3, "window": 1000}}
    cells = overview(
        tmp_path,
        *measured("caf", 3000, messages=168_000, **windowed),
        *measured("erlang", 3000, messages=150_000, **windowed),
    )  # fmt: skip
    assert {name: (cell.said, cell.place) for name, cell in cells.items()} == {
        "caf": ("1.00", "1"), "erlang": ("1.12", "2"),
    }  # fmt: skip
    assert cells["erlang"].time.endswith(" a message")
    text = html.document(summarise(tmp_path))
    assert text.count("run time a message in µs") >= 2
    assert "run time in" not in text


def test_intervals_that_overlap_share_their_places(tmp_path: Path) -> None:
    cells = overview(tmp_path, *measured("caf", 20), *measured("erlang", 20.01))
    assert [cell.place for cell in cells.values()] == ["1–2", "1–2"]


def test_nothing_is_a_ratio_to_what_is_not_certified(tmp_path: Path) -> None:
    cells = overview(tmp_path, *measured("caf", 20, certified=False), sample("go", valid=False))
    assert [cell.said for cell in cells.values()] == ["–", "–"]
    assert cells["go"].time == "no valid sample"
    assert cells["go"].audited == "no audit"


def test_each_caution_of_a_row_is_counted_where_the_row_is_shown(tmp_path: Path) -> None:
    dear = measured("caf", 20, ledger=ledger(20_000_000, harness_nanos=2_000_000))
    cells = overview(tmp_path, *dear, *measured("go", 20))
    assert [re.sub(r" \(.*", "", said) for said in cells["caf"].cautions] == [
        "The harness itself took more than 1% of the run time on all cores"
    ]
    text = html.document(summarise(tmp_path))
    assert ">1 caution<" in text
    assert text.count("cautions<") == text.count("caution<") - 1 == 0


def test_the_harness_is_held_against_the_cores_that_may_be_used(tmp_path: Path) -> None:
    """About 1.5 % of the one core, and half of that of the two that the machine has."""
    took = ledger(20_000_000, harness_nanos=300_000, machine_cores=2)
    for cores, marked in (([0], True), ([], False)):
        cells = overview(tmp_path / f"{len(cores)}", *measured("caf", 20, ledger=took, cores=cores))
        said = [text for text in cells["caf"].cautions if text.startswith("The harness itself")]
        assert bool(said) is marked


# --- invocations and turns ---


def drawn(group: TimingGroup, summary: Summary) -> ET.Element:
    return ET.fromstring(str(invocations.drawing(group, drawings.colours(summary))))


def test_each_invocation_is_a_dot_in_each_panel(timed: Summary, chatapp: TimingGroup) -> None:
    root = drawn(chatapp, timed)
    for name in CAST:
        legend, *panels = root.findall(f"g[@data-of='{name}']")
        assert len(legend.findall("circle")) == 1
        # Times, cores busy, harness, steal and waits for a core; nobody waited for the rest.
        assert [len(panel.findall("circle")) for panel in panels] == [INVOCATIONS] * 5


def test_a_disturbed_invocation_is_told_by_its_steal(timed: Summary, chatapp: TimingGroup) -> None:
    of = drawn(chatapp, timed).findall("g[@data-of='erlang']")[4]
    heights = [float(dot.get("cy", "0")) for dot in of.findall("circle")]
    assert heights.index(min(heights)) == 3
    assert sorted(heights)[1] - min(heights) > 30


def test_what_no_record_tells_has_no_panel(tmp_path: Path) -> None:
    write_samples(tmp_path, *measured("caf", 20), *measured("go", 21))
    summary = summarise(tmp_path)
    [group] = summary.groups
    words = {text.text for text in drawn(group, summary).iter("text")}
    assert "run time in ms" in words
    assert not [said for said in words if said and ("steal" in said or "pressure" in said)]
    [row, _] = ledgers.rows(group)
    assert row["steal"] == row["left_over"] == "–"


def test_an_implementation_has_one_colour_in_all_drawings(timed: Summary) -> None:
    text = html.document(timed)
    for number, name in enumerate(sorted(CAST)):
        found = set(re.findall(rf'class="line line-(\d)" data-of="{name}"', text))
        assert found == {str(number)}


def test_turns_are_a_line_for_each_implementation(timed: Summary, chatapp: TimingGroup) -> None:
    root = ET.fromstring(str(drawings.timeline(chatapp, drawings.colours(timed))))
    assert len(root.findall(".//polyline")) == len(CAST)
    assert len(root.findall(".//polygon")) == len(CAST)


# --- data ---


def test_the_data_are_what_is_drawn(timed: Summary, chatapp: TimingGroup) -> None:
    samples, turns, invoked, ledgered = (rows_of(table) for table in data.of_group(chatapp))
    assert len(samples) == len(CAST) * INVOCATIONS * ITERATIONS
    assert len(turns) == len(CAST) * 32
    assert len(invoked) == len(CAST) * INVOCATIONS
    assert [row["implementation"] for row in ledgered] == sorted(CAST)
    [slow] = [row for row in invoked if float(row["steal_share"]) > 0.1]
    assert (slow["implementation"], slow["invocation"]) == ("erlang", "3")
    erlang = chatapp.implementations[1]
    assert [int(row["run_nanos"]) for row in samples if row["implementation"] == "erlang"] == [
        of.run_nanos for of in erlang.samples
    ]


def test_the_data_of_a_curve_say_what_is_missing_and_why(timed: Summary) -> None:
    [curve] = timed.curves
    rows = rows_of(data.of_curve(curve))
    assert len(rows) == len(CAST) * len(curve.values)
    [gap] = [row for row in rows if not row["run_nanos"]]
    assert (gap["implementation"], gap["delay_ms"]) == ("go", "16")
    assert gap["missing"] == "crash: signal 11"


def test_a_link_has_the_whole_file_in_it(timed: Summary) -> None:
    table = data.of_overview(matrix.overview(timed))
    found = re.search(r'href="data:text/csv;charset=utf-8,([^"]*)"', str(data.link(table)))
    assert found is not None
    assert unquote(found[1].replace("&amp;", "&")) == table.text()


@pytest.mark.parametrize("name", [HOSTILE, "\ud800", "=x", "\u202e"])
def test_an_axis_may_be_called_anything(timed: Summary, name: str) -> None:
    table = data.of_curve(timed.curves[0].model_copy(update={"axis": name, "entry": name}))
    found = str(data.link(table))
    assert "<script" not in found
    assert len(rows_of(table)) == len(CAST) * len(timed.curves[0].values)


def test_no_spreadsheet_takes_a_name_for_a_formula(tmp_path: Path) -> None:
    for name in ("=1+1", "+1", "-1", "@x", "\tx"):
        table = data.Table("rows", "x", ["name"], [[name]])
        assert not rows_of(table)[0]["name"].startswith(("=", "+", "-", "@", "\t"))
    assert data.Table("rows", "../../a b", [], []).file == "a-b-rows.csv"


# --- the choice of implementations ---


def test_whatever_an_implementation_is_called_it_stays_a_name(tmp_path: Path) -> None:
    write_samples(tmp_path, *measured(HOSTILE, 20), *measured("go", 21))
    summary = summarise(tmp_path)
    assert [choice.name for choice in filtered.choices(summary)] == [HOSTILE, "go"]
    text = html.document(summary)
    assert "<script" not in text
    assert text.count("</style>") == 1


def test_there_is_nothing_to_choose_of_one(tmp_path: Path) -> None:
    write_samples(tmp_path, *measured("caf", 20))
    assert '<form class="filter"' not in html.document(summarise(tmp_path))
