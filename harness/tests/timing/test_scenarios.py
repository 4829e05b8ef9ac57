"""The table of scenarios, its scales, and how many messages an iteration takes."""

import pytest
from timing_fakes import SALT, honest, performed

from dramaturg.model import facts, names
from dramaturg.model.facts import ImpossibleConfiguration
from dramaturg.model.workload import MICRO
from dramaturg.timing.planning.scenarios import (
    CHATAPP_SCENARIOS,
    COUNTED,
    WINDOWED,
    WINDOWS,
    Scenario,
    UnknownScenario,
    scenario,
)
from dramaturg.timing.validity.timed_receipts import expected_facts
from dramaturg.v2 import trace_pb2 as kind

CONTROL = names.name(names.CONTROL)

MICROS = [(name, COUNTED) for name in MICRO] + [(name, WINDOWED) for name in WINDOWS]


@pytest.mark.parametrize("scale", ["small", "tiny"])
@pytest.mark.parametrize("name", CHATAPP_SCENARIOS)
def test_every_scaled_scenario_can_be_run(name: str, scale: str) -> None:
    made = scenario("chatapp", name, scale)  # type: ignore[arg-type]
    assert expected_facts(made.chatapp).confirms == made.parameters["turns"]


@pytest.mark.parametrize("name", CHATAPP_SCENARIOS)
def test_every_full_scenario_is_its_published_row(name: str) -> None:
    made = scenario("chatapp", name)
    facts.check(made.chatapp)
    assert made.chatapp == CHATAPP_SCENARIOS[name]
    assert (made.parameters["fib_n"], made.parameters["seed"]) == (25, 42)


def test_small_divides_by_64_and_stops_at_the_least() -> None:
    mixed, long_living = (
        scenario("chatapp", "mixed", "small"),
        scenario("chatapp", "long-living", "small"),
    )
    sizes = [
        [made.parameters[key] for key in ("clients", "directories", "turns")]
        for made in (mixed, long_living)
    ]
    assert sizes == [[1008, 8, 4], [32, 2, 2048]]


def test_sequential_keeps_its_single_directory() -> None:
    assert scenario("chatapp", "sequential", "tiny").parameters["directories"] == 1


def test_a_changed_parameter_costs_the_scenario_its_name() -> None:
    made = scenario("chatapp", "mixed", "small", overrides={"turns": 5})
    assert (made.name, made.scale) == ("custom", "")
    assert made.parameters["turns"] == 5


def test_history_is_part_of_a_scenario_and_no_change_of_it() -> None:
    made = scenario("chatapp", "mixed", "small", history=False)
    assert (made.name, made.parameters["history"]) == ("mixed", False)


def test_a_scenario_says_whether_there_was_history() -> None:
    """And its scale: a result is called by both (CHAT-62)."""
    kept, dropped = (scenario("chatapp", "mixed", "tiny", history) for history in (True, False))
    assert str(kept) == "chatapp mixed, tiny, history"
    assert str(dropped) == "chatapp mixed, tiny"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"benchmark": "huge"}, "no benchmark is called 'huge'; there are: bang, big, broker"),
        (
            {"benchmark": "chatapp", "name": "mixd"},
            "no scenario 'mixd'; did you mean 'mixed'. there are: actor-gc",
        ),
        (
            {"benchmark": "pingpong", "overrides": {"turns": 1}},
            "no parameter turns; it has: rounds",
        ),
        ({"benchmark": "chatapp", "overrides": {"turns": "many"}}, "turns is 'many'"),
        ({"benchmark": "chatapp", "overrides": {"selection": "odd"}}, "cascade, cumulative"),
    ],
)
def test_what_does_not_exist_is_refused_with_what_does(arguments: dict, says: str) -> None:  # type: ignore[type-arg]
    with pytest.raises(UnknownScenario, match=says):
        scenario(**arguments)


def test_an_impossible_configuration_is_refused() -> None:
    with pytest.raises(ImpossibleConfiguration, match=r"directories is 3; it must be in 1\.\.2"):
        scenario("chatapp", overrides={"clients": 2, "directories": 3})


def test_ping_pong_takes_two_messages_a_round(pingpong: Scenario) -> None:
    assert pingpong.messages(honest(pingpong)) == 20


def test_the_budget_is_what_the_model_sends_less_what_no_receipt_counts(
    small_chat: Scenario,
) -> None:
    simulation = performed(small_chat, SALT)
    counted = {
        kind.MESSAGE_KIND_DIRECTORY_POKE, kind.MESSAGE_KIND_CLIENT_ACT,
        kind.MESSAGE_KIND_CLIENT_FORWARD, kind.MESSAGE_KIND_CLIENT_ACCEPTED,
        kind.MESSAGE_KIND_CHAT_JOIN, kind.MESSAGE_KIND_ACCUMULATOR_STOP,
        kind.MESSAGE_KIND_ACCUMULATOR_BUMP, kind.MESSAGE_KIND_POKER_CONFIRM,
    }  # fmt: skip
    received = [(number, args) for log in simulation.logs.values() for _, (number, args) in log]
    in_count = sum(number in counted for number, _ in received)
    bumps_of_replays = sum(
        number == kind.MESSAGE_KIND_ACCUMULATOR_BUMP and args[0] == 1 for number, args in received
    )
    assert small_chat.messages(honest(small_chat)) == in_count - bumps_of_replays


@pytest.mark.parametrize("benchmark", WINDOWS)
def test_a_windowed_scenario_counts_no_rounds(benchmark: str) -> None:
    made = scenario(benchmark, WINDOWED, "tiny")
    assert made.parameters["windows"] == 2
    assert made.parameters.get("rounds", 0) == 0
    assert str(made) == f"{benchmark} windowed, tiny"


def test_only_three_benchmarks_have_windows() -> None:
    with pytest.raises(UnknownScenario, match="no scenario 'windowed'"):
        scenario("chain", WINDOWED)


@pytest.mark.parametrize(("benchmark", "name"), MICROS)
def test_the_budget_of_a_micro_benchmark_is_what_its_actors_take(benchmark: str, name: str) -> None:
    """Less what control says to them."""
    of = scenario(benchmark, name, "tiny")
    logs = performed(of, SALT).logs.values()
    of_control = sum(sender == CONTROL for log in logs for sender, _ in log)
    assert of.messages(honest(of)) == sum(map(len, logs)) - of_control
