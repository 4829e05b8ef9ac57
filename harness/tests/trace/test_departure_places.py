"""The places where a run departs that is too large for the token game: the same, whether all that
was sent is in memory or only blocks of it."""

import random

import pytest
from columns_kit import stored
from mutation_kit import RUNS, mutations, run_of

from dramaturg.model import chain
from dramaturg.trace.replay.steps import departure_places, three_steps
from dramaturg.trace.replay.steps.departure_places import found

SAMPLE = 25
"""Mutations of each benchmark."""


@pytest.mark.parametrize("name", RUNS)
def test_blocks_of_a_large_log_show_what_the_whole_shows(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    workload, logs = run_of(name)
    every = list(mutations(logs))
    for how, changed in random.Random(3).sample(every, min(SAMPLE, len(every))):
        log = stored(changed).sort()
        expected = found(workload, log)
        with monkeypatch.context() as patch:
            # Each actor is a cell, and most have too many events.
            patch.setattr(three_steps, "CELL", 1)
            patch.setattr(departure_places, "MOST_ROWS", 4)
            patch.setattr(departure_places, "BLOCK", 2)
            patch.setattr(departure_places, "PIECE", 3)
            places = found(workload, log)
        assert bool(places) == bool(expected), how
        # Fewer cells are looked through; an actor that failed is named if none of them shows it.
        shown = {place for place in places if "cannot have taken its event" not in place}
        assert shown <= set(expected), how


def test_an_actor_that_is_made_twice_is_no_fault_of_the_harness() -> None:
    """Its maker cannot have taken the message upon which it made it again."""
    workload, logs = run_of("chain")
    link = chain.link_name(2)
    changed = {**logs, link: [logs[link][0], *logs[link]]}
    first, *_ = found(workload, stored(changed).sort())
    assert first.startswith("link/2 received grow(")


def test_a_report_by_somebody_else_than_the_lead_is_no_fault_of_the_harness() -> None:
    workload, logs = run_of("big")
    lead, *others = logs
    reports = next(event for event in logs[lead] if event[0] >> 56 == 1)
    changed = {**logs, others[0]: [*logs[others[0]], reports]}
    assert found(workload, stored(changed).sort())
