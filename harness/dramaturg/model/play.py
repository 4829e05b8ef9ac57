"""A play: who is on stage at first, and what the control port says to whom.

One for each benchmark. The script is a list of lines, each a message from
``control`` to the lead actor; the next line is spoken when the lead has reported
back to ``control`` on the last one (ACT-7).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Protocol

from dramaturg.model import (
    bang,
    big,
    broker,
    chain,
    chatapp,
    count,
    fanout,
    mergesort,
    names,
    pingpong,
    sleepers,
    web,
    windows,
)
from dramaturg.model.actor import Actor
from dramaturg.model.facts import ImpossibleConfiguration
from dramaturg.model.messages import Choice
from dramaturg.v1 import trace_pb2 as kind

Line = tuple[int, tuple[int, ...]]


class Play(Protocol):
    """What the stage and the replay need to know of a benchmark."""

    script: list[Line]

    @property
    def lead(self) -> int:
        """The actor to which control speaks."""
        ...

    def cast(self) -> list[Actor]:
        """Fresh actors, those that exist before the first message."""
        ...

    def reports(self, line: Line) -> int:
        """How many reports to control complete this line."""
        ...


@dataclass
class ChatAppPlay:
    """ChatApp: prepare, then acts and turns and a disconnect, or one run."""

    parameters: chatapp.Parameters
    script: list[Line] = field(default_factory=list)

    @property
    def lead(self) -> int:
        return names.name(names.POKER)

    def cast(self) -> list[Actor]:
        return [chatapp.Poker(self.parameters)]

    def reports(self, line: Line) -> int:
        if line[0] == kind.MESSAGE_KIND_POKER_RUN:
            return self.parameters.turns + 1
        return 1

    def prepare(self) -> "ChatAppPlay":
        self.script.append((kind.MESSAGE_KIND_POKER_PREPARE, ()))
        return self

    def act(
        self, client: int, choice: Choice = Choice.DRAW, index: int = 0, k: int = 0
    ) -> "ChatAppPlay":
        self.script.append((kind.MESSAGE_KIND_POKER_ACT, (client, int(choice), index, k)))
        return self

    def turn(self) -> "ChatAppPlay":
        self.script.append((kind.MESSAGE_KIND_POKER_TURN, ()))
        return self

    def run(self) -> "ChatAppPlay":
        self.script.append((kind.MESSAGE_KIND_POKER_RUN, ()))
        return self

    def disconnect(self) -> "ChatAppPlay":
        self.script.append((kind.MESSAGE_KIND_POKER_DISCONNECT, ()))
        return self


@dataclass(frozen=True, slots=True)
class Piece:
    """A micro-benchmark: its model, who is there at first, and the one line of its script."""

    model: ModuleType
    lead: int
    cast: Callable[[Any], list[Actor]]
    line: Callable[[Any], Line]

    def parameters(self, **values: int) -> Any:
        """The model's parameters. Raises TypeError for one that it does not have."""
        return self.model.Parameters(**values)

    def check(self, parameters: Any) -> None:
        """Raises ImpossibleConfiguration that names the parameter, its value and its range."""
        for name, (low, high) in self.ranges(parameters).items():
            value = getattr(parameters, name)
            if not low <= value <= high:
                raise ImpossibleConfiguration(f"{name} is {value}; it must be in {low}..{high}")

    def ranges(self, parameters: Any) -> windows.Ranges:
        """What each parameter must be in, ends included. ``parameters``: anything that has
        attributes of their names."""
        counted: windows.Ranges = self.model.RANGES
        return windows.ranges(parameters, counted) if hasattr(parameters, "windows") else counted

    def messages(self, parameters: Any, counts: Mapping[str, int]) -> int:
        """The message budget of a run; ``counts`` is what its receipt says, which only the
        windowed forms need."""
        budget: Callable[..., int] = self.model.messages
        windowed = hasattr(parameters, "windows")
        return budget(parameters, counts) if windowed else budget(parameters)


def _each(make: Callable[[int, Any], Actor], count: int, parameters: Any) -> list[Actor]:
    return [make(index, parameters) for index in range(count)]


def _start(number: int) -> Callable[[Any], Line]:
    return lambda parameters: (number, ())


PIECES: dict[str, Piece] = {
    "pingpong": Piece(
        pingpong,
        names.name(names.PING),
        lambda p: [
            pingpong.Ping(names.name(names.PING), names.name(names.PONG), p),
            pingpong.Pong(names.name(names.PONG)),
        ],
        lambda p: (kind.MESSAGE_KIND_PING_START, (p.rounds,)),
    ),
    "big": Piece(
        big,
        names.name(names.COORDINATOR),
        lambda p: [big.Coordinator(p), *_each(big.Peer, p.peers, p)],
        _start(kind.MESSAGE_KIND_COORDINATOR_START),
    ),
    "bang": Piece(
        bang,
        names.name(names.RECEIVER),
        lambda p: [bang.Receiver(p), *_each(bang.Sender, p.senders, p)],
        _start(kind.MESSAGE_KIND_RECEIVER_START),
    ),
    "web": Piece(
        web,
        names.name(names.DISPATCHER),
        lambda p: [
            web.Dispatcher(p),
            *_each(web.Worker, p.workers, p),
            *_each(web.Browser, p.browsers, p),
        ],
        _start(kind.MESSAGE_KIND_DISPATCHER_START),
    ),
    "count": Piece(
        count,
        names.name(names.TALLY),
        lambda p: [count.Tally(p), *_each(count.Adder, p.adders, p), count.Counter(p)],
        _start(kind.MESSAGE_KIND_TALLY_START),
    ),
    "chain": Piece(
        chain,
        chain.link_name(0),
        lambda p: [chain.Link(0)],
        lambda p: (kind.MESSAGE_KIND_LINK_GROW, (p.length - 1,)),
    ),
    "fanout": Piece(
        fanout,
        names.name(names.MASTER),
        lambda p: [fanout.Master(p), *_each(fanout.Runner, p.runners, p)],
        _start(kind.MESSAGE_KIND_MASTER_START),
    ),
    "sleepers": Piece(
        sleepers,
        names.name(names.ALARM),
        lambda p: [sleepers.Alarm(p), *_each(sleepers.Sleeper, p.sleepers, p)],
        _start(kind.MESSAGE_KIND_ALARM_START),
    ),
    "mergesort": Piece(
        mergesort,
        mergesort.ROOT,
        lambda p: [mergesort.Sorter(1, p)],
        lambda p: (
            kind.MESSAGE_KIND_SORTER_SORT,
            (0, p.length, mergesort.checksum(list(mergesort.numbers(p.length, p.seed)))),
        ),
    ),
    "broker": Piece(
        broker,
        names.name(names.EMPLOYER),
        lambda p: [
            broker.Employer(p),
            broker.Router(p),
            *_each(broker.Employee, p.employees, p),
        ],
        _start(kind.MESSAGE_KIND_EMPLOYER_START),
    ),
}
"""All micro-benchmarks, by name."""


@dataclass
class MicroPlay:
    """A micro-benchmark: one line starts it; a report for each window, and one, end it."""

    piece: Piece
    parameters: Any
    script: list[Line] = field(default_factory=list)

    @property
    def lead(self) -> int:
        return self.piece.lead

    def cast(self) -> list[Actor]:
        return self.piece.cast(self.parameters)

    def reports(self, line: Line) -> int:
        return 1 + int(getattr(self.parameters, "windows", 0))

    def run(self) -> "MicroPlay":
        self.script.append(self.piece.line(self.parameters))
        return self
