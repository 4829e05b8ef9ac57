"""``dramaturg bench --kernel uml``, from outside: build, start the guest, show what it says."""

import functools
import json
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.progress import Progress, TaskID

from dramaturg import files, paths
from dramaturg.errors import ControlError
from dramaturg.implementation import build, toolchain, variables
from dramaturg.implementation.manifest import Implementation
from dramaturg.machine import environment, usermode
from dramaturg.machine.usermode import Kernel
from dramaturg.net import guest
from dramaturg.net.guest import Guest, GuestFailed
from dramaturg.orchestration.job import Job, Sent
from dramaturg.outcomes import Outcome
from dramaturg.results import RecordsLost, ResultsError
from dramaturg.terminal import show
from dramaturg.timing.planning.suites import SuiteError

_KEPT = (*variables.KEPT, "XDG_CACHE_HOME")
"""Variables of the harness's own that it has inside as well: where things are."""

_OF_ROOT = "/usr/sbin:/sbin"
"""Folders that a user's PATH need not have. Inside, the harness is root."""


def asked(
    kernel: str | None,
    header: Mapping[str, Any] | None = None,
    refused: Mapping[str, Any] | None = None,
) -> bool:
    """True if the run is to be inside: the command line says it, or the header of the run that it
    goes on with. ``refused`` are options that do not go with it, by their names. Raises
    SuiteError."""
    if kernel is None:
        return header is not None and header.get(usermode.HEADER) == usermode.ASKED
    named = [name for name, value in (refused or {}).items() if value]
    if named:
        raise SuiteError(
            f"--kernel {kernel} does not go with {' and '.join(named)}: leave out the one or the"
            " other"
        )
    return True


def cores() -> range:
    """As plans for inside count them: from 0, as many as there are here. Inside there is one, and
    what asks for more is not run there, with the reason."""
    return range(len(environment.pinned_to() or range(os.cpu_count() or 1)))


def found() -> Kernel:
    """The kernel to start. Ends the command, as *not run*, where there is none."""
    kernel, why_not = usermode.find()
    if kernel is None:
        show.notices().print(f"dramaturg: not run: --kernel {usermode.ASKED}: {why_not}")
        sys.exit(Outcome.NOT_RUN.exit_code)
    return kernel


def perform(job: Job, kernel: Kernel, bar: Progress, as_json: bool) -> Outcome:
    """As ``Job.perform``, inside. Raises GuestFailed, and what is raised inside as ResultsError and
    RecordsLost."""
    job = replace(job, header={**job.header, usermode.HEADER: usermode.ASKED})
    build_outside(job.implementations.values(), as_json)
    sent = Sent.of(job, watched=not bar.disable)
    inside = Guest(
        command=paths.python("-m", "dramaturg.orchestration.inside_guest"),
        given=sent.model_dump_json(),
        cwd=Path.cwd(),
        folder=job.folder,
        environment=environment_of(job.implementations.values()),
    )
    task = bar.add_task(f"Linux {kernel.release} starts", total=None)
    with guest.started(kernel, inside) as lines:
        for line in lines:
            outcome = _heard(line, bar, task, as_json)
            if outcome is not None:
                return outcome
    raise GuestFailed(
        "User-Mode Linux ended, and the harness inside it had not: see the end of"
        f" {job.folder / guest.LOG}"
    )


def build_outside(implementations: Iterable[Implementation], as_json: bool) -> None:
    """Build those that can be built. The command inside says why the others cannot."""
    for each in implementations:
        try:
            toolchain.require(each)
            build.build(each, on_output=functools.partial(_tell, each.name, as_json))
        except ControlError:
            continue


def environment_of(implementations: Iterable[Implementation]) -> dict[str, str]:
    """Return the variables that the harness has inside, for these."""
    # A harness that was found through this variable is found so inside as well.
    names = _KEPT if "-I" in paths.isolation() else (*_KEPT, "PYTHONPATH")
    kept = {name: os.environ[name] for name in names if name in os.environ}
    for each in implementations:
        kept |= variables.named(each)
    # Inside it is root, and files are whose they are outside: git is told who had asked.
    kept["SUDO_UID"] = os.environ.get("SUDO_UID", str(os.getuid()))
    kept["PATH"] = f"{kept.get('PATH', os.defpath)}:{_OF_ROOT}"
    return kept


def _heard(line: str, bar: Progress, task: TaskID, quiet: bool) -> Outcome | None:
    """Handles a line of the harness inside (inside_guest.py): returns its outcome, if it has
    ended."""
    try:
        said = json.loads(line)
        match said:
            case {"ended": word}:
                return Outcome(word)
            case {"failed": text, "as": kind}:
                raise _failure(str(text), str(kind))
            case {"said": text}:
                if not quiet:
                    bar.console.print(str(text), soft_wrap=True)
            case {"doing": text, "completed": int(done), "total": int(total)}:
                bar.update(task, description=str(text), completed=done, total=total)
            case {"doing": text}:
                bar.update(task, description=str(text))
    except ValueError as error:
        raise GuestFailed(f"User-Mode Linux says {files.brief(repr(line))}: {error}") from None
    return None


def _failure(text: str, kind: str) -> Exception:
    match kind:
        case "records lost":
            return RecordsLost(text)
        case "bad input":
            return ResultsError(text)
        case _:
            return GuestFailed(f"inside User-Mode Linux: {text}")


def _tell(name: str, quiet: bool, line: str) -> None:
    if not quiet:
        show.notices().print(f"{name}: {line}", style="dim")
