"""Wrong micro-benchmarks, continued: a step left out, taken too early, or taken by another.

The name begins with the benchmark's; the docstring says what is wrong.
"""

from typing import Any

from dramaturg.model import (
    bang,
    big,
    broker,
    chain,
    count,
    fanout,
    mergesort,
    names,
    pingpong,
    sleepers,
    web,
)
from dramaturg.model import windows as model_windows
from dramaturg.model.fold import fold
from dramaturg.v2 import trace_pb2 as kind

from changes import claims, replaced, sends


def pingpong_window_missing() -> None:
    """The receipt has no last window."""

    def change(counts: Any) -> None:
        if counts.windows:
            counts.windows.pop()

    claims("pingpong", change)


def pingpong_ends_with_its_windows() -> None:
    """Ping ends upon the last tick, with a round under way and pong waiting."""

    def tick(self: pingpong.Ping, sender: int, number: int) -> None:
        right(self, sender, number)
        if not self.windowed:
            done = kind.MESSAGE_KIND_CONTROL_DONE
            self.send(names.name(names.CONTROL), done, self.pongs, self.sum)
            self.terminate()

    right = replaced(pingpong.Ping, kind.MESSAGE_KIND_PING_TICK, tick)


def bang_window_unreported() -> None:
    """Nobody is told of the last window."""
    report = model_windows.Windows.report

    def told(self: Any, number: int, counted: int) -> None:
        if number + 1 < self._windows:
            report(self, number, counted)

    model_windows.Windows.report = told  # type: ignore[method-assign]


def bang_stops_at_the_first_tick() -> None:
    """In the windowed form the senders are stopped when the first window ends, not the last."""

    def tick(self: bang.Receiver, sender: int, number: int) -> None:
        self.windows.report(number, self.windows.since(self.bangs))
        self.windows.next(number)
        for index in range(self.parameters.senders if number == 0 else 0):
            self.send(bang.sender_name(index), kind.MESSAGE_KIND_SENDER_STOP)

    replaced(bang.Receiver, kind.MESSAGE_KIND_RECEIVER_TICK, tick)


def bang_once_more_after_the_stop() -> None:
    """A sender that is told to stop sends a last message."""

    def stop(self: bang.Sender, sender: int) -> None:
        self._bang()
        right(self, sender)

    right = replaced(bang.Sender, kind.MESSAGE_KIND_SENDER_STOP, stop)


def big_idle_upon_the_mark() -> None:
    """A peer says that it is idle when it takes the last mark, with a pong still to come."""

    def mark(self: big.Peer, sender: int, number: int) -> None:
        right(self, sender, number)
        if not self.pinging:
            self.send(sender, kind.MESSAGE_KIND_COORDINATOR_IDLE)

    right = replaced(big.Peer, kind.MESSAGE_KIND_PEER_MARK, mark)


def big_reports_upon_the_first_mark() -> None:
    """The coordinator takes the first answer to a mark for that of all."""

    def marked(self: big.Coordinator, sender: int, number: int, pongs: int) -> None:
        if number not in self.marks:
            self.marks[number] = [pongs]
            self.windows.report(number, pongs)

    replaced(big.Coordinator, kind.MESSAGE_KIND_COORDINATOR_MARKED, marked)


def web_asks_all_at_once() -> None:
    """A browser sends its next request without waiting for the answer."""

    def go(self: web.Browser, sender: int, salt: int) -> None:
        for number in range(self.parameters.requests):
            dispatcher, value = names.name(names.DISPATCHER), fold(fold(salt, self.index), number)
            self.send(dispatcher, kind.MESSAGE_KIND_DISPATCHER_REQUEST, number, value)

    replaced(web.Browser, kind.MESSAGE_KIND_BROWSER_GO, go)


def count_tells_the_tally() -> None:
    """The counter sends the total where it ends up anyway, past the adder."""
    sends(
        count.Counter,
        kind.MESSAGE_KIND_COUNTER_GET_AND_RESET,
        lambda receiver, number, *args: [
            (names.name(names.TALLY), kind.MESSAGE_KIND_TALLY_COUNTED, *args)
        ],
    )


def chain_reports_from_its_end() -> None:
    """The last link tells the first one how long the chain is."""

    def finish(self: Any, length: int, digest: int) -> None:
        self.maker = chain.link_name(max(0, self.index - 1) if self.index < 2 else 0)
        right(self, length if self.index == 0 else self.index + 1, digest)

    right = chain.Link._finish
    chain.Link._finish = finish  # type: ignore[method-assign]


