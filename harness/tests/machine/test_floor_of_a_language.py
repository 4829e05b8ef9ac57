"""The harness's own program in a language is compiled and run by the implementation's tools."""

import os
import re
from pathlib import Path

import psutil
import pytest
from waiting import wait_until

from dramaturg.machine import language

LEAVES = """\
#!/bin/sh
setsid sh -c 'echo $$ >>{pids}; exec sleep 600' >/dev/null 2>&1 </dev/null &
while [ ! -s {pids} ]; do sleep 0.01; done
{then}
"""


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The environment in which ``python3`` is what a manifest's PATH makes of it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "bin").mkdir()
    return {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "HOME": str(tmp_path)}


@pytest.mark.parametrize(
    ("then", "nanos", "says"),
    [
        ("echo 5.5", 5.5, "5.500 ns"),
        ("exit 3", None, "not run: .*status 3"),
        ("exec sleep 600", None, "not run: .*timed out"),
    ],
)
def test_what_is_left_running_is_ended_with_it(
    then: str, nanos: float | None, says: str, tool: dict[str, str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """A daemon of a stranger's would be there when one signs."""
    monkeypatch.setattr(language, "RUN_TIME", 3)
    pids = tmp_path / "pids"
    (tmp_path / "bin" / "python3").write_text(LEAVES.format(pids=pids, then=then))
    (tmp_path / "bin" / "python3").chmod(0o755)
    found = language.floor("python3", tool, ["3.11"])
    assert found.nanos == nanos
    left = [int(each) for each in pids.read_text().split()]
    assert left, "it was tried"
    assert wait_until(lambda: not any(psutil.pid_exists(each) for each in left), 20)
    assert re.search(says, found.source), found.source
