"""Count (spec/count.md): adders add to one counter, then ask for the sum and reset it.

Each adder asks for itself, behind its own adds. The sum of the others' adds by then depends on the
schedule, but every add is in exactly one total: the last asker's comes after all adds of all
adders.
"""

from dataclasses import dataclass

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.model.crowd import Crowd
from dramaturg.model.fold import add, fold, fold_each, sum_of_numbered, words
from dramaturg.v2 import trace_pb2 as kind

_CONTROL = names.name(names.CONTROL)
_TALLY = names.name(names.TALLY)
_COUNTER = names.name(names.COUNTER)


def adder_name(index: int) -> int:
    return names.name(names.ADDER, index)


@dataclass(frozen=True, slots=True)
class Parameters:
    """Adders, and the adds of each."""

    adders: int
    adds: int


SIZES = {"adders": (1, 1, 1), "adds": (3_000_000, 100_000, 1_000)}
"""Parameters at scales full, small and tiny."""

RECEIPT = "COUNT-4"
"""The requirement on its receipt."""

GROWS = "adds"
"""The parameter with which its run time grows."""

STEADY: tuple[int, ...] = ()
"""No class takes messages from the beginning of a run to its end (MEAS-49): the counter may have to
wait until all is sent."""


class Tally(Actor):
    """Starts the adders and sums their totals (COUNT-1)."""

    actor_class = names.TALLY

    __slots__ = ("parameters", "adding", "adds", "sum")

    def __init__(self, parameters: Parameters) -> None:
        super().__init__(_TALLY)
        self.parameters = parameters
        self.adding = parameters.adders
        self.adds = 0
        self.sum = 0

    def start(self, sender: int, salt: int) -> None:
        for index in range(self.parameters.adders):
            self.send(adder_name(index), kind.MESSAGE_KIND_ADDER_GO, salt)

    def counted(self, sender: int, adds: int, sum: int) -> None:
        self.adds += adds
        self.sum = add(self.sum, sum)
        self.adding -= 1
        if self.adding == 0:
            self.send(_CONTROL, kind.MESSAGE_KIND_CONTROL_DONE, self.adds, self.sum)
            self.terminate()


class Adder(Actor):
    """Adds, then asks (COUNT-2)."""

    actor_class = names.ADDER

    __slots__ = ("index", "parameters")

    def __init__(self, index: int, parameters: Parameters) -> None:
        super().__init__(adder_name(index))
        self.index = index
        self.parameters = parameters

    def go(self, sender: int, salt: int) -> None:
        digest = fold(salt, self.index)
        for number in range(self.parameters.adds):
            self.send(_COUNTER, kind.MESSAGE_KIND_COUNTER_ADD, fold(digest, number))
        self.send(_COUNTER, kind.MESSAGE_KIND_COUNTER_GET_AND_RESET)

    def total(self, sender: int, adds: int, sum: int) -> None:
        self.send(_TALLY, kind.MESSAGE_KIND_TALLY_COUNTED, adds, sum)
        self.terminate()


class Counter(Actor):
    """Holds the sum; ends when every adder has asked (COUNT-3)."""

    actor_class = names.COUNTER

    __slots__ = ("asking", "adds", "sum")

    def __init__(self, parameters: Parameters) -> None:
        super().__init__(_COUNTER)
        self.asking = parameters.adders
        self.adds = 0
        self.sum = 0

    def add(self, sender: int, value: int) -> None:
        self.adds += 1
        self.sum = add(self.sum, value)

    def get_and_reset(self, sender: int) -> None:
        self.send(sender, kind.MESSAGE_KIND_ADDER_TOTAL, self.adds, self.sum)
        self.adds = 0
        self.sum = 0
        self.asking -= 1
        if self.asking == 0:
            self.terminate()


LEAD = _TALLY
"""The actor to which control speaks."""


def initial(p: Parameters) -> list[Actor]:
    """The actors that exist before the first message."""
    return [Tally(p), *(Adder(index, p) for index in range(p.adders)), Counter(p)]


def begin(p: Parameters, salt: int) -> tuple[int, tuple[int, ...]]:
    """The line with which control begins: the kind and the arguments of a message to the lead."""
    return kind.MESSAGE_KIND_TALLY_START, (salt,)


def receipt(p: Parameters, salt: int) -> dict[str, int]:
    """The fields that every receipt must have (COUNT-4)."""
    digests = fold_each(salt, words(p.adders))
    return {"adds": p.adders * p.adds, "sum": sum_of_numbered(digests, p.adds)}


def messages(p: Parameters) -> int:
    """The message budget: the adds, and `go`, `get_and_reset`, `total`, `counted` of each adder."""
    return p.adders * (p.adds + 4)


def population(p: Parameters) -> list[Crowd]:
    """The members of each class, and about how many messages each of them takes."""
    return [
        Crowd(names.ADDER, p.adders, 2),
        Crowd(names.COUNTER, 1, p.adders * (p.adds + 1)),
    ]


def taken(p: Parameters, ended: bool, actor: int) -> int | None:
    """The number of messages that this actor takes in each run; None if that is no fact. ``ended``
    says whether the run was torn down."""
    match names.class_of(actor):
        case names.TALLY:
            return p.adders + 1
        case names.ADDER:
            return 2
        case names.COUNTER:
            return p.adders * (p.adds + 1)
    return None
