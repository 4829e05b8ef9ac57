"""Wrong ping-pong, big, bang and web: the reference, each with one thing changed in one.

The name begins with the benchmark's; the docstring says what is wrong.
"""

from collections import Counter
from typing import Any

from dramaturg.model import bang, big, names, pingpong, web
from dramaturg.model.fold import add, fold
from dramaturg.v2 import trace_pb2 as kind

from changes import answers, claims, made, replaced, sends, undying
from reference.actors import System
from reference.control.world import World

# --- ping-pong ---


def pingpong_three_messages() -> None:
    """Ping sends each ping but the first twice, and pong answers the second: a round is three
    messages, as in one published suite."""

    def ping(self: pingpong.Pong, sender: int, left: int, value: int) -> None:
        taken[0] += 1
        if taken[0] % 2:
            right(self, sender, left, value)

    taken = [0]
    made(pingpong.Pong, lambda pong: taken.__setitem__(0, 0))
    right = replaced(pingpong.Pong, kind.MESSAGE_KIND_PONG_PING, ping)
    twice: Any = lambda *message: [message, message]  # noqa: E731
    sends(pingpong.Ping, kind.MESSAGE_KIND_PING_PONG, twice)


def pingpong_counts_in_pong() -> None:
    """Pong counts down as well: it answers with one less than it was sent."""
    sends(
        pingpong.Pong,
        kind.MESSAGE_KIND_PONG_PING,
        lambda receiver, number, left, value: [(receiver, number, max(0, left - 1), value)],
    )


def pingpong_one_round_less() -> None:
    """Ping starts with one round too few."""
    sends(
        pingpong.Ping,
        kind.MESSAGE_KIND_PING_START,
        lambda receiver, number, left, value: [(receiver, number, max(0, left - 1), value)],
    )


def pingpong_pong_stays() -> None:
    """Pong does not end."""
    ping = kind.MESSAGE_KIND_PONG_PING
    replaced(pingpong.Pong, ping, undying(pingpong.Pong.handlers[ping]))


def pingpong_window_counts_twice() -> None:
    """A window counts from the beginning of the run, not from the end of the one before."""

    def tick(self: pingpong.Ping, sender: int, number: int) -> None:
        self.windows.report(number, self.pongs)
        self.windowed = self.windows.next(number)

    replaced(pingpong.Ping, kind.MESSAGE_KIND_PING_TICK, tick)


def pingpong_short_windows() -> None:
    """The timer is set to half a window."""

    def change(system: System) -> None:
        system._delay /= 2

    made(System, change)


def pingpong_goes_on() -> None:
    """After the last window there is one more round than there should be."""

    def tick(self: pingpong.Ping, sender: int, number: int) -> None:
        self.windows.report(number, self.windows.since(self.pongs))
        if not self.windows.next(number):
            replaced(pingpong.Ping, kind.MESSAGE_KIND_PING_PONG, last_but_one)

    def last_but_one(self: pingpong.Ping, sender: int, *args: int) -> None:
        replaced(pingpong.Ping, kind.MESSAGE_KIND_PING_PONG, right)
        right(self, sender, *args)
        self.windowed = False

    replaced(pingpong.Ping, kind.MESSAGE_KIND_PING_TICK, tick)
    right = pingpong.Ping.handlers[kind.MESSAGE_KIND_PING_PONG]


def pingpong_lies_about_windows() -> None:
    """The receipt moves a round from the first window to the second."""

    def change(counts: Any) -> None:
        windows = counts.windows
        if len(windows) > 1 and windows[0]:
            windows[0] -= 1
            windows[1] += 1

    claims("pingpong", change)


# --- big ---


def big_same_order() -> None:
    """All peers ping in the same order, beginning with peer 0, instead of each with its next."""

    def ping(self: Any) -> None:
        round_, place = divmod(self.pongs, self.parameters.peers - 1)
        target = place + (place >= self.index)
        value = fold(fold(self.salt, self.index), round_)
        self.send(big.peer_name(target), kind.MESSAGE_KIND_PEER_PING, round_, value)

    big.Peer._ping = ping  # type: ignore[method-assign]


