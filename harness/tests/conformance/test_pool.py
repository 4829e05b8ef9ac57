"""Sessions are started when needed, and again after a failure."""

import pytest

from dramaturg.conformance.pool import Pool
from dramaturg.implementation import build, toolchain
from dramaturg.implementation.manifest import Implementation, find


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
