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
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from dramaturg import files, meant
from dramaturg.machine import environment
from dramaturg.model import placement
from dramaturg.net.topology import MAX_HOSTS, Link
from dramaturg.records import Value
from dramaturg.timing.planning import scenarios, sweeps
from dramaturg.timing.planning.scenarios import Scale, Scenario

FOLDER = Path(__file__).with_name("suites")

DEFAULT_TIMEOUT = 600.0
"""Seconds for one iteration, unless the suite says otherwise: an iteration that is still under way
after ten minutes at small scale hangs. The manifest's limits are for calls that should be short."""

MOST_TIMES = 100_000
"""Invocations, or iterations: nobody lives to see more, and a plan holds each invocation."""

MOST_SECONDS = 7 * 86400.0
"""For one iteration."""

MOST_LETTERS = 80
"""The most letters of a suite's name: it stands in every table, curve and record."""

Times = Annotated[int, Field(strict=True, ge=1, le=MOST_TIMES)]
Warmups = Annotated[int, Field(strict=True, ge=0, le=MOST_TIMES)]
Seconds = Annotated[float, Field(strict=True, gt=0, le=MOST_SECONDS)]
Cores = Annotated[int, Field(strict=True, ge=1)]
Amount = Annotated[float, Field(strict=True)]
"""Strict: true is no 1 and "2" is no 2, since whoever writes them means something else."""

EntryName = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9._-]{0,39}$")]


class SuiteError(ValueError):
    """A suite that cannot be read, or does not exist; says where and why."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class NetworkRequest(_Strict):
    """The number of nodes, and the link between them (see ``net.topology.Link``)."""

    nodes: int = Field(default=1, strict=True, ge=1, le=MAX_HOSTS)
    bandwidth: Amount | None = None
    """Mbit/s."""
    delay: Amount | None = None
    """Milliseconds, one way, from host to host."""
    loss: Amount | None = None
    """Percent, one way, from host to host."""

    @property
    def link(self) -> Link:
        return Link(self.bandwidth, self.delay, self.loss)

    def asked(self) -> dict[str, Any]:
        """The requested part of it; empty for one node."""
        return {} if self.local else {key: value for key, value in self if value is not None}

    @property
    def local(self) -> bool:
        return self.nodes == 1

    def check(self) -> None:
        """If ``nodes`` is an axis, each of its points is checked. Raises ValueError."""
        if self.link.shaped and self.local:
            raise ValueError("a link needs nodes: 2 or more")


class Entry(_Strict):
    """One benchmark of a suite. A field that is None is as the suite says."""

    name: EntryName | None = None
    """The name of the entry; no other entry of the suite, and no benchmark, has it."""
    benchmark: str
    implementations: list[str] | None = Field(default=None, min_length=1)
    """The implementations of the entry, where it is not for all of the suite."""
    scenario: str | None = None
    scale: Scale = "full"
    history: bool | None = None
    parameters: dict[str, Any] = {}
    """Parameters of the entry. Any of them makes it a custom scenario (CHAT-60)."""
    for_each_core: dict[str, Annotated[int, Field(strict=True, ge=1)]] = {}
    """Parameters that are so much for each core that may be used: a run whose work is spread over
    all of them is about as long on a machine with many as on one with few (MEAS-23)."""
    network: NetworkRequest = NetworkRequest()
    cores: Cores | None = None
    """The number of the machine's cores that an implementation may use: all, if left out."""
    variant: EntryName | None = None
    """The implementation's variant; ``plain`` for none of them."""
    sweep: dict[str, list[Any]] = {}
    """Values by axis (see ``timing.sweeps``)."""
    invocations: Times | None = None
    iterations: Times | None = None
    warmup: Warmups | None = None
    timeout: Seconds | None = None

    @model_validator(mode="after")
    def _is_possible(self) -> "Entry":
        if "sweep" in self.model_fields_set:
            self._check_sweep()
            return self
        made, nodes = self.made, self.network.nodes
        self.network.check()
        if self.network.local:
            return self
        if made.benchmark not in placement.MOST:
            distributable = ", ".join(placement.MOST)
            raise ValueError(f"{made.benchmark} runs on 1 node; over several: {distributable}")
        excess = placement.excess(made.benchmark, made.values, nodes)
        if excess:
            raise ValueError(f"{made}: {excess}")
        return self

    def _check_sweep(self) -> None:
        plain = scenarios.scenario(self.benchmark, self.scenario, self.scale, self.history)
        fixed = {*self.parameters, *self.for_each_core, *self.network.model_fields_set}
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
        """The scenario that this speaks of, of an entry without a sweep; one that is what its name
        says, with just as many cores, bears it."""
        twice = self.for_each_core.keys() & self.parameters.keys()
        if twice:
            raise ValueError(f"{min(twice)} is in parameters and in for_each_core; say it once")
        many = self.cores or environment.usable_cores()
        sized = {name: each * many for name, each in self.for_each_core.items()}
        named = (self.benchmark, self.scenario, self.scale, self.history)
        usual = scenarios.scenario(*named).parameters if sized else {}
        more = {name: value for name, value in sized.items() if usual.get(name) != value}
        return scenarios.scenario(*named, self.parameters | more)


