"""Sleepers (spec/sleepers.md): as fanout, but every answer waits for a timer.

A sleeper does not block: on `sleep` it asks the runtime's timer to send it `wake`
after the delay. The model has no clock; to it `wake` is a message that an actor
sends to itself, and how long it took is the receipt's business.
"""

from dataclasses import dataclass
from typing import Any

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.model.crowd import Crowd
from dramaturg.model.fold import add, fold, fold_each, sum_of_numbered, words
from dramaturg.v2 import trace_pb2 as kind

_CONTROL = names.name(names.CONTROL)
_ALARM = names.name(names.ALARM)


def sleeper_name(index: int) -> int:
    return names.name(names.SLEEPER, index)


@dataclass(frozen=True, slots=True)
class Parameters:
    """Sleepers, naps of each, and milliseconds of each nap."""

    sleepers: int
    naps: int
    delay: int


SIZES = {"sleepers": (10_000, 1_000, 100), "naps": (5, 3, 2), "delay": (100, 50, 10)}
"""Parameters at scales full, small and tiny."""

RECEIPT = "SLEEP-3"
"""The requirement on its receipt."""

GROWS = "naps"
"""The parameter with which its run time grows."""

ENDLESS = {"sleepers": 1, "naps": 2**32 - 1}
"""A run whose end nobody waits for, whose lead soon takes some messages, and whose mailboxes do not
grow."""

LONG = {"sleepers": 20_000, "naps": 1}
"""A run that ends soon, and whose log is many times what a pipe holds."""

STEADY: tuple[int, ...] = ()
"""No class takes messages at one pace (MEAS-49): timers say when. Naps are counted instead
(SLEEP-2)."""


class Alarm(Actor):
    """Sends everybody to sleep, again and again (SLEEP-1)."""

    actor_class = names.ALARM

    __slots__ = ("parameters", "salt", "naps", "sum")

    def __init__(self, parameters: Parameters) -> None:
        super().__init__(_ALARM)
        self.parameters = parameters
        self.salt = 0
        self.naps = 0
        self.sum = 0

    def start(self, sender: int, salt: int) -> None:
        self.salt = salt
        for index in range(self.parameters.sleepers):
            self._sleep(index, 0)

    def awake(self, sender: int, number: int, value: int) -> None:
        p = self.parameters
        self.naps += 1
        self.sum = add(self.sum, value)
        if number + 1 < p.naps:
            self._sleep(names.index_of(sender), number + 1)
        if self.naps == p.sleepers * p.naps:
            self.send(_CONTROL, kind.MESSAGE_KIND_CONTROL_DONE, self.naps, self.sum)
            self.terminate()

    def _sleep(self, index: int, number: int) -> None:
        value = fold(fold(self.salt, index), number)
        self.send(sleeper_name(index), kind.MESSAGE_KIND_SLEEPER_SLEEP, number, value)


class Sleeper(Actor):
    """Sleeps when told to, on the runtime's timer (SLEEP-2)."""

    actor_class = names.SLEEPER

    __slots__ = ("parameters", "value")

    def __init__(self, index: int, parameters: Parameters) -> None:
        super().__init__(sleeper_name(index))
        self.parameters = parameters
        self.value = 0

    def sleep(self, sender: int, number: int, value: int) -> None:
        self.value = value
        self.send(self.name, kind.MESSAGE_KIND_SLEEPER_WAKE, number)

    def wake(self, sender: int, number: int) -> None:
        value = fold(self.value, self.parameters.delay)
        self.send(_ALARM, kind.MESSAGE_KIND_ALARM_AWAKE, number, value)
        if number + 1 == self.parameters.naps:
            self.terminate()


LEAD = _ALARM
"""The actor to which control speaks."""


def initial(p: Parameters) -> list[Actor]:
    """The actors that exist before the first message."""
    return [Alarm(p), *(Sleeper(index, p) for index in range(p.sleepers))]


def begin(p: Parameters, salt: int) -> tuple[int, tuple[int, ...]]:
    """The line with which control begins: the kind and the arguments of a message to the lead."""
    return kind.MESSAGE_KIND_ALARM_START, (salt,)


def receipt(p: Parameters, salt: int) -> dict[str, int]:
    """The fields that every receipt must have (SLEEP-3)."""
    digests = fold_each(salt, words(p.sleepers))
    return {"naps": p.sleepers * p.naps, "sum": sum_of_numbered(digests, p.naps, p.delay)}


def messages(p: Parameters) -> int:
    """The message budget: `sleep`, `wake`, `awake` for every nap."""
    return 3 * p.sleepers * p.naps


def population(p: Parameters) -> list[Crowd]:
    """The members of each class, and about how many messages each of them takes."""
    return [
        Crowd(names.SLEEPER, p.sleepers, 2 * p.naps),
        Crowd(names.ALARM, 1, p.sleepers * p.naps + 1),
    ]


def taken(p: Parameters, ended: bool, actor: int) -> int | None:
    """The number of messages that this actor takes in each run; None if that is no fact. ``ended``
    says whether the run was torn down."""
    match names.class_of(actor):
        case names.ALARM:
            return p.sleepers * p.naps + 1
        case names.SLEEPER:
            return 2 * p.naps
    return None


def durations(p: Parameters, receipt: Any) -> list[str]:
    """The impossible durations of a receipt: a nap that ended too early."""
    found = []
    nap = p.delay * 1_000_000
    least, shortest = p.naps * nap, receipt.done.shortest_nanos
    if receipt.run_nanos < least:
        found.append(
            f"run_nanos is {receipt.run_nanos}, expected at least {least}: so long do the naps"
            " take one after the other (SLEEP-3)"
        )
    if shortest < nap:
        found.append(
            f"the shortest nap took {shortest} ns from `sleep` to `awake`, expected at least"
            f" {nap}: a timer fired too early (SLEEP-5)"
        )
    elif shortest > receipt.run_nanos // p.naps:
        found.append(
            f"the shortest nap took {shortest} ns, expected at most"
            f" {receipt.run_nanos // p.naps}: {p.naps} of them, one after the"
            f" other, took {receipt.run_nanos} (SLEEP-5)"
        )
    return found
