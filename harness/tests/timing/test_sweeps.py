"""An entry may have axes: each of its points is timed as an entry of its own would be."""

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from dramaturg.net.topology import Link
from dramaturg.records import Point
from dramaturg.timing.planning import suites, timing_plan
from dramaturg.timing.planning.suites import NetworkRequest, SuiteError

NODES = {"benchmark": "big", "scale": "small", "sweep": {"nodes": [1, 2, 4]}}


def planned(
    *entries: dict[str, Any], names: tuple[str, ...] = ("one", "other")
) -> timing_plan.Plan:
    suite = suites.checked({"suite": "test", "benchmarks": list(entries)})
    return timing_plan.make([suite], names, seed=1)


def refusal(**entry: Any) -> str:
    with pytest.raises(SuiteError) as caught:
        planned({"benchmark": "big", "scale": "small"} | entry)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_each_point_is_a_unit_of_each_implementation_and_knows_where_it_stands() -> None:
    units = planned(NODES).units
    assert [(unit.network.nodes, unit.implementation) for unit in units] == [
        (nodes, name) for nodes in (1, 2, 4) for name in ("one", "other")
    ]
    assert units[2].points == (Point(entry="test/1", axes={"nodes": 2}),)
    assert "nodes 2" in str(units[2])


def test_an_entry_without_a_sweep_is_one_point_at_no_value() -> None:
    (unit,) = planned({"benchmark": "pingpong"}, names=("one",)).units
    assert unit.points == (Point(entry="test/1"),)


def test_a_parameter_is_an_axis_and_makes_a_scenario_of_its_own() -> None:
    units = planned({"benchmark": "fanout", "sweep": {"window": [1, 10, 100]}}).units
    assert {unit.scenario.name for unit in units} == {"custom"}
    assert [unit.scenario.parameters["window"] for unit in units[::2]] == [1, 10, 100]
    assert len({unit.scenario.parameters["tasks"] for unit in units}) == 1


def test_history_and_selection_are_parameters_as_others_are() -> None:
    units = planned(
        {"benchmark": "chatapp", "scale": "tiny", "sweep": {"history": [False, True]}},
        {"benchmark": "chatapp", "scale": "tiny", "sweep": {"selection": ["cascade"]}},
    ).units
    assert [unit.scenario.parameters["history"] for unit in units[::2]] == [False, True, True]


def test_broker_takes_two_axes_and_has_every_pair() -> None:
    sweep = {"size": [4, 64], "employees": [1, 2, 8]}
    units = planned({"benchmark": "broker", "scale": "tiny", "sweep": sweep}).units[::2]
    found = [(u.scenario.parameters["size"], u.scenario.parameters["employees"]) for u in units]
    assert found == [(size, workers) for size in (4, 64) for workers in (1, 2, 8)]


def test_what_two_entries_have_in_common_is_run_once_and_belongs_to_both() -> None:
    other = {"benchmark": "big", "scale": "small", "network": {"nodes": 2}, "name": "T3"}
    units = planned(NODES, other, names=("one",)).units
    assert len(units) == 3
    assert [point.entry for point in units[1].points] == ["test/1", "test/T3"]


def test_a_plan_with_sweeps_survives_the_header_of_the_results() -> None:
    made = planned(NODES, {"benchmark": "broker", "sweep": {"size": [4], "employees": [1]}})
    again = timing_plan.Plan.model_validate_json(made.model_dump_json())
    assert again == made
    assert again.order() == made.order()


def test_the_points_of_a_sweep_are_interleaved() -> None:
    order = planned(NODES).order()
    per_round = len(planned(NODES).units)
    for first, last in pairwise(range(0, len(order) + 1, per_round)):
        assert {unit for unit, _ in order[first:last]} == set(planned(NODES).units)


def test_zero_of_an_axis_is_shaped_as_its_other_points_are() -> None:
    """Today's 0 would have no qdisc, and then the first step of a curve is that of a qdisc."""
    for axis in ("delay", "loss"):
        entry = NODES | {"network": {"nodes": 2}, "sweep": {axis: [0, 1]}}
        zero, one = (unit.network for unit in planned(entry, names=("one",)).units)
        assert zero.link.shaped
        assert zero.link.delayed == one.link.delayed
        assert zero.asked() == {"nodes": 2, axis: 0}
    assert not NetworkRequest(nodes=2).link.shaped
    assert not Link().delayed


