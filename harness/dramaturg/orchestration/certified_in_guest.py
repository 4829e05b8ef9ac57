"""``dramaturg certify --kernel uml``, from outside: the same command is carried out inside, and the
lines that it prints there are printed here."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from dramaturg import files, paths, results
from dramaturg.implementation import certification_cache
from dramaturg.implementation.manifest import Implementation
from dramaturg.machine.usermode import Kernel
from dramaturg.net import guest
from dramaturg.net.guest import Guest, GuestFailed
from dramaturg.orchestration import guest_kernel
from dramaturg.outcomes import Outcome
from dramaturg.records import CaseRecord
from dramaturg.report.report_files import write_all
from dramaturg.terminal import show


def certify(
    implementations: Sequence[Implementation],
    words: Sequence[str],
    folder: Path,
    kernel: Kernel,
    as_json: bool,
) -> int:
    """Have ``dramaturg certify`` carried out inside, with these words, and with its results in
    ``folder``, which is there. Return its exit code. Raises GuestFailed if it has none."""
    inside = Guest(
        command=paths.python("-m", "dramaturg.orchestration.inside_certification"),
        given=json.dumps([*words]),
        cwd=Path.cwd(),
        folder=folder,
        environment=guest_kernel.environment_of(implementations),
    )
    inside.script(kernel)  # A folder that cannot be mounted is refused before anything is built.
    guest_kernel.build_outside(implementations, as_json)
    if not as_json:
        show.notices().print(f"Linux {kernel.release} starts", style="dim")
    status: int | None = None
    try:
        with guest.started(kernel, inside) as lines:
            status = next(filter(_is_status, map(_heard, lines)), None)
    finally:
        _settle(implementations, folder, reported=status is not None)
    if status is None:
        raise GuestFailed(
            f"User-Mode Linux ended before certify did: see the end of {folder / guest.LOG}"
        )
    if status < 0:
        raise GuestFailed(f"inside, certify was ended by signal {-status}; memory may be short")
    return status


def _is_status(status: int | None) -> bool:
    return status is not None


def _settle(implementations: Sequence[Implementation], folder: Path, *, reported: bool) -> None:
    """Do outside what was written to memory inside: ``latest`` points to the folder, and builds
    that were found wrong are certified no more. Without a report from inside, make it here."""
    if not (folder / results.CONFORMANCE).exists():
        return
    results.note_latest(folder)
    records = results.read(folder / results.CONFORMANCE).cases
    failed = {record.implementation for record in records if _is_wrong(record)}
    for each in implementations:
        if each.name in failed:
            certification_cache.forget(each, certification_cache.CERTIFIED)
    if not reported:
        write_all(folder)
        show.notices().print(f"what was performed until then is in {folder}")


def _is_wrong(record: CaseRecord) -> bool:
    wrong = record.outcome in (Outcome.FAIL, Outcome.CRASH, Outcome.TIMEOUT)
    return wrong and not record.known and not record.excused


def _heard(line: str) -> int | None:
    """Print a line from inside (inside_certification.py), or return the exit code that it says."""
    try:
        match json.loads(line):
            case {"out": str(text)}:
                print(text, flush=True)
            case {"error": str(text)}:
                print(text, file=sys.stderr, flush=True)
            case {"status": int(status)}:
                return status
            case _:
                raise ValueError("no line of certify")
    except ValueError as error:
        raise GuestFailed(f"User-Mode Linux says {files.brief(repr(line))}: {error}") from None
    return None
