"""The scenarios that can be timed: benchmarks with their parameters, and how many messages they
take.

The ChatApp table is that of spec/chatapp.md, section "Scenarios".
"""

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from dramaturg import meant
from dramaturg.model import chatapp, facts, receipt_names
from dramaturg.model.chatapp import Selection
from dramaturg.model.workload import MICRO
from dramaturg.v2 import benchmarks_pb2

Scale = Literal["full", "small", "tiny"]

DIVISORS: dict[Scale, int] = {"full": 1, "small": 64, "tiny": 1024}
"""The number by which a scale divides clients, directories, turns and rounds (CHAT-61): small is
for a laptop, tiny for a test of the tests."""

LEAST = {"clients": 32, "directories": 2, "turns": 4}
"""The values below which no scale goes: enough that directories have friends to offer."""

CUSTOM = "custom"
"""The name of a run with other parameters: it must not have a scenario's name (CHAT-60)."""

CHATAPP = "chatapp"
BENCHMARKS = (CHATAPP, *MICRO)

COUNTED, WINDOWED = "counted", "windowed"
"""The scenarios of micro-benchmarks: all have the first, some the second (spec/windows.md)."""

SIZES: dict[str, dict[str, tuple[int, int, int]]] = {
    name: micro.model.SIZES for name, micro in MICRO.items()
}
"""Parameters of the micro-benchmarks at scales full, small and tiny. Full is what was
published, where somebody published it: chain, fanout and mergesort by akka-actr's
comparison, count by the F# post, big and bang by bencherl."""

WINDOWS: dict[str, dict[str, tuple[int, int, int]]] = {
    name: micro.model.WINDOWED for name, micro in MICRO.items() if micro.windowed
}
"""The parameters of the windowed forms."""


class UnknownScenario(ValueError):
    """No benchmark, scenario or parameter is called that; says which there are."""


def _row(
    clients: int,
    directories: int,
    turns: int,
    actions: tuple[int, int, int, int],
    befriend: int,
    selection: Selection,
) -> chatapp.Parameters:
    return chatapp.Parameters(clients, directories, turns, *actions, befriend, selection)


_CASCADE, _CUMULATIVE = Selection.CASCADE, Selection.CUMULATIVE

CHATAPP_SCENARIOS: dict[str, chatapp.Parameters] = {
    "mixed": _row(64536, 512, 64, (75, 25, 25, 25), 10, _CASCADE),
    "compute-bound": _row(64536, 512, 64, (100, 0, 0, 0), 10, _CASCADE),
    "message-bound": _row(64536, 512, 64, (0, 95, 0, 5), 10, _CUMULATIVE),
    "sequential": _row(64536, 1, 64, (75, 25, 25, 25), 10, _CASCADE),
    "long-living": _row(64, 8, 131072, (0, 95, 0, 5), 10, _CUMULATIVE),
    "scalability": _row(1024, 24, 16, (100, 0, 0, 0), 10, _CUMULATIVE),
    "mailbox": _row(256, 8, 64, (0, 80, 0, 20), 100, _CUMULATIVE),
    "actor-gc": _row(2048, 8, 64, (40, 30, 5, 25), 10, _CUMULATIVE),
    "default": _row(1024, 8, 32, (55, 25, 10, 10), 10, _CUMULATIVE),
}


