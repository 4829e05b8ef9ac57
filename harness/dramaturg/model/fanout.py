"""Fanout (spec/fanout.md): a master gives tasks to runners; each answers every one.

With a window the master hands a runner its next task when it has completed one, so
that what is under way is bounded; without, everything is sent at once.
"""

from dataclasses import dataclass

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.v1 import trace_pb2 as kind

_CONTROL = names.name(names.CONTROL)
_MASTER = names.name(names.MASTER)


def runner_name(index: int) -> int:
    return names.name(names.RUNNER, index)


@dataclass(frozen=True, slots=True)
class Parameters:
    """Runners, tasks for each, and how many one may have under way (0: all)."""

    runners: int
    tasks: int
    window: int


RANGES = {"runners": (1, 2**20), "tasks": (1, 2**32 - 1), "window": (0, 2**32 - 1)}
"""What each parameter must be in, ends included (benchmarks.proto)."""


class Master(Actor):
    """Hands out tasks, counts what is completed (FANOUT-1)."""

    actor_class = names.MASTER

    __slots__ = ("parameters", "given", "attempted", "completed_")

    def __init__(self, parameters: Parameters) -> None:
        super().__init__(_MASTER)
        self.parameters = parameters
        self.given = [0] * parameters.runners
        self.attempted = 0
        self.completed_ = 0

    def start(self, sender: int) -> None:
        p = self.parameters
        for _ in range(min(p.window, p.tasks) if p.window else p.tasks):
            for index in range(p.runners):
                self._give(index)

    def completed(self, sender: int, number: int, attempted: int) -> None:
        p = self.parameters
        self.completed_ += 1
        if attempted == p.tasks:
            self.attempted += attempted
        index = names.index_of(sender)
        if self.given[index] < p.tasks:
            self._give(index)
        if self.completed_ == p.runners * p.tasks:
            self.send(_CONTROL, kind.MESSAGE_KIND_CONTROL_DONE, self.attempted, self.completed_, 0)
            self.terminate()

    def _give(self, index: int) -> None:
        self.send(runner_name(index), kind.MESSAGE_KIND_RUNNER_TASK, self.given[index])
        self.given[index] += 1


class Runner(Actor):
    """Takes tasks and answers each (FANOUT-2)."""

    actor_class = names.RUNNER

    __slots__ = ("parameters", "attempted")

    def __init__(self, index: int, parameters: Parameters) -> None:
        super().__init__(runner_name(index))
        self.parameters = parameters
        self.attempted = 0

    def task(self, sender: int, number: int) -> None:
        self.attempted += 1
        self.send(_MASTER, kind.MESSAGE_KIND_MASTER_COMPLETED, number, self.attempted)
        if self.attempted == self.parameters.tasks:
            self.terminate()


def receipt(p: Parameters) -> dict[str, int]:
    """What every receipt must say (FANOUT-3)."""
    return {"attempted": p.runners * p.tasks, "completed": p.runners * p.tasks}


def messages(p: Parameters) -> int:
    """The message budget: every task and its answer."""
    return 2 * p.runners * p.tasks
