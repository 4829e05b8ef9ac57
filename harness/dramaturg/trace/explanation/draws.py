"""The draws of an actor upon an event, and those that would have led to the received message.

A wrong draw shows only in the message that came of it. So the event is performed again from
the state before it: with another value in the place of one draw, and with a generator that
is a few draws ahead or behind.
"""

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from dramaturg.model import messages, names
from dramaturg.model.lcg import INCREMENT, MULTIPLIER, PERIOD, Lcg
from dramaturg.trace.events import Event, Message
from dramaturg.trace.explanation.causes import Causes, Place

Addressed: TypeAlias = tuple[int, Message]
"""A message and its receiver."""

SHOWN = 8
"""Draws that are shown, and tried with other values: the last ones before the message."""

WIDEST = 256
"""The largest modulus of a draw that is tried with every value that it can give."""

ASTRAY, ASTRAY_BEFORE = 4, 64
"""The number of draws too many or too few before the event that are tried: many more if nothing is
drawn upon the event itself, and the state says it exactly."""

BUDGET = 300_000
"""Draws in all, so that an explanation takes a second at most; beyond it nothing is tried."""

_BACK = pow(MULTIPLIER, -1, PERIOD)


@dataclass(frozen=True, slots=True)
class Draw:
    """One draw of the model's actor."""

    modulus: int
    """0: the raw number."""
    state: int
    """The state of the LCG after it."""
    value: int

    def to_dict(self) -> dict[str, int]:
        return {"modulus": self.modulus, "state": self.state, "value": self.value}


@dataclass(frozen=True, slots=True)
class Drawn:
    """The draws upon an event."""

    before: int
    """The LCG's state before the event."""
    draws: list[Draw]
    """Up to the message that is asked about, the last ones."""
    more: int
    """Draws upon the same event before these."""
    received: Addressed | None
    """The message that was received instead, as a result of this event."""
    values: str
    """The other values of one of these draws that lead to that; empty if none was found."""
    astray: int
    """The number of further draws before the event that lead to that; negative: fewer; 0: none."""

    def needs(self) -> str:
        """The draws that would have led to the received message; empty if none were found."""
        ways = [self.values] if self.values else []
        if self.astray:
            draws = "1 draw" if abs(self.astray) == 1 else f"{abs(self.astray)} draws"
            ways.append(f"{draws} {'more' if self.astray > 0 else 'fewer'} before that")
        return "; or ".join(ways)

    def to_dict(self) -> dict[str, Any]:
        return {
            "before": self.before,
            "draws": [draw.to_dict() for draw in self.draws],
            "more": self.more,
            "received": "" if self.received is None else spell(self.received),
            "needs": self.needs(),
        }


def spell(message: Addressed) -> str:
    """A message and who took it, as people read it."""
    receiver, what = message
    return f"{messages.spell(*what)} to {names.spell(receiver)}"


class _Recording(Lcg):
    """A generator that keeps what it drew, and gives another value for one of its draws."""

    __slots__ = ("drawn", "forced")

    def __init__(self, state: int, forced: tuple[int, int] | None = None) -> None:
        super().__init__(state)
        self.drawn: list[Draw] = []
        self.forced = forced

    def next(self) -> int:
        return self.next_int(0)

    def next_int(self, limit: int) -> int:
        number = Lcg.next(self)
        value = number % limit if limit else number
        if self.forced is not None and self.forced[0] == len(self.drawn):
            value = self.forced[1]
        self.drawn.append(Draw(limit, number, value))
        return value


