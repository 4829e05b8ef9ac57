"""The traffic from each node to each other one (spec/measurements.md, MEAS-61).

The counters of a link hold all nodes at its other end together, and say nothing of headers. So at
the switch's end of each link a program of the kernel's (eBPF, bpf(2)) reads the address and the
headers of a frame, and adds its length and that of its payload to the numbers of that way. It is
the filter of a packet socket that lets nothing through, so no frame is copied, held up or changed.
The numbers lie in memory that is mapped: a look takes microseconds.
"""

import contextlib
import ctypes
import errno
import mmap
import os
import platform
import socket
import struct
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dramaturg.errors import HarnessFault


class PairsUncounted(HarnessFault):
    """This kernel does not count what goes from one node to another; says why."""


@dataclass(frozen=True, slots=True)
class Way:
    """Traffic from one node to another: Ethernet frames and all that is in them."""

    bytes: int = 0
    packets: int = 0
    payload: int = 0
    """Bytes of these behind the headers of Ethernet, IPv4, and TCP or UDP, with their options. A
    frame of another protocol than IPv4 has none, as one of ARP; behind the header of IPv4 any other
    transport than these two counts as a whole."""

    def since(self, before: "Way") -> "Way":
        """Return the traffic after that look."""
        return Way(
            self.bytes - before.bytes,
            self.packets - before.packets,
            self.payload - before.payload,
        )

    def __add__(self, other: "Way") -> "Way":
        return Way(
            self.bytes + other.bytes,
            self.packets + other.packets,
            self.payload + other.payload,
        )


Ways = tuple[tuple[Way, ...], ...]
"""Traffic from each node to each, in their order; to itself nothing goes."""


def since(now: Ways, before: Ways) -> Ways:
    """Return the traffic each way between two looks."""
    return tuple(
        tuple(way.since(earlier) for way, earlier in zip(*both, strict=True))
        for both in zip(now, before, strict=True)
    )


class PairCounters:
    """The counters of all ordered pairs of a network. Close it."""

    def __init__(self, ends: Sequence[str], hardware: Sequence[str]) -> None:
        """``ends``: the switch's interfaces, one for each host; ``hardware``: the hosts' own
        addresses, in the same order. Raises PairsUncounted."""
        self._hosts = len(ends)
        addresses = [_low_half(each) for each in hardware]
        if len(set(addresses)) != len(addresses):
            raise PairsUncounted("two hosts have hardware addresses that end alike")
        with contextlib.ExitStack() as stack:
            try:
                counts = _Map(self._hosts**2)
                stack.callback(counts.close)
                for source, end in enumerate(ends):
                    program = _load(_counting(source, addresses, counts.file))
                    stack.callback(os.close, program)
                    tap = stack.enter_context(socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0))
                    with contextlib.suppress(OSError):
                        # Its own test is what decides; this spares a look at what leaves.
                        tap.setsockopt(_SOL_PACKET, _IGNORE_OUTGOING, 1)
                    tap.setsockopt(socket.SOL_SOCKET, _ATTACH_BPF, program)
                    tap.bind((end, _EVERY_PROTOCOL))
            except OSError as error:
                said = error.strerror or str(error)
                raise PairsUncounted(f"the kernel takes no program that counts: {said}") from None
            self._counts = counts
            self._open = stack.pop_all()

    def look(self) -> Ways:
        """So far."""
        n = self._hosts
        counted = self._counts.read().tolist()
        return tuple(tuple(Way(*counted[s * n + r]) for r in range(n)) for s in range(n))

    def close(self) -> None:
        """Take the programs away."""
        self._open.close()


# --- bpf(2), as linux/bpf.h has it ---

