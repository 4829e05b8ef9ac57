"""Wrong salts and digests: what could be had before the run, or kept from the last one (ACT-8).

Golden cases have salt 0, with which many of these are right.
"""

from collections.abc import Callable
from typing import Any

from dramaturg.model import (
    bang,
    big,
    broker,
    chain,
    chatapp,
    count,
    mergesort,
    names,
    pingpong,
    sleepers,
    web,
)
from dramaturg.model.fold import fold
from dramaturg.v2 import trace_pb2 as kind

from changes import claims, made, replaced, sends
from reference.behaviours import Poker
from reference.control.world import World

# --- what control does with it ---


def _salted(change: Callable[[int], int]) -> None:
    """The world runs with another salt: ``change(salt)``."""
    right = World.run
    World.run = lambda self, salt: right(self, change(salt))  # type: ignore[method-assign]


def salt_is_ignored() -> None:
    """A field that nobody read: every run has salt 0."""
    _salted(lambda salt: 0)


def salt_of_the_last_run() -> None:
    """The salt is set when the run has been started: it is the next one's."""
    last = [0]

    def change(salt: int) -> int:
        before, last[0] = last[0], salt
        return before

    _salted(change)


def salt_of_the_first_run() -> None:
    """The salt is the process's: it is set once."""
    first: list[int] = []

    def change(salt: int) -> int:
        first.append(salt)
        return first[0]

    _salted(change)


def salt_in_16_bits() -> None:
    """The salt is as long as a seed."""
    _salted(lambda salt: salt % (1 << 16))


def salt_in_31_bits() -> None:
    """The salt is a signed integer, and must not be negative."""
    _salted(lambda salt: salt % (1 << 31))


def salt_in_single_precision() -> None:
    """All numbers are read as floating-point ones, of the short kind."""
    _salted(lambda salt: salt & -1 << max(0, salt.bit_length() - 24))


# --- who else must know it ---


def salt_in_the_first_turn_only() -> None:
    """The poker passes the salt on with its first pokes."""
    sends(
        Poker,
        kind.MESSAGE_KIND_POKER_RUN,
        lambda receiver, number, turn, salt: [(receiver, number, turn, salt if turn == 0 else 0)],
    )


def salt_stays_with_the_directory() -> None:
    """A directory tells its clients to act, and keeps the salt to itself."""
    sends(
        chatapp.Directory,
        kind.MESSAGE_KIND_DIRECTORY_POKE,
        lambda *message: [(*message[:-1], 0)],
    )


def payloads_without_salt() -> None:
    """Payloads are those of the published program: the sender, and its number of posts before."""
    right = chatapp.Client._payload
    chatapp.Client._payload = lambda self, salt: right(self, 0)  # type: ignore[method-assign]


def payloads_carry_over() -> None:
    """Salt and count are added in 64 bits, and what is too much goes to the client's number."""

    def payload(self: chatapp.Client, salt: int) -> int:
        self.posted += 1
        return (self.number << 32) + salt + self.posted - 1

    chatapp.Client._payload = payload  # type: ignore[method-assign]


def bang_answers_without_salt() -> None:
    """The receiver starts the senders with the salt, and does not keep it."""
    right = replaced(
        bang.Receiver,
        kind.MESSAGE_KIND_RECEIVER_BANG,
        lambda self, *message: (setattr(self, "salt", 0), right(self, *message)),
    )


def count_adds_without_salt() -> None:
    """An adder's values are made when it is."""

    def go(self: count.Adder, sender: int, salt: int) -> None:
        right(self, sender, 0)

    right = replaced(count.Adder, kind.MESSAGE_KIND_ADDER_GO, go)


def mergesort_salts_the_root() -> None:
    """The root knows the salt, and its halves do not."""
    sends(
        mergesort.Sorter,
        kind.MESSAGE_KIND_SORTER_SORT,
        lambda receiver, number, *args: [
            (receiver, number, *args[:2], 0, args[3])
            if number == kind.MESSAGE_KIND_SORTER_SORT
            else (receiver, number, *args)
        ],
    )


