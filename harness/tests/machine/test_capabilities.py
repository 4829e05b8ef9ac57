"""What the probes claim, and that they claim it in a line."""

import os
import subprocess

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
