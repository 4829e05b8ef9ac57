"""Mutants and equivalents of the real implementations (``conformance/mutants/native/``).

The reference's mutants show that the suite catches what is wrong; these show that it does so
where somebody would cheat, in the idiom of each language. Each is a patch with a docstring;
``expected.yaml`` in the folder of its language says what must come of it. Those that conform until
they are timed are timed.
"""

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from dramaturg import files, paths
from dramaturg.cases.cases import load_all
from dramaturg.conformance.result import outcome_of
from dramaturg.errors import ControlError, ManifestError
from dramaturg.implementation.manifest import Implementation
from dramaturg.levels import DISTRIBUTED, REQUIRED
from dramaturg.mutation import patches, reference_mutants
from dramaturg.mutation.reference_mutants import (
    TIMED,
    Accepted,
    Caught,
    Equivalent,
    Mutant,
    Verdict,
    since,
)
from dramaturg.mutation.workers import workers
from dramaturg.outcomes import Outcome
from dramaturg.plan import case_plan

FOLDER = reference_mutants.FOLDER / "native"

NOT_RUN = (Outcome.TOOLCHAIN_MISSING, Outcome.NOT_RUN, Outcome.UNSUPPORTED)


class Kind(StrEnum):
    """The assumption that a wrong version relies on."""

    WORLD = "world"
    """Right in a world in which everybody is watched from the first message on."""
    ACTOR = "actor"
    """Right as far as an actor is watched."""
    TIME = "time"
    """Does what it must, and says another time."""
    SIZE = "size"
    """Right below some size, or some value."""


class Wrong(Mutant):
    kind: Kind


class Cast(BaseModel):
    """All that is made of one implementation."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    variant: str | None = None
    """The manifest's, that is built for the next patch in little time."""
    implementations: list[str] = Field(default_factory=list)
    """The implementations that share the patched sources; left out, the one of the folder's
    name."""
    wrong: list[Wrong]
    right: list[Equivalent]


@dataclass(frozen=True, slots=True)
class Member:
    """One of a cast."""

    language: str
    variant: str | None
    entry: Wrong | Equivalent
    folder: str
    """The one that its patch is in: its own, or that of those who share its sources."""

    @property
    def name(self) -> str:
        """As the command line takes it: ``erlang/forwards_once``."""
        return f"{self.language}/{self.entry.name}"

    @property
    def called(self) -> set[str]:
        """All words that may mean it."""
        return {self.language, self.entry.name, self.name}

    @property
    def patch(self) -> Path:
        return FOLDER / self.folder / f"{self.entry.name}.patch"

    @property
    def source(self) -> Path:
        """The folder that the patch is for."""
        return paths.IMPLEMENTATIONS / self.language


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on a member."""

    member: Member
    judged: Caught | Accepted
    build_seconds: float = 0.0

    @property
    def was_run(self) -> bool:
        return self.judged.verdict.outcome not in NOT_RUN

    @property
    def departs(self) -> str:
        """Return the difference from the expectation. A member that was not run is not known to
        differ."""
        if not self.was_run or self.judged.departs:
            return self.judged.departs if self.was_run else ""
        case, foreseen = self.judged.verdict.case, self.member.entry.cases[0]
        passed = {each.name for each in load_all()} & {foreseen} - {case}
        if isinstance(self.judged, Caught) and self.judged.verdict.level != TIMED and passed:
            return f"passed {foreseen}, which was to catch it; {case} did"
        return ""

    @property
    def outcome(self) -> Outcome:
        """The outcome that it adds to the command's own."""
        if not self.was_run:
            return self.judged.verdict.outcome
        return Outcome.FAIL if self.departs else Outcome.PASS

    def to_dict(self) -> dict[str, Any]:
        entry = self.member.entry
        found = self.judged.to_dict() | {
            "name": self.member.name,
            "was_run": self.was_run,
            "build_seconds": round(self.build_seconds, 2),
            "departs": self.departs,
        }
        return found | ({"kind": str(entry.kind)} if isinstance(entry, Wrong) else {})


def cast(folder: Path) -> Cast:
    """The mutants of this folder. Raises ManifestError for a file that cannot be used."""
    file = folder / "expected.yaml"
    try:
        return Cast.model_validate(files.read_yaml(file))
    except (files.Unreadable, ValidationError) as error:
        raise ManifestError(f"{file}: {files.brief(str(error))}") from None


def everybody(root: Path = FOLDER) -> list[Member]:
    """All members, language by language, the wrong ones first. Raises ManifestError."""
    found = []
    for folder in sorted(file.parent for file in root.glob("*/expected.yaml")):
        here = cast(folder)
        entries: list[Wrong | Equivalent] = [*here.wrong, *here.right]
        found += [
            Member(name, here.variant, entry, folder.name)
            for name in here.implementations or [folder.name]
            for entry in entries
        ]
    return found


def perform(
    chosen: Sequence[Member],
    output: Path,
    jobs: int,
    watch: Callable[[Judged], None] = lambda judged: None,
) -> list[Judged]:
    """Hold all of them to the specification: so many languages at a time, of each language one
    member after the other, since they are built in one folder.
    """
    waiting = {member.language: iter(_of(chosen, member.language)) for member in chosen}
    running: dict[Future[Judged], str] = {}
    done: list[Judged] = []
    with workers(jobs) as at_work:
        while waiting or running:
            for language in [each for each in waiting if each not in running.values()]:
                if len(running) == jobs:
                    break
                if (member := next(waiting[language], None)) is None:
                    del waiting[language]
                else:
                    running[at_work.submit(judge, member, output)] = language
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                del running[future]
                done.append(future.result())
                watch(done[-1])
    return done


def _of(chosen: Iterable[Member], language: str) -> Iterator[Member]:
    return (member for member in chosen if member.language == language)


def judge(member: Member, output: Path) -> Judged:
    """Build one and hold it to the specification, up to the first case that it does not pass."""
    folder = output / member.language / member.entry.name
    judged, seconds = judge_in(member.source, member.variant, member.patch, member.entry, folder)
    return Judged(member, judged, seconds)


def judge_in(
    source: Path, variant: str | None, patch: Path, entry: Wrong | Equivalent, folder: Path
) -> tuple[Caught | Accepted, float]:
    """As ``judge``, of an implementation wherever it lies; with seconds that its build took."""
    start = ready = time.monotonic()
    try:
        with patches.built(source, variant, patch, _say) as implementation:
            ready = time.monotonic()
            items = put_to(implementation, entry)
            verdict = reference_mutants.put(implementation, items, entry, folder, ready)
    except (ControlError, OSError) as error:
        verdict = Verdict(None, outcome_of(error), "", str(error), "", since(ready))
    judged = Caught(entry, verdict) if isinstance(entry, Mutant) else Accepted(entry, verdict)
    return judged, ready - start


def _say(said: str) -> None:
    print(said, file=sys.stderr, flush=True)


def put_to(implementation: Implementation, entry: Mutant | Equivalent) -> list[case_plan.Item]:
    """The cases that it is put to, the foreseen one first; over several nodes by name alone."""
    items = case_plan.make([implementation], (*REQUIRED, DISTRIBUTED)).items
    chosen = {
        item.path: item
        for word in entry.cases
        for item in items
        if word == item.case.name
        or (
            word == item.case.benchmark
            and not item.case.message.large
            and item.case.level in REQUIRED
        )
    }
    return list(chosen.values())
