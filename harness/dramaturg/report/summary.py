"""The summary of a results folder: what ``summary.json`` holds and the report shows.

A summary says nothing that the records do not. It is plain data: ``summary.schema.json``
beside this file is its JSON Schema, and a test holds the two together. Whoever changes
a field's meaning raises ``VERSION``.
"""

import json
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from dramaturg import schema
from dramaturg.certificates.reviews import Reviewed
from dramaturg.outcomes import Outcome
from dramaturg.records import Value
from dramaturg.timing.statistics.difference import Verdict

VERSION: Literal[2] = 2
"""1 had no set-up and tear-down of their own, and measured an iteration from its first message."""

SCHEMA_FILE = Path(__file__).with_name("summary.schema.json")


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class State(StrEnum):
    """The part of a records file that is there."""

    COMPLETE = "complete"
    INTERRUPTED = "interrupted"
    """No footer, or a footer that counts other than what is there."""
    ABSENT = "absent"


class RecordsFile(_Part):
    """``conformance.jsonl`` or ``timings.jsonl``."""

    state: State
    records: int = 0
    header: dict[str, Any] = {}


class LevelVerdict(_Part):
    """One implementation at one level (spec/levels.md)."""

    level: int
    name: str
    counts: dict[Outcome, int]
    """Cases by outcome, worst first; outcomes that did not occur are left out."""
    known: dict[Outcome, int]
    """Those of these outcomes that are known failures (LEVEL-12)."""
    recommended: dict[Outcome, int] = {}
    """Those of these outcomes whose cases are only recommended (LEVEL-34)."""
    worst: Outcome


class ImplementationVerdict(_Part):
    """One row of the verdict table."""

    implementation: str
    certified: bool
    """True if these records meet what *certified* stands for: a complete run, with all required
    levels in its plan, in which every planned case passed (spec/levels.md)."""
    obstacles: list[str]
    """The obstacles to a certificate, in words; empty exactly if certified."""
    remark: str = ""
    """The manifest's remark, which a reader has to know."""
    outcome: Outcome
    """The worst, known failures and recommended cases not counted. Planned cases without a
    record are *not run*."""
    counts: dict[Outcome, int]
    levels: list[LevelVerdict]
    build: str = ""
    """The build's digest, if the records name it."""
    events: int
    """Trace events that were replayed or compared."""
    seconds: float
    receipts: int
    """Its timed iterations, warm-up included: what level 5 judges."""
    wrong_receipts: int
    timed_certified: bool | None
    """True if its timed samples were taken under a certificate; None if it was not timed."""


class Finding(_Part):
    """A case that did not pass, as it was recorded."""

    implementation: str
    level: int
    benchmark: str
    case: str
    outcome: Outcome
    message: str
    divergence: dict[str, Any] | None
    """As ``Explanation.to_dict`` gives it."""
    why: list[dict[str, str]]
    """The requirements that it departs from: identifier, text and chapter of each."""
    stderr: str = ""
    """The last lines that it wrote to standard error, if it crashed."""
    command: str
    known: str
    """The manifest's reason, if it is a known failure (LEVEL-12)."""
    recommended: bool = False
    """True if its case is only recommended: it does not count (LEVEL-34)."""
    requirements: list[str]


class Interval(_Part):
    """A point estimate and its confidence interval."""

    value: float
    low: float | None
    high: float | None
    """None, both: there are too few samples or invocations for one, and ``note`` says so."""
    note: str
    """A caution before trusting the interval; empty if there is none."""

    @property
    def width(self) -> float | None:
        """Relative to the value: 0.1 for a tenth."""
        if self.low is None or self.high is None or not self.value:
            return None
        return (self.high - self.low) / self.value


class Sample(_Part):
    """One timed iteration that counts: after warm-up, with a receipt that holds."""

    invocation: int
    iteration: int
    salt: int
    """The salt with which it was Run."""
    setup_nanos: int
    runtime_nanos: int
    """The time for structures that outlive the iteration and were built in it; part of no other
    figure."""
    run_nanos: int
    compared_nanos: float
    """The run time, and in windowed forms the run time for each message."""
    teardown_nanos: int
    iteration_nanos: int
    """Set-up, run and tear-down."""
    too_short: bool
    """True if it is too short to vouch for: too much may lie, or lies, beside it (MEAS-23)."""
    outlier: bool
    """It lies outside Tukey's fences by what is compared. Flagged, and summarised like others."""


