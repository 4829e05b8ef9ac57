"""A benchmark is told once, in the file of its model: what that leaves out, a test names."""

from collections.abc import Iterator
from dataclasses import fields, make_dataclass
from itertools import accumulate
from types import SimpleNamespace
from typing import Any

import pytest
from micro_kit import WORLDS, performed

from dramaturg.model import chatapp_nodes, messages, names, ranges, receipt_names
from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import MICRO, MicroWorkload
from dramaturg.timing.planning import population
from dramaturg.trace.partial.benchmarks import BENCHMARKS
from dramaturg.v2 import benchmarks_pb2
from dramaturg.v2 import trace_pb2 as kind

EACH = (
    "Parameters", "SIZES", "RECEIPT", "GROWS", "STEADY", "LEAD", "initial", "begin", "receipt",
    "messages", "population", "taken",
)  # fmt: skip
"""Every model says this."""

WINDOWED = ("WINDOWED", "COUNTED", "TICK", "LEAD_COUNTS", "REST_TIMES", "rest")
"""A model with a windowed form says this: its parameters have ``windows``."""

DISTRIBUTED = ("HOMES", "most_nodes", "crossing")
"""A model that can be distributed says this."""

LASTING = ("ENDLESS", "LONG")
"""A model says this if its run can last as long as one likes, in little memory."""

ENDED = ("FAREWELL", "FAREWELLS")
"""A model says this if its actors wait for control to let them go."""

COMPUTES = ("AT_ONCE", "COMPUTING")
"""A model says this if its actors compute: its parameters have ``fib_n``, or it is broker."""

TOGETHER = (COMPUTES, WINDOWED, DISTRIBUTED, LASTING, ENDED)


def lacking(model: Any) -> list[str]:
    """Return what this model leaves out: of what each says, and of what goes with what it says."""
    found = [name for name in EACH if not hasattr(model, name)]
    for group in TOGETHER:
        absent = [name for name in group if not hasattr(model, name)]
        needed = {WINDOWED: "windows", COMPUTES: "fib_n"}.get(group)
        if len(absent) < len(group) or (needed and has(model, needed)):
            found += absent
    return found


def has(model: Any, parameter: str) -> bool:
    parameters = getattr(model, "Parameters", make_dataclass("Parameters", []))
    return parameter in {field.name for field in fields(parameters)}


def without(model: Any, *left_out: str) -> Any:
    return SimpleNamespace(**{k: v for k, v in vars(model).items() if k not in left_out})


def said() -> Iterator[tuple[str, str]]:
    for name, micro in MICRO.items():
        for each in (*EACH, *WINDOWED, *DISTRIBUTED, *LASTING, *ENDED):
            if hasattr(micro.model, each):
                yield name, each


@pytest.mark.parametrize("name", MICRO)
def test_each_model_says_all_that_goes_together(name: str) -> None:
    assert lacking(MICRO[name].model) == []
    assert has(MICRO[name].model, "windows") is MICRO[name].windowed


@pytest.mark.parametrize(("name", "left_out"), [*said()])
def test_whatever_a_model_leaves_out_is_named(name: str, left_out: str) -> None:
    assert lacking(without(MICRO[name].model, left_out)) == [left_out]


def test_a_model_with_windows_that_says_nothing_of_them_lacks_all() -> None:
    assert lacking(without(MICRO["big"].model, *WINDOWED)) == list(WINDOWED)


def test_a_model_that_computes_and_says_nothing_of_it_lacks_all() -> None:
    assert lacking(without(MICRO["web"].model, *COMPUTES)) == list(COMPUTES)


def test_of_chatapp_over_nodes_all_is_said_as_well() -> None:
    assert all(hasattr(chatapp_nodes, each) for each in DISTRIBUTED)


# --- what is said fits ---


def classes_there(name: str) -> set[int]:
    """The classes of which a small run has actors, as its population says."""
    micro = MICRO[name]
    tiny = micro.parameters(**{key: sizes[-1] for key, sizes in micro.model.SIZES.items()})
    return {crowd.actor_class for crowd in micro.model.population(tiny)}


