"""What is to be done: every case on every implementation, before anything is started."""

from collections.abc import Collection
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from dramaturg.cases.cases import Case, load_all, load_file
from dramaturg.implementation.manifest import Implementation


@dataclass(frozen=True, slots=True)
class Item:
    """A case on an implementation."""

    implementation: Implementation
    case: Case

    @property
    def path(self) -> str:
        return f"{self.implementation.name}/{self.case.path}"


def plan(
    implementations: list[Implementation],
    levels: list[int],
    file: Path | None = None,
    only: Collection[str] | None = None,
) -> list[Item]:
    """All that is to be performed, implementation by implementation: the cases of the
    benchmarks that its manifest names, at level 4 as distributed, and those of the control
    port.

    ``file`` is a case file that takes the place of the specification's own; ``only`` are
    paths of items to choose from all these.
    """
    items = [
        Item(implementation, case)
        for implementation in implementations
        for case in (load_all() if file is None else load_file(file))
        if case.level in levels
        and case.benchmark in ("control", *implementation.manifest.benchmarks)
        and (case.nodes == 1 or case.benchmark in implementation.manifest.distributed)
    ]
    return items if only is None else [item for item in items if item.path in only]


def unsupported(implementation: Implementation) -> list[str]:
    """Benchmarks that have cases and that the manifest does not name."""
    known = {case.benchmark for case in load_all()} - {"control"}
    return sorted(known - set(implementation.manifest.benchmarks))


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
