"""``conformance/requirements.yaml``, read: what would notice if a requirement were broken."""

from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from dramaturg import files, paths
from dramaturg.errors import ManifestError

FILE = paths.CONFORMANCE / "requirements.yaml"


class Trace(BaseModel):
    """What would notice. ``cases`` and ``mutants`` are of implementations; where the harness
    must do something itself, ``tests`` are its own and ``mutants`` wrong harnesses."""

    model_config = ConfigDict(extra="forbid")

    cases: list[str] = []
    tests: list[str] = []
    mutants: dict[str, str] = {}
    """By what they were killed, where that names the requirement."""
    elsewhere: list[str] = []
    """Mutants that break it too, and were killed by what does not name it."""
    review: str = ""

    @property
    def gaps(self) -> str:
        """What is missing, in words; empty if nothing is."""
        there = {
            "case": bool(self.cases or self.tests),
            "mutant that was killed by what names it": bool(self.mutants),
        }
        lacks = [name for name, has in there.items() if not has]
        if self.review:
            return "" if lacks else "is for review, and yet lacks nothing"
        return f"has no {' and no '.join(lacks)}" if lacks else ""


def written(file: Path = FILE) -> dict[str, Trace]:
    """What the file says. Raises ManifestError for one that cannot be used."""
    try:
        content = yaml.safe_load(file.read_text(encoding="utf-8"))
        return TypeAdapter(dict[str, Trace]).validate_python(content)
    except (OSError, yaml.YAMLError, ValidationError) as error:
        raise ManifestError(f"{file}: {files.brief(str(error))}") from None
