"""The package's new repositories, under the linter and the unit tests that they come with."""

import shutil
import subprocess
from pathlib import Path

import pytest
from installed import Installed

from dramaturg.implementation import toolchain
from dramaturg.implementation.manifest import load
from dramaturg.template import making

SCRIPTS = ("lint.sh", "test.sh")
"""As the implementation has them; where there are none, the guide names a tool's own commands."""

LINTERS = {"rust": ("rustfmt", "cargo-clippy")}
"""Tools that they need and a build does not."""


LANGUAGES = [
    language
    for language, template in sorted(making.templates().items())
    if {*SCRIPTS} <= making.make("mine", template).keys()
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_its_linter_and_its_unit_tests_accept_it(
    installed: Installed, elsewhere: Path, language: str
) -> None:
    made = installed.run("new", "mine", "--language", language, cwd=elsewhere)
    assert made.returncode == 0, made.stderr
    missing = [finding.problem for finding in toolchain.probe(load(elsewhere / "mine"))]
    missing += [
        f"{tool} is missing" for tool in LINTERS.get(language, ()) if not shutil.which(tool)
    ]
    if any(missing):
        pytest.skip(f"{language}: {'; '.join(problem for problem in missing if problem)}")
    for script in SCRIPTS:
        done = subprocess.run(
            [f"./{script}"],
            capture_output=True,
            text=True,
            check=False,
            cwd=elsewhere / "mine",
            timeout=600,
        )
        assert done.returncode == 0, f"{script}: {done.stdout}{done.stderr}"
