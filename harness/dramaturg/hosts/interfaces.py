"""The interfaces of a host's nodes: an address, and the interface that has it."""

import ipaddress
import os
import socket
from collections.abc import Iterator
from dataclasses import dataclass

import psutil

from dramaturg.net import link_counters
from dramaturg.net.link_counters import SYS, End


class NoSuchAddress(Exception):
    """This host has no such address or interface; the text says what it has."""


@dataclass(frozen=True, slots=True)
class Interface:
    """One of this host's, by an address of it."""

    name: str
    address: str

    @property
    def is_counted(self) -> bool:
        """True if its counters say what this host alone sends and receives."""
        return not ipaddress.ip_address(self.address).is_loopback

    @property
    def is_down(self) -> bool:
        return link_counters.is_down(self.name)

    def crossed(self) -> End:
        """So far. Raises OSError."""
        folder = SYS / self.name / "statistics"
        of = ("tx_bytes", "tx_packets", "rx_bytes", "rx_packets")
        return End(*(int((folder / name).read_text()) for name in of))


def found(interface: str | None, address: str | None) -> Interface:
    """Find it by its name, or by an address; by that to which ssh came if neither is given. Raises
    NoSuchAddress."""
    there = _addresses()
    if interface is not None:
        for name, each in there:
            if name == interface and (address is None or each == address):
                return Interface(_device(name), each)
        known = ", ".join(dict.fromkeys(name for name, _ in there))
        raise NoSuchAddress(f"there is no interface {interface!r} with an address; it has: {known}")
    wanted = address or _ssh_address()
    if wanted is None:
        raise NoSuchAddress("nobody said which address its nodes are at; name one, or an interface")
    for name, each in there:
        if each == wanted:
            return Interface(_device(name), each)
    known = ", ".join(each for _, each in there)
    raise NoSuchAddress(f"it has no address {wanted}; it has: {known}")


def carries_control(of: Interface) -> bool:
    """True if control reaches the agent of this host by this interface too, as far as anybody can
    tell: if ssh says to which address it came, that has to be another interface's."""
    came_to = _ssh_address()
    if came_to is None:
        return True
    came_by = {_device(name) for name, each in _addresses(of_links=True) if each == came_to}
    return not came_by or any(of.name in _with_lower(name) for name in came_by)


def _device(name: str) -> str:
    """Return the interface of a name that an address has: it may be a label, as ``eth0:1``."""
    return name.partition(":")[0]


def _with_lower(name: str) -> Iterator[str]:
    """Yield an interface and those below it, which all that crosses it crosses too: of a VLAN, a
    bridge, a bond."""
    yield name
    for each in (SYS / name).glob("lower_*"):
        yield from _with_lower(each.name.removeprefix("lower_"))


def _ssh_address() -> str | None:
    fields = os.environ.get("SSH_CONNECTION", "").split()
    return fields[2] if len(fields) == 4 else None


def _addresses(*, of_links: bool = False) -> list[tuple[str, str]]:
    """Return the addresses of all interfaces; with ``of_links`` also those that are of one link
    alone."""
    return [
        (name, each.address)
        for name, some in psutil.net_if_addrs().items()
        for each in some
        if each.family in (socket.AF_INET, socket.AF_INET6)
        and (of_links or "%" not in each.address)
    ]
