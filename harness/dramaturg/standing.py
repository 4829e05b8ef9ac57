"""The standing of implementations, by the records of their cases (spec/levels.md)."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dramaturg.levels import LEVELS, REQUIRED
from dramaturg.outcomes import INTERRUPTED, Outcome, worst
from dramaturg.records import CaseRecord

CHANGED = "its sources, what was built of them or the cases changed while it was judged"
"""Some cases may have been performed by another build than the others."""

CONNECTED = "connected, not certified: which build ran is not known"
"""Somebody else started what was judged."""


@dataclass
class Standing:
    """The standing of one implementation."""

    implementation: str
    build: str
    planned: int
    records: list[CaseRecord] = field(default_factory=list)
    levels: list[int] = field(default_factory=list)
    manifest_problems: list[str] = field(default_factory=list)
    unsupported: list[str] = field(default_factory=list)
    """Benchmarks that it does not claim; nothing is said of them."""
    undistributed: list[str] = field(default_factory=list)
    """The benchmarks that it claims, but not over several nodes."""
    undistributed_reason: str = ""
    """The reason why not, in the manifest's words."""
    several_cores: dict[str, str] = field(default_factory=dict)
    """The benchmarks that were not judged on one core, and why, in the manifest's words."""
    remark: str = ""
    """The manifest's remark, which a reader has to know."""
    void: str = ""
    """The reason why this run can certify nothing, whatever its outcome."""

    @property
    def outcome(self) -> Outcome:
        """The worst of all planned cases but the known failures and those that are only
        recommended; one without record was not run."""
        outcomes = [
            record.outcome for record in self.records if not (record.known or record.excused)
        ]
        if len(self.records) < self.planned or not self.records:
            outcomes.append(Outcome.NOT_RUN)
        if self.manifest_problems:
            outcomes.append(Outcome.FAIL)
        if self.void == CHANGED:
            outcomes.append(Outcome.HARNESS_FAULT)
        return worst(outcomes)

    @property
    def certified(self) -> bool:
        """Every planned case passed, and the plan held every required level."""
        return not self.obstacles

    @property
    def obstacles(self) -> list[str]:
        """The obstacles to a certificate, in words."""
        missing = max(0, self.planned - len(self.records))
        found = [self.void] if self.void else []
        return [*found, *self.manifest_problems, *obstacles(self.records, self.levels, missing)]

    @property
    def excused(self) -> dict[str, Outcome]:
        """Recommended cases that did not pass, by their names."""
        return {record.case: record.outcome for record in self.records if record.excused}

    @property
    def hosts(self) -> list[str]:
        """The hosts of a cluster on which its cases were performed; none without one."""
        return sorted({record.host for record in self.records if record.host})

    def level(self, number: int) -> dict[str, Any]:
        """The level's verdict and how many cases ended how."""
        records = [record for record in self.records if record.level == number]
        counts = Counter(str(record.outcome) for record in records)
        return {
            "name": LEVELS[number],
            "outcome": str(worst(record.outcome for record in records if not record.excused)),
            "cases": len(records),
            "outcomes": dict(counts),
            "events": sum(record.events for record in records),
        }

    def to_dict(self) -> dict[str, Any]:
        return {
            "certified": self.certified,
            "outcome": str(self.outcome),
            "build": self.build,
            "planned": self.planned,
            "levels": {str(number): self.level(number) for number in LEVELS},
            "manifest_problems": self.manifest_problems,
            **({"hosts": self.hosts} if self.hosts else {}),
            "unsupported": self.unsupported,
            "undistributed": self.undistributed,
            "undistributed_reason": self.undistributed_reason if self.undistributed else "",
            "several_cores": self.several_cores,
            "remark": self.remark,
            "recommended": {case: str(outcome) for case, outcome in self.excused.items()},
            "failures": [
                record.model_dump(mode="json")
                for record in self.records
                if record.outcome is not Outcome.PASS
            ],
        }


@dataclass
class Certification:
    """The result of one invocation of certify."""

    folder: Path
    standings: dict[str, Standing]
    errors: list[str]
    interrupted: bool
    away: dict[str, str] = field(default_factory=dict)
    """Implementations that were judged on another machine, and why they get no certificate here."""

    @property
    def exit_code(self) -> int:
        if self.interrupted:
            return INTERRUPTED
        if self.errors:
            return Outcome.HARNESS_FAULT.exit_code
        return worst(standing.outcome for standing in self.standings.values()).exit_code


def obstacles(
    records: Collection[CaseRecord], planned_levels: Collection[int], missing: int
) -> list[str]:
    """The reasons that keep these records from certifying anything, the gravest first. ``missing``
    are planned cases without one."""
    records = [record for record in records if not record.excused]
    if not records:
        return ["no case was recorded"]
    known = sum(bool(record.known) for record in records)
    others = Counter(record.outcome for record in records if not record.known)
    found = [
        f"{others[outcome]:,} {outcome}"
        for outcome in Outcome
        if outcome is not Outcome.PASS and others[outcome]
    ]
    if known:
        found.append(_counted(known, "known failure"))
    if missing:
        found.append(f"{_counted(missing, 'planned case')} without a record")
    absent = [str(level) for level in REQUIRED if level not in planned_levels]
    if absent:
        found.append(f"level {', '.join(absent)} not run")
    return found


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
