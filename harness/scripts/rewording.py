"""Forbidden changes of a rewording: a diff by requirement between two revisions.

    rewording.py REVISION [OTHER]

Compares OTHER, or the work tree, with REVISION. In each requirement, in the rest of each page, and
in the comments of each proto file, these must be the same: the numbers of MUST, MUST NOT, SHOULD,
SHOULD NOT and MAY, all numbers, all code spans, all identifiers of requirements and all links. A
difference that is meant stands in rewording.yaml beside this file, with its reason and with its
base, the commit REVISION with which it was found; compared with another commit it explains nothing.
Lists every difference; ends with 0 if each is explained, with 1 if not, and with 2 for bad input.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tarfile import TarFile
from typing import Annotated

import yaml
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from dramaturg import paths, requirements

PAGES = ("README.md", "CONFORMANCE.md", "CONTRIBUTING.md", "SECURITY.md", "docs", "proto", "spec")
SUFFIXES = {".md", ".proto"}
EXCEPTIONS = Path(__file__).with_suffix(".yaml")

_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|//(.*)')
"""A string of a proto file, in which slashes begin no comment, or a comment."""
_CODE = re.compile(r"```.*?```|``.+?``|`[^`\n]+`", re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_NAMED = re.compile(r"\b[A-Z]{2,}-\d+\b")
_FORCE = re.compile(r"\b(?:MUST|SHOULD|MAY)(?: NOT)?\b")
_NUMBER = re.compile(r"(?<![\w.])\d[\d,.]*\d(?:e-?\d+)?|(?<![\w.])\d(?:e-?\d+)?")
_WORD = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|sixty|hundred|thousand"
    r"|million|half|twice|third|quarter|tenth|thousandth|zero)s?\b",
    re.IGNORECASE,
)

Facts = Counter[str]
"""The counts of a text's things, such as ``MUST``, ``number 25`` or ``code next_int(0)``."""


class Meant(BaseModel):
    """A difference that is meant: all that ``where`` lost and gained, and why."""

    model_config = ConfigDict(extra="forbid")
    base: Annotated[str, Field(pattern="^[0-9a-f]{8,40}$")]
    """The commit with which the rewording was compared, or how it begins."""
    where: str
    lost: dict[str, int] = {}
    gained: dict[str, int] = {}
    why: str


@dataclass(frozen=True, slots=True)
class Difference:
    where: str
    lost: dict[str, int]
    gained: dict[str, int]

    def __str__(self) -> str:
        changes = [*((f"-{n}", what) for what, n in self.lost.items())]
        changes += [(f"+{n}", what) for what, n in self.gained.items()]
        return f"{self.where}: " + "; ".join(f"{sign} {what}" for sign, what in changes)


def facts(text: str) -> Facts:
    """Return all that may not change in ``text``. Each kind is taken out before the next is looked
    for."""
    found: Facts = Counter()

    def take(kind: str, pattern: re.Pattern[str], rest: str) -> str:
        for each in pattern.finditer(rest):
            what = each[each.lastindex or 0]
            found[f"{kind} {' '.join(what.split())}".strip()] += 1
        return pattern.sub(" ", rest)

    rest = take("code", _CODE, text)
    rest = take("link", _LINK, rest)
    rest = take("identifier", _NAMED, rest)
    rest = take("", _FORCE, rest)
    rest = take("number", _NUMBER, rest)
    take("number", _WORD, rest.lower())
    return found


def places(root: Path) -> dict[str, Facts]:
    """Each requirement below ``root``, each page without its requirements, and the comments of each
    proto file."""
    rows = requirements.load(root / "spec")
    found = {name: facts(each.text) for name, each in rows.items()}
    for page in _pages(root):
        name = str(page.relative_to(root))
        text = page.read_text(encoding="utf-8")
        whole = facts(comments(text) if page.suffix == ".proto" else text)
        here = [each for each in rows.values() if each.file == name]
        own = sum((found[each.id] for each in here), Counter[str]())
        own.update(f"identifier {each.id}" for each in here)
        found[name] = whole - own
    return found


