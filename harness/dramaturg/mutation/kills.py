"""The case that killed each mutant, and its quotes: the record that traceability is made from.

``dramaturg mutants --record`` writes the verdicts down. A mutant that was not judged this time
keeps its record; one that is in no cast any more loses it.
"""

import re
from collections.abc import Iterable
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from dramaturg import files, paths, requirements
from dramaturg.cases.cases import load_all
from dramaturg.errors import ManifestError
from dramaturg.mutation.reference_mutants import TIMED, Caught

FILE = paths.CONFORMANCE / "kills.yaml"

_HEAD = """\
# The case that killed each mutant, and the requirements that its verdict quoted.
# Made by `dramaturg mutants --record`, of the native ones with `--native`.
"""

_IDENTIFIER = re.compile(r"\b[A-Z]+-\d+\b")


class Kill(BaseModel):
    """The case that killed a mutant, and what it quoted."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    by: str
    """The path of the case, or ``bench`` and the benchmark that was timed."""
    quoted: list[str] = []
    """Identifiers of requirements that the verdict gave as reasons, or named."""


def written(file: Path = FILE) -> dict[str, Kill]:
    """The contents of the file, by mutant. Raises ManifestError for one that cannot be used."""
    if not file.exists():
        return {}
    try:
        return TypeAdapter(dict[str, Kill]).validate_python(files.read_yaml(file) or {})
    except (files.Unreadable, ValidationError) as error:
        raise ManifestError(f"{file}: {files.brief(str(error))}") from None


def record(
    judged: Iterable[tuple[str, Caught]], everybody: Iterable[str], file: Path = FILE
) -> None:
    """Write down how these were killed, or that they were not; drop who is not of
    ``everybody``. Raises ManifestError."""
    kills = written(file)
    for name, caught in judged:
        kills.pop(name, None)
        if caught.killed:
            kills[name] = _kill(caught)
    known = set(everybody)
    content = {
        name: kill.model_dump(exclude_defaults=True)
        for name, kill in sorted(kills.items())
        if name in known
    }
    body = yaml.safe_dump(content, sort_keys=False, width=100, default_flow_style=None)
    files.write_text(file, _HEAD + body)


def _kill(caught: Caught) -> Kill:
    verdict, known = caught.verdict, requirements.load()
    by = {case.name: case.path for case in load_all()}.get(verdict.case, verdict.case)
    said = [name for name in _IDENTIFIER.findall(verdict.message) if name in known]
    return Kill(
        by=f"bench {verdict.case}" if verdict.level == TIMED else by,
        quoted=list(dict.fromkeys([*verdict.quoted, *said])),
    )
