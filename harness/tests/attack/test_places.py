"""The timed program is the certified one, whatever a build leaves or a program changes."""

import contextlib
import os
import py_compile
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dramaturg.conformance import certification
from dramaturg.conformance.plugin import Task
from dramaturg.conformance.pool import Pool
from dramaturg.conformance.result import outcome_of
from dramaturg.control import place
from dramaturg.errors import BuildFailed, Changed
from dramaturg.implementation import build
from dramaturg.implementation.manifest import Implementation, load
from dramaturg.outcomes import Outcome

MANIFEST = """\
name = "prey"
language = "shell"
spec = "2"
control = "stdio"
benchmarks = ["pingpong"]
[[toolchain.needs]]
what = "a tool"
probe = ["tool", "--version"]
[build]
inputs = ["main.sh"]
commands = [["sh", "-c", '''{build}''']]
environment = ["TOOL_ROOT"]
{outputs}
[run]
command = ["sh", ".build/main"]
"""

HONEST, CHEAT = "echo honest\n", "echo cheat\n"


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A folder out of the implementation's, with what it would run."""
    made = tmp_path / "elsewhere"
    made.mkdir()
    (made / "main").write_text(HONEST)
    return made


def prey(tmp_path: Path, command: str, outputs: str = "") -> Implementation:
    folder = tmp_path / "prey"
    folder.mkdir()
    (folder / "dramaturg.toml").write_text(MANIFEST.format(build=command, outputs=outputs))
    (folder / "main.sh").write_text(HONEST)
    return load(folder)


def runs(made: Implementation, built: build.Built | None = None) -> str:
    """Return what it would say if it ran now."""
    with place.made(made, built) as there:
        return (there / ".build" / "main").read_text()


@pytest.mark.parametrize(
    ("command", "outputs"),
    [
        ("ln -sf {there}/main .build/main", ""),
        ("ln -sf {there}/main .build/main", 'outputs = ["main"]'),
        ("ln -sf ../../elsewhere/main .build/main", 'outputs = ["main"]'),
        ("ln -sfn {there} .build/lib; cp main.sh .build/main", ""),
        ("ln -sfn ../../elsewhere .build/lib; cp main.sh .build/main", 'outputs = ["lib/*"]'),
        ("ln -sfn {there} .build/a; ln -sfn a/main .build/main", ""),
        ("ln -sfn ../../prey/../elsewhere .build/lib", 'outputs = ["**/main", "lib/main"]'),
        ("ln -sfn {there}/later .build/main", ""),
    ],
)
def test_a_link_that_leads_out_is_refused_by_name(
    tmp_path: Path, elsewhere: Path, command: str, outputs: str
) -> None:
    made = prey(tmp_path, command.format(there=elsewhere), outputs)
    with pytest.raises(BuildFailed, match=r"build\.outputs .* (main|lib|a), a link that leads to"):
        build.build(made)
    assert not build.is_current(made)
    assert not certification.is_certified(made)


def test_what_was_refused_can_be_built_again_when_it_no_longer_leads_out(
    tmp_path: Path, elsewhere: Path
) -> None:
    made = prey(tmp_path, f"ln -sf {elsewhere}/main .build/main")
    with pytest.raises(BuildFailed):
        build.build(made)
    manifest = made.folder / "dramaturg.toml"
    manifest.write_text(manifest.read_text().replace("ln -sf", "rm -f .build/main; cp"))
    build.build(load(made.folder))
    assert runs(load(made.folder)) == HONEST


def test_a_folder_of_builds_that_is_a_link_is_refused(tmp_path: Path, elsewhere: Path) -> None:
    made = prey(tmp_path, "true")
    (made.folder / ".build").symlink_to(elsewhere)
    with pytest.raises(BuildFailed, match=r"\.build is a link"):
        build.build(made)


def test_what_a_link_within_leads_to_is_run_and_counts(tmp_path: Path) -> None:
    command = (
        "mkdir -p .build/real; cp main.sh .build/real/core; ln -sf $PWD/.build/real .build/lib;"
    )
    made = prey(tmp_path, command + " ln -sf lib/core .build/main", 'outputs = ["main"]')
    build.build(made)
    with place.made(made) as there:
        assert (there / ".build" / "main").resolve() == there / ".build" / "real" / "core"
        assert (there / ".build" / "main").read_text() == HONEST
    (made.folder / ".build" / "real" / "core").write_text(CHEAT)
    assert build.altered(made)


