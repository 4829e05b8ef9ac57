"""The model's behaviours, with what a model has not: a clock for the poker, and real work."""

from dramaturg.model import chatapp, mergesort, names, openweb, sleepers, web
from dramaturg.model.actor import Actor
from dramaturg.model.fibonacci import naive_fibonacci
from dramaturg.model.workload import ChatAppWorkload, MicroWorkload

from reference.control.stopwatch import Stopwatch

# Done and not looked up: by doubly recursive descent (IMPL-6).
chatapp.Client.work = staticmethod(naive_fibonacci)
web.Worker.work_of = staticmethod(naive_fibonacci)
openweb.Server.work_of = staticmethod(naive_fibonacci)


class Poker(chatapp.Poker):
    """The model's poker, which also stamps each turn's start and end (MEAS-2)."""

    __slots__ = ("stopwatch",)

    def __init__(self, parameters: chatapp.Parameters, stopwatch: Stopwatch) -> None:
        super().__init__(parameters)
        self.stopwatch = stopwatch

    def _next_turn(self, expected: int) -> int:
        self.stopwatch.turn_begins()
        return super()._next_turn(expected)

    def confirm(self, sender: int, turn: int, *sums: int) -> None:
        self.stopwatch.turn_ends(turn)
        super().confirm(sender, turn, *sums)


class Root(mergesort.Sorter):
    """The model's root, which stamps the end when it has merged, before the checksum (MEAS-3)."""

    __slots__ = ("stopwatch",)

    def __init__(self, parameters: mergesort.Parameters, stopwatch: Stopwatch) -> None:
        super().__init__(1, parameters)
        self.stopwatch = stopwatch

    def _answer(self) -> None:
        self.stopwatch.stop()
        super()._answer()


class Source(openweb.Source):
    """The model's source, which reads the clock when a request arrives and when it is answered
    (OPEN-5)."""

    __slots__ = ("stopwatch",)

    def __init__(self, parameters: openweb.Parameters, stopwatch: Stopwatch) -> None:
        super().__init__(parameters)
        self.stopwatch = stopwatch

    def arrive(self, sender: int, number: int, due: int) -> None:
        self.stopwatch.arrived(due)
        super().arrive(sender, number, due)

    def answer(self, sender: int, number: int, value: int) -> None:
        self.stopwatch.answered(self.due[number])
        super().answer(sender, number, value)


class Alarm(sleepers.Alarm):
    """The model's alarm, which reads the clock when a nap begins and when it has ended
    (SLEEP-5)."""

    __slots__ = ("stopwatch",)

    def __init__(self, parameters: sleepers.Parameters, stopwatch: Stopwatch) -> None:
        super().__init__(parameters)
        self.stopwatch = stopwatch

    def _sleep(self, index: int, number: int) -> None:
        self.stopwatch.sleeps(index)
        super()._sleep(index, number)

    def awake(self, sender: int, number: int, value: int) -> None:
        self.stopwatch.awakes(names.index_of(sender))
        super().awake(sender, number, value)


def initial(workload: ChatAppWorkload | MicroWorkload, stopwatch: Stopwatch) -> list[Actor]:
    """Return the actors that exist before the first message."""
    if isinstance(workload, ChatAppWorkload):
        return [Poker(workload.parameters, stopwatch)]
    if workload.micro.model is mergesort:
        return [Root(workload.parameters, stopwatch)]
    if workload.micro.model is sleepers:
        return [Alarm(workload.parameters, stopwatch), *workload.initial()[1:]]
    if workload.micro.model is openweb:
        return [Source(workload.parameters, stopwatch), *workload.initial()[1:]]
    return workload.initial()
