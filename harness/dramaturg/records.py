"""The records of cases and of timed runs: the lines of a results folder's files."""

import json
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from dramaturg.explained import Divergence, Quoted
from dramaturg.outcomes import Outcome

_Whole = Annotated[int, Field(ge=-(1 << 63), lt=1 << 63)]

Number = Annotated[int, Field(gt=-(1 << 80), lt=1 << 80)]
"""A sum of what implementations say in 64 bits; a number that no float could hold is no figure."""


class _Strict(BaseModel):
    # A summary with NaN in it would be no JSON.
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


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
    """The reason, in words; empty for a pass."""
    divergence: Divergence | None = None
    """If a replay failed."""
    why: list[Quoted] = []
    """The requirements that it departs from, the most precise first, and those of the case.
    Empty unless the implementation is to blame."""
    stderr: str = ""
    """The last lines that it wrote to standard error, if it crashed."""
    command: str = ""
    """The command that runs or replays just this."""
    known: str = ""
    """The manifest's reason, if this is a known failure: shown, and not counted (LEVEL-12)."""
    recommended: bool = False
    """True if its case is not required yet: shown, and not counted (LEVEL-34)."""
    events: Number = 0
    seconds: float = 0.0
    requirements: list[str] = []
    host: str = ""
    """The host of a cluster that performed it; empty without one."""

    @property
    def excused(self) -> bool:
        """True if it did not pass, and takes no certificate away for that."""
        return self.recommended and self.outcome not in (Outcome.PASS, Outcome.HARNESS_FAULT)


Value = bool | _Whole | Annotated[float, Field(allow_inf_nan=False)] | str
"""On an axis."""


_ASKED = ("nodes", "bandwidth", "delay", "loss")
"""The requested properties of a network."""


class Point(BaseModel):
    """The place of a timed unit: its entry and suite, and the values."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    entry: str
    """``thesis/T5``: the suite, and the entry's name or, without one, its number from 1."""
    axes: dict[str, Value] = {}
    """Values by the name of the axis, in the order of the suite. Empty for an entry without any."""

    def __hash__(self) -> int:
        return hash((self.entry, tuple(self.axes.items())))


class TimedRecord(Record):
    """A record of a timed unit and its implementation."""

    implementation: str
    benchmark: str
    scenario: str
    scale: str
    parameters: dict[str, Any]
    network: dict[str, Any]
    """``{"kind": "local"}``, or kind ``mininet``, ``uml`` (Mininet inside User-Mode Linux) or
    ``loopback`` with ``nodes``, link and ``qdiscs``. Delay and loss are one way, host to host."""
    cores: list[Number] = []
    """The cores to which the implementation was confined, by their numbers; empty if to none."""
    points: list[Point] = []
    """The entries to which it belongs, and its points in their sweeps."""

    @property
    def what(self) -> str:
        """The timed unit, whoever runs it: the same for all records that may be compared
        (MEAS-14)."""
        return self._what(self.network)

    @property
    def unbuilt(self) -> bool:
        """True if it ended before its network was up: that is then as it was asked for."""
        return "nodes" in self.network and not self.network.keys() - {"kind", *_ASKED}

    def is_of(self, other: "TimedRecord") -> bool:
        """True if it times what the other one does, whose network may have been built."""
        return self.what == other.what or (self.unbuilt and self._asked == other._asked)

    @property
    def _asked(self) -> str:
        return self._what({key: self.network[key] for key in _ASKED if key in self.network})

    def _what(self, network: dict[str, Any]) -> str:
        called = self.benchmark, self.scenario, self.scale, self.parameters, network
        return json.dumps((*called, self.cores), sort_keys=True)


class IterationRecord(TimedRecord):
    """An iteration."""

    build: str
    """The build's digest."""
    invocation: Number
    iteration: Number
    salt: Number
    """The salt with which it was Run: its digests begin with it."""


