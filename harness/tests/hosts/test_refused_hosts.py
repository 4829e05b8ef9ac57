"""Hosts that are not what was asked for are refused by their names, before they get anything."""

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from dramaturg.cluster import host_facts
from dramaturg.cluster.hosts_file import SshHost
from dramaturg.errors import ClusterError
from dramaturg.hosts.asked_hosts import Asked
from dramaturg.hosts.real_network import HostOf
from dramaturg.orchestration.bench_on_hosts import _keep, _Run
from dramaturg.orchestration.ready_hosts import Ready, machines
from dramaturg.outcomes import Outcome
from dramaturg.records import LinksRecord
from dramaturg.timing.planning import suites, timing_plan
from dramaturg.timing.running.readiness import Readiness


class One:
    """An agent that answers with what it is."""

    def __init__(self, name: str, **facts: Any) -> None:
        self.name = name
        self.of_file: SshHost | None = None
        self.address = None
        own = host_facts.here() | {"boot": name, "pinned_to": [0, 1], "identity": {}, "cost": {}}
        self.facts = own | facts

    def one(self, words: Any, content: bytes = b"", seconds: float = 0) -> dict[str, Any]:
        return {"facts": self.facts, "place": {"address": "192.0.2.1"}}[words["op"]]


def asked_of(hosts: Sequence[One], *, text: str = "ssh:hosts.yaml", shared: bool = False) -> Ready:
    asked = Asked(text, text.partition(":")[0], len(hosts), len(hosts), shared=shared)
    agents: Any = SimpleNamespace(all=list(hosts), require=lambda: None)
    return Ready(asked, {}, agents, lambda said: None)


def file(**more: Any) -> SshHost:
    return SshHost(host="192.0.2.1", **more)


def test_hosts_that_are_alike_are_taken() -> None:
    run = asked_of([One("h0"), One("h1")])
    run.ask_facts()
    assert [each["boot"] for each in run.facts] == ["h0", "h1"]


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"harness": "0" * 64}, "harness 000000000000, here"),
        ({"python": "3.9", "python_whole": "3.9.2"}, r"Python 3\.9\.2, here"),
        ({"protocol": "0" * 64}, "cluster protocol 000000000000, here"),
        ({"architecture": "vax"}, "h1 is vax, and builds are made here"),
        ({"kernel": "2.6.0"}, r"h1 has Linux 2\.6\.0, and h0 has"),
    ],
)
def test_a_host_that_is_another_kind_is_named(facts: dict[str, Any], said: str) -> None:
    with pytest.raises(ClusterError, match=said) as raised:
        asked_of([One("h0"), One("h1", **facts)]).ask_facts()
    assert "host h1" in str(raised.value)


def test_two_hosts_that_are_one_are_both_marked_or_refused() -> None:
    pair = [One("h0", boot="same"), One("h1", boot="same")]
    for marks in ((False, False), (True, False), (False, True)):
        for host, marked in zip(pair, marks, strict=True):
            host.of_file = file(shared=marked)
        with pytest.raises(ClusterError, match="h0 and h1 are one machine"):
            asked_of(pair).ask_facts()
    for host in pair:
        host.of_file = file(shared=True)
    asked_of(pair).ask_facts()


def test_nodes_of_slurm_that_are_one_are_meant_or_refused() -> None:
    pair = [One("n1", boot="same"), One("n2", boot="same")]
    with pytest.raises(ClusterError, match="slurm:2,shared"):
        asked_of(pair, text="slurm:2").ask_facts()
    asked_of(pair, text="slurm:2,shared", shared=True).ask_facts()


def test_a_host_with_fewer_cores_than_nodes_is_named() -> None:
    small = One("h0")
    small.of_file = file(nodes=3)
    with pytest.raises(ClusterError, match=r"host h0: 3 nodes .* it has 2"):
        asked_of([small]).ask_facts()


