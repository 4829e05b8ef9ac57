"""Bytes that one host said to another one over TCP, from the packets that came to it.

Peers are not told of any other port for that, as they would be of a relay: some runtimes take no
connection that names a place which is not their own.
"""

import contextlib
import socket
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from dramaturg.net import links

MOST = 1 << 24
"""Bytes of packets that are kept of one host; later ones are not."""

_LOOK = 0.05
"""Seconds until whoever listens sees that it is over."""

_LATER = 1.0
"""Seconds after that in which packets that have come are taken: somebody may go on speaking."""

_SYN, _ACK = 0x02, 0x10
_TCP, _NUMBERS = 6, 1 << 32


@dataclass(frozen=True, slots=True)
class Said:
    """All that came over one connection, towards the port that it was made to."""

    source: str
    """The address of the host that made it."""
    words: bytes


@dataclass
class Packets:
    """The IPv4 packets that came to a host."""

    kept: list[bytes] = field(default_factory=list)

    def said_to(self, port: int) -> list[Said]:
        """Return what was said to a port, by connection, in the order in which these were made."""
        return connections(self.kept, port)


@contextlib.contextmanager
def at_host(pid: int) -> Iterator[Packets]:
    """Keep what comes to a host, by the id of a process there. Raises OSError."""
    heard, over = Packets(), threading.Event()
    with links.hearing(pid) as hearing:
        hearing.settimeout(_LOOK)
        thread = threading.Thread(target=_keep, args=(hearing, heard, over), name="overhears")
        thread.start()
        try:
            yield heard
        finally:
            over.set()
            thread.join()


def _keep(hearing: socket.socket, heard: Packets, over: threading.Event) -> None:
    left, until = MOST, 0.0
    while left > 0:
        if over.is_set():
            until = until or time.monotonic() + _LATER
            if time.monotonic() > until:
                return
        try:
            packet = hearing.recv(1 << 17)
        except TimeoutError:
            if over.is_set():
                return
            continue
        heard.kept.append(packet)
        left -= len(packet)


@dataclass(slots=True)
class _Stream:
    """One direction of a connection."""

    source: str
    first: int
    """The sequence number of its first byte."""
    pieces: dict[int, bytes] = field(default_factory=dict)
    """By their places in the stream; some may have come more than once."""

    def words(self) -> bytes:
        """All bytes before the first one that is missing."""
        whole = bytearray()
        for place, piece in sorted(self.pieces.items()):
            if place > len(whole):
                break
            whole += piece[len(whole) - place :]
        return bytes(whole)


def connections(packets: Iterable[bytes], port: int) -> list[Said]:
    """Return what was said to a port, by connection, in the order in which these were made; none
    that said nothing. A connection counts if its first packet is among these."""
    streams: list[_Stream] = []
    latest: dict[tuple[str, int], _Stream] = {}
    for packet in packets:
        if len(packet) < 40 or packet[0] >> 4 != 4 or packet[9] != _TCP:
            continue
        tcp = 4 * (packet[0] & 15)
        end = int.from_bytes(packet[2:4], "big")
        if int.from_bytes(packet[tcp + 2 : tcp + 4], "big") != port:
            continue
        source = socket.inet_ntoa(packet[12:16])
        key = source, int.from_bytes(packet[tcp : tcp + 2], "big")
        number, flags = int.from_bytes(packet[tcp + 4 : tcp + 8], "big"), packet[tcp + 13]
        if flags & _SYN and not flags & _ACK:
            first = (number + 1) % _NUMBERS
            if key not in latest or latest[key].first != first:
                latest[key] = _Stream(source, first)
                streams.append(latest[key])
        elif stream := latest.get(key):
            payload = packet[tcp + 4 * (packet[tcp + 12] >> 4) : end]
            place = (number - stream.first) % _NUMBERS
            if len(payload) > len(stream.pieces.get(place, b"")):
                stream.pieces[place] = payload
    return [Said(each.source, words) for each in streams if (words := each.words())]
