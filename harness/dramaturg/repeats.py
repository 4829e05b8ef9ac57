"""Says a fault that occurs again and again once, with how often: one fault has one text."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

_NUMBER = re.compile(r"\d[\d.]*")
"""The parts in which texts of one fault differ: each iteration has its own salt, and sums of its
own."""


def alike(text: str) -> str:
    """The part that texts about the same fault have in common."""
    return _NUMBER.sub("#", text)


@dataclass(slots=True)
class _Fault:
    where: str
    text: str
    again: list[str] = field(default_factory=list)

    def spell(self) -> str:
        if not self.again:
            return self.text
        last = f" to {self.again[-1]}" if len(self.again) > 1 else ""
        often = f"{len(self.again)} more time{'' if len(self.again) == 1 else 's'}"
        return f"{self.text} (and {often} like it: {self.again[0]}{last})"


def once(said: Iterable[tuple[str, Iterable[str]]]) -> list[str]:
    """Merges the texts of all places, in order: keeps each fault where it is first said, with the
    number of times that it came again and the places where it did."""
    faults: dict[str, _Fault] = {}
    for where, texts in said:
        for text in texts:
            key = alike(text)
            if key not in faults:
                faults[key] = _Fault(where, text)
            elif faults[key].where != where and faults[key].again[-1:] != [where]:
                faults[key].again.append(where)
    places: dict[str, list[str]] = {}
    for fault in faults.values():
        places.setdefault(fault.where, []).append(fault.spell())
    return [f"{where}: {'; '.join(texts)}" for where, texts in places.items()]
