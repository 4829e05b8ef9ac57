"""Tests of which `make test` performs a part, which the commit chooses, so that each has its turn.

Their mark is ``sampled``, with a number: one in so many is performed. `make test WHOLE=1`, and
pytest by itself, perform all.
"""

import functools
import hashlib
import os
from collections.abc import Iterable

import pytest

from dramaturg import paths
from dramaturg.processes import git

VARIABLE = "SAMPLED"
"""The variable with which `make test` asks for a part."""


@functools.cache
def commit() -> str:
    """The commit that is tested. Empty outside of a repository: then all are performed."""
    return (git.ask(paths.ROOT, "rev-parse", "--verify", "--quiet", "HEAD") or b"").decode().strip()


def is_chosen(name: str, share: int, commit: str) -> bool:
    """Whether this commit performs it, as it does one in so many."""
    return not commit or hashlib.sha256(f"{name} {commit}".encode()).digest()[0] * share < 256


def leave_out(items: Iterable[pytest.Item]) -> None:
    """Skip those that have a mark and are not chosen, if a part was asked for."""
    if VARIABLE not in os.environ:
        return
    for item in items:
        mark = item.get_closest_marker("sampled")
        if mark is not None and not is_chosen(item.name, mark.args[0], commit()):
            reason = f"not run: a commit performs one in {mark.args[0]}, `make test WHOLE=1` all"
            item.add_marker(pytest.mark.skip(reason=reason))
