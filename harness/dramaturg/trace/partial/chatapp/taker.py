"""The common part of takers of outsiders' messages."""

from collections.abc import Iterator

from dramaturg.model import names
from dramaturg.trace.events import Message
from dramaturg.trace.partial.basis.outsiders import WAIT, Outside, Wrong
from dramaturg.trace.partial.chatapp.known import Known
from dramaturg.v2 import trace_pb2 as kind

POKER = names.name(names.POKER)

LAST = (kind.MESSAGE_KIND_DIRECTORY_DISCONNECT, kind.MESSAGE_KIND_CLIENT_LOGOUT)
"""The messages that end an iteration."""


class Taker:
    """Watched actors of one class, and what outsiders say to them."""

    def __init__(self, outside: Outside, known: Known) -> None:
        self.outside = outside
        self.known = known
        self.script = known.script

    def judge(self, receiver: int, sender: int, message: Message) -> object | None:
        """As Outside has it."""
        raise NotImplementedError

    def missing(self, receiver: int) -> Iterator[tuple[int, Message | None]]:
        """As Outside has it, beside what lanes say."""
        yield from ()

    def overdue(self, receiver: int) -> Iterator[tuple[int, Message]]:
        """As Outside has it, beside what lanes say."""
        yield from ()

    def led(self, receiver: int, sender: int, message: Message) -> object | None:
        """Judge a message of the actor that tells it everything: the messages that end the
        iteration are sent when all is at rest."""
        if message[0] in LAST:
            due = self.outside.next_from(sender, receiver)
            return WAIT if due is None and not self.known.ending else Wrong(due)
        return self.outside.in_lane(receiver, sender, message)
