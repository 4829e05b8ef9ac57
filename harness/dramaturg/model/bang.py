"""Bang (spec/bang.md): many senders, one receiver that answers every message.

With windows a sender keeps a number of messages unanswered until it is told to stop.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.model.windows import Windows
from dramaturg.v1 import trace_pb2 as kind

_CONTROL = names.name(names.CONTROL)
_RECEIVER = names.name(names.RECEIVER)


def sender_name(index: int) -> int:
    return names.name(names.SENDER, index)


@dataclass(frozen=True, slots=True)
class Parameters:
    """Senders, and what each of them sends, or has unanswered while there are windows."""

    senders: int
    messages: int
    windows: int = 0
    window: int = 0


RANGES = {"senders": (1, 2**20), "messages": (1, 2**32 - 1)}
"""What each parameter must be in, ends included (benchmarks.proto)."""


class Receiver(Actor):
    """Starts the senders, answers them, waits until all have had their answers (BANG-1, BANG-5)."""

    actor_class = names.RECEIVER

    __slots__ = ("parameters", "sending", "bangs", "answers", "windows")

    def __init__(self, parameters: Parameters) -> None:
        super().__init__(_RECEIVER)
        self.parameters = parameters
        self.sending = parameters.senders
        self.bangs = 0
        self.answers = 0
        self.windows = Windows(self, kind.MESSAGE_KIND_RECEIVER_TICK, parameters.windows)

    def start(self, sender: int) -> None:
        if self.parameters.windows:
            self.windows.open()
        for index in range(self.parameters.senders):
            self.send(sender_name(index), kind.MESSAGE_KIND_SENDER_GO)

    def bang(self, sender: int, number: int) -> None:
        self.bangs += 1
        self.send(sender, kind.MESSAGE_KIND_SENDER_ANSWER, number)

    def tick(self, sender: int, number: int) -> None:
        self.windows.report(number, self.windows.since(self.bangs))
        if not self.windows.next(number):
            for index in range(self.parameters.senders):
                self.send(sender_name(index), kind.MESSAGE_KIND_SENDER_STOP)

    def finished(self, sender: int, answers: int) -> None:
        self.answers += answers
        self.sending -= 1
        if self.sending == 0:
            self.send(_CONTROL, kind.MESSAGE_KIND_CONTROL_DONE, self.bangs, self.answers, 0)
            self.terminate()


class Sender(Actor):
    """Sends everything without waiting, then counts the answers (BANG-2, BANG-6)."""

    actor_class = names.SENDER

    __slots__ = ("parameters", "sent", "answers", "banging")

    def __init__(self, index: int, parameters: Parameters) -> None:
        super().__init__(sender_name(index))
        self.parameters = parameters
        self.sent = 0
        self.answers = 0
        self.banging = parameters.windows > 0

    def go(self, sender: int) -> None:
        for _ in range(self.parameters.messages):
            self._bang()

    def answer(self, sender: int, number: int) -> None:
        self.answers += 1
        if self.banging:
            self._bang()
        self._end_when_done()

    def stop(self, sender: int) -> None:
        self.banging = False
        self._end_when_done()

    def _bang(self) -> None:
        self.send(_RECEIVER, kind.MESSAGE_KIND_RECEIVER_BANG, self.sent)
        self.sent += 1

    def _end_when_done(self) -> None:
        if not self.banging and self.answers == self.sent:
            self.send(_RECEIVER, kind.MESSAGE_KIND_RECEIVER_FINISHED, self.answers)
            self.terminate()


def receipt(p: Parameters) -> dict[str, int]:
    """What every receipt must say (BANG-3); of a windowed run nobody knows it before."""
    total = p.senders * p.messages
    return {} if p.windows else {"bangs": total, "answers": total}


def rest(p: Parameters) -> int:
    """What is in no window: what each sender has unanswered when it stops (BANG-6)."""
    return p.senders * p.messages


def messages(p: Parameters, counts: Mapping[str, int]) -> int:
    """The message budget: `go`, `finished`, every message with its answer; with windows a
    `tick` for each, and `stop`."""
    windowed = p.windows + p.senders if p.windows else 0
    return 2 * p.senders + counts["bangs"] + counts["answers"] + windowed
