"""Bang (spec/bang.md): many senders, one receiver that answers every message.

With windows a sender keeps a number of messages unanswered until it is told to stop.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.model.crowd import Crowd
from dramaturg.model.distribution import Homes, Least, dealt_to_the_rest, living
from dramaturg.model.fold import add, fold, fold_each, sum_of_numbered, words
from dramaturg.model.windows import SCALES, Windows
from dramaturg.v2 import trace_pb2 as kind

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


SIZES = {"senders": (1_000, 64, 8), "messages": (1_000, 500, 50)}
"""Parameters at scales full, small and tiny."""

WINDOWED = {"senders": (128, 32, 8), "messages": (100, 100, 10)} | SCALES
"""The same of the windowed form."""

COUNTED = "bangs"
"""The count of its receipt that falls into windows."""

TICK = kind.MESSAGE_KIND_RECEIVER_TICK
"""The message of its lead's timer at the end of a window (WIN-1)."""

LEAD_COUNTS = True
"""Up to its last tick the lead takes, beside ticks and `start`, only what falls into windows: so
the place of a tick in its log says how much that is by then."""

REST_TIMES = 4
"""The time that the rest may take after the last window, as a multiple of what as much takes in the
windows (WIN-5): it is the same work by the same actors."""

RECEIPT = "BANG-3"
"""The requirement on its receipt."""

GROWS = "messages"
"""The parameter with which its run time grows."""

ENDLESS = {"senders": 1, "messages": 1, "windows": 86_400, "window": 60_000}
"""A run whose end nobody waits for, whose lead soon takes some messages, and whose mailboxes do not
grow."""

LONG = {"senders": 1, "messages": 20_000}
"""A run that ends soon, and whose log is many times what a pipe holds."""

STEADY: tuple[int, ...] = ()
"""No class takes messages from the beginning of a run to its end (MEAS-49): the receiver may have
to wait until all is sent."""


class Receiver(Actor):
    """Starts the senders, answers them, waits until all have had their answers (BANG-1, BANG-5)."""

    actor_class = names.RECEIVER

    __slots__ = (
        "parameters", "salt", "sending", "bangs", "answers", "given", "taken", "windows",
    )  # fmt: skip

    def __init__(self, parameters: Parameters) -> None:
        super().__init__(_RECEIVER)
        self.parameters = parameters
        self.salt = 0
        self.sending = parameters.senders
        self.bangs = 0
        self.answers = 0
        self.given = 0
        self.taken = 0
        self.windows = Windows(self, TICK, parameters.windows)

    def start(self, sender: int, salt: int) -> None:
        self.salt = salt
        if self.parameters.windows:
            self.windows.open()
        for index in range(self.parameters.senders):
            self.send(sender_name(index), kind.MESSAGE_KIND_SENDER_GO, salt)

    def bang(self, sender: int, number: int, value: int) -> None:
        answer = fold(value, self.salt)
        self.bangs += 1
        self.given = add(self.given, answer)
        self.send(sender, kind.MESSAGE_KIND_SENDER_ANSWER, number, answer)

    def tick(self, sender: int, number: int) -> None:
        self.windows.report(number, self.windows.since(self.bangs))
        if not self.windows.next(number):
            for index in range(self.parameters.senders):
                self.send(sender_name(index), kind.MESSAGE_KIND_SENDER_STOP)

    def finished(self, sender: int, answers: int, taken: int) -> None:
        self.answers += answers
        self.taken = add(self.taken, taken)
        self.sending -= 1
        if self.sending == 0:
            sums = (self.bangs, self.answers, self.given, self.taken)
            self.send(_CONTROL, kind.MESSAGE_KIND_CONTROL_DONE, *sums)
            self.terminate()


