"""A node that is stopped, or cut off, ends the run and is named (DIST-8)."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dramaturg.conformance import node_watch
from dramaturg.conformance.cluster import Cluster
from dramaturg.conformance.node_watch import watching
from dramaturg.errors import CallFailed, Crashed, Late
from dramaturg.net.link_counters import is_down
from dramaturg.processes.supervised import Supervised

STEP = 0.05


class Node:
    """A session whose process sleeps."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-c", "input()"]
        self.process = Supervised.start(command, cwd=folder, environment=os.environ)
        self.traced = 0

    def trace(self, timeout: float) -> None:
        self.traced += 1

    def run(self) -> None:
        """A call that is under way until the process ends."""
        if self.process.wait(20) is None:
            raise Late("no answer")
        raise CallFailed("Run", "UNAVAILABLE", "it ended")


@pytest.fixture
def three(tmp_path: Path) -> Iterator[Any]:
    nodes: Any = [Node(tmp_path) for _ in range(3)]
    network: Any = SimpleNamespace(
        hosts=[SimpleNamespace(address=f"10.0.0.{number}") for number in (1, 2, 3)],
        down=list,
    )
    yield Cluster(nodes, network)
    for node in nodes:
        node.process.end()


def test_a_node_that_is_stopped_is_named_and_all_are_ended(three: Any) -> None:
    stopped = three.sessions[2].process
    threading.Timer(3 * STEP, os.kill, [stopped.pid, signal.SIGSTOP]).start()
    said = r"^node 2 \(10\.0\.0\.3\) is lost: process \d+ is stopped"
    with pytest.raises(Crashed, match=said), watching(three, STEP):
        three.lead.run()
    assert [node.traced for node in three.sessions] == [1, 1, 0], "what others logged is kept"
    assert all(node.process.wait(10) is not None for node in three.sessions)
    assert three.spent


def test_others_that_hang_are_asked_no_longer_than_there_is_time(
    three: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node_watch, "ALL_ASKED", 0.0)
    three.network.down = lambda: [1]
    with pytest.raises(Crashed, match="its link is down"), watching(three, STEP):
        three.lead.run()
    assert [node.traced for node in three.sessions] == [0, 0, 0]
    assert all(node.process.wait(10) is not None for node in three.sessions)


def test_a_node_that_is_cut_off_is_named(three: Any) -> None:
    three.network.down = lambda: [1]
    said = r"^node 1 \(10\.0\.0\.2\) is lost: its link is down"
    with pytest.raises(Crashed, match=said), watching(three, STEP):
        three.lead.run()


def test_what_is_seen_once_is_no_loss(three: Any) -> None:
    looks = iter([[1], [], [2], [0], []])
    over = threading.Event()

    def down() -> list[int]:
        found = next(looks, None)
        if found is None:
            over.set()
        return found or []

    three.network.down = down
    with watching(three, STEP):
        assert over.wait(20)
    assert not three.spent
    assert all(node.process.status is None for node in three.sessions)


def test_another_error_of_the_call_stays_what_it_is(three: Any) -> None:
    with pytest.raises(CallFailed, match="node 2 is gone"), watching(three, STEP):
        raise CallFailed("Run", "INTERNAL", "node 2 is gone")


def test_one_process_alone_is_not_looked_at(three: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node_watch, "seen", None)
    with watching(Cluster(three.sessions[:1]), STEP):
        pass


@pytest.mark.parametrize(
    ("state", "down"),
    [("up", False), ("unknown", False), ("down", True), ("lowerlayerdown", True), (None, True)],
)
def test_a_link_is_down_as_the_kernel_says(tmp_path: Path, state: str | None, down: bool) -> None:
    if state is not None:
        (tmp_path / "end").mkdir()
        (tmp_path / "end" / "operstate").write_text(f"{state}\n")
    assert is_down("end", tmp_path) is down
