"""A command imports what takes long to import only where it needs it: everybody waits for it."""

import json
import subprocess
import sys
from pathlib import Path

from dramaturg.cli import main

SLOW = {"scipy", "hypothesis", "ruptures", "duckdb"}
"""SciPy's statistics alone took half of the time in which a command is there."""

EXEMPT = {"history"}
"""Change points are found by ruptures, which imports SciPy itself."""

COMMANDS = {file.stem for file in Path(main.__file__).parent.glob("[a-z]*.py")} - EXEMPT

SAY = """
import importlib, json, sys
brought = {}
for command in sys.argv[2:]:
    before = set(sys.modules)
    importlib.import_module(f"dramaturg.cli.{command}")
    new = {module.partition(".")[0] for module in set(sys.modules) - before}
    brought[command] = sorted(new & set(json.loads(sys.argv[1])))
print(json.dumps({command: slow for command, slow in brought.items() if slow}))
"""


def brought(*commands: str) -> dict[str, list[str]]:
    """The slow ones among what commands import, by the first that does. All in one process."""
    program = [sys.executable, "-c", SAY, json.dumps(sorted(SLOW)), *commands]
    done = subprocess.run(program, capture_output=True, text=True, check=True)
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


def test_no_command_waits_for_what_it_may_not_need() -> None:
    assert {"certify", "bench", "mutants", "claims"} <= COMMANDS
    assert brought(*sorted(COMMANDS)) == {}


def test_whoever_imports_what_is_slow_is_named() -> None:
    assert brought("history") == {"history": ["ruptures", "scipy"]}
