"""Outsiders of web under an open load: source, balancer and servers.

The clock decides when a request comes, so an unwatched source may send the next one at any moment.
If the balancer is watched, everything else is known. Without it, requests and answers are facts;
the server that gets a request is not.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import ClassVar

from dramaturg.model import names, openweb
from dramaturg.model.actor import Actor
from dramaturg.model.fibonacci import fibonacci
from dramaturg.model.fold import fold
from dramaturg.trace.events import AnyLogs, Message
from dramaturg.trace.partial.basis.outsiders import (
    FREE,
    WAIT,
    Inside,
    Open,
    Outside,
    Wrong,
)
from dramaturg.trace.partial.basis.reader import NEVER, Numbered, Reader, once
from dramaturg.v2 import trace_pb2 as kind

_SOURCE, _BALANCER = names.name(names.SOURCE), names.name(names.BALANCER)
_REQUEST, _CLOSE = kind.MESSAGE_KIND_BALANCER_REQUEST, kind.MESSAGE_KIND_BALANCER_CLOSE
_WORK, _STOP = kind.MESSAGE_KIND_SERVER_WORK, kind.MESSAGE_KIND_SERVER_STOP
_ANSWER, _DRAINED = kind.MESSAGE_KIND_SOURCE_ANSWER, kind.MESSAGE_KIND_SOURCE_DRAINED


def value_of(p: openweb.Parameters, salt: int, number: int) -> int:
    """The value in a request, which is that of its `work` as well."""
    return fold(fold(salt, number), openweb.arrivals_of(p)[number] & 0xFFFFFFFF)


def answer_of(p: openweb.Parameters, salt: int, number: int) -> int:
    """The value in the answer to a request."""
    return fold(value_of(p, salt, number), fibonacci(p.fib_n))


class OpenWeb(Outside):
    """The balancer, or those on either side of it."""

    CLOSED: ClassVar = ()
    OPEN: ClassVar = (
        Open(names.SOURCE, names.SERVER, "which server answers a request"),
        Open(names.SERVER, names.BALANCER, "which requests it gets, how many and in which order"),
    )

    def __init__(
        self, parameters: openweb.Parameters, salt: int, inside: Inside, logs: AnyLogs
    ) -> None:
        super().__init__(parameters, salt, inside, logs)
        self._led = inside.whole(_BALANCER)
        self._asking = inside.whole(_SOURCE)
        self._asked = 0
        """Requests that a watched source has sent."""
        self._answered: set[int] = set()
        """Requests that outsiders have answered."""
        self._drained = self._stopping = False

    def births(self) -> Iterable[Actor]:
        p = self.parameters
        if self._asking:
            yield openweb.Source(p)
        if self._led:
            yield openweb.Balancer(p)
            for index in range(p.servers):
                if not self.inside.whole(openweb.server_name(index)):
                    self.stand_in(openweb.Server(index, p))
        for index in self.inside.of_class(names.SERVER, p.servers):
            if self.inside.whole(openweb.server_name(index)):
                yield openweb.Server(index, p)

    def enter(self, actor: Actor) -> None:
        if actor.name != _BALANCER or self._asking:
            return
        p = self.parameters

        def request(n: int) -> Message:
            return _REQUEST, (n, value_of(p, self.salt, n))

        self.lane(_SOURCE, _BALANCER, _REQUEST, request, p.requests, p.requests)
        self.lane(_SOURCE, _BALANCER, _CLOSE, lambda n: (_CLOSE, ()), int(self.ends), 0)

    def hear(self, sender: int, receiver: int, kind_: int, args: tuple[int, ...]) -> None:
        self.tell(sender, receiver, kind_, args)
        if kind_ == _REQUEST:
            self._asked = args[0] + 1
            for server in self._serving.values():
                self.wake(server)
        elif kind_ == _CLOSE:
            self._stop()

    @cached_property
    def _serving(self) -> dict[int, int]:
        """The watched server that has each request, by the request's number."""
        found: dict[int, int] = {}
        for actor, log in self.logs.items():
            if names.class_of(actor) == names.SERVER and self.inside.whole(actor):
                for _, (number, args) in log:
                    if number == _WORK:
                        found.setdefault(args[0], actor)
        return found

    def judge(self, receiver: int, sender: int, message: Message) -> object | None:
        if self._led:
            return super().judge(receiver, sender, message)
        if receiver == _SOURCE:
            if sender == _BALANCER:
                return self._drain(message)
            return self._answer(sender, message)
        return self._work(receiver, sender, message)

    def _drain(self, message: Message) -> object | None:
        p = self.parameters
        expected = _DRAINED, (min(p.servers, p.requests),)
        if self._drained or message != expected:
            return Wrong(None if self._drained else expected)
        if self._asked < p.requests:
            return WAIT
        self._drained = True
        return None

    def _answer(self, server: int, message: Message) -> object | None:
        index, number = names.index_of(server), message[1][0] if message[1] else -1
        inside = index < self.parameters.servers and server == openweb.server_name(index)
        known = number in self._answered or number in self._serving
        if not inside or known or message[0] != _ANSWER or number >= self.parameters.requests:
            return Wrong(None)
        expected = _ANSWER, (number, answer_of(self.parameters, self.salt, number))
        if message != expected:
            return Wrong(expected)
        if number >= self._asked:
            return WAIT
        self._answered.add(number)
        return FREE

    def _work(self, server: int, sender: int, message: Message) -> object | None:
        if sender != _BALANCER:
            return Wrong(None)
        if message[0] == _STOP:
            return None if self._stopping else WAIT
        number = message[1][0]
        if number >= self.parameters.requests or self._serving[number] != server:
            return Wrong(None)
        expected = _WORK, (number, value_of(self.parameters, self.salt, number))
        if message != expected:
            return Wrong(expected)
        return WAIT if self._asking and number >= self._asked else FREE

    def quiet(self, clear: bool) -> bool:
        if self._asking or self._stopping or not clear or not self.ends:
            return False
        if self._led:
            self._stopping = True
            self.release(_SOURCE, _BALANCER, _CLOSE)
        else:
            self._stop()
        return True

    def _stop(self) -> None:
        self._stopping = True
        for index in self.inside.of_class(names.SERVER, self.parameters.servers):
            self.wake(openweb.server_name(index))

    def missing(self, receiver: int) -> Iterator[tuple[int, Message | None]]:
        yield from super().missing(receiver)
        if self._led or receiver != _SOURCE:
            return
        for number in range(self._asked):
            if number not in self._answered and number not in self._serving:
                yield (
                    names.NOBODY,
                    (_ANSWER, (number, answer_of(self.parameters, self.salt, number))),
                )
                return
        if self._asked == self.parameters.requests and not self._drained:
            used = min(self.parameters.servers, self.parameters.requests)
            yield _BALANCER, (_DRAINED, (used,))

    def overdue(self, receiver: int) -> Iterator[tuple[int, Message]]:
        yield from super().overdue(receiver)
        if self._led or names.class_of(receiver) != names.SERVER or not self.ends:
            return
        if not any(number == _STOP for _, (number, _) in self.logs.get(receiver, [])):
            yield _BALANCER, (_STOP, ())


