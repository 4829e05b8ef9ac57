"""Implementations to set on fire, disks to fill."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dramaturg import paths
from dramaturg.cases.cases import load_all
from dramaturg.conformance.performer import Performer
from dramaturg.conformance.pool import Pool
from dramaturg.implementation.manifest import Implementation, load
from dramaturg.outcomes import Outcome
from dramaturg.plan.case_plan import Item
from dramaturg.records import CaseRecord

Command = Callable[..., "subprocess.CompletedProcess[str]"]

CASES = {case.name: case for case in load_all()}

FAULTY = Path(__file__).with_name("faulty.py")

START, CALL = 4.0, 1.2
"""Seconds that it may take to start and to answer: short, and long for what it does, on a
machine that does little else."""


def pace() -> float:
    """Return how many times as long everything takes now, by the number of processes that wait for
    a core."""
    return max(1.0, 1.5 * os.getloadavg()[0] / (os.cpu_count() or 1))


def faulty(
    folder: Path, control: str, step: str, fault: str, build: str = "", limit: float = 0.0
) -> Implementation:
    """``faulty.py`` with this fault at this step; ``build`` is a script for the shell, ``limit``
    takes the place of all time limits."""
    folder.mkdir(parents=True)
    commands = f"commands = [['sh', '-c', '{build}']]\n" if build else ""
    arguments = [control, step, fault, str(folder / "mark")]
    words = ", ".join(f'"{word}"' for word in [sys.executable, str(FAULTY), *arguments])
    (folder / "dramaturg.toml").write_text(
        f'name = "reference"\nlanguage = "Python"\nspec = "2"\ncontrol = "{control}"\n'
        'benchmarks = ["chatapp", "pingpong"]\ndistributed = ["pingpong"]\n'
        '[build]\ninputs = ["*.toml"]\n'
        f"{commands}[run]\ncommand = [{words}]\n"
        f"start_timeout = {limit or START * pace()}\ncall_timeout = {limit or CALL * pace()}\n"
        f"settle_timeout = {limit or CALL * pace()}\n"
        f'[run.environment]\nPYTHONPATH = "{paths.ROOT / "harness"}"\n'
        'PYTHONDONTWRITEBYTECODE = "1"\n'
    )
    return load(folder)


def perform_twice(implementation: Implementation, case: str, output: Path) -> list[CaseRecord]:
    """The case, and once more with whoever is there then. Where the machine is too busy to say
    whose fault a silence is, the harness says that, and the test is not run: more tasks than cores
    were ready then, by the kernel's average."""
    pool = Pool(stderr=output / "stderr")
    performer = Performer(pool, output / "traces")
    try:
        records = [performer.perform(Item(implementation, CASES[case]))[0] for _ in range(2)]
    finally:
        pool.close()
    for record in records:
        busy = os.getloadavg()[0] > (os.cpu_count() or 1)
        said = "machine is too busy to tell" in record.message
        if record.outcome is Outcome.NOT_RUN and said and busy:
            pytest.skip(f"not run: {record.message}")
    return records


class Disk:
    """A file system of one megabyte and a few files, and what takes its place on it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def leave(self, free: int) -> None:
        """Fill it up to so many bytes, in whole pages."""
        there = os.statvfs(self.folder)
        self._ballast.write_bytes(bytes(there.f_bavail * there.f_frsize - free))

    def make_space(self) -> None:
        self._ballast.unlink()

    @contextlib.contextmanager
    def seen_at(self, folder: Path) -> Iterator[None]:
        """It is this folder as well, and not by a link."""
        folder.mkdir(parents=True)
        subprocess.run(["mount", "--bind", self.folder, folder], check=True)
        try:
            yield
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)