def test_a_link_is_checked_at_each_number_of_nodes() -> None:
    entry = {"benchmark": "big", "network": {"delay": 5}, "sweep": {"nodes": [2, 4]}}
    units = planned(entry, names=("one",)).units
    assert [unit.network.asked() for unit in units] == [
        {"nodes": 2, "delay": 5}, {"nodes": 4, "delay": 5},
    ]  # fmt: skip
    assert "at nodes 1: " in refusal(**entry | {"sweep": {"nodes": [1, 2]}})


@pytest.mark.parametrize(
    ("sweep", "says"),
    [
        ({"latency": [1]}, "big has no axis 'latency'; axes: nodes, bandwidth, delay, loss, "),
        ({"fib_n": [1]}, "big has no axis 'fib_n'"),
        ({"nodes": [2], "delay": [1], "loss": [1]}, "3 axes .nodes, delay, loss.; big takes 1"),
        ({"nodes": [2], "delay": [1]}, "2 axes .nodes, delay.; big takes 1, and broker alone"),
        ({}, "sweep has no axis"),
        ({"nodes": []}, "nodes has no value"),
        ({"nodes": list(range(1, 67))}, "nodes has 66 values; there may be 64"),
        ({"nodes": [2, 3, 2]}, "nodes has 2 twice"),
        ({"delay": [5, 5.0]}, "delay has 5 twice"),
        ({"nodes": [0]}, "at nodes 0: .*greater than or equal to 1"),
        ({"nodes": [2, 129]}, "at nodes 129: .*less than or equal to 99"),
        ({"nodes": [2.0]}, "nodes is 2.0; it must be a whole number"),
        ({"nodes": [True]}, "nodes is True; it must be a whole number"),
        ({"nodes": ["2"]}, "nodes is '2'"),
        ({"delay": [float("nan")]}, "delay is nan; it must be a number"),
        ({"delay": [float("inf")]}, "delay is inf; it must be a number"),
        ({"delay": [10**400]}, "delay is 1000.*; it must be a number"),
        ({"delay": [None]}, "delay is None; it must be a number"),
        ({"peers": [[2]]}, r"peers is \[2\]; it must be one value"),
        ({"peers": [0]}, "at peers 0: .*peers is 0; it must be in "),
        ({"peers": [2.5]}, "at peers 2.5: peers is 2.5; it must be like "),
        ({"peers": 3}, "should be a valid list"),
        ({"delay": [5]}, "at delay 5: .*needs nodes: 2"),
    ],
)
def test_a_sweep_that_cannot_be_is_refused(sweep: dict[str, Any], says: str) -> None:
    refused = refusal(sweep=sweep)
    assert re.search(says, refused), refused


def test_three_axes_are_too_many_for_broker_as_well() -> None:
    sweep = {"size": [4], "employees": [1], "tasks": [10]}
    assert "3 axes" in refusal(benchmark="broker", sweep=sweep)


def test_a_value_outside_what_a_link_can_be_is_refused() -> None:
    for axis, value in {"loss": 100, "delay": -1, "bandwidth": 0}.items():
        assert f"at {axis} {value}: " in refusal(network={"nodes": 2}, sweep={axis: [value]})
    with pytest.raises(ValueError, match="delay is inf"):
        Link(delay=float("inf"))


def test_more_nodes_than_the_benchmark_fills_are_refused_by_their_number() -> None:
    assert "at nodes 3: pingpong" in refusal(benchmark="pingpong", sweep={"nodes": [2, 3]})


@pytest.mark.parametrize(
    "beside",
    [
        {"network": {"nodes": 2}, "sweep": {"nodes": [2, 4]}},
        {"parameters": {"peers": 8}, "sweep": {"peers": [8, 16]}},
        {"benchmark": "chatapp", "history": True, "sweep": {"history": [True, False]}},
    ],
)
def test_a_value_beside_its_axis_is_refused(beside: dict[str, Any]) -> None:
    assert "and given beside it" in refusal(**beside)


def test_names_of_entries_are_their_own() -> None:
    def suite(*names: str) -> None:
        entries = [{"benchmark": "pingpong", "name": name} for name in names]
        suites.checked({"suite": "x", "benchmarks": entries})

    suite("T1", "T2")
    for names, says in (
        (("T1", "T1"), "2 entries are called 'T1'"),
        (("bang",), "called 'bang', as a benchmark is"),
        (("1",), "should match pattern"),
    ):
        with pytest.raises(SuiteError, match=says):
            suite(*names)


def test_a_file_with_a_wrong_sweep_names_file_and_entry(tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text("suite: x\nbenchmarks: [{benchmark: big, sweep: {nodes: []}}]\n")
    with pytest.raises(SuiteError, match=r"wrong\.yaml: benchmarks\.0: sweep: nodes has no value"):
        suites.load(str(file))
