"""Compiled code serves the sources that it was made from, and no others."""

import shutil
import sys
from pathlib import Path

import pytest

from dramaturg.compiled import loading, machine_code
from dramaturg.model.workload import MICRO

PACKAGE = loading._PACKAGE


@pytest.fixture()
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The sources, elsewhere."""
    root = tmp_path / "dramaturg"
    for file in loading.sources():
        other = root / file.relative_to(PACKAGE)
        other.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(file, other)
    monkeypatch.setattr(loading, "_PACKAGE", root)
    replaced = tuple(root / file.relative_to(PACKAGE) for file in loading.REPLACED)
    monkeypatch.setattr(loading, "REPLACED", replaced)
    return root


def test_a_copy_of_the_sources_has_the_same_name(copy: Path) -> None:
    copied = loading.name()
    with pytest.MonkeyPatch.context() as undone:
        undone.setattr(loading, "_PACKAGE", PACKAGE)
        there = tuple(PACKAGE / file.relative_to(copy) for file in loading.REPLACED)
        undone.setattr(loading, "REPLACED", there)
        assert copied == loading.name()


@pytest.mark.parametrize(
    "file",
    [
        "model/chatapp.py", "model/fold.py", "compiled/game.py", "trace/replay/steps/players.py",
        "trace/replay/token_game.py", "trace/partial/part_replay.py",
    ],
)  # fmt: skip
def test_what_was_compiled_of_other_sources_is_not_found(file: str, copy: Path) -> None:
    """A wrong harness, and a mutant, change a few words: these must run."""
    before = loading.name()
    changed = copy / file
    changed.write_text(changed.read_text().replace("0", "1", 1))
    assert loading.name() != before
    loading.package.cache_clear()
    try:
        assert not loading.package()
        assert loading.machine(MICRO["chain"].parameters(length=6)) is None
        assert "not compiled" in loading.described()
    finally:
        loading.package.cache_clear()


def test_sources_that_lie_where_machine_code_would_are_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, copy: Path
) -> None:
    changed = copy / "model" / "fold.py"
    changed.write_text(changed.read_text() + "# Another.\n")
    lies = tmp_path / "packages" / loading.name()
    lies.mkdir(parents=True)
    (lies / "__init__.py").touch()
    (lies / "engine.py").write_text("")
    monkeypatch.syspath_prepend(str(lies.parent))
    loading.package.cache_clear()
    try:
        assert not loading.package()
    finally:
        loading.package.cache_clear()
        for each in [name for name in sys.modules if name.startswith(lies.name)]:
            del sys.modules[each]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("chain", {"length": 1 << 33}),
        ("web", {"browsers": 1, "workers": 1, "requests": 1, "fib_n": 48}),
        ("count", {"adders": -1, "adds": 1}),
        ("pingpong", {"rounds": 1, "shift": 33}),
    ],
)
def test_numbers_that_could_wrap_are_left_to_the_model(
    name: str, values: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked(module: str) -> None:
        raise AssertionError(f"{module} is asked")

    monkeypatch.setattr(loading, "package", lambda: "there")
    monkeypatch.setattr(loading.importlib, "import_module", asked)
    assert loading.machine(MICRO[name].parameters(**values)) is None


def test_set_up_has_compiled_these_sources() -> None:
    """Else nothing would say that tests of machine code were not run."""
    if not loading.stale():
        pytest.skip("nothing is compiled here: make setup says why")
    assert loading.package(), "the model has changed since: make setup"


def test_without_a_compiler_it_says_so_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(loading, "package", lambda: "")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    machine_code.main()
    assert "the model runs uncompiled: there is no C compiler" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(loading, "package", lambda: "")
    monkeypatch.setattr(loading, "folder", lambda: tmp_path / "nowhere")
    machine_code.main()
    assert "nowhere cannot be written" in capsys.readouterr().err