class InvalidSample(_Part):
    """A timed iteration that is not believed. Kept and listed, never summarised."""

    invocation: int
    iteration: int
    salt: int
    warmup: bool
    run_nanos: int
    problems: list[str]


class Audit(_Part):
    """The findings in the logs of a row's iterations (MEAS-17)."""

    iterations: int
    """The number of iterations whose logs were compared with the model."""
    outcomes: dict[Outcome, int]
    """Their outcomes, worst first."""
    events: int
    """Number of events that were logged."""
    decided: int
    """Events of which sender, content and place are decided by replay."""
    pairs: int
    """Pairs of sender and receiver between which everything is decided."""
    share: float | None
    """The share of decided messages in those iterations of which whole parts were watched; None if
    there was none."""
    slowdown: float | None
    """The time for each message of iterations in which whole parts were watched, as a multiple of
    the timed iterations': medians (MEAS-25). None if there was no such."""
    volume: float | None
    """The number of messages of the timed iterations, as a multiple of those in which whole parts
    were watched: medians (MEAS-33). None if there was no such."""
    missed: dict[str, float]
    """The probability that a fault was not seen that touches one message in 100, 1,000, ... at
    random.... at random."""
    open: list[str]
    """The watched messages that are not decided, and why."""


class Beside(_Part):
    """The times that the harness saw beside the claims of valid samples (spec/measurements.md, the
    ledger). None, or empty: no record says."""

    busy: float | None
    """CPU time of the implementation in Run, over Run's time: the cores that it kept busy."""
    harness: float | None
    """CPU time of the harness in Run, as a share of Run's time on all cores to which the
    implementation was confined, or on all of the machine."""
    steal: float | None
    """The time that the machine's host gave to others, as a share of Run's time on all its
    cores."""
    pressure: dict[str, float]
    """The share of Run for which some task of the machine waited for a core (``cpu``), ``memory``
    and ``io``."""
    outside: float | None = None
    """CPU time of all processes outside of their calls and in Teardown, as a share of Run."""


class WireFigures(_Part):
    """The bytes and packets that crossed the network while it ran (MEAS-52), all nodes together:
    medians."""

    sent_bytes: float | None
    """None where nothing was counted."""
    sent_packets: float | None
    not_run: str = ""
    """The reason why nothing was counted; empty if it was."""
    stays: float | None = None
    """The share of the messages that audited iterations have logged which stayed on its node
    (MEAS-62); None if none has."""
    between: float | None = None
    """Messages of the benchmark proper that went from one node to another, by that share."""


class InvocationFigures(_Part):
    """The samples of one process that count. Durations in nanoseconds."""

    invocation: int
    samples: int
    run: float
    """Median of the run time."""
    compared: float
    """Median of what implementations are compared by, and its ends."""
    fastest: float
    slowest: float
    beside: Beside


class Timeline(_Part):
    """The duration of each turn, over all samples. Durations in nanoseconds."""

    turns: int
    step: int
    """Turns that each of the following figures is of; of the last one perhaps fewer."""
    median: list[float]
    low: list[float]
    """The first quartile."""
    high: list[float]
    """The third."""


class LedgerFigures(_Part):
    """Claims held against what the harness saw, over the samples of a row. Durations in
    nanoseconds, medians if nothing else is said."""

    seen: float
    """The duration of Run by the harness's clock."""
    left_over: float
    """The part of that in no claim: the most of all samples."""
    tolerance: float
    round_trip: float
    """The time of an empty call."""
    waited: float
    """Nanoseconds for which threads were ready in Run and had no core, all added up."""
    forgiven: int
    """Samples in which something was."""
    harness_nanos: float | None
    """CPU time of the harness in Run."""
    sources: list[str]
    """The source of CPU time and memory."""


