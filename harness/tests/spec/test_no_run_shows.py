"""The deviations that no run can show, by spec/review.md, performed, and accepted.

A test that fails here is good news: a run can show it by now. Then the question goes from the
chapter, and its requirement gets a case.
"""

import random
from collections.abc import Callable
from typing import Any

import pytest

from dramaturg.machine import floors
from dramaturg.model import bang, broker, chatapp, fanout
from dramaturg.model.chatapp import Parameters
from dramaturg.model.messages import Choice
from dramaturg.model.simulation import AtRandom, InOrder, Simulation
from dramaturg.model.workload import MICRO, ChatAppWorkload, MicroWorkload, Workload
from dramaturg.timing.planning.scenarios import scenario
from dramaturg.timing.validity import plausibility, timed_receipts, watched_parts
from dramaturg.trace.replay.token_game import replay
from dramaturg.trace.watches import EVERYBODY
from dramaturg.v2 import benchmarks_pb2
from dramaturg.v2 import trace_pb2 as kind

SALT = 0xC0FFEE

SMALL: dict[str, dict[str, int]] = {
    "pingpong": {"rounds": 5},
    "big": {"peers": 4, "rounds": 3},
    "bang": {"senders": 3, "messages": 6},
    "web": {"browsers": 4, "workers": 2, "requests": 3, "fib_n": 4},
    "count": {"adders": 3, "adds": 4},
    "chain": {"length": 6},
    "fanout": {"runners": 3, "tasks": 5, "window": 0},
    "sleepers": {"sleepers": 3, "naps": 2, "delay": 0},
    "mergesort": {"length": 20, "leaf": 3, "seed": 7},
    "broker": {"employees": 3, "tasks": 7, "size": 5},
    "openweb": {"servers": 2, "requests": 5, "gap": 1, "seed": 7, "fib_n": 4},
}


def micro(benchmark: str, **changed: int) -> MicroWorkload:
    of = MICRO[benchmark]
    return MicroWorkload(of, of.parameters(**SMALL[benchmark] | changed)).run(SALT).disconnect()


def pipelined(parameters: Parameters) -> ChatAppWorkload:
    return ChatAppWorkload(parameters).prepare().run(SALT).disconnect()


def conforms(workload: Workload, performed: Simulation) -> bool:
    verdict = replay(workload, performed.logs)
    return verdict.conforms and verdict.alive == 0 and verdict.control == performed.control


@pytest.mark.parametrize("benchmark", [*MICRO, "chatapp"])
def test_review_1_3_and_10_one_loop_with_one_queue_for_all_is_a_legal_schedule(
    benchmark: str, small: Parameters
) -> None:
    workload = pipelined(small) if benchmark == "chatapp" else micro(benchmark)
    assert conforms(workload, Simulation(workload, InOrder()).perform())


def _schedules() -> list[InOrder | AtRandom]:
    return [InOrder(), *(AtRandom(random.Random(seed).randrange) for seed in range(5))]


@pytest.mark.parametrize("scheduler", _schedules())
def test_review_5_a_sender_of_bang_may_wait_for_each_answer(
    monkeypatch: pytest.MonkeyPatch, scheduler: InOrder | AtRandom
) -> None:
    def go(self: bang.Sender, sender: int, salt: int) -> None:
        self.salt = salt
        self._bang()

    def answer(self: bang.Sender, sender: int, number: int, value: int) -> None:
        if self.sent < self.parameters.messages:
            self.answers += 1
            self.taken = bang.add(self.taken, value)
            self._bang()
        else:
            right[kind.MESSAGE_KIND_SENDER_ANSWER](self, sender, number, value)

    right = bang.Sender.handlers
    waiting = {kind.MESSAGE_KIND_SENDER_GO: go, kind.MESSAGE_KIND_SENDER_ANSWER: answer}
    performed = _performed(monkeypatch, bang.Sender, waiting, micro("bang"), scheduler)
    assert conforms(micro("bang"), performed)


@pytest.mark.parametrize("scheduler", _schedules())
def test_review_5_fanouts_master_may_keep_a_window_that_nobody_asked_for(
    scheduler: InOrder | AtRandom,
) -> None:
    assert fanout.Parameters(**SMALL["fanout"]).window == 0
    assert conforms(micro("fanout"), Simulation(micro("fanout", window=1), scheduler).perform())


