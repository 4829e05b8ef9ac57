"""Broker (spec/broker.md): employees ask an employer for work through a router.

Request and reply both pass the router, payload and all. An employee's request
carries the result of its last task: the checksum of the payload that it was sent.
"""

from dataclasses import dataclass
from functools import cache

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.v1 import trace_pb2 as kind

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


RANGES = {"employees": (1, 128), "tasks": (1, 2**32 - 1), "size": (4, 65536)}
"""What each parameter must be in, ends included (benchmarks.proto)."""


@cache
def _checksum(number: int, size: int) -> int:
    total = 0
    for i in range(size):
        total = (total * 31 + (number + i) % 256) % (1 << 32)
    return total


def checksum(number: int, size: int) -> int:
    """That of task ``number``'s payload, of which byte i is ``(number + i) mod 256``: as
    mergesort's, it depends on every byte and on their order (BROKER-3)."""
    return _checksum(number % 256, size)


class Employer(Actor):
    """Answers each request with a task, as long as there are any (BROKER-1)."""

    actor_class = names.EMPLOYER

    __slots__ = ("parameters", "given", "results", "checksum_sum", "employed")

    def __init__(self, parameters: Parameters) -> None:
        super().__init__(_EMPLOYER)
        self.parameters = parameters
        self.given = 0
        self.results = 0
        self.checksum_sum = 0
        self.employed = parameters.employees

    def start(self, sender: int) -> None:
        for index in range(self.parameters.employees):
            self.send(employee_name(index), kind.MESSAGE_KIND_EMPLOYEE_GO)

    def request(self, sender: int, employee: int, result: int, checksum: int) -> None:
        p = self.parameters
        if result > 0:
            self.results += 1
            self.checksum_sum += checksum
        if self.given < p.tasks:
            self.send(_ROUTER, kind.MESSAGE_KIND_ROUTER_TASK, employee, self.given, p.size)
            self.given += 1
            return
        self.send(_ROUTER, kind.MESSAGE_KIND_ROUTER_DISMISS, employee)
        self.employed -= 1
        if self.employed == 0:
            self.send(_CONTROL, kind.MESSAGE_KIND_CONTROL_DONE, self.results, self.checksum_sum, 0)
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

    __slots__ = ("parameters",)

    def __init__(self, index: int, parameters: Parameters) -> None:
        super().__init__(employee_name(index))
        self.parameters = parameters

    def go(self, sender: int) -> None:
        self.send(_ROUTER, kind.MESSAGE_KIND_ROUTER_REQUEST, 0, 0)

    def task(self, sender: int, number: int, size: int) -> None:
        found = checksum(number, size)
        self.send(_ROUTER, kind.MESSAGE_KIND_ROUTER_REQUEST, number + 1, found)

    def dismiss(self, sender: int) -> None:
        self.terminate()


def receipt(p: Parameters) -> dict[str, int]:
    """What every receipt must say (BROKER-4)."""
    # A payload depends on its number only modulo 256, so 256 tasks repeat.
    whole, rest = divmod(p.tasks, 256)
    period = sum(checksum(number, p.size) for number in range(256))
    return {
        "results": p.tasks,
        "checksum_sum": whole * period + sum(checksum(number, p.size) for number in range(rest)),
    }


def messages(p: Parameters) -> int:
    """The message budget: four for each task, five for each employee's first and last."""
    return 4 * p.tasks + 5 * p.employees
