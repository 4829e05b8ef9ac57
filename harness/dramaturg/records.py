"""What the harness records of cases and of timed runs: the lines of a results folder's files."""

import json
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from dramaturg.outcomes import Outcome

_Whole = Annotated[int, Field(ge=-(1 << 63), lt=1 << 63)]

Number = Annotated[int, Field(gt=-(1 << 80), lt=1 << 80)]
"""A sum of what implementations say in 64 bits; what no float could hold is no figure."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Record(_Strict):
    """One line. The first field says which kind."""

    record: str


class CaseRecord(Record):
    """One case on one implementation."""

    record: Literal["case"] = "case"
    implementation: str
    level: Number
    benchmark: str
    case: str
    outcome: Outcome
    message: str = ""
    """Why, in words; empty for a pass."""
    divergence: dict[str, Any] | None = None
    """As ``Explanation.to_dict`` gives it, if a replay failed."""
    why: list[dict[str, str]] = []
    """The requirements that it departs from, the most precise first, and those of the case:
    ``Requirement.to_dict`` of each. Empty unless the implementation is to blame."""
    stderr: str = ""
    """The last lines that it wrote to standard error, if it crashed."""
    command: str = ""
    """What to type to run or replay just this."""
    known: str = ""
    """The manifest's reason, if this is a known failure: shown, and not counted (LEVEL-12)."""
    recommended: bool = False
    """Whether its case is not required yet: shown, and not counted (LEVEL-34)."""
    events: Number = 0
    seconds: float = 0.0
    requirements: list[str] = []

    @property
    def excused(self) -> bool:
        """Whether it did not pass, and takes no certificate away for that."""
        return self.recommended and self.outcome not in (Outcome.PASS, Outcome.HARNESS_FAULT)


Value = bool | _Whole | Annotated[float, Field(allow_inf_nan=False)] | str
"""On an axis."""


_ASKED = ("nodes", "bandwidth", "delay", "loss")
"""What of a network is asked for."""


class Point(BaseModel):
    """Where something stands that is timed: in which entry of which suite, and at which values."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    entry: str
    """``thesis/T5``: the suite, and the entry's name or, without one, its number from 1."""
    axes: dict[str, Value] = {}
    """By the name of the axis, in the order of the suite. Empty for an entry without any."""

    def __hash__(self) -> int:
        return hash((self.entry, tuple(self.axes.items())))


class TimedRecord(Record):
    """What is timed, and whose."""

    implementation: str
    benchmark: str
    scenario: str
    scale: str
    parameters: dict[str, Any]
    network: dict[str, Any]
    """``{"kind": "local"}``, or kind ``mininet``, ``uml`` (Mininet inside User-Mode Linux) or
    ``loopback`` with ``nodes``, link and ``qdiscs``. Delay and loss are one way, host to host."""
    cores: list[Number] = []
    """To which the implementation was confined, by their numbers; to none, if empty."""
    points: list[Point] = []
    """Of which entries it is, and where in their sweeps."""

    @property
    def what(self) -> str:
        """What is timed, whoever runs it: the same of all that may be compared (MEAS-14)."""
        return self._what(self.network)

    @property
    def unbuilt(self) -> bool:
        """Whether it ended before its network was up: that is then as it was asked for."""
        return "nodes" in self.network and not self.network.keys() - {"kind", *_ASKED}

    def is_of(self, other: "TimedRecord") -> bool:
        """Whether what is timed is that of the other one, whose network may have been built."""
        return self.what == other.what or (self.unbuilt and self._asked == other._asked)

    @property
    def _asked(self) -> str:
        return self._what({key: self.network[key] for key in _ASKED if key in self.network})

    def _what(self, network: dict[str, Any]) -> str:
        called = self.benchmark, self.scenario, self.scale, self.parameters, network
        return json.dumps((*called, self.cores), sort_keys=True)


class IterationRecord(TimedRecord):
    """Which iteration."""

    build: str
    """The build's digest."""
    invocation: Number
    iteration: Number
    salt: Number
    """With which it was Run: what its digests begin with."""


class LedgerRecord(_Strict):
    """What the harness itself saw of an iteration. Durations in nanoseconds."""

    prepare_nanos: Number
    """How long the call took, on node 0."""
    run_nanos: Number
    teardown_nanos: list[Number]
    """On each node."""
    round_trip_nanos: Number
    """Of an empty call, their mean in the invocation so far."""
    tolerance_nanos: Number
    """What may lie beside a claim that was made in one call, had no thread to wait (MEAS-4)."""
    waited_nanos: list[Number]
    """For how long threads were ready and had no core, all added up, with what the host took: in
    Prepare, Run, Teardown."""
    forgiven_nanos: Number
    """What lay beside the claims of one call, and only waits beyond the usual ones can explain."""
    too_short: bool
    """Whether the run was too short to vouch for, or the machine too busy. It is not wrong for
    that."""
    cpu_seconds: list[float]
    """Of each node, since its process was started; also what lies between iterations."""
    peak_memory: list[Number]
    """Bytes, of each node, the highest so far."""
    held_memory: list[Number]
    """Bytes, of each node after Teardown."""
    source: str
    """Where those three are from, in words."""
    probe_nanos: float | None
    """CPU time of a call of fib as a probe, on this runtime in this session; None if nothing is
    computed."""
    probe_share: float | None
    """Of what the computes so far take as a probe, the CPU time that was consumed so far; None
    where that is too little to be told (MEAS-28)."""
    run_cpu_nanos: _Whole | None = None
    """CPU time of all its processes in Run. None, like the rest, in records of before there was
    this."""
    harness_nanos: _Whole | None = None
    """CPU time of the harness itself, from before it sent `Run` to the answer's end."""
    machine_cores: Annotated[int, Field(ge=1, le=1 << 20)] | None = None
    """Of the whole machine, to which the next two belong."""
    steal_nanos: _Whole | None = None
    """Time of all cores that the machine's host gave to others in Run, in ticks; None where the
    system does not say."""
    pressure_nanos: dict[str, _Whole] = {}
    """For how long some task of the machine waited in Run, for ``cpu``, ``memory`` and ``io``;
    without those of which the kernel does not tell it."""


