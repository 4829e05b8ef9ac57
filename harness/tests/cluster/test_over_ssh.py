"""What is said to ssh means what the hosts file says, whatever is in its paths."""

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from dramaturg.cluster import hosts_file, started_members

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
