"""Wrong sizes: numbers in too few bits, and lists that hold too little. All is right below."""

from collections.abc import Callable
from typing import Any

from dramaturg.model import chatapp, lcg
from dramaturg.model.fibonacci import fibonacci
from dramaturg.v2 import control_pb2
from dramaturg.v2 import trace_pb2 as kind

from changes import made, replaced
from reference.control.log import Log
from reference.control.world import World

BITS_8, BITS_16 = 0xFF, 0xFFFF

# --- the generator ---


def lcg_rejects_what_is_left_over() -> None:
    """Outputs beyond the last whole multiple of the limit are drawn again, for fairness."""
    right = lcg.Lcg.next_int

    def next_int(self: lcg.Lcg, limit: int) -> int:
        state, value = self.state, right(self, limit)
        while limit and self.state >= lcg.PERIOD - lcg.PERIOD % limit and limit < lcg.PERIOD:
            value = right(self, limit)
        assert state in range(lcg.PERIOD)
        return value

    lcg.Lcg.next_int = next_int  # type: ignore[method-assign]


def lcg_divides_by_the_inverse() -> None:
    """A division costs more than a multiplication, so the inverse is multiplied with."""
    lcg.Lcg.next_int = lambda self, limit: _without_division(self.next(), limit)  # type: ignore[method-assign]


def _without_division(number: int, limit: int) -> int:
    return number - int(number * (1.0 / limit)) * limit if limit else number


def shuffle_counts_in_16_bits() -> None:
    """The place that is swapped is counted in 16 bits: 65,536 is 0, and 65,537 is 1."""

    def shuffle(self: lcg.Lcg, items: Any) -> None:
        for i in range(len(items) - 1, 0, -1):
            j = self.next_int((i + 1) & BITS_16)
            items[i], items[j] = items[j], items[i]

    lcg.Lcg.shuffle = shuffle  # type: ignore[method-assign]


# --- what is computed ---


def _computes(change: Callable[[int], int]) -> None:
    """The result of compute passes ``change``."""
    chatapp.Client.work = staticmethod(lambda n: change(fibonacci(n)))  # type: ignore[method-assign]


def computes_in_8_bits() -> None:
    """A Fibonacci number is kept in a byte."""
    _computes(lambda value: value & BITS_8)


def computes_in_16_bits() -> None:
    """A Fibonacci number is kept in two bytes."""
    _computes(lambda value: value & BITS_16)


def sums_of_a_turn_in_20_bits() -> None:
    """The values of a turn are added up in 20 bits: one Fibonacci number fits."""
    right = chatapp.Accumulator._report

    def consume(self: chatapp.Accumulator, level: int) -> None:
        self.value &= (1 << 20) - 1
        right(self, level)

    chatapp.Accumulator._report = consume  # type: ignore[method-assign]


# --- what is kept ---


class _Full(list[Any]):
    """A list that holds so many, and takes no more."""

    most = 0

    def append(self, item: Any) -> None:
        if len(self) < self.most:
            super().append(item)


class _Ring(_Full):
    """A list that holds so many, and forgets the oldest for the newest."""

    def append(self, item: Any) -> None:
        if len(self) == self.most:
            del self[0]
        list.append(self, item)


def _list(attribute: str, actor: type[Any], most: int, kind_of_list: type[_Full]) -> None:
    """This list of an actor is one that holds ``most``."""

    class Short(kind_of_list):  # type: ignore[misc,valid-type]
        pass

    Short.most = most

    def change(self: Any) -> None:
        if getattr(self, attribute) is not None:
            setattr(self, attribute, Short(getattr(self, attribute)))

    made(actor, change)


def friends_up_to_256() -> None:
    """A client has no more than 256 friends."""
    _list("friends", chatapp.Client, 256, _Full)


def members_up_to_4096() -> None:
    """A chat has no more than 4,096 members: of others it says that they are."""
    _list("members", chatapp.Chat, 4096, _Full)


def chats_up_to_4096() -> None:
    """A client is in no more than 4,096 chats: of others it takes no note."""
    _list("chats", chatapp.Client, 4096, _Full)


# --- names and counts ---


