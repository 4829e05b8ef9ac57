"""The results of one invocation of the harness, as it writes and reads them.

    results/ID/
      environment.json     the machine and what ran on it
      conformance.jsonl    header, one line for each case, footer
      timings.jsonl        header, one line for each sample and each unit, footer
      stderr/NAME.log      what implementations wrote to standard error
      certificate.json     of the implementations that were certified; absent if none was
      junit.xml  summary.json  report.html

Lines are handed to the kernel as they come, so nothing measured is ever lost; a file
without its footer is an interrupted run, and says so to whoever reads it. Nothing is
overwritten: records of an earlier run in the same folder are set aside.
"""

import contextlib
import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from dramaturg import files, paths
from dramaturg.outcomes import Outcome

SCHEMA = 3
"""Of the records. Those of 1 and 2 have no audits, and those of 1 are of version 1 of the
protocol."""

CONFORMANCE, TIMINGS = "conformance.jsonl", "timings.jsonl"
CERTIFICATE = "certificate.json"


class ResultsError(Exception):
    """Results that cannot be read; says which file and line."""


class RecordsLost(Exception):
    """Records can no longer be written, so nothing more is worth measuring. Those before are
    there, whole, as an interrupted run."""


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Header(BaseModel):
    """What every reader relies on in the first line; each kind of run says more there."""

    model_config = ConfigDict(extra="allow", strict=True)

    builds: dict[str, str] = {}
    planned: dict[str, int] = {}
    levels: list[int] = []
    manifest_problems: dict[str, list[str]] = {}


class CaseRecord(_Record):
    """One case on one implementation."""

    record: Literal["case"] = "case"
    implementation: str
    level: int
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
    events: int = 0
    seconds: float = 0.0
    requirements: list[str] = []


class LedgerRecord(_Record):
    """What the harness itself saw of an iteration. Durations in nanoseconds."""

    prepare_nanos: int
    """How long the call took, on node 0."""
    run_nanos: int
    teardown_nanos: list[int]
    """On each node."""
    round_trip_nanos: int
    """Of an empty call, their mean in the invocation so far."""
    tolerance_nanos: int
    """What may lie beside a claim that was made in one call, had no thread to wait (MEAS-4)."""
    waited_nanos: list[int]
    """For how long threads were ready and had no core, all added up: in Prepare, Run, Teardown."""
    too_short: bool
    """Whether the run was too short to vouch for, or the machine too busy. It is not wrong for
    that."""
    cpu_seconds: list[float]
    """Of each node, since its process was started; also what lies between iterations."""
    peak_memory: list[int]
    """Bytes, of each node, the highest so far."""
    held_memory: list[int]
    """Bytes, of each node after Teardown."""
    source: str
    """Where those three are from, in words."""
    probe_nanos: float | None
    """CPU time of a call of fib as a probe, on this runtime in this session; None if nothing is
    computed."""
    probe_share: float | None
    """Of what the computes so far take as a probe, the CPU time that was consumed so far; None
    where that is too little to be told (MEAS-24)."""


class SampleRecord(_Record):
    """One iteration of a timed run. Durations in nanoseconds."""

    record: Literal["sample"] = "sample"
    implementation: str
    build: str
    """The build's digest."""
    benchmark: str
    scenario: str
    scale: str
    parameters: dict[str, Any]
    network: dict[str, Any]
    """``{"kind": "local"}``, or kind ``mininet`` or ``loopback`` with ``nodes`` and link."""
    invocation: int
    iteration: int
    warmup: bool = False
    valid: bool
    problems: list[str] = []
    """Why it is not valid: what of the receipt is wrong. Kept, never summarised."""
    certified: bool
    receipt: dict[str, Any]
    salt: int
    """With which it was Run: what its digests begin with."""
    setup_nanos: int
    runtime_nanos: int
    """Of structures that outlive the iteration and were built in its Prepare."""
    run_nanos: int
    teardown_nanos: int
    turn_nanos: list[int] = []
    messages: int = 0
    """Messages of the benchmark proper: the unit that rates are given in."""
    cpu_seconds: float = 0.0
    peak_memory: int = 0
    """Bytes."""
    grown_memory: int | None = None
    """By how many bytes the peak grew from the answer to Prepare to the end of the first
    iteration; None of every other one, since a process seldom gives memory back."""
    ledger: LedgerRecord | None = None
    """None in records of before there was one."""

    @property
    def iteration_nanos(self) -> int:
        """Set-up, run and tear-down (MEAS-4)."""
        return self.setup_nanos + self.run_nanos + self.teardown_nanos


