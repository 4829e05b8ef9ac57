"""Completion, as shells ask for it."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dramaturg import paths
from dramaturg.cli.completion import SHELLS
from dramaturg.cli.main import COMMANDS

PROGRAM = [sys.executable, "-m", "dramaturg.cli.main"]


def script(shell: str) -> str:
    done = subprocess.run(
        [*PROGRAM, "completion", shell], capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.fixture
def dramaturg(tmp_path: Path) -> Path:
    """The command under its name, which the scripts call."""
    command = tmp_path / "dramaturg"
    command.write_text(f'#!/bin/sh\nexec {shlex.join(PROGRAM)} "$@"\n')
    command.chmod(0o755)
    return command


def in_bash(dramaturg: Path, folder: Path, *words: str) -> list[str]:
    """Return the offers of Tab after these words."""
    listed = shlex.join(words)
    lines = [
        script("bash"), f"COMP_WORDS=({listed}); COMP_CWORD={len(words) - 1}",
        f"_dramaturg_completion dramaturg {shlex.quote(words[-1])} x",
        'printf "%s\\n" "${COMPREPLY[@]}"',
    ]  # fmt: skip
    environment = os.environ | {"PATH": f"{dramaturg.parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", "\n".join(lines)], cwd=folder, env=environment, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert done.stderr == ""
    return sorted(done.stdout.split())


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([""], sorted(COMMANDS)),
        (["cer"], ["certify"]),
        (["certify", "ref"], ["reference"]),
        (["certify", "--last"], ["--last-failed"]),
        (["certify", "--level", ""], ["0", "1", "2", "3", "4"]),
        (["certify", "erlang", "po"], ["pony"]),
        (["bench", "ping"], ["pingpong"]),
        (["bench", "-i", "po"], ["pony"]),
        (["verify", "x.json", "-i", "po"], ["pony"]),
        (["completion", ""], sorted(SHELLS)),
    ],
)
def test_bash_offers_commands_options_and_names(
    dramaturg: Path, words: list[str], expected: list[str]
) -> None:
    assert in_bash(dramaturg, paths.ROOT, "dramaturg", *words) == expected


def test_variants_are_offered_after_a_plus(dramaturg: Path) -> None:
    offered = in_bash(dramaturg, paths.ROOT, "dramaturg", "certify", "caf+")
    assert "caf+sharing" in offered
    assert in_bash(dramaturg, paths.ROOT, "dramaturg", "certify", "cobol+") == []


def test_a_folder_whose_name_is_a_command_is_not_offered(dramaturg: Path, tmp_path: Path) -> None:
    """A shell puts what is offered into the line that is typed."""
    shutil.copytree(paths.IMPLEMENTATIONS / "reference", tmp_path / "pre-1.0_\u00e4")
    for name in ("pre$(reboot)", "pre;reboot", "pre`reboot`", "pre\nplain,pre>x", "-pre", "pre x"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "dramaturg.toml").touch()
    assert in_bash(dramaturg, tmp_path, "dramaturg", "certify", "pre") == ["pre-1.0_\u00e4"]


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_gets_names_by_its_own_protocol(shell: str, tmp_path: Path) -> None:
    environment = {
        "_DRAMATURG_COMPLETE": f"{shell}_complete",
        # fish says what is begun, the others which word.
        "COMP_WORDS": "dramaturg cer", "COMP_CWORD": "cer" if shell == "fish" else "1",
    }  # fmt: skip
    program = "import sys; sys.argv[0] = 'dramaturg'; from dramaturg.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program], env=os.environ | environment, cwd=tmp_path,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "certify" in done.stdout
    assert "bench" not in done.stdout


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_reads_its_script(shell: str, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"not run: {shell} is missing")
    file = tmp_path / "script"
    file.write_text(script(shell))
    subprocess.run([shell, "-n", str(file)], check=True)


def test_another_shell_is_refused() -> None:
    done = subprocess.run(
        [*PROGRAM, "completion", "tcsh"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "'bash', 'zsh', 'fish'" in done.stderr


def test_a_tab_after_the_program_imports_no_command() -> None:
    program = (
        "import sys; from dramaturg.cli.main import cli; import click\n"
        "found = cli.shell_complete(click.Context(cli), '')\n"
        "assert found; assert not [m for m in sys.modules if m == 'pytest' or m == 'grpc']"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
