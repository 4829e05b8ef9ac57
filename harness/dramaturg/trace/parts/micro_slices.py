"""Slices of the micro-benchmarks: what is numbered there, and by whom."""

from functools import cached_property
from typing import Any

import numpy as np

from dramaturg.model import broker, chain, count, mergesort, names, openweb, sleepers
from dramaturg.model.fibonacci import fibonacci
from dramaturg.model.fold import fold, fold_each, sum_of_numbered, words
from dramaturg.trace.events import Message
from dramaturg.trace.parts.big import sums_of
from dramaturg.trace.parts.openweb import answer_of, value_of
from dramaturg.trace.parts.outside import ENDLESS, FREE, Alone, Outside
from dramaturg.trace.parts.reader import NEVER, Numbered, Reader, once, sum_fits
from dramaturg.trace.parts.small import Chain, Mergesort
from dramaturg.v2 import trace_pb2 as kind


class PingPongSlices(Reader):
    """Both take one message a round; where ticks come between them, the value says which."""

    def read(self, receiver: int, place: int, sender: int, message: Message) -> object:
        number, rounds = message[0], self.parameters.rounds
        if number == kind.MESSAGE_KIND_PING_TICK:
            return self.window(message)
        pong = number == kind.MESSAGE_KIND_PING_PONG

        def at(n: int) -> Message:
            value = fold(self.salt, n)
            left = 1 if self.windowed else rounds - 1 - n
            return number, (left, fold(value, n) if pong else value)

        if not self.windowed:
            return Numbered((number,), place - pong, at, rounds)
        left, value = message[1]
        first = max(0, place - pong - (self.parameters.windows if pong else 0))
        for n in range(first, place - pong + 1):
            if at(n)[1][1] == value and left in (0, 1):
                return Numbered((number,), n, lambda m: (number, (left, at(m)[1][1])), ENDLESS)
        return NEVER


class BigSlices(Reader):
    """Of each other peer the rounds follow each other, its pings' and its pongs'."""

    def read(self, receiver: int, place: int, sender: int, message: Message) -> object:
        p, number = self.parameters, message[0]
        match number:
            case kind.MESSAGE_KIND_COORDINATOR_TICK | kind.MESSAGE_KIND_PEER_MARK:
                return self.window(message)
            case kind.MESSAGE_KIND_COORDINATOR_MARKED:
                return self.window(message, sender)
            case kind.MESSAGE_KIND_COORDINATOR_IDLE | kind.MESSAGE_KIND_PEER_STOP:
                return once(sender, message) if self.windowed else NEVER
            case kind.MESSAGE_KIND_COORDINATOR_FINISHED:
                return self._finished(sender, message)
            case kind.MESSAGE_KIND_PEER_GO:
                return once(sender, (number, (self.salt,)))
        mine, theirs = self.digest(receiver), self.digest(sender)

        def at(n: int) -> Message:
            if number == kind.MESSAGE_KIND_PEER_PING:
                return number, (n, fold(theirs, n))
            return number, (n, fold(fold(mine, n), names.index_of(sender)))

        length = ENDLESS if self.windowed else p.rounds
        return Numbered((number, sender), message[1][0], at, length)

    def _finished(self, sender: int, message: Message) -> object:
        """With windows, how far a peer came is its schedule's."""
        if not self.windowed:
            sums = sums_of(self.parameters, self.salt, names.index_of(sender))
            return once(sender, (message[0], sums))
        pings, pongs, given, taken = message[1]
        fits = sum_fits(pings, given) and sum_fits(pongs, taken)
        return once(sender, message, decided=False) if fits else NEVER


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


class WebSlices(Reader):
    """What is asked and answered is numbered by browser; which worker has it is open."""

    def read(self, receiver: int, place: int, sender: int, message: Message) -> object:
        p, number, args = self.parameters, *message
        match number:
            case kind.MESSAGE_KIND_DISPATCHER_IDLE:
                return FREE
            case kind.MESSAGE_KIND_DISPATCHER_REQUEST:
                digest = self.digest(sender)
                return Numbered(
                    (sender,), args[0], lambda n: (number, (n, fold(digest, n))), p.requests
                )
            case kind.MESSAGE_KIND_DISPATCHER_FINISHED:
                fib, digest = fibonacci(p.fib_n), self.digest(sender)
                sums = p.requests, sum_of_numbered(digest, p.requests, fib)
                return once(sender, (number, sums))
            case kind.MESSAGE_KIND_WORKER_WORK:
                if args[0] >= p.browsers or args[1] >= p.requests:
                    return NEVER
                value = self.digest(names.name(names.BROWSER, args[0]), args[1])
                fixed = number, (args[0], args[1], value)
                return Numbered((number, *args[:2]), 0, lambda n: fixed, 1)
            case kind.MESSAGE_KIND_BROWSER_ANSWER:
                fib, digest = fibonacci(p.fib_n), self.digest(receiver)
                return Numbered(
                    (number,), place - 1,
                    lambda n: (number, (n, fold(fold(digest, n), fib))), p.requests,
                )  # fmt: skip
            case kind.MESSAGE_KIND_WORKER_STOP:
                return once(sender, message)
        return NEVER


