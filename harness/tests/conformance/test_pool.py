"""Sessions are started when needed, and again after a failure."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dramaturg.conformance import performer
from dramaturg.conformance.performer import Performer
from dramaturg.conformance.pool import Pool
from dramaturg.conformance.result import Result
from dramaturg.control import starting
from dramaturg.implementation import build, toolchain
from dramaturg.implementation.manifest import Implementation, find
from dramaturg.net import topology
from dramaturg.net.links import LinkOff, Lost
from dramaturg.net.topology import CLEAN, Link
from dramaturg.net.unavailable import NetworkUnavailable
from dramaturg.outcomes import Outcome
from dramaturg.plan import case_plan
from dramaturg.records import CaseRecord


def test_who_is_started_again_is_built_from_what_is_there_by_the_tools_that_were(
    monkeypatch: pytest.MonkeyPatch, no_process_left: None
) -> None:
    """Sources may have changed meanwhile. To ask 20 times for versions took 20 s of a run."""
    done: list[str] = []

    def require(implementation: Implementation) -> list[toolchain.Finding]:
        done.append("asked")
        return []

    def built(implementation: Implementation) -> str:
        done.append("built")
        return ""

    monkeypatch.setattr(toolchain, "require", require)
    monkeypatch.setattr(build, "build", built)
    pool, reference = Pool(), find("reference")
    first = pool.get(reference)
    pool.drop(reference)
    second = pool.get(reference)
    pool.close()
    assert first is not second
    assert done == ["asked", "built", "built"]


def test_nodes_are_started_over_the_links_that_a_case_asks_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nodes that are up over other links are ended first, and those over the same ones serve."""
    asked: list[tuple[int, Link]] = []

    @contextlib.contextmanager
    def network(nodes: int, link: Link) -> Iterator[Any]:
        asked.append((nodes, link))
        hosts = [SimpleNamespace(prefix=()) for _ in range(nodes)]
        yield SimpleNamespace(hosts=hosts, link=link)

    @contextlib.contextmanager
    def started(*words: Any, **more: Any) -> Iterator[Any]:
        yield SimpleNamespace()

    monkeypatch.setattr(toolchain, "require", lambda of: [])
    monkeypatch.setattr(build, "built", lambda of: None)
    monkeypatch.setattr(topology, "mininet", network)
    monkeypatch.setattr(starting, "start", started)
    pool, far = Pool(), Link(delay=5, loss=1)
    shapes = [(3, CLEAN), (2, CLEAN), (3, far), (2, far), (2, CLEAN)]
    for nodes, link in shapes:
        cluster = pool.cluster(find("asyncio"), nodes, link=link)
        assert cluster.network is not None and cluster.network.link == link
    pool.close()
    assert asked == [(3, CLEAN), (3, far), (2, CLEAN)]


@pytest.mark.parametrize("kind", [NetworkUnavailable, LinkOff])
def test_a_case_is_performed_over_its_links_or_not_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: type[Exception]
) -> None:
    asked: list[Link] = []

    def cluster(implementation: Implementation, nodes: int, cores: int, link: Link) -> Any:
        asked.append(link)
        raise kind("none here")

    pool = Pool()
    monkeypatch.setattr(pool, "cluster", cluster)
    made = case_plan.make([find("asyncio")], [4])
    performing = Performer(pool, tmp_path)
    for name in ("chatapp-two-nodes", "chatapp-two-nodes-with-delay-and-loss"):
        (item,) = [item for item in made.items if item.case.name == name]
        record, _ = performing.perform(item)
        assert record.outcome is Outcome.NOT_RUN and record.message == "none here"
    assert asked == [CLEAN, Link(delay=5, loss=1)]


