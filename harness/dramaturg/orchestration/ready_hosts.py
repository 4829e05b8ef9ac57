"""The hosts of ``bench --hosts`` before anything is timed: what they are, what cannot be, the
builds that they are given, and the links between them."""

import functools
import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from dramaturg.cluster import host_facts
from dramaturg.errors import ClusterError
from dramaturg.hosts import sent_builds
from dramaturg.hosts.asked_hosts import Asked
from dramaturg.hosts.real_network import HostOf
from dramaturg.hosts.started_agents import Agents, Started
from dramaturg.implementation import variables
from dramaturg.implementation.manifest import Implementation
from dramaturg.machine.floors import Cost
from dramaturg.records import LinksRecord
from dramaturg.timing.running.readiness import Readiness

_OVER = 1.25
"""A link that was limited may seem to carry so many times its bandwidth: it may send a burst at
first."""

_BUILD = 600.0
"""Seconds in which a build has come and its tools have said their versions."""


@dataclass
class Ready:
    """The facts of the hosts of a run."""

    asked: Asked
    implementations: Mapping[str, Implementation]
    agents: Agents
    notice: Callable[[str], None]
    facts: list[dict[str, Any]] = field(default_factory=list)
    """A description of each host."""
    places: list[dict[str, Any]] = field(default_factory=list)
    """The places of its nodes."""

    def ask_facts(self) -> None:
        """Ask all hosts for their facts, and refuse impossible ones."""
        agents = self.agents.all
        if not agents:
            raise ClusterError(f"--hosts {self.asked.text}: there are no hosts")
        sent: dict[str, str] = {}
        for implementation in self.implementations.values():
            sent |= variables.named(implementation)
        self.facts = _all(agents, [{"op": "facts", "variables": sent}] * len(agents), 90.0)
        _refuse_different(agents, self.facts)
        self._refuse_one()
        asked = []
        for each in agents:
            of = each.of_file
            asked.append({"op": "place", "interface": of and of.interface, "address": each.address})
        self.places = _all(agents, asked)
        self._refuse_few_cores()

    def _refuse_one(self) -> None:
        """Two hosts that are one machine share its cores: that has to be meant."""
        first: dict[str, Started] = {}
        for each, facts in zip(self.agents.all, self.facts, strict=True):
            other = first.setdefault(_machine(facts), each)
            if other is each or self.asked.shared:
                continue
            if not all(one.of_file is not None and one.of_file.shared for one in (each, other)):
                how = (
                    f"slurm:{self.asked.number},shared"
                    if self.asked.scheme == "slurm"
                    else "`shared: true` of both"
                )
                raise ClusterError(
                    f"--hosts {self.asked.text}: {other.name} and {each.name} are one machine, and"
                    f" share its cores; take one of them, or say {how}: then the network is called"
                    " emulated"
                )

    def _refuse_few_cores(self) -> None:
        for each, facts in zip(self.agents.all, self.facts, strict=True):
            nodes = each.of_file.nodes if each.of_file else 1
            there = len(facts["pinned_to"]) or facts["cores"]
            if nodes > there:
                raise ClusterError(
                    f"host {each.name}: {nodes} nodes are to have a part of its cores each, and it"
                    f" has {there}"
                )

    def send_builds(self, those: Mapping[str, Readiness]) -> None:
        """Once to each host that does not have them, and from which tools they would run there."""
        agents = self.agents.all
        for name, found in those.items():
            implementation = self.implementations[name]
            sent = sent_builds.of(implementation, found.built, certified=found.certified)
            said = sent.model_dump()
            have = _all(agents, [{"op": "have", "sent": said}] * len(agents))
            content = b""
            if not all(each["have"] for each in have):
                self.notice(f"{name}: sending its build")
                content = sent_builds.packed(implementation)
            for each, has in zip(agents, have, strict=True):
                self.agents.require()
                mine = b"" if has["have"] else content
                tools = each.one({"op": "build", "sent": said}, mine, _BUILD)["tools"]
                there = tuple(f"{tool} {version}" for tool, version in tools.items())
                if there != found.versions:
                    raise ClusterError(
                        f"host {each.name}: {name} would run on {', '.join(there) or 'no tools'},"
                        f" and was judged on {', '.join(found.versions) or 'none'}; install the"
                        " same there"
                    )

    def links(self) -> LinksRecord:
        """Measure the links from each host to the next one."""
        agents = self.agents.all
        if len(agents) == 1:
            return LinksRecord()
        self.notice("measuring the links")
        echoes = _all(agents, [{"op": "echo"}] * len(agents))
        found = []
        for number, each in enumerate(agents):
            self.agents.require()
            to = (number + 1) % len(agents)
            ports = {key: echoes[to][key] for key in ("udp", "tcp")}
            words = {"op": "measure", "address": self.places[to]["address"], **ports}
            found.append(each.one(words))
        _all(agents, [{"op": "quiet"}] * len(agents))
        return LinksRecord(
            round_trip_ms=[each["fastest_ms"] for each in found],
            median_round_trip_ms=[each["median_ms"] for each in found],
            bandwidth_mbit=[each["mbit"] for each in found],
            pings=[each["packets"] for each in found],
            pings_lost=[each["lost"] for each in found],
        )

    def try_limits(self, bandwidths: Sequence[float | None]) -> dict[float, LinksRecord]:
        """Limit all links to each of these bandwidths once, and measure them. Raises ClusterError:
        a result must not claim a link that is not there."""
        found = {}
        for bandwidth in sorted({each for each in bandwidths if each is not None}):
            self._limit(bandwidth)
            try:
                found[bandwidth] = self.links()
            finally:
                self._limit(None)
            measured = found[bandwidth].bandwidth_mbit
            for each, mbit in zip(self.agents.all, measured, strict=False):
                if mbit > bandwidth * _OVER:
                    raise ClusterError(
                        f"host {each.name}: limited to {bandwidth:g} Mbit/s, its link carried"
                        f" {mbit:g}; something beside tc decides what goes there"
                    )
        return found

    def _limit(self, bandwidth: float | None) -> None:
        agents = self.agents.all
        _all(agents, [{"op": "limit", "bandwidth": bandwidth}] * len(agents))

    def cost(self) -> Cost:
        """The least that anything takes on any of them."""
        all_of = [Cost(**facts["cost"]) for facts in self.facts]
        least = min(all_of, key=lambda cost: cost.nanos)
        return replace(
            least,
            cores=all_of[0].cores,
            handover=min(cost.handover for cost in all_of),
            crossing=min(cost.crossing for cost in all_of),
            byte=min(cost.byte for cost in all_of),
        )

    def hosts(self) -> list[HostOf]:
        return [
            HostOf(
                name=each.name,
                address=place["address"],
                interface=place["interface"],
                counted=place["counted"],
                shared=place["shared"],
                machine=_machine(facts),
                cores=facts["pinned_to"],
                nodes=each.of_file.nodes if each.of_file else 1,
            )
            for each, facts, place in zip(self.agents.all, self.facts, self.places, strict=True)
        ]

    def described(self) -> list[dict[str, Any]]:
        """The hosts, as results keep them."""
        own = ("cores", "cpu", "memory", "quota", "kernel", "architecture", "python_whole")
        return [
            {"name": each.name, **{key: facts[key] for key in own}}
            | {key: place[key] for key in ("address", "interface", "shared")}
            for each, facts, place in zip(self.agents.all, self.facts, self.places, strict=True)
        ]


