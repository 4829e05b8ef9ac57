"""Wrong micro-benchmarks: the reference, each with one thing changed in one of them.

The name begins with the benchmark's; the docstring says what is wrong.
"""

from collections.abc import Callable
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
from dramaturg.model.actor import Actor
from dramaturg.v1 import trace_pb2 as kind

import actors
import micro

Handler = Callable[..., None]


def _handler(actor: type[Actor], number: int, wrong: Handler) -> Handler:
    """Put ``wrong`` in the place of a handler; the right one, for it to fall back on."""
    right = actor.handlers[number]
    actor.handlers = actor.handlers | {number: wrong}
    return right


def _sends(actor: type[Actor], number: int, change: Callable[..., list[tuple[int, ...]]]) -> None:
    """Upon message ``number`` everything is done as it should be, but what the actor sends
    passes ``change(receiver, kind, *args)``, which gives the messages that are sent instead."""

    def wrong(self: Actor, sender: int, *args: int) -> None:
        send = self.send

        def changed(receiver: int, *message: int) -> None:
            for each in change(receiver, *message):
                send(*each)

        self.send = changed
        try:
            right(self, sender, *args)
        finally:
            self.send = send

    right = _handler(actor, number, wrong)


# --- ping-pong ---


def pingpong_three_messages() -> None:
    """Ping sends each ping twice, so that a round is three messages, as in one published suite."""
    twice: Any = lambda *message: [message, message]  # noqa: E731
    _sends(pingpong.Ping, kind.MESSAGE_KIND_PING_PONG, twice)


def pingpong_counts_in_pong() -> None:
    """Pong counts down as well: it answers with one less than it was sent."""
    _sends(
        pingpong.Pong,
        kind.MESSAGE_KIND_PONG_PING,
        lambda receiver, number, left: [(receiver, number, max(0, left - 1))],
    )


def pingpong_one_round_less() -> None:
    """Ping starts with one round too few."""
    _sends(
        pingpong.Ping,
        kind.MESSAGE_KIND_PING_START,
        lambda receiver, number, left: [(receiver, number, max(0, left - 1))],
    )


def pingpong_pong_stays() -> None:
    """Pong does not end."""

    def ping(self: pingpong.Pong, sender: int, left: int) -> None:
        self.send(sender, kind.MESSAGE_KIND_PING_PONG, left)

    _handler(pingpong.Pong, kind.MESSAGE_KIND_PONG_PING, ping)


def pingpong_window_counts_twice() -> None:
    """A window counts from the beginning of the run, not from the end of the one before."""

    def tick(self: pingpong.Ping, sender: int, number: int) -> None:
        self.windows.report(number, self.pongs)
        self.windowed = self.windows.next(number)

    _handler(pingpong.Ping, kind.MESSAGE_KIND_PING_TICK, tick)


def pingpong_short_windows() -> None:
    """The timer is set to half a window."""
    made = actors.World.__init__

    def init(self: Any, *args: Any, delay: float = 0.0, **rest: Any) -> None:
        made(self, *args, delay=delay / 2, **rest)

    actors.World.__init__ = init  # type: ignore[method-assign]


def pingpong_goes_on() -> None:
    """After the last window ping plays one more round than it should."""

    def tick(self: pingpong.Ping, sender: int, number: int) -> None:
        self.windows.report(number, self.windows.since(self.pongs))
        if not self.windows.next(number):
            _handler(pingpong.Ping, kind.MESSAGE_KIND_PING_PONG, last_but_one)

    def last_but_one(self: pingpong.Ping, sender: int, left: int) -> None:
        _handler(pingpong.Ping, kind.MESSAGE_KIND_PING_PONG, right)
        right(self, sender, left)
        self.windowed = False

    _handler(pingpong.Ping, kind.MESSAGE_KIND_PING_TICK, tick)
    right = pingpong.Ping.handlers[kind.MESSAGE_KIND_PING_PONG]


def pingpong_lies_about_windows() -> None:
    """The receipt moves a round from the first window to the second."""
    right = micro.Micro.run

    async def run(self: Any) -> Any:
        receipt = await right(self)
        windows = receipt.pingpong.windows
        if len(windows) > 1 and windows[0]:
            windows[0] -= 1
            windows[1] += 1
        return receipt

    micro.Micro.run = run  # type: ignore[method-assign]


# --- big ---


def big_same_order() -> None:
    """All peers ping in the same order, beginning with peer 0, instead of each with its next."""

    def ping(self: Any) -> None:
        round_, place = divmod(self.pongs, self.parameters.peers - 1)
        target = place + (place >= self.index)
        self.send(big.peer_name(target), kind.MESSAGE_KIND_PEER_PING, round_)

    big.Peer._ping = ping  # type: ignore[method-assign]


