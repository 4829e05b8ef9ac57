"""A workload: who is there at first, and what the control port says to whom.

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
    openweb,
    pingpong,
    ranges,
    sleepers,
    web,
)
from dramaturg.model.actor import Actor
from dramaturg.model.facts import ImpossibleConfiguration
from dramaturg.model.fold import checksum
from dramaturg.model.messages import Choice
from dramaturg.v2 import benchmarks_pb2
from dramaturg.v2 import trace_pb2 as kind

Line = tuple[int, tuple[int, ...]]

MOST_CLIENTS = 2**17
"""Of a ChatApp that the model performs; the largest case has a thousandth of them."""


class Workload(Protocol):
    """What the simulation and the replay need to know of a benchmark."""

    script: list[Line]

    @property
    def lead(self) -> int:
        """The actor to which control speaks."""
        ...

    def initial(self) -> list[Actor]:
        """Fresh actors, those that exist before the first message."""
        ...

    def reports(self, line: Line) -> int:
        """How many reports to control complete this line."""
        ...


@dataclass
class ChatAppWorkload:
    """ChatApp: prepare, then acts and turns or one run, and a disconnect."""

    parameters: chatapp.Parameters
    script: list[Line] = field(default_factory=list)

    @property
    def lead(self) -> int:
        return names.name(names.POKER)

    def initial(self) -> list[Actor]:
        return [chatapp.Poker(self.parameters)]

    def reports(self, line: Line) -> int:
        return self.parameters.turns if line[0] == kind.MESSAGE_KIND_POKER_RUN else 1

    def prepare(self) -> "ChatAppWorkload":
        self.script.append((kind.MESSAGE_KIND_POKER_PREPARE, ()))
        return self

    def act(
        self, client: int, choice: Choice = Choice.DRAW, index: int = 0, k: int = 0
    ) -> "ChatAppWorkload":
        self.script.append((kind.MESSAGE_KIND_POKER_ACT, (client, int(choice), index, k)))
        return self

    def turn(self) -> "ChatAppWorkload":
        self.script.append((kind.MESSAGE_KIND_POKER_TURN, ()))
        return self

    def run(self, salt: int = 0) -> "ChatAppWorkload":
        self.script.append((kind.MESSAGE_KIND_POKER_RUN, (salt,)))
        return self

    def disconnect(self) -> "ChatAppWorkload":
        self.script.append((kind.MESSAGE_KIND_POKER_DISCONNECT, ()))
        return self


@dataclass(frozen=True, slots=True)
class Micro:
    """A micro-benchmark: its model, who is there at first, and the one line of its script."""

    model: ModuleType
    lead: int
    initial: Callable[[Any], list[Actor]]
    line: Callable[[Any, int], Line]
    """What control says to the lead, with the salt."""
    farewell: int = 0
    """The kind of message with which control ends it, if it takes one."""

    def parameters(self, **values: int) -> Any:
        """The model's parameters. Raises TypeError for one that it does not have."""
        return self.model.Parameters(**values)

    def check(self, parameters: Any) -> None:
        """Raises ImpossibleConfiguration that names the parameter, its value and its range."""
        message = getattr(benchmarks_pb2.Benchmark(), self.model.__name__.rpartition(".")[2])
        found = ranges.problems(message, parameters)
        if found:
            raise ImpossibleConfiguration("; ".join(found))

    def receipt(self, parameters: Any, salt: int, counts: Mapping[str, int]) -> dict[str, int]:
        """What its receipt must say. ``counts`` is what it says, which only the windowed forms
        need."""
        receipt: Callable[..., dict[str, int]] = self.model.receipt
        windowed = hasattr(parameters, "windows")
        return receipt(parameters, salt, counts) if windowed else receipt(parameters, salt)

    def messages(self, parameters: Any, counts: Mapping[str, int]) -> int:
        """The message budget of a run; ``counts`` is what its receipt says, which only the
        windowed forms need."""
        budget: Callable[..., int] = self.model.messages
        windowed = hasattr(parameters, "windows")
        return budget(parameters, counts) if windowed else budget(parameters)


def _each(make: Callable[[int, Any], Actor], count: int, parameters: Any) -> list[Actor]:
    return [make(index, parameters) for index in range(count)]


def _start(number: int) -> Callable[[Any, int], Line]:
    return lambda parameters, salt: (number, (salt,))


