"""The bandwidth of a host's link: given, taken back, and refused where it cannot be."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from waiting import wait_until

from dramaturg.hosts import interfaces, shaping
from dramaturg.hosts.agent import Agent
from dramaturg.hosts.interfaces import Interface
from dramaturg.hosts.shaping import Unshapeable, limited
from dramaturg.machine import capabilities

HTB = capabilities.probe()["htb"]

pytestmark = pytest.mark.skipif(not HTB.available, reason=HTB.explanation)

ADDRESS = "10.99.99.1"


@pytest.fixture
def interface(monkeypatch: pytest.MonkeyPatch) -> Iterator[Interface]:
    """One that carries no control."""
    name = f"dt{os.getpid() % 100_000}s"
    subprocess.run(
        ["ip", "link", "add", name, "type", "veth", "peer", "name", f"{name}p"], check=True
    )
    monkeypatch.setattr(shaping, "carries_control", lambda interface: False)
    yield Interface(name, ADDRESS)
    subprocess.run(["ip", "link", "del", name], check=True)


def tc(*words: str) -> None:
    subprocess.run(["tc", *words], check=True)


@pytest.fixture
def agent(interface: Interface) -> Iterator[Agent]:
    """One that has nobody to talk to."""
    reads, writes = os.pipe()
    agent = Agent(lambda agent, words: {}, reads, writes)
    agent._interface = interface
    yield agent
    agent.close()
    os.close(reads)
    os.close(writes)


def shown(interface: Interface, what: str = "qdisc") -> str:
    done = subprocess.run(
        ["tc", what, "show", "dev", interface.name], capture_output=True, text=True, check=True
    )
    return done.stdout


def test_a_limit_is_there_until_it_is_closed(interface: Interface) -> None:
    before = shown(interface)
    with limited(interface, 12.5):
        assert "htb d5a6:" in shown(interface)
        assert "rate 12500Kbit" in shown(interface, "class")
    assert shown(interface) == before


PROGRAM = (
    "import sys, time; from dramaturg.hosts import shaping;"
    " from dramaturg.hosts.interfaces import Interface;"
    " shaping.carries_control = lambda interface: False;"
    " limit = shaping.limited(Interface(*sys.argv[1:]), 10); limit.__enter__();"
    " print('there', flush=True); time.sleep(60)"
)


@contextlib.contextmanager
def limits(interface: Interface, beside: Path | None = None) -> "Iterator[subprocess.Popen[bytes]]":
    """Another process that limits it, and is killed at the end at the latest; with the ``tc`` of
    this folder."""
    command = [sys.executable, "-c", PROGRAM, interface.name, interface.address]
    path = os.environ["PATH"] if beside is None else f"{beside}:{os.environ['PATH']}"
    variables = {**os.environ, "PATH": path}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=variables) as process:
        try:
            yield process
        finally:
            process.kill()


def is_there(process: "subprocess.Popen[bytes]") -> bool:
    assert process.stdout is not None
    return process.stdout.readline() == b"there\n"


def slow(folder: Path, what: str) -> Path:
    """Put a ``tc`` there whose ``qdisc add`` or ``qdisc del`` takes a second; return a file that is
    there once that has begun."""
    begun, tc = folder / "begun", folder / "tc"
    wait = f'[ "$1 $2" != "qdisc {what}" ] || {{ touch {begun}; sleep 1; }}'
    tc.write_text(f'#!/bin/sh\n{wait}\nexec {shutil.which("tc")} "$@"\n')
    tc.chmod(0o755)
    return begun


def test_a_limit_goes_with_a_process_that_is_killed(interface: Interface) -> None:
    with limits(interface) as process:
        assert is_there(process)
        assert "d5a6:" in shown(interface)
        process.send_signal(signal.SIGKILL)
    assert wait_until(lambda: "d5a6:" not in shown(interface), 10, 0.05)


def test_a_limit_that_is_not_there_yet_goes_with_a_process_that_is_killed(
    interface: Interface, tmp_path: Path
) -> None:
    begun = slow(tmp_path, "add")
    with limits(interface, tmp_path) as process:
        assert wait_until(begun.exists, 20, 0.02)
        process.send_signal(signal.SIGKILL)
    time.sleep(2)
    assert wait_until(lambda: "d5a6:" not in shown(interface), 10, 0.05)


def test_who_removes_the_limit_of_a_killed_process_does_not_remove_a_later_one(
    interface: Interface, tmp_path: Path
) -> None:
    begun = slow(tmp_path, "del")
    with limits(interface, tmp_path) as process:
        assert is_there(process)
        process.send_signal(signal.SIGKILL)
    assert wait_until(begun.exists, 20, 0.02)
    with contextlib.ExitStack() as stack:

        def limit() -> bool:
            with contextlib.suppress(Unshapeable):
                stack.enter_context(limited(interface, 20))
                return True
            return False

        assert wait_until(limit, 20, 0.05)
        time.sleep(2)
        assert "rate 20Mbit" in shown(interface, "class")


def test_a_limit_goes_also_if_a_whole_session_is_told_to_end(interface: Interface) -> None:
    with limits(interface) as process:
        assert is_there(process)
        for child in psutil.Process(process.pid).children(recursive=True):
            child.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGTERM)
    assert wait_until(lambda: "d5a6:" not in shown(interface), 10, 0.05)


def test_a_limit_that_somebody_removes_is_not_there_any_more(
    interface: Interface, agent: Agent
) -> None:
    agent.limit(10)
    assert agent.keeps_limit()
    tc("qdisc", "replace", "dev", interface.name, "root", "pfifo")
    assert not agent.keeps_limit()
    agent.limit(None)


def test_a_limit_with_another_rate_is_not_the_one_that_was_given(
    interface: Interface, agent: Agent
) -> None:
    agent.limit(10)
    of = ("dev", interface.name, "parent", "d5a6:", "classid", "d5a6:1")
    tc("class", "change", *of, "htb", "rate", "900mbit", "burst", "15k")
    assert not agent.keeps_limit()
    agent.limit(None)
    assert "d5a6:" not in shown(interface)


def test_a_link_that_stays_limited_is_named(
    interface: Interface, agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shaping, "_REMOVES", "cat >/dev/null; exit 2")
    agent.limit(10)
    for _ in range(2):
        with pytest.raises(Unshapeable, match=f"tc qdisc del dev {interface.name} root"):
            agent.limit(None)
    tc("qdisc", "del", "dev", interface.name, "root")
    agent.limit(None)


def test_what_a_killed_host_left_is_replaced(interface: Interface) -> None:
    command = ["tc", "qdisc", "add", "dev", interface.name, "root", "handle", "d5a6:", "htb"]
    subprocess.run(command, check=True)
    with limited(interface, 10):
        assert "rate 10Mbit" in shown(interface, "class")
    assert "d5a6:" not in shown(interface)


def test_a_limit_of_another_run_stays(interface: Interface) -> None:
    with limited(interface, 10):
        with (
            pytest.raises(
                Unshapeable, match=r"another run limits .* another host that is this machine"
            ),
            limited(interface, 20),
        ):
            pass
        assert "rate 10Mbit" in shown(interface, "class")
    with limited(interface, 20):
        assert "rate 20Mbit" in shown(interface, "class")
    assert "d5a6:" not in shown(interface)


def test_a_qdisc_of_the_users_stays(interface: Interface) -> None:
    command = ["tc", "qdisc", "add", "dev", interface.name, "root", "handle", "7:", "htb"]
    subprocess.run(command, check=True)
    with pytest.raises(Unshapeable, match="has a qdisc of somebody's"), limited(interface, 10):
        pass
    assert "htb 7:" in shown(interface)


def test_an_interface_that_carries_control_is_not_limited(
    interface: Interface, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shaping, "carries_control", interfaces.carries_control)
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    with (
        pytest.raises(Unshapeable, match=r"carries the harness's calls too.*`interface:`"),
        limited(interface, 10),
    ):
        pass


def test_loopback_is_no_link() -> None:
    with pytest.raises(Unshapeable, match="no link"), limited(Interface("lo", "127.0.0.1"), 10):
        pass


def test_a_refusal_is_told_in_words_of_tc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shaping, "carries_control", lambda interface: False)
    with (
        pytest.raises(Unshapeable, match=r"tc qdisc show dev dtnone: .*dtnone"),
        limited(Interface("dtnone", ADDRESS), 10),
    ):
        pass


def test_a_limit_that_fails_halfway_leaves_nothing(
    interface: Interface, monkeypatch: pytest.MonkeyPatch
) -> None:
    tc = shaping._tc

    def with_nonsense(*words: str, **more: int) -> str:
        return tc(*words, *(["nonsense"] if words[:2] == ("class", "add") else []), **more)

    monkeypatch.setattr(shaping, "_tc", with_nonsense)
    with pytest.raises(Unshapeable, match="nonsense"), limited(interface, 10):
        pass
    assert "d5a6:" not in shown(interface)
