"""Ping-pong (spec/pingpong.md): two actors, two messages a round.

Ping counts down. Pong answers every ping and, having answered the one that says
0, is done; so both end by the protocol and nothing needs to be sent to stop them.
With windows, ping says 1 until the last one has ended, and then 0.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.model.windows import Windows
from dramaturg.v1 import trace_pb2 as kind


@dataclass(frozen=True, slots=True)
class Parameters:
    """Rounds of one iteration, or windows and milliseconds of each."""

    rounds: int
    windows: int = 0
    window: int = 0


RANGES = {"rounds": (1, 2**32 - 1)}
"""What each parameter must be in, ends included (benchmarks.proto)."""


class Ping(Actor):
    """Sends `ping`, takes `pong`, until none are left (PING-1, PING-6)."""

    actor_class = names.PING

    __slots__ = ("peer", "pongs", "windows", "windowed")

    def __init__(self, name: int, peer: int, parameters: Parameters) -> None:
        super().__init__(name)
        self.peer = peer
        self.pongs = 0
        self.windowed = parameters.windows > 0
        self.windows = Windows(self, kind.MESSAGE_KIND_PING_TICK, parameters.windows)

    def start(self, sender: int, rounds: int) -> None:
        if self.windowed:
            self.windows.open()
        self._ping(1 if self.windowed else rounds - 1)

    def pong(self, sender: int, left: int) -> None:
        self.pongs += 1
        if left > 0:
            self._ping(1 if self.windowed else left - 1)
        else:
            self.send(names.name(names.CONTROL), kind.MESSAGE_KIND_CONTROL_PLAYED, self.pongs)
            self.terminate()

    def tick(self, sender: int, number: int) -> None:
        self.windows.report(number, self.windows.since(self.pongs))
        self.windowed = self.windows.next(number)

    def _ping(self, left: int) -> None:
        self.send(self.peer, kind.MESSAGE_KIND_PONG_PING, left)


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
    """What every receipt must say (PING-3); of a windowed run nobody knows it before."""
    return {} if p.windows else {"pings": p.rounds, "pongs": p.rounds}


def rest(p: Parameters) -> int:
    """What is in no window: one round that was under way, and the last one (PING-6)."""
    return 2


def messages(p: Parameters, counts: Mapping[str, int]) -> int:
    """The message budget: two a round, and a `tick` for each window."""
    return counts["pings"] + counts["pongs"] + p.windows
