"""Build an implementation, once, and know which build it is."""

import contextlib
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from dramaturg import files
from dramaturg.errors import BuildFailed, HarnessFault, Starved
from dramaturg.implementation import stamps, variables
from dramaturg.implementation.digest import LOG, artefact, digest, outputs
from dramaturg.implementation.manifest import Implementation
from dramaturg.processes import interrupts, starvation
from dramaturg.processes.capped import LIMIT, Capped
from dramaturg.processes.supervised import Supervised

__all__ = ["altered", "artefact", "build", "build_folder", "digest", "is_current"]

_TAIL = 16_384
"""Bytes of a log's end that an error quotes lines of."""

_POLL = 0.2
"""Seconds between two looks at whether a build has written more than is kept."""


def build_folder(implementation: Implementation) -> Path:
    """Where its build output goes; a variant with build settings has a folder of its own."""
    return implementation.folder / implementation.build


def made(implementation: Implementation) -> list[Path]:
    """What its commands have made and is run, relative to its folder. Raises ManifestError."""
    found = outputs(implementation).values()
    return sorted({Path(implementation.build, name) for names in found for name in names})


def is_current(implementation: Implementation) -> bool:
    """Whether the last successful build was of what the folder holds now, and what it made is
    what is there."""
    return stamps.read(implementation, stamps.BUILT) == _stamp(implementation)


def altered(implementation: Implementation) -> bool:
    """Whether what is there is not what was built of these sources."""
    said = stamps.read(implementation, stamps.BUILT)
    now = _stamp(implementation)
    return said.get("build") == now["build"] and said != now


def _stamp(implementation: Implementation) -> dict[str, str]:
    return {"build": digest(implementation), "artefact": artefact(implementation)}


def build(
    implementation: Implementation,
    on_output: Callable[[str], None] = lambda line: None,
    given_up: Callable[[], bool] = lambda: False,
) -> str:
    """Build if anything changed since the last build; returns the build's digest. Nobody builds
    twice in one folder at once: the second waits, and says so. ``given_up`` is asked meanwhile.

    Raises BuildFailed with the command and the end of its output, Starved if it had no time
    (LEVEL-35), HarnessFault if its folder cannot be written to.
    """
    folder = build_folder(implementation)

    def busy() -> None:
        on_output(f"waiting: another run is building in {folder}")

    try:
        folder.mkdir(parents=True, exist_ok=True)
        with files.locked(folder, busy):
            return _build(implementation, on_output, given_up)
    except OSError as error:
        said = f"{error.filename}: {error.strerror}"
        raise HarnessFault(f"{implementation.name} cannot be built: {said}") from None


def _build(
    implementation: Implementation,
    on_output: Callable[[str], None],
    given_up: Callable[[], bool],
) -> str:
    wanted = digest(implementation)
    if is_current(implementation):
        return wanted
    stamps.forget(implementation, stamps.BUILT)
    environment = variables.for_build(implementation)
    log = build_folder(implementation) / LOG
    with files.naming(log):
        log.unlink(missing_ok=True)
        log.write_text("")
    for command in implementation.manifest.build.commands:
        _run(command, implementation, environment, log, on_output, given_up)
    for pattern, made in outputs(implementation).items():
        if not made and implementation.manifest.build.outputs is not None:
            raise BuildFailed(
                f"{implementation.name}: its build ended well and made nothing that"
                f" build.outputs {pattern!r} matches in {build_folder(implementation)}"
            )
    stamps.write(
        implementation, stamps.BUILT, {"build": wanted, "artefact": artefact(implementation)}
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
    own = starvation.Own()
    with Capped(log) as output, contextlib.ExitStack() as stack:
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
        hungry = {"the harness": own.wanted(), "it": process.wanted()} if status is None else {}
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
        raise BuildFailed(
            f"{implementation.name}: `{' '.join(command)}` {reason}. The end of {log}:\n{tail}"
        )


def _wait(process: Supervised, seconds: float, stop: Callable[[], bool]) -> int | None:
    """The status; None if it takes longer, or is to stop."""
    deadline = time.monotonic() + seconds
    status = process.wait(min(_POLL, seconds))
    while status is None and time.monotonic() < deadline and not stop():
        status = process.wait(_POLL)
    return status


def _tail(log: Path) -> str:
    with log.open("rb") as stream:
        stream.seek(max(0, log.stat().st_size - _TAIL))
        return "\n".join(stream.read().decode("utf-8", "replace").splitlines()[-15:])
