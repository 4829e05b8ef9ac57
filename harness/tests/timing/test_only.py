"""``--only`` takes of a plan what its words name."""

from typing import Any

import pytest

from dramaturg.implementation.manifest import find
from dramaturg.timing.planning import suites, timing_plan
from dramaturg.timing.planning.suites import Suite, SuiteError
from dramaturg.timing.planning.timing_plan import Plan


def a_suite(**rest: Any) -> Suite:
    entries = [
        {"name": "T4", "benchmark": "bang", "scale": "small", "sweep": {"nodes": [2, 4]}},
        {"name": "T10", "benchmark": "bang", "scale": "small", "network": {"nodes": 4}},
        {"benchmark": "web", "scale": "small"},
    ]
    return suites.checked({"suite": "thesis", "benchmarks": entries, **rest})


def a_plan(*names: str) -> Plan:
    return timing_plan.make([a_suite()], names or ("caf", "caf+sharing", "go"), seed=1)


def taken(*words: str) -> list[tuple[str, int, str]]:
    return [
        (unit.scenario.benchmark, unit.network.nodes, unit.implementation)
        for unit in timing_plan.only(a_plan(), words).units
    ]


def test_an_entry_is_named_alone_or_with_its_suite() -> None:
    assert taken("T10") == taken("thesis/T10") == [
        ("bang", 4, "caf"), ("bang", 4, "caf+sharing"), ("bang", 4, "go"),
    ]  # fmt: skip
    assert {benchmark for benchmark, *_ in taken("thesis/3")} == {"web"}


def test_an_implementation_is_named_with_all_its_variants_or_as_one_of_them() -> None:
    assert {name for *_, name in taken("caf")} == {"caf", "caf+sharing"}
    assert {name for *_, name in taken("caf+sharing")} == {"caf+sharing"}


def test_words_of_one_kind_add_up_and_of_several_all_must_fit() -> None:
    assert len(taken("bang", "web")) == 9
    assert taken("web", "go") == [("web", 1, "go")]
    assert taken("T4", "bang", "go") == [("bang", 2, "go"), ("bang", 4, "go")]


def test_what_is_run_for_one_entry_is_no_point_of_another() -> None:
    (unit, *_) = timing_plan.only(a_plan(), ["T10"]).units
    assert [point.entry for point in unit.points] == ["thesis/T10"]
    both = timing_plan.only(a_plan(), ["T10", "T4"]).units
    assert {len(unit.points) for unit in both} == {1, 2}


@pytest.mark.parametrize("word", ["chess", "3", "T", "thesis", ""])
def test_a_word_that_names_nothing_is_refused_with_what_there_is(word: str) -> None:
    with pytest.raises(SuiteError, match=r"called so.* there are entries: T10, T4, thesis/3"):
        taken(word)


def test_a_word_that_names_two_kinds_is_refused() -> None:
    with pytest.raises(SuiteError, match="there are benchmarks and implementations of that name"):
        timing_plan.only(a_plan("web", "go"), ["web"])


def test_where_nothing_fits_all_words_that_is_said() -> None:
    with pytest.raises(SuiteError, match="--only T4 --only web: nothing of this plan is all"):
        taken("T4", "web")


OFFERED = {name: find(name).manifest for name in ("caf", "go", "ractor")}


def test_what_an_implementation_lacks_that_nobody_named_is_left_out_and_said() -> None:
    whole = a_plan()
    made = timing_plan.offered(whole, [a_suite()], OFFERED)
    assert {unit.implementation for unit in whole.units} == {"caf", "caf+sharing", "go"}
    assert [unit for unit in whole.units if unit not in made.units] == [
        unit for unit in whole.units if unit.implementation == "go" and not unit.network.local
    ]
    assert made.left_out == [
        f"go does not distribute bang: {find('go').manifest.distributed_reason}"
    ]


def test_who_was_named_is_asked_for_what_it_lacks() -> None:
    """And is *unsupported* then."""
    naming = a_suite(implementations=["caf", "go"])
    made = timing_plan.offered(a_plan(), [naming], OFFERED)
    assert made.units == a_plan().units
    assert made.left_out == []


def test_a_variant_lacks_nothing_of_what_it_distributes_itself() -> None:
    made = timing_plan.offered(a_plan("ractor", "ractor+cluster"), [a_suite()], OFFERED)
    several = {unit.implementation for unit in made.units if not unit.network.local}
    assert several == {"ractor+cluster"}
    assert made.left_out == [
        f"ractor does not distribute bang: {find('ractor').manifest.distributed_reason}"
    ]


def test_a_variant_that_there_is_not_is_lacking_too() -> None:
    made = timing_plan.offered(a_plan("caf", "caf+no-such"), [a_suite()], OFFERED)
    assert {unit.implementation for unit in made.units} == {"caf"}
    (said,) = made.left_out
    assert said.startswith("caf has no variant 'no-such'; its variants: ")


def test_where_nobody_has_any_of_it_that_is_an_error() -> None:
    distributed = timing_plan.only(a_plan("go"), ["T4"])
    with pytest.raises(SuiteError, match=r"^nobody has any of this: go does not distribute bang"):
        timing_plan.offered(distributed, [a_suite()], OFFERED)
