"""The negative cast: wrong implementations, and what each must be caught by.

A suite that never saw a wrong implementation proves nothing by passing the right ones.
Each member of the cast is the reference with one thing changed
(``conformance/mutants/``); ``cast.yaml`` beside them says at which level it must be
caught, with which outcome, and in which words.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from dramaturg import files, paths
from dramaturg.control.errors import ManifestError
from dramaturg.outcomes import Outcome

FOLDER = paths.CONFORMANCE / "mutants"
FOLDERS = (FOLDER, FOLDER / "pipes")

PATIENCE = 300.0
"""Seconds for one of them."""


class Member(BaseModel):
    """One of the cast. ``plays`` is a pytest expression: where it is wrong."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    plays: str
    level: int
    outcome: Outcome
    says: str


@dataclass(frozen=True, slots=True)
class Caught:
    """How a member fared: the first case that it did not pass, if there was one."""

    member: Member
    level: int | None
    outcome: Outcome
    case: str
    message: str
    seconds: float
    """From the start of its process to the verdict."""

    @property
    def killed(self) -> bool:
        return self.outcome in (Outcome.FAIL, Outcome.CRASH, Outcome.TIMEOUT)

    @property
    def departs(self) -> str:
        """How that differs from what the cast says; empty if it does not."""
        if not self.killed:
            return f"{self.outcome}: {self.message or 'it passed'}"
        if (self.level, self.outcome) != (self.member.level, self.member.outcome):
            expected = f"{self.member.outcome} at level {self.member.level}"
            return f"{self.outcome} at level {self.level}, expected {expected}: {self.message}"
        if self.member.says not in self.message:
            return f"said {self.message!r}, expected {self.member.says!r}"
        return ""

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.member.name,
            "killed": self.killed,
            "level": self.level,
            "outcome": str(self.outcome),
            "case": self.case,
            "message": self.message,
            "seconds": round(self.seconds, 2),
            "departs": self.departs,
        }


def cast(folder: Path = FOLDER) -> list[Member]:
    """The members in this folder. Raises ManifestError for a file that cannot be used."""
    file = folder / "cast.yaml"
    try:
        return TypeAdapter(list[Member]).validate_python(files.read_yaml(file))
    except (files.Unreadable, ValidationError) as error:
        raise ManifestError(f"{file}: {error}") from None


def designation(folder: Path, member: Member) -> str:
    """What ``dramaturg certify`` takes for it."""
    return f"{folder}+{member.name}"


def perform(
    chosen: Sequence[tuple[Path, Member]],
    output: Path,
    jobs: int,
    watch: Callable[[Caught], None] = lambda caught: None,
) -> list[Caught]:
    """Hold all of them to the specification, ``jobs`` at a time, each in a process of its own."""

    def one(item: tuple[Path, Member]) -> Caught:
        caught = _certify(*item, output)
        watch(caught)
        return caught

    with ThreadPoolExecutor(jobs) as threads:
        return list(threads.map(one, chosen))


def _certify(folder: Path, member: Member, output: Path) -> Caught:
    command = [sys.executable, "-m", "dramaturg.cli.main", "certify", designation(folder, member)]
    command += ["--level", "0", "--level", "1", "--level", "3", "--json"]
    command += ["--output", str(output / member.name), "--", "-x", "-k", member.plays]
    start = time.monotonic()
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        standing = next(iter(json.loads(done.stdout)["implementations"].values()))
    except subprocess.TimeoutExpired:
        return _unjudged(member, f"no verdict after {PATIENCE:.0f} s", start)
    except (ValueError, KeyError, StopIteration):
        return _unjudged(member, f"no verdict: {done.stderr[-500:]}", start)
    seconds = time.monotonic() - start
    if not standing["failures"]:
        return Caught(member, None, Outcome.PASS, "", "", seconds)
    first = standing["failures"][0]
    return Caught(
        member, first["level"], Outcome(first["outcome"]), first["case"], first["message"], seconds
    )


def _unjudged(member: Member, why: str, start: float) -> Caught:
    return Caught(member, None, Outcome.HARNESS_FAULT, "", why, time.monotonic() - start)