@pytest.mark.parametrize("name", MICRO)
def test_what_is_said_of_classes_is_of_its_own(name: str) -> None:
    model, own = MICRO[name].model, set(population.classes(name))
    assert set(model.STEADY) <= classes_there(name)
    assert set(getattr(model, "HOMES", ())) <= own
    assert set(BENCHMARKS[name].outside.CLOSED) <= classes_there(name)
    assert names.class_of(model.LEAD) in own
    assert {number >> 4 for number in getattr(model, "FAREWELLS", ())} <= own


@pytest.mark.parametrize("name", BENCHMARKS)
def test_each_stand_in_says_which_classes_are_closed_and_none_of_them_is_open(name: str) -> None:
    outside = BENCHMARKS[name].outside
    assert "CLOSED" in vars(outside)
    opened = {row.receiver for row in outside.OPEN if not row.windowed}
    assert not opened & set(outside.CLOSED)


@pytest.mark.parametrize("name", [name for name, micro in MICRO.items() if micro.windowed])
def test_a_windowed_form_counts_a_field_of_its_receipt_by_ticks_of_its_lead(name: str) -> None:
    model = MICRO[name].model
    assert model.COUNTED in receipt_names.ARGUMENTS[name]
    tick = messages.KINDS[model.TICK]
    assert (tick.label, tick.receiver_class) == ("tick", names.class_of(model.LEAD))
    assert model.REST_TIMES >= 1


@pytest.mark.parametrize(
    ("name", "values"), [world for world in WORLDS if world[1].get("windows")], ids=str
)
def test_a_lead_counts_itself_if_the_place_of_its_ticks_says_how_much(
    name: str, values: dict[str, int]
) -> None:
    """Big's does not: peers count pongs, and its log has none. Its ticks are ticks all the same."""
    model, fits = MICRO[name].model, []
    for seed in range(30):
        _, done = performed(name, values, seed, salt=seed)
        places = [
            place - 1 - args[0]
            for place, (_, (number, args)) in enumerate(done.logs[model.LEAD])
            if number == model.TICK
        ]
        counts = [
            args[1] for number, args in done.control if number == kind.MESSAGE_KIND_CONTROL_WINDOW
        ]
        assert len(places) == values["windows"]
        fits.append(places == list(accumulate(counts)))
    assert all(fits) is model.LEAD_COUNTS


def test_of_a_chain_and_of_sorters_one_is_there_before_the_run() -> None:
    born_in_run = {name for name, micro in MICRO.items() if micro.born_in_run}
    assert born_in_run == {"chain", "mergesort"}
    for name in born_in_run:
        (first,) = MicroWorkload(MICRO[name], small(name)).initial()
        assert first.name == MICRO[name].model.LEAD


def small(name: str) -> Any:
    return MICRO[name].parameters(**next(values for of, values in WORLDS if of == name))


@pytest.mark.parametrize("name", [name for name, micro in MICRO.items() if micro.farewell])
def test_farewells_are_what_is_sent_when_control_lets_everybody_go(name: str) -> None:
    workload = MicroWorkload(MICRO[name], small(name)).run()
    done = Simulation(workload).perform()
    before = {actor: len(log) for actor, log in done.logs.items()}
    done.perform([(MICRO[name].farewell, ())])
    sent = {
        number for actor, log in done.logs.items() for _, (number, _) in log[before.get(actor, 0) :]
    }
    assert sent == set(MICRO[name].model.FAREWELLS)


@pytest.mark.parametrize(
    "name", [name for name, micro in MICRO.items() if hasattr(micro.model, "ENDLESS")]
)
def test_a_lasting_run_is_one_that_can_be_asked_for(name: str) -> None:
    for values in (MICRO[name].model.ENDLESS, MICRO[name].model.LONG):
        message = getattr(benchmarks_pb2.Benchmark(), name)
        for key, value in values.items():
            setattr(message, key, value)
        assert ranges.problems(message, message) == []