_CALL = {"x86_64": 321, "aarch64": 280, "riscv64": 280, "ppc64le": 361, "s390x": 351}
_MAP_CREATE, _PROG_LOAD = 0, 5
_ARRAY, _SOCKET_FILTER = 2, 1
_MMAPABLE = 1 << 10
_SOL_PACKET, _IGNORE_OUTGOING, _ATTACH_BPF = 263, 23, 50
_EVERY_PROTOCOL = 0x0003

_ENTRY = 24
"""Bytes, packets and bytes of payload, 8 bytes each."""

_SENT_BY_US = 4
"""PACKET_OUTGOING: a frame that the switch sends to the host."""

_ETHERNET, _SHORTEST_IPV4 = 14, 20
"""Bytes of these headers."""

_IPV4, _TCP, _UDP = 0x0800, 6, 17

_LICENSE = b"GPL\0"


def _bpf(command: int, attributes: bytes) -> int:
    number = _CALL.get(platform.machine())
    if number is None:
        raise OSError(errno.ENOSYS, f"bpf(2) has no number here for {platform.machine()}")
    libc = ctypes.CDLL(None, use_errno=True)
    buffer = ctypes.create_string_buffer(attributes.ljust(144, b"\0"), 144)
    file = int(libc.syscall(ctypes.c_long(number), command, buffer, len(buffer)))
    if file < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return file


