"""Broker (spec/broker.md): employees ask an employer for work through a router.

Request and reply both pass the router, payload and all. An employee's request
carries the result of its last task: the checksum of the payload that it was sent.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.model.fold import CHUNK, add, fold, fold_each, weights, words
from dramaturg.v2 import trace_pb2 as kind

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


def payload(number: int, size: int) -> Iterator[int]:
    """The bytes of task ``number`` (BROKER-3)."""
    return ((number + i) % 256 for i in range(size))


def result_of(salt: int, number: int, size: int) -> int:
    """What the employee finds who has read the payload of task ``number``: it depends on every
    byte, on their order, and on the number (BROKER-3)."""
    # checksum(fold(salt, number), payload(number, size)), without reading all of it each time:
    # what a checksum begins with is multiplied by 31 for each byte, and no more.
    begun = fold(salt, number) * pow(31, size, 1 << 32)
    return fold(add(begun, _checksum(number % 256, size)), number)


@lru_cache(maxsize=1024)
def _checksum(first: int, size: int) -> int:
    """``checksum(0, payload(first, size))``, all bytes at once."""
    found = weights(size) * ((words(size) + np.uint32(first)) % np.uint32(256))
    return int(found.sum(dtype=np.uint32))


class Employer(Actor):
    """Answers each request with a task, as long as there are any (BROKER-1)."""

    actor_class = names.EMPLOYER

    __slots__ = ("parameters", "given", "results", "sum", "waiting")

    def __init__(self, parameters: Parameters) -> None:
        super().__init__(_EMPLOYER)
        self.parameters = parameters
        self.given = 0
        self.results = 0
        self.sum = 0
        self.waiting = 0

    def start(self, sender: int, salt: int) -> None:
        for index in range(self.parameters.employees):
            self.send(employee_name(index), kind.MESSAGE_KIND_EMPLOYEE_GO, salt)

    def request(self, sender: int, employee: int, result: int, checksum: int) -> None:
        p = self.parameters
        if result > 0:
            self.results += 1
            self.sum = add(self.sum, checksum)
        if self.given < p.tasks:
            self.send(_ROUTER, kind.MESSAGE_KIND_ROUTER_TASK, employee, self.given, p.size)
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

    def task(self, sender: int, employee: int, number: int, size: int) -> None:
        self.send(employee_name(employee), kind.MESSAGE_KIND_EMPLOYEE_TASK, number, size)

    def dismiss(self, sender: int, employee: int) -> None:
        self.send(employee_name(employee), kind.MESSAGE_KIND_EMPLOYEE_DISMISS)
        self.employed -= 1
        if self.employed == 0:
            self.terminate()


class Employee(Actor):
    """Reads every byte of each payload, and asks for the next (BROKER-3)."""

    actor_class = names.EMPLOYEE

    __slots__ = ("salt",)

    def __init__(self, index: int, parameters: Parameters) -> None:
        super().__init__(employee_name(index))
        self.salt = 0

    def go(self, sender: int, salt: int) -> None:
        self.salt = salt
        self.send(_ROUTER, kind.MESSAGE_KIND_ROUTER_REQUEST, 0, 0)

    def task(self, sender: int, number: int, size: int) -> None:
        found = result_of(self.salt, number, size)
        self.send(_ROUTER, kind.MESSAGE_KIND_ROUTER_REQUEST, number + 1, found)

    def dismiss(self, sender: int) -> None:
        self.terminate()


def receipt(p: Parameters, salt: int) -> dict[str, int]:
    """What every receipt must say (BROKER-4)."""
    # A payload depends on its number only modulo 256.
    payloads = np.array([_checksum(first, p.size) for first in range(256)], np.uint32)
    weight = np.uint32(pow(31, p.size, 1 << 32))
    total = 0
    for start in range(0, p.tasks, CHUNK):
        numbers = words(min(p.tasks, start + CHUNK) - start) + np.uint32(start)
        checksums = fold_each(salt, numbers) * weight + payloads[numbers % np.uint32(256)]
        total = add(total, int(fold_each(checksums, numbers).sum(dtype=np.uint64)))
    return {"results": p.tasks, "sum": total}


def messages(p: Parameters) -> int:
    """The message budget: four for each task, five for each employee's first and last."""
    return 4 * p.tasks + 5 * p.employees
