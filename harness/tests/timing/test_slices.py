"""An impossible message is found in a slice of a single event, whatever it stands in; a false
digest, in a log that is watched whole."""

import random
from collections import defaultdict
from collections.abc import Iterator

from timing_fakes import SALT, performed
from timing_forms import FORMS, forms, workload_of

from dramaturg.model import names
from dramaturg.model.messages import KINDS
from dramaturg.timing.planning.scenarios import Scenario, scenario
from dramaturg.trace.events import Event, Logs
from dramaturg.trace.partial.part_replay import PartVerdict, replay_part
from dramaturg.trace.watches import watch

EVENTS = 60
"""Events of each form that are altered, at most."""

OPEN = {
    # spec/parts.md, *What stays open*: how much, and what sums of digests say of it.
    "poker confirm stops", "poker finished deliveries", "directory left deliveries",
    "coordinator marked pongs", "coordinator finished pings", "coordinator finished pongs",
    "coordinator finished given", "coordinator finished taken", "adder total sum",
    "tally counted sum", "accumulator stop value", "accumulator bump digest",
}  # fmt: skip

AGAIN = {
    # The same message more than once from one sender, with nothing in it that tells which.
    "accumulator stop", "accumulator bump", "chat post", "chat join", "chat leave",
    "client forward", "client accepted", "client left", "dispatcher idle", "balancer idle",
}  # fmt: skip


def said(receiver: int, event: Event) -> str:
    return f"{names.LABELS[names.class_of(receiver)]} {KINDS[event[1][0]].label}"


def some_of(logs: Logs, chance: random.Random) -> Iterator[tuple[int, int]]:
    """Actors and places of later messages: of each kind as many as of the others."""
    places = defaultdict(list)
    for actor, log in logs.items():
        for place in range(1, len(log)):
            places[log[place][1][0]].append((actor, place))
    for found in places.values():
        yield from chance.sample(found, min(len(found), EVENTS // len(places)))


def decide(of: Scenario, actor: int, place: int, slice: list[Event]) -> PartVerdict:
    actor_class, index = names.class_of(actor), names.index_of(actor)
    row = watch(actor_class, first=index, last=index, begin=place, events=len(slice))
    return replay_part(workload_of(of), [row], {actor: slice})


def altered(receiver: int, event: Event) -> Iterator[tuple[str, Event]]:
    """By an argument that has a bit too many, and by a sender that is another one."""
    sender, (kind, args) = event
    for place, argument in enumerate(KINDS[kind].arguments):
        for bit in (30, 47, 63):
            wrong = (*args[:place], args[place] ^ 1 << bit, *args[place + 1 :])
            yield f"{said(receiver, event)} {argument}", (sender, (kind, wrong))
    actor_class, index = names.class_of(sender), names.index_of(sender)
    others = {names.name(other) for other in names.LABELS if other != actor_class}
    if sender != receiver:
        others.add(receiver)
    if actor_class != names.CONTROL:
        others.add(names.name(actor_class, index + (1 << 20)))
    for other in sorted(others):
        if names.class_of(other) not in KINDS[kind].senders or other == receiver:
            yield f"{said(receiver, event)} by {names.spell(other)}", (other, event[1])


@forms
def test_what_nobody_can_have_said_is_found(benchmark: str, name: str) -> None:
    of, chance = scenario(benchmark, name, "tiny"), random.Random(5)
    logs = performed(of, SALT).logs
    missed = set()
    for actor, place in some_of(logs, chance):
        event = logs[actor][place]
        assert decide(of, actor, place, [event]).conforms
        for what, wrong in altered(actor, event):
            if decide(of, actor, place, [wrong]).conforms:
                missed.add(what)
    assert missed <= OPEN


@forms
def test_what_is_said_once_is_found_if_it_comes_again(benchmark: str, name: str) -> None:
    of, chance = scenario(benchmark, name, "tiny"), random.Random(6)
    logs = performed(of, SALT).logs
    missed = {
        said(actor, event)
        for actor, place in some_of(logs, chance)
        if decide(of, actor, place, [event := logs[actor][place]] * 2).conforms
    }
    assert missed <= AGAIN


def test_who_says_what_is_what_the_model_says() -> None:
    seen: dict[int, set[int]] = defaultdict(set)
    alone: set[int] = set()
    talking: set[int] = set()
    for benchmark, name in FORMS:
        for receiver, log in performed(scenario(benchmark, name, "tiny"), SALT).logs.items():
            for sender, (kind, _) in log:
                seen[kind].add(names.class_of(sender))
                (alone if sender == receiver else talking).add(kind)
    assert {kind: set(KINDS[kind].senders) for kind in seen} == seen
    assert alone == {kind for kind in KINDS if KINDS[kind].to_itself}
    assert not alone & talking
    # Acts and single turns, which no timed run has; and what control takes.
    spare = {KINDS[kind].label for kind in KINDS.keys() - seen.keys() if kind > 32}
    assert spare == {"act", "turn"}
    assert {kind for kind in KINDS if KINDS[kind].senders} == {kind for kind in KINDS if kind > 32}


@forms
def test_no_digest_in_a_whole_log_has_more_than_32_bits(benchmark: str, name: str) -> None:
    of, chance = scenario(benchmark, name, "tiny"), random.Random(7)
    logs = performed(of, SALT).logs
    missed = set()
    for actor, place in some_of(logs, chance):
        log, (sender, (kind, args)) = logs[actor], logs[actor][place]
        last = KINDS[kind].arguments[-1:]
        if names.class_of(actor) == names.CHAT or last not in (("value",), ("digest",), ("sum",)):
            continue
        wrong = sender, (kind, (*args[:-1], args[-1] | 1 << 40))
        if decide(of, actor, 0, [*log[:place], wrong, *log[place + 1 :]]).conforms:
            missed.add(said(actor, log[place]))
    assert not missed
