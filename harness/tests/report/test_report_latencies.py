"""Latencies over the offered load: which points are shown, where a curve ends, and what stands
beside it."""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hdrh.histogram import HdrHistogram
from report_records import audited, sample

from dramaturg import results
from dramaturg.model import openweb
from dramaturg.model.buckets import bucket_of, count_in, least_of
from dramaturg.report import data, drawings, html, latencies, pictures, report_files
from dramaturg.report.summary import Curve, Latencies, Summary
from dramaturg.results import Writer

ENTRY = "openload/L1"
MILLI = 1_000_000
REQUESTS = 100
GAPS = (40_000, 20_000, 10_000)


def parameters(gap: int) -> dict[str, int]:
    return {"servers": 1, "requests": REQUESTS, "gap": gap, "seed": 42, "fib_n": 10}


def histogram(nanos: Sequence[int]) -> list[int]:
    counts: list[int] = []
    for each in nanos:
        count_in(counts, each)
    return counts


def measured(
    gap: int, latency: Sequence[int], lateness: Sequence[int], *, completed: float = 1.0
) -> list[Any]:
    """Two iterations at one offered load."""
    run = int(openweb.arrivals(REQUESTS, gap, 42)[-1] / completed)
    points = [{"entry": ENTRY, "axes": {"gap": gap}}]
    receipt = {"latency": histogram(latency), "lateness": histogram(lateness)}
    return audited(
        *(
            sample(
                "erlang", benchmark="openweb", scenario="custom", scale="", receipt=receipt,
                parameters=parameters(gap), points=points, iteration=iteration, run_nanos=run,
            )
            for iteration in range(2)
        ),
        points=points,
    )  # fmt: skip


def summary(folder: Path, *records: Any) -> Summary:
    with Writer(folder / results.TIMINGS) as writer:
        for record in records:
            writer.write(record)
    return report_files.summarise(folder)


def curve(folder: Path, *records: Any) -> Curve:
    (found,) = summary(folder, *records).curves
    return found


def loads(found: Curve) -> dict[Any, Latencies]:
    (line,) = found.lines
    return {point.value: point.latency for point in line.points if point.latency}


STEADY = [10 * MILLI] * 98 + [50 * MILLI] * 2
IN_TIME = [MILLI // 100] * 100


def test_percentiles_are_those_of_all_iterations_together(tmp_path: Path) -> None:
    found = loads(curve(tmp_path, *measured(20_000, STEADY, IN_TIME)))[20_000]
    assert found.p50 == pytest.approx(10 * MILLI, rel=0.01)
    assert found.p90 == pytest.approx(10 * MILLI, rel=0.01)
    assert found.p99 == pytest.approx(50 * MILLI, rel=0.01)
    assert found.longest == pytest.approx(50 * MILLI, rel=0.01)
    assert found.lateness_p99 == pytest.approx(MILLI / 100, rel=0.01)
    last = openweb.arrivals(REQUESTS, 20_000, 42)[-1]
    assert found.offered == pytest.approx(REQUESTS * 1e9 / last)
    assert (found.completed, found.hidden) == (pytest.approx(1.0), "")


def test_a_bucket_of_the_specification_is_one_of_the_library() -> None:
    whole = HdrHistogram(1, latencies.LONGEST, latencies.DIGITS)
    for nanos in [*range(1030), *(3**n for n in range(30)), *(2**n - 1 for n in range(2, 50))]:
        bucket = bucket_of(nanos)
        assert least_of(bucket) <= nanos < least_of(bucket + 1)
        assert whole.get_lowest_equivalent_value(nanos) == least_of(bucket)
        assert whole.get_highest_equivalent_value(nanos) == least_of(bucket + 1) - 1


@pytest.mark.parametrize(("late", "shown"), [(9 * MILLI // 10, True), (11 * MILLI // 10, False)])
def test_a_point_whose_source_was_late_is_not_shown(tmp_path: Path, late: int, shown: bool) -> None:
    lateness = [MILLI // 100] * 98 + [late] * 2
    found = curve(tmp_path, *measured(20_000, [10 * MILLI] * 100, lateness))
    assert ("OPEN-7" not in loads(found)[20_000].hidden) is shown
    assert (drawings.latency(found) is not None) is shown
    page = html.document(summary(tmp_path / "page", *measured(20_000, STEADY, lateness)))
    assert ("lateness is 1.11 ms at the 99th percentile" in page) is not shown


def test_a_curve_ends_where_less_than_95_of_100_are_completed(tmp_path: Path) -> None:
    found = loads(
        curve(
            tmp_path,
            *measured(GAPS[0], STEADY, IN_TIME, completed=0.951),
            *measured(GAPS[1], STEADY, IN_TIME, completed=0.94),
            # Behind the end, whatever it says.
            *measured(GAPS[2], STEADY, IN_TIME, completed=0.99),
        )
    )
    assert [bool(found[gap].hidden) for gap in GAPS] == [False, True, True]
    assert "94.0% of" in found[GAPS[1]].hidden
    assert "(OPEN-8)" in found[GAPS[2]].hidden


def test_the_picture_has_the_load_across_and_two_lines(tmp_path: Path) -> None:
    records = [each for gap in GAPS for each in measured(gap, STEADY, IN_TIME)]
    whole = summary(tmp_path, *records)
    (name,) = (name for name in pictures.pictures(whole) if name.startswith("latency"))
    drawn = pictures.pictures(whole)[name]
    assert "requests per second that are offered" in drawn
    assert "erlang, median" in drawn
    assert "erlang, 99 %" in drawn
    assert drawn.count("<circle") == 2 * len(GAPS)


def test_the_data_have_hidden_points_with_their_reason(tmp_path: Path) -> None:
    late = [5 * MILLI] * 100
    found = curve(tmp_path, *measured(GAPS[1], STEADY, IN_TIME), *measured(GAPS[0], STEADY, late))
    first, second = csv.DictReader(data.of_latencies(found).text().splitlines())
    assert (first["gap"], first["hidden"]) == (str(GAPS[1]), "")
    assert "OPEN-7" in second["hidden"]
    assert float(second["lateness_p99_nanos"]) == pytest.approx(5 * MILLI, rel=0.01)


@pytest.mark.parametrize(
    "receipt",
    [{}, {"latency": 3, "lateness": [1]}, {"latency": [-1], "lateness": [1]},
     {"latency": [0], "lateness": [1]}, {"latency": [1] * 9999, "lateness": [1]}],
)  # fmt: skip
def test_a_record_that_cannot_be_read_has_no_latencies(tmp_path: Path, receipt: Any) -> None:
    records = measured(20_000, STEADY, IN_TIME)
    records[:2] = [record.model_copy(update={"receipt": receipt}) for record in records[:2]]
    assert loads(curve(tmp_path, *records)) == {}


def test_another_benchmark_has_no_latencies(tmp_path: Path) -> None:
    points = [{"entry": "mine/1", "axes": {"rounds": 5}}]
    found = curve(tmp_path, *audited(sample("erlang", points=points), points=points))
    assert loads(found) == {}
    assert drawings.latency(found) is None
    assert data.of_latencies(found).rows == []