def test_a_link_to_a_file_that_is_not_declared_is_refused_and_one_to_a_folder_has_what_is(
    tmp_path: Path,
) -> None:
    command = "mkdir -p target; cp main.sh target/main; ln -sf ../target/main .build/main"
    made = prey(tmp_path, command)
    with pytest.raises(BuildFailed, match=r"target/main, which neither build.inputs nor"):
        build.build(made)
    # As rebar3 makes them: to sources and to what may not be there.
    links = "rm -f .build/main; cp main.sh .build/main; ln -sfn ../target .build/src;"
    manifest = made.folder / "dramaturg.toml"
    manifest.write_text(manifest.read_text().replace(command, f"{links} ln -sfn ../no .build/no"))
    made = load(made.folder)
    build.build(made)
    with place.made(made, build.built(made)) as there:
        assert (there / ".build" / "src").is_symlink()
        assert not (there / "target").exists()


def test_a_link_leads_to_a_tool_that_is_recorded_and_what_the_tool_is_counts(
    tmp_path: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("bin/tool", "lib/core"):
        (elsewhere / name).parent.mkdir()
        (elsewhere / name).write_text("#!/bin/sh\necho 1\n")
        (elsewhere / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{elsewhere}/bin:{os.environ['PATH']}")
    monkeypatch.setenv("TOOL_ROOT", str(elsewhere / "lib"))
    command = "cp main.sh .build/main; ln -sf {0}/bin/tool .build/tool; ln -sfn {0}/lib .build/lib"
    made = prey(tmp_path, command.format(elsewhere))
    build.build(made)
    built = build.built(made)
    assert runs(made, built) == HONEST
    for name in ("bin/tool", "lib/core"):
        (elsewhere / name).write_text("#!/bin/sh\necho 2\n")
        assert build.altered(made)
        with pytest.raises(Changed, match=r"what was built .* changed"):
            runs(made, built)
        (elsewhere / name).write_text("#!/bin/sh\necho 1\n")
    assert runs(made, built) == HONEST


def test_what_a_build_writes_beside_is_not_there(tmp_path: Path) -> None:
    made = prey(tmp_path, "mkdir -p target; cp main.sh target/main; cp main.sh .build/main")
    build.build(made)
    with place.made(made) as there:
        assert (there / ".build" / "main").exists()
        assert not (there / "target").exists()


def test_bytecode_beside_the_sources_is_not_there(tmp_path: Path) -> None:
    made = prey(tmp_path, "cp main.sh .build/main")
    manifest = made.folder / "dramaturg.toml"
    manifest.write_text(manifest.read_text().replace('["main.sh"]', '["main.sh", "**/*"]'))
    made = load(made.folder)
    (made.folder / "core.py").write_text("honest\n")
    build.build(made)
    built = build.built(made)
    (tmp_path / "evil.py").write_text("cheat\n")
    cached = made.folder / "__pycache__" / f"core.{sys.implementation.cache_tag}.pyc"
    py_compile.compile(
        str(tmp_path / "evil.py"),
        str(cached),
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )
    assert cached.exists()
    with place.made(made, built) as there:
        assert (there / "core.py").exists()
        assert not list(there.rglob("*.pyc"))


@contextlib.contextmanager
def swapped(file: Path) -> Iterator[None]:
    """As a program does that recognises the copy it runs in: the original is another meanwhile."""
    before = file.read_text()
    file.write_text(CHEAT)
    yield
    file.write_text(before)


@pytest.mark.parametrize("name", ["main.sh", ".build/main"])
def test_a_program_that_changes_the_original_is_not_run_again(tmp_path: Path, name: str) -> None:
    made = prey(tmp_path, "cp main.sh .build/main")
    build.build(made)
    built = build.built(made)
    assert runs(made, built) == HONEST
    with (
        swapped(made.folder / name),
        pytest.raises(Changed, match=r"prey: .* changed since it was built and judged"),
    ):
        runs(made, built)
    assert runs(made, built) == HONEST


def test_workers_that_judge_one_build_run_no_other(tmp_path: Path) -> None:
    """Also one that was built in the meantime, by a build that makes another each time."""
    made = prey(tmp_path, "cp main.sh .build/main; echo again >>.build/times; cat .build/times")
    build.build(made)
    judged = certification._built([made])
    assert Task(None, tmp_path, built=judged).built == judged  # type: ignore[arg-type]
    (made.folder / ".build" / "main").unlink()
    pool = Pool(built=judged)
    with pytest.raises(Changed, match="changed since it was built and judged") as raised:
        pool.get(_without_tools(made))
    assert outcome_of(raised.value) is Outcome.NOT_RUN
    assert certification.is_altered(made, judged["prey"])


def _without_tools(made: Implementation) -> Implementation:
    made.manifest.toolchain.needs.clear()
    return made
