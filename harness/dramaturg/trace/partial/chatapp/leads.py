"""The messages that watched directories, and the poker, take from outsiders: that all have
settled, and reports."""

from collections.abc import Iterable, Iterator

from dramaturg.model import chatapp, names
from dramaturg.model.fibonacci import fibonacci
from dramaturg.model.fold import MASK
from dramaturg.model.messages import Choice
from dramaturg.trace.events import Message
from dramaturg.trace.partial.basis.outsiders import FREE, WAIT, Outside, Wrong
from dramaturg.trace.partial.chatapp.known import Known
from dramaturg.trace.partial.chatapp.script import CHOICES, Script
from dramaturg.trace.partial.chatapp.taker import POKER, Taker
from dramaturg.v2 import trace_pb2 as kind

_REPORT = kind.MESSAGE_KIND_DIRECTORY_LEFT
_CONFIRM, _FINISHED = kind.MESSAGE_KIND_POKER_CONFIRM, kind.MESSAGE_KIND_POKER_FINISHED

_DELIVERIES = 6
"""The place of `deliveries` among a client's sums, the one that is no fact."""

_NOTHING = (0,) * 8


class ToPoker(Taker):
    """`confirm`s of accumulators, and what directories report."""

    def __init__(self, outside: Outside, known: Known) -> None:
        super().__init__(outside, known)
        self._confirmed: set[int] = set()
        self._finished: set[int] = set()

    def judge(self, receiver: int, sender: int, message: Message) -> object | None:
        index = names.index_of(sender)
        if message[0] == _CONFIRM:
            return self._confirmation(index, sender, message)
        if message[0] == _FINISHED:
            return self._report(index, sender, message)
        return self.outside.in_lane(POKER, sender, message)

    def _confirmation(self, turn: int, sender: int, message: Message) -> object | None:
        if sender != chatapp.accumulator_name(turn) or turn >= self.known.parameters.turns:
            return Wrong(None)
        if turn in self._confirmed:
            return Wrong(None)
        expected = self._confirm(turn, message[1])
        if message != expected:
            return Wrong(expected)
        self._confirmed.add(turn)
        return FREE

    def _report(self, index: int, sender: int, message: Message) -> object | None:
        known = self.known
        if sender != chatapp.directory_name(index) or index >= len(known.directories):
            return Wrong(None)
        if known.directories[index] or sender in self._finished:
            return Wrong(None)
        if not known.ending:
            return WAIT
        expected = _FINISHED, sums(self.script, self.script.clients(index), message[1])
        if message != expected:
            return Wrong(expected)
        self._finished.add(sender)
        return FREE

    def _confirm(self, turn: int, said: tuple[int, ...]) -> Message:
        """A `confirm` that it can send, as near to the actual one as possible."""
        return _CONFIRM, confirmation(self.script, turn, said)

    def overdue(self, receiver: int) -> Iterator[tuple[int, Message]]:
        for turn in range(self.known.parameters.turns):
            sender = chatapp.accumulator_name(turn)
            if not self.outside.inside.whole(sender) and turn not in self._confirmed:
                yield sender, self._confirm(turn, (turn, 0, 0, 0, 0))
        for index, watched in enumerate(self.known.directories):
            sender = chatapp.directory_name(index)
            if self.outside.ends and not watched and sender not in self._finished:
                yield sender, (_FINISHED, sums(self.script, self.script.clients(index), _NOTHING))


class ToDirectory(Taker):
    """Judges the reports of its clients, and the poker's messages to it."""

    def __init__(self, outside: Outside, known: Known) -> None:
        super().__init__(outside, known)
        self._left: set[int] = set()

    def judge(self, receiver: int, sender: int, message: Message) -> object | None:
        if sender == POKER:
            return self.led(receiver, sender, message)
        if message[0] != _REPORT or names.class_of(sender) != names.CLIENT:
            return self.outside.in_lane(receiver, sender, message)
        client, mine = names.index_of(sender), self.script.clients(names.index_of(receiver))
        if sender != chatapp.client_name(client) or client not in mine or sender in self._left:
            return Wrong(None)
        if not self.known.logged_out(client):
            return WAIT
        expected = _REPORT, sums(self.script, [client], message[1])
        if message != expected:
            return Wrong(expected)
        self._left.add(sender)
        return FREE

    def overdue(self, receiver: int) -> Iterator[tuple[int, Message]]:
        if not self.outside.ends:
            return
        for client in self.script.clients(names.index_of(receiver)):
            sender = chatapp.client_name(client)
            if not self.outside.inside.whole(sender) and sender not in self._left:
                yield sender, (_REPORT, sums(self.script, [client], _NOTHING))


def confirmation(script: Script, turn: int, said: tuple[int, ...]) -> tuple[int, ...]:
    """The arguments of a turn's `confirm`, as near to the actual ones as possible: the sum of
    computes is a fact, and each `accepted` is a `stop` above level 0."""
    picks, guests = script.everybody
    computes = int((picks[turn] == Choice.COMPUTE).sum())
    stops, both = max(said[2], int(guests[turn].sum())), said[3] & MASK
    return turn, computes * fibonacci(script.parameters.fib_n), stops, both, both


def sums(script: Script, clients: Iterable[int], said: tuple[int, ...]) -> tuple[int, ...]:
    """The reports of these clients, added up; deliveries as they are reported."""
    sums = [0] * len(said)
    for client in clients:
        diary = script.diary(client)
        picks = [diary.picks.count(choice) for choice in CHOICES]
        joins = sum(count for _, count in script.invitations(client).values())
        sums = [
            so_far + mine for so_far, mine in zip(sums, (diary.lcg, *picks, 0, joins), strict=True)
        ]
    sums[_DELIVERIES] = said[_DELIVERIES]
    return tuple(sums)
