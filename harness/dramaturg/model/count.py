"""Count (spec/count.md): adders add to one counter, then ask for the sum and reset it.

Each adder asks for itself, behind its own adds. What the others had added by then
depends on the schedule, but every add is in exactly one total: the last asker's
comes after all adds of all adders.
"""

from dataclasses import dataclass

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.v1 import trace_pb2 as kind

_CONTROL = names.name(names.CONTROL)
_TALLY = names.name(names.TALLY)
_COUNTER = names.name(names.COUNTER)


def adder_name(index: int) -> int:
    return names.name(names.ADDER, index)


@dataclass(frozen=True, slots=True)
class Parameters:
    """Adders, and the adds of each: the values 1, 2, 3, ..."""

    adders: int
    adds: int


RANGES = {"adders": (1, 2**20), "adds": (1, 2**32 - 1)}
"""What each parameter must be in, ends included (benchmarks.proto)."""


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

    def start(self, sender: int) -> None:
        for index in range(self.parameters.adders):
            self.send(adder_name(index), kind.MESSAGE_KIND_ADDER_GO)

    def counted(self, sender: int, adds: int, sum: int) -> None:
        self.adds += adds
        self.sum += sum
        self.adding -= 1
        if self.adding == 0:
            self.send(_CONTROL, kind.MESSAGE_KIND_CONTROL_DONE, self.adds, self.sum, 0)
            self.terminate()


class Adder(Actor):
    """Adds, then asks (COUNT-2)."""

    actor_class = names.ADDER

    __slots__ = ("parameters",)

    def __init__(self, index: int, parameters: Parameters) -> None:
        super().__init__(adder_name(index))
        self.parameters = parameters

    def go(self, sender: int) -> None:
        for value in range(1, self.parameters.adds + 1):
            self.send(_COUNTER, kind.MESSAGE_KIND_COUNTER_ADD, value)
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
        self.sum += value

    def get_and_reset(self, sender: int) -> None:
        self.send(sender, kind.MESSAGE_KIND_ADDER_TOTAL, self.adds, self.sum)
        self.adds = 0
        self.sum = 0
        self.asking -= 1
        if self.asking == 0:
            self.terminate()


def receipt(p: Parameters) -> dict[str, int]:
    """What every receipt must say (COUNT-4)."""
    return {"adds": p.adders * p.adds, "sum": p.adders * p.adds * (p.adds + 1) // 2}


def messages(p: Parameters) -> int:
    """The message budget: the adds, and `go`, `get_and_reset`, `total`, `counted` of each adder."""
    return p.adders * (p.adds + 4)
