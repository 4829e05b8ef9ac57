"""A wrong draw is shown as one, and not only as the message that came of it."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from explained_kit import asked

from dramaturg.model import messages, names
from dramaturg.model.actor import Actor
from dramaturg.model.chatapp import Parameters, Selection
from dramaturg.model.lcg import Lcg
from dramaturg.model.messages import Choice
from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import ChatAppWorkload
from dramaturg.trace.events import Logs
from dramaturg.trace.explanation.departure import Explanation, explain
from dramaturg.trace.explanation.draws import Draw
from dramaturg.trace.explanation.render import render
from dramaturg.trace.replay.divergence import Kind
from dramaturg.trace.replay.token_game import replay
from dramaturg.v2 import trace_pb2 as kind

CLIENTS = range(6)
LEFT = kind.MESSAGE_KIND_DIRECTORY_LEFT
STOP = kind.MESSAGE_KIND_ACCUMULATOR_STOP


def workload(selection: Selection = Selection.CUMULATIVE) -> ChatAppWorkload:
    """Everybody acts four times."""
    parameters = Parameters(
        clients=6, directories=2, turns=1, compute=20, post=30, leave=20, invite=30, befriend=60,
        selection=selection, fib_n=5,
    )  # fmt: skip
    made = ChatAppWorkload(parameters).prepare()
    for _ in range(4):
        for client in CLIENTS:
            made.act(client)
    return made


def leaving() -> ChatAppWorkload:
    """And then logs out."""
    return workload().disconnect()


def explained(run: ChatAppWorkload, logs: Logs) -> Explanation | None:
    return explain(run, logs, replay(run, logs))


def with_generator(actor: int, generator: Callable[[int], Lcg], run: ChatAppWorkload) -> Logs:
    """The logs of a run in which this actor has another generator."""

    class Wrong(Simulation):
        def _enter(self, each: Actor) -> None:
            super()._enter(each)
            made: Any = each
            each.spawn = self._enter
            if each.name == actor:
                made.lcg = generator(made.lcg.state)

    return Wrong(run).perform().logs


class OneTooMany(Lcg):
    """Draws once more before its first draw."""

    __slots__ = ("drawn",)

    def next(self) -> int:
        if not hasattr(self, "drawn"):
            self.drawn = True
            super().next()
        return super().next()


class OtherChoice(Lcg):
    """Its first choice is another one: half of a hundred further on."""

    __slots__ = ("chosen",)

    def next_int(self, limit: int) -> int:
        value = super().next_int(limit)
        if limit == 100 and not hasattr(self, "chosen"):
            self.chosen = True
            return (value + 50) % 100
        return value


@pytest.mark.parametrize("selection", list(Selection))
def test_a_draw_too_many_is_told_from_another_value(selection: Selection) -> None:
    told = []
    for client in CLIENTS:
        run = workload(selection)
        explanation = explained(
            run, with_generator(names.name(names.CLIENT, client), OneTooMany, run)
        )
        assert explanation is not None
        if explanation.drawn is not None and explanation.drawn.received is not None:
            told.append(explanation.drawn.astray)
    # If another number of draws follows, it is further astray by the time that it shows.
    assert told.count(1) >= 3


def test_the_values_that_lead_there_are_those_that_were_drawn() -> None:
    told = 0
    for client in CLIENTS:
        run = workload()
        explanation = explained(
            run, with_generator(names.name(names.CLIENT, client), OtherChoice, run)
        )
        if explanation is None or explanation.drawn is None or not explanation.drawn.values:
            continue
        told += 1
        choice = next(draw.value for draw in explanation.drawn.draws if draw.modulus == 100)
        [(ranges, instead)] = re.findall(
            r"next_int\(100\) = (.*?) in the place of (\d+)", explanation.drawn.values
        )
        ends = [re.split(r"\.\.", each) for each in ranges.split(", ")]
        assert int(instead) == choice
        assert any(int(low[0]) <= (choice + 50) % 100 <= int(low[-1]) for low in ends)
        assert asked(explanation)[:2] == ["CHAT-18", "CHAT-20"]
    assert told >= 3


def test_what_was_drawn_is_printed_and_told_to_programs() -> None:
    run = workload()
    logs = with_generator(names.name(names.CLIENT, 1), OneTooMany, run)
    explanation = explained(run, logs)
    assert explanation is not None and explanation.drawn is not None
    text = render(explanation)
    first = explanation.drawn.draws[0]
    assert isinstance(first, Draw)
    assert f"from state {explanation.drawn.before}:" in text
    assert f"state {first.state}" in text
    assert "1 draw more before that" in " ".join(text.split())
    told = explanation.to_dict()["drawn"]
    assert told["draws"][0] == first.to_dict()
    assert told["needs"].endswith("1 draw more before that")


def test_nothing_is_said_of_draws_where_there_are_none() -> None:
    run = workload()
    logs = Simulation(run).perform().logs
    poker = names.name(names.POKER)
    del logs[poker][-1]
    explanation = explained(run, logs)
    assert explanation is not None
    assert explanation.drawn is None
    assert " drew " not in render(explanation)


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (0, ["LCG-2", "CHAT-18", "CHAT-19"]), (1, ["CHAT-22"]), (2, ["CHAT-22"]), (3, ["CHAT-22"]),
        (4, ["CHAT-22"]), (5, ["CHAT-22"]), (6, ["CHAT-29"]), (7, ["CHAT-29"]),
    ],
)  # fmt: skip
def test_a_wrong_count_is_asked_for_where_it_is_counted(place: int, expected: list[str]) -> None:
    run = leaving()
    logs = Simulation(run).perform().logs
    log = logs[names.name(names.DIRECTORY)]
    at = next(p for p, (_, message) in enumerate(log) if message[0] == LEFT)
    sender, (number, args) = log[at]
    log[at] = sender, (number, (*args[:place], args[place] + 1, *args[place + 1 :]))
    explanation = explained(run, logs)
    assert explanation is not None
    assert asked(explanation) == expected


@pytest.mark.parametrize("later", [True, False], ids=["lost", "invented"])
def test_who_took_what_was_for_another_is_named_at_either_end(later: bool) -> None:
    run = workload().act(5, Choice.COMPUTE)
    logs = Simulation(run).perform().logs
    computed = [
        names.name(names.ACCUMULATOR, turn)
        for turn in range(25)
        if [message[0] for _, message in logs[names.name(names.ACCUMULATOR, turn)]] == [STOP]
    ]
    right, wrong = (computed[0], computed[-1]) if later else (computed[-1], computed[0])
    logs[wrong].append(logs[right].pop())
    sender, message = logs[wrong][-1]
    del logs[right]
    explanation = explained(run, logs)
    assert explanation is not None
    who, whom, instead = map(names.spell, (sender, right, wrong))
    if later:
        assert explanation.divergence.kind is Kind.LOST
        assert explanation.note == (
            f"{whom} has no log. {instead} took {messages.spell(*message)} from {who}, as event 1,"
            " and was not sent it."
        )
    else:
        assert explanation.divergence.kind is Kind.INVENTED
        assert f"{who} sent it to {whom}, which never took it, and {whom} has no log." in (
            explanation.note
        )
