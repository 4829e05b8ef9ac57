"""Big: everybody pings everybody (spec/big.md)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from asyncio_actors.benchmarks import table
from asyncio_actors.benchmarks.actor import Actor, Sender
from asyncio_actors.benchmarks.benchmark import from_control
from asyncio_actors.benchmarks.fold import add, fold
from asyncio_actors.benchmarks.mailbox import Address, Mailbox, Message
from asyncio_actors.benchmarks.messages import message
from asyncio_actors.benchmarks.system import System
from asyncio_actors.benchmarks.windows import Windowed, Windows


class Coordinator(Actor):
    """The lead: starts all peers and adds up what they counted."""

    CLASS = table.COORDINATOR

    __slots__ = (
        "_given", "_marks", "_peers", "_pings", "_playing", "_pongs", "_taken", "_waiting",
        "_windows",
    )  # fmt: skip

    def __init__(
        self,
        system: System,
        address: Mailbox[Any],
        peers: "Sequence[Address[Peer]]",
        parameters: "Big",
    ) -> None:
        super().__init__(system, address)
        self._peers = peers
        self._playing = parameters.peers
        self._pings = 0
        self._pongs = 0
        self._given = 0
        self._taken = 0
        self._windows = Windows(self, Coordinator.tick, parameters)
        # By open window: the number of answers, and their counts.
        self._marks: dict[int, tuple[int, int]] = {}
        self._waiting = parameters.peers

    @message(table.COORDINATOR_START)
    def start(self, sender: Sender, salt: int) -> None:
        self._windows.begin()
        for peer in self._peers:
            self.send(peer, Peer.go, salt)

    @message(table.COORDINATOR_TICK)
    def tick(self, sender: Sender, number: int) -> None:
        self._windows.ended(number)
        for peer in self._peers:
            self.send(peer, Peer.mark, number)

    @message(table.COORDINATOR_MARKED)
    def marked(self, sender: Sender, number: int, pongs: int) -> None:
        answers, count = self._marks.pop(number, (0, 0))
        answers, count = answers + 1, count + pongs
        if answers == len(self._peers):
            self.system.control.window(number, count)
        else:
            self._marks[number] = answers, count

    @message(table.COORDINATOR_IDLE)
    def idle(self, sender: Sender) -> None:
        self._waiting -= 1
        if self._waiting == 0:
            for peer in self._peers:
                self.send(peer, Peer.stop)

    @message(table.COORDINATOR_FINISHED)
    def finished(self, sender: Sender, pings: int, pongs: int, given: int, taken: int) -> None:
        self._pings += pings
        self._pongs += pongs
        self._given = add(self._given, given)
        self._taken = add(self._taken, taken)
        self._playing -= 1
        if self._playing == 0:
            self.system.control.done(self._pings, self._pongs, self._given, self._taken)
            self.end()


class Peer(Actor):
    """Pings all others in turn, one at a time, and answers whoever pings it."""

    CLASS = table.PEER

    __slots__ = (
        "_coordinator", "_ending", "_given", "_index", "_marked", "_peers", "_pings", "_pongs",
        "_salt", "_sent", "_taken", "_total", "_windows",
    )  # fmt: skip

    def __init__(
        self,
        system: System,
        address: Mailbox[Any],
        index: int,
        peers: "Sequence[Address[Peer]]",
        coordinator: Address[Coordinator],
        parameters: "Big",
    ) -> None:
        super().__init__(system, address)
        self._index = index
        self._peers = peers
        self._coordinator = coordinator
        self._windows = parameters.windows
        self._total = parameters.rounds * (parameters.peers - 1)
        self._salt = 0
        self._sent = 0
        self._pings = 0
        self._pongs = 0
        self._given = 0
        self._taken = 0
        self._marked = 0
        self._ending = False

    @message(table.PEER_GO)
    def go(self, sender: Sender, salt: int) -> None:
        self._salt = salt
        self._ping()

    @message(table.PEER_PING)
    def ping(self, sender: "Address[Peer]", round: int, value: int) -> None:
        answer = fold(value, self._index)
        self._pings += 1
        self._given = add(self._given, answer)
        self.send(sender, Peer.pong, round, answer)
        self._end_when_done()

    @message(table.PEER_PONG)
    def pong(self, sender: Sender, round: int, value: int) -> None:
        self._pongs += 1
        self._taken = add(self._taken, value)
        if self._ending:
            self.send(self._coordinator, Coordinator.idle)
        elif self._windows or self._sent < self._total:
            self._ping()
        self._end_when_done()

    @message(table.PEER_MARK)
    def mark(self, sender: Sender, number: int) -> None:
        pongs, self._marked = self._pongs - self._marked, self._pongs
        self.send(self._coordinator, Coordinator.marked, number, pongs)
        self._ending = number + 1 == self._windows

    @message(table.PEER_STOP)
    def stop(self, sender: Sender) -> None:
        self._finish()

    def _ping(self) -> None:
        others = len(self._peers) - 1
        round, place = divmod(self._sent, others)
        self._sent += 1
        target = self._peers[(self._index + 1 + place) % len(self._peers)]
        value = fold(fold(self._salt, self._index), round)
        self.send(target, Peer.ping, round, value)

    def _end_when_done(self) -> None:
        if not self._windows and self._pings == self._pongs == self._total:
            self._finish()

    def _finish(self) -> None:
        sums = self._pings, self._pongs, self._given, self._taken
        self.send(self._coordinator, Coordinator.finished, *sums)
        self.end()


@dataclass(frozen=True)
class Big(Windowed):
    """``rounds`` is 0 in the windowed form."""

    peers: int
    rounds: int

    def populate(self, system: System) -> Address[Any]:
        coordinator, peers = system.address(Coordinator), system.addresses(Peer, self.peers)
        system.spawn(coordinator, Coordinator, peers, self)
        for index, peer in enumerate(peers):
            system.spawn(peer, Peer, index, peers, coordinator, self)
        return coordinator

    def start(self, salt: int) -> Message:
        return from_control(Coordinator.start, salt)