@pytest.mark.parametrize(
    ("counted", "outcome"),
    [
        (Lost(3_000, 30), Outcome.PASS),
        (Lost(3_000, 0), Outcome.NOT_RUN),
        (Lost(3_000, 300), Outcome.NOT_RUN),
        (LinkOff("the links have no netem any more"), Outcome.NOT_RUN),
    ],
)
def test_a_case_whose_links_lost_too_little_or_too_much_is_not_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, counted: Lost | LinkOff, outcome: Outcome
) -> None:
    record = _performed(monkeypatch, tmp_path, Outcome.PASS, counted)
    assert record.outcome is outcome
    if outcome is not Outcome.PASS:
        assert "loss 1 % was asked for" in record.message or "no netem" in record.message


def test_a_case_that_fails_over_links_that_lost_nothing_fails(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    record = _performed(monkeypatch, tmp_path, Outcome.FAIL, Lost(3_000, 0))
    assert record.outcome is Outcome.FAIL


def _performed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, outcome: Outcome, counted: Lost | LinkOff
) -> CaseRecord:
    """The record of a case with 1 % loss that ended so, over links of which so much is counted."""

    def lost() -> Lost:
        if isinstance(counted, LinkOff):
            raise counted
        return counted

    network = SimpleNamespace(link=Link(delay=5, loss=1), lost=lost)
    there = SimpleNamespace(network=network, strays=list, spent=False, forget=list)
    pool = Pool()
    monkeypatch.setattr(pool, "cluster", lambda *words: there)
    monkeypatch.setattr(performer, "perform", lambda *words, **more: Result(outcome, message="so"))
    plan = case_plan.make([find("asyncio")], [4])
    name = "chatapp-two-nodes-with-delay-and-loss"
    (item,) = [item for item in plan.items if item.case.name == name]
    return Performer(pool, tmp_path).perform(item)[0]


def test_a_log_leaves_the_disk_with_its_case(tmp_path: Path, no_process_left: None) -> None:
    """The process that goes on may have no other case for hours, and its log has gigabytes."""
    pool = Pool()
    try:
        (item,) = [
            item
            for item in case_plan.make([find("reference")], [1]).items
            if item.case.name == "pingpong-one-round"
        ]
        assert Performer(pool, tmp_path).perform(item)[0].outcome is Outcome.PASS
        assert pool.get(item.implementation).log.events == 0
    finally:
        pool.close()


@pytest.mark.parametrize("spent", [(False, False), (True, False), (False, True)])
def test_nodes_are_kept_if_none_of_a_case_is_spent(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, spent: tuple[bool, bool]
) -> None:
    """A case with a strange node leaves its second world prepared, and says so of its first."""
    dropped: list[str] = []
    pool = Pool()
    monkeypatch.setattr(pool, "drop", lambda implementation: dropped.append(implementation.name))
    assert _renewed(monkeypatch, tmp_path, pool, ([], []), spent).outcome is Outcome.PASS
    assert len(dropped) == 1 + any(spent), "once between its worlds, and once behind them"


def test_the_nodes_that_performed_last_are_asked_for_strays(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A case may begin anew, with other processes."""
    stray = ["process 7 is not counted (MEAS-40)"]
    record = _renewed(monkeypatch, tmp_path, Pool(), ([], stray), (False, False))
    assert record.outcome is Outcome.FAIL
    assert record.message == stray[0]


def _renewed(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    pool: Pool,
    strays: tuple[list[str], list[str]],
    spent: tuple[bool, bool],
) -> CaseRecord:
    """The record of a case that passes in two worlds, with such strays, of which some are spent."""
    worlds = iter(
        SimpleNamespace(network=None, strays=lambda found=found: found, spent=over, forget=list)
        for found, over in zip(strays, spent, strict=True)
    )

    def twice(*words: Any, renew: Callable[[], Any], **more: Any) -> Result:
        renew()
        return Result(Outcome.PASS)

    monkeypatch.setattr(pool, "cluster", lambda *words: next(worlds))
    monkeypatch.setattr(performer, "perform", twice)
    (item,) = [
        item
        for item in case_plan.make([find("asyncio")], [4]).items
        if item.case.name == "pingpong-repeated-by-strangers"
    ]
    return Performer(pool, tmp_path).perform(item)[0]