class LedgerRecord(_Strict):
    """The figures of an iteration that the harness itself saw. Durations in nanoseconds."""

    prepare_nanos: Number
    """The duration of the call, on node 0."""
    run_nanos: Number
    teardown_nanos: list[Number]
    """The same of Teardown, on each node."""
    round_trip_nanos: Number
    """The mean time of an empty call in the invocation so far."""
    tolerance_nanos: Number
    """The time that may lie beside a claim for one call if no thread had to wait (MEAS-4)."""
    waited_nanos: list[Number]
    """Nanoseconds for which threads were ready and had no core, all added up, with what the host
    took: in Prepare, Run, Teardown."""
    forgiven_nanos: Number
    """The time beside the claims of one call that only waits beyond the usual ones can explain."""
    too_short: bool
    """True if the run was too short to be precise, or the machine too busy. It is not wrong for
    that."""
    cpu_seconds: list[float]
    """The CPU time of each node, since its process was started; also what lies between
    iterations."""
    peak_memory: list[Number]
    """Bytes, of each node, the highest so far."""
    held_memory: list[Number]
    """Bytes, of each node after Teardown."""
    source: str
    """The source of those three, in words."""
    probe_nanos: float | None
    """CPU time of a call of fib as a probe, on this runtime in this session; None if nothing is
    computed."""
    probe_share: float | None
    """The CPU time that this run consumed, or the timed runs so far where it is small, as a share
    of what their computes take as a probe; None where that is too little to be told (MEAS-28)."""
    run_cpu_nanos: _Whole | None = None
    """CPU time of all its processes in Run. None, like the rest, in records of before there was
    this."""
    prepare_cpu_nanos: _Whole | None = None
    """The same in Prepare."""
    teardown_cpu_nanos: _Whole | None = None
    """The same in Teardown."""
    outside_cpu_nanos: _Whole | None = None
    """The same from the last iteration's end to this one's Prepare, from Prepare's answer to Run,
    and from the end of Run to Teardown."""
    call_memory: list[Number] = []
    """Bytes that all processes held before Prepare, before Run and after Run."""
    closing_nanos: _Whole | None = None
    """The duration of Trace on all nodes, as soon as Run had ended, and of an empty call behind
    it."""
    closing_waited_nanos: _Whole | None = None
    """As ``waited_nanos``, in those."""
    closing_rows: _Whole | None = None
    """Events and counts that came there."""
    floor_nanos: float | None = None
    """A call of fib in the harness's own program in the same language; None: not run (MEAS-42)."""
    floor_source: str = ""
    """The source of that, or the reason why it was not run, in words."""
    work_judged: str = ""
    """The part of its computing that was compared with a probe, in words, or why none was; empty
    where nothing is computed (MEAS-45)."""
    harness_nanos: _Whole | None = None
    """CPU time of the harness itself, from before it sent `Run` to the answer's end."""
    machine_cores: Annotated[int, Field(ge=1, le=1 << 20)] | None = None
    """The cores of the whole machine, to which the next two belong."""
    steal_nanos: _Whole | None = None
    """Time of all cores that the machine's host gave to others in Run, in ticks; None where the
    system does not say."""
    others_nanos: list[_Whole | None] = []
    """Nanoseconds in Prepare, Run and Teardown that the ledger calls o: for which cores were busy
    with others than node 0. None where a system does not say."""
    pressure_nanos: dict[str, _Whole] = {}
    """Nanoseconds for which some task of the machine waited in Run, for ``cpu``, ``memory`` and
    ``io``; without those of which the kernel does not tell it."""
    margins: dict[str, Annotated[float, Field(ge=0, allow_inf_nan=False)]] = {}
    """The share of each bound that this iteration used, by the bound's name: above 1 it is *fail*.
    From these a campaign of honest runs says how far bounds are from what honest runs do."""


