"""Wrong web under an open load: each with one thing changed.

The name begins with the benchmark's; the docstring says what is wrong.
"""

from collections import deque
from typing import Any

from dramaturg.model import buckets, openweb
from dramaturg.model.lcg import Lcg
from dramaturg.v2 import trace_pb2 as kind

from changes import claims, replaced
from reference.control.stopwatch import Stopwatch, now

# --- arrivals ---


def openweb_even_arrivals() -> None:
    """Requests arrive at equal distances: a queue is never longer than one."""
    openweb.arrivals_of = lambda p: tuple(  # type: ignore[assignment]
        1000 * p.gap * (number + 1) for number in range(p.requests)
    )


def openweb_draws_with_the_low_half() -> None:
    """A gap is chosen by the lower half of a draw, which has a short period."""

    def arrivals_of(p: openweb.Parameters) -> tuple[int, ...]:
        lcg, total, found = Lcg(p.seed), 0, []
        for _ in range(p.requests):
            total += openweb.QUANTILES[lcg.next_int(openweb.STEPS)]
            found.append(p.gap * total // 1000)
        return tuple(found)

    openweb.arrivals_of = arrivals_of


def openweb_due_in_32_bits() -> None:
    """The time at which a request is due is kept in 32 bits of nanoseconds."""
    right = openweb.arrivals_of
    openweb.arrivals_of = lambda p: tuple(due & 0xFFFFFFFF for due in right(p))


# --- who is asked, and what is answered ---


def openweb_lowest_server_first() -> None:
    """The idle server with the lowest index is given the request."""

    def assign(self: Any) -> None:
        self.idle_servers = deque(sorted(self.idle_servers))
        right(self)

    right = openweb.Balancer._assign
    openweb.Balancer._assign = assign  # type: ignore[method-assign]


def openweb_newest_first() -> None:
    """The newest of the waiting requests is served first."""

    def assign(self: Any) -> None:
        self.waiting.reverse()
        right(self)
        self.waiting.reverse()

    right = openweb.Balancer._assign
    openweb.Balancer._assign = assign  # type: ignore[method-assign]


def openweb_same_server_again() -> None:
    """The server that was idle last is given the next request: its caches are warm."""

    def idle(self: openweb.Balancer, sender: int) -> None:
        right(self, sender)
        self.idle_servers.rotate(1)

    right = replaced(openweb.Balancer, kind.MESSAGE_KIND_BALANCER_IDLE, idle)


def openweb_fibonacci_in_16_bits() -> None:
    """A server folds in 16 bits of what it computed."""
    right = openweb.Server.work_of
    openweb.Server.work_of = staticmethod(lambda n: right(n) & 0xFFFF)


# --- clocks and buckets ---


def openweb_latency_from_when_it_was_sent() -> None:
    """A latency begins when the request was sent: the wait for a late source is not counted, which
    is called coordinated omission."""
    sent: dict[int, int] = {}
    arrived = Stopwatch.arrived

    def arrives(self: Stopwatch, due: int) -> None:
        sent[due] = now()
        arrived(self, due)

    def answered(self: Stopwatch, due: int) -> None:
        buckets.count_in(self.latency, now() - sent[due])

    Stopwatch.arrived = arrives  # type: ignore[method-assign]
    Stopwatch.answered = answered  # type: ignore[method-assign]


def openweb_latency_in_microseconds() -> None:
    """Latencies are counted in microseconds, in the buckets of nanoseconds."""

    def answered(self: Stopwatch, due: int) -> None:
        buckets.count_in(self.latency, (now() - self._start - due) // 1000)

    def arrived(self: Stopwatch, due: int) -> None:
        buckets.count_in(self.lateness, (now() - self._start - due) // 1000)

    Stopwatch.answered = answered  # type: ignore[method-assign]
    Stopwatch.arrived = arrived  # type: ignore[method-assign]


def openweb_says_nothing_of_lateness() -> None:
    """Only latencies are counted."""
    claims("openweb", lambda receipt: receipt.ClearField("lateness"))


def openweb_forgets_the_slowest() -> None:
    """The slowest answer is no latency, but an accident: it is left out."""

    def change(receipt: Any) -> None:
        receipt.latency[len(receipt.latency) - 1] -= 1

    claims("openweb", change)


def openweb_waits_for_no_timer() -> None:
    """All requests are sent at once, however long it is until they are due."""
    Stopwatch.until = lambda self, due: 0.0  # type: ignore[method-assign]
    arrived = Stopwatch.arrived
    Stopwatch.arrived = lambda self, due: arrived(  # type: ignore[method-assign]
        self, min(due, now() - self._start)
    )
    answered = Stopwatch.answered
    Stopwatch.answered = lambda self, due: answered(  # type: ignore[method-assign]
        self, min(due, now() - self._start)
    )


def openweb_probed_in_microseconds() -> None:
    """The counter of latencies is given microseconds, and only when it is asked about them."""
    right = buckets.count_in
    buckets.count_in = lambda counts, nanos: right(counts, nanos // 1000)
