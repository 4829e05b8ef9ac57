"""A manifest says what is missing; its reader has seen and allowed everything that is installed."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from attack_kit import Prey, dramaturg, error_of

from dramaturg.errors import ManifestError
from dramaturg.implementation import toolchain

PACKAGES = '[toolchain.install]\ndebian = ["tool-a", "tool-b"]\n'


@pytest.fixture
def lacking(tmp_path: Path) -> Prey:
    """Its probe fails, and it says which packages would help."""
    prey = Prey(tmp_path / "prey")
    manifest = prey.folder / "dramaturg.toml"
    text = manifest.read_text().replace("touch probed; echo 1", "exit 1")
    manifest.write_text(text.replace("[build]\n", PACKAGES + "[build]\n"))
    return prey


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Commands that would have installed something."""
    commands: list[list[str]] = []
    run = subprocess.run

    def watched(command: list[str], **options: Any) -> Any:
        if "apt-get" not in command and not options.get("shell"):
            return run(command, **options)
        commands.append(command)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", watched)
    monkeypatch.setattr(toolchain, "_is_debian", lambda: True)
    monkeypatch.setattr(toolchain, "_installed", lambda _names: set())
    return commands


@pytest.mark.parametrize(
    "package",
    ["tool; touch /tmp/x", "$(id)", "--allow-unauthenticated", "-o", "tool-", "tool=1.0",
     "../x.deb", "./x.deb", "to*", "a...", "tool ", "", "tool/stable", "Tool"],
)  # fmt: skip
def test_a_package_is_a_name_and_nothing_else(tmp_path: Path, package: str) -> None:
    prey = Prey(tmp_path / "prey")
    manifest = prey.folder / "dramaturg.toml"
    listed = f'[toolchain.install]\ndebian = ["{package}"]\n[build]\n'
    manifest.write_text(manifest.read_text().replace("[build]\n", listed))
    with pytest.raises(ManifestError, match=r"toolchain\.install\.debian\.0: it is no name"):
        _ = prey.implementation


@pytest.mark.parametrize("package", ["g++", "libstdc++6", "python3.11", "openjdk-17-jdk-headless"])
def test_names_that_debian_has_are_names(lacking: Prey, package: str) -> None:
    manifest = lacking.folder / "dramaturg.toml"
    manifest.write_text(manifest.read_text().replace("tool-a", package))
    assert package in lacking.implementation.manifest.toolchain.install.debian


def test_looking_installs_nothing(lacking: Prey, ran: list[list[str]]) -> None:
    result = dramaturg("doctor", lacking.folder)
    assert ran == []
    assert f"doctor --install {lacking.folder}" in result.stdout


def test_what_would_be_installed_is_shown_and_needs_a_yes(
    lacking: Prey, ran: list[list[str]]
) -> None:
    result = dramaturg("doctor", "--install", lacking.folder)
    assert ran == []
    assert "install -- tool-a tool-b" in result.stderr
    assert "nothing was installed" in result.stderr


def test_with_yes_what_was_shown_is_what_is_run(lacking: Prey, ran: list[list[str]]) -> None:
    result = dramaturg("doctor", "--install", "--yes", lacking.folder)
    (command,) = ran
    assert command[-3:] == ["--", "tool-a", "tool-b"]
    assert {"--no-upgrade", "--no-remove"} <= set(command)
    assert " ".join(command) in result.stderr


def test_what_is_installed_already_is_not_asked_for(
    lacking: Prey, ran: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(toolchain, "_installed", lambda _names: {"tool-a"})
    dramaturg("doctor", "--install", "--yes", lacking.folder)
    (command,) = ran
    assert command[-2:] == ["--", "tool-b"]


def test_where_no_package_would_help_the_reader_is_told_what_else_would(
    lacking: Prey, ran: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The missing package is in none of them, or they have it in too old a version."""
    manifest = lacking.folder / "dramaturg.toml"
    other = '"tool-b"]\nother = "clone the tool"\n'
    manifest.write_text(manifest.read_text().replace('"tool-b"]\n', other))
    monkeypatch.setattr(toolchain, "_installed", set)
    assert "install: clone the tool" in dramaturg("doctor", lacking.folder).stdout
    assert "clone the tool" in dramaturg("doctor", "--install", "--yes", lacking.folder).stderr
    assert "Install: clone the tool" in error_of("certify", lacking.folder)
    assert ran == []


@pytest.mark.skipif(not Path("/etc/debian_version").exists(), reason="asks Debian's dpkg")
def test_dpkg_is_asked_what_is_installed() -> None:
    assert toolchain._installed(["dpkg", "no-such-package-of-anybody"]) == {"dpkg"}


def test_nobody_is_installed_for_who_was_not_named(ran: list[list[str]]) -> None:
    assert "--install takes names" in error_of("doctor", "--install")
    assert ran == []


def test_a_machine_without_sudo_is_named(
    lacking: Prey, ran: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    run = subprocess.run

    def without_sudo(command: list[str], **options: Any) -> Any:
        if command[0] == "sudo":
            raise FileNotFoundError(2, "No such file or directory", "sudo")
        return run(command, **options)

    monkeypatch.setattr(subprocess, "run", without_sudo)
    result = dramaturg("doctor", "--install", "--yes", lacking.folder)
    assert "nothing was installed: sudo is not on the PATH; run it as root" in result.stderr
    assert ran == []