class Suite(_Strict):
    """Benchmarks that are run together, their invocations interleaved."""

    suite: str
    about: str = ""
    implementations: list[str] | None = Field(default=None, min_length=1)
    pinned: list[str] = []
    """Builds that are timed beside the others, so that sessions can be held against each other."""
    invocations: Times = 5
    iterations: Times = 5
    warmup: Warmups = 0
    timeout: Seconds = DEFAULT_TIMEOUT
    benchmarks: list[Entry] = Field(min_length=1)

    @model_validator(mode="after")
    def _is_told_apart(self) -> "Suite":
        if not self.suite.strip() or not self.suite.isprintable() or len(self.suite) > MOST_LETTERS:
            raise ValueError(
                f"the suite is called {files.brief(repr(self.suite))}; its name must be 1 to"
                f" {MOST_LETTERS} characters on one line"
            )
        names = Counter(entry.name for entry in self.benchmarks if entry.name)
        for name, times in names.items():
            if times > 1:
                raise ValueError(f"{times} entries are called {name!r}; each has a name of its own")
            if name in scenarios.BENCHMARKS:
                raise ValueError(f"an entry is called {name!r}, as a benchmark is")
        return self

    def cast(self, entry: Entry) -> list[str] | None:
        """The implementations that are named for an entry; None for all there are."""
        return self.implementations if entry.implementations is None else entry.implementations

    @model_validator(mode="after")
    def _counts_something(self) -> "Suite":
        for name, entry in self.named():
            iterations = entry.iterations or self.iterations
            warmup = self.warmup if entry.warmup is None else entry.warmup
            if warmup >= iterations:
                raise ValueError(
                    f"{name}: {warmup} of {iterations} iterations are warm-up, so none would"
                    " count; take more iterations or less warmup"
                )
        return self

    def named(self) -> list[tuple[str, Entry]]:
        """Every entry with what it is called by in records."""
        return [
            (f"{self.suite}/{entry.name or number}", entry)
            for number, entry in enumerate(self.benchmarks, start=1)
        ]


def available() -> list[str]:
    """Names of the suites that come with the harness."""
    return sorted(file.stem for file in FOLDER.glob("*.yaml"))


def is_file(name: str) -> bool:
    """True if a word is a suite's file, and not its name."""
    return name.endswith((".yaml", ".yml")) or "/" in name


def load(name: str) -> Suite:
    """The suite called ``name``, or in the file ``name``. Raises SuiteError."""
    if is_file(name):
        file = Path(name)
    elif name in available():
        file = FOLDER / f"{name}.yaml"
    else:
        near = meant.hint(name, available()) or ";"
        raise SuiteError(f"no suite is called {name!r}{near} there are: {', '.join(available())}")
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
    # The errors of our own validators are sentences already.
    text = str(problem.get("ctx", {}).get("error") or problem["msg"])
    if problem["type"] == "extra_forbidden":
        keys = list(_keys(problem["loc"]))
        near = meant.hint(str(problem["loc"][-1]), keys) or ";"
        text = f"no such key{near} keys are: {', '.join(keys)}"
    place = ".".join(str(part) for part in problem["loc"])
    return f"{place}: {text}" if with_place and place else text


def _keys(place: Sequence[int | str]) -> Iterable[str]:
    """Return the keys that there are at this place."""
    inside: dict[int, type[BaseModel]] = {1: Suite, 3: Entry, 4: NetworkRequest}
    return inside.get(len(place), Suite).model_fields
