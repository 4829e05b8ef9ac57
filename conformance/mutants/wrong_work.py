"""Wrong count, chain, fanout, sleepers, mergesort and broker: each with one thing changed.

The name begins with the benchmark's; the docstring says what is wrong.
"""

from typing import Any

from changes import replaced, sends, undying

from dramaturg.model import broker, chain, count, fanout, mergesort, names, sleepers
from dramaturg.v2 import trace_pb2 as kind

# --- count ---


def count_adds_the_same() -> None:
    """Every add is of 100, as published: one lost and one doubled would not show."""
    sends(
        count.Adder,
        kind.MESSAGE_KIND_ADDER_GO,
        lambda receiver, number, *args: [(receiver, number, *(100 for _ in args))],
    )


def count_loses_an_add() -> None:
    """The counter overlooks every hundredth add."""

    def add(self: count.Counter, sender: int, value: int) -> None:
        if value % 100:
            right(self, sender, value)

    right = replaced(count.Counter, kind.MESSAGE_KIND_COUNTER_ADD, add)


def count_never_resets() -> None:
    """The counter answers and does not begin anew."""

    def get_and_reset(self: count.Counter, sender: int) -> None:
        adds, total = self.adds, self.sum
        right(self, sender)
        self.adds, self.sum = adds, total

    right = replaced(count.Counter, kind.MESSAGE_KIND_COUNTER_GET_AND_RESET, get_and_reset)


def count_asks_first() -> None:
    """An adder asks before it adds."""

    def go(self: count.Adder, sender: int) -> None:
        counter = names.name(names.COUNTER)
        self.send(counter, kind.MESSAGE_KIND_COUNTER_GET_AND_RESET)
        for value in range(1, self.parameters.adds + 1):
            self.send(counter, kind.MESSAGE_KIND_COUNTER_ADD, value)

    replaced(count.Adder, kind.MESSAGE_KIND_ADDER_GO, go)


def count_in_16_bits() -> None:
    """The counter's sum is a 16-bit integer."""

    def add(self: count.Counter, sender: int, value: int) -> None:
        right(self, sender, value)
        self.sum %= 1 << 16

    right = replaced(count.Counter, kind.MESSAGE_KIND_COUNTER_ADD, add)


# --- chain ---


def chain_half() -> None:
    """Each link counts two off, so that half as many are made."""
    sends(
        chain.Link,
        kind.MESSAGE_KIND_LINK_GROW,
        lambda receiver, number, *args: [
            (receiver, number, max(0, args[0] - 1))
            if number == kind.MESSAGE_KIND_LINK_GROW
            else (receiver, number, *args)
        ],
    )


def chain_counts_nothing() -> None:
    """The way back carries 1 from every link, as if none came before."""

    def finish(self: Any, sender: int, length: int) -> None:
        self._finish(1)

    replaced(chain.Link, kind.MESSAGE_KIND_LINK_FINISH, finish)


def chain_links_stay() -> None:
    """Links report and do not end."""
    chain.Link._finish = undying(chain.Link._finish)  # type: ignore[method-assign]


def chain_ends_on_the_way_out() -> None:
    """A link ends as soon as it has made the next: never are all alive at once."""

    def grow(self: chain.Link, sender: int, left: int) -> None:
        right(self, sender, left)
        if left > 0 and self.index > 0:
            self.terminate()

    right = replaced(chain.Link, kind.MESSAGE_KIND_LINK_GROW, grow)


# --- fanout ---


def fanout_one_task_less() -> None:
    """The master gives each runner one task too few, and says it was all."""

    def completed(self: fanout.Master, sender: int, number: int, attempted: int) -> None:
        p = self.parameters
        if self.given[names.index_of(sender)] == p.tasks - 1:
            self.given[names.index_of(sender)] = p.tasks
        right(self, sender, number, attempted)

    right = replaced(fanout.Master, kind.MESSAGE_KIND_MASTER_COMPLETED, completed)


def fanout_claims_completion() -> None:
    """A runner says that it has attempted one more than it took."""
    sends(
        fanout.Runner,
        kind.MESSAGE_KIND_RUNNER_TASK,
        lambda receiver, number, task, attempted: [(receiver, number, task, attempted + 1)],
    )


def fanout_answers_twice() -> None:
    """A runner answers every tenth task twice; a master that keeps a bit would not notice."""
    sends(
        fanout.Runner,
        kind.MESSAGE_KIND_RUNNER_TASK,
        lambda receiver, number, task, attempted: (
            [(receiver, number, task, attempted)] * (1 + (task % 10 == 9))
        ),
    )


def fanout_runners_stay() -> None:
    """Runners do not end."""

    def task(self: fanout.Runner, sender: int, number: int) -> None:
        self.attempted += 1
        master = names.name(names.MASTER)
        self.send(master, kind.MESSAGE_KIND_MASTER_COMPLETED, number, self.attempted)

    replaced(fanout.Runner, kind.MESSAGE_KIND_RUNNER_TASK, task)


def fanout_backwards() -> None:
    """The master numbers the tasks of each runner from the last to the first."""

    def give(self: Any, index: int) -> None:
        number = self.parameters.tasks - 1 - self.given[index]
        self.send(fanout.runner_name(index), kind.MESSAGE_KIND_RUNNER_TASK, number)
        self.given[index] += 1

    fanout.Master._give = give  # type: ignore[method-assign]


# --- sleepers ---


