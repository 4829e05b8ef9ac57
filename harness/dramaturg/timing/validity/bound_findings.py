"""The findings of bounds: the faults, and how much of each bound was used."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Shown:
    """The findings about one iteration."""

    problems: list[str] = field(default_factory=list)
    """The first of each bound."""
    margins: dict[str, float] = field(default_factory=dict)
    """The largest share of each bound that was used, by its name: above 1 something is wrong."""

    def hold(self, bound: str, used: float, text: str) -> None:
        """So much of a bound was used; ``text`` says what is wrong if that is more than all."""
        if used > 1 and self.margins.get(bound, 0.0) <= 1:
            self.problems.append(text)
        self.margins[bound] = max(self.margins.get(bound, 0.0), used)

    def exact(self, bound: str, lack: int, allowed: int, text: str) -> None:
        """Something is by so many nanoseconds beyond what can be, of which so many are allowed for
        clocks that differ."""
        self.hold(bound, max(0, lack) / max(1, allowed), text)

    def never(self, bound: str, beyond: int, text: str) -> None:
        """Something is by so much beyond what can be, of which nothing is allowed."""
        self.hold(bound, 1.0 + beyond if beyond > 0 else 0.0, text)
