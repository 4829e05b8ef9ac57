"""``dramaturg bench --precision``: a plan by a pilot, which is run first or was run before."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dramaturg import results
from dramaturg.machine import environment
from dramaturg.timing.planning import precision
from dramaturg.timing.planning.suites import SuiteError
from dramaturg.timing.planning.timing_plan import Plan
from dramaturg.visible import typed

FOLDER = "pilot"
"""The folder, within the results that it serves, in which a pilot is kept."""


def asked(
    text: str | None, pilot: Path | None, given: Mapping[str, Any], dry_run: bool
) -> float | None:
    """The precision as a share, if there is to be any. Raises SuiteError."""
    if text is None:
        if pilot:
            raise SuiteError("--pilot goes with --precision")
        return None
    fixed = [f"--{name}" for name in ("invocations", "iterations", "warmup") if name in given]
    if fixed:
        raise SuiteError(f"--precision plans {' and '.join(fixed)}; leave out the one or the other")
    if dry_run and not pilot:
        raise SuiteError(
            "--dry-run runs no pilot: give results that are one with --pilot FOLDER,"
            " or leave out --precision"
        )
    return precision.parsed(text)


def short(made: Plan) -> Plan:
    """The pilot of a plan: a few invocations of everything."""
    units = [unit.model_copy(update={"invocations": precision.PILOT}) for unit in made.units]
    return made.model_copy(update={"units": units})


def planned(made: Plan, pilot: Path, share: float) -> Plan:
    """The plan by this pilot. Raises SuiteError for one that was cut short, or is of another
    machine or kernel, and ResultsError."""
    recorded = results.read(pilot / results.TIMINGS)
    if not recorded.complete:
        raise SuiteError(
            f"{pilot}: the pilot was cut short;"
            f" `dramaturg bench --resume {typed(pilot)}` goes on with it"
        )
    here = {"kernel": os.uname().release, "machine": environment.identity()}
    for what, now in here.items():
        if recorded.header.get(what) != now:
            raise SuiteError(
                f"{pilot}: the pilot's {what} is not that of now; run one here, without --pilot"
            )
    return precision.planned(made, recorded, share)
