"""Start a scheduler here and workers somewhere, each by a pipe that we hold: on this machine, by
srun, or by ssh. They end when the pipe does, however we end."""

import contextlib
import ipaddress
import json
import os
import select
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from dramaturg import files, paths
from dramaturg.cluster import hosts_file
from dramaturg.cluster.cluster_address import Local, Slurm, Ssh, is_loopback, own_address
from dramaturg.cluster.hosts_file import HostsFile, SshHost
from dramaturg.errors import ClusterError
from dramaturg.processes import fence, interrupts

PROGRAM = ("-m", "dramaturg.cluster.member")

KEPT = (
    "PATH", "HOME", "LANG", "TMPDIR", "USER", "LOGNAME", "XDG_CACHE_HOME", "DRAMATURG_MACHINE",
    "DRAMATURG_LIMITS", "SLURMD_NODENAME", "SLURM_PROCID", "SLURM_JOB_ID",
)  # fmt: skip
"""All of its environment that a worker keeps. No key, token or agent (SSH_AUTH_SOCK) is there."""

_OF_THE_HOST = ("PATH", "HOME", "LANG", "TMPDIR", "USER", "LOGNAME", "XDG_CACHE_HOME")
"""The variables that another machine has of its own: they are not sent there."""

_START = 60.0
"""Seconds in which a member says where it is: Python starts, on a host that may be busy."""

_ENDING = 25.0
"""Seconds in which all have ended once their input has."""

_LAST = 5.0
"""Seconds in which one has ended once its output has."""

_CHATTER = 1 << 20
"""Bytes that a login shell may print before a member says where it is."""

_SSH = (
    "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=15", "-o", "ServerAliveInterval=5",
    "-o", "ServerAliveCountMax=3", "-o", "ForwardAgent=no", "-o", "ForwardX11=no",
    "-o", "ClearAllForwardings=yes", "-o", "ControlMaster=no", "-o", "ControlPath=none",
    "-o", "StrictHostKeyChecking=yes",
)  # fmt: skip
"""Nothing is asked for, nothing is forwarded, a host with another key or an unknown one is refused
whatever the user's own file says, and one that is lost is noticed in 15 s."""


class Member:
    """A process that is one member, or stands for several (srun)."""

    def __init__(self, what: str, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self.what = what
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (closed by end)
        self._came = b""
        try:
            with interrupts.held():
                self.process = subprocess.Popen(
                    command,
                    bufsize=0,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=self._errors,
                    env=dict(environment),
                    start_new_session=True,
                )
        except OSError as error:
            self._errors.close()
            raise ClusterError(
                f"{what} cannot be started: {command[0]}: {error.strerror}"
            ) from None

    def ask(self, said: Mapping[str, Any]) -> None:
        """Say what it is to be."""
        assert self.process.stdin
        with contextlib.suppress(OSError):
            self.process.stdin.write(json.dumps(said).encode() + b"\n")

    def addresses(self, number: int, seconds: float | None) -> list[str]:
        """Where it is, and they are: so many lines. Without ``seconds`` it waits for whoever gives
        it a place (a queue), and from the first line on as long as for any other. Raises
        ClusterError with what was said last."""
        assert self.process.stdout
        found: list[str] = []
        deadline = None if seconds is None else time.monotonic() + seconds
        chatter = 0
        while len(found) < number:
            if deadline is not None and time.monotonic() > deadline:
                who = "it did not say where it is"
                if number > 1:
                    who = f"{len(found)} of {number} said where they are"
                raise ClusterError(f"{self.what}: {who} in time: {self.last_words()}")
            ready, _, _ = select.select([self.process.stdout], [], [], 0.2)
            if not ready:
                continue
            piece = os.read(self.process.stdout.fileno(), 65536)
            if not piece:
                raise ClusterError(f"{self.what} {self._how_it_ended()}: {self.last_words()}")
            *lines, self._came = (self._came + piece).split(b"\n")
            before = len(found)
            found += [said for line in lines if (said := _address(line))]
            chatter = chatter + len(piece) if len(found) == before else 0
            if chatter > _CHATTER:
                raise ClusterError(f"{self.what} says what no member says")
            if deadline is None and found:
                # Whoever gives them a place gives it to all of them at once.
                deadline = time.monotonic() + _START
        return found

    def _how_it_ended(self) -> str:
        """It says nothing more; it may still be there."""
        try:
            return f"ended with status {self.process.wait(_LAST)}"
        except subprocess.TimeoutExpired:
            return "closed its output"

    def last_words(self) -> str:
        """The last line on standard error."""
        self._errors.seek(max(0, self._errors.seek(0, os.SEEK_END) - 4000))
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        return files.brief(lines[-1]) if lines else "it said nothing"

    def close_input(self) -> None:
        """Let it end."""
        assert self.process.stdin
        with contextlib.suppress(OSError):
            self.process.stdin.close()

    def end(self, deadline: float) -> None:
        """Wait for it, and then make it."""
        self.close_input()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(max(0.1, deadline - time.monotonic()))
        for number in (signal.SIGTERM, signal.SIGKILL):
            if self.process.poll() is None:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self.process.pid, number)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self.process.wait(2)
        assert self.process.stdout
        self.process.stdout.close()
        self._errors.close()