def big_answers_late() -> None:
    """A peer that waits for its own pong answers nobody: a selective receive."""
    pinged: dict[int, list[tuple[int, int]]] = {}

    def ping(self: big.Peer, sender: int, round_: int) -> None:
        pinged.setdefault(self.name, []).append((sender, round_))

    def pong(self: big.Peer, sender: int, round_: int) -> None:
        for waiting in pinged.pop(self.name, []):
            right_ping(self, *waiting)
        right_pong(self, sender, round_)

    right_ping = _handler(big.Peer, kind.MESSAGE_KIND_PEER_PING, ping)
    right_pong = _handler(big.Peer, kind.MESSAGE_KIND_PEER_PONG, pong)


def big_all_at_once() -> None:
    """A peer sends all pings of a round without waiting for a pong."""

    def go(self: big.Peer, sender: int) -> None:
        peers = self.parameters.peers
        for place in range(peers - 1):
            target = big.peer_name((self.index + 1 + place) % peers)
            self.send(target, kind.MESSAGE_KIND_PEER_PING, 0)

    _handler(big.Peer, kind.MESSAGE_KIND_PEER_GO, go)


def big_rounds_alike() -> None:
    """Every ping is of round 0."""
    _sends(
        big.Peer,
        kind.MESSAGE_KIND_PEER_PONG,
        lambda receiver, number, *args: [
            (receiver, number, 0)
            if number == kind.MESSAGE_KIND_PEER_PING
            else (receiver, number, *args)
        ],
    )


def big_pings_itself() -> None:
    """A peer does not leave itself out."""

    def ping(self: Any) -> None:
        round_, place = divmod(self.pongs, self.parameters.peers - 1)
        target = (self.index + place) % self.parameters.peers
        self.send(big.peer_name(target), kind.MESSAGE_KIND_PEER_PING, round_)

    big.Peer._ping = ping  # type: ignore[method-assign]


def big_stops_at_once() -> None:
    """At the end of the last window all are stopped, whatever is under way."""

    def tick(self: big.Coordinator, sender: int, number: int) -> None:
        right(self, sender, number)
        if number + 1 == self.parameters.windows:
            self._tell_all(kind.MESSAGE_KIND_PEER_STOP)

    right = _handler(big.Coordinator, kind.MESSAGE_KIND_COORDINATOR_TICK, tick)


def big_marks_keep_counting() -> None:
    """A peer answers each mark with all pongs since the beginning."""

    def mark(self: big.Peer, sender: int, number: int) -> None:
        self.marked = 0
        right(self, sender, number)

    right = _handler(big.Peer, kind.MESSAGE_KIND_PEER_MARK, mark)


# --- bang ---


def bang_answers_no_last() -> None:
    """The receiver does not answer the last message of a sender, and says it did."""

    def bang_(self: bang.Receiver, sender: int, number: int) -> None:
        self.bangs += 1
        if number + 1 < self.parameters.messages:
            self.send(sender, kind.MESSAGE_KIND_SENDER_ANSWER, number)

    _handler(bang.Receiver, kind.MESSAGE_KIND_RECEIVER_BANG, bang_)


def bang_answers_the_first() -> None:
    """The receiver answers sender 0, whoever sent."""
    _sends(
        bang.Receiver,
        kind.MESSAGE_KIND_RECEIVER_BANG,
        lambda receiver, *message: [(bang.sender_name(0), *message)],
    )


def bang_without_numbers() -> None:
    """All messages of a sender are alike."""
    _sends(
        bang.Sender,
        kind.MESSAGE_KIND_SENDER_GO,
        lambda receiver, number, count_: [(receiver, number, 0)],
    )


def bang_backwards() -> None:
    """A sender numbers its messages from the last to the first: two changed places."""

    def go(self: bang.Sender, sender: int) -> None:
        for number in reversed(range(self.parameters.messages)):
            self.send(names.name(names.RECEIVER), kind.MESSAGE_KIND_RECEIVER_BANG, number)
            self.sent += 1

    _handler(bang.Sender, kind.MESSAGE_KIND_SENDER_GO, go)


def bang_waits_for_answers() -> None:
    """A sender waits for each answer before it sends again."""

    def go(self: bang.Sender, sender: int) -> None:
        self._bang()

    def answer(self: bang.Sender, sender: int, number: int) -> None:
        if self.sent < self.parameters.messages:
            self._bang()
            self.sent, sent = self.parameters.messages + 1, self.sent
            right(self, sender, number)
            self.sent = sent
        else:
            right(self, sender, number)

    _handler(bang.Sender, kind.MESSAGE_KIND_SENDER_GO, go)
    right = _handler(bang.Sender, kind.MESSAGE_KIND_SENDER_ANSWER, answer)


