"""The time that an author waits: from a saved file to a verdict.

    .venv/bin/python harness/benchmarks/bench_loop.py asyncio erlang

For each implementation, in a copy of its folder: ping-pong's source is saved with one more line
feed, and one serial case is certified, once by the command typed again and once by `--watch`.
Both are compared with the first time, which builds everything. The ratios count; the seconds are
this machine's.
"""

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from dramaturg.errors import ControlError
from dramaturg.implementation import sources
from dramaturg.implementation.manifest import find, load
from dramaturg.processes import interrupts

CASE = ["--level", "1", "--", "-k", "pingpong-one-round"]
PROGRAM = [sys.executable, "-m", "dramaturg.cli.main", "certify"]

TIMES = 5
"""Saves of each kind; their median is shown."""

PATIENCE = 900.0
"""Seconds for one verdict, a whole build among it."""

WAITS = "Ctrl-C ends it"


def main(names: list[str]) -> None:
    """Measure these implementations, and print a row for each."""
    print(f"{'':12}{'first':>9}{'typed':>9}{'watched':>9}{'typed/first':>13}{'watched/typed':>15}")
    for name in names:
        with tempfile.TemporaryDirectory(prefix="dramaturg-loop-") as place:
            first, typed, watched = _measure(name, Path(place))
        ratios = f"{typed / first:>13.2f}{watched / typed:>15.2f}"
        print(f"{name:12}{first:>8.2f}s{typed:>8.2f}s{watched:>8.2f}s{ratios}", flush=True)


def _measure(name: str, place: Path) -> tuple[float, float, float]:
    """Seconds: of the first run, of one that is typed again, of one that is watched."""
    folder = place / name
    ignored = shutil.ignore_patterns(".build", "__pycache__", "results")
    shutil.copytree(find(name).folder, folder, ignore=ignored)
    file = _of_pingpong(folder)
    first = _typed(folder, place)
    typed = []
    for _ in range(TIMES):
        _save(file)
        typed.append(_typed(folder, place))
    return first, statistics.median(typed), statistics.median(_watched(folder, place, file))


def _typed(folder: Path, place: Path) -> float:
    began = time.monotonic()
    done = subprocess.run(
        [*PROGRAM, str(folder), *CASE], cwd=place, capture_output=True, text=True, check=False
    )
    if "1/1" not in done.stdout:
        sys.exit(f"{folder.name}: the case was not passed:\n{done.stdout}{done.stderr}")
    return time.monotonic() - began


def _watched(folder: Path, place: Path, file: Path) -> list[float]:
    said = place / "said"
    with said.open("wb") as output:
        command = [*PROGRAM, str(folder), "--watch", *CASE]
        process = subprocess.Popen(command, cwd=place, stdout=output, stderr=output)
    try:
        _await(said, 1)
        found = []
        for number in range(TIMES):
            time.sleep(1)
            _save(file)
            began = time.monotonic()
            _await(said, number + 2)
            found.append(time.monotonic() - began)
        return found
    finally:
        process.terminate()
        process.wait()


def _await(said: Path, verdicts: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while said.read_text().count(WAITS) < verdicts:
        if time.monotonic() > deadline:
            sys.exit(f"no verdict came:\n{said.read_text()}")
        time.sleep(0.01)


def _of_pingpong(folder: Path) -> Path:
    """The input that has ping-pong's actors."""
    try:
        inputs = sources.inputs(load(folder))
    except ControlError as error:
        sys.exit(str(error))
    named = [file for name, file in inputs.items() if "pingpong" in name.replace("_", "").lower()]
    if not named:
        sys.exit(f"{folder}: no input is called after ping-pong")
    return min(named, key=lambda file: len(file.parts))


def _save(file: Path) -> None:
    file.write_text(file.read_text() + "\n")


if __name__ == "__main__":
    interrupts.install()
    main(sys.argv[1:] or ["asyncio"])
