"""An implementation learns nothing of the harness's knowledge."""

from pathlib import Path

import pytest
from attack_kit import Prey

from dramaturg.control import starting
from dramaturg.errors import ControlError
from dramaturg.implementation import build, toolchain
from dramaturg.implementation.manifest import find

SECRET = "a-token-that-nobody-may-see"
TELLING = "env > {0}-saw"


@pytest.fixture
def telling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Prey:
    """It writes down what it is given when it is probed, built and run."""
    monkeypatch.setenv("CI_SECRET_TOKEN", SECRET)
    monkeypatch.setenv("LIBRARY_ROOT", "/opt/library")
    prey = Prey(tmp_path / "prey")
    manifest = prey.folder / "dramaturg.toml"
    text = manifest.read_text().replace("touch probed", TELLING.format("probe"))
    text = text.replace('["touch", "built"]', f'["sh", "-c", "{TELLING.format("build")}"]')
    text = text.replace("[build]\n", '[build]\nenvironment = ["LIBRARY_ROOT", "ABSENT"]\n')
    manifest.write_text(text + '[run.environment]\nMINE = "set by the manifest"\n')
    (prey.folder / "main.sh").write_text(TELLING.format(prey.folder / "run"))
    return prey


def seen(prey: Prey) -> dict[str, dict[str, str]]:
    """Return the variables that each of the three saw."""
    toolchain.probe(prey.implementation)
    build.build(prey.implementation)
    with pytest.raises(ControlError), starting.start(prey.implementation):
        pass
    return {
        file.name: dict(line.split("=", 1) for line in file.read_text().splitlines())
        for file in prey.folder.glob("*-saw")
    }


def test_a_planted_secret_is_found_nowhere(telling: Prey) -> None:
    saw = seen(telling)
    assert saw.keys() == {"probe-saw", "build-saw", "run-saw"}
    for who, variables in saw.items():
        assert SECRET not in variables.values(), who
    for file in telling.folder.rglob("*"):
        assert not file.is_file() or SECRET not in file.read_text(errors="replace"), file


def test_what_is_given_is_composed_and_nothing_else(telling: Prey) -> None:
    own = {"PWD", "SHLVL", "_", "OLDPWD"}
    given = {"PATH", "HOME", "LANG", "TMPDIR", "BUILD", "LIBRARY_ROOT", "MINE"}
    for who, variables in seen(telling).items():
        strange = variables.keys() - given - own
        assert not [name for name in strange if not name.startswith("DRAMATURG_")], who
        assert variables["LIBRARY_ROOT"] == "/opt/library"
        assert variables["MINE"] == "set by the manifest"
        assert variables["PATH"]


def test_what_the_manifest_names_counts_for_the_digest(
    telling: Prey, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = build.digest(telling.implementation)
    monkeypatch.setenv("CI_SECRET_TOKEN", "another")
    assert build.digest(telling.implementation) == before
    monkeypatch.setenv("LIBRARY_ROOT", "/opt/another")
    assert build.digest(telling.implementation) != before


def test_language_is_said_where_the_user_says_none(
    telling: Prey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LANG", raising=False)
    assert {variables["LANG"] for variables in seen(telling).values()} == {"C.UTF-8"}


@pytest.mark.parametrize("name", ["reference"])
def test_ours_come_up_with_what_they_are_given(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    ours = find(name)
    with starting.start(ours) as started:
        assert started.describe().runtime
