"""Carry out a job, show how far it is, and write the report of what there is."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.progress import Progress

from dramaturg import results
from dramaturg.cli import guest, show, timings
from dramaturg.cli.job import Job, Keeper, in_words
from dramaturg.implementation.manifest import Implementation
from dramaturg.machine.usermode import Kernel
from dramaturg.net.guest import GuestFailed
from dramaturg.outcomes import INTERRUPTED, Outcome
from dramaturg.records import UnitRecord
from dramaturg.report.summary import Summary
from dramaturg.report.write import write_all
from dramaturg.results import RecordsLost
from dramaturg.timing import resume
from dramaturg.timing.plan import Plan, Unit
from dramaturg.timing.runner import IsWanted


def recorded(
    made: Plan,
    implementations: Mapping[str, Implementation],
    folder: Path,
    before: resume.Interrupted | None,
    uncertified: bool,
    as_json: bool,
    *,
    command: str = "bench",
    header: Mapping[str, Any] | None = None,
    is_wanted: IsWanted = lambda unit, number: True,
    kernel: Kernel | None = None,
) -> tuple[Summary, Outcome]:
    """Run the plan and write the report, of what there is if it is cut short.

    ``command`` is what goes on with it; ``header`` is more of what the records begin with. With a
    ``kernel`` it is run inside that one.
    """
    job = Job(made, implementations, folder, before, uncertified, header or {}, is_wanted=is_wanted)
    again = f"`dramaturg {command} --resume {folder}` goes on"
    try:
        with show.progress(as_json) as bar:
            if kernel is not None:
                outcome = guest.perform(job, kernel, bar, as_json)
            else:
                outcome = job.perform(lambda said: _Bar(bar, folder, said, as_json))
        return write_all(folder), outcome
    except RecordsLost as error:
        raise RecordsLost(f"{error}; what was measured before is kept, and {again}") from None
    except GuestFailed as error:
        if not (folder / results.TIMINGS).exists():
            raise
        raise GuestFailed(f"{error}; what was measured before is kept, and {again}") from None
    except KeyboardInterrupt:
        if not (folder / results.TIMINGS).exists():
            raise
        write_all(folder)
        said = f"dramaturg: interrupted; what was measured is in {folder}, and {again}"
        show.notices().print(said)
        sys.exit(INTERRUPTED)


class _Bar(Keeper):
    """Shows where the run is."""

    def __init__(
        self, bar: Progress, folder: Path, described: Mapping[str, Any], as_json: bool
    ) -> None:
        super().__init__(folder, described)
        self._bar = bar
        self._task = bar.add_task("bench", total=None)
        self._quiet = as_json

    def started(self, unit: Unit, invocation: int, done: int, total: int) -> None:
        self._bar.update(self._task, completed=done, total=total, description=str(unit))

    def progress(self, unit: Unit, iteration: int, done: int, total: int) -> None:
        self._bar.update(self._task, description=in_words(unit, iteration, done, total))

    def audits(self, unit: Unit, invocation: int) -> None:
        self._bar.update(self._task, description=f"{unit}, audit")

    def ended(self, record: UnitRecord) -> None:
        if not self._quiet and self.is_news(record):
            self._bar.console.print(timings.line(record), soft_wrap=True)
