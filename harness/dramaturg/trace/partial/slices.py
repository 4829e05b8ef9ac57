"""Slices: what can be said of some of an actor's messages, without those before (spec/parts.md).

The state in which an actor took the first of them is not known, so the model cannot be run.
But most of what actors send is a fact once it is known which of a sender's messages it is,
and it says that itself, or its place in the log does. So each event is held against the fact,
and the next one from the same sender against the next.
"""

from collections.abc import Sequence
from typing import Any

from dramaturg.model import names
from dramaturg.trace.events import Event, Message
from dramaturg.trace.partial.basis.outsiders import FREE
from dramaturg.trace.partial.basis.reader import NEVER, Numbered
from dramaturg.trace.partial.benchmarks import BENCHMARKS
from dramaturg.trace.partial.senders import can_say
from dramaturg.trace.replay.divergence import Divergence, Kind
from dramaturg.trace.replay.token_game import HISTORY

_CONTROL = names.name(names.CONTROL)

_SHIFTS = (1, -1, 2, -2)
"""Messages by which a slice that does not conform may have begun late or early."""


class Slices:
    """The findings about all slices of a run."""

    def __init__(
        self, benchmark: str, parameters: Any, salt: int, lead: int, script: Sequence[Message]
    ) -> None:
        self._lead = lead
        self._later = script[1:]
        """Control's messages, but the first."""
        self._parameters = parameters
        self._reader = BENCHMARKS[benchmark].slices(parameters, salt)
        self.decided = 0
        self.bounded = 0
        self.divergences: list[Divergence] = []
        self.shifted = ""
        """The actor whose slice is right but for where it begins; empty if there is none."""

    def look(self, receiver: int, begin: int, log: list[Event]) -> None:
        """Hold the slice of a log, from message ``begin`` on, against what is known."""
        known = len(self.divergences)
        self._hold(receiver, begin, log)
        if len(self.divergences) > known and not self.shifted:
            self._look_beside(receiver, begin, log)

    def _look_beside(self, receiver: int, begin: int, log: list[Event]) -> None:
        """Check if the slice conforms when it begins elsewhere: then that is all that is wrong."""
        found, decided, bounded = self.divergences, self.decided, self.bounded
        for shift in _SHIFTS:
            self.divergences, self.decided = [], 0
            if begin + shift >= 0 and not self.shifted:
                self._hold(receiver, begin + shift, log)
                if not self.divergences and self.decided:
                    self.shifted = (
                        f"{names.spell(receiver)}: its log begins at {begin + shift}, asked for"
                        f" {begin} (TRACE-16)"
                    )
        self.divergences, self.decided, self.bounded = found, decided, bounded

    def _hold(self, receiver: int, begin: int, log: list[Event]) -> None:
        last: dict[tuple[int, ...], int] = {}
        for position, (sender, message) in enumerate(log):
            found = self._read(receiver, begin + position, sender, message)
            if found is FREE:
                self.bounded += 1
                continue
            if not isinstance(found, Numbered):
                self._found(Kind.INVENTED, receiver, position, sender, None, log)
                return
            number = last.get(found.lane, found.number - 1) + 1
            if number >= found.length or found.number > begin + position:
                self._found(Kind.INVENTED, receiver, position, sender, None, log)
                return
            expected = found.at(number)
            if expected != message:
                self._found(Kind.ALTERED, receiver, position, sender, expected, log)
                return
            last[found.lane] = number
            self.decided += found.decided
            self.bounded += not found.decided

    def _read(self, receiver: int, place: int, sender: int, message: Message) -> object:
        if sender == _CONTROL:
            return self._said(receiver, message)
        if not can_say(self._parameters, sender, receiver, message[0]):
            return NEVER
        return self._reader.read(receiver, place, sender, message)

    def _said(self, receiver: int, message: Message) -> object:
        """Control's words are the script's, in its order; the first comes before any slice."""
        kinds = [number for number, _ in self._later]
        if receiver != self._lead or message[0] not in kinds:
            return NEVER
        at = self._later.__getitem__
        return Numbered((_CONTROL,), kinds.index(message[0]), at, len(kinds))

    def _found(
        self,
        what: Kind,
        receiver: int,
        position: int,
        sender: int,
        expected: Message | None,
        log: list[Event],
    ) -> None:
        self.divergences.append(
            Divergence(
                kind=what, receiver=receiver, position=position, sender=sender,
                expected=expected, actual=log[position][1], receiver_state={}, sender_state={},
                history=log[max(0, position - HISTORY) : position],
            )
        )  # fmt: skip
