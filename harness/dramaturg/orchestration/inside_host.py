"""The program on each host of ``bench --hosts``: an agent; the first one also drives all
invocations, since the clocks, the ledger and the stamps have to be on node 0's host.

Measurements go to whoever started it as they come, and nothing is kept here.
"""

import contextlib
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from dramaturg.control.session import Session
from dramaturg.errors import HarnessFault
from dramaturg.hosts import agent, remote_node, sent_builds
from dramaturg.hosts.agent import Agent
from dramaturg.hosts.real_network import HostOf, Spread
from dramaturg.hosts.remote_node import Peer
from dramaturg.implementation.manifest import Implementation
from dramaturg.machine.floors import Cost
from dramaturg.net.topology import Link, Network
from dramaturg.orchestration.job import Keeper, in_words
from dramaturg.processes import fence
from dramaturg.records import LinksRecord, Record, UnitRecord
from dramaturg.results import Writer
from dramaturg.terminal import failures
from dramaturg.timing.planning.timing_plan import Plan, Unit
from dramaturg.timing.running.readiness import Readiness
from dramaturg.timing.running.runner import Runner
from dramaturg.timing.validity import timed_receipts

_EACH = 2.0
"""Seconds between two words on how far an iteration is."""

_TRIPS = 20
"""Empty questions to an agent, of which the fastest counts."""

_MOST = 64 << 20
"""Bytes of recorded runs and of standard error that go back."""


class Driven(BaseModel):
    """The task of the first host."""

    model_config = ConfigDict(extra="forbid")

    made: Plan
    done: list[UnitRecord]
    """The units that ended in an earlier run."""
    versions: dict[str, list[str]]
    """Versions of the toolchains, by implementation."""
    hosts: list[HostOf]
    cores: list[int]
    """The cores of each host; those of a machine stand here once for each host that it is."""
    links: LinksRecord
    limited: dict[float, LinksRecord]
    """By the bandwidth to which they were limited."""
    about: dict[str, Any]
    cost: Cost
    uncertified: bool
    described: dict[str, Any]


class _Everywhere:
    """The hosts of a run, as a runner has them."""

    def __init__(self, agent: Agent, driven: Driven) -> None:
        hosts = driven.hosts
        self._peers = [
            Peer(agent.talk, number, each.name, same_machine=each.machine == hosts[0].machine)
            for number, each in enumerate(hosts[1:], start=1)
        ]
        self._spread = Spread(
            hosts, agent.counters, agent.limit, agent.keeps_limit, self._peers, driven.about
        )
        self._driven = driven
        self._control_ms = self._control()

    def _control(self) -> float | None:
        """Milliseconds to the agent that is farthest, and back."""
        found = []
        for peer in self._peers:
            trips = []
            for _ in range(_TRIPS):
                begun = time.perf_counter()
                peer.one({"op": "ping"})
                trips.append((time.perf_counter() - begun) * 1e3)
            found.append(min(trips))
        return round(max(found), 3) if found else None

    def cores(self, nodes: int, each: int) -> int:
        used = range(min(nodes, len(self._driven.hosts)))
        machines = {self._driven.hosts[host].machine: self._driven.cores[host] for host in used}
        return each * len(machines) if each else sum(machines.values())

    def network(self, nodes: int, link: Link) -> AbstractContextManager[Network]:
        return self._spread.network(nodes, link)

    def links(self, link: Link) -> LinksRecord:
        limit = link.bandwidth
        measured = self._driven.links if limit is None else self._driven.limited[limit]
        return measured.model_copy(update={"control_ms": self._control_ms})

    def unlimited(self, nodes: int) -> list[str]:
        return self._spread.unlimited(nodes)

    def cores_of(self, node: int, nodes: int) -> Sequence[int]:
        return self._spread.cores_of(node, nodes)

    def start(
        self,
        node: int,
        implementation: Implementation,
        *,
        environment: Mapping[str, str],
        cores: Sequence[int],
        stderr: Path,
    ) -> AbstractContextManager[Session] | None:
        host = self._spread.host_of(node)
        if host == 0:
            return None
        return remote_node.started(
            self._peers[host - 1],
            node,
            implementation,
            environment=environment,
            cores=cores,
            stderr=remote_node.kept_in(stderr),
        )


def drive(agent: Agent, words: dict[str, Any]) -> dict[str, Any]:
    """Carry out the plan; how that ended."""
    driven = Driven.model_validate(words["job"])
    for scenario in dict.fromkeys(unit.scenario for unit in driven.made.units):
        timed_receipts.foresee(scenario)
    implementations = {name: sent_builds.found(sent) for name, sent in agent.builds.items()}
    ready = {
        name: Readiness(sent.built, sent.certified, versions=tuple(driven.versions.get(name, ())))
        for name, sent in agent.builds.items()
    }
    with tempfile.TemporaryDirectory(prefix="dramaturg-run-") as kept:
        folder = Path(kept)
        fence.guard(folder)
        try:
            runner = Runner(
                driven.made,
                implementations,
                _Teller(agent, folder),
                folder,
                is_certified=lambda each: False,
                cost=driven.cost,
                uncertified=driven.uncertified,
                observer=_Told(agent, folder, driven.described),
                ready=ready,
                elsewhere=_Everywhere(agent, driven),
            )
            outcome = runner.run(driven.done)
        except Exception as error:
            text, _ = failures.told(error)
            raise HarnessFault(text) from None
        finally:
            _give_back(agent, folder)
    return {"outcome": str(outcome)}


def _give_back(agent: Agent, folder: Path) -> None:
    """Send the files beside the records: standard error, recorded runs."""
    left = _MOST
    for file in sorted(folder.rglob("*")):
        if not file.is_file() or (file.suffix == ".json" and file.parent == folder):
            continue
        with contextlib.suppress(OSError):
            content = file.read_bytes()
            name = str(file.relative_to(folder))
            if len(content) > left:
                agent.talk.tell({"told": "left", "name": name})
                continue
            left -= len(content)
            agent.talk.tell({"told": "file", "name": name}, content)


class _Teller(Writer):
    """Hands records on; whoever gets them writes them."""

    def __init__(self, agent: Agent, folder: Path) -> None:
        self._agent, self._folder = agent, folder

    def write(self, record: Record) -> None:
        said = record.model_dump(mode="json")
        if said.get("command"):
            said["command"] = str(said["command"]).replace(str(self._folder), ".")
        self._agent.talk.tell({"told": "record", "record": said})


class _Told(Keeper):
    """Tells how far it is."""

    def __init__(self, agent: Agent, folder: Path, described: Mapping[str, Any]) -> None:
        self._agent = agent
        super().__init__(folder, described)
        self._next = 0.0
        self._send()

    def described(self, *said: Any) -> None:
        super().described(*said)
        self._send()

    def _send(self) -> None:
        self._agent.talk.tell({"told": "environment", "environment": self._environment})

    def started(self, unit: Unit, invocation: int, done: int, total: int) -> None:
        self._doing(str(unit), completed=done, total=total)

    def progress(self, unit: Unit, iteration: int, done: int, total: int) -> None:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + _EACH
            self._doing(in_words(unit, iteration, done, total))

    def audits(self, unit: Unit, invocation: int) -> None:
        self._doing(f"{unit}, audit")

    def _doing(self, text: str, **more: int) -> None:
        self._agent.talk.tell({"told": "doing", "doing": text, **more})


if __name__ == "__main__":
    agent.run(drive)