def machines(hosts: Sequence[HostOf]) -> str:
    """Say if each host is a machine of its own."""
    return "real" if len({each.machine for each in hosts}) == len(hosts) else "emulated"


def in_background(do: Callable[[], Any], into: "queue.SimpleQueue[Any]") -> None:
    def perform() -> None:
        try:
            into.put(do())
        except Exception as error:
            into.put(error)

    threading.Thread(target=perform, daemon=True).start()


def _all(
    agents: Sequence[Started], asked: Sequence[Mapping[str, Any]], seconds: float = 60.0
) -> list[dict[str, Any]]:
    """Ask all at once. Raises ClusterError of the first that cannot."""
    found: list[queue.SimpleQueue[Any]] = []
    for each, words in zip(agents, asked, strict=True):
        into: queue.SimpleQueue[Any] = queue.SimpleQueue()
        in_background(functools.partial(each.one, words, b"", seconds), into)
        found.append(into)
    said = [each.get(timeout=seconds + 30) for each in found]
    for each in said:
        if isinstance(each, Exception):
            raise each
    return said


def _refuse_different(agents: Sequence[Started], facts: Sequence[dict[str, Any]]) -> None:
    """Check that the builds that run there were built and judged here. Raises ClusterError."""
    own, here = host_facts.version(), host_facts.here()
    for each, there in zip(agents, facts, strict=True):
        version, python = host_facts.version_of(there)
        found = version.differences(own, (python, here["python_whole"]))
        if found:
            raise ClusterError(
                f"host {each.name} has {'; '.join(found)}; install there the dramaturg that is here"
            )
        if there["architecture"] != here["architecture"]:
            raise ClusterError(
                f"host {each.name} is {there['architecture']}, and builds are made here, for"
                f" {here['architecture']}: start this on a machine like it"
            )
        if there["kernel"] != facts[0]["kernel"]:
            raise ClusterError(
                f"host {each.name} has Linux {there['kernel']}, and {agents[0].name} has"
                f" {facts[0]['kernel']}: figures over both would be of neither"
            )


def _machine(facts: Mapping[str, Any]) -> str:
    return str(facts["boot"] or facts["hostname"])