def big_answers_late() -> None:
    """A peer that waits for its own pong answers nobody: a selective receive."""
    pinged: dict[int, list[tuple[int, ...]]] = {}

    def ping(self: big.Peer, sender: int, *args: int) -> None:
        pinged.setdefault(self.name, []).append((sender, *args))

    def pong(self: big.Peer, sender: int, *args: int) -> None:
        for waiting in pinged.pop(self.name, []):
            right_ping(self, *waiting)
        right_pong(self, sender, *args)

    right_ping = replaced(big.Peer, kind.MESSAGE_KIND_PEER_PING, ping)
    right_pong = replaced(big.Peer, kind.MESSAGE_KIND_PEER_PONG, pong)


def big_all_at_once() -> None:
    """A peer sends all pings of a round without waiting for a pong."""

    def go(self: big.Peer, sender: int, salt: int) -> None:
        self.salt, peers = salt, self.parameters.peers
        value = fold(fold(salt, self.index), 0)
        for place in range(peers - 1):
            target = big.peer_name((self.index + 1 + place) % peers)
            self.send(target, kind.MESSAGE_KIND_PEER_PING, 0, value)

    replaced(big.Peer, kind.MESSAGE_KIND_PEER_GO, go)


def big_rounds_alike() -> None:
    """Every ping is of round 0."""
    sends(
        big.Peer,
        kind.MESSAGE_KIND_PEER_PONG,
        lambda receiver, number, *args: [
            (receiver, number, 0, args[1])
            if number == kind.MESSAGE_KIND_PEER_PING
            else (receiver, number, *args)
        ],
    )


def big_pings_itself() -> None:
    """A peer does not leave itself out."""

    def ping(self: Any) -> None:
        round_, place = divmod(self.pongs, self.parameters.peers - 1)
        target = (self.index + place) % self.parameters.peers
        value = fold(fold(self.salt, self.index), round_)
        self.send(big.peer_name(target), kind.MESSAGE_KIND_PEER_PING, round_, value)

    big.Peer._ping = ping  # type: ignore[method-assign]


def big_stops_at_once() -> None:
    """At the end of the last window all are stopped, whatever is under way."""

    def tick(self: big.Coordinator, sender: int, number: int) -> None:
        right(self, sender, number)
        if number + 1 == self.parameters.windows:
            self._tell_all(kind.MESSAGE_KIND_PEER_STOP)

    right = replaced(big.Coordinator, kind.MESSAGE_KIND_COORDINATOR_TICK, tick)


def big_marks_keep_counting() -> None:
    """A peer answers each mark with all pongs since the beginning."""

    def mark(self: big.Peer, sender: int, number: int) -> None:
        self.marked = 0
        right(self, sender, number)

    right = replaced(big.Peer, kind.MESSAGE_KIND_PEER_MARK, mark)


# --- bang ---


def bang_answers_no_last() -> None:
    """The receiver does not answer the last message of a sender, and says it did."""

    def bang_(self: bang.Receiver, sender: int, number: int, value: int) -> None:
        answer = fold(value, self.salt)
        self.bangs += 1
        self.given = add(self.given, answer)
        if number + 1 < self.parameters.messages:
            self.send(sender, kind.MESSAGE_KIND_SENDER_ANSWER, number, answer)

    replaced(bang.Receiver, kind.MESSAGE_KIND_RECEIVER_BANG, bang_)


def bang_answers_the_first() -> None:
    """The receiver answers sender 0, whoever sent."""
    sends(
        bang.Receiver,
        kind.MESSAGE_KIND_RECEIVER_BANG,
        lambda receiver, *message: [(bang.sender_name(0), *message)],
    )


def bang_without_numbers() -> None:
    """All messages of a sender are alike."""
    sends(
        bang.Sender,
        kind.MESSAGE_KIND_SENDER_GO,
        lambda receiver, kind_, number, value: [(receiver, kind_, 0, value)],
    )


def bang_backwards() -> None:
    """A sender numbers its messages from the last to the first: two changed places."""

    def go(self: bang.Sender, sender: int, salt: int) -> None:
        self.salt = salt
        for number in reversed(range(self.parameters.messages)):
            self.sent = number
            self._bang()
        self.sent = self.parameters.messages

    replaced(bang.Sender, kind.MESSAGE_KIND_SENDER_GO, go)


def bang_keeps_one_unanswered() -> None:
    """With windows a sender has one message unanswered, and not as many as it may."""

    def go(self: bang.Sender, sender: int, salt: int) -> None:
        self.salt = salt
        for _ in range(1 if self.parameters.windows else self.parameters.messages):
            self._bang()

    replaced(bang.Sender, kind.MESSAGE_KIND_SENDER_GO, go)


