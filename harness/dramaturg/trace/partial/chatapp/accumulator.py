"""The messages that watched accumulators take from unobserved clients and chats."""

from collections import Counter
from collections.abc import Iterator

from dramaturg.model import chatapp, names
from dramaturg.model.fibonacci import fibonacci
from dramaturg.model.fold import MASK
from dramaturg.model.messages import Choice
from dramaturg.trace.events import Message
from dramaturg.trace.partial.basis.outsiders import FREE, WAIT, Outside, Wrong
from dramaturg.trace.partial.chatapp.known import Known
from dramaturg.trace.partial.chatapp.taker import Taker
from dramaturg.v2 import trace_pb2 as kind

_STOP, _BUMP = kind.MESSAGE_KIND_ACCUMULATOR_STOP, kind.MESSAGE_KIND_ACCUMULATOR_BUMP


class ToAccumulator(Taker):
    """Judges, for each client, one unit at level 0, which is a fact where it finds no chat; and
    what follows from those."""

    def __init__(self, outside: Outside, known: Known) -> None:
        super().__init__(outside, known)
        self.watched: dict[int, chatapp.Accumulator] = {}
        self._highest = 2 if known.parameters.history else 1
        """The highest level: of what is replayed, or else of what is forwarded."""
        self._units: set[tuple[int, int]] = set()
        """Outsiders and turns of which an accumulator has heard at level 0."""

    def judge(self, receiver: int, sender: int, message: Message) -> object | None:
        turn = names.index_of(receiver)
        match names.class_of(sender):
            case names.CLIENT:
                return self._unit(turn, receiver, sender, message)
            case names.CHAT:
                return self._announced(turn, sender, message)
        return Wrong(None)

    def _unit(self, turn: int, accumulator: int, sender: int, message: Message) -> object | None:
        client, known = names.index_of(sender), self.known
        if sender != chatapp.client_name(client) or client >= known.parameters.clients:
            return Wrong(None)
        if message[1][0] > 0:
            level, taken = message[1][:2]
            if message[0] != _STOP or level > self._highest or taken > MASK:
                return Wrong(None)
            return FREE if known.begun or known.led else WAIT
        expected, sure = self._first_unit(client, turn)
        if (client, turn) in self._units or (not sure and (client, turn) in known.did):
            return Wrong(None)
        if message != expected:
            return Wrong(expected)
        if not known.told_to_act(client, turn):
            return WAIT
        self._units.add((client, turn))
        if not sure:
            known.did[client, turn] = accumulator
        return None if sure else FREE

    def _first_unit(self, client: int, turn: int) -> tuple[Message, bool]:
        """The message that a client itself sends the accumulator at level 0, and whether it
        must."""
        choice, guests = self.script.choice(client, turn)
        if choice == Choice.COMPUTE:
            return (_STOP, (0, fibonacci(self.known.parameters.fib_n))), True
        if guests:
            return (_BUMP, (0, guests, 0)), True
        return (_STOP, (0, 0)), choice != Choice.POST

    def _announced(self, turn: int, chat: int, message: Message) -> object | None:
        made = self.script.made(chat)
        if message[0] != _BUMP or made is None or message[1][1] == 0:
            return Wrong(None)
        level, _, announced = message[1]
        if level >= self._highest or announced > MASK or (level == 1 and made != turn):
            return Wrong(None)
        return FREE if self.known.begun or self.known.led else WAIT

    def missing(self, receiver: int) -> Iterator[tuple[int, Message | None]]:
        actor, turn = self.watched[receiver], names.index_of(receiver)
        if actor.reported == actor.expected:
            return
        for client in range(self.known.parameters.clients):
            if not self.known.watches(client) and (client, turn) not in self._units:
                expected, sure = self._first_unit(client, turn)
                if sure:
                    yield chatapp.client_name(client), expected
                    return
        yield names.NOBODY, None

    def amiss(self, receiver: int) -> int | None:
        """The place in the log at which announcements of a chat differ from what members took."""
        actor = self.watched.get(receiver)
        if actor is None or actor.reported != actor.expected:
            return None
        log = self.outside.logs.get(receiver, [])
        taken = Counter(args[1] for _, (number, args) in log if number == _STOP and args[0] == 1)
        bumps = Counter(args[1:] for _, (number, args) in log if number == _BUMP and args[0] == 0)
        posts = {args: n for args, n in bumps.items() if args[1]}
        taken.pop(0, None)
        # If two posts have one digest, what belongs to which is not known; the sum still is.
        exact = len(taken) == sum(posts.values())
        explained = {(n, n * digest & 0xFFFFFFFF) for digest, n in taken.items()}
        if actor.announced == actor.consumed and (not exact or explained == posts.keys()):
            return None
        for place, (_, (number, args)) in enumerate(log):
            if number == _STOP and args[0] == 1 and args[1]:
                count = taken[args[1]]
                if (count, count * args[1] & 0xFFFFFFFF) not in posts:
                    return place
        return len(log) - 1