class WireRecord(_Strict):
    """The traffic on the link of each node in Run, in the order of the nodes: Ethernet frames with
    all that is in them, by the counters of the kernel."""

    sent_bytes: list[Number] = []
    sent_packets: list[Number] = []
    received_bytes: list[Number] = []
    received_packets: list[Number] = []
    least_share: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    """The share of the traffic that must have crossed, in what crossed where it is least (MEAS-52):
    above 1 it was too little. None if nothing was counted."""
    pair_bytes: list[list[Number]] = []
    """Bytes from each node to each other one, in the order of the nodes (MEAS-61)."""
    pair_packets: list[list[Number]] = []
    pair_payload: list[list[Number]] = []
    """Bytes of ``pair_bytes`` behind the headers of packets; empty in older records."""
    pairs_not_run: str = ""
    """The reason why that was not counted; empty if it was."""
    rest_bytes: Number | None = None
    """Bytes that all nodes sent each other from the end of Run to that of the first Trace
    (MEAS-53); None if others speak on their links as well."""
    control_bytes: list[Number] = []
    """Bytes of control that crossed the interface of each node's host in Run as well; the others do
    not have them. Empty if control has no part of it."""
    not_run: str = ""
    """The reason why nothing was counted; empty if it was."""


class SampleRecord(IterationRecord):
    """One iteration of a timed run. Durations in nanoseconds."""

    record: Literal["sample"] = "sample"
    warmup: bool = False
    valid: bool
    problems: list[str] = []
    """The reasons why it is not valid: errors of the receipt. Kept, never summarised."""
    certified: bool
    receipt: dict[str, Any]
    setup_nanos: Number
    runtime_nanos: Number
    """The time for structures that outlive the iteration and were built in its Prepare."""
    run_nanos: Number
    teardown_nanos: Number
    turn_nanos: list[Number] = []
    messages: Number = 0
    """Messages of the benchmark proper: the unit that rates are given in."""
    cpu_seconds: float = 0.0
    peak_memory: Number = 0
    """Bytes."""
    grown_memory: Number | None = None
    """Bytes by which the peak grew from the answer to Prepare to the end of the first iteration;
    None of every other one, since a process seldom gives memory back."""
    ledger: LedgerRecord | None = None
    """None in records of before there was one."""
    wire: WireRecord | None = None
    """The traffic of a run over several nodes; None for any other run, and in older records."""
    looks: Number = 0
    """Number of looks at it while it ran (MEAS-48)."""

    @property
    def compared_nanos(self) -> float:
        """Nanoseconds by which two builds are compared: the run time. In a windowed form that is
        given, and the number of messages in it is not (WIN-1): there it is the run time for each
        message."""
        windowed = self.parameters.get("windows") and self.messages
        return self.run_nanos / self.messages if windowed else float(self.run_nanos)

    @property
    def iteration_nanos(self) -> int:
        """Set-up, run and tear-down (MEAS-4)."""
        return self.setup_nanos + self.run_nanos + self.teardown_nanos


class Depth(StrEnum):
    """The part of an iteration that is watched."""

    CROSSING = "crossing"
    """A few actors among unwatched partners: at most 1 % of its events."""
    PARTS = "parts"
    """Whole parts of the world, up to the budget; the whole of it, if it fits."""


class LookRecord(_Strict):
    """A look at a run while it was under way (MEAS-48). In nanoseconds since `Run` was sent."""

    asked_nanos: _Whole
    """Before this nothing was taken that the look does not have."""
    answered_nanos: _Whole
    """The moment before which everything in it was taken."""


class AuditRecord(IterationRecord):
    """The findings in the logs of one iteration of a timed run: of one that has a sample, or of
    one that was run for its audit alone. Follows the invocation's samples."""

    record: Literal["audit"] = "audit"
    depth: str
    """``crossing``: a few actors of a timed iteration; ``parts``: whole parts of the world."""
    watches: list[dict[str, Number]] = []
    outcome: Outcome
    message: str = ""
    """The reason, in words; empty for a pass."""
    messages: Number = 0
    """Number of messages of the iteration, by its receipt."""
    run_nanos: Number = 0
    """Its run time, as a sample has it."""
    run_cpu_nanos: _Whole | None = None
    """CPU time of all its processes in Run, as a sample has it."""
    events: Number = 0
    """Number of events that were logged."""
    decided: Number = 0
    """Events of which sender, content and place are decided by replay."""
    bounded: Number = 0
    """Events that are only held against what facts say of them."""
    pairs: Number = 0
    """Pairs of sender and receiver between which everything is decided."""
    open: list[str] = []
    """The watched messages that are not decided, and why."""
    between_nodes: Number | None = None
    """Logged messages that went from one node to another (MEAS-62); None for one node, if only a
    few actors are watched, and in records of before it was counted."""
    within_nodes: Number | None = None
    """Logged messages that stayed on their node."""
    looks: list[LookRecord] = []
    """The looks at its run, in their order."""
    margins: dict[str, Annotated[float, Field(ge=0, allow_inf_nan=False)]] = {}
    """As a ledger's: of the bounds that looks are held against."""
    divergence: Divergence | None = None
    """If a replay failed."""
    command: str = ""
    """The command that replays it."""
    seconds: float = 0.0
    """Seconds that the audit itself took, when nothing was timed."""


