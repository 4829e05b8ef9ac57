"""A review: what a named person says of one build that no run can show (LEVEL-30).

An in-toto Statement over the digest of that build, signed as certificates are, with a predicate
of its own: neither can be taken for the other. ``review.schema.json`` beside this file is its
JSON Schema. Whoever changes a field's meaning gives the predicate type a new number.
"""

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, ValidationError, model_validator

from dramaturg import schema
from dramaturg.certificates import checklist, intoto
from dramaturg.certificates.checklist import Checklist
from dramaturg.certificates.envelope import CertificateError
from dramaturg.certificates.intoto import REVIEW, Digest, Named, Part, Sha256, Subject
from dramaturg.certificates.review_answers import Answer, Answers, Remark, Reviewer

SCHEMA_FILE = Path(__file__).with_name("review.schema.json")

QuestionId = Annotated[str, Field(pattern=rf"^{checklist.IDENTIFIER}$")]


class Asked(Part):
    """The checklist that was answered."""

    version: int
    digest: Sha256
    """Over its questions."""


class Entry(Part):
    """One question, and what was answered."""

    question: Annotated[str, Field(max_length=1000)]
    answer: Answer
    remark: Remark


class Predicate(Part):
    reviewer: Reviewer
    """The reviewer's own name; the signature says who has signed."""
    checklist: Asked
    answers: dict[QuestionId, Entry] = Field(min_length=1, max_length=1000)


class Review(Named):
    """The whole: of one build, and of no more."""

    predicate_type: Literal["urn:dramaturg:review:v1"] = Field(
        alias="predicateType", default=REVIEW
    )
    predicate: Predicate

    @model_validator(mode="after")
    def _one_subject(self) -> Self:
        if len(self.subject) != 1:
            raise ValueError(f"it names {len(self.subject)} builds; a review is of one")
        return self


def made(answers: Answers, asked: Checklist) -> Review:
    """The review that these answers are."""
    return Review(
        subject=[Subject(name=answers.implementation, digest=Digest(sha256=answers.build))],
        predicate=Predicate(
            reviewer=answers.reviewer,
            checklist=Asked(version=asked.version, digest=asked.digest),
            answers={
                name: Entry(
                    question=asked.questions[name].text, answer=each.answer, remark=each.remark
                )
                for name, each in answers.each.items()
            },
        ),
    )


def parse(text: bytes, file: Path) -> Review:
    """The review. Raises CertificateError that names the file and the field."""
    try:
        return Review.model_validate(intoto.document(text, file, REVIEW))
    except ValidationError as error:
        raise CertificateError(f"{file} is no review: {intoto.problems(error)}") from None


def schema_text() -> str:
    """The JSON Schema of a review, as the file beside this one holds it."""
    return schema.text(Review)


if __name__ == "__main__":
    SCHEMA_FILE.write_text(schema_text(), encoding="utf-8")
