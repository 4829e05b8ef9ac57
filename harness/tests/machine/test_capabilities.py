"""The claims of the probes, each in a line."""

import os
import subprocess
import sys

import pytest

from dramaturg.machine import capabilities
from dramaturg.machine.capabilities import Capabilities, Capability


def test_every_capability_explains_itself_in_one_line() -> None:
    for capability in capabilities.probe().all:
        assert capability.explanation
        assert "\n" not in capability.explanation


def test_every_need_of_mininet_is_probed() -> None:
    probed = {capability.name for capability in capabilities.probe().all}
    assert probed >= set(capabilities.NEEDED_BY_MININET)


def test_what_is_missing_for_mininet_is_said_with_its_reason() -> None:
    able = Capabilities(
        tuple(
            Capability(name, name != "veth", f"{name}: because")
            for name in capabilities.NEEDED_BY_MININET
        )
    )
    assert able.why_no_mininet == "veth: because"


def test_probing_leaves_no_interface_behind() -> None:
    capabilities.probe.cache_clear()
    capabilities.probe()
    shown = subprocess.run(["ip", "link"], capture_output=True, text=True, check=False).stdout
    assert " d0" not in shown


@pytest.mark.skipif(os.geteuid() == 0, reason="runs as root")
def test_without_root_the_reason_is_root() -> None:
    assert "root" in capabilities.probe().why_no_mininet


REFUSED = "RTNETLINK answers: Operation not permitted"
NET_ADMIN, SYS_ADMIN = 1 << 12, 1 << 21


@pytest.mark.parametrize(
    ("held", "said", "complaint"),
    [
        (SYS_ADMIN, REFUSED, "no right to make networks"),
        (0, "unshare: unshare failed: Operation not permitted", "no right to make namespaces"),
        (NET_ADMIN, "unshare failed: Operation not permitted", "no right to make namespaces"),
        (SYS_ADMIN | NET_ADMIN, REFUSED, "seccomp"),
        (0, "RTNETLINK answers: Operation not supported", ""),
    ],
)
def test_a_right_that_is_not_given_is_told_from_what_the_kernel_lacks(
    monkeypatch: pytest.MonkeyPatch, held: int, said: str, complaint: str
) -> None:
    monkeypatch.setattr(capabilities, "_effective", lambda: held)
    found = capabilities._no_right(said)
    assert complaint in found
    assert bool(found) is bool(complaint)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has a right to lose")
def test_without_net_admin_no_kernel_is_accused() -> None:
    code = (
        "from dramaturg.machine import capabilities as c; print(c.probe()['veth'].explanation);"
        "print(c.probe().why_no_mininet)"
    )
    without = ["setpriv", "--bounding-set=-net_admin", "--inh-caps=-net_admin"]
    done = subprocess.run(
        [*without, sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    if "veth: works" in done.stdout or "not installed" in done.stdout:
        pytest.skip("this machine has the right all the same, or no tool to ask with")
    assert "no right to make networks" in done.stdout
    assert "--cap-add NET_ADMIN" in done.stdout
    assert "lacks CONFIG" not in done.stdout
    assert done.stdout.splitlines()[1].count("no right") == 1
