"""A divergence as a record has it: what those who show it rely on, whoever wrote it."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, Field


class _Quoted(BaseModel):
    id: str
    chapter: str
    text: str


def _as_quoted(said: dict[str, str]) -> dict[str, str]:
    _Quoted.model_validate(said)
    return said


Quoted = Annotated[dict[str, str], AfterValidator(_as_quoted)]
"""A requirement, as ``Requirement.to_dict`` gives it."""


class _Cause(BaseModel):
    actor: str
    position: int
    event: str


class _Draw(BaseModel):
    modulus: int
    value: int
    state: int


class _Drawn(BaseModel):
    before: int
    more: int = 0
    draws: list[_Draw] = []
    needs: str | None = None
    received: str | None = None


class _Step(BaseModel):
    source: str = Field(alias="from")
    to: str
    message: str
    status: Literal["taken", "pending", "lost", "expected", "actual"]
    """As ``trace.sequence.Status``, which is in a layer above."""


class _Cut(BaseModel):
    more: int


class _Explained(BaseModel):
    """The part of ``Explanation.to_dict`` on which code that shows explanations relies."""

    turn: int | None = None
    position: int = 0
    headline: str = ""
    actor: str = ""
    sender: str = ""
    note: str = ""
    expected: str | None = None
    actual: str | None = None
    lcg: dict[str, Any] | None = None
    actor_state: dict[str, Any] | None = None
    sender_state: dict[str, Any] | None = None
    history: list[str] = []
    drawn: _Drawn | None = None
    cause: _Cause | None = None
    requirements: list[Quoted] = []
    related: list[str] = []
    sequence: list[_Cut | _Step] = []


def _as_ours_are(said: dict[str, Any]) -> dict[str, Any]:
    _Explained.model_validate(said)
    return said


Divergence = Annotated[dict[str, Any], AfterValidator(_as_ours_are)]
"""As ``Explanation.to_dict`` gives it."""
