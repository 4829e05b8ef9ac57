"""Big: everybody pings everybody (spec/big.md)."""

from collections.abc import Callable, Sequence
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
        self._marks: dict[int, list[int]] = {}
        self._waiting = parameters.peers

    @message(table.COORDINATOR_START)
    def start(self, sender: Sender, salt: int) -> None:
        self._windows.begin()
        self._tell_all(Peer.go, salt)

    @message(table.COORDINATOR_TICK)
    def tick(self, sender: Sender, number: int) -> None:
        self._windows.ended(number)
        self._tell_all(Peer.mark, number)

    @message(table.COORDINATOR_MARKED)
    def marked(self, sender: Sender, number: int, pongs: int) -> None:
        marks = self._marks.setdefault(number, [])
        marks.append(pongs)
        if len(marks) == len(self._peers):
            self.system.control.window(number, sum(self._marks.pop(number)))

    @message(table.COORDINATOR_IDLE)
    def idle(self, sender: Sender) -> None:
        self._waiting -= 1
        if self._waiting == 0:
            self._tell_all(Peer.stop)

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

    def _tell_all(self, behaviour: Callable[..., None], *numbers: int) -> None:
        for peer in self._peers:
            self.send(peer, behaviour, *numbers)


class Peer(Actor):
    """Pings all others in turn, one at a time, and answers whoever pings it."""

    CLASS = table.PEER

    __slots__ = (
        "_coordinator", "_given", "_index", "_marked", "_peers", "_pinging", "_pings", "_pongs",
        "_salt", "_taken", "_total", "_windows",
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
        self._pings = 0
        self._pongs = 0
        self._given = 0
        self._taken = 0
        self._marked = 0
        self._pinging = True

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
        if not self._windows:
            self._end_when_done()

    @message(table.PEER_PONG)
    def pong(self, sender: Sender, round: int, value: int) -> None:
        self._pongs += 1
        self._taken = add(self._taken, value)
        if self._windows:
            if self._pinging:
                self._ping()
            else:
                self.send(self._coordinator, Coordinator.idle)
            return
        if self._pongs < self._total:
            self._ping()
        self._end_when_done()

    @message(table.PEER_MARK)
    def mark(self, sender: Sender, number: int) -> None:
        pongs, self._marked = self._pongs - self._marked, self._pongs
        self.send(self._coordinator, Coordinator.marked, number, pongs)
        self._pinging = number + 1 < self._windows

    @message(table.PEER_STOP)
    def stop(self, sender: Sender) -> None:
        self._finish()

    def _ping(self) -> None:
        round, place = divmod(self._pongs, len(self._peers) - 1)
        target = self._peers[(self._index + 1 + place) % len(self._peers)]
        value = fold(fold(self._salt, self._index), round)
        self.send(target, Peer.ping, round, value)

    def _end_when_done(self) -> None:
        if self._pings == self._pongs == self._total:
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
