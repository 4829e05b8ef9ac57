"""The message sequence that led to a divergence: what a diagram of it draws.

First the chain of causes, from control's word on; then what was sent upon the last of
them, with the message that departs among it, and before that what its receiver had taken
in the same turn. An entry stands where its message was taken, so that each actor's
entries are in the order of its log.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from dramaturg.model import messages, names
from dramaturg.model.chatapp import LOGOUT
from dramaturg.trace.events import Message
from dramaturg.trace.explanation.causes import Causes, Place, Sent
from dramaturg.trace.replay.divergence import Divergence, Fate, Kind, turn_of

CHAIN_HEAD, CHAIN_TAIL = 3, 7
"""The numbers of first and last messages that are shown of a longer chain: how it began, and how
it came to this."""

FAN_HEAD, FAN_BEFORE, FAN_AFTER = 2, 4, 2
"""The numbers of messages shown of a longer list sent upon one cause: of the first, and before and
after the one that departs."""

BEFORE = 4
"""The number of last messages shown that the receiver took before in that turn."""


class Status(StrEnum):
    """The status of a message."""

    TAKEN = "taken"
    """Its receiver took it as it was sent."""
    PENDING = "pending"
    """Sent, and not taken up to where its receiver's log could be followed."""
    LOST = "lost"
    """Sent, and never taken."""
    EXPECTED = "expected"
    """The next that should have been taken from this sender."""
    ACTUAL = "actual"
    """The message that was taken, and not sent like that."""


_DEPARTING = (Status.LOST, Status.EXPECTED, Status.ACTUAL)


@dataclass(frozen=True, slots=True)
class Step:
    """One message of the sequence. Names and message as people read them."""

    source: str
    target: str
    message: str
    status: Status

    def to_dict(self) -> dict[str, Any]:
        return {
            "from": self.source,
            "to": self.target,
            "message": self.message,
            "status": str(self.status),
        }


@dataclass(frozen=True, slots=True)
class Cut:
    """Messages that are left out here."""

    more: int

    def to_dict(self) -> dict[str, Any]:
        return {"more": self.more}


Sequence = list[Step | Cut]


def parse(entries: Iterable[dict[str, Any]]) -> Sequence:
    """The sequence that its entries' ``to_dict`` came from."""
    return [
        Cut(entry["more"])
        if "more" in entry
        else Step(entry["from"], entry["to"], entry["message"], Status(entry["status"]))
        for entry in entries
    ]


def lanes(sequence: Sequence) -> list[str]:
    """The actors in it, in the order in which they come in; but the actor that takes, or lacks, the
    message that departs stands beside its sender, if many others come in between."""
    steps = [entry for entry in sequence if isinstance(entry, Step)]
    names = list(dict.fromkeys(name for step in steps for name in (step.source, step.target)))
    for step in steps:
        if step.status in _DEPARTING and names.index(step.source) < names.index(step.target):
            names.remove(step.target)
            names.insert(names.index(step.source) + 1, step.target)
    return names


@dataclass(frozen=True, slots=True)
class _Entry:
    """A step before it is spelled. ``position``: in its receiver's log, if it was taken."""

    sender: int
    receiver: int
    message: Message
    status: Status
    position: int | None = None

    def spell(self) -> Step:
        source, target = names.spell(self.sender), names.spell(self.receiver)
        return Step(source, target, messages.spell(*self.message), self.status)


_Entries = list[_Entry | Cut]


def sequence(divergence: Divergence, cause: Place | None, causes: Causes) -> Sequence:
    """The sequence of this divergence. ``cause``: upon which the expected message was sent, or
    had to be; None if that is not known."""
    known = cause
    if known is None and divergence.expected is None:
        known = causes.last(divergence.sender)
    chain = [_taken(place, causes) for place in causes.chain(known)]
    sent = [] if known is None else causes.sent_upon(known)
    fan = _fan(divergence, sent, causes)
    entries = [*_shorten(chain, CHAIN_HEAD, CHAIN_TAIL), *_around_the_focus(fan)]
    if divergence.expected is not None and cause is None:
        entries.append(_focus(divergence, divergence.expected))
    if divergence.actual is not None:
        _insert_actual(entries, divergence)
    told = {entry.position for entry in (*chain, *fan) if entry.receiver == divergence.receiver}
    _insert_before(entries, divergence, causes, told)
    return [entry.spell() if isinstance(entry, _Entry) else entry for entry in entries]


def _taken(place: Place, causes: Causes) -> _Entry:
    sender, message = causes.logs[place.actor][place.position]
    return _Entry(sender, place.actor, message, Status.TAKEN, place.position)


def _focus(divergence: Divergence, message: Message) -> _Entry:
    """The expected message, which was not taken."""
    is_lost = divergence.kind is Kind.LOST and divergence.fate is not Fate.UNLOGGED
    status = Status.LOST if is_lost else Status.EXPECTED
    return _Entry(divergence.sender, divergence.receiver, message, status)


