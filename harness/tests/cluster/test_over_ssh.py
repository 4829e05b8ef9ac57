"""What is said to ssh means what the hosts file says, whatever is in its paths."""

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from dramaturg.cluster import hosts_file, started_members
from dramaturg.errors import ClusterError

HAS_SSH = pytest.mark.skipif(shutil.which("ssh") is None, reason="not here: ssh")

ODD = ("plain", "two words", "100%d", '5"-disk', "back\\slash", "it's")


def words_of(folder: Path, entry: str = "host: h1.invalid", rest: str = "") -> list[str]:
    file = folder / "hosts.yaml"
    file.write_text(f"hosts:\n- {{{entry}}}\n{rest}")
    file.chmod(0o600)
    found = hosts_file.read(file)
    return started_members.over_ssh(found, found.hosts[0], ["true"])


def understood(words: list[str]) -> dict[str, list[str]]:
    """The settings that ssh has then; it connects to nobody."""
    asked = ["ssh", "-F", "none", "-G", *words[1 : words.index("--") + 2]]
    said = subprocess.run(asked, capture_output=True, text=True, check=True, timeout=60).stdout
    found: dict[str, list[str]] = {}
    for line in said.splitlines():
        name, _, value = line.partition(" ")
        found.setdefault(name, []).append(value)
    return found


@HAS_SSH
@pytest.mark.parametrize("name", ODD)
def test_a_path_is_one_file_to_ssh_whatever_is_in_it(name: str, tmp_path: Path) -> None:
    folder = tmp_path / name
    folder.mkdir()
    for file in ("key", "known"):
        (folder / file).write_text("")
        (folder / file).chmod(0o600)
    said = words_of(folder, "host: h1.invalid, identity: key", "known_hosts: known\n")
    known = next(each for each in said if each.startswith("UserKnownHostsFile="))
    identity = next(each for each in said if each.startswith("IdentityFile="))
    for word, file in ((known, "known"), (identity, "key")):
        [path] = shlex.split(word.partition("=")[2])
        assert path.replace("%%", "%") == str(folder / file)
    settings = understood(said)
    assert settings["userknownhostsfile"] == [str(folder / "known")]
    assert settings["identitiesonly"] == ["yes"]


@HAS_SSH
def test_a_host_with_an_unknown_key_is_refused_whatever_the_user_s_own_file_says(
    tmp_path: Path,
) -> None:
    said = words_of(tmp_path)
    own = tmp_path / "config"
    own.write_text("StrictHostKeyChecking accept-new\nForwardAgent yes\n")
    asked = ["ssh", "-F", str(own), "-G", *said[1 : said.index("--") + 2]]
    done = subprocess.run(asked, capture_output=True, text=True, check=True, timeout=60)
    assert "stricthostkeychecking true" in done.stdout
    assert "forwardagent no" in done.stdout


@pytest.fixture
def of_ssh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own file, in the words of ``ssh -G``: which name stands for another one."""
    program = tmp_path / "bin" / "ssh"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n[ $1 = -G ] && cat {tmp_path}/said\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    return tmp_path / "said"


def hosts_of(folder: Path, text: str) -> hosts_file.HostsFile:
    file = folder / "hosts.yaml"
    file.write_text(text)
    file.chmod(0o600)
    return hosts_file.read(file)


def test_a_name_of_the_user_s_own_file_stands_for_a_host(of_ssh: Path, tmp_path: Path) -> None:
    of_ssh.write_text("user ada\nhostname 127.0.0.1\nport 22\n")
    hosts = hosts_of(tmp_path, "hosts:\n- host: bench1.invalid\n")
    assert started_members._towards_all(hosts) == "127.0.0.1"


def test_a_host_that_only_ssh_finds_asks_for_the_address_of_this_machine(
    of_ssh: Path, tmp_path: Path
) -> None:
    of_ssh.write_text("hostname behind-a-jump.invalid\n")
    hosts = hosts_of(tmp_path, "hosts:\n- host: h1\n  name: one\n")
    with pytest.raises(ClusterError, match=r"host one: .*behind-a-jump.*say `scheduler:`"):
        started_members._towards_all(hosts)


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("0.0.0.0", "every address"),
        ("::", "every address|no address"),
        ("192.0.2.1", "no address of this machine"),
        ("no.such.host.invalid", "no address of this machine"),
        (64 * "a" + ".b", "no address of this machine"),
    ],
)
def test_a_scheduler_is_at_one_address_of_this_machine(named: str, said: str) -> None:
    with pytest.raises(ClusterError, match=said) as refused:
        started_members._own(named)
    assert named in str(refused.value)
    assert started_members._own("127.0.0.1") == "127.0.0.1"


@pytest.mark.parametrize(
    ("python", "performed"),
    [
        ("python3", "python3 true"),
        ("~/venv/bin/python", "/there/venv/bin/python true"),
        ("~/it's/py$(x)", "/there/it's/py$(x) true"),
        ("/opt/~/python;x", "/opt/~/python;x true"),
    ],
)
def test_a_python_below_the_home_there_is_found_and_nothing_else_is_expanded(
    python: str, performed: str, tmp_path: Path
) -> None:
    file = tmp_path / "hosts.yaml"
    file.write_text(f'hosts:\n- host: h1\n  python: "{python}"\n')
    file.chmod(0o600)
    found = hosts_file.read(file)
    command = started_members.over_ssh(found, found.hosts[0], [found.hosts[0].python, "true"])[-1]
    said = subprocess.run(
        ["sh", "-c", f"HOME=/there; printf '%s ' {command}"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert said.stdout.strip() == performed
