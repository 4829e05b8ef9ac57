"""The floor of a call: a value that reports read, apart from the program that measures it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Floor:
    """The least that a call takes in a language, and where that is from."""

    nanos: float | None
    """None: not run."""
    source: str
    """The source of the figure, in words; the reason, if it was not run."""
