"""Broker (spec/broker.md): employees ask an employer for work through a router.

Request and reply both pass the router, payload and all. A log has only the checksum of the payload.
The employer alone has the salt, from which it makes payloads, so an employee knows of one only what
it has read. Its request carries the result of its last task, which is made from that checksum.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.model.crowd import Crowd
from dramaturg.model.distribution import Between, Homes, Least, dealt_to_the_rest, living
from dramaturg.model.fold import (
    MASK,
    Words,
    add,
    fold,
    fold_each,
    stream,
    stream_checksum,
    stream_checksums,
    words,
)
from dramaturg.v2 import trace_pb2 as kind

MANY = 4096
"""Payloads that are made at once, byte by byte."""

FEW = 16
"""Payloads that are made faster one after the other."""

_CONTROL = names.name(names.CONTROL)
_EMPLOYER = names.name(names.EMPLOYER)
_ROUTER = names.name(names.ROUTER)


def employee_name(index: int) -> int:
    return names.name(names.EMPLOYEE, index)


@dataclass(frozen=True, slots=True)
class Parameters:
    """Employees, tasks in all, and bytes of a task's payload."""

    employees: int
    tasks: int
    size: int


SIZES = {"employees": (128, 32, 4), "tasks": (100_000, 5_000, 100), "size": (4_096, 1_024, 64)}
"""Parameters at scales full, small and tiny."""

RECEIPT = "BROKER-4"
"""The requirement on its receipt."""

GROWS = "tasks"
"""The parameter with which its run time grows."""

ENDLESS = {"employees": 1, "tasks": 2**32 - 1, "size": 4}
"""A run whose end nobody waits for, whose lead soon takes some messages, and whose mailboxes do not
grow."""

LONG = {"employees": 1, "tasks": 20_000, "size": 4}
"""A run that ends soon, and whose log is many times what a pipe holds."""

AT_ONCE = ("employees",)
"""The parameters that bound how many computes are under way at the same time, however many cores
there are (MEAS-13): an employee has one payload at a time, whose bytes are made
before they are read."""

COMPUTING = {names.EMPLOYEE: 2}
"""Classes of which all messages of a run but so many, at most, are computes that have been done
(MEAS-28): `go`, and the one that was taken last."""

STEADY = (names.EMPLOYER, names.ROUTER, names.EMPLOYEE)
"""Classes that, all members together, take messages from the beginning of a run to its end: each
message waits for one before (MEAS-49)."""


def payload(salt: int, number: int, size: int) -> bytes:
    """The bytes of task ``number`` (BROKER-3)."""
    return bytes(each >> 24 for each in stream(fold(salt, number), size))


def result_of(checksum: int, number: int) -> int:
    """The result of an employee that has read a payload with this checksum (BROKER-3)."""
    return fold(checksum, number)


def checksum_of(salt: int, number: int, size: int, tasks: int = 0) -> int:
    """Return the checksum of the payload of task ``number``, from 0: it depends on every byte, and
    on their order. ``tasks`` is their number; many are made at once."""
    start = number - number % MANY
    # A wrong log can have any number.
    count = min(MANY, max(tasks, number + 1) - start)
    return int(_checksums(salt, start & MASK, size, count)[number % MANY])


@lru_cache(maxsize=256)
def _checksums(salt: int, start: int, size: int, count: int) -> Words:
    """Return the checksums of ``count`` tasks at once, from number ``start`` on: the bytes in turn,
    each of all these payloads; of few, which can be long, one payload after the other."""
    numbers = words(count) + np.uint32(start)
    if count <= FEW:
        each = (stream_checksum(fold(salt, int(number)), size) for number in numbers)
        return np.fromiter(each, np.uint32, count)
    return stream_checksums(fold_each(salt, numbers), size)


class Employer(Actor):
    """Answers each request with a task, as long as there are any (BROKER-1)."""

    actor_class = names.EMPLOYER

    __slots__ = ("parameters", "salt", "given", "results", "sum", "waiting")

    def __init__(self, parameters: Parameters) -> None:
        super().__init__(_EMPLOYER)
        self.parameters = parameters
        self.salt = 0
        self.given = 0
        self.results = 0
        self.sum = 0
        self.waiting = 0

    def start(self, sender: int, salt: int) -> None:
        self.salt = salt
        for index in range(self.parameters.employees):
            self.send(employee_name(index), kind.MESSAGE_KIND_EMPLOYEE_GO)

    def request(self, sender: int, employee: int, result: int, checksum: int) -> None:
        p = self.parameters
        if result > 0:
            self.results += 1
            self.sum = add(self.sum, checksum)
        if self.given < p.tasks:
            task = self.given, p.size, checksum_of(self.salt, self.given, p.size, p.tasks)
            self.send(_ROUTER, kind.MESSAGE_KIND_ROUTER_TASK, employee, *task)
            self.given += 1
            return
        self.waiting += 1
        if self.waiting == p.employees:
            self.send(_CONTROL, kind.MESSAGE_KIND_CONTROL_DONE, self.results, self.sum)

    def disconnect(self, sender: int) -> None:
        for employee in range(self.parameters.employees):
            self.send(_ROUTER, kind.MESSAGE_KIND_ROUTER_DISMISS, employee)
        self.terminate()


