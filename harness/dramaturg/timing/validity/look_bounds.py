"""The findings of looks in the midst of a run (spec/measurements.md, MEAS-49 to MEAS-51).

A look was asked for and answered at moments of the harness's own clock. An actor's count at a look
was taken before the answer; messages beyond it are taken after the question. So each pair of looks,
the start of the run being the first of all, bounds the events between them, and the times of an
implementation's own clock for them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations
from typing import Any

from dramaturg.model import accounts, names
from dramaturg.model.workload import MICRO
from dramaturg.timing.planning import population
from dramaturg.timing.planning.scenarios import Scenario
from dramaturg.timing.validity import look_bounds_openweb, look_bounds_work
from dramaturg.timing.validity.bound_findings import Shown
from dramaturg.timing.validity.ledger import GRAIN, SLEW
from dramaturg.timing.validity.look_bounds_work import Computing
from dramaturg.timing.validity.looks import Looks
from dramaturg.trace.events import AnyLogs
from dramaturg.trace.spool import Snapshot
from dramaturg.trace.watches import Watched, Watches
from dramaturg.v2 import benchmarks_pb2

HASTE = 5.0
"""The speed of the rest of a run, as a multiple of that before a look, at most. Honest runs become
faster as a compiler sees more of them, and slower as their mailboxes fill."""

EARLIEST = 0.1
"""The share of a run that has passed before a look is asked how fast the run has been so far."""

HELD = 50_000_000
"""Nanoseconds at the beginning of a run for which something may hold it up, whoever runs it: below
that nothing is known of its pace."""

BEGUN = 0.25
"""Or the share of a run for which something may: an actor that is made anew in each world may take
its time upon its first message."""

SLACK = 0.05
"""The share of a run that is added to the time after a look: something may have held it up just
before."""

FEW = 100
"""Messages of a class below which nobody says how fast it takes them."""


@dataclass(frozen=True, slots=True)
class Whole:
    """The logs of an iteration from all calls of Trace together."""

    watches: Watches
    logs: AnyLogs
    taken: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class _Seen:
    """A look, or the start of the run, and how far everybody had come."""

    asked: int
    answered: int
    cpu: int | None
    taken: Mapping[int, int]
    rows: Mapping[int, int]

    def began(self, number: int, actor: int) -> bool:
        """True if this message can have been taken before this was asked for."""
        return number < self.taken.get(actor, 0)


_START = _Seen(0, 0, 0, {}, {})


def shown(
    scenario: Scenario,
    looks: Looks,
    seen: Sequence[Snapshot | None],
    whole: Whole,
    receipt: benchmarks_pb2.Receipt,
    *,
    cold: bool = False,
    computing: Computing = look_bounds_work.NOTHING,
) -> Shown:
    """Report what is wrong by these looks, and how much of each bound was used. ``seen`` is what
    each look saw, None if one of several nodes was not asked: its work is then not known, and is
    not nothing. ``receipt`` is that of node 0. ``cold`` is true for the first iteration of a
    process, which a compiler may begin eighty times as slowly as it ends it. ``computing``: the
    work of each of its computes."""
    found = Shown()
    if not looks.all:
        return found
    each = [
        _Seen(look.asked, look.answered, look.cpu, snapshot.taken, snapshot.rows)
        for look, snapshot in zip(looks.all, seen, strict=True)
        # Asked for when Run had ended it is one more at rest.
        if snapshot is not None and look.asked < looks.run
    ]
    if not cold:
        _pace(scenario, looks, each, whole, found)
    look_bounds_work.hold(scenario, computing, each, found)
    if scenario.benchmark == "sleepers":
        _naps(scenario, [_START, *each], found)
    if scenario.parameters.get("windows"):
        _windows(scenario, looks, each, whole, receipt, found)
    if scenario.benchmark == "chatapp":
        _turns(scenario, looks, each, receipt, found)
    if scenario.benchmark == "openweb":
        at = [look_bounds_openweb.At(s.asked, s.answered, s.taken) for s in each]
        look_bounds_openweb.hold(
            scenario, at, looks.beside, whole.watches, whole.logs, receipt, found
        )
    return found


def _pace(
    scenario: Scenario, looks: Looks, seen: Sequence[_Seen], whole: Whole, found: Shown
) -> None:
    """Check that the rest did not come many times as fast as the messages before a look: by the
    clock, and by CPU time, since a process that has no core is not slow for that."""
    if scenario.benchmark not in MICRO:
        return
    for actor_class in MICRO[scenario.benchmark].model.STEADY:
        actors = [actor for actor in whole.taken if names.class_of(actor) == actor_class]
        if len(actors) != _many(scenario, actor_class):
            continue
        total = sum(whole.taken[actor] for actor in actors)
        if total < FEW:
            continue
        whom = names.spell(actors[0]) if len(actors) == 1 else f"all {len(actors)} together"
        whom += "" if len(actors) == 1 else f", from {names.spell(min(actors))} on,"
        for look in seen:
            went = look.asked - max(HELD, int(BEGUN * looks.run)) - looks.beside
            if went < EARLIEST * looks.run or look.answered > looks.run:
                continue
            taken = sum(look.taken.get(actor, 0) for actor in actors)
            faster = _faster(taken, total, went, looks.run - look.asked)
            if looks.cpu and look.cpu:
                rest = looks.cpu - look.cpu
                faster = min(faster, _faster(taken, total, look.cpu, rest))
            text = (
                f"{whom} had taken {taken} of {total} messages when"
                f" {look.asked / 1e9:.3f} s of {looks.run / 1e9:.3f} s of the run had passed, by a"
                f" look in its midst: the rest came {faster:.1f} times as fast, expected at most"
                f" {HASTE:g} times (MEAS-49)"
            )
            found.hold("look-pace", faster / HASTE, text)


def _many(scenario: Scenario, actor_class: int) -> int:
    """Return the number of actors of a class: the schedule decides their order, so they are asked
    together, or not at all."""
    return next(each.many for each in population.of(scenario) if each.actor_class == actor_class)


def _faster(taken: int, total: int, before: int, after: int) -> float:
    """Return the speed of the messages after a look, as a multiple of those before."""
    slack = SLACK * (before + after)
    return (total - taken) * before / (max(1, taken) * max(1.0, after + slack))


def _naps(scenario: Scenario, seen: Sequence[_Seen], found: Shown) -> None:
    """Check that no more naps ended between two looks than can have (SLEEP-2). A sleeper takes
    `sleep` and `wake` in turns; the alarm takes `awake` of all of them."""
    v = scenario.parameters
    delay = v["delay"] * 1_000_000
    if not delay:
        return
    for first, then in combinations(seen, 2):
        passed = then.answered - first.asked
        allowed = int(passed * SLEW) + GRAIN
        for actor, taken in sorted(then.taken.items()):
            before = first.taken.get(actor, 0)
            if names.class_of(actor) == names.SLEEPER:
                # Naps that began after the first look and ended before the second.
                ended = each = taken // 2 - (before + 1) // 2
            else:
                ended = taken - max(1, before)
                # All sleep at the same time, and were in the midst of one at the first look.
                each = -(-ended // v["sleepers"]) - (first is not _START)
            text = (
                f"{names.spell(actor)}: {ended} naps {_between(first, then)}, {passed / 1e9:.3f} s"
                f" later; {each} of them, one after the other, take {each * delay / 1e9:.3f} s"
                " (SLEEP-2)"
            )
            found.exact("look-naps", each * delay - passed, allowed, text)


def _between(first: _Seen, then: _Seen) -> str:
    since = "the run had begun" if first is _START else "one look at it had been asked for"
    return f"ended after {since} and before another was answered"


def _windows(
    scenario: Scenario,
    looks: Looks,
    seen: Sequence[_Seen],
    whole: Whole,
    receipt: benchmarks_pb2.Receipt,
    found: Shown,
) -> None:
    """Ticks against their time (WIN-1), and the receipt's windows against what had been taken when
    their time was over by the receipt (WIN-3)."""
    model = MICRO[scenario.benchmark].model
    lead, tick, window = model.LEAD, model.TICK, scenario.parameters["window"] * 1_000_000
    claimed = receipt.done
    ends = list(accumulate(claimed.window_nanos))
    slice_of = Watched(whole.watches).slice_of(lead)
    begin = slice_of.begin if slice_of else 0
    ticks = {
        args[0]: begin + place
        for place, (_, (number, args)) in enumerate(whole.logs.get(lead, ()))
        if number == tick
    }
    for look in seen:
        slewed = int(look.answered * SLEW) + GRAIN
        for number, place in ticks.items():
            if number >= len(ends):
                continue
            had = f"{names.spell(lead)} had taken tick({number}) before {look.answered / 1e9:.3f} s"
            lasted = f"windows 0 to {number} lasted {ends[number] / 1e9:.3f} s by the receipt"
            if look.began(place, lead):
                due = (number + 1) * window
                text = (
                    f"{had} of the run had passed, by a look in its midst: expected none before"
                    f" {due / 1e9:.3f} s (WIN-1)"
                )
                found.exact("look-ticks", due - look.answered, slewed, text)
                text = f"{lasted}; {had} had passed, by a look at the run (WIN-3)"
                lack = ends[number] - look.answered
            else:
                text = (
                    f"{lasted}; {names.spell(lead)} had not taken tick({number}) when"
                    f" {look.asked / 1e9:.3f} s had passed, by a look at the run (WIN-3)"
                )
                lack = look.asked - ends[number]
            # A stamp may be taken late, behind the tick or before the start.
            found.exact("look-windows", lack, slewed + looks.beside, text)
        if model.LEAD_COUNTS and lead in look.taken:
            _counted(scenario, look, lead, looks.beside, claimed, found)


def _counted(
    scenario: Scenario, look: _Seen, lead: int, beside: int, claimed: Any, found: Shown
) -> None:
    """Checks the counts of windows whose end, by the receipt, was before a look or after it."""
    unit, taken = accounts.COUNTED[scenario.benchmark], look.taken[lead]
    windows = zip(accumulate(claimed.window_nanos), accumulate(claimed.windows), strict=False)
    for number, (end, counted) in enumerate(windows):
        ended = f"by the receipt windows 0 to {number} ended after {end / 1e9:.3f} s with {counted}"
        had = f"{names.spell(lead)} had taken {taken} messages by a look at the run that was"
        # Before that came `start` and the ticks before; and its own tick, if it is over, or if that
        # was counted before its stamp was taken.
        if end + int(end * SLEW) + GRAIN + beside < look.asked:
            text = f"{had} asked for after {look.asked / 1e9:.3f} s; {ended} {unit} (WIN-2)"
            found.never("look-counts", counted + number + 2 - taken, text)
        elif end - int(end * SLEW) - GRAIN - beside > look.answered:
            text = f"{had} answered after {look.answered / 1e9:.3f} s; {ended} {unit} (WIN-2)"
            found.never("look-counts", taken - counted - number - 2, text)
            return


def _turns(
    scenario: Scenario,
    looks: Looks,
    seen: Sequence[_Seen],
    receipt: benchmarks_pb2.Receipt,
    found: Shown,
) -> None:
    """A turn whose accumulator had not heard of all clients at one look, and was there at an
    earlier one, took what lies between them at least (MEAS-2)."""
    turns = list(receipt.chatapp.turn_nanos)
    for first, then in combinations(seen, 2):
        for actor in sorted(first.taken):
            index = names.index_of(actor)
            if names.class_of(actor) != names.ACCUMULATOR or index >= len(turns):
                continue
            if then.taken.get(actor, 0) >= scenario.parameters["clients"]:
                continue
            passed = then.asked - first.answered
            text = (
                f"turn {index} took {turns[index] / 1e9:.3f} s by the receipt;"
                f" {names.spell(actor)} was there at one look at the run, and had not heard of all"
                f" clients at another {passed / 1e9:.3f} s later (MEAS-2)"
            )
            found.exact(
                "look-turns", passed - turns[index], int(max(0, passed) * SLEW) + GRAIN, text
            )
