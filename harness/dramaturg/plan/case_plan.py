"""The planned work: every case on every implementation, before anything is started."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from dramaturg.cases.cases import CONTROL, Case, load_all, load_file
from dramaturg.implementation.manifest import Implementation

ENDS = ("ending", "interim")
"""Drives after which a process is spent, in the order in which they are played if it is the only
one there is: then one of them is."""


@dataclass(frozen=True, slots=True)
class Item:
    """A case on an implementation."""

    implementation: Implementation
    case: Case

    @property
    def path(self) -> str:
        return f"{self.implementation.name}/{self.case.path}"


@dataclass(frozen=True, slots=True)
class Plan:
    """The planned work, made once and passed on: code that performs it, lists it, or takes a part
    of it to another process has the same plan."""

    implementations: tuple[Implementation, ...]
    levels: tuple[int, ...]
    items: tuple[Item, ...]
    """The cases in the order in which they are performed: implementation by implementation, and
    then those that rest."""
    file: Path | None = None
    """The case file that takes the place of the specification's own."""
    part: str = ""
    """The part of the cases of these levels that it has, in words; empty if it has all."""

    @property
    def whole(self) -> bool:
        """True if it has all cases of these levels."""
        return not self.part

    @property
    def endings_last(self) -> "Plan":
        """The cases that end a process, or leave it in the middle, behind all others."""
        place = {drive: number for number, drive in enumerate(ENDS, start=1)}
        items = sorted(self.items, key=lambda item: place.get(item.case.drive, 0))
        return replace(self, items=tuple(items))

    def only(self, paths: Collection[str], part: str = "only some of the cases") -> "Plan":
        """The items of these paths, and no others."""
        items = tuple(item for item in self.items if item.path in paths)
        return replace(self, items=items, part=part)


def make(
    implementations: Iterable[Implementation], levels: Iterable[int], file: Path | None = None
) -> Plan:
    """Every case of these levels on each implementation: of the benchmarks that its manifest
    names, at level 4 as distributed, and of the control port. A case that takes one of some
    benchmarks is left out if the manifest names none of them; a case on few cores, if the manifest
    says that it needs several; a case with a log limit, unless the manifest says that it has
    one. Raises CaseError.

    ``file`` is a case file that takes the place of the specification's own.
    """
    implementations, levels = tuple(implementations), tuple(levels)
    items = [
        Item(implementation, case)
        for implementation in implementations
        for case in (load_all() if file is None else load_file(file))
        if case.level in levels
        and case.benchmark in (CONTROL, *implementation.manifest.benchmarks)
        and (not case.needs or not case.needs.isdisjoint(implementation.manifest.benchmarks))
        and not (case.cores and case.benchmark in implementation.manifest.several_cores)
        and not (case.log_limit and not implementation.manifest.log_limit)
        and (case.nodes == 1 or case.benchmark in implementation.manifest.distributed)
    ]
    # Performed beside all others: last, it has been by then.
    items.sort(key=lambda item: item.case.rests)
    return Plan(implementations, levels, tuple(items), file)


def unsupported(implementation: Implementation) -> list[str]:
    """Benchmarks that have cases and that the manifest does not name."""
    known = {case.benchmark for case in load_all()} - {CONTROL}
    return sorted(known - set(implementation.manifest.benchmarks))


def several_cores(implementation: Implementation) -> dict[str, str]:
    """Benchmarks that have cases on one core, and why the manifest has them left out."""
    known = {case.benchmark for case in load_all() if case.cores}
    manifest = implementation.manifest
    return {
        name: reason
        for name, reason in sorted(manifest.several_cores.items())
        if name in known & set(manifest.benchmarks)
    }


def undistributed(implementation: Implementation) -> list[str]:
    """Benchmarks that have distributed cases and that the manifest names, but not as
    distributed."""
    known = {case.benchmark for case in load_all() if case.nodes > 1}
    manifest = implementation.manifest
    return sorted(known & set(manifest.benchmarks) - set(manifest.distributed))


def idle_patterns(implementation: Implementation) -> list[str]:
    """Known-failure patterns that match no case: an error in the manifest."""
    cases = [case.path for case in load_all()]
    return [
        pattern
        for pattern in implementation.manifest.known_failures
        if not any(fnmatchcase(path, pattern) for path in cases)
    ]
