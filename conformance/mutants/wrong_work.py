"""Wrong count, chain, fanout, sleepers, mergesort and broker: each with one thing changed.

The name begins with the benchmark's; the docstring says what is wrong.
"""

import time
from dataclasses import replace
from typing import Any

from dramaturg.model import broker, chain, count, fanout, mergesort, names, sleepers
from dramaturg.model.fold import fold
from dramaturg.v2 import trace_pb2 as kind

from changes import claims, made, replaced, sends, undying

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
    taken = [0]

    def add(self: count.Counter, sender: int, value: int) -> None:
        taken[0] += 1
        if taken[0] % 100:
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

    def go(self: count.Adder, sender: int, salt: int) -> None:
        counter, digest = names.name(names.COUNTER), fold(salt, self.index)
        self.send(counter, kind.MESSAGE_KIND_COUNTER_GET_AND_RESET)
        for number in range(self.parameters.adds):
            self.send(counter, kind.MESSAGE_KIND_COUNTER_ADD, fold(digest, number))

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
            (receiver, number, max(0, args[0] - 1), args[1])
            if number == kind.MESSAGE_KIND_LINK_GROW
            else (receiver, number, *args)
        ],
    )


def chain_counts_nothing() -> None:
    """The way back carries 1 from every link, as if none came before."""

    def finish(self: Any, sender: int, length: int, digest: int) -> None:
        self._finish(1, fold(digest, length))

    replaced(chain.Link, kind.MESSAGE_KIND_LINK_FINISH, finish)


def chain_links_stay() -> None:
    """Links report and do not end."""
    chain.Link._finish = undying(chain.Link._finish)  # type: ignore[method-assign]


def chain_ends_on_the_way_out() -> None:
    """A link ends as soon as it has made the next: never are all alive at once."""

    def grow(self: chain.Link, sender: int, left: int, digest: int) -> None:
        right(self, sender, left, digest)
        if left > 0 and self.index > 0:
            self.terminate()

    right = replaced(chain.Link, kind.MESSAGE_KIND_LINK_GROW, grow)


# --- fanout ---


def fanout_one_task_less() -> None:
    """The master gives each runner one task too few, and says it was all."""

    def completed(self: fanout.Master, sender: int, *args: int) -> None:
        p = self.parameters
        if self.given[names.index_of(sender)] == p.tasks - 1:
            self.given[names.index_of(sender)] = p.tasks
        right(self, sender, *args)

    right = replaced(fanout.Master, kind.MESSAGE_KIND_MASTER_COMPLETED, completed)


def fanout_counts_from_one() -> None:
    """A runner folds in how many tasks it has taken, this one included."""

    def change(runner: fanout.Runner) -> None:
        runner.tasks = 1
        runner.parameters = replace(runner.parameters, tasks=runner.parameters.tasks + 1)

    made(fanout.Runner, change)


def fanout_answers_twice() -> None:
    """A runner answers every tenth task twice; a master that keeps a bit would not notice."""
    sends(
        fanout.Runner,
        kind.MESSAGE_KIND_RUNNER_TASK,
        lambda receiver, number, task, value: (
            [(receiver, number, task, value)] * (1 + (task % 10 == 9))
        ),
    )


def fanout_runners_stay() -> None:
    """Runners do not end."""
    task = kind.MESSAGE_KIND_RUNNER_TASK
    replaced(fanout.Runner, task, undying(fanout.Runner.handlers[task]))


def fanout_backwards() -> None:
    """The master numbers the tasks of each runner from the last to the first."""

    def give(self: Any, index: int) -> None:
        number = self.parameters.tasks - 1 - self.given[index]
        value = fold(fold(self.salt, index), number)
        self.send(fanout.runner_name(index), kind.MESSAGE_KIND_RUNNER_TASK, number, value)
        self.given[index] += 1

    fanout.Master._give = give  # type: ignore[method-assign]


# --- sleepers ---


def sleepers_block() -> None:
    """A sleeper sleeps in its handler and holds the thread, as published."""

    def sleep(self: sleepers.Sleeper, sender: int, number: int, value: int) -> None:
        time.sleep(self.parameters.delay / 1000)
        right(self, sender, number, value)

    right = replaced(sleepers.Sleeper, kind.MESSAGE_KIND_SLEEPER_SLEEP, sleep)


def sleepers_oversleep() -> None:
    """A sleeper forgets the second nap."""

    def sleep(self: sleepers.Sleeper, sender: int, number: int, value: int) -> None:
        if number != 1:
            right(self, sender, number, value)

    right = replaced(sleepers.Sleeper, kind.MESSAGE_KIND_SLEEPER_SLEEP, sleep)


def sleepers_wake_others() -> None:
    """The alarm hears of the next nap instead of the one that ended."""
    sends(
        sleepers.Sleeper,
        kind.MESSAGE_KIND_SLEEPER_WAKE,
        lambda receiver, kind_, number, value: [(receiver, kind_, number + 1, value)],
    )