class Scenario(BaseModel):
    """A benchmark with every parameter decided: what is the same in every language."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    benchmark: str
    name: str
    scale: str
    """Empty for a custom scenario, which has none."""
    parameters: dict[str, Any]

    def __hash__(self) -> int:
        return hash((self.benchmark, self.name, self.scale, tuple(self.parameters.items())))

    def __str__(self) -> str:
        scale = f", {self.scale}" if self.scale else ""
        history = ", history" if self.parameters.get("history") else ""
        return f"{self.benchmark} {self.name}{scale}{history}"

    def called(self) -> dict[str, Any]:
        """The fields by which records name it."""
        return {
            "benchmark": self.benchmark,
            "scenario": self.name,
            "scale": self.scale,
            "parameters": self.parameters,
        }

    @property
    def chatapp(self) -> chatapp.Parameters:
        """The parameters as the model takes them."""
        selection = Selection[self.parameters["selection"].upper()]
        return chatapp.Parameters(**{**self.parameters, "selection": selection})

    @property
    def micro(self) -> Any:
        """The parameters as a micro-benchmark's model takes them."""
        return MICRO[self.benchmark].parameters(**self.parameters)

    @property
    def values(self) -> Any:
        """The parameters as the model of its benchmark takes them."""
        return self.chatapp if self.benchmark == CHATAPP else self.micro

    def message(self) -> benchmarks_pb2.Benchmark:
        """As Prepare takes it."""
        if self.benchmark != CHATAPP:
            made = benchmarks_pb2.Benchmark()
            message = getattr(made, self.benchmark)
            message.SetInParent()
            for key, value in self.parameters.items():
                setattr(message, key, value)
            return made
        parameters = benchmarks_pb2.ChatAppParameters(**asdict(self.chatapp))
        return benchmarks_pb2.Benchmark(chatapp=parameters)

    def check(self) -> None:
        """Refuse what cannot be run. Raises facts.ImpossibleConfiguration."""
        if self.benchmark == CHATAPP:
            facts.check(self.chatapp)
        else:
            MICRO[self.benchmark].check(self.micro)

    def messages(self, receipt: benchmarks_pb2.Receipt) -> int:
        """Messages of the benchmark proper in one iteration, on all nodes: the unit of rates.

        Micro-benchmarks: their message budget. ChatApp, from the first `poke` to the
        last `confirm`: of each turn a `poke` for each directory, an `act` and one level-0
        report for each client, and a `confirm`; of each join `join`, `accepted`, `stop`;
        of each delivery `forward`, `stop`. Receipts do not say which posts and leaves
        found a chat, so `post`, `leave`, `left` and the `bump` of a replay are not in the
        count: it is the same formula everywhere, and a little low everywhere.
        """
        if self.benchmark != CHATAPP:
            return self.budget(receipt_names.counts(self.benchmark, receipt))
        p, said = self.chatapp, receipt.chatapp
        return p.turns * (p.directories + 2 * p.clients + 1) + 3 * said.joins + 2 * said.deliveries

    def budget(self, counts: Mapping[str, int]) -> int:
        """A micro-benchmark's message budget; ``counts`` is what its receipt says, which the
        windowed forms need."""
        return MICRO[self.benchmark].messages(self.micro, counts)


def scenario(
    benchmark: str,
    name: str | None = None,
    scale: Scale = "full",
    history: bool | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> Scenario:
    """The scenario called ``name`` at ``scale``; any override makes it a custom one.

    Without a name it is ChatApp's `default`. With ``history`` None there is one, as in
    the ChatApp specification. Raises UnknownScenario, and ImpossibleConfiguration.
    """
    overrides = {key: value for key, value in (overrides or {}).items() if value is not None}
    if benchmark not in BENCHMARKS:
        raise UnknownScenario(
            f"no benchmark is called {benchmark!r}{meant.hint(benchmark, BENCHMARKS) or ';'}"
            f" there are: {_list(BENCHMARKS)}"
        )
    table = scenarios_of(benchmark)
    name = name or ("default" if benchmark == CHATAPP else COUNTED)
    if name not in table:
        near = meant.hint(name, table) or ";"
        raise UnknownScenario(
            f"{benchmark} has no scenario {name!r}{near} there are: {_list(table)}"
        )
    if benchmark == CHATAPP:
        values = _chatapp_values(name, scale, True if history is None else history)
    else:
        at = list(DIVISORS).index(scale)
        sizes_of = WINDOWS if name == WINDOWED else SIZES
        values = {key: sizes[at] for key, sizes in sizes_of[benchmark].items()}
        if benchmark in WINDOWS:
            values = {"windows": 0, "window": 0} | values
    unknown = overrides.keys() - values.keys()
    if unknown:
        near = meant.hint(min(unknown), values) or ";"
        raise UnknownScenario(
            f"{benchmark} has no parameter {_list(unknown)}{near} it has: {_list(values)}"
        )
    for key, value in overrides.items():
        _check_type(key, value, values[key])
    if overrides:
        name, scale_name = CUSTOM, ""
    else:
        scale_name = scale
    made = Scenario(
        benchmark=benchmark,
        name=name,
        scale=scale_name,
        parameters=values | overrides,
    )
    made.check()
    return made


def scenarios_of(benchmark: str) -> list[str]:
    """Names of this benchmark's scenarios."""
    if benchmark == CHATAPP:
        return list(CHATAPP_SCENARIOS)
    return [COUNTED, WINDOWED] if benchmark in WINDOWS else [COUNTED]


def _chatapp_values(name: str, scale: Scale, history: bool) -> dict[str, Any]:
    row = asdict(CHATAPP_SCENARIOS[name])
    row |= {"selection": row["selection"].name.lower(), "history": history}
    for key, least in LEAST.items():
        row[key] = max(row[key] // DIVISORS[scale], min(row[key], least))
    return row


def _check_type(key: str, value: Any, usual: Any) -> None:
    choices = [selection.name.lower() for selection in Selection]
    if key == "selection" and value not in choices:
        raise UnknownScenario(f"selection is {value!r}; it must be one of {_list(choices)}")
    if type(value) is not type(usual):
        raise UnknownScenario(f"{key} is {value!r}; it must be like {usual!r}")


def _list(names: Any) -> str:
    return ", ".join(sorted(names))


PARAMETERS = tuple(field.name for field in fields(chatapp.Parameters))
"""Names of ChatApp's parameters, in the order of the model."""
