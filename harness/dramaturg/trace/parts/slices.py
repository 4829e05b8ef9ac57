"""Slices: what can be said of some of an actor's messages, without those before (spec/parts.md).

The state in which an actor took the first of them is not known, so the model cannot be run.
But most of what actors send is a fact once it is known which of a sender's messages it is,
and it says that itself, or its place in the log does. So each event is held against the fact,
and the next one from the same sender against the next.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from dramaturg.model import broker, chain, chatapp, mergesort, names, sleepers
from dramaturg.model.chatapp import LOGOUT
from dramaturg.model.fibonacci import fibonacci
from dramaturg.model.fold import fold, fold_all, fold_each, sum_of_numbered, words
from dramaturg.model.messages import Choice
from dramaturg.trace.divergence import Divergence, Kind
from dramaturg.trace.events import Event, Message
from dramaturg.trace.parts.outside import Alone, Outside
from dramaturg.trace.parts.script import script
from dramaturg.trace.parts.small import Chain, Mergesort
from dramaturg.v2 import trace_pb2 as kind

_CONTROL = names.name(names.CONTROL)


class Numbered(NamedTuple):
    """A message that is the nth of its lane, and what the nth is."""

    lane: tuple[int, ...]
    number: int
    at: Callable[[int], Message]
    length: int


FREE = object()
"""Nothing is known of it but its kind and its sender's class."""

NEVER = object()
"""No run has such a message."""


class Reader:
    """What the events of slices are held against, for one benchmark."""

    def __init__(self, parameters: Any, salt: int) -> None:
        self.parameters = parameters
        self.salt = salt
        self.windowed = bool(getattr(parameters, "windows", 0))

    def read(self, receiver: int, place: int, sender: int, message: Message) -> object:
        """What the event at this place of the receiver's log is: Numbered, FREE or NEVER."""
        raise NotImplementedError

    def digest(self, actor: int, *then: int) -> int:
        """The salt, with the actor's index folded in and what follows."""
        return fold_all(self.salt, (names.index_of(actor), *then))

    def among(self, actor: int, actor_class: int, many: int) -> bool:
        """Whether it is one of so many of that class."""
        index = names.index_of(actor)
        return index < many and actor == names.name(actor_class, index)


class PingPongSlices(Reader):
    """Both take one message a round; where ticks come between them, the value says which."""

    def read(self, receiver: int, place: int, sender: int, message: Message) -> object:
        number, rounds = message[0], self.parameters.rounds
        if number == kind.MESSAGE_KIND_PING_TICK and self.windowed and sender == receiver:
            tick = message[1][0]
            return Numbered((number,), tick, lambda n: (number, (n,)), self.parameters.windows)
        pong = number == kind.MESSAGE_KIND_PING_PONG
        other = names.name(names.PONG if pong else names.PING)
        if sender != other or number == kind.MESSAGE_KIND_PING_START:
            return NEVER

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
                return Numbered((number,), n, lambda m: (number, (left, at(m)[1][1])), 1 << 62)
        return NEVER


class BigSlices(Reader):
    """Of each other peer the rounds follow each other, its pings' and its pongs'."""

    def read(self, receiver: int, place: int, sender: int, message: Message) -> object:
        p, number = self.parameters, message[0]
        if names.class_of(receiver) != names.PEER:
            return FREE if self.among(sender, names.PEER, p.peers) or sender == receiver else NEVER
        if sender == names.name(names.COORDINATOR):
            if number == kind.MESSAGE_KIND_PEER_GO:
                return Numbered((number,), 0, lambda n: (number, (self.salt,)), 1)
            return FREE if self.windowed else NEVER
        if not self.among(sender, names.PEER, p.peers) or sender == receiver:
            return NEVER
        if number not in (kind.MESSAGE_KIND_PEER_PING, kind.MESSAGE_KIND_PEER_PONG):
            return NEVER
        mine, theirs = self.digest(receiver), self.digest(sender)

        def at(n: int) -> Message:
            if number == kind.MESSAGE_KIND_PEER_PING:
                return number, (n, fold(theirs, n))
            return number, (n, fold(fold(mine, n), names.index_of(sender)))

        length = 1 << 62 if self.windowed else p.rounds
        return Numbered((number, sender), message[1][0], at, length)


