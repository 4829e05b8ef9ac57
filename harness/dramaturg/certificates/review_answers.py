"""A checklist to be answered: the file that a reviewer edits, written and read (LEVEL-31).

TOML: what it is of, and an answer and a remark for each question. It says nothing by itself;
``dramaturg review --answers`` makes a review of it.
"""

import json
import textwrap
from collections import defaultdict
from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from dramaturg import files
from dramaturg.certificates import intoto
from dramaturg.certificates.checklist import ELSEWHERE, MODULES, Checklist, Question, module_of
from dramaturg.certificates.envelope import CertificateError
from dramaturg.certificates.intoto import Designation, Sha256
from dramaturg.visible import visible

LISTED = 200
"""Files of a build that the checklist names; of more it says how many."""

LONGEST_PATH = 200
"""Characters of a file's path that are shown."""

Reviewer = Annotated[str, Field(min_length=1, max_length=100, pattern=r"\S")]
Remark = Annotated[str, Field(max_length=4000)]


class Answer(StrEnum):
    """The answer to a question: *yes* is always what the specification asks for."""

    YES = "yes"
    NO = "no"
    NOT_LOOKED_AT = "not looked at"


_CHOICE = " or ".join(f'"{answer}"' for answer in Answer)


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Answered(_Part):
    answer: Answer
    remark: Remark = ""


class _Given(_Part):
    """As the file has it, where nothing may be answered yet."""

    answer: Answer | str
    remark: Remark = ""


class _Of(_Part):
    implementation: Designation
    build: Sha256
    checklist: int
    reviewer: str


class _File(_Part):
    review: _Of
    answers: dict[str, _Given]


class Answers(_Part):
    """A checklist with every question answered."""

    implementation: Designation
    build: Sha256
    reviewer: Reviewer
    each: dict[str, Answered]
    """The answers by the identifier of their question, in the checklist's order."""


def blank(implementation: str, build: str, inputs: Iterable[str], checklist: Checklist) -> str:
    """The checklist for one build, whose files are ``inputs``, without an answer."""
    modules: dict[str, list[str]] = defaultdict(list)
    for path in sorted(inputs):
        modules[module_of(path)].append(path)
    lines = [
        f"# What no run of {implementation} can show: the checklist of spec/review.md.",
        "#",
        '# Write "yes", "no" or "not looked at" as each answer; a no needs a remark. Then the same',
        "# command makes a review of it, with --answers THIS-FILE in the place of --checklist.",
        "#",
        "# The files that the build's digest covers:",
        *_listed(modules),
        "",
        "[review]",
        f"implementation = {json.dumps(implementation)}",
        f"build = {json.dumps(build)}",
        f"checklist = {checklist.version}",
        'reviewer = ""  # your name, as it is to be shown',
    ]
    for question in checklist.questions.values():
        lines += ["", *_asked(question, modules)]
    return "\n".join(lines) + "\n"


def _listed(modules: dict[str, list[str]]) -> Iterator[str]:
    left = LISTED
    for module in (*MODULES, ELSEWHERE):
        shown, left = modules[module][:left], max(0, left - len(modules[module]))
        for path in shown:
            yield f"#   {module:<12} {_one_line(path)}"
        if len(shown) < len(modules[module]):
            yield f"#   {module:<12} and {len(modules[module]) - len(shown)} more"


def _one_line(path: str) -> str:
    """A path cannot end the comment that it stands in."""
    shown = visible(path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace"))
    shown = shown.replace("\n", "\\n").replace("\t", "\\t")
    return shown if len(shown) <= LONGEST_PATH else f"{shown[:LONGEST_PATH]}..."


def _asked(question: Question, modules: dict[str, list[str]]) -> Iterator[str]:
    where = ", ".join(
        f"{module} ({len(modules[module])})" for module in (*question.modules, ELSEWHERE)
    )
    yield f"[answers.{question.id}]"
    for text in (
        f"{question.title}: {', '.join(question.rules)}",
        question.text,
        f"Look at: {where}. {question.shown_by}",
    ):
        yield from (f"# {line}" for line in textwrap.wrap(text, 94, break_long_words=False))
    yield 'answer = ""'
    yield 'remark = ""'


def read(file: Path, checklist: Checklist) -> Answers:
    """The answers. Raises CertificateError that names the file and what has to be done."""
    try:
        given = _File.model_validate(files.read_toml(file))
    except ValidationError as error:
        raise CertificateError(f"{file}: {intoto.problems(error)}") from None
    except (ValueError, RecursionError) as error:  # Unreadable and TOMLDecodeError are such.
        raise CertificateError(f"{file}: {files.brief(error)}") from None
    of = given.review
    if of.checklist != checklist.version:
        raise CertificateError(
            f"{file}: answers version {of.checklist} of the checklist, and this is version"
            f" {checklist.version}: begin with `dramaturg review {of.implementation} --checklist`"
        )
    problems = list(_problems(of.reviewer, given.answers, checklist))
    if problems:
        raise CertificateError(f"{file}: {files.brief('; '.join(problems))}")
    each = {
        name: Answered(answer=Answer(given.answers[name].answer), remark=given.answers[name].remark)
        for name in checklist.questions
    }
    try:
        return Answers(
            implementation=of.implementation, build=of.build, reviewer=of.reviewer, each=each
        )
    except ValidationError as error:
        raise CertificateError(f"{file}: {intoto.problems(error)}") from None


def _problems(reviewer: str, given: dict[str, _Given], checklist: Checklist) -> Iterator[str]:
    if not reviewer.strip():
        yield "review.reviewer is empty: a review has a name"
    unknown = [name for name in given if name not in checklist.questions]
    if unknown:
        yield f"{', '.join(unknown)}: no such question"
    missing = [name for name in checklist.questions if name not in given]
    missing += [name for name, each in given.items() if each.answer == ""]
    if missing:
        yield f"{', '.join(missing)}: not answered; write {_CHOICE}"
    for name, each in given.items():
        if each.answer not in ("", *Answer):
            yield f"{name}: {each.answer!r} is no answer; write {_CHOICE}"
        if each.answer == Answer.NO and not each.remark.strip():
            yield f"{name}: a no needs a remark that says where"
