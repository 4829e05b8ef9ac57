"""Sleepers (spec/sleepers.md): as fanout, but every answer waits for a timer.

A sleeper does not block: on `sleep` it asks the runtime's timer to send it `wake`
after the delay. The model has no clock; to it `wake` is a message that an actor
sends to itself, and how long it took is the receipt's business.
"""

from dataclasses import dataclass

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.v1 import trace_pb2 as kind

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


RANGES = {"sleepers": (1, 2**20), "naps": (1, 2**32 - 1), "delay": (0, 60_000)}
"""What each parameter must be in, ends included (benchmarks.proto)."""


class Alarm(Actor):
    """Sends everybody to sleep, again and again (SLEEP-1)."""

    actor_class = names.ALARM

    __slots__ = ("parameters", "naps")

    def __init__(self, parameters: Parameters) -> None:
        super().__init__(_ALARM)
        self.parameters = parameters
        self.naps = 0

    def start(self, sender: int) -> None:
        for index in range(self.parameters.sleepers):
            self.send(sleeper_name(index), kind.MESSAGE_KIND_SLEEPER_SLEEP, 0)

    def awake(self, sender: int, number: int) -> None:
        p = self.parameters
        self.naps += 1
        if number + 1 < p.naps:
            self.send(sender, kind.MESSAGE_KIND_SLEEPER_SLEEP, number + 1)
        if self.naps == p.sleepers * p.naps:
            self.send(_CONTROL, kind.MESSAGE_KIND_CONTROL_DONE, self.naps, 0, 0)
            self.terminate()


class Sleeper(Actor):
    """Sleeps when told to, on the runtime's timer (SLEEP-2)."""

    actor_class = names.SLEEPER

    __slots__ = ("parameters",)

    def __init__(self, index: int, parameters: Parameters) -> None:
        super().__init__(sleeper_name(index))
        self.parameters = parameters

    def sleep(self, sender: int, number: int) -> None:
        self.send(self.name, kind.MESSAGE_KIND_SLEEPER_WAKE, number)

    def wake(self, sender: int, number: int) -> None:
        self.send(_ALARM, kind.MESSAGE_KIND_ALARM_AWAKE, number)
        if number + 1 == self.parameters.naps:
            self.terminate()


def receipt(p: Parameters) -> dict[str, int]:
    """What every receipt must say (SLEEP-3)."""
    return {"naps": p.sleepers * p.naps}


def messages(p: Parameters) -> int:
    """The message budget: `sleep`, `wake`, `awake` for every nap."""
    return 3 * p.sleepers * p.naps
