"""Outsiders of sleepers: the alarm and who sleeps. All that is sent there is a fact."""

from collections.abc import Iterable
from typing import ClassVar

from dramaturg.model import names, sleepers
from dramaturg.model.actor import Actor
from dramaturg.model.fold import fold
from dramaturg.trace.events import Message
from dramaturg.trace.partial.basis.outsiders import Outside
from dramaturg.trace.partial.basis.reader import Numbered, Reader
from dramaturg.v2 import trace_pb2 as kind

_ALARM = names.name(names.ALARM)


class Sleepers(Outside):
    """The alarm sends each sleeper to sleep when it has woken up; a sleeper hears nobody else
    but its timer."""

    CLOSED: ClassVar = (names.SLEEPER,)

    def births(self) -> Iterable[Actor]:
        p = self.parameters
        if self.inside.whole(_ALARM):
            yield sleepers.Alarm(p)
            for index in range(p.sleepers):
                if not self.inside.whole(sleepers.sleeper_name(index)):
                    self.stand_in(sleepers.Sleeper(index, p))
        for index in self.inside.of_class(names.SLEEPER, p.sleepers):
            if self.inside.whole(sleepers.sleeper_name(index)):
                yield sleepers.Sleeper(index, p)

    def enter(self, actor: Actor) -> None:
        receiver = actor.name
        if receiver != _ALARM and not self.inside.whole(_ALARM):
            self._sleep(receiver, 0)

    def hear(self, sender: int, receiver: int, kind_: int, args: tuple[int, ...]) -> None:
        self.tell(sender, receiver, kind_, args)
        if kind_ == kind.MESSAGE_KIND_ALARM_AWAKE and args[0] + 1 < self.parameters.naps:
            self._sleep(sender, args[0] + 1)

    def _sleep(self, sleeper: int, number: int) -> None:
        value = fold(fold(self.salt, names.index_of(sleeper)), number)
        if self.inside.whole(sleeper):
            self.send(_ALARM, sleeper, kind.MESSAGE_KIND_SLEEPER_SLEEP, number, value)


class SleepersSlices(Reader):
    """Naps and what is answered are numbered."""

    def read(self, receiver: int, place: int, sender: int, message: Message) -> object:
        p, number, args = self.parameters, *message
        if number == kind.MESSAGE_KIND_SLEEPER_WAKE:
            return Numbered((number,), place // 2, lambda n: (number, (n,)), p.naps)
        lead = receiver == _ALARM
        digest = self.digest(sender if lead else receiver)

        def at(n: int) -> Message:
            value = fold(digest, n)
            return number, (n, fold(value, p.delay) if lead else value)

        return Numbered((number, sender), args[0] if lead else place // 2, at, p.naps)
