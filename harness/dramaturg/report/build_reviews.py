"""Reviews that lie in a results folder, beside the builds that its records are of (LEVEL-32)."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path

from dramaturg.certificates import reviews
from dramaturg.certificates.envelope import CertificateError
from dramaturg.certificates.reviews import Reviewed
from dramaturg.certificates.trust import Trusted
from dramaturg.results import Recorded

PATTERN = "review*.json"
"""Names of files that are taken for reviews."""

MOST = 50
"""Files that are read; of more a report says how many."""


def found(
    folder: Path, recorded: Sequence[Recorded], trusted: Sequence[Trusted] = ()
) -> tuple[list[Reviewed], list[str]]:
    """All of them, by name, and remarks. An unreadable one is listed with the reason, and is no
    reason to show nothing."""
    builds = _builds(recorded)
    there = sorted(file for file in folder.glob(PATTERN) if file.is_file())
    shown = [_read(file, builds, trusted) for file in there[:MOST]]
    rest = len(there) - len(shown)
    return shown, [f"{rest} more files called {PATTERN} were not read."] if rest else []


def _read(
    file: Path, builds: Mapping[str, AbstractSet[str]], trusted: Sequence[Trusted]
) -> Reviewed:
    try:
        return reviews.reviewed(file, builds, trusted)
    except CertificateError as error:
        why = str(error).removeprefix(f"{file}").removeprefix(":").lstrip()
        return Reviewed(file=file.name, not_counted=why)


def _builds(recorded: Sequence[Recorded]) -> dict[str, set[str]]:
    """The digests of all builds that the records name, by implementation."""
    builds: dict[str, set[str]] = {}
    for records in recorded:
        for name, build in records.header.get("builds", {}).items():
            builds.setdefault(name, set()).add(build)
        for sample in records.samples:
            builds.setdefault(sample.implementation, set()).add(sample.build)
    return builds
