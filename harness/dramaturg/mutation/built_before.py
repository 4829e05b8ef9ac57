"""The patches of the native cast that were built, with a sum of the sources that this rests on.

``git apply`` does not show that a patched program still compiles, and to build all takes hours. So
``dramaturg mutants --native --record`` writes down what it has built; a patch is due again when it,
or a file that it changes, has changed since.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import yaml
from pydantic import TypeAdapter, ValidationError

from dramaturg import files
from dramaturg.errors import ManifestError
from dramaturg.mutation import patches
from dramaturg.mutation.native_mutants import FOLDER, Judged, Member
from dramaturg.outcomes import Outcome

FILE = FOLDER / "built.yaml"

_HEAD = """\
# By mutant, a sum of its patch and of the files that it changes, from when it was built last.
# Made by `dramaturg mutants --native --record`.
"""

_CHANGED = re.compile(r"^--- a/(.+)$", re.MULTILINE)


def sum_of(member: Member) -> str:
    """A sum of the patch, without the words before it, and of the files that it changes."""
    text = files.read_text(member.patch)
    change = text[len(patches.docstring(member.patch)) :].strip()
    found = hashlib.sha256(change.encode())
    root = patches.root(member.source)
    for name in changed(change):
        found.update((root / name).read_bytes())
    return found.hexdigest()[:16]


def changed(patch: str) -> list[str]:
    """The files that it changes; one that it adds is in the patch."""
    return [name.strip() for name in _CHANGED.findall(patch)]


def recorded(file: Path = FILE) -> dict[str, str]:
    """The sums, by name of the member. Raises ManifestError for a file that cannot be used."""
    if not file.exists():
        return {}
    try:
        return TypeAdapter(dict[str, str]).validate_python(files.read_yaml(file) or {})
    except (files.Unreadable, ValidationError) as error:
        raise ManifestError(f"{file}: {files.brief(str(error))}") from None


def is_due(member: Member, known: dict[str, str]) -> bool:
    """True if it was never built as it is now."""
    return known.get(member.name) != sum_of(member)


def record(done: Iterable[Judged], sums: Mapping[str, str], file: Path = FILE) -> None:
    """Write down which of these were built. ``sums`` are those of all members from before they
    were; what is none of these is dropped. Raises ManifestError."""
    known = recorded(file)
    for judged in (each for each in done if each.was_run):
        known.pop(judged.member.name, None)
        if judged.judged.verdict.outcome is not Outcome.HARNESS_FAULT:
            known[judged.member.name] = sums[judged.member.name]
    kept = {name: known[name] for name in sorted(known.keys() & sums.keys())}
    files.write_text(file, _HEAD + yaml.safe_dump(kept))
