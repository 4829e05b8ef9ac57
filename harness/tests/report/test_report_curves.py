"""A sweep is one curve, with its gaps."""

import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from report_records import audited, sample, unit

from dramaturg import results
from dramaturg.outcomes import Outcome
from dramaturg.report import html, pictures, report_files
from dramaturg.report.curve_plot import Line, Mark, across_for, curve_plot
from dramaturg.report.summary import Curve, Summary
from dramaturg.results import Writer

SVG = "{http://www.w3.org/2000/svg}"
ENTRY = "thesis/T5"


def at(value: Any, axis: str = "delay", **more: Any) -> dict[str, Any]:
    return {
        "points": [{"entry": ENTRY, "axes": {axis: value, **more}}],
        "network": {"kind": "mininet", "nodes": 2, axis: value},
    }


def measured(implementation: str, value: Any, millis: float, **values: Any) -> list[Any]:
    """Three invocations at one value, the middle one of which takes so many milliseconds."""
    return [
        record
        for number in range(3)
        for record in audited(
            *(
                sample(
                    implementation, **at(value), invocation=number, iteration=iteration,
                    run_nanos=int(millis * 1e6 * (0.9 + 0.1 * number)), **values,
                )
                for iteration in range(2)
            ),
            points=at(value)["points"],
        )
    ]  # fmt: skip


def summary(folder: Path, *records: Any, complete: bool = True, **header: Any) -> Summary:
    with Writer(folder / results.TIMINGS, **header) as writer:
        for record in records:
            writer.write(record)
        if not complete:
            writer.abandon()
    return report_files.summarise(folder)


def curve(folder: Path, *records: Any, **rest: Any) -> Curve:
    (found,) = summary(folder, *records, **rest).curves
    return found


def test_the_points_of_a_sweep_are_one_line_for_each_implementation(tmp_path: Path) -> None:
    found = curve(
        tmp_path,
        *measured("erlang", 8, 80),
        *measured("erlang", 0, 10),
        *measured("caf", 0, 40, messages=100_000),
    )
    assert (found.entry, found.axis, found.unit, found.values) == (ENTRY, "delay", "ms", [0, 8])
    caf, erlang = found.lines
    assert [point.value for point in erlang.points] == [0, 8]
    assert [point.run.value for point in erlang.points] == [10e6, 80e6]
    assert caf.points[0].cost is not None
    assert caf.points[0].cost.value == pytest.approx(400)
    assert caf.points[0].run.low is not None
    assert (caf.points[0].samples, caf.points[0].invocations) == (6, 3)


def test_a_value_without_a_figure_is_a_gap_with_its_reason(tmp_path: Path) -> None:
    refused = unit("akka", **at(8), outcome=Outcome.UNSUPPORTED, message="no", invocation=None)
    found = curve(tmp_path, *measured("akka", 0, 10), refused)
    (gap,) = found.lines[0].gaps
    assert (gap.value, gap.outcome, gap.message) == (8, Outcome.UNSUPPORTED, "no")
    assert [point.value for point in found.lines[0].points] == [0]
    text = html.document(summary(tmp_path / "again", *measured("akka", 0, 10), refused))
    assert "Values without a figure" in text
    assert "delay 8" in text


def test_a_value_that_was_planned_and_not_reached_is_a_gap(tmp_path: Path) -> None:
    planned = {"implementation": "caf", "scenario": {"benchmark": "big"}, **at(16)}
    found = curve(tmp_path, *measured("caf", 0, 10), complete=False, plan={"units": [planned]})
    assert found.values == [0, 16]
    (gap,) = found.lines[0].gaps
    assert (gap.value, gap.outcome) == (16, Outcome.NOT_RUN)


@pytest.mark.parametrize("plan", [None, 3, {"units": 3}, {"units": [{"points": 3}]}])
def test_a_plan_that_cannot_be_read_costs_no_curve(tmp_path: Path, plan: Any) -> None:
    assert curve(tmp_path, *measured("caf", 0, 10), plan=plan).values == [0]


def test_invalid_and_warm_up_iterations_enter_no_point(tmp_path: Path) -> None:
    bad = [sample("caf", **at(4), valid=False), sample("caf", **at(4), warmup=True)]
    found = curve(tmp_path, *bad, unit("caf", **at(4), outcome=Outcome.FAIL, message="wrong"))
    assert found.lines[0].points == []
    assert found.lines[0].gaps[0].outcome is Outcome.FAIL


