"""A hosts file says what is started where: it is read whole, and nobody else may write it."""

import os
from pathlib import Path

import pytest

from dramaturg.cluster import hosts_file
from dramaturg.errors import ClusterError

GOOD = "hosts:\n- host: one.example\n  user: ada\n  port: 2222\n- host: two.example\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "hosts.yaml"
    made.write_text(GOOD)
    made.chmod(0o600)
    return made


def test_hosts_are_read(file: Path) -> None:
    found = hosts_file.read(file)
    assert [each.called for each in found.hosts] == ["one.example", "two.example"]
    assert found.hosts[0].port == 2222
    assert found.hosts[1].python == "python3"


ODD = {
    "hosts: []": "hosts",
    "": "hosts: Field required",
    "hosts: 3": "hosts",
    "hosts:\n- host: -oProxyCommand=touch": "does not begin with a minus",
    "hosts:\n- host: one two": "without spaces",
    'hosts:\n- host: "a\\u001b[2J"': "without spaces",
    "hosts:\n- host: one\n  name: a\u3164": "without spaces",
    "hosts:\n- host: one\n  identity: ~nobody-of-this-name/key": "~nobody-of-this-name",
    'hosts:\n- host: one\n  identity: "a\\0b"': "null",
    "hosts:\n- host: one\n  identity: ''": "'.' is no file",
    "hosts:\n- host: one\nknown_hosts: /": "'/' is no file",
    "hosts:\n- host: one\n  user: -lroot": "does not begin with a minus",
    "hosts:\n- host: one\n  prot: 22": "did you mean 'port'",
    "hosts:\n- host: one\n  port: 0": "hosts.0.port",
    "hosts:\n- host: one\n- host: one": "two hosts are called one",
    "hosts: [": "hosts.yaml",
    "hosts:\n- host: one\n  identity: no-such-key": "no-such-key: No such file",
}


@pytest.mark.parametrize("text", ODD)
def test_what_is_odd_is_refused_in_one_line_with_its_place(file: Path, text: str) -> None:
    file.write_text(text)
    with pytest.raises(ClusterError, match=r"^[^\n]+$") as refused:
        hosts_file.read(file)
    assert ODD[text] in str(refused.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ClusterError, match=r"hosts\.yaml: No such file"):
        hosts_file.read(tmp_path / "hosts.yaml")


@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_a_file_that_others_may_write_is_refused(file: Path, mode: int) -> None:
    file.chmod(mode)
    with pytest.raises(ClusterError, match="others may write to it"):
        hosts_file.read(file)


def test_a_file_in_a_folder_that_others_may_write_is_refused(file: Path) -> None:
    file.parent.chmod(0o777)
    with pytest.raises(ClusterError, match="others may write to this folder"):
        hosts_file.read(file)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_file_of_another_user_is_refused(file: Path) -> None:
    os.chown(file, 65534, 65534)
    with pytest.raises(ClusterError, match="belongs to another user"):
        hosts_file.read(file)


def test_a_key_that_others_may_write_is_refused(file: Path) -> None:
    key = file.parent / "key"
    key.write_text("")
    key.chmod(0o622)
    file.write_text("hosts:\n- host: one\n  identity: key")
    with pytest.raises(ClusterError, match="key: others may write"):
        hosts_file.read(file)