class OpenWebSlices(Reader):
    """Everything but who does it is numbered by the request."""

    def read(self, receiver: int, place: int, sender: int, message: Message) -> object:
        p, number, args = self.parameters, *message
        if number == kind.MESSAGE_KIND_SOURCE_DRAINED:
            return once(sender, (number, (min(p.servers, p.requests),)))
        if number == kind.MESSAGE_KIND_BALANCER_IDLE:
            return FREE
        if not args:
            return once(sender, message)
        if args[0] >= p.requests:
            return NEVER
        match number:
            case kind.MESSAGE_KIND_SOURCE_ARRIVE:
                due = openweb.arrivals_of(p)
                return Numbered((number,), args[0], lambda n: (number, (n, due[n])), p.requests)
            case kind.MESSAGE_KIND_BALANCER_REQUEST:
                return Numbered(
                    (number,), args[0], lambda n: (number, (n, value_of(p, self.salt, n))),
                    p.requests,
                )  # fmt: skip
            case kind.MESSAGE_KIND_SERVER_WORK:
                value = value_of(p, self.salt, args[0])
            case kind.MESSAGE_KIND_SOURCE_ANSWER:
                value = answer_of(p, self.salt, args[0])
            case _:
                return NEVER
        fixed = number, (args[0], value)
        return Numbered((number, args[0]), 0, lambda n: fixed, 1)