@pytest.mark.parametrize(
    "name",
    [
        "timings.jsonl", "../x", "/tmp/x", "stderr/../../x", "certificate.json", "x", "", ".",
        "stderr", "stderr/", "stderr//x", "traces/a\0b",
    ],
)  # fmt: skip
def test_what_comes_back_is_laid_where_such_things_are(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "results"
    folder.mkdir()
    _keep(folder, name, b"content")
    assert not list(folder.iterdir())
    assert [each.name for each in tmp_path.iterdir()] == ["results"]
    _keep(folder, "stderr/x.1.log", b"content")
    assert (folder / "stderr" / "x.1.log").read_bytes() == b"content"


def test_each_link_is_measured_from_a_host_to_the_next_one() -> None:
    measured: list[tuple[str, str, int]] = []

    class Probed(One):
        def one(self, words: Any, content: bytes = b"", seconds: float = 0) -> dict[str, Any]:
            match words["op"]:
                case "echo":
                    return {"re": "c1", "udp": int(self.name[1:]) + 1, "tcp": 9}
                case "measure":
                    measured.append((self.name, words["address"], words["udp"]))
                    many = len(measured)
                    return {
                        "fastest_ms": many * 1.0, "median_ms": many * 2.0, "mbit": many * 3.0,
                        "packets": 100, "lost": many,
                    }  # fmt: skip
            return {}

    run = asked_of([Probed(f"h{number}") for number in range(3)])
    run.places = [{"address": f"192.0.2.{number + 1}"} for number in range(3)]
    links = run.links()
    assert measured == [("h0", "192.0.2.2", 2), ("h1", "192.0.2.3", 3), ("h2", "192.0.2.1", 1)]
    assert links.round_trip_ms == [1, 2, 3]
    assert links.bandwidth_mbit == [3, 6, 9]
    assert links.pings_lost == [1, 2, 3]


class Limited(One):
    """An agent whose link carries what it is limited to, or what it pleases."""

    def __init__(self, name: str, carries: float | None = None) -> None:
        super().__init__(name)
        self._carries = carries
        self.limits: list[float | None] = []

    def one(self, words: Any, content: bytes = b"", seconds: float = 0) -> dict[str, Any]:
        match words["op"]:
            case "limit":
                self.limits.append(words["bandwidth"])
            case "echo":
                return {"udp": 1, "tcp": 2}
            case "measure":
                mbit = self._carries or self.limits[-1]
                return {"fastest_ms": 1, "median_ms": 1, "mbit": mbit, "packets": 9, "lost": 0}
        return {}


def limits_tried(*hosts: Limited) -> dict[float, LinksRecord]:
    run = asked_of(hosts)
    run.places = [{"address": "192.0.2.1"} for _ in hosts]
    return run.try_limits([20, None, 5, 20])


def test_each_bandwidth_is_tried_once_before_anything_is_timed() -> None:
    hosts = Limited("h0"), Limited("h1")
    measured = limits_tried(*hosts)
    assert [host.limits for host in hosts] == [[5, None, 20, None]] * 2
    assert {limit: links.bandwidth_mbit for limit, links in measured.items()} == {
        5: [5, 5],
        20: [20, 20],
    }


def test_a_link_that_carries_more_than_it_is_limited_to_is_named() -> None:
    hosts = Limited("h0"), Limited("h1", carries=900)
    with pytest.raises(ClusterError, match="host h1: limited to 5 Mbit/s, its link carried 900"):
        limits_tried(*hosts)
    assert [host.limits for host in hosts] == [[5, None]] * 2


@pytest.mark.parametrize(
    ("network", "said"),
    [
        ({"nodes": 2, "bandwidth": 20}, ""),
        ({"nodes": 3}, ""),
        (
            {"nodes": 3, "bandwidth": 20},
            "bandwidth 20: more nodes (3) than hosts (2), and nothing limits what nodes of one host"
            " send each other; add hosts",
        ),
        (
            {"nodes": 5, "bandwidth": 20},
            "5 nodes: there is place for 4; add hosts, or say `nodes:` of those that may have"
            " several; see docs/cluster.md",
        ),
    ],
)
def test_nodes_of_one_host_have_no_bandwidth_that_was_asked_for(
    network: dict[str, Any], said: str
) -> None:
    asked = Asked("ssh:hosts.yaml", "ssh", number=2, nodes=4)
    run = _Run(cast("Any", None), asked, {"asyncio": Readiness()}, cast("Any", None), quiet=True)
    entry = {"benchmark": "bang", "scale": "tiny", "network": network}
    suite = suites.checked({"suite": "test", "benchmarks": [entry]})
    [unit] = timing_plan.make([suite], ["asyncio"], seed=1).units
    assert run._refusal(unit) == (Outcome.NOT_RUN if said else Outcome.PASS, said)


def test_hosts_are_real_if_each_is_a_machine_of_its_own() -> None:
    def host(name: str, machine: str) -> HostOf:
        rest = {"interface": "eth0", "counted": True, "shared": False, "machine": machine}
        return HostOf(name=name, address="192.0.2.1", **rest)

    assert machines([host("h0", "one"), host("h1", "other")]) == "real"
    assert machines([host("h0", "one"), host("h1", "one")]) == "emulated"