class Router(Actor):
    """Passes everything on (BROKER-2)."""

    actor_class = names.ROUTER

    __slots__ = ("employed",)

    def __init__(self, parameters: Parameters) -> None:
        super().__init__(_ROUTER)
        self.employed = parameters.employees

    def request(self, sender: int, result: int, checksum: int) -> None:
        employee = names.index_of(sender)
        self.send(_EMPLOYER, kind.MESSAGE_KIND_EMPLOYER_REQUEST, employee, result, checksum)

    def task(self, sender: int, employee: int, *task: int) -> None:
        self.send(employee_name(employee), kind.MESSAGE_KIND_EMPLOYEE_TASK, *task)

    def dismiss(self, sender: int, employee: int) -> None:
        self.send(employee_name(employee), kind.MESSAGE_KIND_EMPLOYEE_DISMISS)
        self.employed -= 1
        if self.employed == 0:
            self.terminate()


class Employee(Actor):
    """Reads every byte of each payload, and asks for the next (BROKER-3)."""

    actor_class = names.EMPLOYEE

    __slots__ = ()

    def __init__(self, index: int, parameters: Parameters) -> None:
        super().__init__(employee_name(index))

    def go(self, sender: int) -> None:
        self.send(_ROUTER, kind.MESSAGE_KIND_ROUTER_REQUEST, 0, 0)

    def task(self, sender: int, number: int, size: int, checksum: int) -> None:
        found = result_of(checksum, number)
        self.send(_ROUTER, kind.MESSAGE_KIND_ROUTER_REQUEST, number + 1, found)

    def dismiss(self, sender: int) -> None:
        self.terminate()


def sum_of_results(salt: int, tasks: int, size: int) -> int:
    """The sum of the results of the tasks 0 to ``tasks`` - 1, modulo 2^32."""
    total = 0
    for start in range(0, tasks, MANY):
        count = min(MANY, tasks - start)
        numbers = words(count) + np.uint32(start)
        results = fold_each(_checksums(salt, start, size, count), numbers)
        total = add(total, int(results.sum(dtype=np.uint64)))
    return total


LEAD = _EMPLOYER
"""The actor to which control speaks."""

FAREWELL = kind.MESSAGE_KIND_EMPLOYER_DISCONNECT
"""The kind of message with which control ends it."""

FAREWELLS = (FAREWELL, kind.MESSAGE_KIND_ROUTER_DISMISS, kind.MESSAGE_KIND_EMPLOYEE_DISMISS)
"""The kinds of messages that are sent upon that."""


def initial(p: Parameters) -> list[Actor]:
    """The actors that exist before the first message."""
    return [Employer(p), Router(p), *(Employee(index, p) for index in range(p.employees))]


def begin(p: Parameters, salt: int) -> tuple[int, tuple[int, ...]]:
    """The line with which control begins: the kind and the arguments of a message to the lead."""
    return kind.MESSAGE_KIND_EMPLOYER_START, (salt,)


def receipt(p: Parameters, salt: int) -> dict[str, int]:
    """The fields that every receipt must have (BROKER-4)."""
    return {"results": p.tasks, "sum": sum_of_results(salt, p.tasks, p.size)}


def messages(p: Parameters) -> int:
    """The message budget: four for each task, five for each employee's first and last."""
    return 4 * p.tasks + 5 * p.employees


def population(p: Parameters) -> list[Crowd]:
    """The members of each class, and about how many messages each of them takes."""
    tasks, crew = p.tasks, p.employees
    return [
        Crowd(names.EMPLOYEE, crew, -(-tasks // crew) + 2, sure=1),
        Crowd(names.EMPLOYER, 1, tasks + crew + 2),
        Crowd(names.ROUTER, 1, 2 * (tasks + crew)),
    ]


def taken(p: Parameters, ended: bool, actor: int) -> int | None:
    """The number of messages that this actor takes in each run; None if that is no fact. ``ended``
    says whether the run was torn down."""
    match names.class_of(actor):
        case names.EMPLOYER:
            return p.tasks + p.employees + 1 + ended
        case names.ROUTER:
            return 2 * p.tasks + p.employees + (p.employees if ended else 0)
    return None


HOMES: Homes = {names.EMPLOYEE: dealt_to_the_rest}
"""The actors that do not all live on node 0 (DIST-1)."""


def most_nodes(p: Parameters) -> int:
    """Over how many nodes at most: no node is empty."""
    return 1 + p.employees


def between(p: Parameters, nodes: int, one: int, other: int) -> Between:
    """Between two nodes: an employee waits for one task at a time (DIST-9)."""
    employees = 0 if one and other else living(p.employees, one + other - 1, nodes - 1)
    return Between(employees, 2 * p.tasks * employees // p.employees)


def crossing(p: Parameters, nodes: int, counts: Mapping[str, int]) -> Iterator[Least]:
    """The least that crosses: every task with its payload, and its result back. The schedule
    decides which employee has it, but each has one at a time, so some have taken turns at as
    many."""
    turns = -(-p.tasks // p.employees)
    yield Least(0, None, p.tasks, turns, p.tasks * p.size)
    yield Least(None, 0, p.tasks, turns)
