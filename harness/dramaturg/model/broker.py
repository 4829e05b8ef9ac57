"""Broker (spec/broker.md): employees ask an employer for work through a router.

Request and reply both pass the router, payload and all. An employee's request
carries the result of its last task: the checksum of the payload that it was sent.
"""

from dataclasses import dataclass
from functools import lru_cache

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.model.fold import add, fold_all, fold_each, words
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


@lru_cache(maxsize=1024)
def _checksum(salt: int, first: int, size: int) -> int:
    return fold_all(salt, ((first + i) % 256 for i in range(size)))


def checksum(salt: int, number: int, size: int) -> int:
    """That of task ``number``'s payload, of which byte i is ``(number + i) mod 256``: it
    depends on every byte and on their order (BROKER-3)."""
    return _checksum(salt, number % 256, size)


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
        found = checksum(self.salt, number, size)
        self.send(_ROUTER, kind.MESSAGE_KIND_ROUTER_REQUEST, number + 1, found)

    def dismiss(self, sender: int) -> None:
        self.terminate()


def receipt(p: Parameters, salt: int) -> dict[str, int]:
    """What every receipt must say (BROKER-4)."""
    # A payload depends on its number only modulo 256: all that there are, side by side.
    firsts = words(256)
    checksums = fold_each(salt, firsts)
    for i in range(1, p.size):
        checksums = fold_each(checksums, (firsts + i) % 256)
    whole, rest = divmod(p.tasks, 256)
    period, begun = (int(part.sum(dtype="uint64")) for part in (checksums, checksums[:rest]))
    return {"results": p.tasks, "sum": add(0, whole * period + begun)}


def messages(p: Parameters) -> int:
    """The message budget: four for each task, five for each employee's first and last."""
    return 4 * p.tasks + 5 * p.employees