class SampleRecord(IterationRecord):
    """One iteration of a timed run. Durations in nanoseconds."""

    record: Literal["sample"] = "sample"
    warmup: bool = False
    valid: bool
    problems: list[str] = []
    """Why it is not valid: what of the receipt is wrong. Kept, never summarised."""
    certified: bool
    receipt: dict[str, Any]
    setup_nanos: Number
    runtime_nanos: Number
    """Of structures that outlive the iteration and were built in its Prepare."""
    run_nanos: Number
    teardown_nanos: Number
    turn_nanos: list[Number] = []
    messages: Number = 0
    """Messages of the benchmark proper: the unit that rates are given in."""
    cpu_seconds: float = 0.0
    peak_memory: Number = 0
    """Bytes."""
    grown_memory: Number | None = None
    """By how many bytes the peak grew from the answer to Prepare to the end of the first
    iteration; None of every other one, since a process seldom gives memory back."""
    ledger: LedgerRecord | None = None
    """None in records of before there was one."""

    @property
    def compared_nanos(self) -> float:
        """By which two builds are compared: the run time. In a windowed form that is given, and how
        much happens in it is not (WIN-1): there it is the run time for each message."""
        windowed = self.parameters.get("windows") and self.messages
        return self.run_nanos / self.messages if windowed else float(self.run_nanos)

    @property
    def iteration_nanos(self) -> int:
        """Set-up, run and tear-down (MEAS-4)."""
        return self.setup_nanos + self.run_nanos + self.teardown_nanos


class Depth(StrEnum):
    """How much of an iteration is watched."""

    CROSSING = "crossing"
    """A few actors among unwatched partners: at most 1 % of its events."""
    PARTS = "parts"
    """Whole parts of the world, up to the budget; the whole of it, if it fits."""


class AuditRecord(IterationRecord):
    """What the logs of one iteration of a timed run showed: of one that has a sample, or of one
    that was run for its audit alone. Follows the invocation's samples."""

    record: Literal["audit"] = "audit"
    depth: str
    """``crossing``: a few actors of a timed iteration; ``parts``: whole parts of the world."""
    watches: list[dict[str, Number]] = []
    outcome: Outcome
    message: str = ""
    """Why, in words; empty for a pass."""
    messages: Number = 0
    """That the iteration had by its receipt."""
    run_nanos: Number = 0
    """Its run time, as a sample has it."""
    events: Number = 0
    """That were logged."""
    decided: Number = 0
    """Events of which sender, content and place are decided by replay."""
    bounded: Number = 0
    """Events that are only held against what facts say of them."""
    pairs: Number = 0
    """Pairs of sender and receiver between which everything is decided."""
    open: list[str] = []
    """What is not decided of what was watched, and why."""
    divergence: dict[str, Any] | None = None
    """As ``Explanation.to_dict`` gives it, if a replay failed."""
    command: str = ""
    """What to type to replay it."""
    seconds: float = 0.0
    """That the audit itself took, when nothing was timed."""


class LinksRecord(_Strict):
    """What was measured of the links between hosts, beside what was asked for (``network``)."""

    zero_ms: list[float] = []
    """Of each host's link without delay, one way: the fastest packet."""
    delay_ms: list[float] = []
    """What the fastest takes beyond that, with the delay: held against it before anything is
    timed."""
    median_ms: list[float] = []
    """What half of the packets do not exceed, beyond ``zero_ms``: more than ``delay_ms`` where
    the machine was busy."""
    packets: Number | None = None
    """That came to the qdiscs of all links, in the whole invocation; None where none counts."""
    lost: Number | None = None
    """How many of them they lost."""
    between: list[Number] = []
    """How few and how many that may be, with the loss that was asked for."""
    confidence: float | None = None
    """Of ``between``: of all invocations of the plan that lose together, 99 %."""
    off: str = ""
    """How they are not what was asked for: no sample of this invocation is valid."""


class UnitRecord(TimedRecord):
    """How one unit of a timing plan ended: an invocation, or a benchmark on an
    implementation that could not be invoked at all. Follows the samples it speaks of."""

    record: Literal["unit"] = "unit"
    invocation: Number | None
    """None: it was not invoked, and `message` says why."""
    outcome: Outcome
    message: str = ""
    """Why, in words; empty for a pass."""
    certified: bool | None = None
    """Whether it ran under a certificate and passed, its audits included (MEAS-17); None if it
    was not invoked."""
    in_turns: bool = False
    """Whether its iterations and those of the other half of its pair took turns."""
    told: str = ""
    """What its runtime was told of its cores, in words; empty if it was confined to none."""
    schedulers: Number | None = None
    """How many it said that it has, where it was confined."""
    samples: Number = 0
    """How many of the sample records before this one are its own."""
    audits: Number = 0
    """How many of the audit records before this one are its own."""
    warmup: Number = 0
    """The first iteration that is summarised: those before are warm-up (MEAS-11)."""
    warmup_rule: str = ""
    """How that was found, in words."""
    links: LinksRecord | None = None
    """None where no link was shaped, or the network never came up."""
    seconds: float = 0.0
