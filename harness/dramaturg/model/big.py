"""Big (spec/big.md): every peer pings every other, the next one upon the last one's pong.

No selective receive: a peer answers the pings of others whenever they come, also
while it waits for a pong. In the counted form a peer knows how many pings it will get, so
it ends by itself when it has had them all and all its own pongs. With windows it does
not, and the coordinator ends all when nobody waits for a pong any more.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.model.windows import Windows
from dramaturg.v1 import trace_pb2 as kind

_CONTROL = names.name(names.CONTROL)
_COORDINATOR = names.name(names.COORDINATOR)


def peer_name(index: int) -> int:
    return names.name(names.PEER, index)


@dataclass(frozen=True, slots=True)
class Parameters:
    """Peers, at least 2, and how often each pings all others, or for how many windows."""

    peers: int
    rounds: int
    windows: int = 0
    window: int = 0


RANGES = {"peers": (2, 2**20), "rounds": (1, 2**32 - 1)}
"""What each parameter must be in, ends included (benchmarks.proto)."""


class Coordinator(Actor):
    """Starts the peers and waits for them (BIG-1, BIG-5)."""

    actor_class = names.COORDINATOR

    __slots__ = ("parameters", "playing", "pings", "pongs", "windows", "marks", "waiting")

    def __init__(self, parameters: Parameters) -> None:
        super().__init__(_COORDINATOR)
        self.parameters = parameters
        self.playing = parameters.peers
        self.pings = 0
        self.pongs = 0
        self.windows = Windows(self, kind.MESSAGE_KIND_COORDINATOR_TICK, parameters.windows)
        self.marks: dict[int, list[int]] = {}
        self.waiting = parameters.peers

    def start(self, sender: int) -> None:
        if self.parameters.windows:
            self.windows.open()
        self._tell_all(kind.MESSAGE_KIND_PEER_GO)

    def tick(self, sender: int, number: int) -> None:
        self._tell_all(kind.MESSAGE_KIND_PEER_MARK, number)
        self.windows.next(number)

    def marked(self, sender: int, number: int, pongs: int) -> None:
        marks = self.marks.setdefault(number, [])
        marks.append(pongs)
        if len(marks) == self.parameters.peers:
            self.windows.report(number, sum(self.marks.pop(number)))

    def idle(self, sender: int) -> None:
        self.waiting -= 1
        if self.waiting == 0:
            self._tell_all(kind.MESSAGE_KIND_PEER_STOP)

    def finished(self, sender: int, pings: int, pongs: int) -> None:
        self.pings += pings
        self.pongs += pongs
        self.playing -= 1
        if self.playing == 0:
            self.send(_CONTROL, kind.MESSAGE_KIND_CONTROL_DONE, self.pings, self.pongs, 0)
            self.terminate()

    def _tell_all(self, message: int, *args: int) -> None:
        for index in range(self.parameters.peers):
            self.send(peer_name(index), message, *args)


class Peer(Actor):
    """Pings its neighbours in turn, starting with the next one (BIG-2, BIG-6)."""

    actor_class = names.PEER

    __slots__ = ("index", "parameters", "pings", "pongs", "marked", "pinging")

    def __init__(self, index: int, parameters: Parameters) -> None:
        super().__init__(peer_name(index))
        self.index = index
        self.parameters = parameters
        self.pings = 0
        self.pongs = 0
        self.marked = 0
        self.pinging = True

    def go(self, sender: int) -> None:
        self._ping()

    def ping(self, sender: int, round: int) -> None:
        self.pings += 1
        self.send(sender, kind.MESSAGE_KIND_PEER_PONG, round)
        if not self.parameters.windows:
            self._end_when_done()

    def pong(self, sender: int, round: int) -> None:
        self.pongs += 1
        if self.parameters.windows:
            if self.pinging:
                self._ping()
            else:
                self.send(_COORDINATOR, kind.MESSAGE_KIND_COORDINATOR_IDLE)
            return
        if self.pongs < self._total():
            self._ping()
        self._end_when_done()

    def mark(self, sender: int, number: int) -> None:
        pongs, self.marked = self.pongs - self.marked, self.pongs
        self.send(_COORDINATOR, kind.MESSAGE_KIND_COORDINATOR_MARKED, number, pongs)
        self.pinging = number + 1 < self.parameters.windows

    def stop(self, sender: int) -> None:
        self._finish()

    def _total(self) -> int:
        return self.parameters.rounds * (self.parameters.peers - 1)

    def _ping(self) -> None:
        round, place = divmod(self.pongs, self.parameters.peers - 1)
        target = (self.index + 1 + place) % self.parameters.peers
        self.send(peer_name(target), kind.MESSAGE_KIND_PEER_PING, round)

    def _end_when_done(self) -> None:
        if self.pings == self.pongs == self._total():
            self._finish()

    def _finish(self) -> None:
        self.send(_COORDINATOR, kind.MESSAGE_KIND_COORDINATOR_FINISHED, self.pings, self.pongs)
        self.terminate()


def receipt(p: Parameters) -> dict[str, int]:
    """What every receipt must say (BIG-3); of a windowed run nobody knows it before."""
    each = p.rounds * p.peers * (p.peers - 1)
    return {} if p.windows else {"pings": each, "pongs": each}


def rest(p: Parameters) -> int:
    """What is in no window: the ping that each peer has out when the last one ends (BIG-6)."""
    return p.peers


def messages(p: Parameters, counts: Mapping[str, int]) -> int:
    """The message budget: `go` and `finished` of each peer, pings and pongs; with windows
    `tick`, `mark` and `marked` for each, and `idle` and `stop`."""
    windowed = p.windows * (1 + 2 * p.peers) + 2 * p.peers if p.windows else 0
    return 2 * p.peers + counts["pings"] + counts["pongs"] + windowed
