"""A part that leaves nobody out is judged as the whole run is."""

import pytest
from mutation_kit import RUNS, mutations, run_of

from dramaturg.model import names
from dramaturg.trace.partial.part_replay import replay_part
from dramaturg.trace.replay.divergence import Divergence, Kind
from dramaturg.trace.replay.token_game import replay
from dramaturg.trace.watches import EVERYBODY

EACH = {"chatapp": 11, "big": 3}
"""Every so many'th mutation of long runs is looked at: those of one event differ little."""


def told(divergences: list[Divergence]) -> dict[str, Divergence]:
    """Return them by all that is said of each but its kind, which the headline is made of."""
    found = ({**each.to_dict(), "kind": "", "headline": ""} for each in divergences)
    return dict(zip(map(repr, found), divergences, strict=True))


@pytest.mark.parametrize("name", RUNS)
def test_of_a_run_all_is_decided_between_everybody(name: str) -> None:
    workload, logs = run_of(name)
    verdict, whole = replay_part(workload, EVERYBODY, logs), replay(workload, logs)
    assert verdict.conforms
    assert (verdict.born, verdict.alive, verdict.taken) == (whole.born, whole.alive, {})
    assert (verdict.decided, verdict.bounded) == (verdict.events, 0)
    assert verdict.events == whole.events
    assert verdict.control == whole.control
    assert verdict.pairs == sum(len({sender for sender, _ in log}) for log in logs.values())


@pytest.mark.parametrize("name", RUNS)
def test_what_is_found_of_a_wrong_run_is_what_the_whole_replay_finds(name: str) -> None:
    """But for what one takes that has ended, which is invented at once, and for what somebody
    must have said whom nobody watches: there is no such one, and it is lost all the same."""
    workload, logs = run_of(name)
    for mutation, changed in list(mutations(logs))[:: EACH.get(name, 1)]:
        verdict, whole = replay_part(workload, EVERYBODY, changed), replay(workload, changed)
        assert (verdict.born, verdict.alive) == (whole.born, whole.alive), mutation
        assert verdict.taken == whole.taken, mutation
        assert verdict.conforms == whole.conforms, mutation
        if mutation == "taken by another actor":
            continue
        part, all_of_it = told(verdict.divergences), told(whole.divergences)
        for said, divergence in all_of_it.items():
            assert said in part, mutation
            as_early = divergence.kind is Kind.TOO_EARLY and part[said].kind is Kind.INVENTED
            assert as_early or part[said].kind is divergence.kind, mutation
        assert all(part[said].sender == names.NOBODY for said in part.keys() - all_of_it.keys())