class BangSlices(Reader):
    """Bangs of each sender are numbered, and so are a sender's answers."""

    def read(self, receiver: int, place: int, sender: int, message: Message) -> object:
        p, number = self.parameters, message[0]
        length = 1 << 62 if self.windowed else p.messages
        if receiver != names.name(names.RECEIVER):
            if sender != names.name(names.RECEIVER) or number == kind.MESSAGE_KIND_SENDER_GO:
                return NEVER
            if number == kind.MESSAGE_KIND_SENDER_STOP:
                return FREE if self.windowed else NEVER
            digest = self.digest(receiver)
            n = message[1][0] if self.windowed else place - 1
            return Numbered(
                (number,), n, lambda n: (number, (n, fold(fold(digest, n), self.salt))), length
            )
        if number == kind.MESSAGE_KIND_RECEIVER_TICK and sender == receiver and self.windowed:
            return Numbered((number,), message[1][0], lambda n: (number, (n,)), p.windows)
        if not self.among(sender, names.SENDER, p.senders):
            return NEVER
        digest = self.digest(sender)
        if number == kind.MESSAGE_KIND_RECEIVER_BANG:
            n = message[1][0]
            return Numbered((number, sender), n, lambda n: (number, (n, fold(digest, n))), length)
        if number != kind.MESSAGE_KIND_RECEIVER_FINISHED:
            return NEVER
        if self.windowed:
            return FREE

        def finished(n: int) -> Message:
            return number, (p.messages, sum_of_numbered(digest, p.messages, self.salt))

        return Numbered((number, sender), 0, finished, 1)


class WebSlices(Reader):
    """What is asked and answered is numbered by browser; which worker has it is open."""

    def read(self, receiver: int, place: int, sender: int, message: Message) -> object:
        p, number, args = self.parameters, *message
        match number:
            case kind.MESSAGE_KIND_DISPATCHER_IDLE:
                return FREE if self.among(sender, names.WORKER, p.workers) else NEVER
            case kind.MESSAGE_KIND_DISPATCHER_REQUEST:
                if not self.among(sender, names.BROWSER, p.browsers):
                    return NEVER
                digest = self.digest(sender)
                return Numbered(
                    (sender,), args[0], lambda n: (number, (n, fold(digest, n))), p.requests
                )
            case kind.MESSAGE_KIND_DISPATCHER_FINISHED:
                if not self.among(sender, names.BROWSER, p.browsers):
                    return NEVER
                fib, digest = fibonacci(p.fib_n), self.digest(sender)
                sums = p.requests, sum_of_numbered(digest, p.requests, fib)
                return Numbered((number, sender), 0, lambda n: (number, sums), 1)
            case kind.MESSAGE_KIND_WORKER_WORK:
                if sender != names.name(names.DISPATCHER) or args[0] >= p.browsers:
                    return NEVER
                value = self.digest(names.name(names.BROWSER, args[0]), args[1])
                if args[1] >= p.requests:
                    return NEVER
                fixed = number, (args[0], args[1], value)
                return Numbered((number, *args[:2]), 0, lambda n: fixed, 1)
            case kind.MESSAGE_KIND_BROWSER_ANSWER:
                if not self.among(sender, names.WORKER, p.workers):
                    return NEVER
                fib, digest = fibonacci(p.fib_n), self.digest(receiver)
                return Numbered(
                    (number,), place - 1,
                    lambda n: (number, (n, fold(fold(digest, n), fib))), p.requests,
                )  # fmt: skip
        return FREE if number == kind.MESSAGE_KIND_WORKER_STOP else NEVER


class CountSlices(Reader):
    """The value of an `add` says which of its adder's it is."""

    def read(self, receiver: int, place: int, sender: int, message: Message) -> object:
        p, number = self.parameters, message[0]
        if number in (kind.MESSAGE_KIND_ADDER_TOTAL, kind.MESSAGE_KIND_TALLY_COUNTED):
            return FREE if message[1][0] <= p.adders * p.adds else NEVER
        if not self.among(sender, names.ADDER, p.adders):
            return NEVER
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


