"""The checklist of a review: the questions of spec/review.md, read off that chapter.

So what a reviewer answers is what the chapter asks. A review names the version of the checklist
and a digest over its questions (LEVEL-30).
"""

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from dramaturg import paths, requirements
from dramaturg.requirements import RequirementsError

CHAPTER = paths.SPEC / "review.md"

IDENTIFIER = r"REVIEW-[1-9]\d{0,3}"

_VERSION = re.compile(r"This is version \*\*(\d+)\*\* of the checklist")
_SECTION = re.compile(rf"^### ({IDENTIFIER})\. (.+)$", re.MULTILINE)
_QUESTION = re.compile(r"^> (.+)$", re.MULTILINE)
_MARGIN = re.compile(r"^\*Rules:\* ([^.]+)\. \*Modules:\* ([^.]+)\.$", re.MULTILINE)
_SHOWN_BY = re.compile(r"^\*How to see it:\* (.+?)\n\n", re.MULTILINE | re.DOTALL)

MODULES = {
    "control": {"control"},
    "benchmarks": {"benchmarks", "chatapp", "micro"},
    "nodes": {"nodes"},
}
"""The modules of an implementation, and the names of folders by which they are known."""

ELSEWHERE = "elsewhere"
"""Files in no folder of these names; they belong to every question."""


@dataclass(frozen=True, slots=True)
class Question:
    """One thing that no run shows."""

    id: str
    title: str
    text: str
    """Asked so that *yes* is what the specification asks for."""
    rules: tuple[str, ...]
    """The requirements that it asks about."""
    modules: tuple[str, ...]
    """The modules of an implementation's code in which to look first."""
    shown_by: str
    """The code to look at, and tools and counters that show more."""


@dataclass(frozen=True)
class Checklist:
    """All questions of one version, by identifier, in the chapter's order."""

    version: int
    questions: Mapping[str, Question]

    @property
    def digest(self) -> str:
        """SHA-256 over the questions; it changes with each word of them."""
        asked = [f"{each.id} {each.text}" for each in self.questions.values()]
        return hashlib.sha256("\n".join(asked).encode()).hexdigest()


@cache
def load(file: Path = CHAPTER) -> Checklist:
    """The checklist. Raises RequirementsError that names the question which cannot be read."""
    text = file.read_text(encoding="utf-8")
    version = _VERSION.search(text)
    if version is None:
        raise RequirementsError(f"{file} does not say which version of the checklist it is")
    found: dict[str, Question] = {}
    for question in _questions(file, text):
        if question.id in found:
            raise RequirementsError(f"{file}: {question.id} is there twice")
        found[question.id] = question
    if not found:
        raise RequirementsError(f"{file}: there are no questions")
    return Checklist(int(version[1]), found)


def _questions(file: Path, text: str) -> Iterator[Question]:
    heads = list(_SECTION.finditer(text))
    ends = [*(head.start() for head in heads[1:]), len(text)]
    for head, end in zip(heads, ends, strict=False):
        body = text[head.end() : end]
        asked, margin = _QUESTION.findall(body), _MARGIN.findall(body)
        shown_by = _SHOWN_BY.findall(body + "\n\n")
        if not len(asked) == len(margin) == len(shown_by) == 1:
            raise RequirementsError(
                f"{file}: {head[1]} needs one question, one line of rules and modules, and one"
                " paragraph on how to see it"
            )
        rules, modules = (tuple(part.split(", ")) for part in margin[0])
        unknown = [name for name in rules if name not in requirements.load()]
        unknown += [name for name in modules if name not in MODULES]
        if unknown:
            raise RequirementsError(f"{file}: {head[1]} names {', '.join(unknown)}: no such thing")
        yield Question(head[1], head[2], asked[0], rules, modules, " ".join(shown_by[0].split()))


def module_of(path: str) -> str:
    """The module that a file of a build is in, as far as the names of its folders say."""
    folders = Path(path).parts[:-1]
    found = [module for module, names in MODULES.items() if not names.isdisjoint(folders)]
    return found[0] if found else ELSEWHERE