def _address(line: bytes) -> str:
    """The address in a line; other lines that come that way, such as a message of the day, have
    none."""
    try:
        said = json.loads(line)
        return str(said["address"])
    except (ValueError, TypeError, KeyError):
        return ""


class Members:
    """The members of one cluster; all end with it."""

    def __init__(self, keys: dict[str, str], variables: Collection[str], scratch: Path) -> None:
        self._keys = keys
        self._names = (*KEPT, *variables)
        self._named = {name: os.environ[name] for name in variables if name in os.environ}
        self._scratch = scratch
        self.hosts: HostsFile | None = None
        """As they were read once: a pipe is empty the second time, and a file another one."""
        self.scheduler: Member | None = None
        self.address = ""
        self.workers: list[Member] = []

    def start_scheduler(self, host: str) -> None:
        """On this machine, at this address of it."""
        self.scheduler = self._start_here("the scheduler", {"role": "scheduler", "host": host})
        [self.address] = self.scheduler.addresses(1, _START)

    def start_local(self, number: int) -> None:
        """So many workers of this machine."""
        started = [
            self._start_here(f"worker {each}", self._worker(f"local/{each}", "127.0.0.1"))
            for each in range(number)
        ]
        for member in started:
            member.addresses(1, _START)

    def start_slurm(self, nodes: int) -> None:
        """One on each of so many nodes, of the allocation in which this runs or of one that srun
        asks for, and waits for."""
        command = [
            "srun", f"--nodes={nodes}", f"--ntasks={nodes}", "--ntasks-per-node=1", "--no-kill",
            "--overlap", "--kill-on-bad-exit=0", "--wait=0", "--unbuffered", "--mpi=none",
            f"--export={','.join(self._environment())}", "--job-name=dramaturg",
            *paths.python(*PROGRAM),
        ]  # fmt: skip
        member = self._add(Member(f"srun of {nodes} nodes", command, os.environ))
        member.ask(self._worker("", ""))
        member.addresses(nodes, None)

    def start_ssh(self, hosts: HostsFile) -> None:
        """One on each of these hosts."""
        started = [self._start_over_ssh(hosts, each) for each in hosts.hosts]
        for member in started:
            member.addresses(1, _START)

    def _start_over_ssh(self, hosts: HostsFile, to: SshHost) -> Member:
        words = over_ssh(hosts, to, [to.python, "-I", *PROGRAM])
        member = self._add(Member(f"host {to.called}", words, os.environ))
        member.ask(self._worker(to.called, "") | {"variables": self._sent()})
        return member

    def _worker(self, name: str, host: str) -> dict[str, Any]:
        return {"role": "worker", "name": name, "host": host, **self._common()}

    def _common(self) -> dict[str, Any]:
        return {
            "keys": self._keys,
            "scheduler": self.address,
            "environment": list(self._names),
            "variables": {},
            "scratch": "",
        }

    def _start_here(self, what: str, said: Mapping[str, Any]) -> Member:
        member = self._add(Member(what, paths.python(*PROGRAM), self._environment()))
        member.ask({**self._common(), "name": "", "scratch": str(self._scratch), **said})
        return member

    def _environment(self) -> dict[str, str]:
        return {name: os.environ[name] for name in self._names if name in os.environ}

    def _sent(self) -> dict[str, str]:
        return {
            name: value for name, value in self._environment().items() if name not in _OF_THE_HOST
        }

    def _add(self, member: Member) -> Member:
        if self.scheduler is None and member.what == "the scheduler":
            self.scheduler = member
        else:
            self.workers.append(member)
        return member

    def end(self) -> None:
        """All of them: workers first, so that what they perform ends while somebody listens."""
        with interrupts.held():
            every = [*self.workers, *([self.scheduler] if self.scheduler else [])]
            for member in every:
                member.close_input()
            deadline = time.monotonic() + _ENDING
            for member in every:
                member.end(deadline)


