"""Broker's outsiders: employer, router and employees.

An employee hears one word at a time, and the employer nobody but the router, so who sees the
router sees everything. Without it, the schedule decides which employee gets which task, but not the
content of a task, nor that each employee has one at a time and always a later one.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import ClassVar

from dramaturg.model import broker, names
from dramaturg.model.actor import Actor
from dramaturg.trace.events import AnyLogs, Message
from dramaturg.trace.partial.basis.outsiders import (
    FREE,
    WAIT,
    Inside,
    Open,
    Outside,
    Wrong,
)
from dramaturg.trace.partial.basis.reader import NEVER, Numbered, Reader, once
from dramaturg.v2 import trace_pb2 as kind

_EMPLOYER, _ROUTER = names.name(names.EMPLOYER), names.name(names.ROUTER)
_GO, _START = kind.MESSAGE_KIND_EMPLOYEE_GO, kind.MESSAGE_KIND_EMPLOYER_START
_TASK, _DISMISS = kind.MESSAGE_KIND_EMPLOYEE_TASK, kind.MESSAGE_KIND_EMPLOYEE_DISMISS
_ROUTED_TASK = kind.MESSAGE_KIND_ROUTER_TASK
_ROUTED_DISMISS = kind.MESSAGE_KIND_ROUTER_DISMISS
_REQUEST = kind.MESSAGE_KIND_EMPLOYER_REQUEST
_DISCONNECT = kind.MESSAGE_KIND_EMPLOYER_DISCONNECT


class Broker(Outside):
    """A stand-in for those of the three that are not watched."""

    CLOSED: ClassVar = ()
    OPEN: ClassVar = (
        Open(
            names.EMPLOYER, names.ROUTER, "in which order requests of different employees come",
            order_only=True,
        ),
        Open(names.EMPLOYEE, names.ROUTER, "which tasks it gets, and how many"),
    )  # fmt: skip

    def __init__(
        self, parameters: broker.Parameters, salt: int, inside: Inside, logs: AnyLogs
    ) -> None:
        super().__init__(parameters, salt, inside, logs)
        self._routed = inside.whole(_ROUTER)
        self._led = inside.whole(_EMPLOYER)
        self._due: dict[int, deque[Message]] = {}
        """Without the router: what it has to pass on to the employer, by employee."""
        self._asking: set[int] = set()
        self._last: dict[int, int] = {}
        self._given: set[int] = set()
        self._dismissing = False

    def births(self) -> Iterable[Actor]:
        p = self.parameters
        if self._led:
            yield broker.Employer(p)
        if self._routed:
            yield broker.Router(p)
        for index in range(p.employees):
            if self.inside.whole(broker.employee_name(index)):
                yield broker.Employee(index, p)
            elif self._routed or self._led:
                self.stand_in(broker.Employee(index, p))
        if self._routed and not self._led:
            employer = self.stand_in(broker.Employer(p))
            employer.handlers[_START](employer, names.name(names.CONTROL), self.salt)

    def enter(self, actor: Actor) -> None:
        if not self._routed and not self._led:
            self.send(_EMPLOYER, actor.name, _GO)

    def hear(self, sender: int, receiver: int, kind_: int, args: tuple[int, ...]) -> None:
        if receiver != _ROUTER:
            self.tell(sender, receiver, kind_, args)
        elif kind_ == _ROUTED_TASK:
            employee = broker.employee_name(args[0])
            self._pass_on(employee, _TASK, args[1:])
        elif kind_ == _ROUTED_DISMISS:
            self._pass_on(broker.employee_name(args[0]), _DISMISS, ())
        elif self._led:
            request = _REQUEST, (names.index_of(sender), *args)
            self._due.setdefault(names.index_of(sender), deque()).append(request)
            self.wake(_EMPLOYER)
        else:
            self._asking.add(sender)
            self.wake(sender)

    def _pass_on(self, employee: int, kind_: int, args: tuple[int, ...]) -> None:
        if self.inside.whole(employee):
            self.send(_ROUTER, employee, kind_, *args)
        else:
            self.tell(_ROUTER, employee, kind_, args)

    def judge(self, receiver: int, sender: int, message: Message) -> object | None:
        if self._routed:
            return WAIT
        if sender != _ROUTER:
            return Wrong(None)
        if receiver == _EMPLOYER:
            return self._requested(message)
        if self._led:
            return WAIT
        return self._hired(receiver, message)

    def _requested(self, message: Message) -> object | None:
        if message[0] != _REQUEST:
            return Wrong(None)
        due = self._due.get(message[1][0])
        if not due:
            return WAIT if message[1][0] < self.parameters.employees else Wrong(None)
        if due[0] != message:
            return Wrong(due[0])
        due.popleft()
        return None

    def _hired(self, employee: int, message: Message) -> object | None:
        """Neither router nor employer is watched: what an employee may be told."""
        p = self.parameters
        if employee not in self._asking:
            return WAIT
        if message[0] == _DISMISS:
            return None if self._dismissing else WAIT
        if message[0] != _TASK:
            return Wrong(None)
        number = message[1][0]
        least = self._last.get(employee, -1) + 1
        if number < least or number >= p.tasks or number in self._given:
            return Wrong(None)
        task = self._task(number)
        if message != task:
            return Wrong(task)
        self._given.add(number)
        self._last[employee] = number
        self._asking.discard(employee)
        return FREE

    def _task(self, number: int) -> Message:
        p = self.parameters
        return _TASK, (number, p.size, broker.checksum_of(self.salt, number, p.size, p.tasks))

    def quiet(self, clear: bool) -> bool:
        if self._led or self._dismissing or not clear or not self.ends:
            return False
        self._dismissing = True
        if self._routed:
            employer = self.standing[_EMPLOYER]
            employer.handlers[_DISCONNECT](employer, names.name(names.CONTROL))
        for index in self.inside.of_class(names.EMPLOYEE, self.parameters.employees):
            self.wake(broker.employee_name(index))
        return True

    def missing(self, receiver: int) -> Iterator[tuple[int, Message | None]]:
        if receiver == _EMPLOYER and not self._routed:
            for due in self._due.values():
                if due:
                    yield _ROUTER, due[0]

    def overdue(self, receiver: int) -> Iterator[tuple[int, Message]]:
        if self._routed or self._led or names.class_of(receiver) != names.EMPLOYEE:
            return
        if self.ends and not any(
            number == _DISMISS for _, (number, _) in self.logs.get(receiver, [])
        ):
            yield _ROUTER, (_DISMISS, ())
        everybody = all(
            self.inside.whole(broker.employee_name(index))
            for index in range(self.parameters.employees)
        )
        if everybody and len(self._given) < self.parameters.tasks:
            number = next(n for n in range(self.parameters.tasks) if n not in self._given)
            yield _ROUTER, self._task(number)


class BrokerSlices(Reader):
    """Slices of broker: a task follows from its number; the employee that gets it is open."""

    def read(self, receiver: int, place: int, sender: int, message: Message) -> object:
        p, number, args = self.parameters, *message
        if number in (kind.MESSAGE_KIND_EMPLOYER_REQUEST, kind.MESSAGE_KIND_ROUTER_REQUEST):
            result = args[-2]
            if result > p.tasks or (len(args) == 3 and args[0] >= p.employees):
                return NEVER
            said = broker.result_of(self._checksum(result - 1), result - 1) if result else 0
            fixed = number, (*args[:-1], said)
            key = (number, sender, args[0]) if len(args) == 3 else (number, sender)
            return Numbered((*key, result), 0, lambda n: fixed, 1)
        match number:
            case kind.MESSAGE_KIND_ROUTER_TASK:
                if args[0] >= p.employees:
                    return NEVER
                return Numbered(
                    (number,), args[1], lambda n: (number, (args[0], *self._task(n))), p.tasks
                )
            case kind.MESSAGE_KIND_ROUTER_DISMISS:
                return Numbered((number,), args[0], lambda n: (number, (n,)), p.employees)
            case kind.MESSAGE_KIND_EMPLOYEE_TASK:
                if args[0] >= p.tasks:
                    return NEVER
                given = number, self._task(args[0])
                return Numbered((number, args[0]), 0, lambda n: given, 1)
            case kind.MESSAGE_KIND_EMPLOYEE_DISMISS:
                return once(sender, message)
        return NEVER

    def _task(self, number: int) -> tuple[int, int, int]:
        return number, self.parameters.size, self._checksum(number)

    def _checksum(self, number: int) -> int:
        return broker.checksum_of(self.salt, number, self.parameters.size, self.parameters.tasks)
