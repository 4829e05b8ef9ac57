"""``claims/claims.yaml`` as it is, and as it must not be."""

from typing import Any

import pytest
from claims_kit import SETUP, claims, several

from dramaturg import paths
from dramaturg.claims import catalogue, claim_verdicts, measured_systems, runs
from dramaturg.claims.catalogue import Catalogue, ClaimsError, Unit
from dramaturg.implementation.manifest import find
from dramaturg.orchestration import wanted_claims
from dramaturg.timing.planning import suites, timing_plan

IDS = [
    f"{letter}{number}"
    for letter, last in (("T", 16), ("C", 5), ("A", 5), ("Z", 7), ("F", 5))
    for number in range(1, last + 1)
]

TWO = {"axis": "size", "values": [4, 8]}
RATIO = {"kind": "ratio", "of": "quick", "to": "slow", "above": 1}


@pytest.fixture(scope="module")
def known() -> Catalogue:
    return catalogue.load()


def test_every_claim_of_the_studies_is_there(known: Catalogue) -> None:
    assert list(known.claims) == IDS


def test_only_what_has_no_figure_has_no_predicate(known: Catalogue) -> None:
    assert [name for name, claim in known.claims.items() if claim.no_claim] == ["T16", "C4", "A3"]


def test_systems_that_count_are_in_the_cast(known: Catalogue) -> None:
    for system in known.systems.values():
        if system.implementation:
            assert find(system.implementation).name == system.implementation


def test_every_system_is_spoken_of(known: Catalogue) -> None:
    spoken = {
        unit.system
        for claim in known.claims.values()
        for predicate in (*claim.predicates, *claim.explained_by)
        for unit in catalogue.spoken_of(predicate)
    }
    assert spoken == set(known.systems)


def timed(command: str) -> timing_plan.Plan:
    """Return the plan of a command of the page, on a machine with two cores."""
    words = [word for word in command.split() if word.endswith(".yaml")]
    return timing_plan.make(
        [suites.load(str(paths.ROOT / word)) for word in words], [], 0, cores=(0, 1)
    )


def test_the_commands_time_all_that_two_cores_can_decide_and_nothing_else(
    known: Catalogue,
) -> None:
    """A predicate's units are all in one command: they are compared in turns (MEAS-12)."""
    commands = [timed(command) for command in known.commands]
    used = set()
    for name, claim in known.claims.items():
        for predicate in (*claim.predicates, *claim.explained_by):
            systems = [known.systems[unit.system] for unit in catalogue.spoken_of(predicate)]
            if any(system.refused for system in systems):
                continue
            explains = isinstance(predicate, catalogue.Explanation)
            needs = [predicate.needs] if explains else [claim.needs, predicate.needs]
            if any(need.cores > 2 or need.machine for need in needs):
                continue
            wanted = {
                (known.systems[unit.system].implementation, place(known, claim, predicate, unit))
                for unit in catalogue.spoken_of(predicate)
            }
            netem = any(need.netem for need in needs)
            there = [
                number
                for number, made in enumerate(commands)
                if ("--kernel uml" in known.commands[number]) == netem
                and wanted <= {(unit.implementation, timed_place(unit)) for unit in made.units}
            ]
            assert there, f"{name}, {predicate.says}: no command times all of it in one run"
            used |= set(there)
    assert used == set(range(len(commands)))


def test_what_a_bigger_machine_decides_is_timed_by_one_command_each(known: Catalogue) -> None:
    judgement = claim_verdicts.judge(known, runs.recorded(runs.FOLDER))
    wanted = {each.claim: each for each in wanted_claims.wanted(judgement)}
    for name, claim in known.claims.items():
        for predicate in claim.predicates:
            systems = [known.systems[unit.system] for unit in catalogue.spoken_of(predicate)]
            needs = [claim.needs, predicate.needs]
            larger = any(need.cores > 2 for need in needs)
            if any(each.refused for each in systems) or not (larger or claim.needs.machine):
                continue
            if "does not name" in claim.needs.machine:
                assert name not in wanted, "nobody has that machine"
                continue
            units = wanted_claims.plan(name).units
            there = {(unit.implementation, timed_place(unit)) for unit in units}
            missing = {
                (known.systems[unit.system].implementation, place(known, claim, predicate, unit))
                for unit in catalogue.spoken_of(predicate)
            } - there
            assert not missing, f"{name}, {predicate.says}"
            assert f"--only {name}" in wanted[name].command
            assert wanted[name].invocations >= 10 * len(systems)
            assert wanted[name].seconds > 0


def place(known: Catalogue, claim: Any, predicate: Any, unit: Unit) -> str:
    said = known.place(claim, predicate, unit)
    return f"{sorted(said.called.items())} {said.nodes} {said.link} {said.cores or 0}"


def timed_place(unit: timing_plan.Unit) -> str:
    asked = unit.network.asked()
    nodes = asked.pop("nodes", 1)
    return f"{sorted(unit.scenario.called().items())} {nodes} {asked} {len(unit.cores)}"