class CountSlices(Reader):
    """The value of an `add` says which of its adder's it is."""

    def read(self, receiver: int, place: int, sender: int, message: Message) -> object:
        p, number = self.parameters, message[0]
        if number in (kind.MESSAGE_KIND_ADDER_TOTAL, kind.MESSAGE_KIND_TALLY_COUNTED):
            return self._total(sender, message)
        digest = self.digest(sender)

        def at(n: int) -> Message:
            if n == p.adds:
                return kind.MESSAGE_KIND_COUNTER_GET_AND_RESET, ()
            return kind.MESSAGE_KIND_COUNTER_ADD, (fold(digest, n),)

        if number == kind.MESSAGE_KIND_COUNTER_GET_AND_RESET:
            n = p.adds
        elif p.adders == 1:
            n = place
        else:
            values = fold_each(digest, words(min(p.adds, place + 1)))
            found = np.flatnonzero(values == message[1][0])
            n = int(found[0]) if len(found) else -1
        return Numbered((sender,), n, at, p.adds + 1) if n >= 0 else NEVER

    def _total(self, sender: int, message: Message) -> object:
        """Of an only adder it is everything."""
        (adds, total), everything = message[1], self._everything
        if self.parameters.adders == 1 or adds == everything[0]:
            return once(sender, (message[0], everything))
        fits = adds < everything[0] and sum_fits(adds, total)
        return once(sender, message, decided=False) if fits else NEVER

    @cached_property
    def _everything(self) -> tuple[int, int]:
        """How often all adders together add, and what that comes to."""
        told = count.receipt(self.parameters, self.salt)
        return told["adds"], told["sum"]


class NumberedSlices(Reader):
    """Fanout and sleepers: tasks, naps and what is answered are numbered."""

    def read(self, receiver: int, place: int, sender: int, message: Message) -> object:
        p, number, args = self.parameters, *message
        lead = receiver in (names.name(names.MASTER), names.name(names.ALARM))
        naps = isinstance(p, sleepers.Parameters)
        if number == kind.MESSAGE_KIND_SLEEPER_WAKE:
            return Numbered((number,), place // 2, lambda n: (number, (n,)), p.naps)
        digest = self.digest(sender if lead else receiver)

        def at(n: int) -> Message:
            value = fold(digest, n)
            if lead:
                value = fold(value, p.delay if naps else n)
            return number, (n, value)

        n = args[0] if lead else place // 2 if naps else place
        return Numbered((number, sender), n, at, p.naps if naps else p.tasks)


class BrokerSlices(Reader):
    """What a task is follows from its number; whose it is, is open."""

    def read(self, receiver: int, place: int, sender: int, message: Message) -> object:
        p, number, args = self.parameters, *message
        if number in (kind.MESSAGE_KIND_EMPLOYER_REQUEST, kind.MESSAGE_KIND_ROUTER_REQUEST):
            result = args[-2]
            if result > p.tasks or (len(args) == 3 and args[0] >= p.employees):
                return NEVER
            said = broker.result_of(self.salt, result - 1, p.size) if result else 0
            fixed = number, (*args[:-1], said)
            key = (number, sender, args[0]) if len(args) == 3 else (number, sender)
            return Numbered((*key, result), 0, lambda n: fixed, 1)
        match number:
            case kind.MESSAGE_KIND_ROUTER_TASK:
                if args[0] >= p.employees:
                    return NEVER
                return Numbered(
                    (number,), args[1], lambda n: (number, (args[0], n, p.size)), p.tasks
                )
            case kind.MESSAGE_KIND_ROUTER_DISMISS:
                return Numbered((number,), args[0], lambda n: (number, (n,)), p.employees)
            case kind.MESSAGE_KIND_EMPLOYEE_TASK:
                fixed = number, (args[0], p.size)
                return Numbered((number, args[0]), 0, lambda n: fixed, int(args[0] < p.tasks))
            case kind.MESSAGE_KIND_EMPLOYEE_DISMISS:
                return once(sender, message)
        return NEVER


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


class TreeSlices(Reader):
    """Chain and mergesort: what comes back from behind is a fact."""

    def __init__(self, parameters: Any, salt: int) -> None:
        super().__init__(parameters, salt)
        self._chain = isinstance(parameters, chain.Parameters)
        self._outside: Outside = (Chain if self._chain else Mergesort)(
            parameters, salt, Alone(0), {}
        )

    def read(self, receiver: int, place: int, sender: int, message: Message) -> object:
        outside, index, number = self._outside, names.index_of(receiver), message[0]
        if isinstance(outside, Chain):
            if sender != chain.link_name(index + 1) or number != kind.MESSAGE_KIND_LINK_FINISH:
                return NEVER
            return once(sender, (number, outside.comes_back(self.parameters.length - 1 - index)))
        assert isinstance(outside, Mergesort)
        share = outside.share(names.index_of(sender))
        halves = mergesort.sorter_name(2 * index), mergesort.sorter_name(2 * index + 1)
        if share is None or sender not in halves or number != kind.MESSAGE_KIND_SORTER_SORTED:
            return NEVER
        return once(sender, (number, outside.comes_back(*share)))