def drawn(
    causes: Causes, cause: Place, expected: Addressed, received: Addressed | None
) -> Drawn | None:
    """The draws that led to ``expected`` upon ``cause``, and those that would have led to
    ``received``. None if the actor has no generator, or neither has to do with it."""
    actor: Any = causes.before(cause)
    if not isinstance(getattr(actor, "lcg", None), Lcg):
        return None
    trial = _Trial(actor, causes.logs[cause.actor][cause.position])
    generator, out = trial.perform()
    made = next((count for count, sent in out if sent == expected), len(generator.drawn))
    first = max(0, made - SHOWN)
    values, astray = "", 0
    if received is not None:
        trial.seek(expected, received, out)
        values = " or ".join(_values(trial, generator.drawn[:made], first))
        astray = _astray(trial, ASTRAY if made else ASTRAY_BEFORE)
    if not made and not astray:
        return None
    return Drawn(trial.state, generator.drawn[first:made], first, received, values, astray)


class _Trial:
    """An actor and an event that it takes again and again."""

    def __init__(self, actor: Any, event: Event) -> None:
        for slot in ("send", "spawn", "terminate"):
            delattr(actor, slot)
        self._actor = actor
        self._event = event
        self.state: int = self._actor.lcg.state
        self.spent = 0
        self._received: Addressed = (0, (0, ()))
        self._place: int | None = None

    def perform(
        self, state: int | None = None, forced: tuple[int, int] | None = None
    ) -> tuple[_Recording, list[tuple[int, Addressed]]]:
        """The generator, and what is sent: each with the number of draws before it."""
        actor = copy.deepcopy(self._actor)
        actor.lcg = generator = _Recording(self.state if state is None else state, forced)
        out: list[tuple[int, Addressed]] = []
        actor.send = lambda receiver, kind, *args: out.append(
            (len(generator.drawn), (receiver, (kind, args)))
        )
        actor.spawn = lambda spawned: None
        actor.terminate = lambda: None
        sender, (kind, args) = self._event
        actor.handlers[kind](actor, sender, *args)
        self.spent += len(generator.drawn)
        return generator, out

    def seek(
        self, expected: Addressed, received: Addressed, out: list[tuple[int, Addressed]]
    ) -> None:
        """Sets the message for which :meth:`leads_to` looks: ``received``, and if that went to the
        receiver of ``expected``, in its place."""
        self._received, self._place = received, None
        if received[0] == expected[0]:
            there = [sent for _, sent in out if sent[0] == received[0]]
            self._place = there.index(expected) if expected in there else None

    def leads_to(self, **changed: Any) -> bool:
        """True if the event, with this changed, leads to what is sought."""
        receiver = self._received[0]
        there = [sent for _, sent in self.perform(**changed)[1] if sent[0] == receiver]
        if self._place is None:
            return self._received in there
        return there[self._place : self._place + 1] == [self._received]


def _astray(trial: _Trial, most: int) -> int:
    """Return the number of further draws before the event that lead there; negative: fewer; 0:
    none."""
    ahead = behind = trial.state
    for count in range(1, most + 1):
        ahead = (MULTIPLIER * ahead + INCREMENT) % PERIOD
        behind = _BACK * (behind - INCREMENT) % PERIOD
        for state, draws in ((ahead, count), (behind, -count)):
            if trial.spent > BUDGET:
                return 0
            if trial.leads_to(state=state):
                return draws
    return 0


def _values(trial: _Trial, made: list[Draw], first: int) -> Iterator[str]:
    """For each draw alone, the values of it that lead there."""
    for place in range(first, len(made)):
        draw = made[place]
        cost = draw.modulus * len(made)
        if not 0 < draw.modulus <= WIDEST or trial.spent + cost > BUDGET:
            continue
        values = [
            value
            for value in range(draw.modulus)
            if value != draw.value and trial.leads_to(forced=(place, value))
        ]
        if values:
            yield f"next_int({draw.modulus}) = {_ranges(values)} in the place of {draw.value}"


def _ranges(values: list[int]) -> str:
    """``3, 15..59``."""
    found: list[list[int]] = []
    for value in values:
        if found and value == found[-1][1] + 1:
            found[-1][1] = value
        else:
            found.append([value, value])
    return ", ".join(str(low) if low == high else f"{low}..{high}" for low, high in found)
