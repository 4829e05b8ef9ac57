"""Suites: which benchmarks are run together, how often, and over which network.

A suite is a YAML file beside this one, or anywhere:

    suite: nightly
    invocations: 5            # fresh processes
    iterations: 10            # in each of them
    warmup: 1                 # at least so many are not summarised
    timeout: 600              # seconds for one iteration
    implementations: [erlang] # all there are, if left out; -i takes its place
    pinned: [erlang@v1.0]     # timed beside them, as their measure (docs/history.md)
    benchmarks:
      - benchmark: chatapp
        scenario: mixed
        scale: small
        history: false
      - benchmark: pingpong
        scale: tiny
        network: {nodes: 2, bandwidth: 100, delay: 5, loss: 0.1}
        iterations: 30
      - name: over-nodes        # what --only and curves call it
        benchmark: big
        implementations: [akka] # of this entry
        sweep: {nodes: [2, 4, 8]}
"""

from collections import Counter
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from dramaturg import files
from dramaturg.model import places
from dramaturg.net.topology import MAX_HOSTS, Link
from dramaturg.records import Value
from dramaturg.timing import scenarios, sweeps
from dramaturg.timing.scenarios import Scale, Scenario

FOLDER = Path(__file__).with_name("suites")

DEFAULT_TIMEOUT = 600.0
"""Seconds for one iteration, unless the suite says otherwise: what is still under way after
ten minutes at small scale hangs. The manifest's limits are for calls that should be short."""

EntryName = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9._-]{0,39}$")]


class SuiteError(ValueError):
    """A suite that cannot be read, or does not exist; says where and why."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class NetworkRequest(_Strict):
    """How many nodes, and what lies between them (see ``net.topology.Link``)."""

    nodes: int = Field(default=1, ge=1, le=MAX_HOSTS)
    bandwidth: float | None = None
    """Mbit/s."""
    delay: float | None = None
    """Milliseconds, one way, from host to host."""
    loss: float | None = None
    """Percent, one way, from host to host."""

    @model_validator(mode="after")
    def _is_a_link(self) -> "NetworkRequest":
        if self.link.shaped and self.nodes < 2:
            raise ValueError("a link needs nodes: 2 or more")
        return self

    @property
    def link(self) -> Link:
        return Link(self.bandwidth, self.delay, self.loss)

    def asked(self) -> dict[str, Any]:
        """What of it was asked for; nothing for one node."""
        return {} if self.local else {key: value for key, value in self if value is not None}

    @property
    def local(self) -> bool:
        return self.nodes == 1


class Entry(_Strict):
    """One benchmark of a suite. What is None is as the suite says."""

    name: EntryName | None = None
    """What it is called by; no other entry of the suite, and no benchmark, is called so."""
    benchmark: str
    implementations: list[str] | None = Field(default=None, min_length=1)
    """Whose it is, where not everybody's that the suite is about."""
    scenario: str | None = None
    scale: Scale = "full"
    history: bool | None = None
    parameters: dict[str, Any] = {}
    """Whatever is here makes it a custom scenario (CHAT-60)."""
    network: NetworkRequest = NetworkRequest()
    cores: int | None = Field(default=None, ge=1)
    """How many of the machine's an implementation may use: all, if left out."""
    variant: EntryName | None = None
    """Which of an implementation's variants; ``plain`` for none of them."""
    sweep: dict[str, list[Any]] = {}
    """Values by axis (see ``timing.sweeps``)."""
    invocations: int | None = Field(default=None, ge=1)
    iterations: int | None = Field(default=None, ge=1)
    warmup: int | None = Field(default=None, ge=0)
    timeout: float | None = Field(default=None, gt=0)

    @model_validator(mode="after")
    def _is_possible(self) -> "Entry":
        if "sweep" in self.model_fields_set:
            self._check_sweep()
            return self
        made, nodes = self.made, self.network.nodes
        if self.network.local:
            return self
        if made.benchmark not in places.MOST:
            distributable = ", ".join(places.MOST)
            raise ValueError(f"{made.benchmark} runs on 1 node; over several: {distributable}")
        most = places.MOST[made.benchmark](made.micro)
        if nodes > most:
            raise ValueError(f"{made} runs on 1 to {most} nodes, not {nodes} (spec/distributed.md)")
        return self

    def _check_sweep(self) -> None:
        plain = scenarios.scenario(self.benchmark, self.scenario, self.scale, self.history)
        fixed = {*self.parameters, *self.network.model_fields_set}
        alone = ("history", *sweeps.PLACE)
        fixed |= {name for name in alone if getattr(self, name) is not None}
        sweeps.check(self.benchmark, self.sweep, plain.parameters, fixed)
        self.points()

    def points(self) -> list[tuple[dict[str, Value], "Entry"]]:
        """The entry at each point of its sweep; itself, at no value, if it has none. Raises
        ValueError for values that cannot be."""
        if not self.sweep:
            return [({}, self)]
        return [(values, self._at(values)) for values in sweeps.points(self.sweep)]

    def _at(self, values: dict[str, Value]) -> "Entry":
        said = self.model_dump(exclude={"sweep"}, exclude_unset=True)
        for axis, value in values.items():
            if axis in sweeps.PLACE:
                said[axis] = value
                continue
            room = "network" if axis in sweeps.NETWORK else "parameters"
            said[room] = said.get(room, {}) | {axis: value}
        try:
            return Entry.model_validate(said)
        except ValidationError as error:
            at = ", ".join(f"{axis} {value!r}" for axis, value in values.items())
            problems = "; ".join(_problem(problem, False) for problem in error.errors())
            raise ValueError(f"sweep, at {at}: {problems}") from None

    @property
    def made(self) -> Scenario:
        """The scenario that this speaks of, of an entry without a sweep."""
        return scenarios.scenario(
            self.benchmark, self.scenario, self.scale, self.history, self.parameters
        )


