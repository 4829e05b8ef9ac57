"""Agents on all hosts, each by pipes that we hold: through ssh, through srun, or on this machine.

They end when the pipes do, however we end; so does an allocation of Slurm that we asked for.
"""

import contextlib
import os
import re
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any

from dramaturg import files, paths
from dramaturg.cluster import started_members
from dramaturg.cluster.hosts_file import SshHost
from dramaturg.errors import ClusterError, ClusterLost
from dramaturg.hosts.asked_hosts import Asked
from dramaturg.hosts.talk import SILENCE, Lost, Refused, Talk
from dramaturg.processes import interrupts

_ENDING = 20.0
"""Seconds in which an agent ends once its input has."""

_KILLED = 2.0
_TICK = 0.5

_HELD = re.compile(rb"^held (\S+) (\S+)\n", re.MULTILINE)
"""The line of an allocation's holder; lines that a site prints before it are skipped."""

_MOST_SAID = 1 << 20

_AT = "NodeAddr="

Heard = Callable[["Started", dict[str, Any], bytes], None]
"""Takes what an agent says that is no answer to us. It must not wait."""


@dataclass
class Started:
    """An agent."""

    number: int
    name: str
    process: "subprocess.Popen[bytes]"
    errors: IO[bytes]
    talk: Talk
    of_file: SshHost | None = None
    address: str | None = None
    """The address of its nodes; None if the host is to find it."""

    def last_words(self) -> str:
        """The last line on its standard error."""
        self.errors.seek(max(0, self.errors.seek(0, os.SEEK_END) - 4000))
        lines = self.errors.read().decode("utf-8", "replace").strip().splitlines()
        return files.brief(lines[-1]) if lines else "it said nothing"

    def one(
        self, words: Mapping[str, Any], content: bytes = b"", seconds: float = 60.0
    ) -> dict[str, Any]:
        """Ask it. Raises ClusterError that names it."""
        try:
            return self.talk.one(dict(words), content, seconds)
        except Lost as error:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(1)
            raise ClusterError(f"host {self.name}: {error}: {self.last_words()}") from None
        except Refused as error:
            raise ClusterError(f"host {self.name}: {error}") from None


class Agents:
    """The agents of one run, in the order of their hosts."""

    def __init__(self, heard: Heard) -> None:
        self.all: list[Started] = []
        self.lost: list[str] = []
        """What happened to the first that was lost, with its name."""
        self._heard = heard
        self._over = threading.Event()
        self._holder: subprocess.Popen[bytes] | None = None

    def add(
        self, name: str, command: Sequence[str], environment: Mapping[str, str] | None = None
    ) -> Started:
        """Start one. Raises ClusterError."""
        errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed by end)
        try:
            with interrupts.held():
                process = subprocess.Popen(
                    command,
                    bufsize=0,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    env=environment,
                    start_new_session=True,
                )
        except OSError as error:
            errors.close()
            raise ClusterError(f"host {name}: {command[0]}: {error.strerror}") from None
        assert process.stdin and process.stdout
        ends = process.stdout.fileno(), process.stdin.fileno()

        def heard(words: dict[str, Any], content: bytes) -> None:
            self._heard(one, words, content)

        talk = Talk(f"the agent of host {name}", *ends, heard)
        one = Started(len(self.all), name, process, errors, talk)
        self.all.append(one)
        talk.start()
        return one

    def watch(self) -> None:
        """From now on it is noticed that one is lost."""
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while not self._over.wait(_TICK):
            for each in self.all:
                silent = time.monotonic() - each.talk.heard
                if each.talk.why_lost or silent > SILENCE:
                    self._lose(each, silent)
                    return

    def _lose(self, lost: Started, silent: float) -> None:
        if lost.talk.why_lost:
            with contextlib.suppress(subprocess.TimeoutExpired):
                lost.process.wait(1)
            how = f"{lost.talk.why_lost}: {lost.last_words()}"
        else:
            how = f"nothing was heard of it for {silent:.0f} s"
        if not self._over.is_set():
            self.lost.append(f"host {lost.name} is lost: {how}")
            for each in self.all:
                each.talk.lose(self.lost[0])

    def require(self) -> None:
        """Raises ClusterLost if one is lost."""
        if self.lost:
            raise ClusterLost(self.lost[0])

    def allocate(self, nodes: int, notice: Callable[[str], None]) -> tuple[str, list[str]]:
        """An allocation of Slurm, by its number, and the names of its nodes: that in which this
        runs, or one that ends with us. Raises ClusterError."""
        job = os.environ.get("SLURM_JOB_ID", "")
        listed = os.environ.get("SLURM_JOB_NODELIST", "")
        if not job:
            notice(f"asking Slurm for {nodes} nodes, and waiting for them")
            job, listed = self._asked_for(nodes)
        found = _hostnames(listed)[:nodes]
        if len(found) < nodes:
            raise ClusterError(
                f"Slurm's job {job} has {len(found)} nodes, and {nodes} are asked for"
            )
        return job, found

    def _asked_for(self, nodes: int) -> tuple[str, str]:
        """Held by a process that ends when our end of its input is closed."""
        hold = 'echo "held $SLURM_JOB_ID $SLURM_JOB_NODELIST" && exec cat >/dev/null'
        command = [
            "salloc", f"--nodes={nodes}", f"--ntasks={nodes}", "--ntasks-per-node=1",
            "--job-name=dramaturg", "--no-kill", "sh", "-c", hold,
        ]  # fmt: skip
        errors = tempfile.TemporaryFile()  # noqa: SIM115
        with interrupts.held():
            self._holder = subprocess.Popen(
                command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                start_new_session=True,
            )  # fmt: skip
        assert self._holder.stdout
        said = b""
        while (held := _HELD.search(said)) is None:
            piece = os.read(self._holder.stdout.fileno(), 4096)
            if not piece:
                errors.seek(0)
                lines = errors.read().decode("utf-8", "replace").strip().splitlines()
                why = files.brief(lines[-1]) if lines else "salloc said nothing"
                raise ClusterError(f"Slurm gave no {nodes} nodes: {why}")
            said = (said + piece)[-_MOST_SAID:]
        return held[1].decode(), held[2].decode()

    def end(self) -> None:
        """All of them, and whatever runs on their hosts."""
        with interrupts.held():
            self._over.set()
            for each in self.all:
                each.talk.flush_and_stop()
                assert each.process.stdin
                with contextlib.suppress(OSError):
                    each.process.stdin.close()
            deadline = time.monotonic() + _ENDING
            for each in self.all:
                _ended(each.process, deadline)
                assert each.process.stdout
                each.errors.close()
            if self._holder is not None:
                assert self._holder.stdin
                self._holder.stdin.close()
                _ended(self._holder, time.monotonic() + _KILLED)


