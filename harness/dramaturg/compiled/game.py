"""The token game, compiled with the model: it says whether logs conform, and nothing else.

The same game as ``trace/replay/token_game.py``, in which a message is held against its receiver's
log when it is sent, not when it is taken: between two actors the next one that is sent must be the
next one that was logged. So nothing that is under way is kept. An actor may take its next message
when so many were sent to it by that sender.

Where anything departs the game ends without a word: the plain one says what.
"""

from collections.abc import Callable
from typing import Final

from mypy_extensions import i64

from dramaturg.compiled.engine import Actor, Stage, Words, word
from dramaturg.compiled.signals import breathe

_OFTEN: Final = 4096
"""Messages between two looks for signals."""

NEVER: Final = 0
"""A message to an outsider, or of an outsider, that must not be."""
MAY: Final = 1
"""It may, and is decided."""
DEAF: Final = 2
"""This outsider need not be told anything."""
WAITS: Final = 3
"""It may be said later."""


class Part:
    """One actor's part in the game: the rows of its log, and how far it got."""

    def __init__(self, name: i64) -> None:
        self.name: i64 = name
        self.actor: Actor | None = None
        self.position: i64 = 0
        self.end: i64 = 0
        self.waiting: Channel | None = None
        self.ended = False
        self.outside = False
        """True if nobody watches it."""
        self.sends: dict[int, Channel] = {}
        """To whom it sends, by the log of the receiver."""


class Channel:
    """The messages of one actor to another, by the log of the receiver."""

    def __init__(self, sender: Part, receiver: Part) -> None:
        self.sender = sender
        self.receiver = receiver
        self.row: i64 = -1
        """The row of the message that is to be sent next; -1 if none is."""
        self.sent: i64 = 0
        self.taken: i64 = 0


