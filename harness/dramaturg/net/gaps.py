"""A gap in the way from one host to another: for a while nothing that it sends arrives there.

The host's table of neighbours is given a hardware address for the other at which nobody is: that of
the host itself, so that the bridge sends the packets nowhere. That takes no netem and no netfilter.
Connections stand, and what is lost meanwhile TCP sends again. The other way is open, as far as TCP
goes on without being answered.
"""

import contextlib
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from dramaturg.net import links
from dramaturg.net.unavailable import NetworkUnavailable
from dramaturg.processes import interrupts


class Place(Protocol):
    """A host of a network."""

    @property
    def address(self) -> str: ...

    @property
    def prefix(self) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True)
class _Way:
    """As it is without a gap."""

    prefix: tuple[str, ...]
    device: str
    address: str
    hardware: str
    own: str

    def set(self, hardware: str) -> None:
        """Raises links.LinkOff."""
        change = ("ip", "neigh", "replace", self.address, "lladdr", hardware, "dev", self.device)
        links.asked_of([self.prefix], (*change, "nud", "permanent"))


@contextlib.contextmanager
def between(one: Place, other: Place, seconds: float) -> Iterator[None]:
    """Block the way from the one host to the other for so many seconds, or as long as it is entered
    if that is shorter. Raises NetworkUnavailable for hosts with one address, which have no link
    between them, and links.LinkOff where the table cannot be written."""
    if one.address == other.address:
        raise NetworkUnavailable("a gap needs hosts with a link of their own (Mininet)")
    way = _way(one, other)

    def close() -> None:
        way.set(way.hardware)

    timer = threading.Timer(seconds, close)
    try:
        way.set(way.own)
        timer.start()
        yield
    finally:
        with interrupts.held():
            timer.cancel()
            # Whatever the timer has done: to close it twice is no harm.
            close()


def _way(one: Place, other: Place) -> _Way:
    (said,) = links.asked_of([one.prefix], ("ip", "-j", "neigh", "show", "to", other.address))
    entry = json.loads(said)[0]
    (shown,) = links.asked_of([one.prefix], ("ip", "-j", "link", "show", "dev", entry["dev"]))
    own = json.loads(shown)[0]["address"]
    return _Way(one.prefix, entry["dev"], other.address, entry["lladdr"], own)
