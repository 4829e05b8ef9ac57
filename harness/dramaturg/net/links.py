"""Links are measured, not believed: what they delay before anything is timed, what they lost after.

Each host's own end delays and loses what leaves it, so that what is asked for holds one way, from
host to host. Every socket here is opened in a host and used by this process: both ends read one
clock, and no other process has to be scheduled.
"""

import contextlib
import ctypes
import errno
import functools
import json
import math
import os
import selectors
import socket
import statistics
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from dramaturg.errors import HarnessFault

SHARE, FLOOR = 0.05, 0.5
"""A delay may be off by a twentieth of what was asked, or by half a millisecond, whichever is
more: timers and switches of an emulation take some of that."""

CONFIDENCE = 0.99
"""The confidence with which links that lose what was asked for pass, all of a run together."""

TRIES, ENOUGH = 60, 7
"""Packets sent to measure one link, at most, and how many of them must arrive. The fastest counts:
a busy machine makes a packet late, and nothing makes it early."""

SOUNDED = 1000
"""Packets that are sent over links that lose some, all links together, before anything else. A
case may have a few hundred packets, of which links with a loss of 1 % may lose none by chance."""

SLACK = 0.25
"""Seconds beyond the delay after which a packet counts as lost."""

SMALLEST_FRAME = 64
"""Bytes; a full queue of these has the most packets."""

BASE_QUEUE = 1000
"""Packets that netem holds where nothing is delayed: its default."""

AT_ONCE = 256
"""Connections that are tried at the same time: a process may have 1024 files open."""

_NOBODY = 1
"""A port at which nobody listens in a new namespace."""

_NEWNET = 0x40000000


class LinkOff(HarnessFault):
    """A link is not what was asked for: nothing that was timed over it counts."""


@dataclass(frozen=True, slots=True)
class Lost:
    """The losses of all links together."""

    packets: int
    """Number of packets that came to their qdiscs."""
    lost: int


@dataclass(frozen=True, slots=True)
class Expected:
    """The number of packets that may be lost."""

    low: int
    high: int
    confidence: float


def queue_limit(rate: float, delay: float) -> int:
    """Packets that are under way on a link of ``rate`` Mbit/s within ``delay`` ms, if all are as
    small as can be, and the queue of a link without delay."""
    return BASE_QUEUE + int(rate * 1e6 / 8 / SMALLEST_FRAME * delay / 1e3)


def allowed(asked: float) -> float:
    """Return the milliseconds by which a delay may differ from ``asked``."""
    return max(SHARE * asked, FLOOR)


def check_delays(asked: float, measured: Sequence[float]) -> None:
    """Compares the delays of each host's link, in milliseconds. Raises LinkOff."""
    off = [(n, delay) for n, delay in enumerate(measured) if abs(delay - asked) > allowed(asked)]
    if off:
        said = ", ".join(f"{delay:.2f} ms from h{number}" for number, delay in off)
        raise LinkOff(
            f"delay {asked:g} ms was asked for, one way, and measured is {said}; it may be off by"
            f" {allowed(asked):g} ms. The machine is too busy, or its timers are too coarse: run it"
            " again where nothing else runs"
        )


def expected(percent: float, packets: int, among: int = 1) -> Expected:
    """The number of packets that links with a loss of ``percent`` may lose of so many. ``among``
    so many checks of a run all together are to be right with CONFIDENCE, so each has its part of
    the rest."""
    confidence = 1 - (1 - CONFIDENCE) / among
    if not percent or not packets:
        return Expected(0, 0, confidence)
    from scipy import stats  # It takes a second to import; few links lose anything on purpose.

    low, high = stats.binom.interval(confidence, packets, percent / 100)
    return Expected(int(low), int(high), confidence)


def check_lost(percent: float, lost: Lost, due: Expected) -> None:
    """Raises LinkOff where so much, or so little, is lost that ``percent`` is not what the links
    have."""
    if due.low <= lost.lost <= due.high:
        return
    share = 100 * lost.lost / max(1, lost.packets)
    why = "" if percent else "; a queue was too short"
    raise LinkOff(
        f"loss {percent:g} % was asked for, one way, and of {lost.packets:,} packets {lost.lost:,}"
        f" were lost ({share:.3g} %), where {due.low:,} to {due.high:,} are right{why}: what"
        " ran over these links does not count"
    )


@dataclass(frozen=True, slots=True)
class Way:
    """The times that packets took from one host to the next, in milliseconds."""

    fastest: float
    median: float


def one_way(
    sockets: Sequence[socket.socket], delay: float = 0, most: Sequence[float] | None = None
) -> list[Way]:
    """Measure the way from each host to the next. ``delay``, in milliseconds, is about what to
    expect; a packet slower than its ``most`` is given all tries. Raises LinkOff if too few
    arrive."""
    bounds = most or [math.inf] * len(sockets)
    return [
        _way(number, each, sockets[(number + 1) % len(sockets)], delay, bounds[number])
        for number, each in enumerate(sockets)
    ]


def _way(
    number: int, sender: socket.socket, receiver: socket.socket, delay: float, most: float
) -> Way:
    taken: list[float] = []
    to = receiver.getsockname()
    receiver.settimeout(delay / 1e3 + SLACK)
    for turn in range(TRIES):
        word = turn.to_bytes(8, "big")
        start = time.perf_counter_ns()
        sender.sendto(word, to)
        try:
            while receiver.recv(64) != word:
                pass  # One that came after its time.
        except TimeoutError:
            continue
        taken.append((time.perf_counter_ns() - start) / 1e6)
        if len(taken) >= ENOUGH and min(taken) <= most:
            break
    if len(taken) < ENOUGH:
        raise LinkOff(
            f"{len(taken)} of {TRIES} packets from h{number} to the next host arrived within"
            f" {delay + SLACK * 1e3:g} ms; {ENOUGH} are needed to know the delay of a link"
        )
    return Way(min(taken), statistics.median(taken))