def deliveries_in_16_bits() -> None:
    """A client counts what it takes in 16 bits."""

    def forward(self: Any, sender: int, *args: int) -> None:
        right(self, sender, *args)
        self.deliveries &= BITS_16

    right = replaced(chatapp.Client, kind.MESSAGE_KIND_CLIENT_FORWARD, forward)


def expects_in_16_bits() -> None:
    """An accumulator's expected and actual numbers are counted in 16 bits."""
    right = chatapp.Accumulator._report

    def consume(self: chatapp.Accumulator, level: int) -> None:
        self.expected = [count & BITS_16 for count in self.expected]
        self.reported = [count & BITS_16 for count in self.reported]
        right(self, level)

    chatapp.Accumulator._report = consume  # type: ignore[method-assign]


def nobody_is_everybody() -> None:
    """An empty list of watches is a watch without conditions."""
    right = Log.__init__
    everybody = control_pb2.Watch(modulus=1, last=2**32 - 1, events=2**32 - 1)

    def init(self: Log, watches: Any) -> None:
        right(self, watches or [everybody])

    Log.__init__ = init  # type: ignore[method-assign]


# --- parameters ---


def _read(benchmark: str, parameter: str, mask: int) -> None:
    """A parameter is read in fewer bits than it has."""
    right = World.__init__

    def init(self: World, asked: Any, *args: Any) -> None:
        if asked.HasField(benchmark):
            own = getattr(asked, benchmark)
            setattr(own, parameter, getattr(own, parameter) & mask)
        right(self, asked, *args)

    World.__init__ = init  # type: ignore[method-assign]


def pingpong_rounds_in_16_bits() -> None:
    """The number of rounds is read in 16 bits."""
    _read("pingpong", "rounds", BITS_16)


def big_rounds_in_16_bits() -> None:
    """The number of rounds is read in 16 bits."""
    _read("big", "rounds", BITS_16)


def big_peers_in_8_bits() -> None:
    """The number of peers is read in 8 bits."""
    _read("big", "peers", BITS_8)


def bang_senders_in_16_bits() -> None:
    """The number of senders is read in 16 bits."""
    _read("bang", "senders", BITS_16)


def bang_messages_in_16_bits() -> None:
    """The number of messages is read in 16 bits."""
    _read("bang", "messages", BITS_16)


def web_browsers_in_16_bits() -> None:
    """The number of browsers is read in 16 bits."""
    _read("web", "browsers", BITS_16)


def web_workers_in_16_bits() -> None:
    """The number of workers is read in 16 bits."""
    _read("web", "workers", BITS_16)


def web_requests_in_16_bits() -> None:
    """The number of requests is read in 16 bits."""
    _read("web", "requests", BITS_16)


def count_adders_in_16_bits() -> None:
    """The number of adders is read in 16 bits."""
    _read("count", "adders", BITS_16)


def count_adds_in_16_bits() -> None:
    """The number of adds is read in 16 bits."""
    _read("count", "adds", BITS_16)


def chain_in_16_bits() -> None:
    """The length is read in 16 bits."""
    _read("chain", "length", BITS_16)


def fanout_runners_in_16_bits() -> None:
    """The number of runners is read in 16 bits."""
    _read("fanout", "runners", BITS_16)


def fanout_tasks_in_16_bits() -> None:
    """The number of tasks is read in 16 bits."""
    _read("fanout", "tasks", BITS_16)


def sleepers_in_16_bits() -> None:
    """The number of sleepers is read in 16 bits."""
    _read("sleepers", "sleepers", BITS_16)


def sleepers_naps_in_8_bits() -> None:
    """The number of naps is read in 8 bits."""
    _read("sleepers", "naps", BITS_8)


def mergesort_length_in_16_bits() -> None:
    """The length is read in 16 bits."""
    _read("mergesort", "length", BITS_16)


def mergesort_leaf_in_16_bits() -> None:
    """The leaf is read in 16 bits."""
    _read("mergesort", "leaf", BITS_16)


def broker_tasks_in_16_bits() -> None:
    """The number of tasks is read in 16 bits."""
    _read("broker", "tasks", BITS_16)