class Sender(Actor):
    """Sends everything without waiting, then counts the answers (BANG-2, BANG-6)."""

    actor_class = names.SENDER

    __slots__ = ("index", "parameters", "salt", "sent", "answers", "taken", "banging")

    def __init__(self, index: int, parameters: Parameters) -> None:
        super().__init__(sender_name(index))
        self.index = index
        self.parameters = parameters
        self.salt = 0
        self.sent = 0
        self.answers = 0
        self.taken = 0
        self.banging = parameters.windows > 0

    def go(self, sender: int, salt: int) -> None:
        self.salt = salt
        for _ in range(self.parameters.messages):
            self._bang()

    def answer(self, sender: int, number: int, value: int) -> None:
        self.answers += 1
        self.taken = add(self.taken, value)
        if self.banging:
            self._bang()
        self._end_when_done()

    def stop(self, sender: int) -> None:
        self.banging = False
        self._end_when_done()

    def _bang(self) -> None:
        value = fold(fold(self.salt, self.index), self.sent)
        self.send(_RECEIVER, kind.MESSAGE_KIND_RECEIVER_BANG, self.sent, value)
        self.sent += 1

    def _end_when_done(self) -> None:
        if not self.banging and self.answers == self.sent:
            sums = (self.answers, self.taken)
            self.send(_RECEIVER, kind.MESSAGE_KIND_RECEIVER_FINISHED, *sums)
            self.terminate()


LEAD = _RECEIVER
"""The actor to which control speaks."""


def initial(p: Parameters) -> list[Actor]:
    """The actors that exist before the first message."""
    return [Receiver(p), *(Sender(index, p) for index in range(p.senders))]


def begin(p: Parameters, salt: int) -> tuple[int, tuple[int, ...]]:
    """The line with which control begins: the kind and the arguments of a message to the lead."""
    return kind.MESSAGE_KIND_RECEIVER_START, (salt,)


def receipt(p: Parameters, salt: int, counts: Mapping[str, int]) -> dict[str, int]:
    """The fields that every receipt must have (BANG-3, BANG-4). ``counts``: those that it has; in
    the windowed form it is known only that both ends agree."""
    if p.windows:
        return {"answers": counts["bangs"], "taken": counts["given"]}
    total = p.senders * p.messages
    sum = sum_of_numbered(fold_each(salt, words(p.senders)), p.messages, salt)
    return {"bangs": total, "answers": total, "given": sum, "taken": sum}


def rest(p: Parameters) -> int:
    """The bangs in no window: those of each sender that are unanswered when it stops (BANG-6)."""
    return p.senders * p.messages


def messages(p: Parameters, counts: Mapping[str, int]) -> int:
    """The message budget: `go`, `finished`, every message with its answer; with windows a
    `tick` for each, and `stop`."""
    if not p.windows:
        return 2 * p.senders + 2 * p.senders * p.messages
    return 3 * p.senders + counts["bangs"] + counts["answers"] + p.windows


def population(p: Parameters) -> list[Crowd]:
    """The members of each class, and about how many messages each of them takes."""
    sent = 0 if p.windows else p.messages + 1
    return [Crowd(names.SENDER, p.senders, sent), Crowd(names.RECEIVER, 1, p.senders * sent)]


def taken(p: Parameters, ended: bool, actor: int) -> int | None:
    """The number of messages that this actor takes in each run; None if that is no fact. ``ended``
    says whether the run was torn down."""
    if p.windows:
        return None
    match names.class_of(actor):
        case names.RECEIVER:
            return p.senders * (p.messages + 1) + 1
        case names.SENDER:
            return p.messages + 1
    return None


HOMES: Homes = {names.SENDER: dealt_to_the_rest}
"""The actors that do not all live on node 0 (DIST-1)."""


def most_nodes(p: Parameters) -> int:
    """Over how many nodes at most: no node is empty."""
    return 1 + p.senders


def crossing(p: Parameters, nodes: int, counts: Mapping[str, int]) -> Iterator[Least]:
    """The least that crosses. For the windowed form only the total number is known: each sender has
    its first credit."""
    for node in range(1, nodes):
        messages = living(p.senders, node - 1, nodes - 1) * p.messages
        yield Least(node, 0, messages, 1)
        yield Least(0, node, messages, 1)
    if p.windows:
        yield Least(None, 0, counts["bangs"], 1)
        yield Least(0, None, counts["answers"], 1)
