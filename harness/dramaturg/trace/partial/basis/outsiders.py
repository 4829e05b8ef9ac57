"""Outsiders: what is known of actors that nobody watches (spec/parts.md).

One class for each benchmark stands in for all of its outsiders. It is told what watched
actors send them, and it answers for what watched actors log from them. Each message of an outsider
is one of three:

*fixed*    a fact: sent into the watched actor's inbox, or kept as a :class:`Lane`
*ordered*  the outsider's own words in an order of their own, the order between them free
*free*     bounded: it must agree with facts, the rest is open

A stand-in does whatever it may at the first moment at which it may. So nothing is refused
that some schedule of the outsiders allows.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.trace.events import AnyLogs, Message
from dramaturg.trace.watches import ALL, Watched, Watches

WAIT = object()
"""Not yet: something that a watched actor has still to do comes before this."""

FREE = object()
"""Taken, and its content is only bounded."""

ENDLESS = 1 << 62
"""The length of a lane that nobody knows."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """Never: the sender's next message to this receiver is another one, or there is none."""

    expected: Message | None


@dataclass(frozen=True, slots=True)
class Open:
    """An open point of the messages of outsiders: a row of the table in spec/parts.md."""

    receiver: int
    """The class of the watched actor that takes it."""
    sender: int
    """The class of the outsider."""
    why: str
    order_only: bool = False
    """Its content is decided; only its place among what others sent, or in its sender's own
    other words, is open."""
    windowed: bool = False
    """True if it concerns the windowed form alone."""

    def __str__(self) -> str:
        who, whom = names.LABELS[self.sender], names.LABELS[self.receiver]
        return f"{who} to {whom}: {self.why}"


class Lane:
    """Messages of one outsider to one watched actor, of which each is a fact."""

    __slots__ = ("at", "length", "released", "taken")

    def __init__(self, at: Callable[[int], Message], length: int, released: int) -> None:
        self.at = at
        """The nth message, from 0."""
        self.length = length
        """How many there are in all."""
        self.released = released
        """How many can have been sent by now."""
        self.taken = 0

    def next(self) -> Message | None:
        """The message that comes next; None if none does."""
        return self.at(self.taken) if self.taken < self.length else None


class Inside:
    """The watched actors: whole, or in a slice."""

    def __init__(self, watches: Watches, taken: dict[int, int]) -> None:
        self._rows = list(watches)
        self._watched = Watched(watches)
        self._taken = taken
        self._known: dict[int, bool] = {}

    def whole(self, actor: int) -> bool:
        """True if all that this actor took is in its log, if there is such an actor."""
        known = self._known.get(actor)
        if known is None:
            wanted = self._watched.slice_of(actor)
            known = self._known[actor] = wanted is not None and (
                wanted.begin == 0
                and (wanted.events == ALL or self._taken.get(actor, ALL) <= wanted.events)
            )
        return known

    def of_class(self, actor_class: int, count: int, least: int = 0) -> Iterator[int]:
        """Indices below ``count`` of actors of this class that may be watched whole, in order.
        (Who has a second index is as watched as its first one is.)"""
        found: set[int] = set()
        for row in self._rows:
            if getattr(row, "class") not in (0, actor_class) or getattr(row, "from"):
                continue
            begin = max(row.first, least)
            begin += (row.remainder - begin) % row.modulus
            found.update(range(begin, min(row.last + 1, count), row.modulus))
        yield from sorted(found)

    def begin(self, actor: int) -> int:
        """The number of the first message in its log."""
        wanted = self._watched.slice_of(actor)
        return wanted.begin if wanted is not None else 0


class Alone(Inside):
    """One actor and nobody else."""

    def __init__(self, actor: int) -> None:
        super().__init__((), {})
        self._actor = actor

    def whole(self, actor: int) -> bool:
        return actor == self._actor

    def of_class(self, actor_class: int, count: int, least: int = 0) -> Iterator[int]:
        index = names.index_of(self._actor)
        if names.class_of(self._actor) == actor_class and least <= index < count:
            yield index


Key = tuple[int, int]
"""A lane's: the outsider's name, and what tells its lanes apart, mostly the kind."""


