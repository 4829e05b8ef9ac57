"""Over a real sshd, on loopback: workers are started through it and end with it."""

import json
import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from cluster_kit import ENDED, Running, records, send
from waiting import wait_until

from dramaturg import paths
from dramaturg.outcomes import INTERRUPTED

SSHD = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin")

pytestmark = pytest.mark.skipif(
    SSHD is None or shutil.which("ssh") is None,
    reason="sshd or ssh is not here (Debian: openssh-server openssh-client)",
)


@dataclass
class Sshd:
    folder: Path
    port: int

    def hosts(self, *names: str, extra: str = "", shared: bool = True) -> Path:
        """A hosts file in which this machine is a host of each of these names."""
        file = self.folder / "hosts.yaml"
        lines = [
            f"- {{host: 127.0.0.1, port: {self.port}, name: {name}, identity: key,"
            f" python: {paths.PYTHON}, shared: {str(shared).lower()}}}"
            for name in names
        ]
        file.write_text("known_hosts: known\nhosts:\n" + "\n".join(lines) + extra + "\n")
        file.chmod(0o600)
        return file


@pytest.fixture(scope="module")
def sshd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sshd]:
    assert SSHD is not None
    folder = tmp_path_factory.mktemp("sshd")
    for name in ("key", "host"):
        subprocess.run(
            ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True
        )
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (folder / "authorized").write_text((folder / "key.pub").read_text())
    host = " ".join((folder / "host.pub").read_text().split()[:2])
    (folder / "known").write_text(f"[127.0.0.1]:{port} {host}\n")
    (folder / "conf").write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {folder}/host\nPidFile none\n"
        f"AuthorizedKeysFile {folder}/authorized\nStrictModes no\nUsePAM no\n"
        "PasswordAuthentication no\nPermitRootLogin prohibit-password\n"
    )
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen([SSHD, "-D", "-e", "-f", folder / "conf"], stderr=log)
    try:
        assert wait_until(lambda: _listens(port) or server.poll() is not None, 20, 0.05)
        assert server.poll() is None, (folder / "log").read_text()
        yield Sshd(folder, port)
    finally:
        server.terminate()
        server.wait()


def _listens(port: int) -> bool:
    with socket.socket() as trial:
        return trial.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def temporary(tmp_path: Path) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    return folder


def members(sshd: Sshd) -> set[int]:
    """The members that were started through this sshd, and by no other test."""
    through = f" {sshd.port}".encode()
    found = set()
    for each in Path("/proc").iterdir():
        if each.name.isdigit():
            try:
                line = (each / "cmdline").read_text()
                variables = (each / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            came = [said for said in variables if said.startswith(b"SSH_CONNECTION=")]
            if "dramaturg.cluster.member" in line and came and came[0].endswith(through):
                found.add(int(each.name))
    return found


def test_each_host_of_the_file_says_what_it_has(sshd: Sshd, temporary: Path) -> None:
    file = sshd.hosts("one", "two")
    secret = {"CI_TOKEN": "not-for-workers"}
    code, out, said = Running(
        temporary, "doctor", "--cluster", f"ssh:{file}", "--json", "reference", **secret
    ).end()
    assert code == 0, said
    assert sorted(json.loads(out)["hosts"]) == ["one", "two"]


def test_a_host_certifies_and_an_interrupt_ends_what_it_runs(
    sshd: Sshd, tmp_path: Path, temporary: Path
) -> None:
    before = members(sshd)
    folder = tmp_path / "results"
    words = ["certify", "reference", "--level", "0", "--output", folder, "--cluster"]
    run = Running(temporary, *words, f"ssh:{sshd.hosts('one')}")
    run.reach(lambda: len(records(folder)) >= 3)
    assert {each["host"] for each in records(folder)} == {"one"}
    assert members(sshd) - before
    send(run.process.pid, signal.SIGINT)
    code, _, said = run.end()
    assert code == INTERRUPTED, said
    assert wait_until(lambda: members(sshd) <= before, ENDED, 0.1)


def test_two_hosts_that_are_one_machine_are_marked_or_refused(sshd: Sshd, temporary: Path) -> None:
    file = sshd.hosts("one", "two", shared=False)
    code, _, said = Running(temporary, "doctor", "--cluster", f"ssh:{file}", "reference").end()
    assert code == 2
    assert "one and two are one machine" in said


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("\n- {host: 127.0.0.1, port: 1, name: gone}", "host gone"),
        ("\n- {host: no.such.host.invalid, name: gone}", "no.such.host.invalid"),
        ("\n- {host: 127.0.0.1, port: PORT, name: odd, identity: key, python: /no/python}", "odd"),
    ],
)
def test_a_host_that_cannot_be_used_is_named_and_the_others_are_ended(
    lines: str, said: str, sshd: Sshd, temporary: Path
) -> None:
    before = members(sshd)
    file = sshd.hosts("one", extra=lines.replace("PORT", str(sshd.port)))
    code, _, complaint = Running(temporary, "doctor", "--cluster", f"ssh:{file}").end()
    assert code == 2
    assert said in complaint
    assert "Traceback" not in complaint
    assert wait_until(lambda: members(sshd) <= before, ENDED, 0.1)


def test_a_host_with_another_key_than_the_known_one_is_refused(sshd: Sshd, temporary: Path) -> None:
    file = sshd.hosts("one")
    known = (sshd.folder / "known").read_text()
    other = " ".join((sshd.folder / "key.pub").read_text().split()[:2])
    (sshd.folder / "known").write_text(f"[127.0.0.1]:{sshd.port} {other}\n")
    try:
        code, _, said = Running(temporary, "doctor", "--cluster", f"ssh:{file}").end()
    finally:
        (sshd.folder / "known").write_text(known)
    assert code == 2
    assert "host one" in said