class NumberedSlices(Reader):
    """Fanout and sleepers: tasks, naps and what is answered are numbered."""

    def read(self, receiver: int, place: int, sender: int, message: Message) -> object:
        p, number, args = self.parameters, *message
        lead = receiver in (names.name(names.MASTER), names.name(names.ALARM))
        naps = isinstance(p, sleepers.Parameters)
        crowd = (names.SLEEPER, p.sleepers) if naps else (names.RUNNER, p.runners)
        if lead and not self.among(sender, *crowd):
            return NEVER
        if number == kind.MESSAGE_KIND_SLEEPER_WAKE:
            return Numbered((number,), place // 2, lambda n: (number, (n,)), p.naps)
        if not lead and sender != names.name(names.ALARM if naps else names.MASTER):
            return NEVER
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
        if number == kind.MESSAGE_KIND_ROUTER_TASK:
            if args[0] >= p.employees:
                return NEVER
            return Numbered((number,), args[1], lambda n: (number, (args[0], n, p.size)), p.tasks)
        if number == kind.MESSAGE_KIND_EMPLOYEE_TASK:
            fixed = number, (args[0], p.size)
            return Numbered((number, args[0]), 0, lambda n: fixed, int(args[0] < p.tasks))
        return FREE


class ChatAppSlices(Reader):
    """Turns follow each other in what is fixed; the rest is held against each client's choice."""

    def __init__(self, parameters: chatapp.Parameters, salt: int) -> None:
        super().__init__(parameters, salt)
        self.script = script(parameters)

    def read(self, receiver: int, place: int, sender: int, message: Message) -> object:
        match names.class_of(receiver):
            case names.CLIENT:
                return self._client(names.index_of(receiver), place, sender, message)
            case names.CHAT:
                return self._chat(receiver, sender, message)
            case names.ACCUMULATOR:
                return self._accumulator(names.index_of(receiver), sender, message)
            case names.DIRECTORY if message[0] == kind.MESSAGE_KIND_DIRECTORY_POKE:
                number, turns = message[0], self.parameters.turns
                return Numbered((number,), message[1][0], lambda n: (number, (n, self.salt)), turns)
        return FREE

    def _client(self, client: int, place: int, sender: int, message: Message) -> object:
        number, args = message
        directory = chatapp.directory_name(self.script.directory_of(client))
        match number:
            case kind.MESSAGE_KIND_CLIENT_ACT:
                if sender != directory:
                    return NEVER
                drawing = int(Choice.DRAW), 0, 0, self.salt
                turns = self.parameters.turns
                return Numbered((number,), args[0], lambda n: (number, (n, *drawing)), turns)
            case kind.MESSAGE_KIND_CLIENT_BEFRIEND:
                friends = self.script.friends(client)
                if sender != directory or place >= len(friends):
                    return NEVER
                return Numbered((number,), place, lambda n: (number, (friends[n],)), len(friends))
            case kind.MESSAGE_KIND_CLIENT_FORWARD:
                return self._post(args[2] >> 32, client, args[0], args[1], args[2])
            case kind.MESSAGE_KIND_CLIENT_ACCEPTED:
                if not self._looked_at(client):
                    return FREE
                made, _ = self.script.invitations(client).get(sender, (None, 0))
                return FREE if made == args[0] and args[1] in (1, 2) else NEVER
            case kind.MESSAGE_KIND_CLIENT_LEFT:
                return FREE if self._leaves(client, args[0]) else NEVER
        return FREE if sender == directory else NEVER

    def _looked_at(self, client: int) -> bool:
        return self.script.chooses(self.script.directory_of(client))

    def _post(self, poster: int, client: int, turn: int, level: int, payload: int) -> object:
        """A post that comes to this client."""
        p = self.parameters
        if poster >= p.clients or turn >= p.turns or level not in (1, 2):
            return NEVER
        if self.script.directory_of(poster) != self.script.directory_of(client):
            return NEVER
        if not self._looked_at(client):
            return FREE
        diary = self.script.diary(poster)
        before = diary.posts[turn] + (diary.picks[turn] == Choice.POST)
        if level == 1 and diary.picks[turn] != Choice.POST:
            return NEVER
        if level == 2:
            before = diary.posts[-1]
        return FREE if (payload - self.salt) & 0xFFFFFFFF < before else NEVER

    def _leaves(self, client: int, turn: int) -> bool:
        if turn == LOGOUT or not self._looked_at(client):
            return True
        return turn < self.parameters.turns and self.script.diary(client).picks[turn] == (
            Choice.LEAVE
        )

    def _chat(self, chat: int, sender: int, message: Message) -> object:
        number, args = message
        client = names.index_of(sender)
        if not self.among(sender, names.CLIENT, self.parameters.clients):
            return NEVER
        if number == kind.MESSAGE_KIND_CHAT_LEAVE:
            return FREE if self._leaves(client, args[0]) else NEVER
        if number == kind.MESSAGE_KIND_CHAT_POST:
            if args[1] >> 32 != client:
                return NEVER
            return self._post(client, names.index_of(chat), args[0], 1, args[1])
        made = self.script.made(chat)
        if made is None or client != names.index_of(chat):
            return NEVER
        guests = self.script.diary(client).guests[made]
        return FREE if args[0] == made and args[1] in guests else NEVER

    def _accumulator(self, turn: int, sender: int, message: Message) -> object:
        client, args = names.index_of(sender), message[1]
        if names.class_of(sender) != names.CLIENT or args[0] > 0:
            return FREE
        if client >= self.parameters.clients:
            return NEVER
        diary = self.script.diary(client)
        said: Message = kind.MESSAGE_KIND_ACCUMULATOR_STOP, (0, 0)
        if diary.picks[turn] == Choice.COMPUTE:
            said = said[0], (0, fibonacci(self.parameters.fib_n))
        elif turn in diary.guests:
            said = kind.MESSAGE_KIND_ACCUMULATOR_BUMP, (0, len(diary.guests[turn]), 0)
        return Numbered((sender,), 0, lambda n: said, 1)


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
            back = outside.comes_back(self.parameters.length - 1 - index)
            return Numbered((number,), 0, lambda n: (number, back), 1)
        assert isinstance(outside, Mergesort)
        share = outside.share(names.index_of(sender))
        halves = mergesort.sorter_name(2 * index), mergesort.sorter_name(2 * index + 1)
        if share is None or sender not in halves or number != kind.MESSAGE_KIND_SORTER_SORTED:
            return NEVER
        return Numbered((sender,), 0, lambda n: (number, outside.comes_back(*share)), 1)


READERS: dict[str, type[Reader]] = {
    "chatapp": ChatAppSlices,
    "pingpong": PingPongSlices,
    "big": BigSlices,
    "bang": BangSlices,
    "web": WebSlices,
    "count": CountSlices,
    "fanout": NumberedSlices,
    "sleepers": NumberedSlices,
    "broker": BrokerSlices,
    "chain": TreeSlices,
    "mergesort": TreeSlices,
}
"""By the benchmark's name."""


class Slices:
    """What was found of all slices of a run."""

    def __init__(self, benchmark: str, parameters: Any, salt: int, lead: int) -> None:
        self._lead = lead
        self._reader = READERS[benchmark](parameters, salt)
        self.decided = 0
        self.bounded = 0
        self.divergences: list[Divergence] = []

    def look(self, receiver: int, begin: int, log: list[Event]) -> None:
        """Hold the slice of a log, from message ``begin`` on, against what is known."""
        last: dict[tuple[int, ...], int] = {}
        for position, (sender, message) in enumerate(log):
            if sender == _CONTROL:
                found: object = FREE if receiver == self._lead else NEVER
            else:
                found = self._reader.read(receiver, begin + position, sender, message)
            if found is FREE:
                self.bounded += 1
                continue
            if not isinstance(found, Numbered):
                self._found(Kind.INVENTED, receiver, position, sender, None, log)
                return
            number = last.get(found.lane, found.number - 1) + 1
            if number >= found.length or found.number > begin + position:
                self._found(Kind.INVENTED, receiver, position, sender, None, log)
                return
            expected = found.at(number)
            if expected != message:
                self._found(Kind.ALTERED, receiver, position, sender, expected, log)
                return
            last[found.lane] = number
            self.decided += 1

    def _found(
        self,
        what: Kind,
        receiver: int,
        position: int,
        sender: int,
        expected: Message | None,
        log: list[Event],
    ) -> None:
        self.divergences.append(
            Divergence(
                kind=what, receiver=receiver, position=position, sender=sender,
                expected=expected, actual=log[position][1], receiver_state={}, sender_state={},
                history=log[max(0, position - 8) : position],
            )
        )  # fmt: skip
