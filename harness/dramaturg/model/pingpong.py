"""Ping-pong (spec/pingpong.md): two actors, two messages a round.

Ping counts down. Pong answers every ping and, having answered the one that says
0, is done; so both end by the protocol and nothing needs to be sent to stop them.
With windows, ping says 1 until the last one has ended, and then 0.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.model.fold import add, fold, sum_of_numbered
from dramaturg.model.windows import Windows
from dramaturg.v2 import trace_pb2 as kind

_CONTROL = names.name(names.CONTROL)


@dataclass(frozen=True, slots=True)
class Parameters:
    """Rounds of one iteration, or windows and milliseconds of each."""

    rounds: int
    windows: int = 0
    window: int = 0


class Ping(Actor):
    """Sends `ping`, takes `pong`, until none are left (PING-1, PING-6)."""

    actor_class = names.PING

    __slots__ = ("peer", "salt", "pongs", "sum", "windows", "windowed")

    def __init__(self, name: int, peer: int, parameters: Parameters) -> None:
        super().__init__(name)
        self.peer = peer
        self.salt = 0
        self.pongs = 0
        self.sum = 0
        self.windowed = parameters.windows > 0
        self.windows = Windows(self, kind.MESSAGE_KIND_PING_TICK, parameters.windows)

    def start(self, sender: int, rounds: int, salt: int) -> None:
        self.salt = salt
        if self.windowed:
            self.windows.open()
        self._ping(1 if self.windowed else rounds - 1)

    def pong(self, sender: int, left: int, value: int) -> None:
        self.pongs += 1
        self.sum = add(self.sum, value)
        if left > 0:
            self._ping(1 if self.windowed else left - 1)
        else:
            self.send(_CONTROL, kind.MESSAGE_KIND_CONTROL_DONE, self.pongs, self.sum)
            self.terminate()

    def tick(self, sender: int, number: int) -> None:
        self.windows.report(number, self.windows.since(self.pongs))
        self.windowed = self.windows.next(number)

    def _ping(self, left: int) -> None:
        value = fold(self.salt, self.pongs)
        self.send(self.peer, kind.MESSAGE_KIND_PONG_PING, left, value)


class Pong(Actor):
    """Answers each `ping`, with its own count in the value (PING-2)."""

    actor_class = names.PONG

    __slots__ = ("pings",)

    def __init__(self, name: int) -> None:
        super().__init__(name)
        self.pings = 0

    def ping(self, sender: int, left: int, value: int) -> None:
        self.send(sender, kind.MESSAGE_KIND_PING_PONG, left, fold(value, self.pings))
        self.pings += 1
        if left == 0:
            self.terminate()


def receipt(p: Parameters, salt: int, counts: Mapping[str, int]) -> dict[str, int]:
    """What every receipt must say (PING-3). ``counts``: what it says; the windowed form's
    rounds are known from it alone."""
    rounds = counts["pongs"] if p.windows else p.rounds
    return {"pongs": rounds, "sum": sum_of_numbered(salt, rounds, None)}


def rest(p: Parameters) -> int:
    """What is in no window: one round that was under way, and the last one (PING-6)."""
    return 2


def messages(p: Parameters, counts: Mapping[str, int]) -> int:
    """The message budget: two a round, and a `tick` for each window."""
    return 2 * (counts["pongs"] if p.windows else p.rounds) + p.windows