def sleepers_tell_no_nap() -> None:
    """The alarm reads no clock, and tells a shortest nap of nothing."""
    claims("sleepers", lambda receipt: receipt.ClearField("shortest_nanos"))


def sleepers_tell_the_longest_nap() -> None:
    """The time of all naps together is told, as if there were one."""

    def change(receipt: Any) -> None:
        receipt.shortest_nanos *= 4

    claims("sleepers", change)


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
    mergesort.checksum = lambda salt, items: (salt + sum(items)) % (1 << 32)


def mergesort_short_half_first() -> None:
    """The first half of an odd length is the shorter one."""

    def sort(self: Any, sender: int, first: int, length: int, salt: int, checksum: int) -> None:
        if length % 2 == 0 or length <= self.parameters.leaf:
            right(self, sender, first, length, salt, checksum)
            return
        self.maker, self.salt = sender, salt
        p = self.parameters
        inputs = mergesort.numbers(p.length, p.seed, salt)
        self.items = sorted(inputs[first : first + length])
        middle = length // 2
        self._split(2 * self.place, first, middle)
        self._split(2 * self.place + 1, first + middle, length - middle)

    right = replaced(mergesort.Sorter, kind.MESSAGE_KIND_SORTER_SORT, sort)


def mergesort_counts_children() -> None:
    """A sorter counts those it made, and not itself."""
    made(mergesort.Sorter, lambda sorter: setattr(sorter, "sorters", 0))


def mergesort_signed_input() -> None:
    """The input is below 32768: of its numbers the highest bit is taken for a sign."""
    right = mergesort.numbers
    mergesort.numbers = lambda length, seed, salt: tuple(  # type: ignore[assignment]
        number % 32768 for number in right(length, seed, salt)
    )


def mergesort_input_from_the_seed() -> None:
    """The input is made in set-up, when there was no salt."""
    right = mergesort.numbers
    mergesort.numbers = lambda length, seed, salt: right(length, seed, 0)  # type: ignore[assignment]


# --- broker ---


def broker_streams_without_places() -> None:
    """A number of a stream is made from the one before alone."""
    right = broker.fold_each
    broker.fold_each = lambda digests, numbers: right(  # type: ignore[assignment]
        digests, 0 if isinstance(numbers, int) else numbers
    )


def broker_logs_what_was_sent() -> None:
    """A task is logged with the checksum that its sender had ready from the last run."""
    sends(
        broker.Router,
        kind.MESSAGE_KIND_ROUTER_TASK,
        lambda receiver, number, *args: [(receiver, number, *args[:-1], args[-1] ^ 1)],
    )


def broker_empty_payload() -> None:
    """The payload that arrives is all zeros: nobody wrote it."""
    broker.checksum_of = lambda salt, number, size, tasks=0: 0  # type: ignore[assignment]


def broker_truncated_payload() -> None:
    """An employee stops one byte short of the end: its result is not yet multiplied by 31."""
    right, back = broker.result_of, pow(31, -1, 1 << 32)
    broker.result_of = lambda checksum, number: right(checksum * back % (1 << 32), number)


def broker_counts_from_one() -> None:
    """Tasks are numbered from 1."""
    sends(
        broker.Employer,
        kind.MESSAGE_KIND_EMPLOYER_REQUEST,
        lambda receiver, number, *args: [
            (receiver, number, args[0], args[1] + 1, *args[2:])
            if number == kind.MESSAGE_KIND_ROUTER_TASK
            else (receiver, number, *args)
        ],
    )


def broker_router_shuffles() -> None:
    """The router passes a task on to the employee after the one it is for."""

    def task(self: broker.Router, sender: int, employee: int, *task: int) -> None:
        right(self, sender, (employee + 1) % employed[0], *task)

    def start(self: broker.Employer, sender: int, salt: int) -> None:
        employed[0] = self.parameters.employees
        right_start(self, sender, salt)

    employed = [1]
    right = replaced(broker.Router, kind.MESSAGE_KIND_ROUTER_TASK, task)
    right_start = replaced(broker.Employer, kind.MESSAGE_KIND_EMPLOYER_START, start)


def broker_past_the_router() -> None:
    """The employer dismisses employees itself, past the router."""
    sends(
        broker.Employer,
        kind.MESSAGE_KIND_EMPLOYER_DISCONNECT,
        lambda receiver, number, *args: [
            (broker.employee_name(args[0]), kind.MESSAGE_KIND_EMPLOYEE_DISMISS)
            if number == kind.MESSAGE_KIND_ROUTER_DISMISS
            else (receiver, number, *args)
        ],
    )


def broker_result_twice() -> None:
    """An employee reports the result of its first task twice, in case the first report got
    lost."""

    def change(receiver: int, number: int, result: int, checksum: int) -> list[tuple[int, ...]]:
        message = (receiver, number, result, checksum)
        return [message, message] if result == 1 else [message]

    sends(broker.Employee, kind.MESSAGE_KIND_EMPLOYEE_TASK, change)