class Outside:
    """Base of the stand-ins. Nothing is known: whatever comes from outside is invented."""

    CLOSED: ClassVar[tuple[int, ...]]
    """Classes whose actors alone are closed parts of the counted form: in each, all is a fact."""
    OPEN: ClassVar[tuple[Open, ...]] = ()
    DEAF: ClassVar[frozenset[int]] = frozenset()
    """Classes of outsiders that need not be told what watched actors send them."""

    model: Any = None
    """The module that watched actors are born from, if that may be a compiled one as well."""
    ASKS: ClassVar[frozenset[int]] = frozenset()
    """Classes of watched actors that it asks for their state: those are the plain model's."""

    def __init__(self, parameters: Any, salt: int, inside: Inside, logs: AnyLogs) -> None:
        self.parameters = parameters
        self.of_model = parameters
        """As :attr:`model` has them."""
        self.salt = salt
        self.ends = True
        """Whether control says the last line of an iteration."""
        self.inside = inside
        self.logs = logs
        self.lanes: dict[int, dict[Key, Lane]] = {}
        self.standing: dict[int, Actor] = {}
        """Outsiders whose every word follows from what is known: the model's own."""
        # Set by the replay.
        self.send: Callable[..., None]
        """``send(sender, receiver, kind, *args)``: into a watched actor's inbox."""
        self.wake: Callable[[int], None]

    def births(self) -> Iterable[Actor]:
        """Watched actors that are there at first, or that outsiders spawn."""
        raise NotImplementedError

    def enter(self, actor: Actor) -> None:
        """A watched actor has been born: what it will hear from outsiders from the first."""

    def spawned(self, actor: Actor) -> None:
        """A watched actor has spawned one that nobody watches."""

    def hear(self, sender: int, receiver: int, kind: int, args: tuple[int, ...]) -> None:
        """A watched actor, or one of :attr:`standing`, sent this to an outsider."""

    def judge(self, receiver: int, sender: int, message: Message) -> object | None:
        """May ``receiver`` take this from an outsider now? None: yes, and it is decided."""
        return self.in_lane(receiver, sender, message)

    def in_lane(self, receiver: int, sender: int, message: Message) -> object | None:
        """Check that it is the next one of its lane."""
        lane = self.lanes.get(receiver, {}).get((sender, self.lane_of(message)))
        if lane is None and sender in self.standing:
            return WAIT
        if lane is None or lane.taken == lane.length:
            return Wrong(self.next_from(sender, receiver))
        if lane.taken == lane.released:
            return WAIT
        expected = lane.at(lane.taken)
        if expected != message:
            return Wrong(expected)
        lane.taken += 1
        return None

    def lane_of(self, message: Message) -> int:
        """The key by which the lanes of one sender differ."""
        return message[0]

    def next_from(self, sender: int, receiver: int) -> Message | None:
        """Something that this outsider has still to send it."""
        lanes = self.lanes.get(receiver, {}).items()
        due = (lane.next() for (who, _), lane in lanes if who == sender)
        return next((message for message in due if message is not None), None)

    def quiet(self, clear: bool) -> bool:
        """Nothing moves any more; ``clear``: and all that was sent has been taken. True if
        something can move now."""
        return False

    def missing(self, receiver: int) -> Iterator[tuple[int, Message | None]]:
        """The messages that can have been sent, and never came, with their senders."""
        for (sender, _), lane in self.lanes.get(receiver, {}).items():
            if lane.taken < min(lane.released, lane.length):
                yield sender, lane.at(lane.taken)

    def amiss(self, receiver: int) -> int | None:
        """The place of an event that does not fit to all others; None if there is none."""
        return None

    def overdue(self, receiver: int) -> Iterator[tuple[int, Message]]:
        """The messages that had to come, although nothing that was seen has let them be sent."""
        for (sender, _), lane in self.lanes.get(receiver, {}).items():
            if lane.taken < lane.length < ENDLESS:
                yield sender, lane.at(lane.taken)

    def open(self, classes: set[int]) -> tuple[Open, ...]:
        """The open points of actors of these classes."""
        windowed = bool(getattr(self.parameters, "windows", 0))
        return tuple(
            row for row in self.OPEN if row.receiver in classes and (windowed or not row.windowed)
        )

    # --- for subclasses ---

    def lane(
        self,
        sender: int,
        receiver: int,
        key: int,
        at: Callable[[int], Message],
        length: int,
        released: int,
    ) -> Lane:
        """A new lane from that outsider to that watched actor."""
        made = Lane(at, length, released)
        self.lanes.setdefault(receiver, {})[sender, key] = made
        return made

    def release(self, sender: int, receiver: int, key: int, count: int = 1) -> None:
        """So many more of that lane can have been sent."""
        lane = self.lanes.get(receiver, {}).get((sender, key))
        if lane is not None:
            lane.released += count
            self.wake(receiver)

    def stand_in(self, actor: Actor) -> Actor:
        """Have the model's own actor take at once what it is sent."""
        name = actor.name

        def send(receiver: int, kind: int, *args: int) -> None:
            if receiver >> 56 == names.CONTROL:
                return
            if self.inside.whole(receiver):
                self.send(name, receiver, kind, *args)
            else:
                self.hear(name, receiver, kind, args)

        actor.send = send
        actor.terminate = lambda: None
        self.standing[name] = actor
        return actor

    def tell(self, sender: int, receiver: int, kind: int, args: tuple[int, ...]) -> None:
        """Have it take this."""
        actor = self.standing.get(receiver)
        if actor is not None:
            actor.handlers[kind](actor, sender, *args)
