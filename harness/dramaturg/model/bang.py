"""Bang (spec/bang.md): many senders, one receiver that answers every message."""

from dataclasses import dataclass

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.v1 import trace_pb2 as kind

_CONTROL = names.name(names.CONTROL)
_RECEIVER = names.name(names.RECEIVER)


def sender_name(index: int) -> int:
    return names.name(names.SENDER, index)


@dataclass(frozen=True, slots=True)
class Parameters:
    """Senders, and what each of them sends."""

    senders: int
    messages: int


RANGES = {"senders": (1, 2**20), "messages": (1, 2**32 - 1)}
"""What each parameter must be in, ends included (benchmarks.proto)."""


class Receiver(Actor):
    """Starts the senders, answers them, and waits until all have had their answers (BANG-1)."""

    actor_class = names.RECEIVER

    __slots__ = ("parameters", "sending", "bangs", "answers")

    def __init__(self, parameters: Parameters) -> None:
        super().__init__(_RECEIVER)
        self.parameters = parameters
        self.sending = parameters.senders
        self.bangs = 0
        self.answers = 0

    def start(self, sender: int) -> None:
        for index in range(self.parameters.senders):
            self.send(sender_name(index), kind.MESSAGE_KIND_SENDER_GO)

    def bang(self, sender: int, number: int) -> None:
        self.bangs += 1
        self.send(sender, kind.MESSAGE_KIND_SENDER_ANSWER, number)

    def finished(self, sender: int, answers: int) -> None:
        self.answers += answers
        self.sending -= 1
        if self.sending == 0:
            self.send(_CONTROL, kind.MESSAGE_KIND_CONTROL_DONE, self.bangs, self.answers, 0)
            self.terminate()


class Sender(Actor):
    """Sends everything without waiting, then counts the answers (BANG-2)."""

    actor_class = names.SENDER

    __slots__ = ("parameters", "answers")

    def __init__(self, index: int, parameters: Parameters) -> None:
        super().__init__(sender_name(index))
        self.parameters = parameters
        self.answers = 0

    def go(self, sender: int) -> None:
        for number in range(self.parameters.messages):
            self.send(_RECEIVER, kind.MESSAGE_KIND_RECEIVER_BANG, number)

    def answer(self, sender: int, number: int) -> None:
        self.answers += 1
        if self.answers == self.parameters.messages:
            self.send(_RECEIVER, kind.MESSAGE_KIND_RECEIVER_FINISHED, self.answers)
            self.terminate()


def receipt(p: Parameters) -> dict[str, int]:
    """What every receipt must say (BANG-3)."""
    return {"bangs": p.senders * p.messages, "answers": p.senders * p.messages}


def messages(p: Parameters) -> int:
    """The message budget: `go`, `finished`, and every message with its answer."""
    return 2 * p.senders + 2 * p.senders * p.messages
