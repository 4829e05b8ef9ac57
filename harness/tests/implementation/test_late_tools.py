"""A probe or a build that is late says nothing where nobody gave it a core (LEVEL-35)."""

from pathlib import Path

import pytest

from dramaturg.conformance.result import outcome_of
from dramaturg.errors import BuildFailed, Starved, ToolchainMissing
from dramaturg.implementation import build, toolchain
from dramaturg.implementation.manifest import Implementation, load
from dramaturg.outcomes import Outcome
from dramaturg.processes import starvation
from dramaturg.processes.starvation import Wanted

NEEDS = '[[toolchain.needs]]\nwhat = "Tool"\nprobe = ["sleep", "60"]\nminimum = "1"\n[build]'
HANGS = '[build]\ncommands = [["sleep", "60"]]\ntimeout = 1'
ABSENT = '[[toolchain.needs]]\nwhat = "Other"\nprobe = ["no-such-tool"]\nminimum = "1"\n'


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch, no_process_left: None) -> None:
    monkeypatch.setattr(toolchain, "PROBE_TIMEOUT", 0.2)


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which the harness had no core."""
    monkeypatch.setattr(starvation.Own, "wanted", lambda self: Wanted(60.0, 0.6, 58.0))


def _with(folder: Path, section: str) -> Implementation:
    manifest = folder / "dramaturg.toml"
    manifest.write_text(manifest.read_text().replace("[build]", section))
    return load(folder)


def test_a_probe_that_is_late_on_a_busy_machine_is_no_missing_toolchain(
    busy: None, implementation_folder: Path
) -> None:
    implementation = _with(implementation_folder, NEEDS)
    with pytest.raises(Starved, match=r"^Tool did not answer in .* too busy to tell: the harness"):
        toolchain.require(implementation)
    (finding,) = toolchain.probe(implementation)
    assert not finding.present


def test_a_probe_that_is_late_otherwise_is_a_missing_toolchain(implementation_folder: Path) -> None:
    with pytest.raises(ToolchainMissing, match="Tool did not answer in") as caught:
        toolchain.require(_with(implementation_folder, NEEDS))
    assert "busy" not in str(caught.value)


def test_a_pattern_that_is_late_on_a_busy_machine_is_no_missing_toolchain(
    busy: None, implementation_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(toolchain, "PROBE_TIMEOUT", 60.0)
    monkeypatch.setattr(toolchain, "MATCH_TIMEOUT", 0.0)
    said = NEEDS.replace('["sleep", "60"]', '["echo", "2.0 of today"]')
    with pytest.raises(Starved, match=r"Tool did not answer in .* too busy to tell: the harness"):
        toolchain.require(_with(implementation_folder, said))


def test_a_tool_that_is_missing_is_so_on_a_busy_machine_too(
    busy: None, implementation_folder: Path
) -> None:
    with pytest.raises(ToolchainMissing, match="no-such-tool not found"):
        toolchain.require(_with(implementation_folder, ABSENT + NEEDS))


def test_a_build_that_is_late_on_a_busy_machine_has_not_failed(
    busy: None, implementation_folder: Path
) -> None:
    with pytest.raises(Starved, match=r"`sleep 60` ran out of time; the machine is too busy"):
        build.build(_with(implementation_folder, HANGS))


def test_a_build_that_is_late_otherwise_has_failed(implementation_folder: Path) -> None:
    with pytest.raises(BuildFailed, match=r"`sleep 60` ran out of time\. The end of"):
        build.build(_with(implementation_folder, HANGS))


def test_it_is_not_run() -> None:
    assert outcome_of(Starved("late")) is Outcome.NOT_RUN
