"""Sessions are begun: with a process that is started here, or with one that runs already."""

import contextlib
import os
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dramaturg.control import place, scratch, undeclared
from dramaturg.control.gateway import Gateway
from dramaturg.control.rpc import Rpc
from dramaturg.control.session import Session
from dramaturg.errors import Crashed, HarnessFault, Late, Strayed
from dramaturg.implementation import startable, variables
from dramaturg.implementation.build import Built
from dramaturg.implementation.manifest import Implementation
from dramaturg.processes import interrupts
from dramaturg.processes.capped import Capped
from dramaturg.processes.consumption import broken
from dramaturg.processes.supervised import Supervised


@contextlib.contextmanager
def start(
    implementation: Implementation,
    *,
    prefix: Sequence[str] = (),
    stderr: Path | None = None,
    environment: dict[str, str] | None = None,
    cores: Sequence[int] = (),
    folder: Path | None = None,
    built: Built | None = None,
) -> Iterator[Session]:
    """Start the implementation and connect to it; leaving ends it, whatever it is doing.

    ``prefix`` goes before its command line (``mnexec -a PID`` puts it into a Mininet host).
    ``folder`` is the place that was made for it, if several share one; else it has one of its own,
    which must be what was ``built``. With ``cores`` it runs on these
    alone, and is told how many they are as its manifest says (``run.cores``). Raises
    Crashed or Late if it does not come up, and as :func:`place.made`.
    """
    stack = contextlib.ExitStack()
    try:
        with interrupts.held():
            there = folder or stack.enter_context(place.made(implementation, built))
            where = _Where(there, (*prefix, *_only_on(cores)), environment or {}, cores)
            session = _open(implementation, where, stderr, stack)
        try:
            _await_start(session, implementation.manifest.run.start_timeout)
        except (Crashed, Late) as error:
            raise undeclared.named(error, implementation, there) from None
        _check_confined(session, cores)
        if strays := session.strays():
            raise Strayed(f"{session.name}: {strays[0]}").because(broken(strays[0]))
        yield session
    finally:
        with interrupts.held():
            stack.close()


@dataclass(frozen=True, slots=True)
class _Where:
    """The place in which a process is started."""

    folder: Path
    prefix: Sequence[str]
    environment: dict[str, str]
    cores: Sequence[int]


def _only_on(cores: Sequence[int]) -> tuple[str, ...]:
    """The words before a command line that keep it on these cores; none for no cores."""
    return ("taskset", "--cpu-list", ",".join(map(str, cores))) if cores else ()


def _check_confined(session: Session, cores: Sequence[int]) -> None:
    """Raises HarnessFault if it runs elsewhere: the record would name cores that were not."""
    if not cores or session.process is None:
        return
    found = sorted(os.sched_getaffinity(session.process.pid))
    if found != sorted(cores):
        raise HarnessFault(
            f"{session.name} was to run on cores {list(cores)}, and runs on {found}: the program"
            " that starts it has chosen others"
        )


def _open(
    implementation: Implementation,
    where: _Where,
    stderr: Path | None,
    stack: contextlib.ExitStack,
) -> Session:
    """All that a session takes; ``stack`` is what takes it away again."""
    manifest = implementation.manifest
    try:
        folder = stack.enter_context(scratch.folder())
        stderr = stderr or folder / "stderr.log"
        errors = stack.enter_context(Capped(stderr))
        said_before = stderr.stat().st_size
    except OSError as error:
        raise HarnessFault(f"{implementation.name} cannot be started: {error}") from None
    socket = folder / scratch.SOCKET
    process = stack.enter_context(_start_process(implementation, where, socket, errors.fileno()))
    wire = Gateway(process) if manifest.control == "stdio" else Rpc(f"unix:{socket}")
    session = Session(implementation.name, wire, manifest.run.call_timeout, process, stderr)
    session.said_before = said_before
    session.errors = errors
    stack.callback(session.close)
    return session


@contextlib.contextmanager
def connect(name: str, address: str, call_timeout: float = 3600.0) -> Iterator[Session]:
    """A session with an implementation that runs already, at HOST:PORT or ``unix:PATH``."""
    rpc = Rpc(address)
    session = Session(name, rpc, call_timeout)
    try:
        if not rpc.is_served(10.0):
            raise Crashed(f"nothing answers at {address}; start {name} there first")
        yield session
    finally:
        session.close()


def _start_process(
    implementation: Implementation,
    where: _Where,
    socket: Path,
    stderr: int,
) -> Supervised:
    manifest, settings = implementation.manifest, implementation.settings
    told = implementation.told(len(where.cores))
    command = [*manifest.run.command, *settings.arguments, *told.arguments]
    if manifest.control == "grpc":
        command += ["--socket", str(socket)]
        pipes = {"stdin": subprocess.PIPE, "stdout": stderr}
    else:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    extra = where.environment | told.environment
    environment = variables.for_run(implementation, extra, where.folder.parent)
    _check_startable(implementation, where, environment)
    try:
        return Supervised.start(
            command,
            cwd=where.folder,
            environment=environment,
            prefix=[*where.prefix, *place.read_only(where.folder)],
            stderr=stderr,
            **pipes,
        )
    except OSError as error:
        raise Crashed(f"{implementation.name} cannot be started: {error}") from None


def _check_startable(
    implementation: Implementation, where: _Where, environment: dict[str, str]
) -> None:
    """Raises Crashed in words on the folder that its author has; a fault of the copy alone means
    that something was not declared."""
    command, unable = (
        implementation.manifest.run.command,
        f"{implementation.name} cannot be started",
    )
    owed = "STDIO-1" if implementation.manifest.control == "stdio" else "CTRL-1"
    if problem := startable.problem(command, implementation.folder, environment):
        named = "the command is `run.command` of its dramaturg.toml"
        raise Crashed(f"{unable}: {problem}; {named}").because(owed)
    if problem := startable.problem(command, where.folder, environment):
        raise undeclared.named(Crashed(unable), implementation, where.folder).because(owed)


def _await_start(session: Session, timeout: float) -> None:
    """Until it describes itself: the only proof that it is up."""
    assert session.process is not None
    deadline = time.monotonic() + timeout
    while isinstance(session._wire, Rpc) and not session._wire.is_served(0.05):
        if session.process.status is not None:
            end = session.process.describe_end()
            text = f"{session.name} {end} before it answered"
            raise Crashed(text).because("CTRL-1", session.stderr_tail())
        if time.monotonic() > deadline:
            text = f"{session.name} does not serve its socket after {timeout:g} s"
            raise session.late(text).because("CTRL-1", session.stderr_tail())
    session.describe(timeout=max(0.1, deadline - time.monotonic()))
