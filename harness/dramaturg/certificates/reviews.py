"""Says what a review is worth to its reader: it stands beside a verdict, and is never part of it
(LEVEL-32)."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from dramaturg.certificates import checklist, review
from dramaturg.certificates.checklist import Checklist
from dramaturg.certificates.review import Review
from dramaturg.certificates.review_answers import Answer
from dramaturg.certificates.signed_file import Opened, unseal
from dramaturg.certificates.trust import Trusted
from dramaturg.visible import line, quoted


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Doubt(_Part):
    """A question that was not answered with *yes*."""

    id: str
    question: str
    answer: Answer
    remark: str


class Reviewed(_Part):
    """A review as it is shown."""

    file: str
    """Its name."""
    implementation: str = ""
    build: str = ""
    """The digest that it is over."""
    reviewer: str = ""
    """The reviewer by the review's own word; ``signer`` says whose word that is."""
    signature: str = ""
    """The finding on its signature, in words."""
    signer: str = ""
    """The trusted signer; empty if no trusted key has signed it."""
    counts: dict[Answer, int] = {}
    """Number of times that each answer was given, over all questions."""
    doubts: list[Doubt] = []
    """All that is not *yes*, in the checklist's order, each *no* first."""
    not_counted: str = ""
    """The reason why none of its answers is shown; empty if it counts."""

    @property
    def answered(self) -> int:
        """Questions that somebody has looked at."""
        return sum(count for answer, count in self.counts.items() if answer in _LOOKED_AT)

    @property
    def asked(self) -> int:
        return sum(self.counts.values())

    @property
    def headline(self) -> str:
        """The whole in one line. The name that a reviewer gives is in quotation marks, and can
        no more end them than the line."""
        of = f" of {self.implementation}" if self.implementation else ""
        by = f" by {json.dumps(self.reviewer, ensure_ascii=False)}" if self.reviewer else ""
        who = f"review{of}{by}"
        if self.not_counted:
            return f"{who} ({self.file}) is not counted: {self.not_counted}"
        said = ", ".join(f"{self.counts.get(answer, 0)} {answer}" for answer in Answer)
        return f"{who}, {self.signed}: {self.answered} of {self.asked} questions answered: {said}"

    @property
    def signed(self) -> str:
        """The signer, in words."""
        return f"signed by {self.signer}" if self.signer else f"signer unknown ({self.signature})"

    def to_dict(self) -> dict[str, Any]:
        """For ``--json``."""
        return self.model_dump(mode="json") | {"answered": self.answered, "asked": self.asked}


_LOOKED_AT = (Answer.YES, Answer.NO)


def reviewed(
    file: Path,
    builds: Mapping[str, Collection[str]],
    trusted: Sequence[Trusted] = (),
    asked: Checklist | None = None,
) -> Reviewed:
    """The review in a file, beside something that is said of ``builds``: the digests by the
    implementation's name.

    Raises CertificateError for what is no review at all.
    """
    asked = asked or checklist.load()
    opened = unseal(file, None, trusted)
    if opened.forged is not None:
        return Reviewed(
            file=file.name,
            signature=opened.signature,
            not_counted=f"its signature is {opened.forged.certificate}",
        )
    found = review.parse(opened.text, file)
    why = _why_not(found, builds, asked)
    return _named(found, opened, why) if why else _shown(found, opened, asked)


def spelt(shown: Iterable[Reviewed]) -> Iterator[str]:
    """Reviews in words, for a terminal: a line for each, and below it all that is not *yes*."""
    for each in shown:
        yield line(each.headline)
        for doubt in each.doubts:
            remark = f": {quoted(doubt.remark)}" if doubt.remark.strip() else ""
            yield f"  {doubt.answer} {doubt.id}: {doubt.question}{remark}"


def beside_nothing(file: Path) -> Reviewed:
    """A review beside a certificate that is forged: of which build would it be?"""
    return Reviewed(file=file.name, not_counted="the certificate's signature is wrong")


def _why_not(found: Review, builds: Mapping[str, Collection[str]], asked: Checklist) -> str:
    [subject] = found.subject
    if subject.name not in builds:
        return f"nothing is said here of {subject.name}"
    if subject.digest.sha256 not in builds[subject.name]:
        here = ", ".join(digest[:12] for digest in sorted(builds[subject.name])) or "none"
        return f"it is of another build, {subject.digest.sha256[:12]}; here is {here}"
    said = found.predicate.checklist
    if (said.version, said.digest) != (asked.version, asked.digest):
        return (
            f"it answers version {said.version} ({said.digest[:12]}) of the checklist; here is"
            f" version {asked.version} ({asked.digest[:12]})"
        )
    questions = {name: each.question for name, each in found.predicate.answers.items()}
    if questions != {name: each.text for name, each in asked.questions.items()}:
        return "its questions are not those of the checklist that it names"
    return ""


def _named(found: Review, opened: Opened, why: str = "") -> Reviewed:
    [subject] = found.subject
    return Reviewed(
        file=opened.file.name,
        implementation=subject.name,
        build=subject.digest.sha256,
        reviewer=found.predicate.reviewer,
        signature=opened.signature,
        signer=opened.signer,
        not_counted=why,
    )


def _shown(found: Review, opened: Opened, asked: Checklist) -> Reviewed:
    shown = _named(found, opened)
    entries = {name: found.predicate.answers[name] for name in asked.questions}
    given = [each.answer for each in entries.values()]
    shown.counts = {answer: given.count(answer) for answer in Answer}
    shown.doubts = [
        Doubt(id=name, question=each.question, answer=each.answer, remark=each.remark)
        for answer in (Answer.NO, Answer.NOT_LOOKED_AT)
        for name, each in entries.items()
        if each.answer is answer
    ]
    return shown