def _ended(process: "subprocess.Popen[bytes]", deadline: float) -> None:
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(max(0.1, deadline - time.monotonic()))
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_KILLED)


@contextlib.contextmanager
def started(
    asked: Asked, program: Sequence[str], heard: Heard, notice: Callable[[str], None]
) -> Iterator[Agents]:
    """One on each host; ``program`` is what Python starts there. Raises ClusterError."""
    agents = Agents(heard)
    try:
        match asked.scheme:
            case "ssh":
                _over_ssh(agents, asked, program)
            case "slurm":
                _by_slurm(agents, asked, program, notice)
            case _:
                for number in range(asked.number):
                    one = agents.add(f"local/{number}", paths.python(*program), _kept())
                    one.address = "127.0.0.1"
        yield agents
    finally:
        agents.end()


def _over_ssh(agents: Agents, asked: Asked, program: Sequence[str]) -> None:
    assert asked.hosts is not None
    for to in asked.hosts.hosts:
        command = started_members.over_ssh(asked.hosts, to, [to.python, "-I", *program])
        one = agents.add(to.called, command)
        one.of_file, one.address = to, to.address


def _by_slurm(
    agents: Agents, asked: Asked, program: Sequence[str], notice: Callable[[str], None]
) -> None:
    job, nodes = agents.allocate(asked.number, notice)
    for node in nodes:
        command = [
            "srun", f"--jobid={job}", f"--nodelist={node}", "--nodes=1", "--ntasks=1", "--overlap",
            "--unbuffered", "--mpi=none", "--kill-on-bad-exit=0", f"--export={','.join(_kept())}",
            "--job-name=dramaturg-nodes", *paths.python(*program),
        ]  # fmt: skip
        agents.add(node, command).address = _address_of(node)


def _kept() -> dict[str, str]:
    """All of its environment that an agent has. No key, token or agent of ssh's is there."""
    return {name: os.environ[name] for name in started_members.KEPT if name in os.environ}


def _hostnames(listed: str) -> list[str]:
    return _slurm("show", "hostnames", listed).split()


def _address_of(node: str) -> str:
    """Where Slurm reaches a node. Raises ClusterError."""
    # Not by the rules of a shell: what an administrator wrote beside it may have a quote in it.
    words = _slurm("-o", "show", "node", node).split()
    there = next((word[len(_AT) :] for word in words if word.startswith(_AT)), "") or node
    try:
        return socket.gethostbyname(there)
    except (OSError, UnicodeError):
        raise ClusterError(f"host {node}: its address {files.brief(there)} is unknown") from None


def _slurm(*words: str) -> str:
    try:
        done = subprocess.run(
            ["scontrol", *words], capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        raise ClusterError("Slurm does not answer: scontrol " + " ".join(words)) from None
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or ["no controller"]
        raise ClusterError(f"Slurm does not answer: {files.brief(lines[-1])}")
    return done.stdout