@contextlib.contextmanager
def started(
    address: Local | Ssh | Slurm,
    keys: dict[str, str],
    variables: Collection[str],
    notice: Callable[[str], None],
) -> Iterator[Members]:
    """A scheduler on this machine and its workers; ``variables`` are names of those that decide
    what is built. Raises ClusterError, and has ended everything then."""
    hosts = hosts_file.read(address.file) if isinstance(address, Ssh) else None
    for program, of in (("srun", Slurm), ("ssh", Ssh)):
        if isinstance(address, of) and shutil.which(program) is None:
            package = "slurm-client" if program == "srun" else "openssh-client"
            raise ClusterError(f"{program} is not on the PATH (Debian: {package})")
    _refuse_few_nodes(address)
    with tempfile.TemporaryDirectory(prefix="dramaturg-cluster-") as scratch:
        fence.guard(Path(scratch))
        members = Members(keys, variables, Path(scratch))
        members.hosts = hosts
        try:
            match address:
                case Local(workers):
                    members.start_scheduler("127.0.0.1")
                    members.start_local(workers)
                case Slurm(nodes):
                    members.start_scheduler(own_address(_controller()))
                    if "SLURM_JOB_ID" not in os.environ:
                        notice(f"asking Slurm for {nodes} nodes, and waiting for them")
                    members.start_slurm(nodes)
                case Ssh():
                    assert hosts
                    own = _own(hosts.scheduler) if hosts.scheduler else _towards_all(hosts)
                    members.start_scheduler(own)
                    members.start_ssh(hosts)
            yield members
        finally:
            members.end()


def over_ssh(hosts: HostsFile, to: SshHost, command: Sequence[str]) -> list[str]:
    """The words that have ``command`` performed on a host."""
    words = ["ssh", *_SSH]
    if hosts.known_hosts is not None:
        words += ["-o", f"UserKnownHostsFile={_quoted(hosts.known_hosts)}"]
    words += [] if to.port is None else ["-p", str(to.port)]
    words += [] if to.user is None else ["-l", to.user]
    if to.identity is not None:
        words += ["-o", f"IdentityFile={_quoted(to.identity)}", "-o", "IdentitiesOnly=yes"]
    return [*words, "--", to.host, " ".join(map(_for_shell, command))]


def _for_shell(word: str) -> str:
    """As it is, but for the user's home there, which the shell puts for ``~/``."""
    home = "~/" if word.startswith("~/") else ""
    return home + shlex.quote(word.removeprefix(home)) if word != home else home


def _quoted(file: Path) -> str:
    """As ssh takes one path that may have spaces, quotes and signs of percent in it."""
    said = str(file).replace("%", "%%").replace("\\", "\\\\").replace('"', '\\"')
    return f'"{said}"'


def _refuse_few_nodes(address: Local | Ssh | Slurm) -> None:
    has = os.environ.get("SLURM_JOB_NUM_NODES", "")
    if isinstance(address, Slurm) and has.isdigit() and int(has) < address.nodes:
        raise ClusterError(
            f"--cluster slurm:{address.nodes}: this allocation (job"
            f" {os.environ.get('SLURM_JOB_ID')}) has {has} nodes; ask for no more than these"
        )


def _controller() -> str:
    """The host of Slurm's controller: nodes reach this machine as it does. Raises ClusterError."""
    try:
        done = subprocess.run(
            ["scontrol", "show", "config"], capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        done = None
    lines = done.stdout.splitlines() if done and done.returncode == 0 else []
    for line in lines:
        name, _, value = line.partition("=")
        if name.strip().startswith("SlurmctldHost"):
            host = value.strip()
            return host.partition("(")[2].rstrip(")") or host
    said = files.brief(done.stderr.strip().splitlines()[-1]) if done and done.stderr.strip() else ""
    raise ClusterError(f"Slurm does not answer: scontrol show config: {said or 'no controller'}")


def _towards_all(hosts: HostsFile) -> str:
    """The address of this machine by which they reach it: loopback where all of them are here."""
    for each in hosts.hosts:
        there = _reached_at(hosts, each)
        try:
            if not is_loopback(there):
                return own_address(there)
        except ClusterError as error:
            raise ClusterError(
                f"host {each.called}: {error}; if ssh comes there by another way, say `scheduler:`,"
                " the address by which hosts reach this machine"
            ) from None
    return "127.0.0.1"


def _reached_at(hosts: HostsFile, to: SshHost) -> str:
    """The name that ssh looks up for a host: the user's own file may have another one for it."""
    words = over_ssh(hosts, to, [])[:-1]
    try:
        done = subprocess.run(
            [words[0], "-G", *words[1:]],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=20,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return to.host
    for line in done.stdout.decode("utf-8", "replace").splitlines():
        name, _, value = line.partition(" ")
        if name == "hostname" and value:
            return value
    return to.host


def _own(named: str) -> str:
    """An address of this machine at which a scheduler may listen. Raises ClusterError."""
    try:
        family, kind, _, _, place = socket.getaddrinfo(named, 0, type=socket.SOCK_STREAM)[0]
        if ipaddress.ip_address(str(place[0]).partition("%")[0]).is_unspecified:
            raise ClusterError(f"`scheduler: {named}` is every address of this machine; name one")
        with socket.socket(family, kind) as trial:
            trial.bind(place)
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise ClusterError(f"`scheduler: {named}` is no address of this machine: {why}") from None
    return named
