"""Ping-pong (spec/pingpong.md): two actors, two messages a round.

Ping counts down. Pong answers every ping and, having answered the one that says
0, is done; so both end by the protocol and nothing needs to be sent to stop them.
With windows, ping says 1 until the last one has ended, and then 0.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.model.crowd import Crowd
from dramaturg.model.distribution import Between, Homes, Least
from dramaturg.model.fold import add, fold, sum_of_numbered
from dramaturg.model.windows import SCALES, Windows
from dramaturg.v2 import trace_pb2 as kind

_CONTROL = names.name(names.CONTROL)


@dataclass(frozen=True, slots=True)
class Parameters:
    """Rounds of one iteration, or windows and milliseconds of each; and by how many bits values
    are shifted when they are sent."""

    rounds: int
    windows: int = 0
    window: int = 0
    shift: int = 0


SIZES = {"rounds": (1_024_000, 16_000, 1_000)}
"""Parameters at scales full, small and tiny."""

WINDOWED = {"rounds": (0, 0, 0)} | SCALES
"""The same of the windowed form."""

COUNTED = "pongs"
"""The count of its receipt that falls into windows."""

TICK = kind.MESSAGE_KIND_PING_TICK
"""The message of its lead's timer at the end of a window (WIN-1)."""

LEAD_COUNTS = True
"""Up to its last tick the lead takes, beside ticks and `start`, only what falls into windows: so
the place of a tick in its log says how much that is by then."""

REST_TIMES = 8
"""The time that the rest may take after the last window, as a multiple of what as much takes in the
windows (WIN-5): it is two rounds, one of which may meet anything."""

RECEIPT = "PING-3"
"""The requirement on its receipt."""

GROWS = "rounds"
"""The parameter with which its run time grows."""

ENDLESS = {"rounds": 2**32 - 1}
"""A run whose end nobody waits for, whose lead soon takes some messages, and whose mailboxes do not
grow."""

LONG = {"rounds": 20_000}
"""A run that ends soon, and whose log is many times what a pipe holds."""

STEADY = (names.PING, names.PONG)
"""Classes that, all members together, take messages from the beginning of a run to its end: each
message waits for one before (MEAS-49)."""


def wide(value: int, shift: int) -> int:
    """A value as it is sent: shifted to the left, with its lowest bits once more behind it, so that
    all bits of what is sent tell something (PING-7)."""
    return value << shift | value & (1 << shift) - 1


class Ping(Actor):
    """Sends `ping`, takes `pong`, until none are left (PING-1, PING-6)."""

    actor_class = names.PING

    __slots__ = ("peer", "salt", "shift", "pongs", "sum", "windows", "windowed")

    def __init__(self, name: int, peer: int, parameters: Parameters) -> None:
        super().__init__(name)
        self.peer = peer
        self.salt = 0
        self.shift = parameters.shift
        self.pongs = 0
        self.sum = 0
        self.windowed = parameters.windows > 0
        self.windows = Windows(self, TICK, parameters.windows)

    def start(self, sender: int, rounds: int, salt: int) -> None:
        self.salt = salt
        if self.windowed:
            self.windows.open()
        self._ping(1 if self.windowed else rounds - 1)

    def pong(self, sender: int, left: int, value: int) -> None:
        self.pongs += 1
        self.sum = add(self.sum, value >> self.shift)
        if left > 0:
            self._ping(1 if self.windowed else left - 1)
        else:
            self.send(_CONTROL, kind.MESSAGE_KIND_CONTROL_DONE, self.pongs, self.sum)
            self.terminate()

    def tick(self, sender: int, number: int) -> None:
        self.windows.report(number, self.windows.since(self.pongs))
        self.windowed = self.windows.next(number)

    def _ping(self, left: int) -> None:
        value = wide(fold(self.salt, self.pongs), self.shift)
        self.send(self.peer, kind.MESSAGE_KIND_PONG_PING, left, value)


class Pong(Actor):
    """Answers each `ping`, with its own count in the value (PING-2)."""

    actor_class = names.PONG

    __slots__ = ("shift", "pings")

    def __init__(self, name: int, parameters: Parameters) -> None:
        super().__init__(name)
        self.shift = parameters.shift
        self.pings = 0

    def ping(self, sender: int, left: int, value: int) -> None:
        answer = wide(fold(value >> self.shift, self.pings), self.shift)
        self.send(sender, kind.MESSAGE_KIND_PING_PONG, left, answer)
        self.pings += 1
        if left == 0:
            self.terminate()


LEAD = names.name(names.PING)
"""The actor to which control speaks."""


def initial(p: Parameters) -> list[Actor]:
    """The actors that exist before the first message."""
    return [
        Ping(names.name(names.PING), names.name(names.PONG), p),
        Pong(names.name(names.PONG), p),
    ]


def begin(p: Parameters, salt: int) -> tuple[int, tuple[int, ...]]:
    """The line with which control begins: the kind and the arguments of a message to the lead."""
    return kind.MESSAGE_KIND_PING_START, (p.rounds, salt)


def receipt(p: Parameters, salt: int, counts: Mapping[str, int]) -> dict[str, int]:
    """The fields that every receipt must have (PING-3). ``counts``: those that it has; the
    windowed form's rounds are known from it alone."""
    rounds = counts["pongs"] if p.windows else p.rounds
    return {"pongs": rounds, "sum": sum_of_numbered(salt, rounds, None)}


def rest(p: Parameters) -> int:
    """The rounds in no window: one round that was under way, and the last one (PING-6)."""
    return 2


def messages(p: Parameters, counts: Mapping[str, int]) -> int:
    """The message budget: two a round, and a `tick` for each window."""
    return 2 * (counts["pongs"] if p.windows else p.rounds) + p.windows


def population(p: Parameters) -> list[Crowd]:
    """The members of each class, and about how many messages each of them takes."""
    rounds = 0 if p.windows else p.rounds
    return [Crowd(names.PING, 1, rounds), Crowd(names.PONG, 1, rounds)]


def taken(p: Parameters, ended: bool, actor: int) -> int | None:
    """The number of messages that this actor takes in each run; None if that is no fact. ``ended``
    says whether the run was torn down."""
    if p.windows:
        return None
    match names.class_of(actor):
        case names.PING:
            return p.rounds + 1
        case names.PONG:
            return p.rounds
    return None


def _opposite(index: int, nodes: int, parameters: Parameters) -> int:
    return 1


HOMES: Homes = {names.PONG: _opposite}
"""The actors that do not all live on node 0 (DIST-1)."""


def most_nodes(p: Parameters) -> int:
    """Over how many nodes at most: no node is empty."""
    return 2


def between(p: Parameters, nodes: int, one: int, other: int) -> Between:
    """Between the two nodes: each message waits for the one before (DIST-9)."""
    return Between(1, 2 * p.rounds)


def crossing(p: Parameters, nodes: int, counts: Mapping[str, int]) -> Iterator[Least]:
    """The least that crosses: each `ping` and each `pong` is a turn."""
    rounds = counts["pongs"] if p.windows else p.rounds
    yield Least(0, 1, rounds, rounds)
    yield Least(1, 0, rounds, rounds)
