"""Hosts on which nodes are, in the place of an emulated network: what a runner asks of them."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from dramaturg.control.session import Session
from dramaturg.implementation.manifest import Implementation
from dramaturg.net.topology import Link, Network
from dramaturg.records import LinksRecord


class Elsewhere(Protocol):
    """Hosts for nodes, the first of which is this one."""

    def cores(self, nodes: int, each: int) -> int:
        """Number of cores that so many nodes have together: ``each`` of its host, or all of them if
        it is 0."""

    def network(self, nodes: int, link: Link) -> AbstractContextManager[Network]:
        """So many nodes, with this bandwidth. Raises NetworkUnavailable."""

    def links(self, link: Link) -> LinksRecord:
        """As they were measured, with the bandwidth of ``link``."""

    def unlimited(self, nodes: int) -> list[str]:
        """The hosts of so many nodes whose links have lost the bandwidth that they had."""

    def cores_of(self, node: int, nodes: int) -> Sequence[int]:
        """The cores that a node has for itself; none if it has its host's."""

    def start(
        self,
        node: int,
        implementation: Implementation,
        *,
        environment: Mapping[str, str],
        cores: Sequence[int],
        stderr: Path,
    ) -> AbstractContextManager[Session] | None:
        """A node of another host; None for one that is to be started here."""
