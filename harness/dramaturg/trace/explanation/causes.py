"""The event upon which each message was sent: a divergence is traced back along these.

The replay does not keep it, since it would cost every run and few are ever asked. If one is, each
actor takes its messages once more, by itself: by ACT-1 its log alone says what it sent, and nothing
needs to be in any order.
"""

from array import array
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterator
from functools import partial
from typing import NamedTuple

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.model.workload import Workload
from dramaturg.trace.events import Event, Logs, Message

_Numbers = partial(array, "L")
"""Numbers of as many events as a run has: a list takes four times as much memory."""


class Place(NamedTuple):
    """An event: its place in the receive log of an actor."""

    actor: int
    position: int


class Sent(NamedTuple):
    """A message that the model sent, and upon which event of its sender's log."""

    upon: Place
    receiver: int
    nth: int
    """The number of messages that its sender had sent to that receiver before."""
    message: Message


class Causes:
    """The causes of a run, as far as its logs could be consumed.

    ``taken`` says for each actor how many of its events that were (``Verdict.taken``).
    """

    def __init__(
        self,
        workload: Workload,
        logs: Logs,
        taken: dict[int, int],
        outside: Callable[[int], bool] = lambda actor: False,
    ) -> None:
        self.logs = logs
        self.outside = outside
        """Whether nobody watched this actor, so that it is not known what it did."""
        self.taken = taken
        self.entered: set[int] = set()
        """Actors that the model made."""
        self.ended: set[int] = set()
        """Those of them that it ended."""
        self._places: dict[int, defaultdict[int, array[int]]] = {}
        """For the receivers that were asked for: the places in its log, by sender."""
        self._workload = workload
        self._upon: defaultdict[tuple[int, int], array[int]] = defaultdict(_Numbers)
        for sent in self._perform():
            self._upon[sent.upon.actor, sent.receiver].append(sent.upon.position)
        self._nth = {actor: self._count(actor) for actor in taken}

    def log_of(self, actor: int) -> list[Event]:
        """The events that it received; empty if it has no log."""
        return self.logs.get(actor, [])

    def consumed(self, actor: int) -> list[Event]:
        """As far as it could be consumed."""
        return self.log_of(actor)[: self.taken.get(actor, 0)]

    def of(self, place: Place) -> Place | None:
        """The event upon which this event's message was sent; None if control sent it."""
        numbers = self._nth.get(place.actor, ())
        if place.position >= len(numbers):
            # A slice that could not be performed shows nothing but its own messages.
            return None
        sender = self.logs[place.actor][place.position][0]
        return self.of_nth(sender, place.actor, numbers[place.position])

    def of_nth(self, sender: int, receiver: int, nth: int) -> Place | None:
        """The event upon which ``sender`` sent its ``nth`` message to ``receiver``, from 0."""
        upon = self._upon[sender, receiver]
        return Place(sender, upon[nth]) if nth < len(upon) else None

    def sent_by(self, place: Place, receiver: int) -> int:
        """Return the number of messages that the actor of this event had sent to ``receiver`` after
        it."""
        return bisect_right(self._upon.get((place.actor, receiver), ()), place.position)

    def chain(self, place: Place | None) -> list[Place]:
        """The events that led to this one, each the cause of the next; from control's word on."""
        found = []
        while place is not None:
            found.append(place)
            place = self.of(place)
        return found[::-1]

    def is_before(self, one: Place, other: Place) -> bool:
        """True if the one event came before the other whatever the schedule was: an actor takes its
        messages one after the other, and each after the event upon which it was sent."""
        seen: dict[int, int] = {}
        left = [other]
        while left:
            actor, latest = left.pop()
            earliest = seen.get(actor, -1) + 1
            if latest < earliest:
                continue
            seen[actor] = latest
            if actor == one.actor and latest >= one.position:
                return True
            causes = (self.of(Place(actor, at)) for at in range(earliest, latest + 1))
            left += [cause for cause in causes if cause is not None]
        return False

    def last(self, actor: int) -> Place | None:
        """The last event that was consumed of this actor's log."""
        count = len(self.consumed(actor))
        return Place(actor, count - 1) if count else None

    def is_spent(self, actor: int) -> bool:
        """True if all of its log was consumed, so that messages that it has not taken were lost."""
        return len(self.consumed(actor)) == len(self.log_of(actor))

    def sent_upon(self, place: Place) -> list[Sent]:
        """All that was sent upon this event, in order."""
        return [sent for sent in self._perform() if sent.upon == place]

    def between(self, sender: int, receiver: int) -> list[Message]:
        """All that ``sender`` sent to ``receiver``, in order."""
        channel = sender, receiver
        return [
            sent.message for sent in self._perform() if (sent.upon.actor, sent.receiver) == channel
        ]

    def never_taken(self, receiver: int) -> tuple[int, Message] | None:
        """A message that was sent to this actor and is nowhere in its log, with its sender."""
        logged = Counter(sender for sender, _ in self.log_of(receiver))
        for (sender, its), upon in self._upon.items():
            if its == receiver and len(upon) > logged[sender]:
                return sender, self.between(sender, receiver)[logged[sender]]
        return None

    def mistaken(self, sender: int, receiver: int, message: Message) -> Iterator[tuple[int, int]]:
        """Others of the receiver's class that took this message from that sender more often than
        it sent it to them, and where they took it the first time too many."""
        sent = self._copies(sender, message)
        for actor in self._kin(receiver):
            places = [p for p, event in enumerate(self.logs[actor]) if event == (sender, message)]
            if len(places) > sent[actor]:
                yield actor, places[sent[actor]]

    def deprived(self, sender: int, receiver: int, message: Message) -> Iterator[int]:
        """Others of the receiver's class that were sent this message more often than they took
        it."""
        for actor, count in self._copies(sender, message).items():
            alike = actor != receiver and names.class_of(actor) == names.class_of(receiver)
            if alike and self.log_of(actor).count((sender, message)) < count:
                yield actor

    def _copies(self, sender: int, message: Message) -> Counter[int]:
        """Return how often this message was sent by that actor, by receiver."""
        return Counter(
            each.receiver
            for each in self._perform()
            if each.upon.actor == sender and each.message == message
        )

    def _kin(self, receiver: int) -> list[int]:
        return [
            actor
            for actor in self.logs
            if actor != receiver and names.class_of(actor) == names.class_of(receiver)
        ]

    def place_of(self, sender: int, receiver: int, nth: int) -> Place | None:
        """Return the place at which ``receiver`` took the ``nth`` message of ``sender``; None if it
        never did."""
        if receiver not in self._places:
            places = self._places[receiver] = defaultdict(_Numbers)
            for position, (by, _) in enumerate(self.consumed(receiver)):
                places[by].append(position)
        of_sender = self._places[receiver][sender]
        return Place(receiver, of_sender[nth]) if nth < len(of_sender) else None

    def before(self, place: Place) -> Actor:
        """The actor of this event, in its state before it."""
        performing = self._perform(place)
        while True:
            try:
                next(performing)
            except StopIteration as stopped:
                assert isinstance(stopped.value, Actor)
                return stopped.value

    def _perform(self, until: Place | None = None) -> Generator[Sent, None, Actor | None]:
        """All that was sent. Stops before the event ``until``, and returns whose it is."""
        unperformed = self._workload.initial()
        while unperformed:
            actor = unperformed.pop()
            self.entered.add(actor.name)
            out: list[tuple[int, Message]] = []
            actor.send = partial(_send, out)
            actor.spawn = unperformed.append
            actor.terminate = partial(self.ended.add, actor.name)
            numbers: Counter[int] = Counter()
            for position, (sender, (kind, args)) in enumerate(self.consumed(actor.name)):
                if until == (actor.name, position):
                    return actor
                actor.handlers[kind](actor, sender, *args)
                for receiver, message in out:
                    yield Sent(Place(actor.name, position), receiver, numbers[receiver], message)
                    numbers[receiver] += 1
                out.clear()
        return None

    def _count(self, actor: int) -> "array[int]":
        """For each event of a log, how many its sender's were before."""
        numbers: Counter[int] = Counter()
        found = _Numbers()
        for sender, _ in self.consumed(actor):
            found.append(numbers[sender])
            numbers[sender] += 1
        return found


def _send(out: list[tuple[int, Message]], receiver: int, kind: int, *args: int) -> None:
    out.append((receiver, (kind, args)))
