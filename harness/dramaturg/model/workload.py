"""A workload: the actors at first, and the control port's messages to them.

One for each benchmark. The script is a list of lines, each a message from
``control`` to the lead actor; the next line is spoken when the lead has reported
back to ``control`` on the last one (ACT-7).
"""

from collections.abc import Callable, Mapping, Sequence
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
from dramaturg.model.messages import Choice
from dramaturg.v2 import benchmarks_pb2
from dramaturg.v2 import trace_pb2 as kind

Line = tuple[int, tuple[int, ...]]

MOST_CLIENTS = 2**17
"""The most clients of a ChatApp that the model performs; the largest case has a thousandth of
them."""


class Workload(Protocol):
    """The data about a benchmark that the simulation and the replay need."""

    script: list[Line]

    @property
    def lead(self) -> int:
        """The actor to which control speaks."""
        ...

    def initial(self) -> list[Actor]:
        """Fresh actors, those that exist before the first message."""
        ...

    def reports(self, line: Line) -> int:
        """The number of reports to control that complete this line."""
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
        return chatapp.initial(self.parameters)

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
    """A micro-benchmark, as its model tells it."""

    model: ModuleType

    @property
    def name(self) -> str:
        return self.model.__name__.rpartition(".")[2]

    @property
    def farewell(self) -> int:
        """The kind of message with which control ends it; 0 where it ends by itself."""
        return getattr(self.model, "FAREWELL", 0)

    @property
    def windowed(self) -> bool:
        """True if it has a windowed form (spec/windows.md)."""
        return hasattr(self.model, "WINDOWED")

    @property
    def at_once(self) -> Sequence[str]:
        """The parameters that bound how many computes are under way at the same time."""
        return getattr(self.model, "AT_ONCE", ())

    @property
    def computing(self) -> Mapping[int, int]:
        """Classes whose messages are computes, and how many of each one's at most are none."""
        return getattr(self.model, "COMPUTING", {})

    @property
    def born_in_run(self) -> bool:
        """True if one actor is there before the run, and the others are made in it."""
        tiny = self.parameters(**{name: sizes[-1] for name, sizes in self.model.SIZES.items()})
        return len(self.model.initial(tiny)) == 1

    def parameters(self, **values: int) -> Any:
        """The model's parameters. Raises TypeError for one that it does not have."""
        return self.model.Parameters(**values)

    def check(self, parameters: Any) -> None:
        """Raises ImpossibleConfiguration that names the parameter, its value and its range."""
        message = getattr(benchmarks_pb2.Benchmark(), self.name)
        found = ranges.problems(message, parameters)
        if found:
            raise ImpossibleConfiguration("; ".join(found))

    def receipt(self, parameters: Any, salt: int, counts: Mapping[str, int]) -> dict[str, int]:
        """The fields that its receipt must have. ``counts`` are those that it has, which only the
        windowed forms need."""
        receipt: Callable[..., dict[str, int]] = self.model.receipt
        windowed = hasattr(parameters, "windows")
        return receipt(parameters, salt, counts) if windowed else receipt(parameters, salt)

    def messages(self, parameters: Any, counts: Mapping[str, int]) -> int:
        """The message budget of a run; ``counts`` is what its receipt says, which only the
        windowed forms need."""
        budget: Callable[..., int] = self.model.messages
        windowed = hasattr(parameters, "windows")
        return budget(parameters, counts) if windowed else budget(parameters)


_MODELS = (
    pingpong, big, bang, web, count, chain, fanout, sleepers, mergesort, broker, openweb,
)  # fmt: skip

MICRO: dict[str, Micro] = {micro.name: micro for micro in map(Micro, _MODELS)}
"""All micro-benchmarks, by name."""

MODELS: dict[type, ModuleType] = {micro.model.Parameters: micro.model for micro in MICRO.values()}
"""Their models, by what these take as parameters."""


@dataclass
class MicroWorkload:
    """A micro-benchmark: one line starts it; a report for each window, and one, end it. Some
    take another line to let everybody go."""

    micro: Micro
    parameters: Any
    script: list[Line] = field(default_factory=list)

    @property
    def lead(self) -> int:
        lead: int = self.micro.model.LEAD
        return lead

    def initial(self) -> list[Actor]:
        actors: list[Actor] = self.micro.model.initial(self.parameters)
        return actors

    def reports(self, line: Line) -> int:
        return 1 + int(getattr(self.parameters, "windows", 0))

    def run(self, salt: int = 0) -> "MicroWorkload":
        self.script.append(self.micro.model.begin(self.parameters, salt))
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
