"""The price of several verdicts, and of looking again."""

import math
import random

import numpy as np
import pytest
from claims_kit import claims, row, run, several, verdict
from scipy import stats

from dramaturg.claims import claim_verdicts
from dramaturg.claims.decide import Atom, Question, Verdict, decide

LEVEL = 0.05


def atom(p: float, n: int = 10) -> Atom:
    """A figure above 0 whose interval ends there at the level ``p``."""
    centred = np.linspace(-1, 1, n)
    error = float(np.std(centred, ddof=1)) / math.sqrt(n)
    return Atom("x", tuple(centred + float(stats.t.isf(p / 2, n - 1)) * error), low=0.0)


def question(p: float, looks: int = 1) -> Question:
    return Question(((atom(p),),), looks)


def decided(*questions: Question) -> list[bool]:
    return [each.verdict is Verdict.CONFIRMED for each in decide(questions, LEVEL)]


@pytest.mark.parametrize("p", [0.5, 0.05, 0.001, 1e-6])
def test_the_level_at_which_an_interval_just_ends_at_a_bound(p: float) -> None:
    one = atom(p)
    assert one.confirms == pytest.approx(p)
    low, _ = one.interval(p)
    assert low == pytest.approx(0, abs=1e-9)


def test_one_alone_has_the_whole_level_less_its_look() -> None:
    assert decided(question(0.0249)) == [True]
    assert decided(question(0.0251)) == [False]


def test_the_clearest_pays_for_all_and_the_next_for_what_is_left() -> None:
    """At 0.05 / 2 for the look: thirds, halves, the whole."""
    assert decided(question(0.024), question(0.008), question(0.012)) == [True, True, True]
    assert decided(question(0.024), question(0.0084), question(0.012)) == [False, False, False]
    assert decided(question(0.024), question(0.008), question(0.013)) == [False, True, False]


def test_each_look_has_half_of_what_the_one_before_had() -> None:
    for looks in (1, 2, 3, 8):
        assert decided(question(LEVEL * 0.5**looks * 0.99, looks)) == [True]
        assert decided(question(LEVEL * 0.5**looks * 1.01, looks)) == [False]


def test_the_intervals_are_those_by_which_it_was_decided() -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        made = tuple(
            Question(((Atom("x", tuple(rng.normal(rng.normal(), 1, 8)), low=0.0, high=2.0),),))
            for _ in range(6)
        )
        for each, decision in zip(made, decide(made, LEVEL), strict=True):
            [[one]] = each.alternatives
            low, high = one.interval(decision.level)
            inside, outside = low > 0 and high < 2, high < 0 or low > 2
            assert (decision.verdict is Verdict.CONFIRMED) == inside
            assert (decision.verdict is Verdict.REFUTED) == outside


def test_of_several_alternatives_each_is_paid_for() -> None:
    one, no = atom(0.02), Atom("y", (-1.0, -2.0, -1.5, -1.2), low=0.0)
    assert decided(Question(((one,),))) == [True]
    assert decided(Question(((one,), (no,)))) == [False]


def test_more_predicates_make_the_same_figures_undecided() -> None:
    part = {"kind": "ratio", "of": "quick", "to": "slow", "above": 1}
    hopeless = {"kind": "ratio", "of": "third", "to": "slow", "above": 1}
    rows = [row("quick", 1.016), row("slow"), row("third", 1.0)]
    alone, crowded = claims(part), claims(part, *[hopeless] * 20)
    assert verdict(alone, run(alone, *rows)).predicates[0].verdict is Verdict.CONFIRMED
    assert verdict(crowded, run(crowded, *rows)).predicates[0].verdict is Verdict.NOT_DECIDED


PAGES, SYSTEMS = 400, 5


def page_of_equals(seed: int, rounds: int) -> bool:
    """True if a page of ten order claims on equal systems has any verdict; each round has something
    of its own, and now and then an invocation is far off."""
    own = random.Random(seed)
    times = {
        name: [own.gauss(0, 0.03) + 0.3 * (own.random() < 0.05) for _ in range(rounds)]
        for name in range(SYSTEMS)
    }
    questions = [
        Question(((Atom("", tuple(a - b for a, b in zip(times[i], times[j], strict=True)), 0.0),),))
        for i in range(SYSTEMS)
        for j in range(i)
    ]
    return any(each.verdict is not Verdict.NOT_DECIDED for each in decide(questions, LEVEL))


@pytest.mark.parametrize("rounds", [3, 5, 10])
def test_of_pages_on_equal_systems_at_most_one_in_twenty_has_a_verdict(rounds: int) -> None:
    false = sum(page_of_equals(seed, rounds) for seed in range(PAGES))
    assert false <= LEVEL * PAGES


def test_so_do_pages_that_are_measured_until_something_is_decided() -> None:
    """Four looks, each at all invocations so far."""

    def ever(seed: int) -> bool:
        own = np.random.default_rng(seed)
        figures = own.normal(0, 0.03, (10, 40))
        for looks in (1, 2, 3, 4):
            questions = [
                Question(((Atom("", tuple(of[: 10 * looks]), 0.0),),), looks) for of in figures
            ]
            if any(each.verdict is not Verdict.NOT_DECIDED for each in decide(questions, LEVEL)):
                return True
        return False

    assert sum(ever(seed) for seed in range(PAGES)) <= LEVEL * PAGES


def test_equal_systems_through_the_whole_of_it() -> None:
    order = {"kind": "order", "order": ["quick", ["slow", "third"]]}
    known = several(
        {
            f"X{number}": {
                "study": "a study",
                "says": "It is so.",
                "setup": {"benchmark": "broker", "scale": "tiny", "measure": "rate"},
                "predicates": [{"says": "so", **order}],
            }
            for number in range(1, 4)
        }
    )
    pages, names = 60, ("quick", "slow", "third")

    def page(seed: int) -> bool:
        rows = [row(name, noise=0.0) for name in names]
        own = random.Random(seed)
        for number, each in enumerate(rows):
            invocations = [
                one.model_copy(update={"rate": 1e6 * (1 + own.gauss(0, 0.02))})
                for one in each.invocations
            ]
            rows[number] = each.model_copy(update={"invocations": invocations})
        found = claim_verdicts.judge(known, [run(known, *rows)])
        return any(claim.verdict is not Verdict.NOT_DECIDED for claim in found.claims)

    assert sum(map(page, range(pages))) <= LEVEL * pages
