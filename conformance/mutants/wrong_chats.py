"""Wrong chats, members, histories, turns and mailboxes: ChatApp's messages, each kind of fault."""

import asyncio
from collections import deque
from typing import Any

from dramaturg.model import chatapp, names
from dramaturg.v2 import trace_pb2 as kind

from changes import made, replaced, sends, undying
from reference import actors
from reference.actors import System
from reference.behaviours import Poker

# --- what is sent ---


def reports_to_the_current_turn() -> None:
    """A client reports to the accumulator of the turn it was last told of, not of the message."""
    current: dict[int, int] = {}

    def act(self: chatapp.Client, sender: int, turn: int, *rest: int) -> None:
        current[self.name] = turn
        right_act(self, sender, turn, *rest)

    def forward(self: chatapp.Client, sender: int, turn: int, *rest: int) -> None:
        right_forward(self, sender, current.get(self.name, turn), *rest)

    right_act = replaced(chatapp.Client, kind.MESSAGE_KIND_CLIENT_ACT, act)
    right_forward = replaced(chatapp.Client, kind.MESSAGE_KIND_CLIENT_FORWARD, forward)


def announces_who_joined() -> None:
    """A chat tells its members of a newcomer, with a message that nobody asked for."""

    def join(self: chatapp.Chat, sender: int, turn: int, friend: int) -> None:
        for member in self.members:
            self.send(chatapp.client_name(member), kind.MESSAGE_KIND_CLIENT_FORWARD, turn, 2, 0)
        right(self, sender, turn, friend)

    right = replaced(chatapp.Chat, kind.MESSAGE_KIND_CHAT_JOIN, join)


def sends_when_the_buffer_is_full() -> None:
    """Forwards to a client are kept back until there are two of them."""
    send = System._send
    kept: dict[int, tuple[Any, ...]] = {}

    def buffered(self: Any, receiver: int, number: int, *args: int) -> None:
        if number != kind.MESSAGE_KIND_CLIENT_FORWARD:
            send(self, receiver, number, *args)
        elif receiver in kept:
            send(self, receiver, number, *kept.pop(receiver))
            send(self, receiver, number, *args)
        else:
            kept[receiver] = args

    System._send = buffered  # type: ignore[method-assign]


def mailbox_is_a_stack() -> None:
    """The last message is taken first."""
    _mailboxes(asyncio.LifoQueue)


def mailbox_is_bounded() -> None:
    """A full mailbox drops what comes: it holds 64 messages, which one act never sends."""

    class Mailbox(asyncio.Queue[Any]):
        def put_nowait(self, item: Any) -> None:
            if self.qsize() < 64:
                super().put_nowait(item)

    _mailboxes(Mailbox)


def mailbox_has_priorities() -> None:
    """`left` is taken before forwards that were there first: it makes room, so it is urgent."""

    class Mailbox(asyncio.Queue[Any]):
        def _init(self, maxsize: int) -> None:
            self.urgent: deque[Any] = deque()
            super()._init(maxsize)

        def _put(self, item: Any) -> None:
            urgent = item[1] == kind.MESSAGE_KIND_CLIENT_LEFT
            (self.urgent if urgent else self._queue).append(item)  # type: ignore[attr-defined]

        def _get(self) -> Any:
            return self.urgent.popleft() if self.urgent else super()._get()

        def empty(self) -> bool:
            return not self.urgent and super().empty()

    _mailboxes(Mailbox)


def _mailboxes(kind_of: type[asyncio.Queue[Any]]) -> None:
    spawn = System.spawn

    def spawned(self: Any, actor: Any) -> None:
        right, actors.asyncio.Queue = actors.asyncio.Queue, kind_of  # type: ignore[misc]
        try:
            spawn(self, actor)
        finally:
            actors.asyncio.Queue = right  # type: ignore[misc]

    System.spawn = spawned  # type: ignore[method-assign]


def payload_in_32_bits() -> None:
    """A payload loses its upper half, and with it who posted."""
    sends(
        chatapp.Client,
        kind.MESSAGE_KIND_CLIENT_ACT,
        lambda receiver, number, *args: [
            (receiver, number, args[0], args[1] % (1 << 32))
            if number == kind.MESSAGE_KIND_CHAT_POST
            else (receiver, number, *args)
        ],
    )


def posts_count_from_one() -> None:
    """A client's first payload is 1."""
    right = chatapp.Client._payload
    chatapp.Client._payload = lambda self, salt: right(self, salt) + 1  # type: ignore[method-assign]


