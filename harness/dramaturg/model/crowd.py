"""The population of a run, by class, as each benchmark's model says it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Crowd:
    """Actors of one class, of which each takes about as many messages."""

    actor_class: int
    many: int
    each: int
    """Messages of one; 0 if nobody knows."""
    first: int = 0
    sure: int | None = None
    """Messages that each of them takes, if ``each`` is a mean."""
