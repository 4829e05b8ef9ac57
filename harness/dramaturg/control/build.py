"""Build an implementation, once, and know which build it is."""

import contextlib
import subprocess
from collections.abc import Callable
from pathlib import Path

from dramaturg import files
from dramaturg.control import interrupts, variables
from dramaturg.control.digest import digest
from dramaturg.control.errors import BuildFailed, HarnessFault
from dramaturg.control.manifest import Implementation
from dramaturg.control.process import Supervised

__all__ = ["build", "build_folder", "digest", "is_current"]

_STAMP = "built"


def build_folder(implementation: Implementation) -> Path:
    """Where its build output goes; a variant with build settings has a folder of its own."""
    return implementation.folder / implementation.build


def is_current(implementation: Implementation) -> bool:
    """Whether the last successful build was of what the folder holds now."""
    stamp = build_folder(implementation) / _STAMP
    return stamp.exists() and stamp.read_text().strip() == digest(implementation)


def build(
    implementation: Implementation,
    force: bool = False,
    on_output: Callable[[str], None] = lambda line: None,
) -> str:
    """Build if anything changed since the last build; returns the build's digest. Two runs
    never build in one folder at once: the second waits, and says so.

    Raises BuildFailed with the command and the end of its output, HarnessFault if its folder
    cannot be written to.
    """
    folder = build_folder(implementation)

    def busy() -> None:
        on_output(f"waiting: another run is building in {folder}")

    try:
        folder.mkdir(parents=True, exist_ok=True)
        with files.locked(folder, busy):
            return _build(implementation, force, on_output)
    except OSError as error:
        said = f"{error.filename}: {error.strerror}"
        raise HarnessFault(f"{implementation.name} cannot be built: {said}") from None


def _build(implementation: Implementation, force: bool, on_output: Callable[[str], None]) -> str:
    wanted = digest(implementation)
    stamp = build_folder(implementation) / _STAMP
    if not force and is_current(implementation):
        return wanted
    stamp.unlink(missing_ok=True)
    environment = variables.for_build(implementation)
    log = stamp.parent / "build.log"
    with files.naming(log):
        log.write_text("")
    for command in implementation.manifest.build.commands:
        _run(command, implementation, environment, log, on_output)
    files.write_text(stamp, wanted + "\n")
    return wanted


def _run(
    command: list[str],
    implementation: Implementation,
    environment: dict[str, str],
    log: Path,
    on_output: Callable[[str], None],
) -> None:
    on_output(" ".join(command))
    with log.open("ab") as output, contextlib.ExitStack() as stack:
        try:
            with interrupts.held():
                process = stack.enter_context(
                    Supervised.start(
                        command,
                        cwd=implementation.folder,
                        environment=environment,
                        stdout=output,
                        stderr=output,
                        stdin=subprocess.DEVNULL,
                    )
                )
        except OSError as error:
            raise BuildFailed(f"{implementation.name}: {' '.join(command)}: {error}") from None
        status = process.wait(implementation.manifest.build.timeout)
    if status != 0:
        reason = "ran out of time" if status is None else f"ended with {status}"
        tail = "\n".join(log.read_text(errors="replace").splitlines()[-15:])
        raise BuildFailed(
            f"{implementation.name}: `{' '.join(command)}` {reason}. The end of {log}:\n{tail}"
        )
