"""A module's name is there once, so that it says which is meant, and says what the module does."""

from collections import defaultdict
from pathlib import Path

import pytest

from dramaturg import paths
from dramaturg.cli.main import COMMANDS
from dramaturg.trace.partial.benchmarks import BENCHMARKS

PACKAGE = paths.ROOT / "harness" / "dramaturg"

SAID = {"__init__"}
"""The modules that every folder has."""


def twice(package: Path) -> dict[str, list[str]]:
    """Modules of one name, by that name, but for those that stand one for each benchmark, and for
    commands, which are called as they are typed."""
    found: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    for file in sorted(package.rglob("*.py")):
        place = file.relative_to(package)
        is_command = place.parent == Path("cli") and file.stem in COMMANDS
        if file.stem not in SAID and place.parts[0] != "v2" and not is_command:
            of_benchmark = file.stem in BENCHMARKS and place.parent.name in ("model", "partial")
            found[file.stem].append((str(place), of_benchmark))
    return {
        name: [place for place, _ in places]
        for name, places in found.items()
        if len(places) > 1 and not all(of_benchmark for _, of_benchmark in places)
    }


def test_no_two_modules_share_a_name() -> None:
    assert twice(PACKAGE) == {}


@pytest.mark.parametrize(
    ("place", "is_named"),
    [
        ("report/ledger.py", True),
        ("trace/partial/ledger.py", True),
        ("trace/partial/chain.py", False),
        ("report/chain.py", True),
        ("cli/report.py", False),
        ("__init__.py", False),
    ],
)
def test_a_name_that_is_there_already_is_found(tmp_path: Path, place: str, is_named: bool) -> None:
    for each in ("timing/validity/ledger.py", "model/chain.py", "certificates/report.py", place):
        file = tmp_path / each
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")
    assert bool(twice(tmp_path)) is is_named
