"""The places of implementations: copies of what is declared, at paths as long as any other."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from waiting import wait_until

from dramaturg import paths
from dramaturg.control import place, scratch, starting
from dramaturg.errors import Crashed, HarnessFault
from dramaturg.implementation import build, manifest
from dramaturg.implementation.manifest import Implementation, load
from dramaturg.processes import fence

MANIFEST = """\
name = "actors"
language = "shell"
spec = "2"
control = "stdio"
benchmarks = ["pingpong"]
[build]
inputs = ["run", "src/*"]
beside = {shared = ["said"]}
commands = [["sh", "-c", "mkdir -p .build/lib && cp src/core .build/lib && cp src/said .build"]]
outputs = ["said", "lib/*"]
[run]
command = ["sh", "./run"]
"""

PROGRAM = 'cat "$(dirname "$0")/.build/said" ../shared/said; pwd -P\n'


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def actors(tmp_path: Path) -> Implementation:
    """One that was built, with a folder beside it."""
    folder = tmp_path / "some" / "where" / "actors"
    (folder / "src").mkdir(parents=True)
    (folder / "dramaturg.toml").write_text(MANIFEST)
    (folder / "src" / "said").write_text("from the build")
    (folder / "src" / "core").write_text("#!/bin/sh\n")
    (folder / "src" / "core").chmod(0o755)
    (folder / "run").write_text(PROGRAM)
    (folder.parent / "shared").mkdir()
    (folder.parent / "shared" / "said").write_text(", and beside it\n")
    made = load(folder)
    build.build(made)
    return made


def rewritten(actors: Implementation, old: str, new: str) -> Implementation:
    file = actors.folder / "dramaturg.toml"
    file.write_text(file.read_text().replace(old, new))
    return load(actors.folder)


def test_what_is_declared_is_there_in_its_relative_place(actors: Implementation) -> None:
    with place.made(actors) as there:
        said = subprocess.check_output(["sh", "./run"], cwd=there, text=True)
        assert said == f"from the build, and beside it\n{there}\n"
        assert os.access(there / ".build/lib/core", os.X_OK)


@pytest.mark.parametrize("outputs", ["**/*", "empty", "e*"])
def test_a_folder_that_a_build_leaves_empty_is_there_too(
    actors: Implementation, outputs: str
) -> None:
    """A program may look for it, or list it: nothing in it is something to find."""
    commands = "mkdir -p .build/lib && "
    actors = rewritten(actors, commands, f"{commands}mkdir -p .build/empty/er && ")
    actors = rewritten(actors, 'outputs = ["said", "lib/*"]', f'outputs = ["said", "{outputs}"]')
    actors = rewritten(actors, "empty/er", "empty") if outputs != "**/*" else actors
    before = build.artefact(actors)
    build.build(actors)
    made = build.built(actors)
    inside = ".build/empty/er" if outputs == "**/*" else ".build/empty"
    assert made.artefact != before, "its digest says so"
    with place.made(actors, made) as there:
        assert list((there / inside).iterdir()) == []
    (actors.folder / inside).rmdir()
    assert build.altered(actors)


def test_what_is_not_declared_is_not_there(actors: Implementation) -> None:
    for name in ("target/main", "results/x", ".hidden/x", ".build/log", "src/__pycache__/a.pyc"):
        (actors.folder / name).parent.mkdir(exist_ok=True)
        (actors.folder / name).write_text("undeclared")
    (actors.folder.parent / "shared" / "other").write_text("undeclared")
    with place.made(actors) as there:
        found = {str(file.relative_to(there.parent)) for file in there.parent.rglob("*")
                 if not file.is_dir()}  # fmt: skip
    protocol = {f"Protocol/dramaturg/v2/{file.name}" for file in paths.PROTO.rglob("*.proto")}
    assert found - protocol == {
        "side/dramaturg.toml", "side/run", "side/src/said", "side/src/core", "side/.build/said",
        "side/.build/lib/core", "shared/said",
    }  # fmt: skip


def test_nothing_in_it_is_a_file_of_the_folder(actors: Implementation) -> None:
    with place.made(actors) as there:
        for name in ("run", "src/core", ".build/said", "../shared/said"):
            assert not (there / name).is_symlink()
            assert (there / name).stat().st_ino != (actors.folder / name).stat().st_ino
            assert (there / name).read_bytes() == (actors.folder / name).read_bytes()


def test_packages_of_the_harness_are_copied_as_well() -> None:
    reference = manifest.find("reference")
    with place.made(reference) as there:
        copied = there.parent / "Packages" / "dramaturg"
        assert (copied / "model" / "actor.py").is_file()
        assert (copied / "v2" / "trace_pb2.py").is_file()
        assert not (copied / "trace").exists()
        assert not list(there.parent.rglob("__pycache__"))


def test_where_nothing_can_be_executed_is_one_clear_error(
    actors: Implementation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "statvfs", lambda path: SimpleNamespace(f_flag=os.ST_NOEXEC))
    with pytest.raises(HarnessFault, match=r"mounted noexec.*set TMPDIR"), place.made(actors):
        pass


def test_two_places_have_paths_of_one_length(actors: Implementation) -> None:
    other = manifest.find("reference")
    with place.made(actors) as one, place.made(other) as another, place.made(actors) as again:
        assert len({len(str(each)) for each in (one, another, again)}) == 1
        assert len({one, another, again}) == 3
        assert {each.name for each in (one, another, again)} == {"side"}


def test_a_folder_beside_may_be_called_as_the_place(actors: Implementation) -> None:
    (actors.folder.parent / "side").mkdir()
    (actors.folder.parent / "side" / "said").write_text("a namesake")
    with place.made(rewritten(actors, "{shared", '{side = ["said"], shared')) as there:
        assert (there.parent / "side" / "said").read_text() == "a namesake"
        assert (there / "run").is_file()


def test_nothing_of_the_folder_goes_when_the_place_does(actors: Implementation) -> None:
    with place.made(actors) as there:
        pass
    assert not there.parent.exists()
    assert (actors.folder / ".build" / "said").read_text() == "from the build"


def test_nobody_may_write_there_by_its_modes(actors: Implementation) -> None:
    with place.made(actors) as there:
        everything = [there.parent, *there.parent.rglob("*")]
        assert not any(each.stat().st_mode & 0o222 for each in everything)


def test_a_files_mode_tells_no_more_than_its_digest_has(actors: Implementation) -> None:
    """A program that marks its original while it is certified does not find the mark later."""
    build.build(actors)
    before = build.built(actors)
    (actors.folder / ".build/said").chmod(0o2604)
    (actors.folder / ".build/lib/core").chmod(0o6711)
    assert build.built(actors) == before
    with place.made(actors, before) as there:
        modes = [(there / ".build" / each).stat().st_mode & 0o7777 for each in ("said", "lib/core")]
    assert modes == [0o444, 0o555]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else for a while")
def test_a_folder_in_which_nobody_may_look_is_removed_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/tmp")
    monkeypatch.setattr(fence, "guard", lambda folder: None)
    os.seteuid(65534)
    try:
        with scratch.folder() as folder:
            (folder / "side" / "deep").mkdir(parents=True)
            (folder / "side" / "deep" / "file").touch()
            for each in (folder / "side" / "deep", folder / "side", folder):
                each.chmod(0)
    finally:
        os.seteuid(0)
    left = folder.exists()
    shutil.rmtree(folder, ignore_errors=True)
    assert not left


def test_what_runs_there_cannot_write_there(actors: Implementation) -> None:
    """Root neither, if it may mount; nor other users, unless they change modes on purpose."""
    program = (
        "for each in run .build/said ../shared/said; do"
        " ( echo x >>$each ) 2>/dev/null && echo wrote $each; done;"
        " ( : >new ) 2>/dev/null && echo made; rm -f run 2>/dev/null && echo removed; echo tried"
    )
    with place.made(actors) as there:
        if os.geteuid() == 0 and subprocess.call(["unshare", "--mount", "true"]) != 0:
            pytest.skip("root may not mount here, and modes do not keep it from writing")
        command = [*place.read_only(there), "sh", "-c", program]
        said = subprocess.check_output(command, cwd=there, text=True)
    assert said == "tried\n"


def test_a_harness_that_is_killed_leaves_no_place_behind(
    actors: Implementation, tmp_path: Path
) -> None:
    code = (
        "import os, signal, sys; from pathlib import Path\n"
        "from dramaturg.control import place; from dramaturg.implementation.manifest import load\n"
        "with place.made(load(Path(sys.argv[1]))) as there:\n"
        "    print(there, flush=True); os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run(
        paths.python("-c", code, str(actors.folder)), capture_output=True, text=True, check=False
    )
    there = Path(done.stdout.strip())
    assert there.name == "side"
    assert wait_until(lambda: not there.parent.exists(), 20)


def test_an_implementation_is_started_there() -> None:
    reference = manifest.find("reference")
    with starting.start(reference) as there:
        assert there.process is not None
        cwd = Path(f"/proc/{there.process.pid}/cwd").resolve()
        assert cwd.name == "side"
        assert cwd != reference.folder
        assert there.describe().runtime
        there.end_input()


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("tool.sh", '["./tool.sh"]'),
        ("target/main", '["sh", "target/main"]'),
        ("lib/core.sh", '["sh", "-c", ". ./lib/core.sh"]'),
        ("tools/x.py", '["python3", "tools/x.py"]'),
        ("pkg/core.py", '["python3", "-c", "import pkg.core"]'),
        ("pkg/__main__.py", '["python3", "-m", "pkg"]'),
        ("../shared/core.sh", '["sh", "../shared/core.sh"]'),
    ],
)
def test_a_file_that_is_needed_and_not_declared_is_named(
    actors: Implementation, name: str, command: str
) -> None:
    file = actors.folder / name
    file.parent.mkdir(exist_ok=True)
    file.write_text("true\n")
    file.chmod(0o755)
    undeclared = rewritten(actors, '["sh", "./run"]', command)
    wanted = str(Path(name).parent if name.startswith("pkg") else name).replace(".", r"\.")
    with (
        pytest.raises(Crashed, match=f"{wanted} lies in .*build.inputs"),
        starting.start(undeclared),
    ):
        pass


def test_a_program_that_ends_for_another_reason_is_not_told_of_files(
    actors: Implementation,
) -> None:
    (actors.folder / "README").write_text("nobody needs it")
    (actors.folder / "run").write_text("echo see README >&2; cat ./no-such-file; exit 3\n")
    with pytest.raises(Crashed) as raised, starting.start(actors):
        pass
    assert "no-such-file" in raised.value.said
    assert " lies in " not in str(raised.value)


def test_a_file_that_could_be_declared_nowhere_is_not_said_to_lie_in_the_folder(
    actors: Implementation,
) -> None:
    (actors.folder.parents[1] / "further").write_text("not beside it")
    (actors.folder / "run").write_text("cat ../../further; exit 3\n")
    with pytest.raises(Crashed) as raised, starting.start(actors):
        pass
    assert "further" in raised.value.said
    assert " lies in " not in str(raised.value)
