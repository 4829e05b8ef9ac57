"""Every range that the proto files state can be evaluated, and says what is out of it."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message_factory import GetMessageClass

from dramaturg.model import ranges
from dramaturg.v2 import benchmarks_pb2, case_pb2, control_pb2, options_pb2, trace_pb2

FILES = (benchmarks_pb2, control_pb2, case_pb2, trace_pb2)


def messages(found: Any) -> Iterator[Descriptor]:
    for descriptor in found:
        yield descriptor
        yield from messages(descriptor.nested_types)


def option_of(field: FieldDescriptor) -> str:
    options: Any = field.GetOptions()
    return str(options.Extensions[options_pb2.range])


RANGED = [
    (descriptor, field)
    for file in FILES
    for descriptor in messages(file.DESCRIPTOR.message_types_by_name.values())
    for field in descriptor.fields
    if option_of(field)
]
WINDOWED = [(descriptor, field) for descriptor, field in RANGED if "|" in option_of(field)]


def named(pair: Any) -> str:
    return ".".join(each.name for each in pair)


@pytest.mark.parametrize("ranged", RANGED, ids=named)
def test_every_range_is_of_its_own_message_and_has_a_value_in_it(
    ranged: tuple[Descriptor, FieldDescriptor],
) -> None:
    descriptor, field = ranged
    text = ranges.of_fields(GetMessageClass(descriptor))[field.name]
    most = {each.name: 2**32 - 1 for each in descriptor.fields}
    for windows in (0, 1):
        low, high = ranges.evaluate(text, SimpleNamespace(**most | {"windows": windows}))
        assert 0 <= low <= high < 2**32
    assert ranges.low(text) == ranges.evaluate(text, SimpleNamespace(**most | {"windows": 0}))[0]


@pytest.mark.parametrize("benchmark", benchmarks_pb2.Benchmark.DESCRIPTOR.fields_by_name)
def test_every_number_of_a_benchmark_has_a_range(benchmark: str) -> None:
    message = type(getattr(benchmarks_pb2.Benchmark(), benchmark))
    numbers = {f.name for f in message.DESCRIPTOR.fields if f.type != FieldDescriptor.TYPE_BOOL}
    assert ranges.of_fields(message).keys() == numbers


def test_every_number_of_a_watch_has_a_range() -> None:
    fields = control_pb2.Watch.DESCRIPTOR.fields_by_name
    assert ranges.of_fields(control_pb2.Watch).keys() == set(fields)


def test_an_end_may_be_another_field() -> None:
    assert ranges.evaluate("1..clients", SimpleNamespace(clients=12)) == (1, 12)
    assert ranges.evaluate("low..high", SimpleNamespace(low=3, high=4)) == (3, 4)


@pytest.mark.parametrize(("windows", "expected"), [(0, (1, 9)), (1, (0, 0)), (30, (0, 0))])
def test_what_stands_behind_the_bar_is_for_the_windowed_form(
    windows: int, expected: tuple[int, int]
) -> None:
    assert ranges.evaluate("1..9 | 0..0", SimpleNamespace(windows=windows)) == expected


def test_a_range_without_a_bar_is_that_of_both_forms() -> None:
    assert ranges.evaluate("1..9", SimpleNamespace(windows=3)) == (1, 9)


def test_the_low_end_is_that_of_the_counted_form() -> None:
    assert [ranges.low(text) for text in ("1..9 | 0..0", "0..0 | 1..60000", "2..x")] == [1, 0, 2]


@pytest.mark.parametrize("windowed", WINDOWED, ids=named)
def test_only_benchmarks_that_have_windows_have_ranges_for_them(
    windowed: tuple[Descriptor, FieldDescriptor],
) -> None:
    assert "windows" in windowed[0].fields_by_name


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ({"rounds": 3}, []),
        ({"rounds": 0}, ["rounds is 0; it must be in 1..4294967295"]),
        ({"rounds": 3, "window": 5}, ["window is 5; it must be in 0..0"]),
        ({"windows": 2, "window": 5}, []),
        ({"rounds": 1, "windows": 2, "window": 5}, ["rounds is 1; it must be in 0..0"]),
        ({"windows": 2}, ["window is 0; it must be in 1..60000"]),
        (
            {"windows": 86_401, "window": 60_001},
            ["windows is 86401; it must be in 0..86400", "window is 60001; it must be in 1..60000"],
        ),
    ],
)
def test_what_is_out_of_range_is_named_with_its_value_and_its_range(
    values: dict[str, int], found: list[str]
) -> None:
    message = benchmarks_pb2.PingPongParameters(**values)
    assert ranges.problems(message, message) == found


def test_anything_with_the_fields_as_attributes_can_be_held_against_them() -> None:
    values = SimpleNamespace(runners=0, tasks=1, window=0)
    assert ranges.problems(benchmarks_pb2.FanoutParameters, values) == [
        "runners is 0; it must be in 1..1048576"
    ]
