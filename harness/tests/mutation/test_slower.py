"""Versions that are right and a tenth slower: each patch applies, and is put to a benchmark."""

from typing import Any

import pytest
import yaml

from dramaturg import paths
from dramaturg.mutation import patches
from dramaturg.timing.planning import suites

FOLDER = paths.CONFORMANCE / "mutants" / "slower"
LISTED: dict[str, Any] = yaml.safe_load((FOLDER / "slower.yaml").read_text())


@pytest.mark.parametrize("name", LISTED)
def test_a_slower_version_applies_and_says_what_it_is(name: str) -> None:
    patch = FOLDER / f"{name}.patch"
    patches.check(paths.IMPLEMENTATIONS / name.partition("/")[0], patch)
    assert patches.docstring(patch).endswith(".")


@pytest.mark.parametrize("name", LISTED)
def test_a_slower_version_is_put_to_a_benchmark_that_can_be_run(name: str) -> None:
    suite = suites.checked({"suite": "slower", "benchmarks": [LISTED[name]]})
    assert suite.benchmarks[0].made.benchmark in ("chatapp", "web", "pingpong", "count")


def test_there_is_a_patch_for_each_name_and_ten_in_three_runtimes() -> None:
    there = {f"{file.parent.name}/{file.stem}" for file in FOLDER.glob("*/*.patch")}
    assert there == set(LISTED)
    assert len(LISTED) == 10
    assert len({name.partition("/")[0] for name in LISTED}) == 3
