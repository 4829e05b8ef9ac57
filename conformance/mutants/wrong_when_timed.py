"""Wrong when timed: nothing shows as long as an implementation is watched.

All of them are certified, and caught by the receipts and by the plausibility of a timed run.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from changes import answers, replaced, undying

from dramaturg.model import chatapp as model
from dramaturg.model import lcg, web
from dramaturg.model.workload import MicroWorkload
from dramaturg.model.simulation import Simulation
from dramaturg.v2 import trace_pb2 as kind

import actors
import chatapp
import control
import micro

# --- work ---


def memoised_fibonacci() -> None:
    """Fibonacci numbers that were computed once are looked up."""

    @cache
    def fibonacci(n: int) -> int:
        return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

    model.Client.work = staticmethod(fibonacci)  # type: ignore[assignment]


def web_fibonacci_by_iteration() -> None:
    """Fibonacci numbers are computed in a loop."""

    def fibonacci(n: int) -> int:
        before, number = 0, 1
        for _ in range(n):
            before, number = number, before + number
        return before

    web.Worker.work_of = staticmethod(fibonacci)  # type: ignore[assignment]


def web_fabricated_run() -> None:
    """There are no actors: the model is played, in traces as in receipts, and never computes."""

    async def run(self: Any) -> Any:
        if self.name != "web":
            return await right(self)
        workload = MicroWorkload(self._piece, self._parameters)
        work, web.Worker.work_of = web.Worker.work_of, staticmethod(cache(model.fibonacci))
        made = Simulation(workload.run()).perform()
        web.Worker.work_of = work  # type: ignore[assignment]
        if self._world._trace is not None:
            for actor, log in made.logs.items():
                for sender, (number, args) in log:
                    self._world._trace.received(actor, sender, number, args)
        await self._world.end()
        return await self._receipt(5_000_000, made.control[-1][1])

    right = micro.Micro.run
    micro.Micro.run = run  # type: ignore[method-assign]


# --- untraced ---


def works_only_traced() -> None:
    """What runs without tracing is other code, whose shuffle draws once too often."""

    class Other(lcg.Lcg):
        __slots__ = ()

        def shuffle(self, items: Any) -> None:
            super().shuffle(items)
            self.next()

    _untraced(lambda: setattr(model, "Lcg", Other), lambda: setattr(model, "Lcg", lcg.Lcg))


def leaks_when_untraced() -> None:
    """Accumulators end in traced worlds only, in which somebody looks."""
    consume = model.Accumulator._consume
    _untraced(
        lambda: setattr(model.Accumulator, "_consume", undying(consume)),
        lambda: setattr(model.Accumulator, "_consume", consume),
    )


def _untraced(wrong: Callable[[], None], right: Callable[[], None]) -> None:
    """Be wrong in worlds without a log, and right in those with one."""
    made = chatapp.ChatApp.__init__

    def init(self: Any, p: Any, trace: Any) -> None:
        (right if trace else wrong)()
        made(self, p, trace)

    chatapp.ChatApp.__init__ = init  # type: ignore[method-assign]


# --- iterations ---


def iterations_differ() -> None:
    """The second iteration of a Run begins with the seed at which the first one's ended."""
    make = control.Control._make

    def made(self: Any) -> Any:
        parameters = self._benchmark.chatapp
        if self._ran and self._benchmark.HasField("chatapp"):
            parameters.seed = (parameters.seed + 1) % lcg.PERIOD
        return make(self)

    control.Control._make = made  # type: ignore[method-assign]


def turns_wait_for_each_other() -> None:
    """The poker starts a turn when the one before is confirmed: no two are ever under way."""

    def run(self: model.Poker, sender: int) -> None:
        self.running = True
        self.turn(sender)

    def confirm(self: model.Poker, sender: int, turn: int, value: int) -> None:
        right(self, sender, turn, value)
        if self.running and self.turns < self.parameters.turns:
            self.turn(sender)

    replaced(chatapp.Poker, kind.MESSAGE_KIND_POKER_RUN, run)
    right = replaced(chatapp.Poker, kind.MESSAGE_KIND_POKER_CONFIRM, confirm)


# --- times ---


def _claims(change: Callable[[Any], None]) -> None:
    """Every receipt of a run passes ``change`` before it is handed over."""
    for benchmark in (chatapp.ChatApp, micro.Micro):
        answers(benchmark, "run", change)


def receipt_of_a_turn_too_long() -> None:
    """The first turn is timed from the beginning of set-up."""

    def change(receipt: Any) -> None:
        receipt.chatapp.turn_nanos[0] = receipt.iteration_nanos

    _claims(change)


def receipt_of_the_tear_down_only() -> None:
    """The iteration is timed from the last confirm on."""

    def change(receipt: Any) -> None:
        receipt.iteration_nanos -= receipt.run_nanos

    _claims(change)


def receipt_of_more_time_than_passed() -> None:
    """The clock ticks ten times too often: its unit was taken for a nanosecond."""

    def change(receipt: Any) -> None:
        receipt.run_nanos *= 10
        receipt.iteration_nanos *= 10
        receipt.chatapp.turn_nanos[:] = [nanos * 10 for nanos in receipt.chatapp.turn_nanos]

    _claims(change)


def receipt_of_no_time() -> None:
    """The run is not timed."""
    _claims(lambda receipt: receipt.ClearField("run_nanos"))


def receipt_in_microseconds() -> None:
    """Durations in the unit that the runtime's clock gives."""

    def change(receipt: Any) -> None:
        receipt.run_nanos //= 1000
        receipt.iteration_nanos //= 1000

    _claims(change)


def sleepers_wake_early() -> None:
    """A nap takes half as long as it should."""
    made = actors.World.__init__

    def init(self: Any, *args: Any, delay: float = 0.0, **rest: Any) -> None:
        made(self, *args, delay=delay / 2, **rest)

    actors.World.__init__ = init  # type: ignore[method-assign]