def fails_in_silence() -> None:
    """A client fails at its fifth delivery, its supervisor resumes it, and nobody is told."""

    def forward(self: chatapp.Client, sender: int, *args: int) -> None:
        if self.deliveries == 4:
            self.deliveries += 1
            return
        right(self, sender, *args)

    right = replaced(chatapp.Client, kind.MESSAGE_KIND_CLIENT_FORWARD, forward)


# --- members and history ---


def poster_hears_nothing() -> None:
    """A post is forwarded to everybody else."""

    def post(self: chatapp.Chat, sender: int, turn: int, payload: int) -> None:
        poster, everybody = names.index_of(sender), self.members
        self.members = [member for member in everybody if member != poster]
        right(self, sender, turn, payload)
        self.members = everybody

    right = replaced(chatapp.Chat, kind.MESSAGE_KIND_CHAT_POST, post)


def members_are_a_set() -> None:
    """Whoever is a member already is not added again."""

    def join(self: chatapp.Chat, sender: int, turn: int, friend: int) -> None:
        right(self, sender, turn, friend)
        self.members = list(dict.fromkeys(self.members))

    right = replaced(chatapp.Chat, kind.MESSAGE_KIND_CHAT_JOIN, join)


def leave_removes_all_occurrences() -> None:
    """A client that leaves once is gone altogether."""

    def leave(self: chatapp.Chat, sender: int, turn: int) -> None:
        leaver = names.index_of(sender)
        self.members = [member for member in self.members if member != leaver]
        self.send(sender, kind.MESSAGE_KIND_CLIENT_LEFT, turn)
        if not self.members:
            self.terminate()

    replaced(chatapp.Chat, kind.MESSAGE_KIND_CHAT_LEAVE, leave)


def leaves_the_last_chat() -> None:
    """A client leaves the chat that it joined last, whichever was drawn."""

    class Chats(list[int]):
        def pop(self, index: Any = -1) -> int:
            return super().pop()

    made(chatapp.Client, lambda client: setattr(client, "chats", Chats()))


def chat_ends_with_one_left() -> None:
    """A chat ends when nobody is left to talk to."""

    def leave(self: chatapp.Chat, sender: int, turn: int) -> None:
        right(self, sender, turn)
        if len(self.members) == 1:
            self.terminate()

    right = replaced(chatapp.Chat, kind.MESSAGE_KIND_CHAT_LEAVE, leave)


def history_backwards() -> None:
    """Whoever joins hears the newest post first."""

    def join(self: chatapp.Chat, sender: int, turn: int, friend: int) -> None:
        if self.history:
            self.history.reverse()
        right(self, sender, turn, friend)
        if self.history:
            self.history.reverse()

    right = replaced(chatapp.Chat, kind.MESSAGE_KIND_CHAT_JOIN, join)


def history_always_kept() -> None:
    """Chats keep a history also where they must not."""
    made(chatapp.Chat, lambda chat: setattr(chat, "history", []))


def history_forgets_the_oldest() -> None:
    """The history is a ring of two."""

    def post(self: chatapp.Chat, sender: int, turn: int, payload: int) -> None:
        right(self, sender, turn, payload)
        if self.history:
            self.history = self.history[-2:]

    right = replaced(chatapp.Chat, kind.MESSAGE_KIND_CHAT_POST, post)


def accepted_before_history() -> None:
    """A newcomer is accepted first and hears the history afterwards."""

    def join(self: chatapp.Chat, sender: int, turn: int, friend: int) -> None:
        send, later = self.send, []

        def sorting(receiver: int, number: int, *args: int) -> None:
            if number == kind.MESSAGE_KIND_CLIENT_FORWARD:
                later.append((receiver, number, *args))
            else:
                send(receiver, number, *args)

        self.send = sorting
        right(self, sender, turn, friend)
        self.send = send
        for message in later:
            send(*message)

    right = replaced(chatapp.Chat, kind.MESSAGE_KIND_CHAT_JOIN, join)


def join_forgets_the_acceptance() -> None:
    """A join with a history announces a unit for each post, and none for `accepted`."""
    sends(
        chatapp.Chat,
        kind.MESSAGE_KIND_CHAT_JOIN,
        lambda receiver, number, *args: [
            (receiver, number, args[0], args[1] - 1, args[2])
            if number == kind.MESSAGE_KIND_ACCUMULATOR_BUMP
            else (receiver, number, *args)
        ],
    )


# --- turns ---


