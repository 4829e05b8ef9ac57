"""Wrong implementations: the reference, each with one thing changed.

Every function changes the classes of the reference or of its model in this
process; ``serve.py`` applies one and serves. The docstring says what is wrong.
"""

import asyncio
import os
import time
from typing import Any

from dramaturg.model import chatapp, lcg, names
from dramaturg.model.actor import Actor
from dramaturg.model.fold import add
from dramaturg.v2 import control_pb2, trace_pb2
from dramaturg.v2 import trace_pb2 as kind

from changes import claims, hands_over, made, replaced, undying
from reference.actors import System
from reference.control.log import Entry, Log
from reference.control.world import World

# --- messages ---


def dropped_forward() -> None:
    """The third post of a chat is not forwarded to its last member: a lossy mailbox."""

    def post(self: chatapp.Chat, sender: int, turn: int, payload: int) -> None:
        posted = chatapp.digest(payload)
        if self.history is not None:
            self.history.append(payload)
            self.digests = add(self.digests, posted)
        count = len(self.members)
        accumulator = chatapp.accumulator_name(turn)
        announced = add(0, count * posted)
        self.send(accumulator, kind.MESSAGE_KIND_ACCUMULATOR_BUMP, 0, count, announced)
        dropping = self.history is not None and len(self.history) == 3 and count > 1
        for member in self.members[:-1] if dropping else self.members:
            name = chatapp.client_name(member)
            self.send(name, kind.MESSAGE_KIND_CLIENT_FORWARD, turn, 1, payload)

    replaced(chatapp.Chat, kind.MESSAGE_KIND_CHAT_POST, post)


def duplicated_stop() -> None:
    """A client reports a forward twice, once in a while: at-least-once delivery."""
    right = chatapp.Client.handlers[kind.MESSAGE_KIND_CLIENT_FORWARD]

    def forward(self: chatapp.Client, sender: int, turn: int, level: int, payload: int) -> None:
        right(self, sender, turn, level, payload)
        if self.deliveries == 5:
            accumulator = chatapp.accumulator_name(turn)
            taken = chatapp.digest(payload)
            self.send(accumulator, kind.MESSAGE_KIND_ACCUMULATOR_STOP, level, taken)

    replaced(chatapp.Client, kind.MESSAGE_KIND_CLIENT_FORWARD, forward)


def history_off_by_one() -> None:
    """Whoever joins is not told the last message of the history."""

    def join(self: chatapp.Chat, sender: int, turn: int, friend: int) -> None:
        self.members.append(friend)
        level, replayed = 1, (self.history or [])[:-1]
        if replayed:
            accumulator, level = chatapp.accumulator_name(turn), 2
            bump = (1, len(replayed) + 1, add(0, sum(map(chatapp.digest, replayed))))
            self.send(accumulator, kind.MESSAGE_KIND_ACCUMULATOR_BUMP, *bump)
            for payload in replayed:
                name = chatapp.client_name(friend)
                self.send(name, kind.MESSAGE_KIND_CLIENT_FORWARD, turn, 2, payload)
        self.send(chatapp.client_name(friend), kind.MESSAGE_KIND_CLIENT_ACCEPTED, turn, level)

    replaced(chatapp.Chat, kind.MESSAGE_KIND_CHAT_JOIN, join)


def removes_on_left() -> None:
    """A client removes a chat only when `left` arrives, as the published programs do."""

    def left(self: chatapp.Client, sender: int, turn: int) -> None:
        if turn != chatapp.LOGOUT and sender in self.chats:
            self.chats.remove(sender)
        right(self, sender, turn)

    class Chats(list[int]):
        """Hands a chat out and keeps it."""

        def pop(self, index: int = -1) -> int:  # type: ignore[override]
            return self[index]

    made(chatapp.Client, lambda client: setattr(client, "chats", Chats()))
    right = replaced(chatapp.Client, kind.MESSAGE_KIND_CLIENT_LEFT, left)


def early_confirm() -> None:
    """The accumulator does not wait for what posts and invitations cause."""

    def consume(self: chatapp.Accumulator, level: int) -> None:
        self.reported[level] += 1
        if level == 0 and self.reported[0] == self.expected[0]:
            poker = names.name(names.POKER)
            sums = (self.value, self.stops, self.announced, self.consumed)
            self.send(poker, kind.MESSAGE_KIND_POKER_CONFIRM, self.turn, *sums)

    chatapp.Accumulator._report = consume  # type: ignore[method-assign]


