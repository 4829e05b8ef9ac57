"""A repository that the package makes, certified as it comes: in every language whose toolchain is
here, away from this repository."""

import json
import subprocess
from pathlib import Path

import pytest
from installed import Installed

from dramaturg.implementation import toolchain
from dramaturg.implementation.manifest import load
from dramaturg.template import making

REGISTRIES = {"typescript": ("npm", "ping", "--fetch-retries=0", "--fetch-timeout=10000")}
"""Commands that say if the registry that a build needs can be reached."""


def _unreachable(language: str) -> str:
    asked = REGISTRIES.get(language)
    if asked is None:
        return ""
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else f"`{' '.join(asked)}` ended with {done.returncode}"


@pytest.mark.parametrize("language", sorted(making.templates().keys() - {"generic"}))
def test_it_is_certified_for_pingpong_as_it_comes(
    installed: Installed, elsewhere: Path, language: str
) -> None:
    made = installed.run("new", "mine", "--language", language, cwd=elsewhere)
    assert made.returncode == 0, made.stderr
    found = toolchain.probe(load(elsewhere / "mine"))
    missing = [finding.problem for finding in found if finding.problem]
    if missing:
        assert all(problem in made.stdout for problem in missing)
        pytest.skip(f"{language}: {'; '.join(missing)}")
    # Tools of languages have their registries, and what they got of them, in the user's home.
    unreachable = _unreachable(language)
    if unreachable:
        pytest.skip(f"{language}: {unreachable}")
    levels = [word for level in "0123" for word in ("--level", level)]
    done = installed.run("certify", "mine", *levels, "--json", cwd=elsewhere, home=Path.home())
    assert done.returncode == 0, done.stdout + done.stderr
    said = json.loads(done.stdout)
    assert said["implementations"]["mine"]["certified"]
    assert said["certificate"]
    # The outputs of a build are ignored, and no inputs.
    ask = ["git", "-C", str(elsewhere / "mine"), "status", "--porcelain", "--ignored"]
    status = subprocess.run(ask, capture_output=True, text=True, check=True).stdout
    assert "!! .build/" in status
    assert ".build" not in status.replace("!! .build/", "")
    again = installed.run("update", "mine", cwd=elsewhere)
    assert (again.returncode, "changed" in again.stdout) == (0, False), again.stdout
