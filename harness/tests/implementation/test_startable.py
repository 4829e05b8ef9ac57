"""A command that cannot be started is named itself, with the reason; not what starts it."""

import os
from pathlib import Path

import pytest

from dramaturg.control.starting import start
from dramaturg.errors import BuildFailed, Crashed
from dramaturg.implementation import build, startable
from dramaturg.implementation.manifest import load
from dramaturg.processes.capped import Capped


def written(folder: Path, name: str, content: str, mode: int = 0o755) -> None:
    (folder / name).write_bytes(content.encode())
    (folder / name).chmod(mode)


def commanding(folder: Path, section: str, command: str) -> Path:
    file = folder / "dramaturg.toml"
    text = file.read_text()
    if section == "build":
        text = text.replace("[build]\n", f"[build]\ncommands = [{command}]\n")
    else:
        text = text.replace('command = ["true"]', f"command = {command}")
    file.write_text(text)
    return folder


CANNOT = [
    ('["rebarx3", "compile"]', "rebarx3 is not on the PATH"),
    ('["./no-such"]', "./no-such is not in"),
    ('["./plain"]', "./plain is not executable: chmod"),
    ('["./crlf"]', r"\./crlf has lines that end in CRLF.*gitattributes"),
    ('["./stranger"]', "./stranger is for /opt/no-such-shell, which is not there"),
    ('["plain"]', "plain is not on the PATH.*; ./plain is in"),
    ('["./pipe"]', "./pipe is a pipe or a device"),
    (f'["./{"x" * 300}"]', "xxx is not in"),
    ('["./long"]', r"\./long is for /x+, which is not there"),
    ('["./odd"]', r"\./odd is for /bin/\\x00sh, which is not there"),
]


@pytest.fixture
def folder(implementation_folder: Path) -> Path:
    written(implementation_folder, "plain", "#!/bin/sh\n", 0o644)
    written(implementation_folder, "crlf", "#!/bin/sh\r\necho done\r\n")
    written(implementation_folder, "stranger", "#!/opt/no-such-shell\n")
    written(implementation_folder, "long", f"#!/{'x' * 300}\n")
    written(implementation_folder, "odd", "#!/bin/\0sh\n")
    os.mkfifo(implementation_folder / "pipe", 0o755)
    return implementation_folder


@pytest.mark.parametrize(("command", "complaint"), CANNOT)
def test_a_build_that_cannot_start_names_its_command_and_why(
    folder: Path, command: str, complaint: str
) -> None:
    with pytest.raises(BuildFailed, match=complaint) as raised:
        build.build(load(commanding(folder, "build", command)))
    assert "cgroup" not in str(raised.value)


@pytest.mark.parametrize(("command", "complaint"), CANNOT)
def test_a_start_that_cannot_be_names_its_command_and_why(
    folder: Path, command: str, complaint: str
) -> None:
    with (
        pytest.raises(Crashed, match=complaint) as raised,
        start(load(commanding(folder, "run", command))),
    ):
        pass
    assert "cgroup" not in str(raised.value)
    assert "; the command is `run.command` of its dramaturg.toml" in str(raised.value)
    assert raised.value.breaks == "STDIO-1"


def test_over_grpc_the_pointer_is_to_the_socket(folder: Path) -> None:
    commanding(folder, "run", '["./no-such"]')
    file = folder / "dramaturg.toml"
    file.write_text(file.read_text().replace('control = "stdio"', 'control = "grpc"'))
    with pytest.raises(Crashed) as raised, start(load(folder)):
        pass
    assert raised.value.breaks == "CTRL-1"


def test_a_script_that_is_read_by_another_is_suspected_of_its_line_ends(folder: Path) -> None:
    written(folder, "script", "#!/bin/sh\r\nset -e\r\nexit 3\r\n", 0o644)
    with pytest.raises(BuildFailed, match=r"; script has lines that end in CRLF"):
        build.build(load(commanding(folder, "build", '["sh", "script"]')))


def test_nothing_speaks_against_what_can_be_started(folder: Path) -> None:
    written(folder, "fine", "#!/usr/bin/env sh\n")
    for command in (["sh", "-c", "true"], ["./fine"], [str(folder / "fine")]):
        assert startable.problem(command, folder, {"PATH": "/usr/bin:/bin"}) == ""
        assert startable.suspicion(command, folder) == ""


def test_standard_error_keeps_its_head_and_its_end(folder: Path) -> None:
    lines = "echo cause >&2; i=0; while [ $i -lt 90 ]; do echo frame $i >&2; i=$((i+1)); done"
    written(folder, "fails", f"#!/bin/sh\n{lines}; echo the end >&2; exit 3\n")
    manifest = commanding(folder, "run", '["./fails"]') / "dramaturg.toml"
    manifest.write_text(manifest.read_text().replace('"*.py"', '"fails"'))
    with pytest.raises(Crashed) as raised, start(load(folder)):
        pass
    said = raised.value.said.splitlines()
    assert said[0] == "cause"
    assert said[-1] == "the end"
    assert len(said) < 20
    assert any("78 lines" in line for line in said)


def test_the_end_of_what_is_longer_than_is_kept_is_kept_as_well(tmp_path: Path) -> None:
    with Capped(tmp_path / "log", limit=100) as capped:
        os.write(capped.fileno(), b"the cause\n" + b"x" * 50_000 + b"\nthe end\n")
        capped.settle()
    kept = (tmp_path / "log").read_bytes()
    assert kept.startswith(b"the cause")
    assert kept.endswith(b"the end\n")
    assert len(kept) < 20_000