def _fan(divergence: Divergence, sent: list[Sent], causes: Causes) -> list[_Entry]:
    """The messages sent upon one event, the one that departs among them."""
    entries = []
    expected = _expected(divergence, causes)
    for message in sent:
        entry = _sent(message, causes)
        if (message.upon.actor, message.receiver, message.nth) == expected:
            entries.append(_focus(divergence, message.message))
        elif not _is_the_actual(entry, divergence):
            entries.append(entry)
    return entries


def _around_the_focus(fan: list[_Entry]) -> _Entries:
    departing = (Status.LOST, Status.EXPECTED)
    focus = next((i for i, entry in enumerate(fan) if entry.status in departing), len(fan) - 1)
    head = min(FAN_HEAD, max(0, focus - FAN_BEFORE))
    start, end = max(head, focus - FAN_BEFORE), focus + FAN_AFTER + 1
    return [
        *fan[:head], *_cut(start - head), *fan[start:end], *_cut(len(fan) - end),
    ]  # fmt: skip


def _expected(divergence: Divergence, causes: Causes) -> tuple[int, int, int] | None:
    """Sender, receiver and number between them of the message that was expected, if one was."""
    if divergence.expected is None:
        return None
    log = causes.log_of(divergence.receiver)[: divergence.position]
    nth = sum(sender == divergence.sender for sender, _ in log)
    return divergence.sender, divergence.receiver, nth


def _is_the_actual(entry: _Entry, divergence: Divergence) -> bool:
    """True if it was taken after all, only not as the next one."""
    channel = entry.sender, entry.receiver
    return (
        divergence.expected is not None
        and entry.position is None
        and channel == (divergence.sender, divergence.receiver)
        and entry.message == divergence.actual
    )


def _sent(sent: Sent, causes: Causes) -> _Entry:
    sender, receiver = sent.upon.actor, sent.receiver
    place = causes.place_of(sender, receiver, sent.nth)
    if place is not None or names.class_of(receiver) == names.CONTROL:
        position = place.position if place else None
        return _Entry(sender, receiver, sent.message, Status.TAKEN, position)
    status = Status.LOST if causes.is_spent(receiver) else Status.PENDING
    return _Entry(sender, receiver, sent.message, status)


def _insert_actual(entries: _Entries, divergence: Divergence) -> None:
    """Inserts the message that was taken: below the expected one, or last."""
    assert divergence.actual is not None
    actual = _Entry(divergence.sender, divergence.receiver, divergence.actual, Status.ACTUAL)
    expected = [
        index
        for index, entry in enumerate(entries)
        if isinstance(entry, _Entry) and entry.status is Status.EXPECTED
    ]
    entries.insert(expected[0] + 1 if expected else len(entries), actual)


def _insert_before(
    entries: _Entries, divergence: Divergence, causes: Causes, told: set[int | None]
) -> None:
    """Inserts the messages that the receiver took before in this turn and that are not shown yet:
    each as late as the order of its log allows, and so behind all that caused it."""
    before = [
        _taken(Place(divergence.receiver, position), causes)
        for position in _of_that_turn(divergence, causes)
        if position not in told
    ]
    for entry in before[-BEFORE:]:
        entries.insert(_latest(entry, entries), entry)
    left_out = _cut(len(before) - BEFORE)
    if left_out:
        entries[(place := entries.index(before[-BEFORE])) : place] = left_out


def _latest(entry: _Entry, entries: _Entries) -> int:
    assert entry.position is not None
    for index, other in enumerate(entries):
        if isinstance(other, Cut) or other.receiver != entry.receiver:
            continue
        if other.position is None or other.position > entry.position:
            return index
    return len(entries)


def _of_that_turn(divergence: Divergence, causes: Causes) -> list[int]:
    """Return the places of the same turn's messages in the receiver's log: in set-up and at the
    end, those behind the last that speaks of a turn. For a receiver that only counts, those of this
    sender."""
    log = causes.log_of(divergence.receiver)[: divergence.position]
    receiver_class = names.class_of(divergence.receiver)
    turns = [turn_of(message) for _, message in log]
    if divergence.turn is None:
        spoken = [p for p, turn in enumerate(turns) if turn is not None and turn != LOGOUT]
        found = list(range(spoken[-1] + 1 if spoken else 0, len(log)))
    elif receiver_class == names.ACCUMULATOR:
        found = list(range(len(log)))
    else:
        found = [p for p, turn in enumerate(turns) if turn == divergence.turn]
    if receiver_class in names.COUNTING:
        return [p for p in found if log[p][0] == divergence.sender]
    return found


def _shorten(entries: list[_Entry], head: int, tail: int) -> _Entries:
    if len(entries) <= head + tail + 1:
        return [*entries]
    return [*entries[:head], *_cut(len(entries) - head - tail), *entries[-tail:]]


def _cut(more: int) -> list[Cut]:
    return [Cut(more)] if more > 0 else []
