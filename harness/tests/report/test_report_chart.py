"""Axes, and what is drawn where."""

import xml.etree.ElementTree as ET

import pytest

from dramaturg.report import formatting
from dramaturg.report.chart import LOG_FROM, Dot, Row, axis_for, interval_plot

SVG = "{http://www.w3.org/2000/svg}"


def drawn(*rows):
    text = str(interval_plot(rows, "run time in ms", "run times"))
    return ET.fromstring(text)


def row(*values, **rest):
    return Row("erlang", dots=[Dot(value) for value in values], **rest)


def test_an_axis_is_logarithmic_only_beyond_the_stated_span():
    assert not axis_for([1.0, LOG_FROM]).log
    assert axis_for([1.0, LOG_FROM * 1.01]).log


@pytest.mark.parametrize(
    "values", [[5.0], [0.0], [0.0, 3.0], [1.0, 1.0001], [1.0, 25.0], [1e-3, 1e9], [17.0, 190.0]]
)
def test_every_axis_has_ticks_and_holds_every_value(values):
    axis = axis_for(values)
    assert axis.low <= min(values) <= max(values) <= axis.high
    assert 2 <= len(axis.ticks) <= 12
    assert axis.ticks == sorted(set(axis.ticks))
    assert all(axis.low <= tick <= axis.high for tick in axis.ticks)


def test_every_sample_is_a_dot():
    assert len(drawn(row(1.0, 2.0, 3.0), row(4.0)).findall(".//circle")) == 4


def test_the_median_and_its_interval_are_drawn_and_only_if_known():
    known = drawn(row(1.0, 2.0, 3.0, median=2.0, low=1.0, high=3.0))
    assert known.findall(".//rect[@class='interval']")
    assert known.findall(".//line[@class='median']")
    assert not drawn(row(1.0, median=1.0)).findall(".//rect")


def test_a_logarithmic_axis_says_so_beside_its_unit():
    labels = [text.text for text in drawn(row(1.0, 100.0)).findall(".//text[@class='axis']")]
    assert labels == ["run time in ms, logarithmic"]


def test_uncertified_rows_are_drawn_as_rings():
    assert drawn(row(1.0, hollow=True)).findall(".//g[@class='dots hollow']")


def test_what_implementations_are_called_is_never_markup():
    hostile = Row("<b>&", note='"', dots=[Dot(1.0, "<i>")])
    assert drawn(hostile).findall(".//text[@class='label']")[0].text == "<b>&"


def test_a_column_of_durations_has_one_unit_and_lines_up():
    unit = formatting.for_durations([2_130_000, 900_000_000])
    assert (unit.name, unit.spell(2_130_000), unit.spell(900_000_000)) == ("ms", "2.130", "900.000")


@pytest.mark.parametrize(
    ("nanos", "text"),
    [(3, "3 ns"), (1_500, "1.500 µs"), (41_234_567, "41.23 ms"), (20_400_000_000, "20.40 s")],
)
def test_a_duration_keeps_four_digits(nanos, text):
    assert formatting.duration(nanos) == text


def test_long_lists_are_cut_and_say_so():
    assert formatting.spell(list(range(40))).endswith("… 24 more]")
