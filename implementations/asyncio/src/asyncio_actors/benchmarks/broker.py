"""Broker: work with a payload, through a router (spec/broker.md)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from asyncio_actors.benchmarks import table
from asyncio_actors.benchmarks.actor import Actor, Sender
from asyncio_actors.benchmarks.benchmark import Benchmark, from_control
from asyncio_actors.benchmarks.fold import add, checksum
from asyncio_actors.benchmarks.mailbox import Address, Arguments, Mailbox, Message
from asyncio_actors.benchmarks.messages import message
from asyncio_actors.benchmarks.names import index_of
from asyncio_actors.benchmarks.payload import payload, result_of
from asyncio_actors.benchmarks.system import System


def _task_logged(actor: Actor, arguments: Arguments) -> Arguments:
    *task, content = arguments
    return *task, checksum(0, content)


class Employer(Actor):
    """The lead: has a task for whoever asks, while there are any."""

    CLASS = table.EMPLOYER

    __slots__ = (
        "_employees", "_given", "_parameters", "_results", "_router", "_salt", "_sum", "_waiting",
    )  # fmt: skip

    def __init__(
        self,
        system: System,
        address: Mailbox[Any],
        router: "Address[Router]",
        employees: "Sequence[Address[Employee]]",
        parameters: "Broker",
    ) -> None:
        super().__init__(system, address)
        self._router = router
        self._employees = employees
        self._parameters = parameters
        self._salt = 0
        self._given = 0
        self._waiting = 0
        self._results = 0
        self._sum = 0

    @message(table.EMPLOYER_START)
    def start(self, sender: Sender, salt: int) -> None:
        self._salt = salt
        for employee in self._employees:
            self.send(employee, Employee.go)

    @message(table.EMPLOYER_REQUEST)
    def request(self, sender: Sender, employee: int, result: int, total: int) -> None:
        if result:
            self._results += 1
            self._sum = add(self._sum, total)
        if self._given < self._parameters.tasks:
            number, size = self._given, self._parameters.size
            self._given += 1
            content = payload(self._salt, number, size)
            self.send(self._router, Router.task, employee, number, size, content)
            return
        self._waiting += 1
        if self._waiting == len(self._employees):
            self.system.control.done(self._results, self._sum)

    @message(table.EMPLOYER_DISCONNECT)
    def disconnect(self, sender: Sender) -> None:
        for employee in range(len(self._employees)):
            self.send(self._router, Router.dismiss, employee)
        self.end()


class Router(Actor):
    """Passes everything on as it comes."""

    CLASS = table.ROUTER

    __slots__ = ("_dismissed", "_employees", "_employer")

    def __init__(
        self,
        system: System,
        address: Mailbox[Any],
        employer: Address[Employer],
        employees: "Sequence[Address[Employee]]",
    ) -> None:
        super().__init__(system, address)
        self._employer = employer
        self._employees = employees
        self._dismissed = 0

    @message(table.ROUTER_REQUEST)
    def request(self, sender: "Address[Employee]", result: int, total: int) -> None:
        self.send(self._employer, Employer.request, index_of(sender.name), result, total)

    @message(table.ROUTER_TASK, _task_logged, sends="nnnc")
    def task(self, sender: Sender, employee: int, number: int, size: int, content: bytes) -> None:
        self.send(self._employees[employee], Employee.task, number, size, content)

    @message(table.ROUTER_DISMISS)
    def dismiss(self, sender: Sender, employee: int) -> None:
        self.send(self._employees[employee], Employee.dismiss)
        self._dismissed += 1
        if self._dismissed == len(self._employees):
            self.end()


class Employee(Actor):
    """Reads what it is given, and asks for more with the result."""

    CLASS = table.EMPLOYEE

    __slots__ = ("_router",)

    def __init__(self, system: System, address: Mailbox[Any], router: Address[Router]) -> None:
        super().__init__(system, address)
        self._router = router

    @message(table.EMPLOYEE_GO)
    def go(self, sender: Sender) -> None:
        self.send(self._router, Router.request, 0, 0)

    @message(table.EMPLOYEE_TASK, _task_logged, sends="nnc")
    def task(self, sender: Sender, number: int, size: int, content: bytes) -> None:
        self.send(self._router, Router.request, number + 1, result_of(number, content))

    @message(table.EMPLOYEE_DISMISS)
    def dismiss(self, sender: Sender) -> None:
        self.end()


@dataclass(frozen=True)
class Broker(Benchmark):
    """``tasks`` in all; ``size`` of each payload, in bytes."""

    employees: int
    tasks: int
    size: int

    DISCONNECT = from_control(Employer.disconnect)

    def populate(self, system: System) -> Address[Any]:
        employer, router = system.address(Employer), system.address(Router)
        employees = system.addresses(Employee, self.employees)
        system.spawn(employer, Employer, router, employees, self)
        system.spawn(router, Router, employer, employees)
        for employee in employees:
            system.spawn(employee, Employee, router)
        return employer

    def start(self, salt: int) -> Message:
        return from_control(Employer.start, salt)
