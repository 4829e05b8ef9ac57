"""Build an implementation, once, and know which build it is."""

import contextlib
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from dramaturg import files
from dramaturg.errors import BuildFailed, HarnessFault, ManifestError, Starved, Unwritable
from dramaturg.implementation import certification_cache, outputs, startable, variables
from dramaturg.implementation.digest import Built, artefact, built, digest
from dramaturg.implementation.manifest import BUILD, Implementation
from dramaturg.implementation.outputs import LOG
from dramaturg.processes import interrupts, starvation, watchdog
from dramaturg.processes.capped import LIMIT, Capped
from dramaturg.processes.supervised import Supervised

__all__ = [
    "Built", "altered", "artefact", "build", "build_folder", "built", "digest", "is_current",
]  # fmt: skip

_TAIL = 16_384
"""Bytes of a log's end that an error quotes lines of."""

_POLL = 0.2
"""Seconds between two looks at whether a build has written more than is kept."""


def build_folder(implementation: Implementation) -> Path:
    """The folder of its build output; a variant with build settings has one of its own."""
    return implementation.folder / implementation.build


def is_current(implementation: Implementation) -> bool:
    """True if the last successful build was of the present contents of the folder, and its outputs
    are those that are there."""
    return certification_cache.read(implementation, certification_cache.BUILT) == _entry(
        implementation
    )


def altered(implementation: Implementation) -> bool:
    """True if the outputs are not those that were built of these sources."""
    said = certification_cache.read(implementation, certification_cache.BUILT)
    now = _entry(implementation)
    return said.get("build") == now["build"] and said != now


def _entry(implementation: Implementation) -> dict[str, str | None]:
    wanted = digest(implementation)
    try:
        return {"build": wanted, "artefact": artefact(implementation)}
    except ManifestError:  # A link that leads elsewhere: what has it is to be built again.
        return {"build": wanted, "artefact": None}


def build(
    implementation: Implementation,
    on_output: Callable[[str], None] = lambda line: None,
    given_up: Callable[[], bool] = lambda: False,
) -> str:
    """Build if anything changed since the last build; returns the build's digest. Nobody builds
    twice in one folder at once: the second waits, and says so. ``given_up`` is asked meanwhile.

    Raises BuildFailed with the command and the end of its output, Starved if it had no time
    (LEVEL-35), Unwritable if its folder may not be written to, HarnessFault if it cannot.
    """
    folder = build_folder(implementation)
    # Before anything is written there, or a log of before is taken away.
    for place in (implementation.folder / BUILD, folder):
        if place.is_symlink():
            raise BuildFailed(
                f"{implementation.name}: {place} is a link, and what is built is below: remove it"
            )

    def busy() -> None:
        on_output(f"waiting: another run is building in {folder}")

    try:
        folder.mkdir(parents=True, exist_ok=True)
        with files.locked(folder, busy):
            return _build(implementation, on_output, given_up)
    except OSError as error:
        said = f"{error.filename}: {error.strerror}"
        if files.is_unwritable(error) and Path(error.filename or "").resolve() in _around(folder):
            raise Unwritable(
                f"{implementation.name} cannot be built: {said}; a build is made in {BUILD} of its"
                " folder: copy that to where you may write, and name the copy"
            ) from None
        raise HarnessFault(f"{implementation.name} cannot be built: {said}") from None


def _around(folder: Path) -> tuple[Path, ...]:
    return tuple(each.resolve() for each in (folder, folder.parent, folder / LOG))


def _build(
    implementation: Implementation,
    on_output: Callable[[str], None],
    given_up: Callable[[], bool],
) -> str:
    wanted = digest(implementation)
    if is_current(implementation):
        return wanted
    certification_cache.forget(implementation, certification_cache.BUILT)
    environment = variables.for_build(implementation)
    log = build_folder(implementation) / LOG
    with files.naming(log):
        log.unlink(missing_ok=True)
        log.write_text("")
    for command in implementation.manifest.build.commands:
        _run(command, implementation, environment, log, on_output, given_up)
    try:
        found = outputs.by_pattern(implementation, implementation.folder.resolve())
    except ManifestError as error:
        raise BuildFailed(f"{implementation.name}: {error}") from None
    for pattern, made in found.items():
        if not made and implementation.manifest.build.outputs is not None:
            raise BuildFailed(
                f"{implementation.name}: its build ended well and made nothing that"
                f" build.outputs {pattern!r} matches in {build_folder(implementation)}"
            )
    certification_cache.write(
        implementation,
        certification_cache.BUILT,
        {"build": wanted, "artefact": artefact(implementation)},
    )
    return wanted


def _run(
    command: list[str],
    implementation: Implementation,
    environment: dict[str, str],
    log: Path,
    on_output: Callable[[str], None],
    given_up: Callable[[], bool],
) -> None:
    on_output(" ".join(command))
    if problem := startable.problem(command, implementation.folder, environment):
        raise BuildFailed(f"{implementation.name}: `{' '.join(command)}` cannot start: {problem}")
    own = starvation.Own()
    limited = watchdog.within(implementation.manifest.build.timeout, " ".join(command))
    with limited, _log_of(implementation, log) as output, contextlib.ExitStack() as stack:
        try:
            with interrupts.held():
                process = stack.enter_context(
                    Supervised.start(
                        command,
                        cwd=implementation.folder,
                        environment=environment,
                        stdout=output.fileno(),
                        stderr=output.fileno(),
                        stdin=subprocess.DEVNULL,
                    )
                )
        except OSError as error:
            raise BuildFailed(f"{implementation.name}: {' '.join(command)}: {error}") from None
        status = _wait(
            process,
            implementation.manifest.build.timeout,
            lambda: output.exceeded.is_set() or given_up(),
        )
        hungry = [("the harness", own.wanted()), ("it", process.wanted())] if status is None else []
        output.settle()
    if status != 0:
        reason = "ran out of time" if status is None else f"ended with {status}"
        if output.exceeded.is_set():
            reason = f"wrote more than {LIMIT} bytes and was ended"
        elif given_up():
            reason = "was given up"
        elif excuse := starvation.excuse(hungry):
            raise Starved(f"{implementation.name}: `{' '.join(command)}` {reason}{excuse}")
        tail = _tail(log)
        reason += startable.suspicion(command, implementation.folder) if status else ""
        raise BuildFailed(
            f"{implementation.name}: `{' '.join(command)}` {reason}. The end of {log}:\n{tail}"
        )


def _log_of(implementation: Implementation, log: Path) -> Capped:
    """Raises BuildFailed where a command before has put something else in its place."""
    try:
        return Capped(log)
    except OSError as error:
        raise BuildFailed(f"{implementation.name}: {log}: {error.strerror}") from None


def _wait(process: Supervised, seconds: float, stop: Callable[[], bool]) -> int | None:
    """The status; None if it takes longer, or is to stop."""
    deadline = time.monotonic() + seconds
    status = process.wait(min(_POLL, seconds))
    while status is None and time.monotonic() < deadline and not stop():
        status = process.wait(_POLL)
    return status


def _tail(log: Path) -> str:
    try:
        # The build may have put anything in its place.
        with files.come_upon(log) as stream:
            stream.seek(max(0, stream.seek(0, os.SEEK_END) - _TAIL))
            said = stream.read(_TAIL)
    except OSError as error:
        return f"({error.strerror})"
    return "\n".join(said.decode("utf-8", "replace").splitlines()[-15:])