def comments(proto: str) -> str:
    """Return the comments of a proto file, which belong to the specification, and none of its
    code."""
    return "\n".join(each[1] for each in _COMMENT.finditer(proto) if each[1] is not None)


def differences(before: dict[str, Facts], after: dict[str, Facts]) -> list[Difference]:
    """Return them in the order of ``before``, then new ones. A part that is gone has lost all that
    it said."""
    made = []
    for where in dict.fromkeys([*before, *after]):
        was, now = before.get(where), after.get(where)
        gone, new = Counter(was or ()), Counter(now or ())
        lost, gained = dict(gone - new), dict(new - gone)
        if was is None:
            gained["itself"] = 1
        if now is None:
            lost["itself"] = 1
        if lost or gained:
            made.append(Difference(where, lost, gained))
    return made


def unexplained(found: list[Difference], meant: list[Meant]) -> list[Difference]:
    """Return the differences for which no exception names just what was lost and gained."""
    known = [(each.where, each.lost, each.gained) for each in meant]
    return [each for each in found if (each.where, each.lost, each.gained) not in known]


def exceptions(file: Path) -> list[Meant]:
    """Raises ValueError for a file that is no list of exceptions, or has one without a reason."""
    read = yaml.safe_load(file.read_text(encoding="utf-8"))
    meant = TypeAdapter(list[Meant]).validate_python(read or [])
    for each in meant:
        if not each.why.strip():
            raise ValueError(f"{file.name}: {each.where} has no reason: write why it is meant")
    return meant


def _pages(root: Path) -> list[Path]:
    given = [root / name for name in PAGES]
    below = [page for folder in given if folder.is_dir() for page in folder.rglob("*")]
    return sorted(page for page in given + below if page.is_file() and page.suffix in SUFFIXES)


def _commit(revision: str) -> str:
    """Raises ValueError if git does not know the revision."""
    command = ["git", "-C", str(paths.ROOT), "rev-parse", "--verify", f"{revision}^{{commit}}"]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    if done.returncode != 0:
        raise ValueError(f"{revision}: {done.stderr.strip()}")
    return done.stdout.strip()


def _unpack(revision: str, folder: Path) -> Path:
    """The pages of a revision, below ``folder``. Raises ValueError if git does not know it."""
    command = ["git", "-C", str(paths.ROOT), "archive", "--format=tar", revision, "--", *PAGES]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode != 0:
        raise ValueError(f"{revision}: {done.stderr.decode().strip()}")
    with TarFile(fileobj=BytesIO(done.stdout)) as archive:
        for member in archive:
            read = archive.extractfile(member) if member.isfile() else None
            if read is not None:
                page = folder / member.name
                page.parent.mkdir(parents=True, exist_ok=True)
                page.write_bytes(read.read())
    return folder


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("revision")
    parser.add_argument("other", nargs="?", help="Default: the work tree.")
    parser.add_argument("--exceptions", type=Path, default=EXCEPTIONS)
    parser.add_argument("--json", action="store_true", help="Print one JSON document.")
    arguments = parser.parse_args()
    try:
        base = _commit(arguments.revision)
        meant = [each for each in exceptions(arguments.exceptions) if base.startswith(each.base)]
        with tempfile.TemporaryDirectory() as name:
            before = places(_unpack(arguments.revision, Path(name) / "before"))
            after = places(
                _unpack(arguments.other, Path(name) / "after") if arguments.other else paths.ROOT
            )
    except (ValueError, ValidationError, OSError, requirements.RequirementsError) as error:
        print(f"rewording: {error}", file=sys.stderr)
        return 2
    found = differences(before, after)
    wrong = unexplained(found, meant)
    reasons = {each.where: each.why for each in meant}
    if arguments.json:
        print(json.dumps([
            {"where": each.where, "lost": each.lost, "gained": each.gained,
             "why": None if each in wrong else reasons[each.where]}
            for each in found
        ]))  # fmt: skip
    else:
        for each in found:
            print(f"{each}: {'UNEXPLAINED' if each in wrong else reasons[each.where]}")
        print(f"{len(before)} places, {len(found)} differ, {len(wrong)} without a reason")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
