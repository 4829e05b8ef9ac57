"""The words of one host to another one are read off the packets that came (net/overheard.py)."""

import contextlib
import itertools
import socket
import threading
from collections.abc import Iterable

import pytest

from dramaturg.net import links, overheard
from dramaturg.net.overheard import Said, connections

PORT = 20_000

SYN, ACK = 0x02, 0x10


def packet(
    number: int,
    words: bytes = b"",
    flags: int = ACK,
    source: str = "10.0.0.1",
    ports: tuple[int, int] = (40_000, PORT),
    padding: bytes = b"",
) -> bytes:
    """An IPv4 packet with TCP in it, with options in either header."""
    ip = bytes([0x46, 0]) + (24 + 24 + len(words)).to_bytes(2, "big") + bytes(4)
    ip += bytes([64, 6, 0, 0]) + socket.inet_aton(source) + socket.inet_aton("10.0.0.2") + bytes(4)
    tcp = b"".join(port.to_bytes(2, "big") for port in ports)
    tcp += (number % (1 << 32)).to_bytes(4, "big") + bytes(4) + bytes([6 << 4, flags])
    return ip + tcp + bytes(6) + bytes(4) + words + padding


def test_words_are_in_order_however_they_came() -> None:
    for first in (7, (1 << 32) - 3):
        begin = packet(first, flags=SYN)
        pieces = [
            packet(first + 1, b"we ", padding=bytes(6)),
            packet(first + 4, b"know "),
            packet(first + 9, b"you"),
            packet(first + 4, b"know y"),
        ]
        for order in itertools.permutations(pieces):
            assert connections([begin, *order], PORT) == [Said("10.0.0.1", b"we know you")]


def test_what_is_missing_ends_the_words_and_what_began_before_is_left_out() -> None:
    begin = packet(0, flags=SYN)
    assert connections([begin, packet(1, b"a"), packet(3, b"c")], PORT) == [Said("10.0.0.1", b"a")]
    assert connections([packet(1, b"a")], PORT) == []
    assert connections([begin], PORT) == []


def test_connections_are_told_apart_and_other_packets_left_out() -> None:
    one = [packet(0, flags=SYN), packet(1, b"one")]
    again = [packet(500, flags=SYN), packet(500, flags=SYN), packet(501, b"again")]
    other = [
        packet(0, flags=SYN, source="10.0.0.3"),
        packet(1, b"other", source="10.0.0.3"),
    ]
    elsewhere = [
        packet(0, flags=SYN, ports=(40_000, PORT + 1)),
        packet(1, b"elsewhere", ports=(40_000, PORT + 1)),
    ]
    answers = packet(9, b"answer", flags=SYN | ACK, ports=(41_000, PORT))
    no_tcp = bytes([0x45]) + bytes(8) + bytes([17]) + bytes(40)
    mixed: Iterable[bytes] = [b"", no_tcp, answers, *other, *elsewhere, *one, *again]
    assert connections(mixed, PORT) == [
        Said("10.0.0.3", b"other"),
        Said("10.0.0.1", b"one"),
        Said("10.0.0.1", b"again"),
    ]


def test_what_comes_to_a_host_is_kept_while_somebody_listens(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    monkeypatch.setattr(links, "hearing", lambda pid: far)
    with near, overheard.at_host(4) as heard:
        near.send(packet(0, flags=SYN))
        near.send(packet(1, b"hello"))
    assert heard.said_to(PORT) == [Said("10.0.0.1", b"hello")]
    assert "overhears" not in [thread.name for thread in threading.enumerate()]
    assert far.fileno() == -1


def test_listening_ends_though_somebody_goes_on_speaking(monkeypatch: pytest.MonkeyPatch) -> None:
    near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    monkeypatch.setattr(links, "hearing", lambda pid: far)
    monkeypatch.setattr(overheard, "_LATER", 0.2)
    speaking = threading.Event()

    def speak() -> None:
        with contextlib.suppress(OSError):
            while not speaking.wait(0.005):
                near.send(b"still here")

    thread = threading.Thread(target=speak)
    with overheard.at_host(4):
        thread.start()
    speaking.set()
    thread.join()
    near.close()
