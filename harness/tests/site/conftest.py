"""Sites are made of what attacks and reports are tested with; nothing here knows the user's keys
or what this machine has verified."""

import sys
from pathlib import Path

import pytest

from dramaturg.timing.statistics import estimates

sys.path += [str(Path(__file__).resolve().parents[1] / room) for room in ("attack", "report")]


@pytest.fixture(autouse=True)
def nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture(autouse=True, scope="module")
def few_resamples():
    """The statistics have tests of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(estimates, "RESAMPLES", 50)
        yield
