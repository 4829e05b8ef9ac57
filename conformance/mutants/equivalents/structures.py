"""Equivalents: other data structures, other arithmetic, and another order of what nobody can
tell apart: messages that one actor sends to different receivers (ACT-2, ACT-5)."""

import random
import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from functools import reduce
from typing import Any

from dramaturg.model import (
    bang,
    big,
    chatapp,
    count,
    fanout,
    fold,
    lcg,
    names,
    pingpong,
    sleepers,
    web,
)
from dramaturg.model.actor import Actor
from dramaturg.v2 import trace_pb2 as kind

from changes import made, replaced
from reference.actors import System
from reference.behaviours import Poker
from reference.control import describe

# --- lists that are none (CHAT-16, CHAT-37 to CHAT-39 say what happens, not in what) ---


def members_are_a_deque() -> None:
    """A chat's members are in a double-ended queue (CHAT-38, CHAT-39)."""
    made(chatapp.Chat, lambda chat: setattr(chat, "members", deque(chat.members)))


def members_are_counted() -> None:
    """A chat counts how often each client is a member, and forwards as often to each. No member can
    tell where in the list the second membership was (CHAT-37, CHAT-39, ACT-2)."""

    class Members(Counter[int]):
        def append(self, client: int) -> None:
            self[client] += 1

        def remove(self, client: int) -> None:
            self[client] -= 1
            if not self[client]:
                del self[client]

        def __len__(self) -> int:
            return sum(self.values())

        def __iter__(self) -> Iterator[int]:
            return iter([client for client, times in self.items() for _ in range(times)])

        def __bool__(self) -> bool:
            return len(self) > 0

    made(chatapp.Chat, lambda chat: setattr(chat, "members", Members(chat.members)))


def history_is_a_tuple() -> None:
    """A chat's history is made anew for every post: nothing in it ever changes (CHAT-37)."""

    class History:
        def __init__(self) -> None:
            self.posts: tuple[int, ...] = ()

        def append(self, payload: int) -> None:
            self.posts = (*self.posts, payload)

        def __len__(self) -> int:
            return len(self.posts)

        def __iter__(self) -> Iterator[int]:
            return iter(self.posts)

    def change(chat: chatapp.Chat) -> None:
        if chat.history is not None:
            chat.history = History()  # type: ignore[assignment]

    made(chatapp.Chat, change)


def chats_are_a_linked_list() -> None:
    """A client's chats are linked one to the next (CHAT-25, CHAT-26, CHAT-29)."""

    class Chats:
        def __init__(self) -> None:
            self.first: list[Any] | None = None

        def _cells(self) -> Iterator[list[Any]]:
            cell = self.first
            while cell is not None:
                yield cell
                cell = cell[1]

        def append(self, chat: int) -> None:
            *_, last = (None, *self._cells())
            if last is None:
                self.first = [chat, None]
            else:
                last[1] = [chat, None]

        def pop(self, index: int) -> int:
            before = None
            for place, cell in enumerate(self._cells()):
                if place == index:
                    break
                before = cell
            if before is None:
                self.first = cell[1]
            else:
                before[1] = cell[1]
            return cell[0]

        def __getitem__(self, index: int) -> int:
            return list(self)[index]

        def __len__(self) -> int:
            return sum(1 for _ in self._cells())

        def __iter__(self) -> Iterator[int]:
            return (cell[0] for cell in self._cells())

    made(chatapp.Client, lambda client: setattr(client, "chats", Chats()))


def clients_in_a_dictionary() -> None:
    """A directory's clients are the keys of a dictionary, in login order (CHAT-10, CHAT-12)."""

    class Clients(dict[int, None]):
        def append(self, client: int) -> None:
            self[client] = None

    made(chatapp.Directory, lambda directory: setattr(directory, "clients", Clients()))


def idle_workers_in_a_list() -> None:
    """The dispatcher's queues are lists that are copied (WEB-1)."""

    class Queue(list[Any]):
        def popleft(self) -> Any:
            first, *rest = self
            self[:] = rest
            return first

    def change(dispatcher: web.Dispatcher) -> None:
        dispatcher.idle_workers = Queue(dispatcher.idle_workers)  # type: ignore[assignment]
        dispatcher.waiting = Queue()  # type: ignore[assignment]

    made(web.Dispatcher, change)


# --- what is sent to different receivers (ACT-5 orders messages between two actors only) ---


def receivers_in_any_order() -> None:
    """An actor's messages upon one message go out receiver by receiver, these in any order: each
    receives the same in the same order, and no actor can observe which receiver was first (ACT-2,
    ACT-5)."""
    chance = random.Random(1)
    receive = System._receive

    def received(self: Any, actor: Actor, sender: int, number: int, args: Any) -> bool:
        sent: dict[int, list[tuple[int, ...]]] = {}
        send = actor.send
        actor.send = lambda receiver, *message: sent.setdefault(receiver, []).append(message)
        ended = receive(self, actor, sender, number, args)
        actor.send = send
        self._current = actor.name
        for receiver in chance.sample(list(sent), len(sent)):
            for message in sent[receiver]:
                send(receiver, *message)
        return ended

    System._receive = received  # type: ignore[method-assign]


def befriends_the_other_first() -> None:
    """A friendship is told to f before c. Both are told the same as ever (CHAT-11, ACT-5)."""

    def befriend(self: chatapp.Directory, sender: int) -> None:
        send, kept = self.send, []

        def in_pairs(*message: int) -> None:
            kept.append(message)
            if len(kept) == 2:
                while kept:
                    send(*kept.pop())

        self.send = in_pairs
        right(self, sender)
        self.send = send

    right = replaced(chatapp.Directory, kind.MESSAGE_KIND_DIRECTORY_BEFRIEND, befriend)