class Game:
    """One game. First :meth:`lay` its rows, then :meth:`enter` who is there, then :meth:`run`."""

    def __init__(
        self,
        report: Callable[[int, list[int]], None],
        enter: Callable[[Actor], None],
        hear: Callable[[int, int, int, list[int]], int],
        judge: Callable[[int, int, int, list[int]], int],
    ) -> None:
        """``enter``: somebody spawns an actor. ``hear``: a sender says this to a receiver that has
        logged nothing from it. ``judge``: may a receiver take this of an outsider now."""
        self.hear = hear
        self.judge = judge
        self.stage = Stage(report, enter, self.leave)
        self.parts: dict[int, Part] = {}
        self.ready: list[Part] = []
        self.channels: list[Channel] = []
        """The channel of each row, the last one first."""
        self.later = b""
        """The next row of the same channel, in the same order."""
        self.kinds = b""
        self.arities = b""
        self.places = b""
        """The byte of each row's first argument."""
        self.args = b""
        self.deaf: set[int] = set()
        self.current: Part = Part(0)
        self.rows: i64 = 0
        self.taken: i64 = 0
        self.under_way: i64 = 0
        """Messages that were sent and not yet taken."""
        self.pairs: i64 = 0
        self.fits = True
        """True as long as nothing has departed."""

    def lay(
        self, names: bytes, ends: bytes, senders: bytes, kinds: bytes, places: bytes, args: bytes,
        arities: bytes,
    ) -> None:  # fmt: skip
        """Lay down the rows of all logs, one receiver's behind the other's: ``names`` of receivers,
        and where the rows of each end. ``arities`` is by kind."""
        self.kinds, self.places, self.args, self.arities = kinds, places, args, arities
        self.rows = len(kinds) // 8
        later = Words()
        number: i64 = len(names) // 8 - 1
        while number >= 0:
            receiver = self.part(word(names, 8 * number))
            begin: i64 = word(ends, 8 * number - 8) if number else 0
            receiver.position = begin
            receiver.end = word(ends, 8 * number)
            heard: dict[int, Channel] = {}
            channel: Channel | None = None
            row = receiver.end - 1
            while row >= begin:
                sender = word(senders, 8 * row)
                # Mostly there is one sender, or a few messages of one come behind each other.
                if channel is None or channel.sender.name != sender:
                    channel = heard.get(sender)
                if channel is None:
                    source = self.part(sender)
                    channel = Channel(source, receiver)
                    heard[sender] = channel
                    source.sends[receiver.name] = channel
                    self.pairs += 1
                later.add(channel.row)
                channel.row = row
                self.channels.append(channel)
                row -= 1
            number -= 1
        self.later = later.value()

    def part(self, name: i64) -> Part:
        found = self.parts.get(name)
        if found is None:
            found = Part(name)
            self.parts[name] = found
        return found

    def enter(self, actor: Actor) -> None:
        """It is there from now on."""
        part = self.part(actor.name)
        part.actor = actor
        actor.stage = self.stage
        self.ready.append(part)

    def leave(self) -> None:
        self.current.ended = True

    def born(self) -> list[int]:
        """The actors that are, or were, there."""
        return [name for name, part in self.parts.items() if part.actor is not None]

    def alive(self) -> int:
        """The number of those that have not ended."""
        return len([1 for part in self.parts.values() if part.actor is not None and not part.ended])

    def say(self, sender: i64, receiver: i64, kind: i64, args: list[int]) -> None:
        """Somebody who takes no part sends this."""
        words = Words()
        for each in args:
            words.add(each)
        channel = self.part(sender).sends.get(receiver)
        if channel is None:
            self.fits = False
        else:
            self._match(channel, kind, len(args), words.value(), 0)

    def wake(self, receiver: i64) -> None:
        """Try again: the message that it waits for may have become possible."""
        part = self.parts.get(receiver)
        if part is not None and part.waiting is not None:
            part.waiting = None
            self.ready.append(part)

    def run(self) -> bool:
        """Play until nothing moves. Returns whether everything has been taken, as it was sent, and
        nothing else was sent."""
        while self.ready and self.fits:
            self._consume(self.ready.pop())
        return self.fits and self.taken == self.rows

    def let_go(self) -> None:
        """Everybody holds everybody: that is not left to a collector."""
        self.channels.clear()
        for part in self.parts.values():
            part.sends.clear()
            part.actor = None
            part.waiting = None
        self.parts.clear()
        self.ready.clear()
        self.kinds = self.places = self.args = self.later = b""

    def _consume(self, part: Part) -> None:
        actor = part.actor
        if actor is None:
            return
        self.current = part
        kinds, places, args, channels = self.kinds, self.places, self.args, self.channels
        at, end, last = part.position, part.end, self.rows - 1
        while at < end:
            channel = channels[last - at]
            if channel.taken == channel.sent and not (
                channel.sender.outside and self._may(channel)
            ):
                part.waiting = channel
                break
            if part.ended:
                self.fits = False
                break
            channel.taken += 1
            self.taken += 1
            self.under_way -= 1
            if self.taken % _OFTEN == 0:
                breathe()
            actor.take_(word(kinds, 8 * at), channel.sender.name, args, word(places, 8 * at))
            at += 1
            if self.stage.sent():
                self._send(part)
            if not self.fits:
                break
        part.position = at

    def _may(self, channel: Channel) -> bool:
        """Return whether the next message may be taken of an outsider: then it has been sent now.
        Messages that the outsider is heard to send meanwhile come behind it."""
        row = channel.row
        kind = word(self.kinds, 8 * row)
        args = self._list(self.args, word(self.places, 8 * row), word(self.arities, 8 * kind))
        self._forward(channel)
        behind = channel.row
        found = self.judge(channel.receiver.name, channel.sender.name, kind, args)
        if found == MAY:
            return True
        if found == NEVER or channel.row != behind:
            self.fits = False
        channel.row = row
        channel.sent -= 1
        self.under_way -= 1
        return False

    def _send(self, sender: Part) -> None:
        """Hold against the logs what it has sent upon a message."""
        sent = self.stage.fetched()
        at: i64 = 0
        end: i64 = len(sent)
        while at < end and self.fits:
            receiver = word(sent, at)
            head = word(sent, at + 8)
            kind, many = head & 0xFFFFFFFF, head >> 32
            at += 16
            channel = sender.sends.get(receiver)
            if channel is not None:
                self._match(channel, kind, many, sent, at)
            elif receiver not in self.deaf:
                found = self.hear(sender.name, receiver, kind, self._list(sent, at, many))
                if found == DEAF:
                    self.deaf.add(receiver)
                elif found == NEVER:
                    self.fits = False
            at += 8 * many

    def _match(self, channel: Channel, kind: i64, many: i64, sent: bytes, at: i64) -> None:
        row = channel.row
        if row < 0 or word(self.kinds, 8 * row) != kind or word(self.arities, 8 * kind) != many:
            self.fits = False
            return
        place = word(self.places, 8 * row)
        number: i64 = 0
        while number < many:
            if word(sent, at + 8 * number) != word(self.args, place + 8 * number):
                self.fits = False
                return
            number += 1
        self._forward(channel)
        receiver = channel.receiver
        if receiver.waiting is channel:
            receiver.waiting = None
            self.ready.append(receiver)

    def _forward(self, channel: Channel) -> None:
        channel.row = word(self.later, 8 * (self.rows - 1 - channel.row))
        channel.sent += 1
        self.under_way += 1

    def _list(self, args: bytes, at: i64, many: i64) -> list[int]:
        found: list[int] = []
        number: i64 = 0
        while number < many:
            found.append(word(args, at + 8 * number))
            number += 1
        return found
