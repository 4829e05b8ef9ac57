"""The programs that start an implementation are the system's: nothing that a manifest sets chooses
others, or loads anything into them."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from attack_kit import Prey

from dramaturg.control import starting
from dramaturg.errors import ControlError
from dramaturg.implementation import build, toolchain
from dramaturg.implementation.manifest import Implementation, load
from dramaturg.processes import consumption
from dramaturg.processes.supervised import Supervised

NAMES = ("setpriv", "sh", "env", "unshare", "mount", "taskset", "nice", "cat")
"""Whatever stands before a command, and the one that the prey itself starts."""


def _started(implementation: Implementation) -> None:
    with pytest.raises(ControlError), starting.start(implementation, prefix=["nice"], cores=[0]):
        pass


WAYS = (toolchain.probe, build.build, _started)


@pytest.fixture
def prey(tmp_path: Path) -> Prey:
    """It starts nothing but ``cat``, by whatever path it has."""
    made = Prey(tmp_path / "prey")
    (made.folder / "tools").mkdir()
    (made.folder / "tools" / "none").touch()
    text = (made.folder / "dramaturg.toml").read_text()
    text = text.replace('["sh", "-c", "touch probed; echo 1"]', '["cat", "main.sh"]')
    text = text.replace('["touch", "built"]', '["cat", "main.sh"]')
    text = text.replace('["main.sh"]\n[run]', '["main.sh", "tools/*"]\n[run]')
    text = text.replace('["sh", "main.sh"]', '["cat", "main.sh"]')
    (made.folder / "dramaturg.toml").write_text(text + "[run.environment]\n")
    return made


def _sets(prey: Prey, **variables: str) -> Implementation:
    with (prey.folder / "dramaturg.toml").open("a") as file:
        file.writelines(f'{name} = "{value}"\n' for name, value in variables.items())
    return load(prey.folder)


@pytest.mark.parametrize("way", WAYS)
def test_a_search_path_of_the_manifest_chooses_no_program_before_its_command(
    way: Callable[[Implementation], object], prey: Prey, tmp_path: Path
) -> None:
    tools, mark = prey.folder / "tools", tmp_path / "mark"
    for name in NAMES:
        real = "/bin/cat" if name == "cat" else f"/usr/bin/{name}"
        (tools / name).write_text(f'#!/bin/sh\necho {name} >> {mark}\nexec {real} "$@"\n')
        (tools / name).chmod(0o755)
    implementation = _sets(prey, PATH=f"{tools}:/usr/sbin:/usr/bin:/bin")
    way(implementation)
    assert set(mark.read_text().split()) == {"cat"}


@pytest.mark.parametrize("way", WAYS)
def test_what_the_manifest_has_loaded_is_loaded_by_its_command_alone(
    way: Callable[[Implementation], object], prey: Prey, tmp_path: Path
) -> None:
    """As ``LD_PRELOAD``: the loader says here whom it serves."""
    said = tmp_path / "said"
    said.mkdir()
    way(_sets(prey, LD_DEBUG="files", LD_DEBUG_OUTPUT=str(said / "x")))
    lines = [line for file in said.iterdir() for line in file.read_text().splitlines()]
    programs = {line.rpartition(": ")[2] for line in lines if "initialize program:" in line}
    assert programs == {"cat"}


def test_whose_a_process_is_says_no_manifest() -> None:
    command = ["sh", "-c", f"echo ${consumption.MARK}"]
    environment = {"PATH": os.environ["PATH"], consumption.MARK: "1-0"}
    with Supervised.start(command, cwd=Path("/"), environment=environment) as process:
        assert process.popen.stdout is not None
        mark = process.popen.stdout.readline().decode()
    assert mark.partition("-")[0] == str(os.getpid())
