"""Ping-pong (spec/pingpong.md): two actors, two messages a round.

Ping counts down. Pong answers every ping and, having answered the one that says
0, is done; so both end by the protocol and nothing needs to be sent to stop them.
"""

from dataclasses import dataclass

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.v1 import trace_pb2 as kind


@dataclass(frozen=True, slots=True)
class Parameters:
    """Rounds of one iteration, at least 1."""

    rounds: int


RANGES = {"rounds": (1, 2**32 - 1)}
"""What each parameter must be in, ends included (benchmarks.proto)."""


class Ping(Actor):
    """Sends `ping`, takes `pong`, until none are left (PING-1)."""

    actor_class = names.PING

    __slots__ = ("peer", "pongs")

    def __init__(self, name: int, peer: int) -> None:
        super().__init__(name)
        self.peer = peer
        self.pongs = 0

    def start(self, sender: int, rounds: int) -> None:
        self.send(self.peer, kind.MESSAGE_KIND_PONG_PING, rounds - 1)

    def pong(self, sender: int, left: int) -> None:
        self.pongs += 1
        if left > 0:
            self.send(self.peer, kind.MESSAGE_KIND_PONG_PING, left - 1)
        else:
            self.send(names.name(names.CONTROL), kind.MESSAGE_KIND_CONTROL_PLAYED, self.pongs)
            self.terminate()


class Pong(Actor):
    """Answers each `ping` with what it carried (PING-2)."""

    actor_class = names.PONG

    __slots__ = ("pings",)

    def __init__(self, name: int) -> None:
        super().__init__(name)
        self.pings = 0

    def ping(self, sender: int, left: int) -> None:
        self.pings += 1
        self.send(sender, kind.MESSAGE_KIND_PING_PONG, left)
        if left == 0:
            self.terminate()


def receipt(p: Parameters) -> dict[str, int]:
    """What every receipt must say (PING-3)."""
    return {"pings": p.rounds, "pongs": p.rounds}


def messages(p: Parameters) -> int:
    """The message budget: two a round."""
    return 2 * p.rounds
