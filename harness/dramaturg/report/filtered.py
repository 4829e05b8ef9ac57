"""Showing some implementations of a report only.

A report has no program in it, for it shows what others wrote. Boxes that are ticked, and a style
sheet that hides what carries the name of one that is not, do the same.
"""

from dataclasses import dataclass

from markupsafe import Markup

from dramaturg.report.summary import Summary
from dramaturg.visible import visible


@dataclass(frozen=True, slots=True)
class Choice:
    """One implementation that may be hidden."""

    name: str
    box: str
    """The identifier of its box."""

    @property
    def rule(self) -> Markup:
        """The rule of the style sheet that hides it where its box is not ticked."""
        return Markup(
            f":root:has(#{self.box}:not(:checked)) [data-of={_quoted(self.name)}]"
            " { display: none; }"
        )


def choices(summary: Summary) -> list[Choice]:
    """Return the choices by name; none if there is no choice."""
    names = {each.implementation for each in summary.implementations}
    names |= {row.implementation for group in summary.groups for row in group.implementations}
    names |= {line.implementation for curve in summary.curves for line in curve.lines}
    names |= {finding.implementation for finding in summary.findings}
    names |= {unit.implementation for unit in summary.units}
    if len(names) < 2:
        return []
    return [Choice(name, f"show-{number}") for number, name in enumerate(sorted(names))]


def _quoted(name: str) -> str:
    """As a string of a style sheet, whatever it is: all but letters and digits by number."""
    spelt = (c if c.isascii() and c.isalnum() else f"\\{ord(c):x} " for c in visible(name))
    return f'"{"".join(spelt)}"'
