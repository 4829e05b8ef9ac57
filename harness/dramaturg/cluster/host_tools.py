"""The toolchains that each host has: asked once, by sending the question there."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from dramaturg.cluster import sent_sources
from dramaturg.cluster.reached import Ended, Job, Reached
from dramaturg.cluster.sent_sources import Sent
from dramaturg.cluster.worker_hosts import Host
from dramaturg.errors import ControlError
from dramaturg.implementation import toolchain
from dramaturg.implementation.manifest import Implementation

_FUNCTION = f"{__name__}:asked"


@dataclass
class Tools:
    """The tools that one host has for one implementation."""

    versions: dict[str, str | None] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    @property
    def usable(self) -> bool:
        """True if it can be built and run there."""
        return not self.problems


Everywhere = dict[str, dict[str, Tools]]
"""Tools by the implementation's name, then by the host's."""


def ask(
    reached: Reached,
    implementations: Sequence[Implementation],
    notice: Callable[[str], None] = lambda said: None,
) -> Everywhere:
    """Asks each host for its tools for each of these. Raises ManifestError and ClusterLost."""
    found: Everywhere = {
        each.name: {host.name: Tools(problems=["it was not asked"]) for host in reached.hosts}
        for each in implementations
    }
    if not implementations:
        return found
    jobs = []
    for host in reached.hosts:
        sent = {
            each.name: sent_sources.of(each, whole=not host.shares).model_dump()
            for each in implementations
        }
        jobs.append(Job(_FUNCTION, {"implementations": sent}, [host]))
    for event in reached.perform(jobs, notice):
        if isinstance(event, Ended):
            _enter(found, reached.hosts[event.job], event)
    return found


def _enter(found: Everywhere, host: Host, event: Ended) -> None:
    for name, hosts in found.items():
        if event.returned is None:
            hosts[host.name] = Tools(problems=[event.why])
        else:
            hosts[host.name] = Tools(**event.returned[name])


def asked(given: dict[str, Any], tell: Callable[[Any], None]) -> dict[str, Any]:
    """On the host."""
    shares = bool(given["shares"])
    return {
        name: _probed(Sent.model_validate(sent), shares)
        for name, sent in given["implementations"].items()
    }


def _probed(sent: Sent, shares: bool) -> dict[str, Any]:
    try:
        findings = toolchain.probe(sent.found(shares))
    except (ControlError, OSError) as error:
        return {"versions": {}, "problems": [str(error)]}
    return {
        "versions": {finding.tool: finding.version for finding in findings},
        "problems": [finding.problem for finding in findings if finding.problem],
    }
