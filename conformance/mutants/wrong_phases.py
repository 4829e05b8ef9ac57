"""Wrong phases: ChatApp's set-up, turns and end, and who waits for whom.

Each changes a value that is passed on, summed up or waited for on the way from the control port and
back.
"""

import asyncio
from typing import Any

from dramaturg.model import chatapp, names
from dramaturg.model.fold import add
from dramaturg.model.messages import Choice
from dramaturg.model.workload import ChatAppWorkload
from dramaturg.v2 import benchmarks_pb2
from dramaturg.v2 import trace_pb2 as kind

from changes import entries, made, replaced, sends, slowly
from reference.actors import System
from reference.behaviours import Poker
from reference.control.world import World

# --- set-up ---


def names_for_the_whole_process() -> None:
    """Actors are registered by name, once and for all: a second world finds its names taken."""
    spawn, taken = System.spawn, set[int]()

    def registered(self: Any, actor: Any) -> None:
        if actor.name in taken:
            raise ValueError(f"{names.spell(actor.name)} is registered already")
        taken.add(actor.name)
        spawn(self, actor)

    System.spawn = registered  # type: ignore[method-assign]


def waits_for_a_directory_too_many() -> None:
    """The poker counts the directories that have settled from one."""

    def change(poker: chatapp.Poker) -> None:
        poker.settling += 1

    made(chatapp.Poker, change)


def settles_without_its_clients() -> None:
    """A directory has settled as soon as it is asked to, whatever its clients do."""

    def settle(self: chatapp.Directory, sender: int) -> None:
        self.send(sender, kind.MESSAGE_KIND_POKER_SETTLED)

    replaced(chatapp.Directory, kind.MESSAGE_KIND_DIRECTORY_SETTLE, settle)


def settles_with_friends_only() -> None:
    """A client settles when it has a friend, which not every client ever has."""

    def settle(self: chatapp.Client, sender: int) -> None:
        if self.friends:
            right(self, sender)

    right = replaced(chatapp.Client, kind.MESSAGE_KIND_CLIENT_SETTLE, settle)


# --- turns ---


def poke_of_the_first_turn() -> None:
    """A directory passes every poke on as one of turn 0."""
    right = chatapp.Directory.handlers[kind.MESSAGE_KIND_DIRECTORY_POKE]
    replaced(
        chatapp.Directory,
        kind.MESSAGE_KIND_DIRECTORY_POKE,
        lambda self, sender, turn, salt: right(self, sender, 0, salt),
    )


def turn_answers_at_once() -> None:
    """Turn is answered when it has begun; and confirms take their time."""
    slowly(kind.MESSAGE_KIND_POKER_CONFIRM)
    right = World.teardown

    async def turn(self: World) -> None:
        self._workload.turn()
        self._tell()

    async def teardown(self: World) -> benchmarks_pb2.Receipt:
        await asyncio.sleep(0.1)
        return await right(self)

    World.turn, World.teardown = turn, teardown  # type: ignore[method-assign]


def run_ends_with_its_first_turn() -> None:
    """Run is answered upon the first confirm."""
    ChatAppWorkload.reports = lambda self, line: 1  # type: ignore[method-assign]


def silent_when_it_cannot() -> None:
    """A client that has no chat to post to or to leave does not report."""

    def act(self: chatapp.Client, sender: int, turn: int, choice: int, *rest: int) -> None:
        send, asked = self.send, (Choice.POST, Choice.LEAVE)
        before = self.picks[asked[0]] + self.picks[asked[1]]

        def unless_vain(receiver: int, number: int, *args: int) -> None:
            vain = self.picks[asked[0]] + self.picks[asked[1]] > before
            if not (vain and number == kind.MESSAGE_KIND_ACCUMULATOR_STOP):
                send(receiver, number, *args)

        self.send = unless_vain
        right(self, sender, turn, choice, *rest)
        self.send = send

    right = replaced(chatapp.Client, kind.MESSAGE_KIND_CLIENT_ACT, act)


