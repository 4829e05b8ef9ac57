"""An agent ends with whoever started it, and whoever started it notices when it has ended."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from waiting import wait_until

from dramaturg import paths
from dramaturg.control.transport import Overdue
from dramaturg.errors import ClusterError, ClusterLost
from dramaturg.hosts import agent, frames, started_agents
from dramaturg.hosts.started_agents import Agents, Started
from dramaturg.hosts.talk import Lost
from dramaturg.processes import consumption
from dramaturg.processes.consumption import Moment

ENDED = 30.0
"""Seconds in which an agent has ended."""

_SHORT = "from dramaturg.hosts import agent, talk; talk.SILENCE = 1.0; talk.BEAT = 0.2; "
_PATIENT = _SHORT.replace("1.0", "600.0")
_AGENT = "agent.run(lambda agent, words: None)"

_MUTE = (
    "import os, sys, time; from dramaturg.hosts.frames import MARK;"
    " os.write(1, MARK); time.sleep(600)"
)


def heard(by: Started, words: dict[str, Any], content: bytes) -> None:
    raise AssertionError(words)


@pytest.fixture
def agents() -> Iterator[Agents]:
    found = Agents(heard)
    yield found
    for each in found.all:
        each.process.kill()
    found.end()


def python(program: str) -> list[str]:
    return [sys.executable, "-c", program]


def test_it_ends_at_the_end_of_its_input() -> None:
    agent = subprocess.Popen(
        python(_PATIENT + _AGENT), stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, cwd=paths.ROOT,
    )  # fmt: skip
    assert agent.stdin
    assert agent.stdout
    assert agent.stdout.read(1)
    agent.stdin.close()
    assert agent.wait(ENDED) == 0
    agent.stdout.close()


def test_it_ends_when_nobody_says_anything_any_more() -> None:
    with subprocess.Popen(
        python(_SHORT + _AGENT), stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=paths.ROOT
    ) as agent:
        assert agent.wait(ENDED) == 0


def test_one_that_is_killed_leaves_no_folder(tmp_path: Path) -> None:
    agent = subprocess.Popen(
        python(_PATIENT + _AGENT), stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=paths.ROOT,
        env=os.environ | {"TMPDIR": str(tmp_path)},
    )  # fmt: skip
    assert agent.stdin and agent.stdout
    assert agent.stdout.read(1)
    assert [each.name.startswith("dramaturg-host-") for each in tmp_path.iterdir()] == [True]
    agent.kill()
    agent.wait()
    assert wait_until(lambda: not list(tmp_path.iterdir()), ENDED, 0.05)
    agent.stdin.close()
    agent.stdout.close()


def test_one_that_ends_is_named_with_its_last_words(agents: Agents) -> None:
    one = agents.add("h1", ["sh", "-c", "echo no such user >&2; exit 255"])
    with pytest.raises(ClusterError, match=r"host h1: .*has ended: no such user"):
        one.one({"op": "facts"})


def test_what_cannot_be_started_is_said_of_the_host(agents: Agents) -> None:
    with pytest.raises(ClusterError, match="host h1: /no/such"):
        agents.add("h1", ["/no/such"])


def test_one_that_is_silent_is_lost_and_everybody_who_waits_is_told(
    agents: Agents, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, mute = agents.add("h0", python(_PATIENT + _AGENT)), agents.add("h1", python(_MUTE))
    assert wait_until(lambda: one.talk.heard > mute.talk.heard, 30, 0.05)
    answers = mute.talk.ask({"op": "facts"}, seconds=60)
    monkeypatch.setattr(started_agents, "SILENCE", 0.5)
    time.sleep(0.6)
    one.talk.heard = time.monotonic() + 60
    agents.watch()
    assert wait_until(lambda: bool(agents.lost), 20, 0.05)
    with pytest.raises(ClusterLost, match="host h1 is lost: nothing was heard of it"):
        agents.require()
    with pytest.raises(Lost, match="host h1 is lost"):
        list(answers)


def test_one_that_is_killed_is_lost(agents: Agents) -> None:
    mute = agents.add("h1", python(_MUTE))
    agents.watch()
    os.kill(mute.process.pid, signal.SIGKILL)
    assert wait_until(lambda: bool(agents.lost), 20, 0.05)
    assert "host h1 is lost" in agents.lost[0]


def test_one_that_does_not_end_is_ended(agents: Agents, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(started_agents, "_ENDING", 0.2)
    mute = agents.add("h1", python(_MUTE))
    agents.end()
    agents.all.clear()
    assert mute.process.poll() is not None


def test_what_no_agent_says_is_no_answer(agents: Agents) -> None:
    noise = f"import os; os.write(1, {frames.MARK!r} + b'\\xff' * 4096)"
    one = agents.add("h1", python(noise))
    with pytest.raises(ClusterError, match="says what no agent says"):
        one.one({"op": "facts"})


NODE = "NodeName=n1 Arch=x86_64 NodeAddr=127.0.0.1 NodeHostName=h Reason=Can't ping [root@h]"


@pytest.mark.parametrize(("said", "address"), [(NODE, "127.0.0.1"), ("NodeName=n1", None)])
def test_what_an_administrator_wrote_of_a_node_hides_no_address(
    said: str, address: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(started_agents, "_slurm", lambda *words: said)
    if address is None:
        with pytest.raises(ClusterError, match=r"host n1\.invalid: its address .* is unknown"):
            started_agents._address_of("n1.invalid")
    else:
        assert started_agents._address_of("n1") == address


@pytest.mark.parametrize("shown", ["", "echo Welcome to our cluster; printf 'held up'; echo;"])
def test_an_allocation_is_found_behind_whatever_a_site_prints(
    shown: str, agents: Agents, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    salloc = tmp_path / "salloc"
    salloc.write_text(f"#!/bin/sh\n{shown}\necho held 17 'n[1-2]'\nexec cat >/dev/null\n")
    salloc.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.delenv("SLURM_JOB_ID", raising=False)
    monkeypatch.setattr(started_agents, "_slurm", lambda *words: "n1\nn2\n")
    assert agents.allocate(2, print) == ("17", ["n1", "n2"])
    with pytest.raises(ClusterError, match="job 18 has 2 nodes, and 3 are asked for"):
        monkeypatch.setenv("SLURM_JOB_ID", "18")
        agents.allocate(3, print)


def test_how_long_its_calls_waited_for_a_core_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def call(method: str, request: object, seconds: float, stamps: object) -> Iterator[Any]:
        if method == "Prepare":
            raise Overdue
        return iter(())

    said: list[dict[str, Any]] = []
    node: Any = SimpleNamespace(
        _wire=SimpleNamespace(call=call),
        process=SimpleNamespace(consumption=SimpleNamespace(moment=lambda: Moment({17: 5}, 9))),
    )
    reply: Any = SimpleNamespace(end=lambda **words: said.append(words))
    reads, writes = os.pipe()
    one = agent.Agent(lambda by, words: None, reads, writes)
    one._nodes[1] = agent._Node(node, contextlib.ExitStack(), tmp_path / "stderr")
    monkeypatch.setattr(consumption, "own_wait", lambda: 7)
    words = {"node": 1, "method": "Describe", "seconds": 1}
    one._op_call(words, b"", reply)
    with pytest.raises(Overdue):
        one._op_call({**words, "method": "Prepare"}, b"", reply)
    one._op_moment({"node": 1}, b"", reply)
    one.close()
    os.close(reads)
    os.close(writes)
    [_, moment] = said
    assert moment["waits"] == [(17, 5)]
    own = dict(moment["own"])
    assert own[0] == 14
    assert os.getpid() in own