@pytest.mark.parametrize(
    ("predicates", "rest", "says"),
    [
        ([RATIO | {"abve": 1}], {}, "abve: no such key; did you mean 'above'"),
        ([RATIO | {"kind": "ration"}], {}, "'ration'"),
        ([{"kind": "ratio", "of": "quick", "to": "slow"}], {}, "a bound is missing"),
        ([RATIO | {"below": 0.5}], {}, "`above` must be less than `below`"),
        ([RATIO | {"above": -1}], {}, "greater than 0"),
        ([RATIO | {"to": "slwo"}], {}, "no system is called 'slwo'"),
        ([RATIO | {"to": {"system": "slow", "node": 2}}], {}, "node"),
        ([RATIO | {"setup": {"benchmark": "brokr"}}], {}, "no benchmark is called 'brokr'"),
        ([RATIO | {"setup": {"parameters": {"sizes": 4}}}], {}, "no parameter sizes"),
        ([RATIO | {"setup": {"delay": 5}}], {}, "a link needs nodes"),
        ([RATIO | {"over": {"axis": "size", "values": [64, 4]}}], {}, "values of an axis rise"),
        ([RATIO | {"over": {"axis": "size", "values": [4]}}], {}, "at least 2"),
        ([RATIO | {"over": {"axis": "sizes", "values": [4, 8]}}], {}, "no parameter sizes"),
        ([RATIO | {"needs": {"cores": 0}}], {}, "greater than or equal to 1"),
        ([{"kind": "order", "order": ["quick"]}], {}, "at least 2"),
        ([{"kind": "equal", "of": "quick", "to": "slow", "within": 0}], {}, "greater than 0"),
        (
            [{"kind": "peak", "of": "quick", "over": TWO, "at": "inside"}],
            {},
            "a peak must be possible",
        ),
        (
            [{"kind": "slope", "of": "quick", "over": TWO | {"values": [0, 4]}, "above": 1}],
            {},
            "no place for 0",
        ),
        ([], {}, "either predicates or a reason in `no_claim`"),
        ([RATIO], {"no_claim": "no figure"}, "either predicates or a reason in `no_claim`"),
        ([RATIO], {"setup": {"scale": "tiny"}}, "a setup names a benchmark"),
        ([RATIO], {"setup": {"benchmark": "bang", "measure": "payload"}}, "no parameter `size`"),
        ([RATIO], {"sayz": "so"}, "sayz"),
    ],
)  # fmt: skip
def test_what_it_cannot_say_is_an_error_that_names_the_place(
    predicates: list[dict[str, Any]], rest: dict[str, Any], says: str
) -> None:
    with pytest.raises(ClaimsError) as raised:
        claims(*predicates, **rest)
    text = str(raised.value)
    assert text.startswith("claims.yaml: ")
    assert says in text
    assert "X1" in text
    assert "\n" not in text


@pytest.mark.parametrize(
    ("systems", "says"),
    [
        ({"quick": {"implementation": "quick", "version": "0.17.x"}}, "no bounds of a version"),
        ({"quick": {}}, "an implementation, or in `refused`"),
        ({"quick": {"version": ">=1"}}, "an implementation, or in `refused`"),
        ({"quick": {"refused": "no", "version": ">=1"}}, "only an implementation has a `version`"),
        ({"quick": {"absent": "no"}}, "quick.absent"),
    ],
)
def test_a_system_is_somebody_in_versions_or_says_why_it_does_not_count(
    systems: dict[str, Any], says: str
) -> None:
    with pytest.raises(ClaimsError, match=says):
        several({"X1": {"study": "s", "says": "s", "no_claim": "n"}}, systems=systems)


def test_the_digest_is_of_what_decides_and_not_of_the_sentence() -> None:
    def digest(predicate: dict[str, Any], **rest: Any) -> set[str]:
        return claims(predicate, **rest).digests()

    same = digest(RATIO)
    assert digest(RATIO | {"says": "In other words."}) == same
    for other in (RATIO | {"above": 1.1}, RATIO | {"of": "third"}, RATIO | {"needs": {"cores": 4}}):
        assert digest(other) != same
    assert digest(RATIO, setup=SETUP | {"scale": "small"}) != same
    for systems in ({"implementation": "quick"}, {"refused": "no"}):
        found = several(
            {"X1": claims(RATIO).claims["X1"].model_dump(exclude_unset=True)},
            systems={"quick": systems, "slow": {"implementation": "slow"}},
        )
        assert found.digests() != same


def test_a_place_says_everything_that_tells_results_apart() -> None:
    said = measured_systems.place(
        "x", {"benchmark": "pingpong", "nodes": 2, "delay": 5.0, "cores": 1}, {}
    )
    assert str(said) == "pingpong counted full on 2 nodes, delay 5 on 1 of the cores"
