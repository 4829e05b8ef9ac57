"""The bandwidth of a host's link: given, taken back, and refused where it cannot be."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from waiting import wait_until

from dramaturg.hosts import interfaces, shaping
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


def test_a_limit_goes_with_a_process_that_is_killed(interface: Interface) -> None:
    program = (
        "import sys, time; from dramaturg.hosts import shaping;"
        " from dramaturg.hosts.interfaces import Interface;"
        " shaping.carries_control = lambda interface: False;"
        " limit = shaping.limited(Interface(*sys.argv[1:]), 10); limit.__enter__();"
        " print('there', flush=True); time.sleep(60)"
    )
    command = [sys.executable, "-c", program, interface.name, interface.address]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"there\n"
        assert "d5a6:" in shown(interface)
        process.send_signal(signal.SIGKILL)
    assert wait_until(lambda: "d5a6:" not in shown(interface), 10, 0.05)


def test_what_a_killed_host_left_is_replaced(interface: Interface) -> None:
    command = ["tc", "qdisc", "add", "dev", interface.name, "root", "handle", "d5a6:", "htb"]
    subprocess.run(command, check=True)
    with limited(interface, 10):
        assert "rate 10Mbit" in shown(interface, "class")
    assert "d5a6:" not in shown(interface)


def test_a_limit_of_another_run_stays(interface: Interface) -> None:
    with limited(interface, 10):
        with pytest.raises(Unshapeable, match="another run limits"), limited(interface, 20):
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

    def with_nonsense(*words: str) -> str:
        return tc(*words, *(["nonsense"] if words[:2] == ("class", "add") else []))

    monkeypatch.setattr(shaping, "_tc", with_nonsense)
    with pytest.raises(Unshapeable, match="nonsense"), limited(interface, 10):
        pass
    assert "d5a6:" not in shown(interface)