def mergesort_checksum_by_the_sender() -> None:
    """The sorter that splits a list sends along the checksum it made of it in Prepare, when there
    was no salt."""
    sends(
        mergesort.Sorter,
        kind.MESSAGE_KIND_SORTER_SORT,
        lambda receiver, number, *args: [
            (receiver, number, *args[:3], mergesort.checksum(0, _items(args)))
            if number == kind.MESSAGE_KIND_SORTER_SORT
            else (receiver, number, *args)
        ],
    )
    made(mergesort.Sorter, lambda sorter: _parameters.__setitem__(0, sorter.parameters))


_parameters: list[Any] = [None]


def _items(args: tuple[int, ...]) -> tuple[int, ...]:
    first, length = args[:2]
    p = _parameters[0]
    return mergesort.numbers(p.length, p.seed, args[2])[first : first + length]


def broker_payloads_from_before() -> None:
    """The employer has its payloads ready from before the run, and so without salt."""
    right = broker.checksum_of
    broker.checksum_of = lambda salt, *task: right(0, *task)


def receipt_from_a_cache() -> None:
    """A receipt with the same parameters as an earlier one is taken from there."""
    earlier: dict[str, Any] = {}
    right = World.teardown

    async def teardown(self: World) -> Any:
        receipt = await right(self)
        kept = earlier.setdefault(str(self._workload.parameters), receipt)
        kept.run_nanos, kept.teardown_nanos = receipt.run_nanos, receipt.teardown_nanos
        return kept

    World.teardown = teardown  # type: ignore[method-assign]


# --- digests ---


def pong_counts_from_one() -> None:
    """Pong folds in how many pings it has taken, this one included."""
    made(pingpong.Pong, lambda pong: setattr(pong, "pings", 1))


def ping_sends_the_same() -> None:
    """Every ping has the first one's value."""

    def ping(self: pingpong.Ping, left: int) -> None:
        self.send(self.peer, kind.MESSAGE_KIND_PONG_PING, left, fold(self.salt, 0))

    pingpong.Ping._ping = ping  # type: ignore[method-assign]


def big_folds_who_asks() -> None:
    """An answer has the index of the peer that asked in it, and not of the one that answers."""

    def ping(self: big.Peer, sender: int, *args: int) -> None:
        mine, self.index = self.index, names.index_of(sender)
        right(self, sender, *args)
        self.index = mine

    right = replaced(big.Peer, kind.MESSAGE_KIND_PEER_PING, ping)


def big_gives_what_it_takes() -> None:
    """A peer has one sum, and reports it twice."""
    sends(
        big.Peer,
        kind.MESSAGE_KIND_PEER_PONG,
        lambda receiver, number, *args: [
            (receiver, number, *args[:3], args[2])
            if number == kind.MESSAGE_KIND_COORDINATOR_FINISHED
            else (receiver, number, *args)
        ],
    )


def bang_folds_its_number() -> None:
    """An answer has the number of the message in it, which its sender knows by itself."""

    def bang_(self: bang.Receiver, sender: int, number: int, value: int) -> None:
        salt, self.salt = self.salt, number
        right(self, sender, number, value)
        self.salt = salt

    right = replaced(bang.Receiver, kind.MESSAGE_KIND_RECEIVER_BANG, bang_)


def web_sums_what_it_asked() -> None:
    """A browser sums the values of its requests, which it has without any worker."""

    def answer(self: web.Browser, sender: int, number: int, value: int) -> None:
        right(self, sender, number, fold(fold(self.salt, self.index), number))

    right = replaced(web.Browser, kind.MESSAGE_KIND_BROWSER_ANSWER, answer)


def count_in_64_bits() -> None:
    """The counter's sum is as wide as the machine's words."""

    def add_(self: count.Counter, sender: int, value: int) -> None:
        self.adds += 1
        self.sum += value

    replaced(count.Counter, kind.MESSAGE_KIND_COUNTER_ADD, add_)