class _Map:
    """An array of the kernel's, mapped for reading."""

    def __init__(self, entries: int) -> None:
        self.file = _bpf(_MAP_CREATE, struct.pack("=5I", _ARRAY, 4, _ENTRY, entries, _MMAPABLE))
        try:
            size = -(-entries * _ENTRY // mmap.PAGESIZE) * mmap.PAGESIZE
            self._memory = mmap.mmap(self.file, size, prot=mmap.PROT_READ)
        except OSError:
            os.close(self.file)
            raise
        self._entries = entries

    def read(self) -> "np.ndarray[tuple[int, int], np.dtype[np.uint64]]":
        counted = np.frombuffer(self._memory[: self._entries * _ENTRY], dtype="=u8")
        return counted.reshape(self._entries, _ENTRY // 8)

    def close(self) -> None:
        self._memory.close()
        os.close(self.file)


def _load(program: bytes) -> int:
    """Raises OSError."""
    code = ctypes.create_string_buffer(program, len(program))
    license_ = ctypes.create_string_buffer(_LICENSE)
    instructions = len(program) // 8
    return _bpf(
        _PROG_LOAD,
        struct.pack(
            "=2I2Q", _SOCKET_FILTER, instructions, ctypes.addressof(code),
            ctypes.addressof(license_),
        ),
    )  # fmt: skip


def _low_half(hardware: str) -> int:
    """The last four bytes of an Ethernet address, which a program compares at once."""
    return int.from_bytes(bytes.fromhex(hardware.replace(":", ""))[2:], "big")


# --- the program: r6 = the frame, r7 = its entry of the map, r8 = its payload ---


@dataclass(frozen=True, slots=True)
class _Jump:
    """A jump forward to a place of the program, which stands in it as a string."""

    code: int
    to: str
    dst: int = 0
    imm: int = 0


_Line = bytes | _Jump | str


def _counting(source: int, addresses: Sequence[int], file: int) -> bytes:
    """A program for what comes from host ``source``: by where a frame goes it adds to an entry of
    the map, and lets nothing through."""
    lines: list[_Line] = [
        _op(0xBF, 6, 1),
        _op(0x61, 2, 1, 4),  # r2 = frame.pkt_type
        _Jump(0x15, "end", 2, _SENT_BY_US),
        _op(0x20, imm=2),  # r0 = the last four bytes of where it goes
        _op(0xB4, 7, imm=-1),  # no entry
    ]
    for receiver, address in enumerate(addresses):
        if receiver != source:
            lines += [
                _op(0xB4, 1, imm=address),  # r1 = an address, as 32 bits
                _op(0x5D, 0, 1, 1),  # the next one is left out, if it is another
                _op(0xB4, 7, imm=source * len(addresses) + receiver),
            ]
    lines += _payload()
    lines += [
        _op(0x63, 10, 7, -4),  # on the stack: r7, which entry
        _op(0x18, 1, 1, imm=file),  # r1 = the map
        _op(0),
        _op(0xBF, 2, 10),  # r2 = where the entry's number is
        _op(0x07, 2, imm=-4),
        _op(0x85, imm=1),  # r0 = where the entry is
        _Jump(0x15, "end", 0, 0),  # there is none
        _op(0x61, 1, 6, 0),  # r1 = frame.len
        _op(0xDB, 0, 1, 0),  # bytes += r1, atomically
        _op(0xDB, 0, 8, 16),  # payload += r8, atomically
        _op(0xB7, 1, imm=1),
        _op(0xDB, 0, 1, 8),  # packets += 1, atomically, and last: it has been counted
        "end",
        _op(0xB7, 0, imm=0),  # nothing goes through
        _op(0x95),
    ]
    return _assembled(lines)


def _payload() -> list[_Line]:
    """Return the instructions that put the payload of r6 into r8, in bytes. A read behind the end
    of a frame would end the program, and the frame would not be counted, so lengths are compared
    before. The length of the frame itself counts, and not the one in its IPv4 header: a frame that
    is yet to be cut has 0 there, or less than it has."""
    return [
        _op(0xB7, 8, imm=0),
        _op(0x61, 9, 6, 0),  # r9 = frame.len
        _Jump(0xA5, "known", 9, _ETHERNET + _SHORTEST_IPV4),  # it is shorter
        _op(0x28, imm=12),  # r0 = its protocol
        _Jump(0x55, "known", 0, _IPV4),  # another one
        _op(0xBF, 8, 9),
        _op(0x30, imm=_ETHERNET),  # r0 = version and length of the header, in words
        _op(0x57, 0, imm=0x0F),
        _op(0x67, 0, imm=2),
        _op(0x07, 0, imm=_ETHERNET),
        _op(0xBF, 9, 0),  # r9 = where the header of the transport is
        _op(0x1F, 8, 9),  # r8 = the bytes from there on
        _op(0x28, imm=_ETHERNET + 6),  # r0 = flags, and where a fragment belongs
        _op(0x57, 0, imm=0x1FFF),
        _Jump(0x55, "all headers", 0, 0),  # it is not the first, so it has no header of a transport
        _op(0x30, imm=_ETHERNET + 9),  # r0 = the transport
        _Jump(0x15, "UDP", 0, _UDP),
        _Jump(0x55, "all headers", 0, _TCP),  # another one
        _Jump(0xC5, "no payload", 8, 13),  # its length is not there
        _op(0x50, 0, 9, imm=12),  # r0 = its length in words, four bits on the left
        _op(0x77, 0, imm=2),
        _op(0x57, 0, imm=0x3C),
        _op(0x1F, 8, 0),
        _Jump(0x05, "all headers"),
        "UDP",
        _op(0x17, 8, imm=8),
        "all headers",
        _Jump(0x75, "known", 8, 0),  # it is not negative
        "no payload",
        _op(0xB7, 8, imm=0),
        "known",
    ]


def _assembled(lines: Sequence[_Line]) -> bytes:
    places: dict[str, int] = {}
    operations: list[bytes | _Jump] = []
    for line in lines:
        if isinstance(line, str):
            places[line] = len(operations)
        else:
            operations.append(line)
    return b"".join(
        _op(each.code, each.dst, off=places[each.to] - at - 1, imm=each.imm)
        if isinstance(each, _Jump)
        else each
        for at, each in enumerate(operations)
    )


def _op(code: int, dst: int = 0, src: int = 0, off: int = 0, imm: int = 0) -> bytes:
    """An instruction: what, two registers, an offset, a number."""
    return struct.pack("=BBhI", code, src << 4 | dst, off, imm & 0xFFFF_FFFF)
