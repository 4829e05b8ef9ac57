"""Processes that are never left behind.

Each is started as the leader of a session of its own, inside of a fence where there can be
one; ending it ends its whole group and whoever left that (a daemon), also if the harness
itself is killed.
"""

import contextlib
import itertools
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import psutil

from dramaturg.processes import (
    command_variables,
    consumption,
    descent,
    fence,
    interrupts,
    starvation,
    watchdog,
)
from dramaturg.processes.consumption import Consumption, Moment
from dramaturg.processes.starvation import Earlier, Wanted

GRACE = 2.0
"""Seconds between asking a group to end and making it."""

LINGER = 1.0
"""Seconds in which a process that lets go of its connection is expected to end, too."""

_DIES_WITH_PARENT = ("setpriv", "--pdeathsig", "KILL", "--no-new-privs", "--")
"""A program of util-linux. A ``preexec_fn`` could do the same, and could deadlock: gRPC has
threads. All that descend from it inherit that they get no new privileges, and cannot undo it
(descent.py)."""

_numbers = itertools.count()


class Supervised:
    """A child process and its group. Use as a context manager: leaving it ends the group."""

    def __init__(self, popen: "subprocess.Popen[bytes]", counted: Consumption) -> None:
        self.popen = popen
        self.consumption = counted
        self._started = time.monotonic()

    @classmethod
    def start(
        cls,
        command: Sequence[str],
        *,
        cwd: Path,
        environment: Mapping[str, str],
        prefix: Sequence[str] = (),
        stdin: int | IO[Any] = subprocess.PIPE,
        stdout: int | IO[Any] = subprocess.PIPE,
        stderr: int | IO[Any] | None = None,
    ) -> "Supervised":
        """Start ``command`` in ``cwd``, with ``environment`` for it alone: ``prefix``, which has to
        stand before it, gets of that what the user says too. Raises OSError if it cannot be
        started."""
        guard = _DIES_WITH_PARENT if shutil.which(_DIES_WITH_PARENT[0]) else ()
        mark = f"{os.getpid()}-{next(_numbers)}"
        counted = Consumption(mark.encode())
        # Which process is whose says nobody but the harness.
        others = {name: each for name, each in environment.items() if name != consumption.MARK}
        before, words = command_variables.parted(others, command)
        # A process that waits for the end of the harness must not become its child.
        fence.guard()
        descent.adopt()
        with descent.births:
            try:
                popen = subprocess.Popen(
                    [*guard, *counted.prefix, *prefix, *words],
                    cwd=cwd,
                    env=before | {consumption.MARK: mark},
                    # A buffered pipe cannot be closed while another thread reads it.
                    bufsize=0,
                    stdin=stdin,
                    stdout=stdout,
                    stderr=stderr,
                    start_new_session=True,
                )
            except OSError:
                counted.close()
                raise
            counted.watch(popen.pid)
        return cls(popen, counted)

    @property
    def pid(self) -> int:
        return self.popen.pid

    @property
    def status(self) -> int | None:
        """Exit status, negative for a signal; None while it runs."""
        return self.popen.poll()

    def wait(self, timeout: float) -> int | None:
        """The exit status, or None if it still runs after ``timeout`` seconds."""
        try:
            return self.popen.wait(timeout)
        except subprocess.TimeoutExpired:
            return None

    def describe_end(self) -> str:
        """``exited with status 3``, ``was killed by SIGSEGV``, or ``is still running``."""
        status = self.status
        if status is None:
            return "is still running"
        if status < 0:
            try:
                return f"was killed by {signal.Signals(-status).name}"
            except ValueError:
                return f"was killed by signal {-status}"
        return f"exited with status {status}"

    def describe_end_soon(self) -> str:
        """As :meth:`describe_end`, of a process that seems to be ending."""
        self.wait(LINGER)
        return self.describe_end()

    def cpu_seconds(self) -> float:
        """User and system time of the process and its descendants so far."""
        return self.consumption.look().cpu_seconds

    def moment(self) -> Earlier:
        """Its figures now, for ``wanted_since``."""
        return Earlier(self.consumption.moment(), time.monotonic())

    def wanted(self) -> Wanted:
        """Return the time for which it and its descendants wanted cores so far."""
        return self.wanted_since(Earlier(Moment({}, 0), self._started))

    def wanted_since(self, earlier: Earlier) -> Wanted:
        """Return the time for which they wanted cores since then."""
        return starvation.wanted(self.consumption, earlier)

    def halted(self) -> int:
        """A process of it that a signal has stopped; 0 if none is."""
        return descent.stopped({self.pid, *self.consumption.pids()})

    @contextlib.contextmanager
    def stopped(self) -> Iterator[None]:
        """Its group gets no core meanwhile, nor processes that left the group. A process that has
        ended is no error."""
        self._signal_everybody(signal.SIGSTOP)
        try:
            yield
        finally:
            self._signal_everybody(signal.SIGCONT)

    def kill(self) -> None:
        """End it without a word, as a crash would."""
        self._signal(signal.SIGKILL)

    def end(self) -> None:
        """End the whole group and whoever left it: politely first, then not."""
        with interrupts.held(), watchdog.within(4 * GRACE, f"the end of process {self.pid}"):
            if self.popen.poll() is None:
                self._signal(signal.SIGTERM)
                self.wait(GRACE)
            self.consumption.kill()
            self._signal_everybody(signal.SIGKILL)
            self.wait(GRACE)
            self._outlast()
            for pipe in (self.popen.stdin, self.popen.stdout, self.popen.stderr):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()
            self.consumption.close()

    def _outlast(self) -> None:
        """Until nobody is left that descends from it, in the cgroup or out of it."""
        deadline = time.monotonic() + GRACE
        while (left := self.consumption.everybody() - {self.pid}) and time.monotonic() < deadline:
            for pid in left:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.002)

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)

    def _signal_everybody(self, number: signal.Signals) -> None:
        """Its group, and whoever left that."""
        self._signal(number)
        for pid in self.consumption.everybody():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, number)

    def __enter__(self) -> "Supervised":
        return self

    def __exit__(self, *raised: object) -> None:
        self.end()


def abandoned() -> list[int]:
    """Processes of implementations whose harness has ended without ending them. None of another
    user's is among them, since anybody can give theirs a mark: it is not ours, and reads nothing
    that is."""
    ours = {0, os.geteuid(), os.getuid()}
    found = [pid for pid in fence.left_by_the_dead() if consumption.is_of(pid, ours)]
    for pid, mark in consumption.marked(ours):
        harness = mark.partition(b"-")[0]
        if pid not in found and harness.isdigit() and not _is_a_process(harness):
            found.append(pid)
    return found


_DIGITS = 9
"""Digits of a process's number, at most; a longer one was never ours."""


def _is_a_process(said: bytes) -> bool:
    return len(said) <= _DIGITS and psutil.pid_exists(int(said))