def bang_ends_at_stop() -> None:
    """Told to stop, a sender ends without waiting for what is under way."""

    def stop(self: bang.Sender, sender: int) -> None:
        self.send(names.name(names.RECEIVER), kind.MESSAGE_KIND_RECEIVER_FINISHED, self.answers)
        self.terminate()

    _handler(bang.Sender, kind.MESSAGE_KIND_SENDER_STOP, stop)


# --- web ---


def web_one_worker() -> None:
    """Worker 0 gets all the work, as in a published version."""
    _sends(
        web.Dispatcher,
        kind.MESSAGE_KIND_DISPATCHER_REQUEST,
        lambda receiver, *message: [(web.worker_name(0), *message)],
    )


def web_round_robin() -> None:
    """Requests go to the workers in turn, busy or not."""
    turn = [0]

    def request(self: web.Dispatcher, sender: int, number: int) -> None:
        worker = web.worker_name(turn[0] % self.parameters.workers)
        turn[0] += 1
        browser = names.index_of(sender)
        self.used.add(worker)
        self.send(worker, kind.MESSAGE_KIND_WORKER_WORK, browser, number)

    _handler(web.Dispatcher, kind.MESSAGE_KIND_DISPATCHER_REQUEST, request)


def web_last_in_first_out() -> None:
    """The request that came last is served first."""

    def assign(self: Any) -> None:
        if self.waiting and self.idle_workers:
            browser, number = self.waiting.pop()
            worker = self.idle_workers.popleft()
            self.used.add(worker)
            self.send(worker, kind.MESSAGE_KIND_WORKER_WORK, browser, number)

    web.Dispatcher._assign = assign  # type: ignore[method-assign]


def web_favourite_worker() -> None:
    """The worker that was idle last is given work first."""

    def assign(self: Any) -> None:
        if self.waiting and self.idle_workers:
            browser, number = self.waiting.popleft()
            worker = self.idle_workers.pop()
            self.used.add(worker)
            self.send(worker, kind.MESSAGE_KIND_WORKER_WORK, browser, number)

    web.Dispatcher._assign = assign  # type: ignore[method-assign]


def web_skips_fibonacci() -> None:
    """Workers answer 0 without computing."""
    web.Worker.work_of = staticmethod(lambda n: 0)  # type: ignore[assignment]


def web_neighbouring_fibonacci() -> None:
    """Workers compute the number after the one asked for."""
    right = web.Worker.work_of
    web.Worker.work_of = staticmethod(lambda n: right(n + 1))  # type: ignore[assignment]


def web_idle_before_its_answer() -> None:
    """A worker says it is idle before it has answered."""

    def work(self: web.Worker, sender: int, browser: int, number: int) -> None:
        self.send(names.name(names.DISPATCHER), kind.MESSAGE_KIND_DISPATCHER_IDLE)
        value = self.work_of(self.parameters.fib_n)
        self.send(web.browser_name(browser), kind.MESSAGE_KIND_BROWSER_ANSWER, number + 1, value)

    _handler(web.Worker, kind.MESSAGE_KIND_WORKER_WORK, work)


def web_workers_live_on() -> None:
    """Workers do not end when they are told to stop."""
    _handler(web.Worker, kind.MESSAGE_KIND_WORKER_STOP, lambda self, sender: None)


def web_lies_about_workers() -> None:
    """The receipt says that one worker more took part."""
    right = micro.Micro.run

    async def run(self: Any) -> Any:
        receipt = await right(self)
        if receipt.HasField("web"):
            receipt.web.workers_used += 1
        return receipt

    micro.Micro.run = run  # type: ignore[method-assign]


# --- count ---


def count_adds_the_same() -> None:
    """Every add is of 100, as published: one lost and one doubled would not show."""
    _sends(
        count.Adder,
        kind.MESSAGE_KIND_ADDER_GO,
        lambda receiver, number, *args: [(receiver, number, *(100 for _ in args))],
    )


def count_loses_an_add() -> None:
    """The counter overlooks every hundredth add."""

    def add(self: count.Counter, sender: int, value: int) -> None:
        if value % 100:
            right(self, sender, value)

    right = _handler(count.Counter, kind.MESSAGE_KIND_COUNTER_ADD, add)


