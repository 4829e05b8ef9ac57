"""The traffic on the emulated links, by the kernel's own counters (spec/measurements.md, MEAS-52).

Each host has one link, to the switch, and the switch's end is outside of all hosts: its counters
are read there, through files that stay open, so that a look takes microseconds and nobody in a
host has to run for it. A frame that has arrived at the other node had left its host before, so a
look behind the end of a run misses none.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dramaturg.net.links import LinkOff

SYS = Path("/sys/class/net")

_FILES = ("rx_bytes", "rx_packets", "tx_bytes", "tx_packets")
"""The counters of the switch's end: it receives what a host has sent, and the other way round."""


@dataclass(frozen=True, slots=True)
class End:
    """The traffic on the link of one host, Ethernet frames and all that is in them."""

    sent_bytes: int = 0
    sent_packets: int = 0
    received_bytes: int = 0
    received_packets: int = 0
    control_bytes: int = 0
    """Bytes of control, either way, which crossed the same interface and are not in the others."""

    def since(self, before: "End") -> "End":
        """Return what crossed it after that look."""
        return End(
            self.sent_bytes - before.sent_bytes,
            self.sent_packets - before.sent_packets,
            self.received_bytes - before.received_bytes,
            self.received_packets - before.received_packets,
            self.control_bytes - before.control_bytes,
        )


Wire = tuple[End, ...]
"""Each host's, in the order of the nodes."""


def is_down(end: str, folder: Path = SYS) -> bool:
    """True if the kernel says that a link carries nothing, by its end at the switch: because either
    end was set down, or is gone."""
    try:
        state = (folder / end / "operstate").read_text().strip()
    except OSError:
        return True
    return state in ("down", "lowerlayerdown", "notpresent")


def since(now: Wire, before: Wire) -> Wire:
    """The traffic on each link between two looks."""
    return tuple(end.since(earlier) for end, earlier in zip(now, before, strict=True))


class Counters:
    """The counters of the links of a network. Close it."""

    def __init__(self, ends: Sequence[str], folder: Path = SYS) -> None:
        """``ends``: the names of the switch's interfaces, one for each host. Raises LinkOff."""
        self._open: list[int] = []
        try:
            for end in ends:
                for name in _FILES:
                    file = folder / end / "statistics" / name
                    self._open.append(os.open(file, os.O_RDONLY | os.O_CLOEXEC))
        except OSError as error:
            self.close()
            raise LinkOff(f"{error.filename}: {error.strerror}: its link has no counters") from None

    def look(self) -> Wire:
        """So far. Raises LinkOff: what is not known is not nothing."""
        try:
            counted = [int(os.pread(file, 32, 0)) for file in self._open]
        except (OSError, ValueError) as error:
            raise LinkOff(f"the counters of a link cannot be read: {error}") from None
        each = len(_FILES)
        return tuple(End(*counted[at : at + each]) for at in range(0, len(counted), each))

    def close(self) -> None:
        """Let go of the files."""
        while self._open:
            os.close(self._open.pop())
