"""Count's outsiders: the tally, the adders and the counter.

The added numbers are facts. The schedule decides which sum each adder is told, unless the counter
is watched; together these are what all have added.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import ClassVar

import numpy as np

from dramaturg.model import count, names
from dramaturg.model.actor import Actor
from dramaturg.model.fold import add, fold, fold_each, words
from dramaturg.trace.events import AnyLogs, Message
from dramaturg.trace.partial.basis.outsiders import (
    FREE,
    WAIT,
    Inside,
    Open,
    Outside,
    Wrong,
)
from dramaturg.trace.partial.basis.reader import NEVER, Numbered, Reader, once, sum_fits
from dramaturg.v2 import trace_pb2 as kind

_TALLY, _COUNTER = names.name(names.TALLY), names.name(names.COUNTER)
_GO, _TOTAL = kind.MESSAGE_KIND_ADDER_GO, kind.MESSAGE_KIND_ADDER_TOTAL
_ADD, _GET = kind.MESSAGE_KIND_COUNTER_ADD, kind.MESSAGE_KIND_COUNTER_GET_AND_RESET
_COUNTED = kind.MESSAGE_KIND_TALLY_COUNTED


class Count(Outside):
    """A stand-in for those of the three that are not watched."""

    CLOSED: ClassVar = (names.COUNTER,)
    OPEN: ClassVar = (
        Open(names.ADDER, names.COUNTER, "how much the others had added by then"),
        Open(names.TALLY, names.ADDER, "how much each was told, but the last; the sum is decided"),
    )

    def __init__(
        self, parameters: count.Parameters, salt: int, inside: Inside, logs: AnyLogs
    ) -> None:
        super().__init__(parameters, salt, inside, logs)
        self._started: set[int] = set()
        self._told: dict[int, tuple[int, int]] = {}
        """The totals that adders were told, as far as they are seen."""
        self._asked: set[int] = set()

    def births(self) -> Iterable[Actor]:
        p = self.parameters
        if self.inside.whole(_TALLY):
            yield count.Tally(p)
        for index in self.inside.of_class(names.ADDER, p.adders):
            if self.inside.whole(count.adder_name(index)):
                yield count.Adder(index, p)
        if self.inside.whole(_COUNTER):
            yield count.Counter(p)

    def enter(self, actor: Actor) -> None:
        receiver = actor.name
        p = self.parameters
        if receiver == _COUNTER:
            for index in range(p.adders):
                if not self.inside.whole(count.adder_name(index)):
                    self._enter_adder(index)
        elif receiver != _TALLY and not self.inside.whole(_TALLY):
            self.send(_TALLY, receiver, _GO, self.salt)

    def _enter_adder(self, index: int) -> None:
        p, digest = self.parameters, fold(self.salt, index)
        length = p.adds + 1

        def at(n: int) -> Message:
            return (_ADD, (fold(digest, n),)) if n < p.adds else (_GET, ())

        started = 0 if self.inside.whole(_TALLY) else length
        self.lane(count.adder_name(index), _COUNTER, _ADD, at, length, started)

    def lane_of(self, message: Message) -> int:
        return _ADD

    def hear(self, sender: int, receiver: int, kind_: int, args: tuple[int, ...]) -> None:
        if kind_ == _GO:
            self._started.add(receiver)
            self.release(receiver, _COUNTER, _ADD, self.parameters.adds + 1)
            self.wake(_TALLY)
        elif kind_ == _GET:
            self._asked.add(sender)
            self.wake(sender)
        elif kind_ == _TOTAL and self.inside.whole(_TALLY):
            self.send(receiver, _TALLY, _COUNTED, *args)

    def judge(self, receiver: int, sender: int, message: Message) -> object | None:
        if receiver == _COUNTER:
            return super().judge(receiver, sender, message)
        adder, index = (sender if receiver == _TALLY else receiver), names.index_of(sender)
        if receiver == _TALLY:
            stranger = sender != count.adder_name(index) or index >= self.parameters.adders
            if stranger or message[0] != _COUNTED:
                return Wrong(None)
            if self.inside.whole(_COUNTER):
                return WAIT
            waiting = adder not in self._started
        else:
            if sender != _COUNTER or message[0] != _TOTAL or self.inside.whole(_COUNTER):
                return Wrong(None)
            waiting = adder not in self._asked
        if adder in self._told:
            return Wrong(None)
        if waiting:
            return WAIT
        return self._tell(adder, message)

    def _tell(self, adder: int, message: Message) -> object | None:
        """Compares an adder's total. The sum over all adders is a fact, so the last one's is
        exact."""
        p = self.parameters
        adds, sum = self._left()
        if len(self._told) == p.adders - 1:
            expected = message[0], (adds, sum)
            if message != expected:
                return Wrong(expected)
        elif message[1][0] > adds or not sum_fits(*message[1]):
            return Wrong(None)
        last = len(self._told) == p.adders - 1
        self._told[adder] = message[1][0], message[1][1]
        return None if last else FREE

    def _left(self) -> tuple[int, int]:
        """The adds that nobody has been told yet, as far as they are seen."""
        expected = count.receipt(self.parameters, self.salt)
        adds, sum = expected["adds"], expected["sum"]
        for told_adds, told_sum in self._told.values():
            adds, sum = adds - told_adds, add(sum, -told_sum)
        return adds, sum

    def missing(self, receiver: int) -> Iterator[tuple[int, Message | None]]:
        yield from super().missing(receiver)
        if self.inside.whole(_COUNTER):
            return
        adds, sum = 0, 0
        if receiver == _TALLY:
            for index in range(self.parameters.adders):
                adder = count.adder_name(index)
                if adder in self._started and adder not in self._told:
                    yield adder, (_COUNTED, (adds, sum))
        elif receiver in self._asked and receiver not in self._told:
            yield _COUNTER, (_TOTAL, (adds, sum))


class CountSlices(Reader):
    """The value of an `add` says which of its adder's it is."""

    def read(self, receiver: int, place: int, sender: int, message: Message) -> object:
        p, number = self.parameters, message[0]
        if number in (kind.MESSAGE_KIND_ADDER_TOTAL, kind.MESSAGE_KIND_TALLY_COUNTED):
            return self._total(sender, message)
        digest = self.digest(sender)

        def at(n: int) -> Message:
            if n == p.adds:
                return kind.MESSAGE_KIND_COUNTER_GET_AND_RESET, ()
            return kind.MESSAGE_KIND_COUNTER_ADD, (fold(digest, n),)

        if number == kind.MESSAGE_KIND_COUNTER_GET_AND_RESET:
            n = p.adds
        elif p.adders == 1:
            n = place
        else:
            values = fold_each(digest, words(min(p.adds, place + 1)))
            found = np.flatnonzero(values == message[1][0])
            n = int(found[0]) if len(found) else -1
        return Numbered((sender,), n, at, p.adds + 1) if n >= 0 else NEVER

    def _total(self, sender: int, message: Message) -> object:
        """Reads a total. The total of an only adder is everything."""
        (adds, total), everything = message[1], self._everything
        if self.parameters.adders == 1 or adds == everything[0]:
            return once(sender, (message[0], everything))
        fits = adds < everything[0] and sum_fits(adds, total)
        return once(sender, message, decided=False) if fits else NEVER

    @cached_property
    def _everything(self) -> tuple[int, int]:
        """Return the number of adds of all adders together, and their sum."""
        told = count.receipt(self.parameters, self.salt)
        return told["adds"], told["sum"]
