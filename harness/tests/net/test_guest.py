"""A guest is started with this machine's files, says what it says, and leaves nothing."""

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from waiting import wait_until

from dramaturg.machine import usermode
from dramaturg.machine.usermode import Kernel
from dramaturg.net import guest
from dramaturg.net.guest import Guest, GuestFailed

Programmed = Callable[[str], Kernel]


@pytest.fixture
def programmed(tmp_path: Path) -> Programmed:
    """A kernel that is a shell script."""

    def make(script: str) -> Kernel:
        program = tmp_path / "linux"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        return Kernel(str(program), "6.1.0", tmp_path)

    return make


def _guest(folder: Path, **environment: str) -> Guest:
    return Guest(["/bin/echo", "it's", "here"], '{"a": 1}', Path("/"), folder, environment)


def _heard(kernel: Kernel, folder: Path) -> list[str]:
    with guest.started(kernel, _guest(folder)) as lines:
        return list(lines)


def test_the_machines_files_are_mounted_to_be_read_alone() -> None:
    words = guest.command_line(Kernel("linux.uml", "6.1.0", Path("/m")), Path("/t/init"), 2048)
    assert words[0] == "linux.uml"
    assert {"rootfstype=hostfs", "rootflags=/", "ro", "mem=2048M", "init=/t/init"} <= set(words)
    assert "rw" not in words


def test_one_folder_alone_is_written_to_and_at_once(tmp_path: Path) -> None:
    script = _guest(tmp_path).script(Kernel("linux.uml", "6.1.0", Path("/m")))
    mounts = [line.split() for line in script.splitlines() if "-t hostfs" in line]
    assert mounts == [["mount", "-t", "hostfs", "-o", f"sync,{tmp_path}", "hostfs", f".{tmp_path}"]]


def test_the_root_is_the_namespaces_own_when_the_command_starts(tmp_path: Path) -> None:
    """A host of Mininet is entered with setns(2), which leaves a chroot: nodes of CAF found no
    folder for their sockets."""
    script = _guest(tmp_path).script(Kernel("linux.uml", "6.1.0", Path("/m")))
    lines = script.splitlines()
    assert lines.index("cd /run/root") < lines.index("pivot_root . run/outside")
    left = lines.index("umount -l /run/outside")  # It is the same files, which nobody needs twice.
    assert lines.index("pivot_root . run/outside") < left < lines.index(f"echo {guest.UP}")


def test_what_is_run_inside_keeps_its_words(tmp_path: Path) -> None:
    """The last command of the script, run here: it needs no other root for that."""
    folder = tmp_path / "two words"
    folder.mkdir()
    made = _guest(folder, ODD="a 'b' \"c\" $d\nnew line", PATH=os.defpath)
    script = made.script(Kernel("linux.uml", "6.1.0", Path("/m")))
    assert subprocess.run(["sh", "-n"], input=script, text=True, check=False).returncode == 0
    here = script[script.index("/usr/bin/env -i ") :]
    shown = here.replace("/bin/echo", '/usr/bin/env sh -c \'cat; echo "$0 $*"; echo "$ODD"\'')
    done = subprocess.run(["sh"], input=shown, capture_output=True, text=True, check=True)
    assert done.stdout == '{"a": 1}\nit\'s here\na \'b\' "c" $d\nnew line\n'


@pytest.mark.parametrize("name", ["a,b", "a\nb"])
def test_a_folder_that_cannot_be_mounted_is_refused_by_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(GuestFailed, match="give another --output"):
        _guest(tmp_path / name).script(Kernel("linux.uml", "6.1.0", Path("/m")))


def test_marked_lines_are_told_and_all_others_kept(tmp_path: Path, programmed: Programmed) -> None:
    kernel = programmed(
        f"echo booting; printf '{guest.UP}\\r\\n'; echo '{guest.MARK}one'; echo noise;"
        f" echo '{guest.MARK}two'"
    )
    assert _heard(kernel, tmp_path) == ["one", "two"]
    assert (tmp_path / guest.LOG).read_text() == "booting\nnoise\n"


def test_a_guest_that_does_not_come_up_says_its_last_words(
    tmp_path: Path, programmed: Programmed
) -> None:
    kernel = programmed("echo no memory; echo panic; exit 3")
    with pytest.raises(GuestFailed, match=r"exited with status 3.*no memory / panic.*" + guest.LOG):
        _heard(kernel, tmp_path)


def test_a_guest_that_hangs_before_it_is_up_is_ended(
    tmp_path: Path, programmed: Programmed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guest, "BOOT_TIME", 0.2)
    kernel = programmed(f"echo $$ > {tmp_path}/pid; echo slowly; exec sleep 1000")
    with pytest.raises(GuestFailed, match=r"is not up after 0\.2 s; its last words: slowly"):
        _heard(kernel, tmp_path)
    assert _gone(tmp_path / "pid")


def test_leaving_ends_it_and_takes_its_folder_away(tmp_path: Path, programmed: Programmed) -> None:
    kernel = programmed(
        f'echo $$ > {tmp_path}/pid; for word; do echo "$word"; done > {tmp_path}/words;'
        f" echo {guest.UP}; echo '{guest.MARK}working'; exec sleep 1000"
    )
    with guest.started(kernel, _guest(tmp_path)) as lines:
        assert next(lines) == "working"
        found = re.search("^init=(.*)$", (tmp_path / "words").read_text(), re.M)
        assert found
        assert Path(found[1]).exists()
    assert not Path(found[1]).parent.exists()
    assert _gone(tmp_path / "pid")


def test_a_kernel_that_cannot_be_started_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(GuestFailed, match="/no/such/linux"):
        _heard(Kernel("/no/such/linux", "6.1.0", tmp_path), tmp_path)


def test_without_the_package_the_command_that_installs_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(usermode, "inside", lambda: False)
    usermode.find.cache_clear()
    try:
        kernel, why_not = usermode.find()
    finally:
        usermode.find.cache_clear()
    assert kernel is None
    assert why_not == "linux.uml is not here (`dramaturg doctor --install --kernel uml`)"


def _gone(file: Path) -> bool:
    pid = file.read_text().strip()
    return wait_until(lambda: not Path(f"/proc/{pid}").exists(), timeout=30)


@pytest.mark.parametrize(
    ("release", "processor", "runs"),
    [
        ("6.1.176", "flags: fpu avx512f amx_tile", False),
        ("6.12.3", "flags: fpu amx_tile", False),
        ("6.13.0", "flags: fpu amx_tile", True),
        ("7.2.7", "flags: fpu amx_tile", True),
        ("6.1.176", "flags: fpu avx512f", True),
    ],
)
def test_a_kernel_that_does_not_know_this_processors_registers_is_not_started(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, release: str, processor: str, runs: bool
) -> None:
    """It would end at once, and its last words say nothing to whoever reads them."""
    modules = tmp_path / release
    modules.mkdir()
    for name in usermode.WANTED:
        (modules / f"{name}.ko").touch()
    monkeypatch.setattr(usermode.shutil, "which", lambda name, **more: f"/usr/bin/{name}")
    monkeypatch.setattr(usermode, "inside", lambda: False)
    monkeypatch.setattr(usermode, "MODULES", tmp_path)
    monkeypatch.setattr(usermode, "_release", lambda program: release)
    monkeypatch.setattr(usermode, "_processor", processor.split)
    usermode.find.cache_clear()
    kernel, why_not = usermode.find()
    usermode.find.cache_clear()
    assert (kernel is not None) == runs
    assert ("runs no program on a processor with AMX" in why_not) != runs
