"""A replay and its actors hold each other. Once it has been told, they hold no log."""

import gc
from collections.abc import Iterator
from dataclasses import replace

import pytest
from part_kit import watched_of

from dramaturg.model import names
from dramaturg.model.chatapp import Parameters
from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import MICRO, ChatAppWorkload, MicroWorkload
from dramaturg.trace.partial.watched_replay import replay_watched
from dramaturg.trace.watches import EVERYBODY, Watches, watch

FEW = 100
"""Objects that a collection may find: a replay, and an actor that holds itself."""


@pytest.fixture
def collector() -> Iterator[None]:
    """Finds what is left by the test alone."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def runs(small: Parameters) -> list[tuple[ChatAppWorkload | MicroWorkload, Watches]]:
    """The workloads that are played, and a part of each."""
    micro, longer = MICRO["bang"], replace(small, clients=48, turns=32)
    return [
        (
            ChatAppWorkload(longer).prepare().run(7).disconnect(),
            [watch(each, modulus=3) for each in (names.DIRECTORY, names.CLIENT, names.CHAT)],
        ),
        (
            MicroWorkload(micro, micro.parameters(senders=8, messages=200)).run(7),
            [watch(names.SENDER, modulus=2), watch(names.RECEIVER)],
        ),
    ]


@pytest.mark.parametrize("which", [0, 1], ids=["chatapp", "bang"])
@pytest.mark.parametrize("part", [False, True], ids=["everybody", "a part"])
def test_a_replay_leaves_nothing_of_a_run_to_the_collector_of_cycles(
    which: int, part: bool, small: Parameters, collector: None
) -> None:
    workload, some = runs(small)[which]
    watches = some if part else EVERYBODY
    logs = watched_of(Simulation(workload).perform().logs, watches)
    gc.collect()
    verdict = replay_watched(workload, watches, logs)
    assert verdict.conforms
    assert verdict.events > 10 * FEW
    del logs
    assert gc.collect() < FEW
