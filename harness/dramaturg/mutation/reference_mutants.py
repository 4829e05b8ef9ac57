"""Mutants and equivalents: what must be caught, and what must not be.

A suite that never saw a wrong implementation proves nothing by passing the right ones.
Each mutant is the reference with one thing changed (``conformance/mutants/``);
``expected.yaml`` beside them says at which level it must be caught, with which outcome, in
which words, and what it breaks. And a suite that refuses what the specification allows is
as wrong: each equivalent is the reference with one thing done differently, and legally;
``allowed.yaml`` says by what.
"""

import json
import shlex
import subprocess
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import chain, groupby
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from dramaturg import files, paths
from dramaturg.conformance.performer import Performer
from dramaturg.conformance.pool import Pool
from dramaturg.errors import ControlError, ManifestError
from dramaturg.implementation.manifest import FILE_NAME, Implementation, load
from dramaturg.levels import REQUIRED
from dramaturg.mutation.workers import workers
from dramaturg.outcomes import Outcome
from dramaturg.plan import case_plan

FOLDER = paths.CONFORMANCE / "mutants"
FOLDERS = (FOLDER, FOLDER / "pipes", FOLDER / "piped")
EQUIVALENTS = FOLDER / "equivalents"
EQUIVALENT_FOLDERS = (EQUIVALENTS, EQUIVALENTS / "piped")

VARIANTS = "# Made by `dramaturg mutants`: one for each of the names beside it.\n[variants]\n"
"""The line of a manifest at which the variants begin."""

TIMED = 5
"""The level of those that only `dramaturg bench` can catch."""

PATIENCE = 300.0
"""Seconds for one that is timed: five times as many as the slowest takes beside two others."""

KILLING = (Outcome.FAIL, Outcome.CRASH, Outcome.TIMEOUT)


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    cases: list[str] = Field(min_length=1)
    """Benchmarks, or single cases, where the change can show: others would only take time."""
    bench: str = ""
    """The arguments of ``dramaturg bench`` that time it, for mutants that conform until they are
    timed."""


class Mutant(_Entry):
    """A wrong implementation."""

    level: int
    outcome: Outcome
    says: str
    """Words of the verdict."""
    tells: str = ""
    """Words of what is told below the verdict."""
    quotes: list[str] = []
    """Identifiers of the requirements that are quoted, all of them, the most precise first."""
    breaks: list[str] = Field(min_length=1)
    """Identifiers of the requirements that it does not keep."""


class Equivalent(_Entry):
    """Another right implementation."""

    allowed: list[str] = Field(min_length=1)
    """Identifiers of the requirements that leave it free to differ so."""