def chain_folds_on_the_way_out() -> None:
    """The way back takes the digest along as it is."""

    def finish(self: chain.Link, sender: int, length: int, digest: int) -> None:
        self._finish(length + 1, digest)

    replaced(chain.Link, kind.MESSAGE_KIND_LINK_FINISH, finish)


def sleepers_fold_seconds() -> None:
    """A sleeper folds in its delay in seconds."""

    def wake(self: sleepers.Sleeper, sender: int, number: int) -> None:
        value = fold(self.value, self.parameters.delay // 1000)
        self.send(sleepers._ALARM, kind.MESSAGE_KIND_ALARM_AWAKE, number, value)
        if number + 1 == self.parameters.naps:
            self.terminate()

    replaced(sleepers.Sleeper, kind.MESSAGE_KIND_SLEEPER_WAKE, wake)


def mergesort_folds_the_unsorted() -> None:
    """A sorter reports the checksum of what it was sent."""
    sort, answer, given = mergesort.Sorter.sort, mergesort.Sorter._answer, dict[int, int]()

    def sorting(self: Any, sender: int, first: int, length: int, salt: int, checksum: int) -> None:
        given[self.name] = checksum
        sort(self, sender, first, length, salt, checksum)

    def answering(self: Any) -> None:
        send = self.send
        self.send = lambda *message: send(*message[:-1], given[self.name])
        answer(self)
        self.send = send

    replaced(mergesort.Sorter, kind.MESSAGE_KIND_SORTER_SORT, sorting)
    mergesort.Sorter._answer = answering  # type: ignore[method-assign]


def chat_announces_a_digest_once() -> None:
    """A chat announces the digest of a post, however many members hear it."""

    def post(self: chatapp.Chat, sender: int, turn: int, payload: int) -> None:
        send = self.send

        def once(receiver: int, number: int, *args: int) -> None:
            if number == kind.MESSAGE_KIND_ACCUMULATOR_BUMP:
                args = (*args[:2], chatapp.digest(payload))
            send(receiver, number, *args)

        self.send = once
        right(self, sender, turn, payload)
        self.send = send

    right = replaced(chatapp.Chat, kind.MESSAGE_KIND_CHAT_POST, post)


def chat_announces_no_history() -> None:
    """A join with a history announces as many posts as there are, and no digests."""
    sends(
        chatapp.Chat,
        kind.MESSAGE_KIND_CHAT_JOIN,
        lambda receiver, number, *args: [
            (receiver, number, *args[:2], 0)
            if number == kind.MESSAGE_KIND_ACCUMULATOR_BUMP
            else (receiver, number, *args)
        ],
    )


def client_consumes_half_a_payload() -> None:
    """A client digests the lower half of a payload: the poster is not looked at."""

    def forward(self: chatapp.Client, sender: int, turn: int, level: int, payload: int) -> None:
        right(self, sender, turn, level, payload % (1 << 32))

    right = replaced(chatapp.Client, kind.MESSAGE_KIND_CLIENT_FORWARD, forward)


def accumulator_counts_every_stop() -> None:
    """Stops of level 0 are counted among those that were announced."""

    def stop(self: chatapp.Accumulator, sender: int, level: int, value: int) -> None:
        self.stops += level == 0
        right(self, sender, level, value)

    right = replaced(chatapp.Accumulator, kind.MESSAGE_KIND_ACCUMULATOR_STOP, stop)


def accumulator_sums_no_announcements() -> None:
    """Values in bumps are not summed: the sum of the consumed values is taken for both."""

    def bump(self: chatapp.Accumulator, sender: int, level: int, n: int, digest: int) -> None:
        right(self, sender, level, n, 0)

    right = replaced(chatapp.Accumulator, kind.MESSAGE_KIND_ACCUMULATOR_BUMP, bump)

    def change(counts: Any) -> None:
        counts.announced = counts.consumed

    claims("chatapp", change)