MICRO: dict[str, Micro] = {
    "pingpong": Micro(
        pingpong,
        names.name(names.PING),
        lambda p: [
            pingpong.Ping(names.name(names.PING), names.name(names.PONG), p),
            pingpong.Pong(names.name(names.PONG)),
        ],
        lambda p, salt: (kind.MESSAGE_KIND_PING_START, (p.rounds, salt)),
    ),
    "big": Micro(
        big,
        names.name(names.COORDINATOR),
        lambda p: [big.Coordinator(p), *_each(big.Peer, p.peers, p)],
        _start(kind.MESSAGE_KIND_COORDINATOR_START),
    ),
    "bang": Micro(
        bang,
        names.name(names.RECEIVER),
        lambda p: [bang.Receiver(p), *_each(bang.Sender, p.senders, p)],
        _start(kind.MESSAGE_KIND_RECEIVER_START),
    ),
    "web": Micro(
        web,
        names.name(names.DISPATCHER),
        lambda p: [
            web.Dispatcher(p),
            *_each(web.Worker, p.workers, p),
            *_each(web.Browser, p.browsers, p),
        ],
        _start(kind.MESSAGE_KIND_DISPATCHER_START),
        kind.MESSAGE_KIND_DISPATCHER_DISCONNECT,
    ),
    "count": Micro(
        count,
        names.name(names.TALLY),
        lambda p: [count.Tally(p), *_each(count.Adder, p.adders, p), count.Counter(p)],
        _start(kind.MESSAGE_KIND_TALLY_START),
    ),
    "chain": Micro(
        chain,
        chain.link_name(0),
        lambda p: [chain.Link(0)],
        lambda p, salt: (kind.MESSAGE_KIND_LINK_GROW, (p.length - 1, salt)),
    ),
    "fanout": Micro(
        fanout,
        names.name(names.MASTER),
        lambda p: [fanout.Master(p), *_each(fanout.Runner, p.runners, p)],
        _start(kind.MESSAGE_KIND_MASTER_START),
    ),
    "sleepers": Micro(
        sleepers,
        names.name(names.ALARM),
        lambda p: [sleepers.Alarm(p), *_each(sleepers.Sleeper, p.sleepers, p)],
        _start(kind.MESSAGE_KIND_ALARM_START),
    ),
    "mergesort": Micro(
        mergesort,
        mergesort.ROOT,
        lambda p: [mergesort.Sorter(1, p)],
        lambda p, salt: (
            kind.MESSAGE_KIND_SORTER_SORT,
            (0, p.length, salt, checksum(salt, mergesort.numbers(p.length, p.seed))),
        ),
    ),
    "broker": Micro(
        broker,
        names.name(names.EMPLOYER),
        lambda p: [
            broker.Employer(p),
            broker.Router(p),
            *_each(broker.Employee, p.employees, p),
        ],
        _start(kind.MESSAGE_KIND_EMPLOYER_START),
        kind.MESSAGE_KIND_EMPLOYER_DISCONNECT,
    ),
    "openweb": Micro(
        openweb,
        names.name(names.SOURCE),
        lambda p: [
            openweb.Source(p),
            openweb.Balancer(p),
            *_each(openweb.Server, p.servers, p),
        ],
        _start(kind.MESSAGE_KIND_SOURCE_START),
        kind.MESSAGE_KIND_SOURCE_DISCONNECT,
    ),
}
"""All micro-benchmarks, by name."""


@dataclass
class MicroWorkload:
    """A micro-benchmark: one line starts it; a report for each window, and one, end it. Some
    take another line to let everybody go."""

    micro: Micro
    parameters: Any
    script: list[Line] = field(default_factory=list)

    @property
    def lead(self) -> int:
        return self.micro.lead

    def initial(self) -> list[Actor]:
        return self.micro.initial(self.parameters)

    def reports(self, line: Line) -> int:
        return 1 + int(getattr(self.parameters, "windows", 0))

    def run(self, salt: int = 0) -> "MicroWorkload":
        self.script.append(self.micro.line(self.parameters, salt))
        return self

    def disconnect(self) -> "MicroWorkload":
        if self.micro.farewell:
            self.script.append((self.micro.farewell, ()))
        return self


def chatapp_parameters(message: benchmarks_pb2.ChatAppParameters) -> chatapp.Parameters:
    """The model's parameters for the protocol's. Raises ValueError for an unset selection."""
    values: dict[str, Any] = {
        field.name: getattr(message, field.name) for field in message.DESCRIPTOR.fields
    }
    values["selection"] = chatapp.Selection(message.selection)
    return chatapp.Parameters(**values)


def workload_of(benchmark: benchmarks_pb2.Benchmark) -> ChatAppWorkload | MicroWorkload:
    """The workload of this benchmark, without a script. Raises ValueError if there is none."""
    name = benchmark.WhichOneof("parameters")
    if name == "chatapp":
        return ChatAppWorkload(chatapp_parameters(benchmark.chatapp))
    if name not in MICRO:
        raise ValueError(f"no model for benchmark {name}")
    message = getattr(benchmark, name)
    values = {field.name: getattr(message, field.name) for field in message.DESCRIPTOR.fields}
    return MicroWorkload(MICRO[name], MICRO[name].parameters(**values))
