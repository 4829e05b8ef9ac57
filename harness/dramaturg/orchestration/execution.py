"""Carry out a job, show how far it is, and write the report of what there is."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.progress import Progress

from dramaturg import results
from dramaturg.errors import ClusterLost
from dramaturg.hosts.asked_hosts import Asked
from dramaturg.machine import quota
from dramaturg.machine.usermode import Kernel
from dramaturg.net.guest import GuestFailed
from dramaturg.orchestration import bench_on_hosts, guest_kernel
from dramaturg.orchestration.job import Job, Keeper, in_words
from dramaturg.outcomes import INTERRUPTED, Outcome
from dramaturg.records import UnitRecord
from dramaturg.report.report_files import write_all
from dramaturg.report.summary import Summary
from dramaturg.results import RecordsLost
from dramaturg.terminal import show, timing_table
from dramaturg.timing.planning.timing_plan import Unit
from dramaturg.visible import typed


def recorded(
    job: Job,
    as_json: bool,
    *,
    command: str = "bench",
    kernel: Kernel | None = None,
    hosts: Asked | None = None,
) -> tuple[Summary, Outcome]:
    """Run the job's plan and write the report, of what there is if it is cut short.

    ``command`` is what goes on with it. With a ``kernel`` it is run inside that one, and with
    ``hosts`` on these.
    """
    folder = job.folder
    if (share := quota.cores()) is not None and not as_json:
        show.notices().print(
            f"dramaturg: a CPU quota leaves {share:g} cores over time here: the kernel stops"
            " processes that use more, and figures include that"
        )
    again = f"`dramaturg {command} --resume {typed(folder)}` goes on"
    try:
        with show.progress(as_json) as bar:
            if kernel is not None:
                outcome = guest_kernel.perform(job, kernel, bar, as_json)
            elif hosts is not None:
                outcome = bench_on_hosts.perform(job, hosts, bar, as_json)
            else:
                outcome = job.perform(lambda said: _Bar(bar, folder, said, as_json))
        return write_all(folder), outcome
    except RecordsLost as error:
        raise RecordsLost(f"{error}; measurements made before are kept, and {again}") from None
    except GuestFailed as error:
        if not (folder / results.TIMINGS).exists():
            raise
        raise GuestFailed(f"{error}; measurements made before are kept, and {again}") from None
    except ClusterLost as error:
        if not (folder / results.TIMINGS).exists():
            raise
        write_all(folder)
        raise ClusterLost(f"{error}; measurements made before are kept, and {again}") from None
    except KeyboardInterrupt:
        if not (folder / results.TIMINGS).exists():
            raise
        write_all(folder)
        said = f"dramaturg: interrupted; the measurements so far are in {folder}, and {again}"
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
            self._bar.console.print(timing_table.line(record), soft_wrap=True)
