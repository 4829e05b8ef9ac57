"""Ping-pong's outsiders: either answers the other, and all that is sent there is a fact."""

from collections.abc import Iterable
from typing import ClassVar

from dramaturg.model import names, pingpong
from dramaturg.model.actor import Actor
from dramaturg.model.fold import fold
from dramaturg.trace.events import Message
from dramaturg.trace.partial.basis.outsiders import ENDLESS, FREE, Open, Outside
from dramaturg.trace.partial.basis.reader import NEVER, Numbered, Reader
from dramaturg.v2 import trace_pb2 as kind

_PING, _PONG = names.name(names.PING), names.name(names.PONG)


class PingPong(Outside):
    """Either answers the other: the log of one says what both did."""

    CLOSED: ClassVar = (names.PING, names.PONG)
    OPEN: ClassVar = (Open(names.PONG, names.PING, "which `ping` is the last", windowed=True),)

    def births(self) -> Iterable[Actor]:
        if self.inside.whole(_PING):
            yield pingpong.Ping(_PING, _PONG, self.parameters)
            self.stand_in(pingpong.Pong(_PONG, self.parameters))
        if self.inside.whole(_PONG):
            yield pingpong.Pong(_PONG, self.parameters)

    def enter(self, actor: Actor) -> None:
        receiver = actor.name
        if receiver != _PONG or self.inside.whole(_PING):
            return
        rounds = self.parameters.rounds
        length = ENDLESS if self.parameters.windows else rounds

        def ping(n: int) -> Message:
            left = 1 if self.parameters.windows else rounds - 1 - n
            return kind.MESSAGE_KIND_PONG_PING, (
                left,
                pingpong.wide(fold(self.salt, n), self.parameters.shift),
            )

        self.lane(_PING, _PONG, kind.MESSAGE_KIND_PONG_PING, ping, length, released=1)

    def hear(self, sender: int, receiver: int, kind_: int, args: tuple[int, ...]) -> None:
        self.tell(sender, receiver, kind_, args)
        self.release(receiver, sender, kind.MESSAGE_KIND_PONG_PING)

    def judge(self, receiver: int, sender: int, message: Message) -> object | None:
        lane = self.lanes.get(receiver, {}).get((sender, message[0]))
        if lane is not None and self.parameters.windows and lane.taken < lane.released:
            last = message[0], (0, lane.at(lane.taken)[1][1])
            if message == last:
                lane.taken += 1
                lane.length = lane.taken
                return FREE
        return super().judge(receiver, sender, message)


class PingPongSlices(Reader):
    """Both take one message a round; if ticks come between them, the value says which."""

    def read(self, receiver: int, place: int, sender: int, message: Message) -> object:
        number, rounds = message[0], self.parameters.rounds
        if number == kind.MESSAGE_KIND_PING_TICK:
            return self.window(message)
        pong = number == kind.MESSAGE_KIND_PING_PONG

        def at(n: int) -> Message:
            value = fold(self.salt, n)
            left = 1 if self.windowed else rounds - 1 - n
            shift = self.parameters.shift
            return number, (left, pingpong.wide(fold(value, n) if pong else value, shift))

        if not self.windowed:
            return Numbered((number,), place - pong, at, rounds)
        left, value = message[1]
        first = max(0, place - pong - (self.parameters.windows if pong else 0))
        for n in range(first, place - pong + 1):
            if at(n)[1][1] == value and left in (0, 1):
                return Numbered((number,), n, lambda m: (number, (left, at(m)[1][1])), ENDLESS)
        return NEVER