def sound(sockets: Sequence[socket.socket], packets: int = SOUNDED) -> None:
    """Send so many packets, as many from each host to the next, which nobody takes: they are there
    to be counted."""
    for number, each in enumerate(sockets):
        to = sockets[(number + 1) % len(sockets)].getsockname()
        for _ in range(-(-packets // len(sockets))):
            each.sendto(bytes(8), to)


def unreached(hosts: Sequence[tuple[int, str]], timeout: float) -> dict[int, tuple[str, str]]:
    """Hosts that some other one cannot reach, by their numbers: the address, and the reason. If
    nobody listens, a refusal has been there and back, for which it has so many seconds."""
    ways = [
        (number, pid, address)
        for number, (pid, own) in enumerate(hosts)
        for _, address in hosts
        if address != own
    ]
    failed: dict[int, tuple[str, str]] = {}
    for start in range(0, len(ways), AT_ONCE):
        for number, address, why in _failing(ways[start : start + AT_ONCE], timeout):
            failed.setdefault(number, (address, why))
    return failed


def _failing(
    ways: Iterable[tuple[int, int, str]], timeout: float
) -> Iterator[tuple[int, str, str]]:
    waiting: dict[socket.socket, tuple[int, str]] = {}
    with contextlib.ExitStack() as stack, selectors.DefaultSelector() as selector:
        for number, pid, address in ways:
            made = stack.enter_context(_inside(pid, socket.socket))
            made.setblocking(False)
            error = made.connect_ex((address, _NOBODY))
            if error not in (0, errno.EINPROGRESS, errno.ECONNREFUSED):
                yield number, address, os.strerror(error)
                continue
            selector.register(made, selectors.EVENT_WRITE)
            waiting[made] = number, address
        deadline = time.monotonic() + timeout
        while waiting and (left := deadline - time.monotonic()) > 0:
            for key, _ in selector.select(left):
                made = cast(socket.socket, key.fileobj)
                selector.unregister(made)
                number, address = waiting.pop(made)
                error = made.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
                if error not in (0, errno.ECONNREFUSED):
                    yield number, address, os.strerror(error)
    for number, address in waiting.values():
        yield number, address, f"no answer in {timeout:g} s"


def opened(hosts: Iterable[tuple[int, str]]) -> list[socket.socket]:
    """A UDP socket at a port of its own in each host, by the id of a process there and its
    address. Raises OSError."""
    return [_inside(pid, functools.partial(_bound, address)) for pid, address in hosts]


def connected(pid: int, place: tuple[str, int], timeout: float) -> socket.socket:
    """A TCP connection from a host, by the id of a process there, to an address and a port. Raises
    OSError, also where it does not stand within so many seconds."""
    return _inside(pid, functools.partial(socket.create_connection, place, timeout))


def hearing(pid: int) -> socket.socket:
    """A socket that is given each IPv4 packet which comes to a host, by the id of a process there.
    Raises OSError."""
    ipv4 = socket.htons(0x0800)
    return _inside(pid, lambda: socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, ipv4))


def _bound(address: str) -> socket.socket:
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.bind((address, 0))
    return made


def _inside(pid: int, do: Callable[[], socket.socket]) -> socket.socket:
    """The socket that ``do`` makes in the network namespace of ``pid``: a thread's own, which ends
    with it."""
    made: list[socket.socket] = []
    failed: list[OSError] = []

    def enter() -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        try:
            with Path(f"/proc/{pid}/ns/net").open("rb") as namespace:
                if libc.setns(namespace.fileno(), _NEWNET) != 0:
                    number = ctypes.get_errno()
                    raise OSError(number, os.strerror(number), f"/proc/{pid}/ns/net")
            made.append(do())
        except OSError as error:
            failed.append(error)

    thread = threading.Thread(target=enter, name="in a host")
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return made[0]


def counted(outputs: Iterable[str]) -> Lost:
    """Reads the counts of netem in every host from ``tc -s -j qdisc show``. Raises LinkOff if they
    cannot be read: an unknown loss is not the one that was asked for."""
    packets = lost = found = 0
    for text in outputs:
        try:
            for qdisc in json.loads(text):
                if qdisc["kind"] == "netem":
                    found += 1
                    lost += _whole(qdisc["drops"])
                    packets += sum(_whole(qdisc[name]) for name in ("packets", "drops", "qlen"))
        except (ValueError, KeyError, TypeError) as error:
            raise LinkOff(f"the harness cannot read what tc says of losses: {error!r}") from None
    if not found:
        raise LinkOff("the links have no netem any more, so what they lost is not known")
    return Lost(packets, lost)


def _whole(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(f"{value!r} is no number of packets")
    return value


def asked_of(prefixes: Iterable[Sequence[str]], command: Sequence[str]) -> list[str]:
    """The output of ``command`` in each host. Raises LinkOff if it fails there."""
    said = []
    for prefix in prefixes:
        done = subprocess.run([*prefix, *command], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise LinkOff(f"`{' '.join(command)}` in a host: {done.stderr.strip() or 'failed'}")
        said.append(done.stdout)
    return said