class LinksRecord(_Strict):
    """The measurements of the links between hosts, beside the requested ones (``network``)."""

    zero_ms: list[float] = []
    """The fastest packet on each host's link without delay, one way."""
    delay_ms: list[float] = []
    """The time that the fastest takes beyond that, with the delay: compared with it before
    anything is timed."""
    median_ms: list[float] = []
    """The time that half of the packets do not exceed, beyond ``zero_ms``: more than ``delay_ms``
    where the machine was busy."""
    packets: Number | None = None
    """Number of packets that came to the qdiscs of all links, in the whole invocation; None if none
    counts."""
    lost: Number | None = None
    """The number of packets that they lost."""
    between: list[Number] = []
    """The least and the most that may be, with the loss that was asked for."""
    round_trip_ms: list[float] = []
    """Milliseconds from each node's host to the next one's and back, the fastest of many packets:
    measured before anything was started, between hosts of a cluster."""
    median_round_trip_ms: list[float] = []
    """The time that half of these packets do not exceed."""
    bandwidth_mbit: list[float] = []
    """The rate of one TCP connection that way."""
    pings: list[Number] = []
    """The number of these packets."""
    pings_lost: list[Number] = []
    """The number of them that did not come back."""
    control_ms: float | None = None
    """The longest of the fastest round trips from the first node's host to the agent of another
    one: for so long after the end of Run a node of another host may go on unseen."""
    confidence: float | None = None
    """The confidence of ``between``: 99 % for all invocations of the plan that lose together."""
    off: str = ""
    """The difference from what was asked for: no sample of this invocation is valid."""


class UnitRecord(TimedRecord):
    """The end of one unit of a timing plan: an invocation, or a benchmark on an implementation that
    could not be invoked at all. Follows the samples it speaks of."""

    record: Literal["unit"] = "unit"
    invocation: Number | None
    """None: it was not invoked, and `message` says why."""
    outcome: Outcome
    message: str = ""
    """The reason, in words; empty for a pass."""
    certified: bool | None = None
    """True if it ran under a certificate and passed, its audits included (MEAS-17); None if it was
    not invoked."""
    mark: str = ""
    """The reason why not, in two words, if its build is certified and its figures are not; else
    empty."""
    in_turns: bool = False
    """True if its iterations and those of the other half of its pair took turns."""
    told: str = ""
    """The settings that told its runtime the number of cores, in words; empty if it was confined
    to none."""
    schedulers: Number | None = None
    """The number that it said it has, if it was confined."""
    samples: Number = 0
    """The number of sample records before this one that are its own."""
    audits: Number = 0
    """The number of audit records before this one that are its own."""
    warmup: Number = 0
    """The first iteration that is summarised: those before are warm-up (MEAS-11)."""
    warmup_rule: str = ""
    """The rule that found it, in words."""
    doubts: list[str] = []
    """Cautions that are no fault and have to stand wherever its figures do, in words."""
    margins: dict[str, Annotated[float, Field(ge=0, allow_inf_nan=False)]] = {}
    """The share of each bound that the invocation as a whole used, as a sample's ledger has
    them."""
    links: LinksRecord | None = None
    """None where no link was shaped, or the network never came up."""
    seconds: float = 0.0
