"""Links between hosts, measured before anything is timed: round trip, loss, bandwidth.

Both ends of each measurement are read on one host: no two clocks are compared.
"""

import contextlib
import socket
import statistics
import threading
import time
from dataclasses import asdict, dataclass
from typing import Any

from dramaturg.net import links

PINGS, WITHIN = 100, 0.25
"""Packets there and back, one after the other, and seconds after which one is lost."""

MOST = 4.0
"""Seconds for all of these: a link that loses much is known to by then."""

FILL = 0.4
"""Seconds in which as much is sent as goes through."""

_CONNECTED = 5.0
"""Seconds until a connection is there."""

_THROUGH = 30.0
"""Seconds until what waits in buffers is through: a slow link has much in them."""

_PIECE = bytes(65536)


class Unreached(Exception):
    """Nothing comes through; the text says what was tried."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Measurements of one link, there and back."""

    fastest_ms: float
    median_ms: float
    """Median time of round trips, in milliseconds."""
    packets: int
    lost: int
    mbit: float
    """Megabits per second of a TCP connection, one way, up to the moment at which the other end
    said that it had all of it."""

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


class Echo:
    """An echo at an address of this host: it sends UDP packets back, and answers a TCP connection
    with the number of bytes that came. Close it."""

    def __init__(self, address: str) -> None:
        """Raises OSError."""
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        self._sockets: list[socket.socket] = []
        try:
            for kind in (socket.SOCK_DGRAM, socket.SOCK_STREAM):
                each = socket.socket(family, kind)
                self._sockets.append(each)
                each.bind((address, 0))
        except OSError:
            self.close()
            raise
        packets, connections = self._sockets
        connections.listen()
        self.udp, self.tcp = packets.getsockname()[1], connections.getsockname()[1]
        threading.Thread(target=self._send_back, args=(packets,), daemon=True).start()
        threading.Thread(target=self._take, args=(connections,), daemon=True).start()

    def close(self) -> None:
        """Nothing answers any more."""
        for each in self._sockets:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    @staticmethod
    def _send_back(packets: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                said, whence = packets.recvfrom(64)
                if not said:
                    return
                packets.sendto(said, whence)

    @staticmethod
    def _take(connections: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                one, _ = connections.accept()
                with one, contextlib.suppress(OSError):
                    one.settimeout(_THROUGH)
                    many = 0
                    while piece := one.recv(1 << 20):
                        many += len(piece)
                    one.sendall(b"%d" % many)


def measure(whence: str, address: str, udp: int, tcp: int) -> Seen:
    """Measure a link from ``whence``, an address of this host, to an Echo. Raises Unreached."""
    try:
        trips, packets = _pings(whence, address, udp)
        rate = _filled(whence, address, tcp)
    except OSError as error:
        raise Unreached(f"from {whence} to {address}: {error.strerror or error}") from None
    if len(trips) < links.ENOUGH:
        raise Unreached(
            f"from {whence} to {address}: {len(trips)} of {packets} packets came back; a firewall"
            " between the hosts has to let them speak to each other"
        )
    return Seen(
        round(min(trips), 4), round(statistics.median(trips), 4), packets, packets - len(trips),
        round(rate, 1),
    )  # fmt: skip


def _pings(whence: str, address: str, port: int) -> tuple[list[float], int]:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    taken: list[float] = []
    deadline, packets = time.monotonic() + MOST, 0
    with socket.socket(family, socket.SOCK_DGRAM) as way:
        way.bind((whence, 0))
        way.connect((address, port))
        way.settimeout(WITHIN)
        while packets < PINGS and time.monotonic() < deadline:
            packets += 1
            word = packets.to_bytes(8, "big")
            start = time.perf_counter_ns()
            try:
                way.send(word)
                while way.recv(64) != word:
                    pass  # One that came after its time.
            except TimeoutError:
                continue
            taken.append((time.perf_counter_ns() - start) / 1e6)
    return taken, packets


def _filled(whence: str, address: str, port: int) -> float:
    """Mbit/s."""
    own = (whence, 0)
    with socket.create_connection((address, port), _CONNECTED, source_address=own) as way:
        way.settimeout(_THROUGH)
        begun = time.perf_counter()
        while time.perf_counter() - begun < FILL:
            way.sendall(_PIECE)
        way.shutdown(socket.SHUT_WR)
        many = int(way.recv(64) or b"0")
        return many * 8 / 1e6 / (time.perf_counter() - begun)


def free_port(address: str) -> int:
    """One at which nobody listens there now. Raises OSError."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as trial:
        trial.bind((address, 0))
        return int(trial.getsockname()[1])
