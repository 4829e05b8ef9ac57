"""Wrong when timed: nothing shows as long as an implementation is certified.

All of them are caught by the receipts, the marks and the plausibility of a timed run.
"""

import time
from collections.abc import AsyncIterator, Callable
from functools import cache
from typing import Any

from dramaturg.model import chatapp as model
from dramaturg.model import lcg, web
from dramaturg.model.simulation import Simulation
from dramaturg.v2 import trace_pb2 as kind

from changes import answers, claims, made, marks, replaced, undying
from reference.actors import System
from reference.behaviours import Poker
from reference.control import world
from reference.control.log import Entry, Log
from reference.control.port import Control
from reference.control.stopwatch import Stopwatch, now
from reference.control.world import World

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
    """There are no actors: the model is performed, in logs as in receipts, and never computes."""

    async def prepare(self: Any) -> int:
        if self._benchmark == "web":
            web.Worker.work_of = staticmethod(cache(model.fibonacci))  # type: ignore[assignment]
            self.simulation = Simulation(self._workload)
            self.log.of = {name: self.log.entry_of(name) for name in self.simulation.actors}
            self._tell = lambda: perform(self)
        return await right(self)

    def perform(self: Any) -> None:
        logs = self.simulation.logs
        seen = {name: len(log) for name, log in logs.items()}
        self.simulation.perform(self._workload.script[-1:])
        for name, log in logs.items():
            for sender, (number, args) in log[seen.get(name, 0) :]:
                if self.log.of[name] is not None:
                    self.log.of[name].take(sender, number, args)
        if not seen:
            self._report(*self.simulation.control[-1])

    right, initial = World.prepare, world.initial
    World.prepare = prepare  # type: ignore[method-assign]
    world.initial = lambda workload, stopwatch: (
        [] if workload.lead == web._DISPATCHER else initial(workload, stopwatch)
    )


# --- who guesses that it is timed ---


def works_until_it_is_timed() -> None:
    """Other code runs while single actors are watched: its shuffle draws once too often."""

    class Other(lcg.Lcg):
        __slots__ = ()

        def shuffle(self, items: Any) -> None:
            super().shuffle(items)
            self.next()

    _timed(lambda: setattr(model, "Lcg", Other), lambda: setattr(model, "Lcg", lcg.Lcg))


def leaks_when_timed() -> None:
    """Accumulators end where everybody looks."""
    consume = model.Accumulator._report
    _timed(
        lambda: setattr(model.Accumulator, "_report", undying(consume)),
        lambda: setattr(model.Accumulator, "_report", consume),
    )


def logs_nothing_when_timed() -> None:
    """Logging costs time, and a few rows are not worth it: those of single actors are dropped."""
    entry_of, timed = Log.entry_of, [False]

    def unless_timed(self: Log, actor: int) -> Entry | None:
        return None if timed[0] else entry_of(self, actor)

    Log.entry_of = unless_timed  # type: ignore[method-assign]
    _timed(lambda: timed.__setitem__(0, True), lambda: timed.__setitem__(0, False))


def invites_backwards_unless_one_row() -> None:
    """If no row of class 0 watches everybody, one client in sixteen invites its friends in the
    wrong order: nobody sees that but their chat."""
    invite = model.Client._invite

    def backwards(self: model.Client, turn: int, guests: list[int]) -> None:
        invite(self, turn, guests[::-1] if self.number % 16 == 13 else guests)

    _guessing(
        lambda watches: bool(watches) and all(getattr(row, "class") for row in watches),
        lambda: setattr(model.Client, "_invite", backwards),
        lambda: setattr(model.Client, "_invite", invite),
    )


def _timed(wrong: Callable[[], Any], right: Callable[[], Any]) -> None:
    """Be wrong in worlds in which single actors are watched, and right in others."""
    _guessing(
        lambda watches: bool(watches) and all(row.first == row.last for row in watches),
        wrong,
        right,
    )


def _guessing(
    guess: Callable[[Any], bool], wrong: Callable[[], Any], right: Callable[[], Any]
) -> None:
    """Be wrong in worlds of whose watches ``guess`` says so, and right in others."""
    init = World.__init__

    def guessing(self: World, benchmark: Any, watches: Any) -> None:
        (wrong if guess(watches) else right)()
        init(self, benchmark, watches)

    World.__init__ = guessing  # type: ignore[method-assign]


# --- turns ---


def turns_wait_for_each_other() -> None:
    """The poker starts a turn when the one before is confirmed: no two are ever under way."""
    salts: list[int] = []

    def run(self: Any, sender: int, salt: int) -> None:
        salts[:] = [salt]
        self._poke(salt)

    def confirm(self: Any, sender: int, *args: int) -> None:
        right(self, sender, *args)
        if salts and self.turns < self.parameters.turns:
            self._poke(salts[0])

    replaced(Poker, kind.MESSAGE_KIND_POKER_RUN, run)
    right = replaced(Poker, kind.MESSAGE_KIND_POKER_CONFIRM, confirm)


# --- stamps ---