def double_confirm() -> None:
    """An accumulator confirms twice, to be sure."""
    consume = chatapp.Accumulator._report

    def twice(self: chatapp.Accumulator, level: int) -> None:
        send = self.send
        self.send = lambda *message: [send(*message), send(*message)]
        consume(self, level)
        self.send = send

    chatapp.Accumulator._report = twice  # type: ignore[method-assign]


def confirms_without_value() -> None:
    """The result of compute is thrown away: an optimiser may remove the work."""
    consume = chatapp.Accumulator._report

    def valueless(self: chatapp.Accumulator, level: int) -> None:
        self.value = 0
        consume(self, level)

    chatapp.Accumulator._report = valueless  # type: ignore[method-assign]


def accumulators_live_on() -> None:
    """An accumulator confirms and does not end."""
    chatapp.Accumulator._report = undying(chatapp.Accumulator._report)  # type: ignore[method-assign]


def clients_live_on() -> None:
    """A client reports that it has left all chats and does not end."""
    chatapp.Client._report = undying(chatapp.Client._report)  # type: ignore[method-assign]


def turns_in_four_bits() -> None:
    """Turns are numbered 0 to 15 and from 0 again: two accumulators have one name."""
    following = chatapp.Poker._next_turn

    def wrapped(self: chatapp.Poker, expected: int) -> int:
        self.turns %= 16
        return following(self, expected)

    chatapp.Poker._next_turn = wrapped  # type: ignore[method-assign]


def chats_share_a_name() -> None:
    """Every chat of a client has the name of its first."""
    chatapp.chat_name = lambda creator, created: names.name(names.CHAT, creator)  # type: ignore[assignment]


def act_past_the_directory() -> None:
    """The poker tells a client directly to act."""

    def act(self: Poker, sender: int, client: int, *rest: int) -> None:
        turn = self._next_turn(expected=1)
        self.send(chatapp.client_name(client), kind.MESSAGE_KIND_CLIENT_ACT, turn, *rest, 0)

    replaced(Poker, kind.MESSAGE_KIND_POKER_ACT, act)


def counts_only_what_worked() -> None:
    """A post or leave that found no chat counts as none."""

    def act(self: chatapp.Client, sender: int, turn: int, choice: int, *rest: int) -> None:
        before = dict(self.picks), self.posted, len(self.chats)
        right(self, sender, turn, choice, *rest)
        for action, unchanged in (
            (chatapp.Choice.POST, self.posted == before[1]),
            (chatapp.Choice.LEAVE, len(self.chats) == before[2]),
        ):
            if unchanged and self.picks[action] > before[0][action]:
                self.picks[action] -= 1
                self.picks[chatapp.Choice.NONE] += 1

    right = replaced(chatapp.Client, kind.MESSAGE_KIND_CLIENT_ACT, act)


def logs_out_once_for_each_chat() -> None:
    """At logout a chat that a client is in twice is left once, and never ends."""

    def logout(self: chatapp.Client, sender: int) -> None:
        self.chats = list(dict.fromkeys(self.chats))
        right(self, sender)

    right = replaced(chatapp.Client, kind.MESSAGE_KIND_CLIENT_LOGOUT, logout)


def expects_one_act_a_turn() -> None:
    """Every accumulator expects a single report, as for an act: right as long as one acts."""
    following = chatapp.Poker._next_turn
    chatapp.Poker._next_turn = lambda self, expected: following(self, 1)  # type: ignore[method-assign]


def one_accumulator_for_all_turns() -> None:
    """The accumulator of the first turn goes on to count every later one."""
    first: list[chatapp.Accumulator] = []

    def following(self: Poker, expected: int) -> int:
        turn, self.turns = self.turns, self.turns + 1
        if turn == 0:
            first[:] = [chatapp.Accumulator(0, expected)]
            self.spawn(first[0])
        else:
            # As a message would do it: it is told of the turn and how many are to act.
            first[0].turn = turn
            first[0].expected[0] += expected
        return turn

    Poker._next_turn = following  # type: ignore[method-assign]
    chatapp.accumulator_name = lambda turn: names.name(names.ACCUMULATOR)  # type: ignore[assignment]
    chatapp.Accumulator._report = undying(chatapp.Accumulator._report)  # type: ignore[method-assign]


def chats_live_on_at_the_end() -> None:
    """A chat ends with its last member, but not when all log out."""

    def leave(self: chatapp.Chat, sender: int, turn: int) -> None:
        if turn == chatapp.LOGOUT:
            undying(right)(self, sender, turn)
        else:
            right(self, sender, turn)

    right = replaced(chatapp.Chat, kind.MESSAGE_KIND_CHAT_LEAVE, leave)
