"""Big's outsiders: peers, and the coordinator.

A peer pings its neighbours in turn, the next one upon the last one's pong. An outsider's watched
neighbours are seen: it pings them in the order of the ring, each after the one before has answered;
its work between them takes no time here. Its pongs answer the pings of each neighbour in order. Its
schedule decides how its pings and its pongs mix on their way to one neighbour, as far as no message
from that neighbour says otherwise.
"""

from collections.abc import Iterable, Iterator
from typing import ClassVar

from dramaturg.model import big, names
from dramaturg.model.actor import Actor
from dramaturg.model.fold import add, fold, sum_of_numbered
from dramaturg.trace.events import AnyLogs, Message
from dramaturg.trace.partial.basis.outsiders import (
    ENDLESS,
    FREE,
    WAIT,
    Inside,
    Open,
    Outside,
    Wrong,
)
from dramaturg.trace.partial.basis.reader import NEVER, Numbered, Reader, once, sum_fits
from dramaturg.v2 import trace_pb2 as kind

_COORDINATOR = names.name(names.COORDINATOR)
_PING, _PONG = kind.MESSAGE_KIND_PEER_PING, kind.MESSAGE_KIND_PEER_PONG
_MARK, _STOP = kind.MESSAGE_KIND_PEER_MARK, kind.MESSAGE_KIND_PEER_STOP
_FINISHED = kind.MESSAGE_KIND_COORDINATOR_FINISHED
_MARKED, _IDLE = kind.MESSAGE_KIND_COORDINATOR_MARKED, kind.MESSAGE_KIND_COORDINATOR_IDLE


def sums_of(p: big.Parameters, salt: int, index: int) -> tuple[int, int, int, int]:
    """The arguments of this peer's `finished`, in the counted form."""
    each, given, taken = p.rounds * (p.peers - 1), 0, 0
    for other in range(p.peers):
        if other != index:
            given = add(given, sum_of_numbered(fold(salt, other), p.rounds, index))
            taken = add(taken, sum_of_numbered(fold(salt, index), p.rounds, other))
    return each, each, given, taken


class _Peer:
    """An outsider, as far as watched peers see it."""

    __slots__ = ("digest", "index", "place", "round", "ring", "due")

    def __init__(self, index: int, salt: int, ring: list[int]) -> None:
        self.index = index
        self.digest = fold(salt, index)
        self.ring = ring
        """The watched peers, in the order in which it pings them."""
        self.place = 0
        self.round = 0
        self.due = 0
        """Messages that it has still to exchange with them before it can have finished."""