class TimedImplementation(_Part):
    """One implementation's row in a timing group. Durations in nanoseconds."""

    implementation: str
    build: str
    certified: bool
    """True if every one of its samples was taken under a certificate, and every invocation passed
    with its audit."""
    mark: str = ""
    """The mark of its figures if its build is certified and they are not; else empty."""
    audit: Audit | None
    """None if no log was held against the model."""
    invocations: int
    """Fresh processes that its iterations come from, valid or not."""
    warmup: int
    """Iterations left out because the runtime had not settled."""
    warmup_rules: list[str]
    """The rules that found the end of warm-up, in words."""
    told: list[str] = []
    """The settings that told its runtime to how many cores it was confined."""
    undecided: int
    """Iterations left out because their invocation was cut short: the end of its warm-up is not
    known."""
    samples: list[Sample]
    by_invocation: list[InvocationFigures] = []
    """The figures of those samples' invocations, in the order in which they ran."""
    beside: Beside | None = None
    """The figures of all of them."""
    ledger: LedgerFigures | None = None
    """None where there are no samples, or their records have no ledger."""
    wire: WireFigures | None = None
    """None where there is one node, or no record says."""
    timeline: Timeline | None = None
    """None where there are no turns, or not always as many."""
    invalid: list[InvalidSample]
    probe_share: float | None
    """The least, over its samples, of what their computes consumed of the CPU time that the same
    computes take as a probe; None where that is too little to be told (MEAS-28)."""
    too_short: int
    """The number of ``samples`` that were too short to be precise (MEAS-23)."""
    enough: str = ""
    """The length of a run that is not; empty if none is too short."""
    doubts: list[str] = []
    """Other cautions that are no fault and have to stand beside its figures (MEAS-47)."""
    run: Interval | None
    """Median of the run time: first poke to last confirm. None without a valid sample."""
    compared: Interval | None
    """Median of what implementations are compared by: of the run time, and in windowed forms of
    the run time for each message (WIN-1)."""
    iteration: Interval | None
    """Median of the iteration time: set-up, run and tear-down."""
    setup: float | None
    """Median."""
    teardown: float | None
    """Median."""
    runtime: float | None
    """The time to build the structures that outlive iterations: median over invocations of all
    their iterations together, warm-up included. Zero if they were there from the start."""
    mean: float | None
    """Arithmetic mean of the run time."""
    deviation: float | None
    """Standard deviation of the run time."""
    error: float | None
    """The error of the mean run time, in percent of it."""
    turn: float | None
    """Median of all turns' durations, where the benchmark has turns."""
    qos: float | None
    """The difference of the same turn from one iteration to the next: lower is better."""
    rate: float | None
    """Messages per second over all samples, their harmonic mean; None if none are counted."""
    messages: int | None
    """Messages of the benchmark proper in one iteration; None if iterations differ."""
    cpu_seconds: float | None
    """The CPU seconds of one iteration, their arithmetic mean."""
    peak_memory: int | None
    """Largest, in bytes."""
    bytes_per_actor: float | None
    """For chain: the median over invocations of the growth of the peak in their first iteration,
    divided by the actors alive in it (spec/chain.md); None if it grew in none."""


class TimingGroup(_Part):
    """Rows that may be compared: one benchmark, scenario, scale, parameters and network."""

    benchmark: str
    scenario: str
    scale: str
    parameters: dict[str, Any]
    varied: dict[str, Any] = {}
    """The parameters that set it apart from other groups of the same name, as in a sweep."""
    network: dict[str, Any]
    cores: list[int] = []
    """The cores to which implementations were confined, by their numbers; empty if to none."""
    implementations: list[TimedImplementation]

    @property
    def compared_by(self) -> str:
        """The figure by which its implementations are compared, in words."""
        return "run time a message" if self.parameters.get("windows") else "run time"


class Latencies(_Part):
    """For web under an open load (spec/openweb.md): latencies at one offered load, of all counted
    iterations together. Times in nanoseconds, each the upper end of its bucket."""

    offered: float
    """Requests per second."""
    completed: float
    """The share of the requests offered in a time that was done in it."""
    p50: float
    p90: float
    p99: float
    p999: float
    longest: float
    lateness_p99: float
    hidden: str = ""
    """The reason why the point is not shown (OPEN-7, OPEN-8); empty if it is."""


class CurvePoint(_Part):
    """One implementation at one value of an axis. Durations in nanoseconds."""

    value: Value
    samples: int
    invocations: int
    run: Interval
    """Median of the run time."""
    cost: Interval | None
    """Median of the run time for each message, whose reciprocal is a rate; None if there were
    runs without any."""
    latency: Latencies | None = None
    """For web under an open load alone."""
    doubts: list[str] = []
    """Cautions that are no fault and have to stand beside the figure (MEAS-47)."""


class CurveGap(_Part):
    """The reason why a value has no figure, or one of fewer invocations than were planned."""

    value: Value
    outcome: Outcome
    message: str


class CurveLine(_Part):
    """One implementation over an axis."""

    implementation: str
    """The implementation without its variant, if that is an axis."""
    certified: bool
    points: list[CurvePoint]
    gaps: list[CurveGap]