def bang_ends_at_stop() -> None:
    """Told to stop, a sender ends without waiting for what is under way."""

    def stop(self: bang.Sender, sender: int) -> None:
        receiver, sums = names.name(names.RECEIVER), (self.answers, self.taken)
        self.send(receiver, kind.MESSAGE_KIND_RECEIVER_FINISHED, *sums)
        self.terminate()

    replaced(bang.Sender, kind.MESSAGE_KIND_SENDER_STOP, stop)


# --- web ---


def web_one_worker() -> None:
    """Worker 0 gets all the work, as in a published version."""
    sends(
        web.Dispatcher,
        kind.MESSAGE_KIND_DISPATCHER_REQUEST,
        lambda receiver, *message: [(web.worker_name(0), *message)],
    )


def web_round_robin() -> None:
    """Requests go to the workers in turn, busy or not."""
    turn, busy = [0], Counter[int]()

    def request(self: web.Dispatcher, sender: int, number: int, value: int) -> None:
        worker = web.worker_name(turn[0] % self.parameters.workers)
        turn[0] += 1
        busy[worker] += 1
        if worker in self.idle_workers:
            self.idle_workers.remove(worker)
        self.used.add(worker)
        browser = names.index_of(sender)
        self.send(worker, kind.MESSAGE_KIND_WORKER_WORK, browser, number, value)

    def idle(self: web.Dispatcher, sender: int) -> None:
        busy[sender] -= 1
        if not busy[sender]:
            right(self, sender)

    replaced(web.Dispatcher, kind.MESSAGE_KIND_DISPATCHER_REQUEST, request)
    right = replaced(web.Dispatcher, kind.MESSAGE_KIND_DISPATCHER_IDLE, idle)


def web_last_in_first_out() -> None:
    """The request that came last is served first."""

    def assign(self: Any) -> None:
        if self.waiting and self.idle_workers:
            request = self.waiting.pop()
            worker = self.idle_workers.popleft()
            self.used.add(worker)
            self.send(worker, kind.MESSAGE_KIND_WORKER_WORK, *request)

    web.Dispatcher._assign = assign  # type: ignore[method-assign]


def web_favourite_worker() -> None:
    """The worker that was idle last is given work first."""

    def assign(self: Any) -> None:
        if self.waiting and self.idle_workers:
            request = self.waiting.popleft()
            worker = self.idle_workers.pop()
            self.used.add(worker)
            self.send(worker, kind.MESSAGE_KIND_WORKER_WORK, *request)

    web.Dispatcher._assign = assign  # type: ignore[method-assign]


def web_skips_fibonacci() -> None:
    """Workers answer 0 without computing."""
    web.Worker.work_of = staticmethod(lambda n: 0)  # type: ignore[assignment]


def web_neighbouring_fibonacci() -> None:
    """Workers compute the number after the one asked for."""
    right = web.Worker.work_of
    web.Worker.work_of = staticmethod(lambda n: right(n + 1))  # type: ignore[assignment]


def web_idle_before_its_answer() -> None:
    """A worker says it is idle before it has answered, and what it answers is the next."""

    def work(self: web.Worker, sender: int, browser: int, number: int, value: int) -> None:
        self.send(names.name(names.DISPATCHER), kind.MESSAGE_KIND_DISPATCHER_IDLE)
        answer = fold(value, self.work_of(self.parameters.fib_n))
        self.send(web.browser_name(browser), kind.MESSAGE_KIND_BROWSER_ANSWER, number + 1, answer)

    replaced(web.Worker, kind.MESSAGE_KIND_WORKER_WORK, work)


def web_workers_live_on() -> None:
    """Workers do not end when they are told to stop."""
    replaced(web.Worker, kind.MESSAGE_KIND_WORKER_STOP, lambda self, sender: None)


def web_lies_about_workers() -> None:
    """The receipt says that one worker more took part."""

    def change(counts: Any) -> None:
        counts.workers_used += 1

    claims("web", change)


# --- all of them ---


def leaves_one_alive() -> None:
    """Everything is right but for the receipt, which says that an actor is still alive."""
    answers(World, "teardown", lambda receipt: setattr(receipt, "alive", 1))