# --- draws ---


def signed_lcg() -> None:
    """The LCG's state is a signed 16-bit integer."""

    def next_signed(self: lcg.Lcg) -> int:
        number = (lcg.MULTIPLIER * self.state + lcg.INCREMENT) % lcg.PERIOD
        self.state = number - lcg.PERIOD if number >= lcg.PERIOD // 2 else number
        return abs(self.state)

    lcg.Lcg.next = next_signed  # type: ignore[method-assign]


def choice_before_index() -> None:
    """A client draws its action first and the chat's position second."""
    select = chatapp.Client._select

    def selected(self: chatapp.Client) -> Any:
        state, self.lcg.state = self.lcg.state, self.before
        choice = select(self)
        self.lcg.next()
        del state
        return choice

    right = chatapp.Client.handlers[kind.MESSAGE_KIND_CLIENT_ACT]

    class Client(chatapp.Client):
        """A client with a place to keep the state before the act."""

        __slots__ = ("before",)

    def act(self: Any, *args: int) -> None:
        self.before = self.lcg.state
        right(self, *args)

    Client._select = selected  # type: ignore[method-assign]
    replaced(Client, kind.MESSAGE_KIND_CLIENT_ACT, act)
    chatapp.Client = Client  # type: ignore[misc]


# --- ends ---


def leaked_chat() -> None:
    """Chats never end."""
    leave = kind.MESSAGE_KIND_CHAT_LEAVE
    replaced(chatapp.Chat, leave, undying(chatapp.Chat.handlers[leave]))


def failing_actor() -> None:
    """A client raises in the middle of its work."""

    def forward(self: chatapp.Client, *args: int) -> None:
        raise RuntimeError("out of coffee")

    replaced(chatapp.Client, kind.MESSAGE_KIND_CLIENT_FORWARD, forward)


# --- claims ---


def lying_receipt() -> None:
    """The receipt says one delivery more than there was."""

    def change(receipt: Any) -> None:
        receipt.deliveries += 1

    claims("chatapp", change)


def withheld_trace() -> None:
    """The last event of every trace is kept back, and the footer agrees."""
    right = Log.hand_over

    def hand_over(self: Log) -> Any:
        last = [entry for entry in self._entries if entry.events][-1:]
        kept = [(entry, entry.events.pop()) for entry in last]
        yield from right(self)
        for entry, event in kept:
            entry.events.append(event)

    Log.hand_over = hand_over  # type: ignore[method-assign]


def trace_without_footer() -> None:
    """The trace's stream ends before its footer."""
    hands_over(lambda log, responses: list(responses)[:-1])


def oversized_batch() -> None:
    """All of a trace in a batch of ten megabytes."""
    batch = trace_pb2.TraceBatch(args=[2**63] * 1_000_000)
    hands_over(lambda log, responses: [control_pb2.TraceResponse(batch=batch)])


def invented_kind() -> None:
    """Messages of a kind that does not exist are logged."""
    right = Entry.take

    def take(self: Entry, sender: int, number: int, args: Any) -> None:
        right(self, sender, 95 if number == kind.MESSAGE_KIND_CHAT_LEAVE else number, args)

    Entry.take = take  # type: ignore[method-assign]


# --- processes ---


def exits_in_an_act() -> None:
    """The process ends with status 3 when a client is to compute."""
    chatapp.Client.work = staticmethod(lambda n: os._exit(3))  # type: ignore[assignment]


def hangs_in_set_up() -> None:
    """Prepare is never answered."""
    right = World.prepare

    async def prepare(self: World) -> int:
        await right(self)
        await asyncio.sleep(3600)
        return 0

    World.prepare = prepare  # type: ignore[method-assign]


def never_serves() -> None:
    """The process starts and opens no socket."""
    time.sleep(3600)


def works_only_unwatched() -> None:
    """An actor that is watched overlooks `settle`: it is busy logging it."""
    right = System._receive

    def receive(self: Any, actor: Actor, sender: int, number: int, args: Any) -> bool:
        if number == kind.MESSAGE_KIND_CLIENT_SETTLE and self._log._everybody:
            return False
        return right(self, actor, sender, number, args)

    System._receive = receive  # type: ignore[method-assign]