def sleepers_block() -> None:
    """A sleeper sleeps in its handler and holds the thread, as published."""
    import time

    def sleep(self: sleepers.Sleeper, sender: int, number: int) -> None:
        time.sleep(self.parameters.delay / 1000)
        right(self, sender, number)

    right = replaced(sleepers.Sleeper, kind.MESSAGE_KIND_SLEEPER_SLEEP, sleep)


def sleepers_oversleep() -> None:
    """A sleeper forgets the second nap."""

    def sleep(self: sleepers.Sleeper, sender: int, number: int) -> None:
        if number != 1:
            right(self, sender, number)

    right = replaced(sleepers.Sleeper, kind.MESSAGE_KIND_SLEEPER_SLEEP, sleep)


def sleepers_wake_others() -> None:
    """The alarm hears of the next nap instead of the one that ended."""
    sends(
        sleepers.Sleeper,
        kind.MESSAGE_KIND_SLEEPER_WAKE,
        lambda receiver, kind_, number: [(receiver, kind_, number + 1)],
    )


# --- mergesort ---


def mergesort_loses_half() -> None:
    """A merge keeps the first half only."""
    answer = mergesort.Sorter._answer

    def wrong(self: Any) -> None:
        if len(self.items) > self.parameters.leaf:
            self.items = self.items[: (len(self.items) + 1) // 2]
        answer(self)

    mergesort.Sorter._answer = wrong  # type: ignore[method-assign]


def mergesort_unsorted() -> None:
    """The lists come back in descending order."""

    answer = mergesort.Sorter._answer

    def wrong(self: Any) -> None:
        self.items = list(reversed(self.items))
        answer(self)

    mergesort.Sorter._answer = wrong  # type: ignore[method-assign]


def mergesort_checksum_without_order() -> None:
    """The checksum is a sum, the same for every order."""
    mergesort._checksum = lambda items: sum(items) % (1 << 32)  # type: ignore[assignment]


def mergesort_short_half_first() -> None:
    """Of an odd length the first half is the shorter one."""

    def sort(self: Any, sender: int, first: int, length: int, checksum: int) -> None:
        if length % 2 == 0 or length <= self.parameters.leaf:
            right(self, sender, first, length, checksum)
            return
        self.maker = sender
        inputs = mergesort.numbers(self.parameters.length, self.parameters.seed)
        self.items = sorted(inputs[first : first + length])
        middle = length // 2
        self._split(2 * self.place, first, middle)
        self._split(2 * self.place + 1, first + middle, length - middle)

    right = replaced(mergesort.Sorter, kind.MESSAGE_KIND_SORTER_SORT, sort)


def mergesort_counts_children() -> None:
    """A sorter counts those it made, and not itself."""
    made = mergesort.Sorter.__init__

    def init(self: Any, *args: Any) -> None:
        made(self, *args)
        self.sorters = 0

    mergesort.Sorter.__init__ = init  # type: ignore[method-assign]


def mergesort_signed_input() -> None:
    """The input is made by draws below 32768 instead of raw ones."""
    right = mergesort.numbers
    mergesort.numbers = lambda length, seed: tuple(  # type: ignore[assignment]
        number % 32768 for number in right(length, seed)
    )


# --- broker ---


def broker_empty_payload() -> None:
    """The payload that arrives is all zeros: nobody wrote it."""
    broker.checksum = lambda number, size: 0  # type: ignore[assignment]


def broker_truncated_payload() -> None:
    """The last byte of the payload is not read."""
    right = broker.checksum
    broker.checksum = lambda number, size: right(number, size - 1)  # type: ignore[assignment]


def broker_counts_from_one() -> None:
    """Tasks are numbered from 1."""
    sends(
        broker.Employer,
        kind.MESSAGE_KIND_EMPLOYER_REQUEST,
        lambda receiver, number, *args: [
            (receiver, number, args[0], args[1] + 1, args[2])
            if number == kind.MESSAGE_KIND_ROUTER_TASK
            else (receiver, number, *args)
        ],
    )


def broker_router_shuffles() -> None:
    """The router passes a task on to the employee after the one it is for."""

    def task(self: broker.Router, sender: int, employee: int, number: int, size: int) -> None:
        crowd = micro_employees[0]
        right(self, sender, (employee + 1) % crowd, number, size)

    def start(self: broker.Employer, sender: int) -> None:
        micro_employees[0] = self.parameters.employees
        right_start(self, sender)

    micro_employees = [1]
    right = replaced(broker.Router, kind.MESSAGE_KIND_ROUTER_TASK, task)
    right_start = replaced(broker.Employer, kind.MESSAGE_KIND_EMPLOYER_START, start)


def broker_past_the_router() -> None:
    """The employer dismisses employees itself, past the router."""
    sends(
        broker.Employer,
        kind.MESSAGE_KIND_EMPLOYER_REQUEST,
        lambda receiver, number, *args: [
            (broker.employee_name(args[0]), kind.MESSAGE_KIND_EMPLOYEE_DISMISS)
            if number == kind.MESSAGE_KIND_ROUTER_DISMISS
            else (receiver, number, *args)
        ],
    )


def broker_result_twice() -> None:
    """An employee reports its last result again when it is dismissed."""

    def dismiss(self: broker.Employee, sender: int) -> None:
        self.send(names.name(names.ROUTER), kind.MESSAGE_KIND_ROUTER_REQUEST, 1, 0)
        self.terminate()

    replaced(broker.Employee, kind.MESSAGE_KIND_EMPLOYEE_DISMISS, dismiss)