class AuditRecord(_Record):
    """What the logs of one iteration of a timed run showed. Follows the invocation's samples."""

    record: Literal["audit"] = "audit"
    implementation: str
    build: str
    benchmark: str
    scenario: str
    scale: str
    parameters: dict[str, Any]
    network: dict[str, Any]
    """As in its samples."""
    invocation: int
    iteration: int
    """One that has a sample, or one that was run for its audit alone."""
    depth: str
    """``crossing``: a few actors of a timed iteration; ``parts``: whole parts of the world."""
    salt: int
    watches: list[dict[str, int]] = []
    outcome: Outcome
    message: str = ""
    """Why, in words; empty for a pass."""
    messages: int = 0
    """That the iteration had by its receipt."""
    run_nanos: int = 0
    """Its run time, as a sample has it."""
    events: int = 0
    """That were logged."""
    decided: int = 0
    """Events of which sender, content and place are decided by replay."""
    bounded: int = 0
    """Events that are only held against what facts say of them."""
    pairs: int = 0
    """Pairs of sender and receiver between which everything is decided."""
    open: list[str] = []
    """What is not decided of what was watched, and why."""
    divergence: dict[str, Any] | None = None
    """As ``Explanation.to_dict`` gives it, if a replay failed."""
    command: str = ""
    """What to type to replay it."""
    seconds: float = 0.0
    """That the audit itself took, when nothing was timed."""


class UnitRecord(_Record):
    """How one unit of a timing plan ended: an invocation, or a benchmark on an
    implementation that could not be invoked at all. Follows the samples it speaks of."""

    record: Literal["unit"] = "unit"
    implementation: str
    benchmark: str
    scenario: str
    scale: str
    parameters: dict[str, Any]
    network: dict[str, Any]
    """As in its samples."""
    invocation: int | None
    """None: it was not invoked, and `message` says why."""
    outcome: Outcome
    message: str = ""
    """Why, in words; empty for a pass."""
    certified: bool | None = None
    """Whether it ran under a certificate and passed, its audits included (MEAS-17); None if it
    was not invoked."""
    samples: int = 0
    """How many of the sample records before this one are its own."""
    audits: int = 0
    """How many of the audit records before this one are its own."""
    warmup: int = 0
    """The first iteration that is summarised: those before are warm-up (MEAS-11)."""
    warmup_rule: str = ""
    """How that was found, in words."""
    seconds: float = 0.0


class Writer:
    """Appends records to one file. Use as a context manager: leaving well writes the footer.

    What cannot be written raises RecordsLost; the file still ends with a whole line.
    """

    def __init__(self, file: Path, **header: Any) -> None:
        self._file = file
        self._count = self._size = 0
        self._abandoned = False
        with files.naming(file):
            file.parent.mkdir(parents=True, exist_ok=True)
            set_aside(file.parent, [file.name], "earlier")
            self._stream = file.open("wb", buffering=0)
        try:
            self._put({"record": "header", "schema": SCHEMA, "started": time.time(), **header})
        except RecordsLost:
            self._stream.close()
            file.unlink(missing_ok=True)
            raise

    def write(self, record: _Record) -> None:
        """Append, and hand it to the kernel."""
        self._put(record.model_dump(mode="json"))
        self._count += 1

    def _put(self, line: dict[str, Any]) -> None:
        rest = data = (json.dumps(line, separators=(",", ":")) + "\n").encode()
        try:
            while rest:
                rest = rest[self._stream.write(rest) :]
            if os.fstat(self._stream.fileno()).st_nlink == 0:
                raise FileNotFoundError(0, "it was deleted while it was written")
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._stream.fileno(), self._size)
            raise RecordsLost(f"{self._file}: {error.strerror}") from None
        self._size += len(data)

    def move(self, file: Path) -> None:
        """Give the file another name, in the place of what has that name now."""
        self._file = self._file.replace(file)

    def abandon(self) -> None:
        """Write no footer: what was planned is not all here."""
        self._abandoned = True

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind is None and not self._abandoned:
            self._put({"record": "footer", "records": self._count, "ended": time.time()})
        self._stream.close()


class Recorded(BaseModel):
    """A file of records, read back."""

    header: dict[str, Any]
    cases: list[CaseRecord] = []
    samples: list[SampleRecord] = []
    """With what was found out about warm-up when their invocation had ended."""
    audits: list[AuditRecord] = []
    units: list[UnitRecord] = []
    complete: bool = False
    """Whether the footer is there and counts what is there."""