def count_never_resets() -> None:
    """The counter answers and does not begin anew."""

    def get_and_reset(self: count.Counter, sender: int) -> None:
        adds, total = self.adds, self.sum
        right(self, sender)
        self.adds, self.sum = adds, total

    right = _handler(count.Counter, kind.MESSAGE_KIND_COUNTER_GET_AND_RESET, get_and_reset)


def count_asks_first() -> None:
    """An adder asks before it adds."""

    def go(self: count.Adder, sender: int) -> None:
        counter = names.name(names.COUNTER)
        self.send(counter, kind.MESSAGE_KIND_COUNTER_GET_AND_RESET)
        for value in range(1, self.parameters.adds + 1):
            self.send(counter, kind.MESSAGE_KIND_COUNTER_ADD, value)

    _handler(count.Adder, kind.MESSAGE_KIND_ADDER_GO, go)


def count_in_16_bits() -> None:
    """The counter's sum is a 16-bit integer."""

    def add(self: count.Counter, sender: int, value: int) -> None:
        right(self, sender, value)
        self.sum %= 1 << 16

    right = _handler(count.Counter, kind.MESSAGE_KIND_COUNTER_ADD, add)


# --- chain ---


def chain_half() -> None:
    """Each link counts two off, so that half as many are made."""
    _sends(
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

    _handler(chain.Link, kind.MESSAGE_KIND_LINK_FINISH, finish)


def chain_links_stay() -> None:
    """Links report and do not end."""

    def finish(self: Any, length: int) -> None:
        terminate, self.terminate = self.terminate, lambda: None
        right(self, length)
        self.terminate = terminate

    right = chain.Link._finish
    chain.Link._finish = finish  # type: ignore[method-assign]


def chain_ends_on_the_way_out() -> None:
    """A link ends as soon as it has made the next: never are all alive at once."""

    def grow(self: chain.Link, sender: int, left: int) -> None:
        right(self, sender, left)
        if left > 0 and self.index > 0:
            self.terminate()

    right = _handler(chain.Link, kind.MESSAGE_KIND_LINK_GROW, grow)


# --- fanout ---


def fanout_one_task_less() -> None:
    """The master gives each runner one task too few, and says it was all."""

    def completed(self: fanout.Master, sender: int, number: int, attempted: int) -> None:
        p = self.parameters
        if self.given[names.index_of(sender)] == p.tasks - 1:
            self.given[names.index_of(sender)] = p.tasks
        right(self, sender, number, attempted)

    right = _handler(fanout.Master, kind.MESSAGE_KIND_MASTER_COMPLETED, completed)


def fanout_claims_completion() -> None:
    """A runner says that it has attempted one more than it took."""
    _sends(
        fanout.Runner,
        kind.MESSAGE_KIND_RUNNER_TASK,
        lambda receiver, number, task, attempted: [(receiver, number, task, attempted + 1)],
    )


def fanout_answers_twice() -> None:
    """A runner answers every tenth task twice; a master that keeps a bit would not notice."""
    _sends(
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

    _handler(fanout.Runner, kind.MESSAGE_KIND_RUNNER_TASK, task)


def fanout_backwards() -> None:
    """The master gives the first round to the last runner first, with the numbers exchanged."""

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

    right = _handler(sleepers.Sleeper, kind.MESSAGE_KIND_SLEEPER_SLEEP, sleep)


def sleepers_oversleep() -> None:
    """A sleeper forgets the second nap."""

    def sleep(self: sleepers.Sleeper, sender: int, number: int) -> None:
        if number != 1:
            right(self, sender, number)

    right = _handler(sleepers.Sleeper, kind.MESSAGE_KIND_SLEEPER_SLEEP, sleep)


def sleepers_wake_others() -> None:
    """The alarm hears of the next nap instead of the one that ended."""
    _sends(
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

    right = _handler(mergesort.Sorter, kind.MESSAGE_KIND_SORTER_SORT, sort)


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
    _sends(
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
    right = _handler(broker.Router, kind.MESSAGE_KIND_ROUTER_TASK, task)
    right_start = _handler(broker.Employer, kind.MESSAGE_KIND_EMPLOYER_START, start)


def broker_past_the_router() -> None:
    """The employer dismisses employees itself, past the router."""
    _sends(
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

    _handler(broker.Employee, kind.MESSAGE_KIND_EMPLOYEE_DISMISS, dismiss)


# --- all of them ---


def leaves_one_alive() -> None:
    """Everything is right but for the receipt, which says that an actor is still alive."""
    right = micro.Micro._receipt

    async def receipt(self: Any, *args: Any) -> Any:
        made = await right(self, *args)
        made.alive = 1
        return made

    micro.Micro._receipt = receipt  # type: ignore[method-assign]
