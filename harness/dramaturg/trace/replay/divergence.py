"""Departures of a run from the model, and their texts for people."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from dramaturg.model import messages, names
from dramaturg.model.chatapp import LOGOUT
from dramaturg.model.lcg import Lcg
from dramaturg.model.messages import KINDS, Choice
from dramaturg.trace.events import Event, Message, spell_event
from dramaturg.v2 import trace_pb2 as kind


class Kind(StrEnum):
    """The kinds of departures. The first explains most."""

    ALTERED = "altered"
    """Received something else than the next message sent by that sender: altered,
    reordered, or one in between was lost or invented."""
    LOST = "lost"
    """Sent, and in no log: ``Fate`` says why."""
    INVENTED = "invented"
    """Received, and never sent."""
    TOO_EARLY = "too early"
    """Received before anything that its sender had received could have made it send it."""


class Fate(StrEnum):
    """The reason why a message is in no log of its receiver (``Kind.LOST``)."""

    GONE = "gone"
    """Everything is at rest, and its receiver has not ended, or ended later: it does not come."""
    WAITS = "waits"
    """Its receiver lives on: it may come yet."""
    ENDED = "ended"
    """Its receiver has ended without it, and takes nothing any more."""
    UNLOGGED = "unlogged"
    """Control sent it, and nothing goes on without it; its receiver's log lacks it and goes on."""


_NEVER_CAME = {
    Fate.GONE: "never received",
    Fate.WAITS: "still waits for",
    Fate.ENDED: "ended without",
    Fate.UNLOGGED: "did not log",
}

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
    fate: Fate = Fate.GONE
    """The fate of a message that is lost; known only where it is known how the call ended
    (trace/explanation/fate.py)."""
    unprompted: bool = False
    """For an invented message: whether its sender, which lacks messages, would not have sent it
    even if it had taken them. A sender that would have has merely not logged them."""

    @property
    def turn(self) -> int | None:
        """The turn that the expected message belongs to, else the actual one's.

        None in set-up, and once the iteration ends.
        """
        for message in (self.expected, self.actual):
            if message is not None:
                turn = turn_of(message)
                if turn is not None:
                    return None if turn == LOGOUT else turn
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
        if self.kind is Kind.LOST and self.expected is None:
            expected = "what it needs to end"
        match self.kind:
            case Kind.LOST:
                return f"{turn}{whom} {_NEVER_CAME[self.fate]} {expected} from {who}"
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
    """The one that explains the others: earliest in the run, as far as logs can tell.

    That is by turn, set-up before and logout after all of them; within a turn by how
    far the message is from the poke that caused it; then by kind. But a receiver that has itself
    sent in that turn what the model does not send, with or without what it never received, is the
    cause: it did not wait.
    """
    found = min(divergences, key=_rank, default=None)
    if found is None or found.kind is not Kind.LOST:
        return found
    own = [
        each
        for each in divergences
        if each.unprompted and each.sender == found.receiver and each.turn == found.turn
    ]
    return min(own, key=_rank, default=found)


_FLOW = (
    kind.MESSAGE_KIND_POKER_ACT, kind.MESSAGE_KIND_POKER_TURN, kind.MESSAGE_KIND_POKER_RUN,
    kind.MESSAGE_KIND_DIRECTORY_POKE, kind.MESSAGE_KIND_DIRECTORY_ACT,
    kind.MESSAGE_KIND_CLIENT_ACT,
    kind.MESSAGE_KIND_CHAT_POST, kind.MESSAGE_KIND_CHAT_JOIN, kind.MESSAGE_KIND_CHAT_LEAVE,
    kind.MESSAGE_KIND_CLIENT_FORWARD, kind.MESSAGE_KIND_CLIENT_ACCEPTED,
    kind.MESSAGE_KIND_CLIENT_LEFT,
    kind.MESSAGE_KIND_ACCUMULATOR_BUMP, kind.MESSAGE_KIND_ACCUMULATOR_STOP,
    kind.MESSAGE_KIND_POKER_CONFIRM,
)  # fmt: skip
"""The kinds of ChatApp's turn, each after those that can cause it."""

_ENDING = (
    kind.MESSAGE_KIND_POKER_DISCONNECT, kind.MESSAGE_KIND_DIRECTORY_DISCONNECT,
    kind.MESSAGE_KIND_CLIENT_LOGOUT, kind.MESSAGE_KIND_CHAT_LEAVE, kind.MESSAGE_KIND_CLIENT_LEFT,
    kind.MESSAGE_KIND_DIRECTORY_LEFT, kind.MESSAGE_KIND_POKER_FINISHED,
)  # fmt: skip
"""Kinds that, outside any turn, belong to the end of the iteration and not to set-up: each
after those that can cause it."""


def _rank(divergence: Divergence) -> tuple[float, int, int, int, int]:
    message = divergence.expected or divergence.actual
    number = message[0] if message else 0
    turn = float("-inf") if divergence.turn is None else float(divergence.turn)
    flow: tuple[int, ...] = _FLOW
    if divergence.turn is None and number in _ENDING:
        turn, flow = float("inf"), _ENDING
    place = flow.index(number) if number in flow else 0
    return turn, place, _WEIGHT[divergence.kind], divergence.receiver, divergence.sender


def turn_of(message: Message) -> int | None:
    """The turn that it speaks of; None if of none."""
    known = KINDS.get(message[0])
    if known is None or "turn" not in known.arguments or len(message[1]) != len(known.arguments):
        return None
    return message[1][known.arguments.index("turn")]


def _plain(state: dict[str, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for key, value in state.items():
        if isinstance(value, Lcg):
            plain[key] = value.state
        elif key == "picks":
            plain[key] = {Choice(choice).name.lower(): count for choice, count in value.items()}
        elif isinstance(value, list) and value and value[0] >= 1 << 56:
            plain[key] = [names.spell(item) for item in value]
        elif isinstance(value, int) and value >= 1 << 56:
            plain[key] = names.spell(value)
        elif isinstance(value, (int, list, dict, bool)) or value is None:
            plain[key] = value
    return plain
