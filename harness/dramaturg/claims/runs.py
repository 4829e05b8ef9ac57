"""A recorded run: what verdicts rest on, condensed from a results folder to a small file.

One number for each invocation and quantity, its median; invocations are independent of each
other, iterations are not (MEAS-9). Only complete results enter, timed under certificates.
"""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from dramaturg import files, paths, results
from dramaturg.claims import tried
from dramaturg.claims.catalogue import ClaimsError
from dramaturg.claims.units import Place
from dramaturg.outcomes import Outcome
from dramaturg.records import SampleRecord, TimedRecord
from dramaturg.report import write
from dramaturg.report.summary import (
    State,
    Summary,
    TimedImplementation,
    TimingGroup,
    UnitFinding,
)
from dramaturg.timing import pairing

FOLDER = paths.ROOT / "claims" / "runs"

VERSION: Literal[1] = 1

MOST = 1_000_000
"""Invocations of a row that a record can claim."""


LONGEST_REMARK = 200
"""Characters."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Machine(_Part):
    """Where it ran: no verdict rests on two of them."""

    processor: str
    cores: int = Field(ge=1)
    memory_gib: int
    virtualised: str
    kernel: str
    netem: bool

    @property
    def emulated(self) -> bool:
        """User-Mode Linux, in which a machine without netem measures delay and loss."""
        return self.processor == "UML"

    def __str__(self) -> str:
        if self.emulated:
            return f"User-Mode Linux {self.kernel}, 1 core, {self.memory_gib} GiB"
        return (
            f"{self.processor}, {self.cores} cores, {self.memory_gib} GiB"
            f" ({self.virtualised}), kernel {self.kernel}"
        )


class Ran(_Part):
    """What an implementation said of itself."""

    runtime: str
    version: str
    build: str
    schedulers: int | None = None


class Invocation(_Part):
    """Medians over the iterations of one invocation that count."""

    number: int = Field(ge=0, le=MOST)
    run_nanos: float = Field(gt=0)
    rate: float | None = Field(default=None, gt=0)
    """Messages a second; None if the benchmark counts none."""
    iterations: int = Field(ge=1)


class Row(_Part):
    """One implementation on one setup."""

    implementation: str
    called: dict[str, Any]
    network: dict[str, Any]
    cores: int = Field(ge=1)
    """That its processes could use."""
    certified: bool
    """Each invocation ran under a certificate, and passed with its audits (MEAS-17)."""
    why_not: str = ""
    planned: int = Field(ge=0, le=MOST)
    """Invocations that were planned, without the one that is only audited."""
    crashed: int = Field(default=0, ge=0, le=MOST)
    not_run: int = Field(default=0, ge=0, le=MOST + 1)
    """Invocations that never came to be, the audited one among them: none of them could crash."""
    too_short: int = Field(default=0, ge=0)
    """Iterations too short to vouch for (MEAS-23)."""
    invocations: list[Invocation]

    def is_of(self, implementation: str, place: Place, machine: Machine) -> bool:
        """Whether this is that implementation on that setup, and on no other."""
        network = {
            key: value
            for key, value in self.network.items()
            if key in ("bandwidth", "delay", "loss") and value is not None
        }
        return (
            self.implementation == implementation
            and self.called == place.called
            and self.network.get("nodes", 1) == place.nodes
            and network == place.link
            and self.cores == (place.cores or machine.cores)
        )


class Run(_Part):
    """One results folder."""

    version: Literal[1] = VERSION
    name: str
    started: str
    digest: str
    """SHA-256 of its timings.jsonl."""
    machine: Machine
    harness: str
    """The version of the package that measured."""
    rooms: str | None = None
    """The digest of its rooms that measure (MEAS-14). None in runs that did not record it."""
    revision: str | None
    """Of the repository that it measured in, and whether anything in it was otherwise."""
    dirty: bool | None
    suites: list[str]
    remark: str = Field(default="", max_length=LONGEST_REMARK)
    """What whoever recorded it says of how it was measured; it stands at each verdict."""
    written: list[str] | None
    """Digests of the predicates that ``claims.yaml`` had at that revision. None: not known."""
    claims: str = ""
    """SHA-256 of that ``claims.yaml``; empty if there was none, or none is known."""
    implementations: dict[str, Ran]
    rows: list[Row]

    @field_validator("started")
    @classmethod
    def _is_a_time(cls, said: str) -> str:
        datetime.fromisoformat(said)
        return said

    def figures(self) -> Iterator[object]:
        """What no other run has: one that has a figure in common, to the nanosecond, is a copy."""
        yield self.digest
        for row in self.rows:
            what = row.implementation, json.dumps([row.called, row.network], sort_keys=True)
            yield from ((what, each.number, each.run_nanos, each.rate) for each in row.invocations)

    def text(self) -> str:
        """As its file has it."""
        said = {"version": VERSION} | self.model_dump(mode="json", exclude_defaults=True)
        return json.dumps(said, indent=1) + "\n"


ClaimsAt = Callable[[str], tuple[str, list[str]] | None]
"""The digest of ``claims.yaml`` at a revision, and those of its predicates. None: not known."""


def condensed(folder: Path, claims_at: ClaimsAt) -> Run:
    """What verdicts need of a results folder. Raises ClaimsError if it can decide nothing, and
    ResultsError if it cannot be read."""
    summary = write.summarise(folder)
    if summary.timings.state is not State.COMPLETE:
        raise ClaimsError(
            f"{folder}: its timings are {summary.timings.state}; verdicts take a complete run:"
            f" `dramaturg bench --resume {folder}` goes on with an interrupted one"
        )
    header = summary.timings.header
    if header.get("uncertified"):
        raise ClaimsError(
            f"{folder}: timed with --uncertified; verdicts take only what is certified:"
            " certify, and time it again without"
        )
    if summary.environment is None:
        raise ClaimsError(
            f"{folder}: has no {results.ENVIRONMENT} that can be read, so its machine and versions"
            " are not known"
        )
    if pairing.HEADER in header:
        raise ClaimsError(
            f"{folder}: is a comparison, which runs more of what looks bad; verdicts take what"
            " `dramaturg bench` measured"
        )
    file = folder / results.TIMINGS
    timed = results.read(file)
    passed = Counter(
        _key_of(unit.implementation, unit) for unit in timed.units if unit.outcome is Outcome.PASS
    )
    try:
        here = summary.environment
        machine = _machine(here)
        # Of a run that was resumed, what its first session was of.
        source = (header["source"] if "source" in header else here.get("source")) or {}
        revision = source.get("revision")
        known = claims_at(revision) if revision else None
        return Run(
            name=summary.results,
            started=datetime.fromtimestamp(header["started"], UTC).isoformat(timespec="seconds"),
            digest=hashlib.sha256(file.read_bytes()).hexdigest(),
            machine=machine,
            harness=str(here["packages"]["dramaturg"]),
            rooms=(header.get("harness") or {}).get("digest"),
            revision=revision,
            dirty=source.get("dirty"),
            suites=list(header["plan"]["suites"]),
            written=sorted(known[1]) if known else None,
            claims=known[0] if known else "",
            implementations={name: _ran(said) for name, said in here["implementations"].items()},
            rows=_rows(summary, timed.samples, _planned(header), passed, _cores(here)),
        )
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, OSError) as error:
        raise ClaimsError(
            f"{folder}: {results.ENVIRONMENT} or the header of {results.TIMINGS} does not say what"
            f" a verdict needs: {files.brief(repr(error))}"
        ) from None


def _machine(here: dict[str, Any]) -> Machine:
    netem = next((each for each in here["network"] if each["name"] == "netem"), None)
    return Machine(
        processor=here["cpu"]["model"],
        cores=here["cpu"]["cores"],
        memory_gib=round(here["memory"]["total"] / 2**30),
        virtualised=here["virtualised"],
        kernel=here["kernel"]["release"],
        netem=bool(netem and netem["available"]),
    )


def _cores(here: dict[str, Any]) -> int:
    pinned = here["cpu"]["pinned_to"]
    return len(pinned) if pinned else int(here["cpu"]["cores"])


def _ran(said: dict[str, Any]) -> Ran:
    return Ran(
        runtime=said["runtime"],
        version=said["runtime_version"],
        build=said["build"],
        schedulers=said.get("schedulers"),
    )


def _planned(header: dict[str, Any]) -> dict[str, int]:
    """Invocations by what is timed, as :func:`_key` has it."""
    return {
        _key(
            unit["implementation"],
            unit["scenario"] | {"scenario": unit["scenario"]["name"]},
            unit["network"],
            unit.get("cores", []),
        ): unit["invocations"]
        for unit in header["plan"]["units"]
    }


def _key(
    implementation: str, called: dict[str, Any], network: dict[str, Any], cores: Sequence[int]
) -> str:
    """What was asked for: which network was built for it is found out later."""
    link = [network.get(name) for name in ("bandwidth", "delay", "loss")]
    said = [called[name] for name in ("benchmark", "scenario", "scale", "parameters")]
    return json.dumps(
        [implementation, said, network.get("nodes", 1), link, list(cores)], sort_keys=True
    )


def _key_of(implementation: str, of: TimedRecord | TimingGroup | UnitFinding) -> str:
    return _key(implementation, _called(of), of.network, _confined(of))


def _called(of: TimedRecord | TimingGroup | UnitFinding) -> dict[str, Any]:
    return of.model_dump(include={"benchmark", "scenario", "scale", "parameters"})


def _confined(of: TimedRecord | TimingGroup | UnitFinding) -> list[int]:
    """The numbers of the cores to which it was confined; none, if it had all of them."""
    return list(getattr(of, "cores", ()))


def _rows(
    summary: Summary,
    samples: Sequence[SampleRecord],
    planned: dict[str, int],
    passed: Mapping[str, int],
    cores: int,
) -> list[Row]:
    by_row: dict[str, list[SampleRecord]] = defaultdict(list)
    for sample in samples:
        by_row[_key_of(sample.implementation, sample)].append(sample)
    failed: dict[str, list[UnitFinding]] = defaultdict(list)
    for unit in summary.units:
        failed[_key_of(unit.implementation, unit)].append(unit)
    found = []
    for group in summary.groups:
        for row in group.implementations:
            key = _key_of(row.implementation, group)
            units = failed.pop(key, [])
            found.append(
                Row(
                    implementation=row.implementation,
                    called=_called(group),
                    network=group.network,
                    cores=len(_confined(group)) or cores,
                    certified=row.certified and not row.invalid and not units,
                    why_not=files.brief(_why_not(row, units)),
                    planned=planned.get(key, 0),
                    crashed=tried.crashed(units),
                    not_run=tried.not_run(units, planned.get(key, 0), passed.get(key, 0)),
                    too_short=row.too_short,
                    invocations=_invocations(row, by_row[key]),
                )
            )
    without = [
        _without_samples(units, planned[key], passed.get(key, 0), cores)
        for key, units in failed.items()
    ]
    return found + without


def _why_not(row: TimedImplementation, failed: Sequence[UnitFinding]) -> str:
    if failed:
        return failed[0].message or str(failed[0].outcome)
    if row.invalid:
        return row.invalid[0].problems[0]
    return "" if row.certified else "not certified"


def _without_samples(units: Sequence[UnitFinding], planned: int, passed: int, cores: int) -> Row:
    """A row of which nothing could be timed: that somebody crashed is a result as well."""
    one = units[0]
    return Row(
        implementation=one.implementation,
        called=_called(one),
        network=one.network,
        cores=len(_confined(one)) or cores,
        certified=False,
        why_not=files.brief(one.message or str(one.outcome)),
        planned=planned,
        crashed=tried.crashed(units),
        not_run=tried.not_run(units, planned, passed),
        invocations=[],
    )


def _invocations(row: TimedImplementation, samples: Sequence[SampleRecord]) -> list[Invocation]:
    """Of the iterations that the report counts."""
    counted = {(sample.invocation, sample.iteration) for sample in row.samples}
    found: dict[int, list[SampleRecord]] = defaultdict(list)
    for sample in samples:
        if sample.build == row.build and (sample.invocation, sample.iteration) in counted:
            found[sample.invocation].append(sample)
    return [_invocation(number, of) for number, of in sorted(found.items())]


def _invocation(number: int, samples: list[SampleRecord]) -> Invocation:
    rates = [each.messages / (each.run_nanos / 1e9) for each in samples]
    return Invocation(
        number=number,
        run_nanos=median(each.run_nanos for each in samples),
        rate=median(rates) if all(rates) else None,
        iterations=len(samples),
    )


def recorded(folder: Path) -> list[Run]:
    """All runs of the repository, the first measured first. Raises ClaimsError."""
    return together([read(file) for file in sorted(folder.glob("*.json"))])


def read(file: Path) -> Run:
    """One of them. Raises ClaimsError."""
    try:
        run = Run.model_validate_json(file.read_bytes())
    except (OSError, ValidationError) as error:
        said = error.errors()[0] if isinstance(error, ValidationError) else error
        raise ClaimsError(f"{file}: is no recorded run: {files.brief(said)}") from None
    if run.written is None:
        raise ClaimsError(
            f"{file}: does not say which claims were written before it; record it with"
            " `dramaturg claims RESULTS --record` in a clone that has its revision"
        )
    return run


def together(runs: Sequence[Run]) -> list[Run]:
    """Those that one page may rest on, the first measured first: of any machines, since each
    predicate is decided on one. Raises ClaimsError that names two that are the same, or of two
    versions of the harness (MEAS-14)."""
    ordered = sorted(runs, key=lambda run: (run.started, run.name))
    seen: dict[object, Run] = {}
    for run in ordered:
        first = ordered[0]
        if run.harness != first.harness:
            raise ClaimsError(
                f"{first.name} and {run.name} are of two versions of the harness:"
                f" {first.harness}; {run.harness}. Judge each by itself"
            )
        for figure in run.figures():
            other = seen.setdefault(figure, run)
            if other is not run:
                raise ClaimsError(
                    f"{other.name} and {run.name} are the same results; name one of them"
                )
    return ordered


def keep(run: Run, folder: Path) -> Path:
    """Write it among the recorded ones. Raises ClaimsError if another one has its name."""
    file = folder / f"{run.name}.json"
    if run.written is None:
        raise ClaimsError(
            f"{run.name}: cannot be recorded, since the claims of revision {run.revision} cannot be"
            " read here; record it in the clone that it was measured in"
        )
    if file.exists() and read(file).digest != run.digest:
        raise ClaimsError(f"{file}: another run has this name already; rename the results folder")
    folder.mkdir(parents=True, exist_ok=True)
    files.write_text(file, run.text())
    return file
