"""Big (spec/big.md): every peer pings every other, the next one upon the last one's pong.

No selective receive: a peer answers the pings of others whenever they come, also
while it waits for a pong. A peer knows how many pings it will get, so it ends by
itself when it has had them all and all its own pongs.
"""

from dataclasses import dataclass

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.v1 import trace_pb2 as kind

_CONTROL = names.name(names.CONTROL)
_COORDINATOR = names.name(names.COORDINATOR)


def peer_name(index: int) -> int:
    return names.name(names.PEER, index)


@dataclass(frozen=True, slots=True)
class Parameters:
    """Peers, at least 2, and how often each pings all others."""

    peers: int
    rounds: int


RANGES = {"peers": (2, 2**20), "rounds": (1, 2**32 - 1)}
"""What each parameter must be in, ends included (benchmarks.proto)."""


class Coordinator(Actor):
    """Starts the peers and waits for them (BIG-1)."""

    actor_class = names.COORDINATOR

    __slots__ = ("parameters", "playing", "pings", "pongs")

    def __init__(self, parameters: Parameters) -> None:
        super().__init__(_COORDINATOR)
        self.parameters = parameters
        self.playing = parameters.peers
        self.pings = 0
        self.pongs = 0

    def start(self, sender: int) -> None:
        for index in range(self.parameters.peers):
            self.send(peer_name(index), kind.MESSAGE_KIND_PEER_GO)

    def finished(self, sender: int, pings: int, pongs: int) -> None:
        self.pings += pings
        self.pongs += pongs
        self.playing -= 1
        if self.playing == 0:
            self.send(_CONTROL, kind.MESSAGE_KIND_CONTROL_DONE, self.pings, self.pongs, 0)
            self.terminate()


class Peer(Actor):
    """Pings its neighbours in turn, starting with the next one (BIG-2)."""

    actor_class = names.PEER

    __slots__ = ("index", "parameters", "pings", "pongs")

    def __init__(self, index: int, parameters: Parameters) -> None:
        super().__init__(peer_name(index))
        self.index = index
        self.parameters = parameters
        self.pings = 0
        self.pongs = 0

    def go(self, sender: int) -> None:
        self._ping()

    def ping(self, sender: int, round: int) -> None:
        self.pings += 1
        self.send(sender, kind.MESSAGE_KIND_PEER_PONG, round)
        self._end_when_done()

    def pong(self, sender: int, round: int) -> None:
        self.pongs += 1
        if self.pongs < self._total():
            self._ping()
        self._end_when_done()

    def _total(self) -> int:
        return self.parameters.rounds * (self.parameters.peers - 1)

    def _ping(self) -> None:
        round, place = divmod(self.pongs, self.parameters.peers - 1)
        target = (self.index + 1 + place) % self.parameters.peers
        self.send(peer_name(target), kind.MESSAGE_KIND_PEER_PING, round)

    def _end_when_done(self) -> None:
        if self.pings == self.pongs == self._total():
            self.send(_COORDINATOR, kind.MESSAGE_KIND_COORDINATOR_FINISHED, self.pings, self.pongs)
            self.terminate()


def receipt(p: Parameters) -> dict[str, int]:
    """What every receipt must say (BIG-3)."""
    each = p.rounds * p.peers * (p.peers - 1)
    return {"pings": each, "pongs": each}


def messages(p: Parameters) -> int:
    """The message budget: `go` and `finished` of each peer, a ping and a pong for each pair."""
    return 2 * p.peers + 2 * p.rounds * p.peers * (p.peers - 1)
