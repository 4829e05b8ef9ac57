"""The number of messages that an actor takes is a fact in most benchmarks, and a count is held to
it."""

import pytest
from timing_fakes import SALT, performed

from dramaturg.model import names
from dramaturg.model.workload import MICRO
from dramaturg.timing.planning.scenarios import COUNTED, scenario
from dramaturg.trace.partial import message_counts

NO_FACT = {names.WORKER, names.EMPLOYEE, names.SERVER}
"""The schedule decides how much work these do."""


@pytest.mark.parametrize("benchmark", MICRO)
def test_each_actor_takes_as_many_messages_as_is_said(benchmark: str) -> None:
    of = scenario(benchmark, COUNTED, "tiny")
    logs = performed(of, SALT).logs
    taken = {actor: len(log) for actor, log in logs.items()}
    assert message_counts.miscounted(of.micro, True, taken) == ""
    for actor, count in taken.items():
        said = message_counts.of(of.micro, True, actor)
        assert said == (None if names.class_of(actor) in NO_FACT else count)


@pytest.mark.parametrize("benchmark", MICRO)
def test_one_message_more_or_less_is_noticed(benchmark: str) -> None:
    of = scenario(benchmark, COUNTED, "tiny")
    logs = performed(of, SALT).logs
    actor, log = next(
        (actor, log) for actor, log in logs.items() if names.class_of(actor) not in NO_FACT
    )
    for wrong in (len(log) - 1, len(log) + 1):
        said = message_counts.miscounted(of.micro, True, {actor: wrong})
        assert said.startswith(f"{names.spell(actor)} took {wrong} messages, expected {len(log)}")


def test_of_windows_and_of_chatapp_nothing_is_said() -> None:
    windowed = scenario("pingpong", "windowed", "tiny").micro
    assert message_counts.of(windowed, True, names.name(names.PING)) is None
    assert message_counts.of(None, True, names.name(names.CLIENT, 3)) is None
