"""``survivors.yaml``: the mutants that no test kills, and why none does.

A mutant is known by its function and by the lines that it changes, so that the list outlives
renumbering, and ends with the line.
"""

import difflib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

FILE = Path(__file__).with_name("survivors.yaml")

AT_MOST = 100
"""Survivors of all files together (issue 13)."""

Key = tuple[str, tuple[str, ...]]
"""A function, with its class, and the lines that change, each after ``-`` or ``+``."""


class Survivor(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    function: str
    diff: str
    kind: Literal["equivalent", "words", "speed"] = Field(alias="class")
    """``equivalent``: no run could tell. ``words``: a message reads otherwise, and no test should
    hold its text. ``speed``: the same, sooner or later."""
    because: str = Field(min_length=1)
    times: int = Field(default=1, ge=2)
    """The number of times that the same line stands in the function, if more than one."""

    @property
    def key(self) -> Key:
        return self.function, tuple(self.diff.splitlines())


_LIST = TypeAdapter(dict[str, list[Survivor]])


class WrongList(ValueError):
    """A list that cannot be read: says where, and what is wrong."""


def listed() -> dict[str, list[Survivor]]:
    """Return the survivors by file of ``harness/dramaturg``. Raises WrongList."""
    try:
        return _LIST.validate_python(yaml.safe_load(FILE.read_text(encoding="utf-8")) or {})
    except (yaml.YAMLError, ValidationError) as error:
        raise WrongList(f"{FILE.name}: {error}") from None


def counted(entries: Iterable[Survivor]) -> Counter[Key]:
    return Counter({entry.key: entry.times for entry in entries})


def key_of(function: str, before: list[str], after: list[str]) -> Key:
    """Return the key of a mutant, by the lines of its function without and with it."""
    changed = (line for line in difflib.ndiff(before, after) if line[0] in "-+")
    return function, tuple(f"{line[0]} {line[2:].strip()}" for line in changed)


def entry(key: Key, times: int) -> str:
    """Return its text in the list, but for its class and the reason."""
    function, lines = key
    diff = "".join(f"\n      {line}" for line in lines)
    return (
        f"  - function: {function}\n    diff: |-{diff}\n"
        + (f"    times: {times}\n" if times > 1 else "")
        + "    class:\n    because:"
    )