class Suite(_Strict):
    """Benchmarks that are run together, their invocations interleaved."""

    suite: str
    about: str = ""
    implementations: list[str] | None = Field(default=None, min_length=1)
    pinned: list[str] = []
    """Builds that are timed beside the others, so that sessions can be held against each other."""
    invocations: int = Field(default=5, ge=1)
    iterations: int = Field(default=5, ge=1)
    warmup: int = Field(default=0, ge=0)
    timeout: float = Field(default=DEFAULT_TIMEOUT, gt=0)
    benchmarks: list[Entry] = Field(min_length=1)

    @model_validator(mode="after")
    def _is_told_apart(self) -> "Suite":
        names = Counter(entry.name for entry in self.benchmarks if entry.name)
        for name, times in names.items():
            if times > 1:
                raise ValueError(f"{times} entries are called {name!r}; each has a name of its own")
            if name in scenarios.BENCHMARKS:
                raise ValueError(f"an entry is called {name!r}, as a benchmark is")
        return self

    def cast(self, entry: Entry) -> list[str] | None:
        """Who is named for an entry; None for whoever there is."""
        return self.implementations if entry.implementations is None else entry.implementations

    def named(self) -> list[tuple[str, Entry]]:
        """Every entry with what it is called by in records."""
        return [
            (f"{self.suite}/{entry.name or number}", entry)
            for number, entry in enumerate(self.benchmarks, start=1)
        ]


def available() -> list[str]:
    """Names of the suites that come with the harness."""
    return sorted(file.stem for file in FOLDER.glob("*.yaml"))


def load(name: str) -> Suite:
    """The suite called ``name``, or in the file ``name``. Raises SuiteError."""
    if name.endswith((".yaml", ".yml")) or "/" in name:
        file = Path(name)
    elif name in available():
        file = FOLDER / f"{name}.yaml"
    else:
        raise SuiteError(f"no suite is called {name!r}; there are: {', '.join(available())}")
    try:
        content = files.read_yaml(file)
    except files.Unreadable as error:
        raise SuiteError(f"{file}: {error}") from None
    if not isinstance(content, dict):
        raise SuiteError(f"{file}: a suite is a mapping; see docs/suites.md")
    return checked(content, str(file))


def checked(content: dict[str, Any], file: str = "") -> Suite:
    """A suite from what a file, or without one a command line, says. Raises SuiteError."""
    try:
        return Suite.model_validate(content)
    except ValidationError as error:
        found = (_problem(problem, bool(file)) for problem in error.errors())
        problems = files.brief("; ".join(found))
        raise SuiteError(f"{file}: {problems}" if file else problems) from None


def _problem(problem: Any, with_place: bool) -> str:
    # What our own validators raise is a sentence already.
    text = str(problem.get("ctx", {}).get("error") or problem["msg"])
    place = ".".join(str(part) for part in problem["loc"])
    return f"{place}: {text}" if with_place else text
