"""Bang: many senders, one receiver (spec/bang.md)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from asyncio_actors.benchmarks import table
from asyncio_actors.benchmarks.actor import Actor
from asyncio_actors.benchmarks.actor import Sender as Anybody
from asyncio_actors.benchmarks.benchmark import from_control
from asyncio_actors.benchmarks.fold import add, fold
from asyncio_actors.benchmarks.mailbox import Address, Mailbox, Message
from asyncio_actors.benchmarks.messages import message
from asyncio_actors.benchmarks.system import System
from asyncio_actors.benchmarks.windows import Windowed, Windows


class Receiver(Actor):
    """The lead: answers whatever it is sent."""

    CLASS = table.RECEIVER

    __slots__ = (
        "_answers", "_bangs", "_before", "_finished", "_given", "_salt", "_senders", "_taken",
        "_windows",
    )  # fmt: skip

    def __init__(
        self,
        system: System,
        address: Mailbox[Any],
        senders: "Sequence[Address[Sender]]",
        parameters: "Bang",
    ) -> None:
        super().__init__(system, address)
        self._senders = senders
        self._salt = 0
        self._bangs = 0
        self._answers = 0
        self._given = 0
        self._taken = 0
        self._finished = 0
        self._windows = Windows(self, Receiver.tick, parameters)
        self._before = 0

    @message(table.RECEIVER_START)
    def start(self, sender: Anybody, salt: int) -> None:
        self._windows.begin()
        self._salt = salt
        for each in self._senders:
            self.send(each, Sender.go, salt)

    @message(table.RECEIVER_BANG)
    def bang(self, sender: "Address[Sender]", number: int, value: int) -> None:
        self._bangs += 1
        answer = fold(value, self._salt)
        self.send(sender, Sender.answer, number, answer)
        self._given = add(self._given, answer)

    @message(table.RECEIVER_FINISHED)
    def finished(self, sender: Anybody, answers: int, taken: int) -> None:
        self._answers += answers
        self._taken = add(self._taken, taken)
        self._finished += 1
        if self._finished == len(self._senders):
            self.system.control.done(self._bangs, self._answers, self._given, self._taken)
            self.end()

    @message(table.RECEIVER_TICK)
    def tick(self, sender: Anybody, number: int) -> None:
        last = self._windows.ended(number)
        self.system.control.window(number, self._bangs - self._before)
        self._before = self._bangs
        if last:
            for each in self._senders:
                self.send(each, Sender.stop)


class Sender(Actor):
    """Sends all its bangs at once; in the windowed form, one for each answer after that."""

    CLASS = table.SENDER

    __slots__ = (
        "_answers", "_digest", "_index", "_parameters", "_receiver", "_sent", "_stopped", "_taken",
    )  # fmt: skip

    def __init__(
        self,
        system: System,
        address: Mailbox[Any],
        index: int,
        receiver: Address[Receiver],
        parameters: "Bang",
    ) -> None:
        super().__init__(system, address)
        self._index = index
        self._receiver = receiver
        self._parameters = parameters
        self._digest = 0
        self._sent = 0
        self._answers = 0
        self._taken = 0
        # In the counted form nothing is sent but upon `go`.
        self._stopped = not parameters.windows

    @message(table.SENDER_GO)
    def go(self, sender: Anybody, salt: int) -> None:
        self._digest = fold(salt, self._index)
        for _ in range(self._parameters.messages):
            self._bang()

    @message(table.SENDER_ANSWER)
    def answer(self, sender: Anybody, number: int, value: int) -> None:
        self._answers += 1
        self._taken = add(self._taken, value)
        if not self._stopped:
            self._bang()
        self._look_whether_all_is_answered()

    @message(table.SENDER_STOP)
    def stop(self, sender: Anybody) -> None:
        self._stopped = True
        self._look_whether_all_is_answered()

    def _bang(self) -> None:
        self.send(self._receiver, Receiver.bang, self._sent, fold(self._digest, self._sent))
        self._sent += 1

    def _look_whether_all_is_answered(self) -> None:
        if self._stopped and self._answers == self._sent:
            self.send(self._receiver, Receiver.finished, self._answers, self._taken)
            self.end()


@dataclass(frozen=True)
class Bang(Windowed):
    """``messages`` of each sender; in the windowed form, those that it has unanswered."""

    senders: int
    messages: int

    def populate(self, system: System) -> Address[Any]:
        receiver, senders = system.address(Receiver), system.addresses(Sender, self.senders)
        system.spawn(receiver, Receiver, senders, self)
        for index, sender in enumerate(senders):
            system.spawn(sender, Sender, index, receiver, self)
        return receiver

    def start(self, salt: int) -> Message:
        return from_control(Receiver.start, salt)
