"""Wrong ping-pong, big, bang and web: the reference, each with one thing changed in one.

The name begins with the benchmark's; the docstring says what is wrong.
"""

from typing import Any

from changes import answers, replaced, sends

from dramaturg.model import bang, big, names, pingpong, web
from dramaturg.v2 import trace_pb2 as kind

import actors
import micro

# --- ping-pong ---


def pingpong_three_messages() -> None:
    """Ping sends each ping twice, so that a round is three messages, as in one published suite."""
    twice: Any = lambda *message: [message, message]  # noqa: E731
    sends(pingpong.Ping, kind.MESSAGE_KIND_PING_PONG, twice)


def pingpong_counts_in_pong() -> None:
    """Pong counts down as well: it answers with one less than it was sent."""
    sends(
        pingpong.Pong,
        kind.MESSAGE_KIND_PONG_PING,
        lambda receiver, number, left: [(receiver, number, max(0, left - 1))],
    )


def pingpong_one_round_less() -> None:
    """Ping starts with one round too few."""
    sends(
        pingpong.Ping,
        kind.MESSAGE_KIND_PING_START,
        lambda receiver, number, left: [(receiver, number, max(0, left - 1))],
    )


def pingpong_pong_stays() -> None:
    """Pong does not end."""

    def ping(self: pingpong.Pong, sender: int, left: int) -> None:
        self.send(sender, kind.MESSAGE_KIND_PING_PONG, left)

    replaced(pingpong.Pong, kind.MESSAGE_KIND_PONG_PING, ping)


def pingpong_window_counts_twice() -> None:
    """A window counts from the beginning of the run, not from the end of the one before."""

    def tick(self: pingpong.Ping, sender: int, number: int) -> None:
        self.windows.report(number, self.pongs)
        self.windowed = self.windows.next(number)

    replaced(pingpong.Ping, kind.MESSAGE_KIND_PING_TICK, tick)


def pingpong_short_windows() -> None:
    """The timer is set to half a window."""
    made = actors.World.__init__

    def init(self: Any, *args: Any, delay: float = 0.0, **rest: Any) -> None:
        made(self, *args, delay=delay / 2, **rest)

    actors.World.__init__ = init  # type: ignore[method-assign]


def pingpong_goes_on() -> None:
    """After the last window ping workloads one more round than it should."""

    def tick(self: pingpong.Ping, sender: int, number: int) -> None:
        self.windows.report(number, self.windows.since(self.pongs))
        if not self.windows.next(number):
            replaced(pingpong.Ping, kind.MESSAGE_KIND_PING_PONG, last_but_one)

    def last_but_one(self: pingpong.Ping, sender: int, left: int) -> None:
        replaced(pingpong.Ping, kind.MESSAGE_KIND_PING_PONG, right)
        right(self, sender, left)
        self.windowed = False

    replaced(pingpong.Ping, kind.MESSAGE_KIND_PING_TICK, tick)
    right = pingpong.Ping.handlers[kind.MESSAGE_KIND_PING_PONG]


def pingpong_lies_about_windows() -> None:
    """The receipt moves a round from the first window to the second."""

    def change(receipt: Any) -> None:
        windows = receipt.pingpong.windows
        if len(windows) > 1 and windows[0]:
            windows[0] -= 1
            windows[1] += 1

    answers(micro.Micro, "run", change)


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

    right_ping = replaced(big.Peer, kind.MESSAGE_KIND_PEER_PING, ping)
    right_pong = replaced(big.Peer, kind.MESSAGE_KIND_PEER_PONG, pong)


def big_all_at_once() -> None:
    """A peer sends all pings of a round without waiting for a pong."""

    def go(self: big.Peer, sender: int) -> None:
        peers = self.parameters.peers
        for place in range(peers - 1):
            target = big.peer_name((self.index + 1 + place) % peers)
            self.send(target, kind.MESSAGE_KIND_PEER_PING, 0)

    replaced(big.Peer, kind.MESSAGE_KIND_PEER_GO, go)


def big_rounds_alike() -> None:
    """Every ping is of round 0."""
    sends(
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

    def bang_(self: bang.Receiver, sender: int, number: int) -> None:
        self.bangs += 1
        if number + 1 < self.parameters.messages:
            self.send(sender, kind.MESSAGE_KIND_SENDER_ANSWER, number)

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
        lambda receiver, number, count_: [(receiver, number, 0)],
    )


def bang_backwards() -> None:
    """A sender numbers its messages from the last to the first: two changed places."""

    def go(self: bang.Sender, sender: int) -> None:
        for number in reversed(range(self.parameters.messages)):
            self.send(names.name(names.RECEIVER), kind.MESSAGE_KIND_RECEIVER_BANG, number)
            self.sent += 1

    replaced(bang.Sender, kind.MESSAGE_KIND_SENDER_GO, go)


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

    replaced(bang.Sender, kind.MESSAGE_KIND_SENDER_GO, go)
    right = replaced(bang.Sender, kind.MESSAGE_KIND_SENDER_ANSWER, answer)


def bang_ends_at_stop() -> None:
    """Told to stop, a sender ends without waiting for what is under way."""

    def stop(self: bang.Sender, sender: int) -> None:
        self.send(names.name(names.RECEIVER), kind.MESSAGE_KIND_RECEIVER_FINISHED, self.answers)
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
    turn = [0]

    def request(self: web.Dispatcher, sender: int, number: int) -> None:
        worker = web.worker_name(turn[0] % self.parameters.workers)
        turn[0] += 1
        browser = names.index_of(sender)
        self.used.add(worker)
        self.send(worker, kind.MESSAGE_KIND_WORKER_WORK, browser, number)

    replaced(web.Dispatcher, kind.MESSAGE_KIND_DISPATCHER_REQUEST, request)


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

    replaced(web.Worker, kind.MESSAGE_KIND_WORKER_WORK, work)


def web_workers_live_on() -> None:
    """Workers do not end when they are told to stop."""
    replaced(web.Worker, kind.MESSAGE_KIND_WORKER_STOP, lambda self, sender: None)


def web_lies_about_workers() -> None:
    """The receipt says that one worker more took part."""

    def change(receipt: Any) -> None:
        if receipt.HasField("web"):
            receipt.web.workers_used += 1

    answers(micro.Micro, "run", change)


# --- all of them ---


def leaves_one_alive() -> None:
    """Everything is right but for the receipt, which says that an actor is still alive."""
    answers(micro.Micro, "_receipt", lambda receipt: setattr(receipt, "alive", 1))