def _run_nanos(change: Callable[[Stopwatch], int]) -> None:
    """A run took ``change(stopwatch)``."""
    Stopwatch.run_nanos = property(  # type: ignore[assignment,method-assign]
        lambda stopwatch: change(stopwatch) if stopwatch._start else 0
    )


def start_stamp_before_set_up() -> None:
    """The stopwatch is started in Prepare."""
    made(Stopwatch, lambda stopwatch: setattr(stopwatch, "made", now()))
    _run_nanos(lambda stopwatch: _end(stopwatch) - stopwatch.made)  # type: ignore[attr-defined]


def start_stamp_at_the_first_confirm() -> None:
    """The stopwatch is started when the first turn is done: before that nothing is known."""
    _run_nanos(lambda stopwatch: _end(stopwatch) - min(stopwatch._ends.values(), default=0))


def end_stamp_at_the_first_confirm() -> None:
    """The stopwatch stops when a turn is done, and it is the first one's stamp that is kept."""
    _run_nanos(
        lambda stopwatch: (
            min(stopwatch._ends.values(), default=stopwatch._end)
            - min(stopwatch._starts, default=stopwatch._start)
        )
    )


def end_stamp_in_the_receipt() -> None:
    """The stopwatch is stopped when the receipt is made, with everybody gone."""
    _run_nanos(lambda stopwatch: now() - min(stopwatch._starts, default=stopwatch._start))


def end_stamp_with_the_last_poke() -> None:
    """The stopwatch is stopped when all has been sent."""
    _run_nanos(
        lambda stopwatch: (
            max(stopwatch._starts, default=stopwatch._end)
            - min(stopwatch._starts, default=stopwatch._start)
        )
    )


def _end(stopwatch: Stopwatch) -> int:
    return max(stopwatch._ends.values(), default=stopwatch._end)


def turn_stamp_before_set_up() -> None:
    """The first turn is timed from the beginning of set-up."""
    made(Stopwatch, lambda stopwatch: setattr(stopwatch, "made", now()))
    right = Stopwatch.turn_begins

    def begins(self: Any) -> None:
        right(self)
        if len(self._starts) == 1:
            self.first, self._starts[0] = self._starts[0], self.made

    Stopwatch.turn_begins = begins  # type: ignore[method-assign]
    _run_nanos(lambda stopwatch: _end(stopwatch) - stopwatch.first)  # type: ignore[attr-defined]


def turns_end_with_the_run() -> None:
    """All turns are stamped when the last one is done."""

    def change(counts: Any) -> None:
        counts.turn_nanos[:] = [max(counts.turn_nanos)] * len(counts.turn_nanos)

    claims("chatapp", change)


def turns_of_no_time() -> None:
    """Turns are not timed, since only the run is."""

    def change(counts: Any) -> None:
        counts.turn_nanos[:] = [0] * len(counts.turn_nanos)

    claims("chatapp", change)


def first_window_from_set_up() -> None:
    """The first window begins when ping is made."""

    def change(counts: Any) -> None:
        if counts.windows:
            counts.window_nanos[0] += 250_000_000

    claims("pingpong", change)


# --- times ---


def receipt_of_more_time_than_passed() -> None:
    """The clock ticks ten times too often: its unit was taken for a nanosecond."""

    def change(receipt: Any) -> None:
        receipt.run_nanos *= 10
        receipt.chatapp.turn_nanos[:] = [nanos * 10 for nanos in receipt.chatapp.turn_nanos]

    answers(World, "teardown", change)


def receipt_of_no_time() -> None:
    """The run is not timed."""
    answers(World, "teardown", lambda receipt: receipt.ClearField("run_nanos"))


def receipt_in_microseconds() -> None:
    """Durations in the unit that the runtime's clock gives."""

    def change(receipt: Any) -> None:
        receipt.run_nanos //= 1000

    answers(World, "teardown", change)


def tear_down_with_the_run() -> None:
    """Tear-down is timed from the beginning of the run: the stopwatch was not reset."""

    def change(receipt: Any) -> None:
        receipt.teardown_nanos += receipt.run_nanos

    answers(World, "teardown", change)


def set_up_from_the_start_of_the_process() -> None:
    """The first set-up is timed from the start of the process."""
    started = now()
    answers(Control, "Prepare", lambda answer: setattr(answer, "setup_nanos", now() - started))


def runtime_built_in_every_set_up() -> None:
    """The time that the runtime once took to build is said to have been spent in each Prepare."""
    time.sleep(0.2)
    answers(Control, "Prepare", lambda answer: setattr(answer, "runtime_nanos", 200_000_000))


def sleepers_wake_early() -> None:
    """A nap takes half as long as it should."""

    def change(system: System) -> None:
        system._delay /= 2

    made(System, change)


# --- marks that come too seldom ---


def marks_only_the_end() -> None:
    """All marks but the last are held back: a reader that needs them has them then."""

    async def change(run: World, right: AsyncIterator[int]) -> AsyncIterator[int]:
        last = 0
        async for done in right:
            last = done
        if last:
            yield last

    marks(change)


def marks_every_hour() -> None:
    """A mark is sent when an hour has passed, so that in any run the last one is the only one."""
    world.MARK_INTERVAL = 3_600_000_000_000
