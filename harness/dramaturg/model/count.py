"""Count (spec/count.md): adders add to one counter, then ask for the sum and reset it.

Each adder asks for itself, behind its own adds. What the others had added by then
depends on the schedule, but every add is in exactly one total: the last asker's
comes after all adds of all adders.
"""

from dataclasses import dataclass

from dramaturg.model import names
from dramaturg.model.actor import Actor
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


def receipt(p: Parameters, salt: int) -> dict[str, int]:
    """What every receipt must say (COUNT-4)."""
    digests = fold_each(salt, words(p.adders))
    return {"adds": p.adders * p.adds, "sum": sum_of_numbered(digests, p.adds)}


def messages(p: Parameters) -> int:
    """The message budget: the adds, and `go`, `get_and_reset`, `total`, `counted` of each adder."""
    return p.adders * (p.adds + 4)