def forwards_from_the_last_member() -> None:
    """A chat goes through its members from the back (CHAT-37, ACT-5)."""

    def post(self: chatapp.Chat, sender: int, turn: int, payload: int) -> None:
        self.members.reverse()
        right(self, sender, turn, payload)
        self.members.reverse()

    right = replaced(chatapp.Chat, kind.MESSAGE_KIND_CHAT_POST, post)


def reports_behind_all_else() -> None:
    """Messages to an accumulator are sent last. The accumulator's argument uses no order between
    any two messages (CHAT-33)."""

    def change(actor: type[Actor], number: int) -> None:
        def handled(self: Any, sender: int, *args: int) -> None:
            send, reports = self.send, []

            def sorting(receiver: int, *message: int) -> None:
                if names.class_of(receiver) == names.ACCUMULATOR:
                    reports.append((receiver, *message))
                else:
                    send(receiver, *message)

            self.send = sorting
            right(self, sender, *args)
            self.send = send
            for report in reports:
                send(*report)

        right = replaced(actor, number, handled)

    change(chatapp.Chat, kind.MESSAGE_KIND_CHAT_POST)
    change(chatapp.Chat, kind.MESSAGE_KIND_CHAT_JOIN)
    change(chatapp.Client, kind.MESSAGE_KIND_CLIENT_ACT)


def accumulators_before_any_poke() -> None:
    """Upon `run` the poker spawns all accumulators, then sends all pokes: turns are as they were,
    and nobody hears of an accumulator before its poke (CHAT-7, ACT-2)."""

    def run(self: Poker, sender: int, salt: int) -> None:
        send, pokes = self.send, []
        self.send = lambda *message: pokes.append(message)
        right(self, sender, salt)
        self.send = send
        for poke in pokes:
            send(*poke)

    right = replaced(Poker, kind.MESSAGE_KIND_POKER_RUN, run)


# --- arithmetic (LCG-1 to LCG-3, IMPL-6, ACT-8) ---


def lcg_with_a_mask() -> None:
    """The state is masked, and the remainder taken by subtraction (LCG-1, LCG-2)."""

    def following(self: lcg.Lcg) -> int:
        self.state = (1309 * self.state + 13849) & 0xFFFF
        return self.state

    def next_int(self: lcg.Lcg, limit: int) -> int:
        number = self.next()
        return number - number // limit * limit if limit else number

    lcg.Lcg.next, lcg.Lcg.next_int = following, next_int  # type: ignore[method-assign]


def lcg_in_64_bits() -> None:
    """The state is never reduced but overflows 64 bits, of which the low 16 are the same; only
    they are ever shown (LCG-1)."""

    class Wide(lcg.Lcg):
        __slots__ = ("wide",)

        @property
        def state(self) -> int:  # type: ignore[override]
            return self.wide & 0xFFFF

        @state.setter
        def state(self, value: int) -> None:
            self.wide = value

        def next(self) -> int:
            self.wide = (1309 * self.wide + 13849) % (1 << 64)
            return self.state

    chatapp.Lcg = describe.Lcg = Wide  # type: ignore[misc]


def shuffles_a_copy_and_puts_it_back() -> None:
    """The list is shuffled in a copy, which then takes its place (LCG-3)."""
    right = lcg.Lcg.shuffle

    def shuffle(self: lcg.Lcg, items: Any) -> None:
        copy = tuple(items)
        order = list(range(len(copy)))
        right(self, order)
        items[:] = [copy[place] for place in order]

    lcg.Lcg.shuffle = shuffle  # type: ignore[method-assign]


def fibonacci_smaller_half_first() -> None:
    """`fib(n - 2)` is computed before `fib(n - 1)`: by doubly recursive descent still (IMPL-6)."""

    def fibonacci(n: int) -> int:
        if n < 2:
            return n
        smaller = fibonacci(n - 2)
        return smaller + fibonacci(n - 1)

    describe.naive_fibonacci = fibonacci
    chatapp.Client.work = web.Worker.work_of = staticmethod(fibonacci)  # type: ignore[assignment]


def fold_cut_after_each_step() -> None:
    """Digests are made in 64 bits and cut to 32 after each step (ACT-8)."""

    def step(digest: int, number: int) -> int:
        wide = (1664525 * digest + 1013904223 + number) & 0xFFFFFFFFFFFFFFFF
        return (wide ^ (wide & 0xFFFFFFFF) >> 16) & 0xFFFFFFFF

    def fold_all(digest: int, numbers: Iterable[int]) -> int:
        return reduce(step, numbers, digest)

    for right, other in ((fold.fold, step), (fold.fold_all, fold_all)):
        for module in list(sys.modules.values()):
            if getattr(module, right.__name__, None) is right:
                setattr(module, right.__name__, other)


def sums_reduced_when_they_are_told() -> None:
    """Sums grow as long as nobody sees them, and are reduced when they are sent: to the same
    (ACT-8)."""
    send = System._send

    def told(self: Any, receiver: int, number: int, *args: int) -> None:
        if names.class_of(receiver) >= names.PING or number == kind.MESSAGE_KIND_CONTROL_DONE:
            args = tuple(arg % (1 << 32) for arg in args)
        send(self, receiver, number, *args)

    for module in (bang, big, count, fanout, pingpong, sleepers, web):
        module.add = lambda sum, value: sum + value
    System._send = told  # type: ignore[method-assign]
