"""Hosts that each have a network of their own on this machine, and an sshd in it, for as long as a
test takes."""

import contextlib
import itertools
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from waiting import wait_until

from dramaturg import paths

SSHD = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin")

PORT = 22


def why_not() -> str:
    """Return the reason why there can be no such hosts here; empty if there can."""
    if os.geteuid() != 0:
        return "only root can make network namespaces for hosts"
    if SSHD is None or shutil.which("ssh") is None or shutil.which("ip") is None:
        return "sshd, ssh or ip is not here (Debian: openssh-server openssh-client iproute2)"
    tried = subprocess.run(["ip", "netns", "add", _space(99)], capture_output=True, check=False)
    subprocess.run(["ip", "netns", "del", _space(99)], capture_output=True, check=False)
    return "" if tried.returncode == 0 else tried.stderr.decode().strip()


@dataclass
class Hosts:
    """So many of them. ``second`` is an interface beside that of ssh."""

    folder: Path
    number: int
    servers: list["subprocess.Popen[bytes]"]

    def file(self, *numbers: int, shared: bool = True, extra: str = "", own: bool = False) -> Path:
        """A hosts file. With ``own``, nodes are on an interface of their own."""
        file = self.folder / "hosts.yaml"
        second = ", interface: second" if own else ""
        lines = [
            f"- {{host: {address(each)}, name: h{each}, identity: key, python: {paths.PYTHON},"
            f" shared: {str(shared).lower()}{second}{extra}}}"
            for each in numbers or range(self.number)
        ]
        file.write_text("known_hosts: known\nhosts:\n" + "\n".join(lines) + "\n")
        file.chmod(0o600)
        return file

    def inhabitants(self) -> list[str]:
        """Return the processes on all of them, but for the servers of ssh."""
        found = []
        for each in range(self.number):
            said = subprocess.run(
                ["ip", "netns", "pids", _space(each)], capture_output=True, text=True, check=True
            )
            for pid in map(int, said.stdout.split()):
                with contextlib.suppress(OSError):
                    line = (Path("/proc") / str(pid) / "cmdline").read_text().replace("\0", " ")
                    found += [f"h{each}: {line}"] if pid != self.servers[each].pid else []
        return found

    def cut(self, number: int) -> None:
        """Nothing reaches this host any more."""
        _ip("link", "set", _end(number), "down")

    def mend(self, number: int) -> None:
        _ip("link", "set", _end(number), "up")


def address(number: int, network: int = 0) -> str:
    """Each process that tests has networks of its own, since several test at the same time."""
    own = os.getpid()
    return f"10.{100 + (own >> 7) % 100}.{(own & 127) * 2 + network}.{number + 1}"


def inside(number: int) -> list[str]:
    """Return the words before a command that is to be on a host."""
    return ["ip", "netns", "exec", _space(number)]


def qdiscs() -> list[str]:
    """Return what decides what each host may send on its second interface."""
    found = []
    for number in itertools.count():
        said = subprocess.run(
            [*inside(number), "tc", "qdisc", "show", "dev", "second"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if said.returncode:
            return found
        found.append(said.stdout)
    return found


def agents() -> dict[int, str]:
    """Agents that run, wherever they are, by the host that started them: each is below an sshd, or
    below srun."""
    found = {}
    for each in Path("/proc").iterdir():
        if each.name.isdigit():
            with contextlib.suppress(OSError):
                words = (each / "cmdline").read_text().split("\0")
                if "dramaturg.orchestration.inside_host" in words and "python" in words[0]:
                    found[int(each.name)] = _where(each)
    return found


def _where(process: Path) -> str:
    """The address to which ssh came."""
    environment = (process / "environ").read_bytes().split(b"\0")
    for entry in environment:
        if entry.startswith(b"SSH_CONNECTION="):
            return entry.split()[2].decode()
    return ""


def _space(number: int) -> str:
    return f"dt{os.getpid() % 100_000}n{number}"


def _end(number: int, network: int = 0) -> str:
    return f"dt{os.getpid() % 100_000}v{number}{'ab'[network]}"


def _bridge(network: int) -> str:
    return f"dt{os.getpid() % 100_000}br{network}"


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


@contextlib.contextmanager
def hosts(folder: Path, number: int) -> Iterator[Hosts]:
    """So many, on a bridge of which this machine has an address, and on a second one."""
    assert SSHD is not None
    for name in ("key", "host"):
        subprocess.run(
            ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True
        )
    (folder / "authorized").write_text((folder / "key.pub").read_text())
    key = " ".join((folder / "host.pub").read_text().split()[:2])
    known = [f"{address(each)} {key}\n" for each in range(number)]
    (folder / "known").write_text("".join(known))
    (folder / "conf").write_text(
        f"Port {PORT}\nHostKey {folder}/host\nPidFile none\nStrictModes no\nUsePAM no\n"
        f"AuthorizedKeysFile {folder}/authorized\nPasswordAuthentication no\n"
        "PermitRootLogin prohibit-password\nMaxStartups 50\n"
    )
    Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    servers: list[subprocess.Popen[bytes]] = []
    try:
        for network in (0, 1):
            _ip("link", "add", _bridge(network), "type", "bridge")
            _ip("link", "set", _bridge(network), "up")
        _ip("addr", "add", f"{address(199)}/24", "dev", _bridge(0))
        for each in range(number):
            servers.append(_host(folder, each))
        assert wait_until(lambda: all(map(_listens, range(number))), 30, 0.05)
        yield Hosts(folder, number, servers)
    finally:
        for server in servers:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(server.pid, signal.SIGKILL)
            server.wait()
        for each in range(number):
            subprocess.run(["ip", "netns", "del", _space(each)], check=False, capture_output=True)
        for network in (0, 1):
            subprocess.run(
                ["ip", "link", "del", _bridge(network)], check=False, capture_output=True
            )


def _host(folder: Path, number: int) -> "subprocess.Popen[bytes]":
    _ip("netns", "add", _space(number))
    for network, name in enumerate(("first", "second")):
        outer = _end(number, network)
        _ip("link", "add", outer, "type", "veth", "peer", "name", name, "netns", _space(number))
        _ip("link", "set", outer, "master", _bridge(network), "up")
        own = f"{address(number, network)}/24"
        _ip("-n", _space(number), "addr", "add", own, "dev", name)
        _ip("-n", _space(number), "link", "set", name, "up")
    _ip("-n", _space(number), "link", "set", "lo", "up")
    with (folder / f"log{number}").open("wb") as log:
        return subprocess.Popen(
            [*inside(number), str(SSHD), "-D", "-e", "-f", folder / "conf"],
            stderr=log, stdin=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip


def _listens(number: int) -> bool:
    done = subprocess.run(
        [*inside(number), "ss", "-Hltn", f"sport = :{PORT}"], capture_output=True, check=False
    )
    return bool(done.stdout.strip())