def read(file: Path) -> Recorded:
    """Read a file of records. Raises ResultsError with the line that cannot be read; a torn
    last line (the writer was killed) only makes the file incomplete."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ResultsError(f"{file}: {files.brief(error)}") from None
    recorded = Recorded(header={})
    for number, text in enumerate(lines, start=1):
        try:
            line = json.loads(text)
            match line["record"]:
                case "header":
                    _Header.model_validate(line)
                    _check_schema(file, line)
                    recorded.header = line
                case "case":
                    recorded.cases.append(CaseRecord.model_validate(line))
                case "sample":
                    recorded.samples.append(SampleRecord.model_validate(line))
                case "audit":
                    audit = AuditRecord.model_validate(line)
                    recorded.audits.append(audit)
                    _mark_audited(recorded.samples, audit)
                case "unit":
                    unit = UnitRecord.model_validate(line)
                    recorded.units.append(unit)
                    _mark_warmup(recorded.samples, unit)
                case "footer":
                    count = len(recorded.cases) + len(recorded.samples)
                    count += len(recorded.audits) + len(recorded.units)
                    recorded.complete = line["records"] == count
                case other:
                    said = files.brief(repr(other))
                    raise ResultsError(f"{file}:{number}: unknown record {said}")
        except (ValueError, KeyError, TypeError, RecursionError, ValidationError) as error:
            if number == len(lines) and number > 1:
                break
            raise ResultsError(f"{file}:{number}: {files.brief(error)}") from None
    _check_schema(file, recorded.header)
    return recorded


def _check_schema(file: Path, header: Mapping[str, Any]) -> None:
    schema = header.get("schema")
    if schema != SCHEMA:
        said = "no schema" if schema is None else f"schema {files.brief(repr(schema))}"
        raise ResultsError(
            f"{file}:1: results of {said}; this version of the harness reads schema {SCHEMA}:"
            " read them with the version that wrote them, or run it again"
        )


def _mark_audited(samples: list[SampleRecord], audit: AuditRecord) -> None:
    """What its logs showed when nothing was timed any more: a sample is believed no more than
    they are."""
    if audit.outcome is Outcome.PASS:
        return
    for sample in reversed(samples):
        if sample.invocation != audit.invocation or sample.implementation != audit.implementation:
            return
        if sample.iteration == audit.iteration:
            sample.valid = False
            if audit.message not in sample.problems:
                sample.problems.append(audit.message)


def _mark_warmup(samples: list[SampleRecord], unit: UnitRecord) -> None:
    """What could not be known when the samples were written."""
    for sample in samples[len(samples) - unit.samples :]:
        sample.warmup = sample.warmup or sample.iteration < unit.warmup


def set_aside(folder: Path, names: Iterable[str], why: str) -> None:
    """Keep these files of an earlier run under a name of their own: nothing is deleted."""
    there = [folder / name for name in names if (folder / name).is_file()]
    number = 1
    while any(_aside(file, why, number).exists() for file in there):
        number += 1
    for file in there:
        file.rename(_aside(file, why, number))


def _aside(file: Path, why: str, number: int) -> Path:
    return file.with_name(f"{file.stem}.{why}-{number}{file.suffix}")


@contextlib.contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """The folder, for this run alone. Raises ResultsError if another one writes there."""

    def busy() -> None:
        raise ResultsError(
            f"{folder}: another run is writing there; wait for it, or give another --output"
        )

    with files.naming(folder):
        folder.mkdir(parents=True, exist_ok=True)
    with files.locked(folder, busy):
        yield


def new_folder(root: Path = paths.RESULTS) -> Path:
    """A new folder for one invocation, and ``latest`` pointing to it."""
    root.mkdir(parents=True, exist_ok=True)
    stamp = time.strftime("%Y%m%d-%H%M%S")
    for name in _names(stamp):
        folder = root / name
        try:
            folder.mkdir()
        except FileExistsError:
            continue
        _point(root / "latest", name)
        return folder
    raise AssertionError("unreachable")


def _names(stamp: str) -> Iterator[str]:
    yield stamp
    number = 2
    while True:
        yield f"{stamp}-{number}"
        number += 1


def _point(link: Path, target: str) -> None:
    temporary = link.with_name(f".latest-{os.getpid()}")
    temporary.unlink(missing_ok=True)
    temporary.symlink_to(target)
    temporary.replace(link)