Item = tuple[Path, Mutant | Equivalent]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The first case that was not passed, if there was one."""

    level: int | None
    outcome: Outcome
    case: str
    message: str
    command: str
    """The command that shows it again; empty for a pass."""
    seconds: float
    """Seconds since the start of its process."""
    explanation: str = ""
    """The explanation that stands with the message."""
    quoted: list[str] = field(default_factory=list)
    """Identifiers of the requirements that are quoted."""


@dataclass(frozen=True, slots=True)
class Caught:
    """The verdict on a mutant."""

    member: Mutant
    verdict: Verdict

    @property
    def killed(self) -> bool:
        return self.verdict.outcome in KILLING

    @property
    def departs(self) -> str:
        """Return the difference from the expectation; empty if there is none."""
        member, verdict = self.member, self.verdict
        if not self.killed:
            return f"{verdict.outcome}: {verdict.message or 'it passed'}"
        if (verdict.level, verdict.outcome) != (member.level, member.outcome):
            expected = f"{member.outcome} at level {member.level}"
            actual = f"{verdict.outcome} at level {verdict.level}"
            return f"{actual}, expected {expected}: {verdict.message}"
        if member.says not in verdict.message:
            return f"said {verdict.message!r}, expected {member.says!r}"
        if member.tells not in " ".join(verdict.explanation.split()):
            return f"below {verdict.message!r} it does not tell {member.tells!r}"
        if member.quotes and member.quotes != verdict.quoted:
            return f"quoted {verdict.quoted}, expected {member.quotes}"
        return ""

    def to_dict(self) -> dict[str, Any]:
        return {
            **_told(self.member, self.verdict),
            "killed": self.killed,
            "breaks": self.member.breaks,
            "departs": self.departs,
        }


@dataclass(frozen=True, slots=True)
class Accepted:
    """The verdict on an equivalent."""

    member: Equivalent
    verdict: Verdict

    @property
    def departs(self) -> str:
        """Return the reason why it was refused; empty if it was not."""
        verdict = self.verdict
        if verdict.outcome is Outcome.PASS:
            return ""
        return f"{verdict.outcome} at level {verdict.level}, {verdict.case}: {verdict.message}"

    def to_dict(self) -> dict[str, Any]:
        return {
            **_told(self.member, self.verdict),
            "refused": bool(self.departs),
            "allowed": self.member.allowed,
            "departs": self.departs,
        }


def _told(member: _Entry, verdict: Verdict) -> dict[str, Any]:
    return {
        "name": member.name,
        "level": verdict.level,
        "outcome": str(verdict.outcome),
        "case": verdict.case,
        "message": verdict.message,
        "command": verdict.command,
        "seconds": round(verdict.seconds, 2),
    }


def expected(folder: Path = FOLDER) -> list[Mutant]:
    """The mutants in this folder. Raises ManifestError for a file that cannot be used."""
    return _entries(folder / "expected.yaml", TypeAdapter(list[Mutant]))


def allowed(folder: Path = EQUIVALENTS) -> list[Equivalent]:
    """The equivalents in this folder. Raises ManifestError for a file that cannot be used."""
    return _entries(folder / "allowed.yaml", TypeAdapter(list[Equivalent]))


def _entries(file: Path, kind: TypeAdapter[Any]) -> Any:
    try:
        return kind.validate_python(files.read_yaml(file))
    except (files.Unreadable, ValidationError) as error:
        raise ManifestError(f"{file}: {files.brief(str(error))}") from None


def everybody() -> tuple[list[Item], list[Item]]:
    """All mutants and all equivalents, with their folders. Raises ManifestError."""
    wrong: list[Item] = [(folder, mutant) for folder in FOLDERS for mutant in expected(folder)]
    right: list[Item] = [
        (folder, other) for folder in EQUIVALENT_FOLDERS for other in allowed(folder)
    ]
    return wrong, right


def variants(manifest: str, items: Iterable[Item]) -> str:
    """This manifest with a variant for each of these: nobody has to be named there by hand."""
    head, _, _ = manifest.partition(VARIANTS)
    lines = [f'{each.name}.arguments = ["--change", "{each.name}"]\n' for _, each in items]
    return head + VARIANTS + "".join(lines)


def name_variants() -> None:
    """Bring the manifests of all folders up to date."""
    for folder, items in groupby(chain(*everybody()), key=lambda item: item[0]):
        file = folder / FILE_NAME
        manifest = files.read_text(file)
        wanted = variants(manifest, items)
        if wanted != manifest:
            files.write_text(file, wanted)


def designation(folder: Path, member: _Entry) -> str:
    """The word by which ``dramaturg certify`` takes it."""
    return f"{folder}+{member.name}"


def perform(
    chosen: Sequence[Item],
    output: Path,
    jobs: int,
    watch: Callable[[Caught | Accepted], None] = lambda judged: None,
) -> list[Caught | Accepted]:
    """Hold all of them to the specification, ``jobs`` at a time.

    Each is a process of its own; those that judge them serve many.
    """
    with workers(jobs) as at_work:
        started = [at_work.submit(judge, *item, output) for item in chosen]

        def tell(done: Future[Caught | Accepted]) -> None:
            if not done.cancelled() and done.exception() is None:
                watch(done.result())

        for future in started:
            future.add_done_callback(tell)
        return [future.result() for future in started]


def judge(
    folder: Path, member: Mutant | Equivalent, output: Path, before: str = ""
) -> Caught | Accepted:
    """Hold one to the specification, up to the first case that it does not pass. The case with
    the path ``before`` comes before all others, if it is put to that at all."""
    start = time.monotonic()
    try:
        implementation = load(folder, member.name)
        items = put_to(implementation, member)
        items.sort(key=lambda item: item.case.path != before)
        verdict = put(implementation, items, member, output / member.name, start)
    except (ControlError, OSError) as error:
        verdict = Verdict(None, Outcome.HARNESS_FAULT, "", str(error), "", since(start))
    return Caught(member, verdict) if isinstance(member, Mutant) else Accepted(member, verdict)


def put_to(implementation: Implementation, member: _Entry) -> list[case_plan.Item]:
    """The cases of every required level that it is put to, in their order."""
    items, named = case_plan.make([implementation], REQUIRED).items, set(member.cases)
    return [
        item
        for item in items
        if item.case.name in named or (item.case.benchmark in named and not item.case.message.large)
    ]


def put(
    implementation: Implementation,
    items: list[case_plan.Item],
    member: Mutant | Equivalent,
    output: Path,
    start: float,
) -> Verdict:
    """The first of these cases that it does not pass; if it passes all, what timing it says."""
    if not items:
        said = f"{', '.join(member.cases)}: there is no such case"
        return Verdict(None, Outcome.NOT_RUN, "", said, "", since(start))
    verdict = _certify(implementation, items, output, start)
    if member.bench and verdict.outcome is Outcome.PASS:
        verdict = _bench(implementation, member.bench, output, start)
    return verdict


def _certify(
    implementation: Implementation, items: list[case_plan.Item], output: Path, start: float
) -> Verdict:
    pool = Pool(stderr=output / "stderr")
    # That a search finds something is asked here, and not how short it gets.
    performer = Performer(pool, output / "traces", shortening=0.0)
    unrun: Verdict | None = None
    try:
        for item in items:
            record, explanation = performer.perform(item)
            verdict = Verdict(
                record.level,
                record.outcome,
                record.case,
                record.message,
                record.command,
                since(start),
                explanation,
                [reason["id"] for reason in record.why],
            )
            if record.outcome in (*KILLING, Outcome.HARNESS_FAULT):
                return verdict
            if record.outcome is not Outcome.PASS:
                unrun = unrun or verdict
    finally:
        pool.close()
    return unrun or Verdict(None, Outcome.PASS, "", "", "", since(start))


def _bench(implementation: Implementation, bench: str, output: Path, start: float) -> Verdict:
    """Time it, uncertified: it has passed as much as it ever will."""
    words = [*shlex.split(bench), "--uncertified", "-i", implementation.designation]
    again = f"./dramaturg bench {shlex.join(words)}"
    program = paths.python("-m", "dramaturg.cli.main", "bench", *words)
    program += ["--json", "--output", str(output / "timed")]
    try:
        done = subprocess.run(
            program, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        units = json.loads(done.stdout)["units"]
    except subprocess.TimeoutExpired:
        said = f"no verdict after {PATIENCE:.0f} s"
        return Verdict(TIMED, Outcome.HARNESS_FAULT, "", said, again, since(start))
    except (ValueError, KeyError):
        said = f"no verdict: {done.stderr[-500:]}"
        return Verdict(TIMED, Outcome.HARNESS_FAULT, "", said, again, since(start))
    # Those that passed are not listed.
    for unit in units:
        outcome = Outcome(unit["outcome"])
        return Verdict(TIMED, outcome, unit["benchmark"], unit["message"], again, since(start))
    return Verdict(TIMED, Outcome.PASS, "", "", again, since(start))


def since(start: float) -> float:
    """Seconds."""
    return time.monotonic() - start