def fanout_sums_its_last_answer() -> None:
    """The master reports the value of the last answer, not the sum."""

    def completed(self: fanout.Master, sender: int, *args: int) -> None:
        self.sum = 0
        right(self, sender, *args)

    right = replaced(fanout.Master, kind.MESSAGE_KIND_MASTER_COMPLETED, completed)


def mergesort_at_the_root() -> None:
    """The first sorter sorts the list itself."""

    def sort(
        self: mergesort.Sorter, sender: int, first: int, length: int, salt: int, checksum: int
    ) -> None:
        self.salt = salt
        p = self.parameters
        inputs = mergesort.numbers(p.length, p.seed, salt)
        self.items = sorted(inputs[first : first + length])
        self.sorters = 2 * length - 1
        self._answer()

    replaced(mergesort.Sorter, kind.MESSAGE_KIND_SORTER_SORT, sort)


def mergesort_answers_at_the_first_half() -> None:
    """A sorter reports when the first of its halves has."""

    def sorted_(self: mergesort.Sorter, sender: int, *args: int) -> None:
        self.halves = 1
        right(self, sender, *args)

    right = replaced(mergesort.Sorter, kind.MESSAGE_KIND_SORTER_SORTED, sorted_)


def broker_gives_a_task_too_many() -> None:
    """The employer asks whether there are tasks left when it has given the next one already."""
    extra = [1]

    def request(self: broker.Employer, sender: int, *args: int) -> None:
        if self.given == self.parameters.tasks and extra:
            self.given -= extra.pop()
        right(self, sender, *args)

    right = replaced(broker.Employer, kind.MESSAGE_KIND_EMPLOYER_REQUEST, request)


def big_done_at_the_first() -> None:
    """The coordinator reports when the first peer has finished."""

    def finished(self: big.Coordinator, sender: int, *counts: int) -> None:
        self.playing = 1
        right(self, sender, *counts)

    right = replaced(big.Coordinator, kind.MESSAGE_KIND_COORDINATOR_FINISHED, finished)


def count_tally_keeps_the_last() -> None:
    """The tally reports the last total, which is all there is with one adder."""

    def counted(self: count.Tally, sender: int, *total: int) -> None:
        self.adds = self.sum = 0
        right(self, sender, *total)

    right = replaced(count.Tally, kind.MESSAGE_KIND_TALLY_COUNTED, counted)


def sleepers_all_naps_at_once() -> None:
    """The alarm sends all naps at the beginning: they overlap."""

    def start(self: sleepers.Alarm, sender: int, salt: int) -> None:
        self.salt = salt
        for number in range(self.parameters.naps):
            for index in range(self.parameters.sleepers):
                self._sleep(index, number)

    def awake(self: sleepers.Alarm, sender: int, number: int, value: int) -> None:
        right(self, sender, self.parameters.naps, value)

    replaced(sleepers.Alarm, kind.MESSAGE_KIND_ALARM_START, start)
    right = replaced(sleepers.Alarm, kind.MESSAGE_KIND_ALARM_AWAKE, awake)


# --- receipts ---


def pingpong_receipt_counts_messages() -> None:
    """Rounds are reported as messages: twice as many."""

    def change(counts: Any) -> None:
        counts.pongs *= 2

    claims("pingpong", change)


def big_receipt_without_pongs() -> None:
    """Only what was sent is counted."""
    claims("big", lambda counts: setattr(counts, "pongs", 0))


def bang_receipt_in_15_bits() -> None:
    """The count is a small integer, and wraps."""

    def change(counts: Any) -> None:
        counts.bangs %= 1 << 15

    claims("bang", change)


def count_receipt_of_the_adds() -> None:
    """The number of adds stands in the place of the sum."""

    def change(counts: Any) -> None:
        counts.sum = counts.adds

    claims("count", change)


def mergesort_receipt_without_the_leaves() -> None:
    """Sorters that did not split are not counted."""

    def change(counts: Any) -> None:
        counts.sorters //= 2

    claims("mergesort", change)


def broker_receipt_without_the_last() -> None:
    """The last result came when the employer no longer counted."""

    def change(counts: Any) -> None:
        counts.results -= 1

    claims("broker", change)


def big_windowed_counts_the_mark() -> None:
    """In the windowed form the last `mark` is counted as a pong."""

    def change(counts: Any) -> None:
        counts.pongs += len(counts.windows) > 0

    claims("big", change)


def bang_windowed_counts_the_tick() -> None:
    """In the windowed form the last `tick` is counted as a bang."""

    def change(counts: Any) -> None:
        counts.bangs += len(counts.windows) > 0

    claims("bang", change)