class Curve(_Part):
    """An entry of a suite that has an axis."""

    entry: str
    """``thesis/T5``"""
    benchmark: str
    scale: str
    """Empty where a parameter is the axis."""
    axis: str
    unit: str
    """The unit of the axis; empty for a number."""
    fixed: dict[str, Value]
    """The value of the second axis, if there are two: each of its values has a curve."""
    values: list[Value]
    """All that were planned, in order."""
    lines: list[CurveLine]


class UnitFinding(_Part):
    """A unit of the timing plan that did not pass, as it was recorded."""

    implementation: str
    benchmark: str
    scenario: str
    scale: str
    parameters: dict[str, Any]
    network: dict[str, Any]
    cores: list[int] = []
    invocation: int | None
    """None: it was not invoked at all."""
    certified: bool | None
    """As in its record."""
    mark: str = ""
    """As in its record."""
    outcome: Outcome
    message: str


class ComparedSide(_Part):
    """One of two that are compared."""

    label: str
    build: str
    revision: str
    """As it was asked for, with its commit; empty for what lay in a folder."""
    modified: bool
    """True if its sources differed from what was committed."""


class ComparedRow(_Part):
    """The comparison of B with A on one benchmark (docs/comparing.md)."""

    benchmark: str
    scenario: str
    scale: str
    parameters: dict[str, Any]
    network: dict[str, Any]
    cores: list[int] = []
    """The cores to which both were confined, by their numbers; empty if to none."""
    verdict: Verdict
    said: str
    """The verdict in words, with the margin if it has one."""
    why: str
    """The reason why there is none; empty if there is one."""
    ratio: float | None
    """The run time of B as a multiple of A's; None without a verdict."""
    low: float | None
    high: float | None
    level: float | None
    """The level of the interval from ``low`` to ``high``: that of the test which decided."""
    pairs: int
    """Number of pairs that decided: of those without pairs, the fewer invocations."""
    confirmed: bool
    """True if fresh pairs showed the difference that others had made suspected."""
    first: list[float]
    """B over A, of each pair that was there for every row."""
    fresh: list[float]
    """The same of those that a flagged row got."""
    in_turns: bool
    """True if the two halves of each pair took turns, iteration by iteration."""
    certified: bool
    """True if all of it ran under certificates, and every audit passed."""
    too_short: int
    """Iterations of both that are too short to be precise (MEAS-23)."""
    doubts: list[str] = []
    """Other cautions that are no fault of either and have to stand beside the verdict
    (MEAS-47)."""


class Compared(_Part):
    """Two builds, held against each other, benchmark by benchmark."""

    a: ComparedSide
    b: ComparedSide
    paired: bool
    """True if invocations ran in pairs; else two sessions are compared, which differ in more than
    their builds."""
    method: str
    """The rule by which a row came to its verdict, in words."""
    margin: float
    """The bound within which *equal* is: 0.05 for 5 %."""
    rows: list[ComparedRow]
    notes: list[str]
    """Notes that a reader has to know before the verdicts."""


class Summary(_Part):
    """Everything a report shows, from one results folder."""

    version: Literal[2] = VERSION
    results: str
    """The name of the results folder."""
    method: str
    """The rule by which intervals were estimated, in words: quantity, level, resamples."""
    state: State
    """Complete only if there are records and none were interrupted."""
    conformance: RecordsFile
    timings: RecordsFile
    implementations: list[ImplementationVerdict]
    findings: list[Finding]
    """Every case that did not pass, worst first within its implementation."""
    comparison: Compared | None = None
    """None where nothing was compared."""
    groups: list[TimingGroup]
    curves: list[Curve] = []
    """The curves of which those groups are points."""
    units: list[UnitFinding]
    """Every unit of the timing plan that did not pass."""
    reviews: list[Reviewed] = []
    """The reviews of these builds, on what no run can show; part of no verdict."""
    environment: dict[str, Any] | None
    warnings: list[str]

    def to_json(self) -> str:
        """As ``summary.json`` holds it."""
        return json.dumps(self.model_dump(mode="json"), indent=2) + "\n"


def schema_text() -> str:
    """The JSON Schema of ``summary.json``, as the file beside this one holds it."""
    return schema.text(Summary)


if __name__ == "__main__":
    SCHEMA_FILE.write_text(schema_text(), encoding="utf-8")
