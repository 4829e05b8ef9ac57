"""Bang's outsiders: senders and their receiver. All that is sent there is a fact."""

from collections.abc import Iterable
from typing import ClassVar

from dramaturg.model import bang, names
from dramaturg.model.actor import Actor
from dramaturg.model.fold import add, fold, sum_of_numbered
from dramaturg.trace.events import AnyLogs, Message
from dramaturg.trace.partial.basis.outsiders import ENDLESS, Inside, Open, Outside
from dramaturg.trace.partial.basis.reader import NEVER, Numbered, Reader, once
from dramaturg.v2 import trace_pb2 as kind

_RECEIVER = names.name(names.RECEIVER)


class Bang(Outside):
    """Senders hear the receiver only, and the receiver answers each by itself."""

    CLOSED: ClassVar = (names.SENDER, names.RECEIVER)
    OPEN: ClassVar = (
        Open(
            names.SENDER, names.RECEIVER, "when it is told to `stop`", order_only=True,
            windowed=True,
        ),
    )  # fmt: skip

    def __init__(
        self, parameters: bang.Parameters, salt: int, inside: Inside, logs: AnyLogs
    ) -> None:
        super().__init__(parameters, salt, inside, logs)
        self._answered: dict[int, list[int]] = {}
        """For each outsider that sends: answers it took, their sum, and whether it may stop."""

    def births(self) -> Iterable[Actor]:
        p = self.parameters
        if self.inside.whole(_RECEIVER):
            yield bang.Receiver(p)
        for index in self.inside.of_class(names.SENDER, p.senders):
            if self.inside.whole(bang.sender_name(index)):
                yield bang.Sender(index, p)

    def enter(self, actor: Actor) -> None:
        receiver = actor.name
        p = self.parameters
        if receiver == _RECEIVER:
            for index in range(p.senders):
                if not self.inside.whole(bang.sender_name(index)):
                    self._enter_sender(index)
            return
        if self.inside.whole(_RECEIVER):
            return
        self.send(_RECEIVER, receiver, kind.MESSAGE_KIND_SENDER_GO, self.salt)
        digest = fold(self.salt, names.index_of(receiver))

        def answer(n: int) -> Message:
            return kind.MESSAGE_KIND_SENDER_ANSWER, (n, fold(fold(digest, n), self.salt))

        length = ENDLESS if p.windows else p.messages
        self.lane(_RECEIVER, receiver, kind.MESSAGE_KIND_SENDER_ANSWER, answer, length, 0)
        if p.windows:
            stop = kind.MESSAGE_KIND_SENDER_STOP, ()
            self.lane(_RECEIVER, receiver, stop[0], lambda n: stop, 1, 0)

    def _enter_sender(self, index: int) -> None:
        p, sender = self.parameters, bang.sender_name(index)
        digest = fold(self.salt, index)
        self._answered[sender] = [0, 0, not p.windows]

        def banged(n: int) -> Message:
            return kind.MESSAGE_KIND_RECEIVER_BANG, (n, fold(digest, n))

        def finished(n: int) -> Message:
            return kind.MESSAGE_KIND_RECEIVER_FINISHED, tuple(self._answered[sender][:2])

        length = ENDLESS if p.windows else p.messages
        self.lane(sender, _RECEIVER, kind.MESSAGE_KIND_RECEIVER_BANG, banged, length, 0)
        self.lane(sender, _RECEIVER, kind.MESSAGE_KIND_RECEIVER_FINISHED, finished, 1, 0)

    def hear(self, sender: int, receiver: int, kind_: int, args: tuple[int, ...]) -> None:
        p = self.parameters
        if kind_ == kind.MESSAGE_KIND_RECEIVER_BANG:
            self.release(receiver, sender, kind.MESSAGE_KIND_SENDER_ANSWER)
            if p.windows and args[0] == 0:
                self.release(receiver, sender, kind.MESSAGE_KIND_SENDER_STOP)
        elif receiver not in self._answered:
            return
        elif kind_ == kind.MESSAGE_KIND_SENDER_GO:
            self.release(receiver, sender, kind.MESSAGE_KIND_RECEIVER_BANG, p.messages)
        else:
            state = self._answered[receiver]
            if kind_ == kind.MESSAGE_KIND_SENDER_STOP:
                state[2] = True
            else:
                state[0] += 1
                state[1] = add(state[1], args[1])
                if not state[2]:
                    self.release(receiver, sender, kind.MESSAGE_KIND_RECEIVER_BANG)
            lane = self.lanes[_RECEIVER][receiver, kind.MESSAGE_KIND_RECEIVER_BANG]
            if state[2] and state[0] == lane.released:
                self.release(receiver, sender, kind.MESSAGE_KIND_RECEIVER_FINISHED)


class BangSlices(Reader):
    """Bangs of each sender are numbered, and so are a sender's answers."""

    def read(self, receiver: int, place: int, sender: int, message: Message) -> object:
        p, number = self.parameters, message[0]
        length = ENDLESS if self.windowed else p.messages
        match number:
            case kind.MESSAGE_KIND_RECEIVER_TICK:
                return self.window(message)
            case kind.MESSAGE_KIND_SENDER_STOP:
                return once(sender, message) if self.windowed else NEVER
            case kind.MESSAGE_KIND_SENDER_ANSWER:
                digest = self.digest(receiver)
                n = message[1][0] if self.windowed else place - 1
                return Numbered(
                    (number,), n, lambda n: (number, (n, fold(fold(digest, n), self.salt))), length
                )
            case kind.MESSAGE_KIND_RECEIVER_BANG:
                digest, n = self.digest(sender), message[1][0]
                return Numbered(
                    (number, sender), n, lambda n: (number, (n, fold(digest, n))), length
                )
            case kind.MESSAGE_KIND_RECEIVER_FINISHED:
                answers = message[1][0] if self.windowed else p.messages
                # All its bangs have come before.
                if answers > place:
                    return NEVER
                taken = sum_of_numbered(self.digest(sender), answers, self.salt)
                return once(sender, (number, (answers, taken)))
        return NEVER
