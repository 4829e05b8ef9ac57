"""Ping-pong over an emulated link, with a real implementation."""

import os
from pathlib import Path

import pytest

from dramaturg import results
from dramaturg.implementation import manifest, toolchain
from dramaturg.machine import capabilities
from dramaturg.machine.floors import Cost
from dramaturg.net import leftovers
from dramaturg.outcomes import Outcome
from dramaturg.results import Recorded, Writer
from dramaturg.timing.planning.scenarios import scenario
from dramaturg.timing.planning.suites import NetworkRequest
from dramaturg.timing.planning.timing_plan import Plan, Unit
from dramaturg.timing.running.runner import Runner

WHY_NOT = capabilities.probe().why_no_mininet
ROUNDS = 1000


def _usable(name: str) -> bool:
    if name not in manifest.available():
        return False
    return all(finding.present for finding in toolchain.probe(manifest.find(name)))


pytestmark = [
    pytest.mark.skipif(bool(WHY_NOT), reason=f"no emulated network: {WHY_NOT}"),
    pytest.mark.skipif(not _usable("erlang"), reason="the toolchain of erlang is missing"),
    pytest.mark.usefixtures("no_process_left"),
]


def _run(folder: Path, network: NetworkRequest) -> tuple[Outcome, Recorded]:
    unit = Unit(
        implementation="erlang",
        scenario=scenario("pingpong", overrides={"rounds": ROUNDS}),
        network=network,
        invocations=1,
        iterations=2,
        warmup=0,
        timeout=30,
    )
    with Writer(folder / results.TIMINGS) as writer:
        runner = Runner(
            Plan(suites=["test"], seed=1, units=[unit]),
            {"erlang": manifest.find("erlang")},
            writer,
            folder,
            is_certified=lambda implementation: True,
            cost=Cost(nanos=0.0, source="test", cores=1),
        )
        outcome = runner.run()
    return outcome, results.read(folder / results.TIMINGS)


def test_two_nodes_exchange_over_the_bridge_and_nothing_is_left(tmp_path: Path) -> None:
    outcome, recorded = _run(tmp_path, NetworkRequest(nodes=2))
    assert outcome is Outcome.PASS, [unit.message for unit in recorded.units]
    for sample in recorded.samples:
        assert sample.network["kind"] == "mininet"
        assert sample.network["kernel"] == os.uname().release
        assert sample.receipt["pongs"] == ROUNDS
        assert sample.receipt["peers"] == [{"alive": 0}]
        assert sample.messages == 2 * ROUNDS
    assert leftovers.leftovers(of=os.getpid()) == []


def test_a_slower_link_makes_slower_rounds(tmp_path: Path) -> None:
    (tmp_path / "free").mkdir()
    (tmp_path / "slow").mkdir()
    _, free = _run(tmp_path / "free", NetworkRequest(nodes=2))
    outcome, slow = _run(tmp_path / "slow", NetworkRequest(nodes=2, bandwidth=1))
    assert outcome is Outcome.PASS, [unit.message for unit in slow.units]
    assert slow.samples[1].run_nanos > 2 * free.samples[1].run_nanos
    assert slow.samples[0].network["bandwidth"] == 1
