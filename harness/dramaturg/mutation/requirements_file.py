"""``conformance/requirements.yaml``, read: what would notice if a requirement were broken."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from dramaturg import files, paths
from dramaturg.errors import ManifestError

FILE = paths.CONFORMANCE / "requirements.yaml"


class Trace(BaseModel):
    """The checks that would notice a breach. ``cases`` and ``mutants`` are of implementations;
    where the harness must do something itself, ``tests`` are its own and ``mutants`` wrong
    harnesses."""

    model_config = ConfigDict(extra="forbid")

    cases: list[str] = []
    tests: list[str] = []
    mutants: dict[str, str] = {}
    """The case or verdict that killed each mutant, if it names the requirement."""
    elsewhere: list[str] = []
    """Mutants that break it too, and were killed by what does not name it."""
    review: str = ""

    @property
    def gaps(self) -> str:
        """The missing checks, in words; empty if none is missing."""
        there = {
            "case": bool(self.cases or self.tests),
            "mutant that was killed by what names it": bool(self.mutants),
        }
        lacks = [name for name, has in there.items() if not has]
        if self.review:
            return "" if lacks else "is for review, and yet lacks nothing"
        return f"has no {' and no '.join(lacks)}" if lacks else ""


def written(file: Path = FILE) -> dict[str, Trace]:
    """The contents of the file. Raises ManifestError for one that cannot be used."""
    try:
        return TypeAdapter(dict[str, Trace]).validate_python(files.read_yaml(file))
    except (files.Unreadable, ValidationError) as error:
        raise ManifestError(f"{file}: {files.brief(str(error))}") from None
