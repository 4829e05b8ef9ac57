"""Fanout's outsiders: the master and its runners. All that is sent there is a fact."""

from collections.abc import Iterable
from typing import ClassVar

from dramaturg.model import fanout, names
from dramaturg.model.actor import Actor
from dramaturg.model.fold import fold
from dramaturg.trace.events import Message
from dramaturg.trace.partial.basis.outsiders import Outside
from dramaturg.trace.partial.basis.reader import Numbered, Reader
from dramaturg.v2 import trace_pb2 as kind

_MASTER = names.name(names.MASTER)


class Fanout(Outside):
    """The master keeps as many tasks under way at a runner as its window says; a runner hears
    nobody else."""

    CLOSED: ClassVar = (names.RUNNER,)

    def births(self) -> Iterable[Actor]:
        p = self.parameters
        if self.inside.whole(_MASTER):
            yield fanout.Master(p)
            for index in range(p.runners):
                if not self.inside.whole(fanout.runner_name(index)):
                    self.stand_in(fanout.Runner(index, p))
        for index in self.inside.of_class(names.RUNNER, p.runners):
            if self.inside.whole(fanout.runner_name(index)):
                yield fanout.Runner(index, p)

    def enter(self, actor: Actor) -> None:
        receiver = actor.name
        if receiver == _MASTER or self.inside.whole(_MASTER):
            return
        p, digest = self.parameters, fold(self.salt, names.index_of(receiver))

        def task(n: int) -> Message:
            return kind.MESSAGE_KIND_RUNNER_TASK, (n, fold(digest, n))

        first = min(p.window, p.tasks) if p.window else p.tasks
        self.lane(_MASTER, receiver, kind.MESSAGE_KIND_RUNNER_TASK, task, p.tasks, first)

    def hear(self, sender: int, receiver: int, kind_: int, args: tuple[int, ...]) -> None:
        self.tell(sender, receiver, kind_, args)
        if self.parameters.window:
            self.release(receiver, sender, kind.MESSAGE_KIND_RUNNER_TASK)


class FanoutSlices(Reader):
    """Tasks and what is answered are numbered."""

    def read(self, receiver: int, place: int, sender: int, message: Message) -> object:
        number, args = message
        lead = receiver == _MASTER
        digest = self.digest(sender if lead else receiver)

        def at(n: int) -> Message:
            value = fold(digest, n)
            return number, (n, fold(value, n) if lead else value)

        return Numbered((number, sender), args[0] if lead else place, at, self.parameters.tasks)