def test_a_second_axis_gives_a_curve_for_each_of_its_values(tmp_path: Path) -> None:
    records = [
        sample("caf", points=[{"entry": "broker/1", "axes": {"size": size, "employees": many}}])
        for size in (4, 64)
        for many in (1, 16)
    ]
    found = summary(tmp_path, *records).curves
    assert [(each.axis, each.fixed, each.values) for each in found] == [
        ("size", {"employees": 1}, [4, 64]),
        ("size", {"employees": 16}, [4, 64]),
    ]


def test_a_curve_is_a_picture_of_its_own(tmp_path: Path) -> None:
    made = summary(tmp_path, *measured("erlang", 0, 10), *measured("erlang", 8, 80))
    (name,) = [name for name in pictures.pictures(made) if name.startswith("curve")]
    ET.fromstring(pictures.pictures(made)[name])


def drawn(*lines: Line, values: list[Any]) -> ET.Element:
    return ET.fromstring(str(curve_plot(lines, values, "delay in ms", "messages/s", "t")))


def test_values_at_equal_distances_are_written_at_equal_distances() -> None:
    marks = [Mark(at, 1.0 + at) for at in range(32)]
    root = drawn(Line("caf", marks), values=list(range(32)))
    written = [text.text for text in root.iter("text") if text.get("text-anchor") == "middle"]
    assert [said for said in written if said and said.isdigit()] == [
        str(at) for at in range(0, 32, 2)
    ]


def test_no_line_is_drawn_over_a_gap() -> None:
    line = Line("caf", [Mark(value, 5.0, 4.0, 6.0) for value in (1, 2, 4, 5)])
    found = drawn(line, values=[1, 2, 3, 4, 5])
    assert len(found.findall(".//polyline")) == 2
    assert len(found.findall(".//polygon")) == 2
    assert len(found.findall(".//circle")) == 4


def test_words_are_not_joined() -> None:
    line = Line("caf", [Mark("plain", 5.0, 4.0, 6.0), Mark("sharing", 6.0)])
    found = drawn(line, values=["plain", "sharing"])
    assert found.findall(".//polyline") == []
    assert len(found.findall(".//line[@class='whisker']")) == 1


@pytest.mark.parametrize(
    ("values", "log", "zero"),
    [
        ([1, 2, 4, 8], True, False),
        ([0, 1, 2, 4, 8], True, True),
        ([2, 4, 8, 16, 24, 32], True, False),
        ([1, 2, 3, 4], False, False),
        ([0, 2, 4, 6, 8, 10], False, False),
        ([0, 10], False, False),
        ([5], False, False),
    ],
)
def test_an_axis_is_logarithmic_where_its_values_are_geometric(
    values: list[Any], log: bool, zero: bool
) -> None:
    across = across_for(values)
    assert (across.log, across.zero) == (log, zero)
    places = list(across.places.values())
    assert places == sorted(places)
    assert len(set(places)) == len(values)


def test_names_at_the_ends_of_lines_do_not_lie_on_each_other() -> None:
    lines = [Line(f"<b>{number}", [Mark(1, 5.0), Mark(2, 5.0)]) for number in range(12)]
    names = drawn(*lines, values=[1, 2]).findall(".//text[@class='name']")
    heights = sorted(float(name.get("y", 0)) for name in names)
    assert all(low + 13 < high for low, high in pairwise(heights))
    assert names[0].text == "<b>0"


def test_uncertified_lines_have_rings() -> None:
    found = drawn(Line("caf", [Mark(1, 5.0)], hollow=True), values=[1])
    assert found.find(".//g[@class='line line-0 hollow']") is not None


def test_a_variant_is_a_value_of_its_implementation(tmp_path: Path) -> None:
    records = [
        sample(name, points=[{"entry": "thesis/T10", "axes": {"variant": variant}}])
        for name, variant in (("caf", "plain"), ("caf+sharing", "sharing"))
    ]
    (found,) = summary(tmp_path, *records).curves
    (line,) = found.lines
    assert line.implementation == "caf"
    assert [point.value for point in line.points] == ["plain", "sharing"]


def test_other_cores_are_another_table(tmp_path: Path) -> None:
    records = [sample("caf", cores=cores) for cores in ([], [0], [0, 1])]
    text = html.document(summary(tmp_path, *records))
    assert len(summary(tmp_path / "again", *records).groups) == 3
    assert "on 1 core<" in text
    assert "on 2 cores<" in text
