"""A recorded run: verdicts rest on it, as ``condensed`` makes it of a results folder.

One number for each invocation and quantity, its median; invocations are independent of each
other, iterations are not (MEAS-9).
"""

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from dramaturg import files, paths
from dramaturg.claims.catalogue import ClaimsError
from dramaturg.claims.measured_systems import Place

FOLDER = paths.ROOT / "claims" / "runs"

VERSION: Literal[1] = 1

MOST = 1_000_000
"""Invocations of a row that a record can claim."""


LONGEST_REMARK = 200
"""Characters."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Machine(_Part):
    """The machine that it ran on: no verdict rests on two of them."""

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
    """An implementation, as it described itself."""

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
    """Number of cores that its processes could use."""
    certified: bool
    """Each invocation ran under a certificate, and passed with its audits (MEAS-17)."""
    why_not: str = ""
    planned: int = Field(ge=0, le=MOST)
    """Invocations that were planned, without the one that is only audited."""
    crashed: int = Field(default=0, ge=0, le=MOST)
    not_run: int = Field(default=0, ge=0, le=MOST + 1)
    """Invocations that never came to be, the audited one among them: none of them could crash."""
    too_short: int = Field(default=0, ge=0)
    """Iterations too short to be precise (MEAS-23)."""
    doubts: list[str] = []
    """Cautions that have to stand beside its figures (MEAS-47)."""
    invocations: list[Invocation]

    def is_of(self, implementation: str, place: Place, machine: Machine) -> bool:
        """True if this is that implementation on that setup, and on no other."""
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
    """The digest of its layers that measure (MEAS-14). None in runs that did not record it."""
    revision: str | None
    """The revision of the repository in which it measured, and whether any file in it differed."""
    dirty: bool | None
    suites: list[str]
    remark: str = Field(default="", max_length=LONGEST_REMARK)
    """A remark on how it was measured, by the person who recorded it; it stands at each
    verdict."""
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

    def began_before(self, moment: datetime) -> bool:
        """A time without a zone is taken for UTC."""
        began = datetime.fromisoformat(self.started)
        return (began if began.tzinfo else began.replace(tzinfo=UTC)) < moment

    def figures(self) -> Iterator[object]:
        """The figures that no other run has: a run with an equal figure, to the nanosecond, is a
        copy."""
        yield self.digest
        for row in self.rows:
            what = row.implementation, json.dumps([row.called, row.network], sort_keys=True)
            yield from ((what, each.number, each.run_nanos, each.rate) for each in row.invocations)

    def text(self) -> str:
        """As its file has it."""
        said = {"version": VERSION} | self.model_dump(mode="json", exclude_defaults=True)
        return json.dumps(said, indent=1) + "\n"


def recorded(folder: Path) -> list[Run]:
    """All runs of the repository, the first measured first. Raises ClaimsError."""
    return together([read(file) for file in sorted(folder.glob("*.json"))])


def read(file: Path) -> Run:
    """One of them. Raises ClaimsError."""
    try:
        run = Run.model_validate_json(file.read_bytes())
    except (OSError, ValidationError) as error:
        said = error.errors()[0] if isinstance(error, ValidationError) else error
        raise ClaimsError(f"{file} is no recorded run: {files.brief(said)}") from None
    if run.written is None:
        raise ClaimsError(
            f"{file} does not say which claims were written before it; record it with"
            " `dramaturg claims RESULTS --record` in a clone that has its revision"
        )
    return run


def together(runs: Sequence[Run]) -> list[Run]:
    """Return the runs that one page may rest on, the first measured first: of any machines, since
    each predicate is decided on one. Raises ClaimsError that names two that are the same, or of two
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
            f"{run.name} cannot be recorded, since the claims of revision {run.revision} cannot be"
            " read here; record it in the clone that it was measured in"
        )
    if file.exists() and read(file).digest != run.digest:
        raise ClaimsError(f"{file}: another run has this name already; rename the results folder")
    folder.mkdir(parents=True, exist_ok=True)
    files.write_text(file, run.text())
    return file