@pytest.mark.parametrize("scheduler", _schedules())
def test_review_5_an_employer_may_have_one_task_under_way(
    monkeypatch: pytest.MonkeyPatch, scheduler: InOrder | AtRandom
) -> None:
    right = broker.Employer.handlers[kind.MESSAGE_KIND_EMPLOYER_REQUEST]
    kept: list[tuple[int, ...]] = []

    def request(self: broker.Employer, sender: int, *said: int) -> None:
        kept.append((sender, *said))
        result = said[1]
        if self.given == 0 or result > 0:
            right(self, *kept.pop(0))
        while self.given == self.parameters.tasks and result > 0 and kept:
            right(self, *kept.pop(0))

    keeping = {kind.MESSAGE_KIND_EMPLOYER_REQUEST: request}
    performed = _performed(monkeypatch, broker.Employer, keeping, micro("broker"), scheduler)
    assert conforms(micro("broker"), performed)


@pytest.mark.parametrize("scheduler", _schedules())
def test_review_5_the_poker_may_wait_for_the_first_turn(
    monkeypatch: pytest.MonkeyPatch, small: Parameters, scheduler: InOrder | AtRandom
) -> None:
    def run(self: chatapp.Poker, sender: int, salt: int) -> None:
        self._poke(salt)

    def confirm(self: chatapp.Poker, sender: int, *said: int) -> None:
        right[kind.MESSAGE_KIND_POKER_CONFIRM](self, sender, *said)
        while self.turns < self.parameters.turns:
            self._poke(SALT)

    right = chatapp.Poker.handlers
    waiting = {kind.MESSAGE_KIND_POKER_RUN: run, kind.MESSAGE_KIND_POKER_CONFIRM: confirm}
    performed = _performed(monkeypatch, chatapp.Poker, waiting, pipelined(small), scheduler)
    assert conforms(pipelined(small), performed)
    times = benchmarks_pb2.Receipt(run_nanos=2_000_000_000)
    times.chatapp.turn_nanos.extend([1_000_000_000] * small.turns)
    assert timed_receipts._waiting(times) == []
    times.run_nanos = 3_000_000_000
    assert "turns waited for each other" in timed_receipts._waiting(times)[0]


def _performed(
    monkeypatch: pytest.MonkeyPatch,
    actor: Any,
    handlers: dict[int, Callable[..., None]],
    workload: Workload,
    scheduler: InOrder | AtRandom,
) -> Simulation:
    """A run in which actors of this class do something else upon these messages."""
    with monkeypatch.context() as patch:
        patch.setattr(actor, "handlers", actor.handlers | handlers)
        return Simulation(workload, scheduler).perform()


def test_review_6_two_numbers_of_three_are_within_the_floors() -> None:
    assert plausibility.REFUSED < 2 / 3
    assert floors.MARGIN < 2 / 3


@pytest.mark.parametrize("scheduler", _schedules())
def test_review_6_a_chat_may_sum_its_history_anew(
    monkeypatch: pytest.MonkeyPatch, small: Parameters, scheduler: InOrder | AtRandom
) -> None:
    def join(self: chatapp.Chat, sender: int, turn: int, friend: int) -> None:
        self.digests = chatapp.add(0, sum(map(chatapp.digest, self.history or ())))
        summed.append(self.digests)
        right(self, sender, turn, friend)

    right = chatapp.Chat.handlers[kind.MESSAGE_KIND_CHAT_JOIN]
    summed: list[int] = []
    workload = ChatAppWorkload(small).prepare().act(0, Choice.INVITE, k=1)
    workload.act(0, Choice.POST).act(0, Choice.POST).act(0, Choice.JOIN, k=1).disconnect()
    summing = {kind.MESSAGE_KIND_CHAT_JOIN: join}
    performed = _performed(monkeypatch, chatapp.Chat, summing, workload, scheduler)
    assert summed == [0, chatapp.add(chatapp.digest(0), chatapp.digest(1))]
    assert conforms(workload, performed)


def test_review_9_who_sees_its_watches_knows_an_audit() -> None:
    of = scenario("pingpong", scale="small")
    [part] = watched_parts.closed(of, random.Random(1))
    assert list(part.watches) == list(EVERYBODY)
    for seed in range(50):
        rows = watched_parts.crossing(of, random.Random(seed))
        assert all(getattr(row, "class") for row in rows)
