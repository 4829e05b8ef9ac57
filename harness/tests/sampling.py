"""Tests of which `make test` performs a part, which the commit chooses, so that each has its turn.

They are those that start processes, build, or wait, and so take most of the time: modules and
folders below, and single tests with the mark ``sampled`` and a number, one in so many of which is
performed. `make test WHOLE=1`, and pytest by itself, perform all.
"""

import functools
import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from dramaturg import paths
from dramaturg.processes import git

VARIABLE = "SAMPLED"
"""The variable with which `make test` asks for a part."""


SHARES = {
    "attack/test_current_folder.py": 4,
    "cli/test_bench_baseline.py": 3,
    "cli/test_bench_plans.py": 3,
    "cli/test_compare.py": 4,
    "cli/test_verify.py": 4,
    "cli/test_warmup.py": 3,
    "cluster": 4,
    "documents/test_findings.py": 3,
    "fire": 4,
    "implementation/test_socket_variants.py": 4,
    "orchestration/test_bench_inside.py": 3,
    "orchestration/test_watching.py": 3,
    "package/test_action.py": 3,
    "package/test_new_from_wheel.py": 6,
    "package/test_new_scripts.py": 6,
    "package/test_wheel.py": 3,
    "site/test_site_bad_input.py": 4,
    "site/test_site_collect.py": 4,
    "site/test_site_strangers.py": 4,
}
"""By module or folder: one in so many of its tests is performed."""


@functools.cache
def commit() -> str:
    """The commit that is tested. Empty outside of a repository: then all are performed."""
    return (git.ask(paths.ROOT, "rev-parse", "--verify", "--quiet", "HEAD") or b"").decode().strip()


def is_chosen(name: str, share: int, commit: str) -> bool:
    """Whether this commit performs it, as it does one in so many."""
    return not commit or hashlib.sha256(f"{name} {commit}".encode()).digest()[0] * share < 256


def leave_out(items: Iterable[pytest.Item]) -> None:
    """Skip those that are not chosen, if a part was asked for."""
    if VARIABLE not in os.environ:
        return
    for item in items:
        share = _share(item)
        if share > 1 and not is_chosen(item.name, share, commit()):
            reason = f"not run: a commit performs one in {share}, `make test WHOLE=1` all"
            item.add_marker(pytest.mark.skip(reason=reason))


@functools.cache
def changed() -> frozenset[Path]:
    """The files of the work tree that are new, or not as they were last added: their tests are all
    performed."""
    words = ("ls-files", "--modified", "--others", "--exclude-standard", "-z", "--", "harness")
    said = (git.ask(paths.ROOT, *words) or b"").decode().split("\0")
    return frozenset(paths.ROOT / name for name in said if name)


def _share(item: pytest.Item) -> int:
    if item.path in changed():
        return 1
    if mark := item.get_closest_marker("sampled"):
        return int(mark.args[0])
    if not item.path.is_relative_to(_TESTS):
        return 1
    module = item.path.relative_to(_TESTS)
    return SHARES.get(str(module), SHARES.get(module.parts[0], 1))


_TESTS = Path(__file__).parent