def join_takes_the_next_friend() -> None:
    """A directed join counts friends from one."""

    def act(
        self: chatapp.Client, sender: int, turn: int, choice: int, index: int, k: int, salt: int
    ) -> None:
        right(self, sender, turn, choice, index, k + (choice == Choice.JOIN), salt)

    right = replaced(chatapp.Client, kind.MESSAGE_KIND_CLIENT_ACT, act)


def accumulator_begins_at_one() -> None:
    """The accumulator has consumed a unit before it was told of any."""

    def change(accumulator: chatapp.Accumulator) -> None:
        accumulator.reported[0] = 1

    made(chatapp.Accumulator, change)


def bump_consumes_nothing() -> None:
    """A bump announces units and is none itself."""

    def bump(self: chatapp.Accumulator, sender: int, level: int, n: int, digest: int) -> None:
        self.expected[level + 1] += n
        self.announced = add(self.announced, digest)

    replaced(chatapp.Accumulator, kind.MESSAGE_KIND_ACCUMULATOR_BUMP, bump)


# --- the end ---


def reports_the_logout() -> None:
    """A client reports every `left` to an accumulator, also those of its logout."""

    def left(self: chatapp.Client, sender: int, turn: int) -> None:
        accumulator = chatapp.accumulator_name(turn)
        if turn == chatapp.LOGOUT:
            self.send(accumulator, kind.MESSAGE_KIND_ACCUMULATOR_STOP, 0, 0)
        right(self, sender, turn)

    right = replaced(chatapp.Client, kind.MESSAGE_KIND_CLIENT_LEFT, left)


def directory_sums_its_last_client() -> None:
    """A directory reports what its last client said, not the sums."""

    def left(self: chatapp.Directory, sender: int, *sums: int) -> None:
        self.sums = [0] * 8
        right(self, sender, *sums)

    right = replaced(chatapp.Directory, kind.MESSAGE_KIND_DIRECTORY_LEFT, left)


def poker_sums_its_last_directory() -> None:
    """The poker reports what the last directory said, not the sums."""

    def finished(self: Poker, sender: int, *sums: int) -> None:
        self.sums = [0] * 8
        right(self, sender, *sums)

    right = replaced(Poker, kind.MESSAGE_KIND_POKER_FINISHED, finished)


def torn_down_without_goodbye() -> None:
    """Teardown kills all actors instead of having the poker disconnect them."""

    async def teardown(self: World) -> benchmarks_pb2.Receipt:
        for task in self._system._tasks:
            task.cancel()
        receipt = benchmarks_pb2.Receipt()
        receipt.chatapp.SetInParent()
        return receipt

    World.teardown = teardown  # type: ignore[method-assign]


# --- too early, too much ---


def ready_at_once() -> None:
    """The poker reports that it is ready before anybody has settled, which takes its time."""
    slowly(kind.MESSAGE_KIND_POKER_SETTLED)

    def prepare(self: chatapp.Poker, sender: int) -> None:
        self.send(names.name(names.CONTROL), kind.MESSAGE_KIND_CONTROL_READY)
        right(self, sender)

    right = replaced(Poker, kind.MESSAGE_KIND_POKER_PREPARE, prepare)


def pokes_direct_an_act() -> None:
    """Upon a poke a directory tells its clients to do nothing instead of to draw."""
    sends(
        chatapp.Directory,
        kind.MESSAGE_KIND_DIRECTORY_POKE,
        lambda receiver, number, turn, *_: [(receiver, number, turn, Choice.NONE, 0, 0, 0)],
    )


def takes_its_last_message_twice() -> None:
    """A chat that has ended takes the message that ended it once more."""
    entries()
    right = System._receive

    def receive(self: Any, actor: Any, sender: int, number: int, args: Any) -> bool:
        ended = right(self, actor, sender, number, args)
        if ended and isinstance(actor, chatapp.Chat) and actor.name in self._log.by_name:
            self._log.by_name[actor.name].take(sender, number, args)
        return ended

    System._receive = receive  # type: ignore[method-assign]