class Big(Outside):
    """Peers and coordinator that nobody watches."""

    CLOSED: ClassVar = ()
    OPEN: ClassVar = (
        Open(
            names.PEER, names.PEER,
            "the order between the pings and the pongs of an unobserved actor", order_only=True,
        ),
        Open(names.PEER, names.PEER, "how many pings an unobserved actor sends", windowed=True),
        Open(
            names.PEER, names.COORDINATOR, "when `mark` and `stop` come", order_only=True,
            windowed=True,
        ),
        Open(
            names.COORDINATOR, names.PEER, "how many pongs are in a window, and a peer's sums",
            windowed=True,
        ),
    )  # fmt: skip

    def __init__(
        self, parameters: big.Parameters, salt: int, inside: Inside, logs: AnyLogs
    ) -> None:
        super().__init__(parameters, salt, inside, logs)
        self._watched = [
            index
            for index in inside.of_class(names.PEER, parameters.peers)
            if inside.whole(big.peer_name(index))
        ]
        self._led = inside.whole(_COORDINATOR)
        self._peers: dict[int, _Peer] = {}
        self._need: dict[tuple[int, int], int] = {}
        """For an outsider and a watched peer: pongs that were under way before its next ping."""
        self._marks: dict[int, int] = {}
        """Windowed: how often each outsider has spoken to the coordinator."""
        self._bidden: dict[int, int] = {}
        """Windowed: how often it had to by now, `idle` aside."""

    def births(self) -> Iterable[Actor]:
        p = self.parameters
        if self._led:
            yield big.Coordinator(p)
        for index in self._watched:
            yield big.Peer(index, p)
        inside = set(self._watched)
        for index in range(p.peers):
            if index not in inside:
                self._stand_in(index)

    def _stand_in(self, index: int) -> None:
        p, name = self.parameters, big.peer_name(index)
        ring = sorted(self._watched, key=lambda other: (other - index - 1) % p.peers)
        peer = self._peers[name] = _Peer(index, self.salt, [big.peer_name(i) for i in ring])
        rounds = ENDLESS if p.windows else p.rounds
        peer.due = 2 * p.rounds * len(ring)
        for other in peer.ring:
            self._exchange(peer, name, other, rounds)
        if self._led:
            self._report(peer, name)
        else:
            self._ping(peer, name)

    def _exchange(self, peer: _Peer, name: int, other: int, rounds: int) -> None:
        theirs = fold(self.salt, names.index_of(other))

        def ping(n: int) -> Message:
            return _PING, (n, fold(peer.digest, n))

        def pong(n: int) -> Message:
            return _PONG, (n, fold(fold(theirs, n), peer.index))

        self.lane(name, other, _PING, ping, rounds, 0)
        self.lane(name, other, _PONG, pong, rounds, 0)

    def _report(self, peer: _Peer, name: int) -> None:
        p = self.parameters

        def finished(n: int) -> Message:
            return _FINISHED, sums_of(p, self.salt, peer.index)

        if not p.windows:
            self.lane(name, _COORDINATOR, _FINISHED, finished, 1, 0)

    def _ping(self, peer: _Peer, name: int) -> None:
        if not peer.ring:
            self._exchanged(peer, name, 0)
        elif self.parameters.windows or peer.round < self.parameters.rounds:
            self.release(name, peer.ring[peer.place], _PING)

    def _exchanged(self, peer: _Peer, name: int, count: int) -> None:
        peer.due -= count
        if peer.due == 0 and self._led:
            self.release(name, _COORDINATOR, _FINISHED)

    def enter(self, actor: Actor) -> None:
        receiver = actor.name
        if receiver == _COORDINATOR or self._led:
            return
        self.send(_COORDINATOR, receiver, kind.MESSAGE_KIND_PEER_GO, self.salt)
        windows = self.parameters.windows
        if windows:
            self.lane(_COORDINATOR, receiver, _MARK, lambda n: (_MARK, (n,)), windows, windows)
            self.lane(_COORDINATOR, receiver, _STOP, lambda n: (_STOP, ()), 1, 0)

    def hear(self, sender: int, receiver: int, kind_: int, args: tuple[int, ...]) -> None:
        if receiver == _COORDINATOR:
            if kind_ == _IDLE:
                self.release(_COORDINATOR, sender, _STOP)
            return
        peer = self._peers.get(receiver)
        if peer is None:
            return
        if kind_ == kind.MESSAGE_KIND_PEER_GO:
            self._ping(peer, receiver)
        elif kind_ in (_MARK, _STOP):
            self._bidden[receiver] = args[0] + 1 if args else self.parameters.windows + 2
            self.wake(_COORDINATOR)
        elif kind_ == _PING:
            self.release(receiver, sender, _PONG)
            self._exchanged(peer, receiver, 1)
        elif kind_ == _PONG:
            self._need[receiver, sender] = self.lanes[sender][receiver, _PONG].released
            peer.place += 1
            if peer.place == len(peer.ring):
                peer.place, peer.round = 0, peer.round + 1
            self._ping(peer, receiver)
            self._exchanged(peer, receiver, 1)

    def judge(self, receiver: int, sender: int, message: Message) -> object | None:
        if receiver == _COORDINATOR and self.parameters.windows:
            return self._told(sender, message)
        # It has sent this ping behind its pongs to all that it took before our last one.
        need = self._need.get((sender, receiver), 0) if message[0] == _PING else 0
        if need and self.lanes[receiver][sender, _PONG].taken < need:
            return WAIT
        return super().judge(receiver, sender, message)

    def _told(self, sender: int, message: Message) -> object | None:
        """Windowed, what peers tell the coordinator: each `mark` once, `idle`, and `finished`."""
        if sender not in self._peers:
            return Wrong(None)
        number = self._marks.get(sender, 0)
        if number >= self.parameters.windows + 2:
            return Wrong(None)
        expected = self._next_told(number)
        if message[0] != expected[0] or (message[0] == _MARKED and message[1][0] != number):
            return Wrong(expected)
        if message[0] == _FINISHED:
            pings, pongs, given, taken = message[1]
            if not (sum_fits(pings, given) and sum_fits(pongs, taken)):
                return Wrong(None)
        if self._bidden.get(sender, 0) <= number and message[0] != _IDLE:
            return WAIT
        self._marks[sender] = number + 1
        return FREE

    def _next_told(self, number: int) -> Message:
        windows = self.parameters.windows
        if number < windows:
            return _MARKED, (number, 0)
        return (_IDLE, ()) if number == windows else (_FINISHED, (0, 0, 0, 0))

    def missing(self, receiver: int) -> Iterator[tuple[int, Message | None]]:
        if not self.parameters.windows:
            yield from super().missing(receiver)
        elif receiver == _COORDINATOR:
            for name in self._peers:
                number = self._marks.get(name, 0)
                if number < self.parameters.windows + 2:
                    yield name, self._next_told(number)
        else:
            # Nobody knows how many pings it sends; those that it sent are there for the neighbour
            # that it pinged next.
            for (sender, key), lane in self.lanes.get(receiver, {}).items():
                if key != _PING and lane.taken < min(lane.released, lane.length):
                    yield sender, lane.at(lane.taken)


class BigSlices(Reader):
    """Slices of big: the rounds of each other peer follow each other, its pings' and its
    pongs'."""

    def read(self, receiver: int, place: int, sender: int, message: Message) -> object:
        p, number = self.parameters, message[0]
        match number:
            case kind.MESSAGE_KIND_COORDINATOR_TICK | kind.MESSAGE_KIND_PEER_MARK:
                return self.window(message)
            case kind.MESSAGE_KIND_COORDINATOR_MARKED:
                return self.window(message, sender)
            case kind.MESSAGE_KIND_COORDINATOR_IDLE | kind.MESSAGE_KIND_PEER_STOP:
                return once(sender, message) if self.windowed else NEVER
            case kind.MESSAGE_KIND_COORDINATOR_FINISHED:
                return self._finished(sender, message)
            case kind.MESSAGE_KIND_PEER_GO:
                return once(sender, (number, (self.salt,)))
        mine, theirs = self.digest(receiver), self.digest(sender)

        def at(n: int) -> Message:
            if number == kind.MESSAGE_KIND_PEER_PING:
                return number, (n, fold(theirs, n))
            return number, (n, fold(fold(mine, n), names.index_of(sender)))

        length = ENDLESS if self.windowed else p.rounds
        return Numbered((number, sender), message[1][0], at, length)

    def _finished(self, sender: int, message: Message) -> object:
        """With windows, the schedule decides how far a peer came."""
        if not self.windowed:
            sums = sums_of(self.parameters, self.salt, names.index_of(sender))
            return once(sender, (message[0], sums))
        pings, pongs, given, taken = message[1]
        fits = sum_fits(pings, given) and sum_fits(pongs, taken)
        return once(sender, message, decided=False) if fits else NEVER
