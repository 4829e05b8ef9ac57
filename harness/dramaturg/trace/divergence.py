"""Where a run departs from the model, and how to say so to a person."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from dramaturg.model import messages, names
from dramaturg.model.lcg import Lcg
from dramaturg.model.messages import KINDS
from dramaturg.trace.events import Event, Message, spell_event


class Kind(StrEnum):
    """How a run can depart. The order is that of how much each explains."""

    ALTERED = "altered"
    """Received something else than the next message sent by that sender: altered,
    reordered, or one in between was lost or invented."""
    LOST = "lost"
    """Sent, and never received."""
    INVENTED = "invented"
    """Received, and never sent."""
    TOO_EARLY = "too early"
    """Received before anything that its sender had received could have made it send it."""


_WEIGHT = {kind: weight for weight, kind in enumerate(Kind)}


@dataclass(frozen=True, slots=True)
class Divergence:
    """One departure. States are the model's, at that moment."""

    kind: Kind
    receiver: int
    position: int
    sender: int
    expected: Message | None
    actual: Message | None
    receiver_state: dict[str, Any]
    sender_state: dict[str, Any]
    history: list[Event]

    @property
    def turn(self) -> int | None:
        """The turn that the expected message belongs to, else the actual one's."""
        for message in (self.expected, self.actual):
            if message is not None:
                turn = _turn(message)
                if turn is not None:
                    return turn
        for actor in (self.receiver, self.sender):
            if names.class_of(actor) == names.ACCUMULATOR:
                return names.index_of(actor)
        return None

    @property
    def lcg(self) -> dict[str, int]:
        """LCG states by actor, of those involved that have one."""
        states = {}
        for actor, state in (
            (self.sender, self.sender_state),
            (self.receiver, self.receiver_state),
        ):
            if isinstance(state.get("lcg"), Lcg):
                states[names.spell(actor)] = state["lcg"].state
        return states

    def headline(self) -> str:
        """One line that says what happened to whom."""
        who, whom = names.spell(self.sender), names.spell(self.receiver)
        turn = "" if self.turn is None else f"turn {self.turn}: "
        expected = messages.spell(*self.expected) if self.expected else "nothing more"
        actual = messages.spell(*self.actual) if self.actual else "nothing"
        match self.kind:
            case Kind.LOST:
                return f"{turn}{whom} never received {expected} from {who}"
            case Kind.INVENTED:
                return f"{turn}{whom} received {actual}, which {who} never sent"
            case Kind.TOO_EARLY:
                return f"{turn}{whom} received {actual} before {who} can have sent it"
            case _:
                return f"{turn}{whom} received {actual} from {who}, expected {expected}"

    def to_dict(self) -> dict[str, Any]:
        """For ``--json`` and the results: only plain values."""
        return {
            "kind": str(self.kind),
            "turn": self.turn,
            "headline": self.headline(),
            "actor": names.spell(self.receiver),
            "sender": names.spell(self.sender),
            "position": self.position,
            "expected": messages.spell(*self.expected) if self.expected else None,
            "actual": messages.spell(*self.actual) if self.actual else None,
            "lcg": self.lcg,
            "actor_state": _plain(self.receiver_state),
            "sender_state": _plain(self.sender_state),
            "history": [spell_event(self.receiver, event) for event in self.history],
        }


def first(divergences: list[Divergence]) -> Divergence | None:
    """The earliest turn's (set-up before turn 0), then the kind that explains most."""
    if not divergences:
        return None

    def rank(divergence: Divergence) -> tuple[int, int, int, int]:
        turn = -1 if divergence.turn is None else divergence.turn
        return turn, _WEIGHT[divergence.kind], divergence.receiver, divergence.sender

    return min(divergences, key=rank)


def _turn(message: Message) -> int | None:
    kind = KINDS.get(message[0])
    if kind is None or "turn" not in kind.arguments or len(message[1]) != len(kind.arguments):
        return None
    return message[1][kind.arguments.index("turn")]


def _plain(state: dict[str, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for key, value in state.items():
        if isinstance(value, Lcg):
            plain[key] = value.state
        elif isinstance(value, list) and value and value[0] >= 1 << 56:
            plain[key] = [names.spell(item) for item in value]
        elif isinstance(value, int) and value >= 1 << 56:
            plain[key] = names.spell(value)
        elif isinstance(value, (int, list, dict, bool)) or value is None:
            plain[key] = value
    return plain
