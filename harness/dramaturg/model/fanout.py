"""Fanout (spec/fanout.md): a master gives tasks to runners; each answers every one.

With a window the master hands a runner its next task when it has completed one, so
that what is under way is bounded; without, everything is sent at once.
"""

from dataclasses import dataclass

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.model.crowd import Crowd
from dramaturg.model.fold import add, fold, fold_each, sum_of_numbered, words
from dramaturg.v2 import trace_pb2 as kind

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


SIZES = {"runners": (100, 100, 10), "tasks": (100_000, 1_000, 50), "window": (1_000, 100, 10)}
"""Parameters at scales full, small and tiny."""

RECEIPT = "FANOUT-3"
"""The requirement on its receipt."""

GROWS = "tasks"
"""The parameter with which its run time grows."""

ENDLESS = {"runners": 1, "tasks": 2**32 - 1, "window": 1}
"""A run whose end nobody waits for, whose lead soon takes some messages, and whose mailboxes do not
grow."""

LONG = {"runners": 1, "tasks": 20_000, "window": 1}
"""A run that ends soon, and whose log is many times what a pipe holds."""

STEADY: tuple[int, ...] = ()
"""No class takes messages from the beginning of a run to its end (MEAS-49): the master may have to
wait until all is sent."""


class Master(Actor):
    """Hands out tasks, counts what is completed (FANOUT-1)."""

    actor_class = names.MASTER

    __slots__ = ("parameters", "salt", "given", "completed_", "sum")

    def __init__(self, parameters: Parameters) -> None:
        super().__init__(_MASTER)
        self.parameters = parameters
        self.salt = 0
        self.given = [0] * parameters.runners
        self.completed_ = 0
        self.sum = 0

    def start(self, sender: int, salt: int) -> None:
        p = self.parameters
        self.salt = salt
        for _ in range(min(p.window, p.tasks) if p.window else p.tasks):
            for index in range(p.runners):
                self._give(index)

    def completed(self, sender: int, number: int, value: int) -> None:
        p = self.parameters
        self.completed_ += 1
        self.sum = add(self.sum, value)
        index = names.index_of(sender)
        if self.given[index] < p.tasks:
            self._give(index)
        if self.completed_ == p.runners * p.tasks:
            self.send(_CONTROL, kind.MESSAGE_KIND_CONTROL_DONE, self.completed_, self.sum)
            self.terminate()

    def _give(self, index: int) -> None:
        number = self.given[index]
        value = fold(fold(self.salt, index), number)
        self.send(runner_name(index), kind.MESSAGE_KIND_RUNNER_TASK, number, value)
        self.given[index] += 1


class Runner(Actor):
    """Takes tasks and answers each, with its own count in the value (FANOUT-2)."""

    actor_class = names.RUNNER

    __slots__ = ("parameters", "tasks")

    def __init__(self, index: int, parameters: Parameters) -> None:
        super().__init__(runner_name(index))
        self.parameters = parameters
        self.tasks = 0

    def task(self, sender: int, number: int, value: int) -> None:
        self.send(_MASTER, kind.MESSAGE_KIND_MASTER_COMPLETED, number, fold(value, self.tasks))
        self.tasks += 1
        if self.tasks == self.parameters.tasks:
            self.terminate()


LEAD = _MASTER
"""The actor to which control speaks."""


def initial(p: Parameters) -> list[Actor]:
    """The actors that exist before the first message."""
    return [Master(p), *(Runner(index, p) for index in range(p.runners))]


def begin(p: Parameters, salt: int) -> tuple[int, tuple[int, ...]]:
    """The line with which control begins: the kind and the arguments of a message to the lead."""
    return kind.MESSAGE_KIND_MASTER_START, (salt,)


def receipt(p: Parameters, salt: int) -> dict[str, int]:
    """The fields that every receipt must have (FANOUT-3)."""
    digests = fold_each(salt, words(p.runners))
    return {"completed": p.runners * p.tasks, "sum": sum_of_numbered(digests, p.tasks, None)}


def messages(p: Parameters) -> int:
    """The message budget: every task and its answer."""
    return 2 * p.runners * p.tasks


def population(p: Parameters) -> list[Crowd]:
    """The members of each class, and about how many messages each of them takes."""
    return [
        Crowd(names.RUNNER, p.runners, p.tasks),
        Crowd(names.MASTER, 1, p.runners * p.tasks + 1),
    ]


def taken(p: Parameters, ended: bool, actor: int) -> int | None:
    """The number of messages that this actor takes in each run; None if that is no fact. ``ended``
    says whether the run was torn down."""
    match names.class_of(actor):
        case names.MASTER:
            return p.runners * p.tasks + 1
        case names.RUNNER:
            return p.tasks
    return None
