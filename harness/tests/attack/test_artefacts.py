"""The timed program was built and judged on this machine, and did not come with a folder."""

import errno
import json
import os
import shutil
from pathlib import Path

import pytest
from attack_kit import Prey

from dramaturg import paths
from dramaturg.conformance import certification
from dramaturg.errors import BuildFailed, ManifestError
from dramaturg.implementation import build
from dramaturg.implementation.manifest import load
from dramaturg.outcomes import Outcome
from dramaturg.records import CaseRecord
from dramaturg.standing import Standing


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def prey(tmp_path: Path) -> Prey:
    """One that compiles, so to say: its program is a copy of its source."""
    made = Prey(tmp_path / "prey")
    manifest = made.folder / "dramaturg.toml"
    command = '["sh", "-c", "mkdir -p $BUILD/bin && cp main.sh $BUILD/bin && date +%N >$BUILD/log"]'
    text = manifest.read_text().replace('["touch", "built"]', command)
    manifest.write_text(text.replace("[build]\n", '[build]\noutputs = ["bin/*"]\n'))
    return made


def certified(prey: Prey) -> None:
    """Judged right, as far as this machine remembers."""
    made = prey.implementation
    standing = Standing(made.name, build.build(made), 4, levels=[0, 1, 2, 3])
    standing.records = [
        CaseRecord(implementation=made.name, level=level, benchmark="pingpong", case="one",
                   outcome=Outcome.PASS)
        for level in range(4)
    ]  # fmt: skip
    certification._remember(made, standing)
    assert certification.is_certified(made)


def test_a_folder_whose_path_is_no_text_is_built_and_remembered(tmp_path: Path) -> None:
    latin = tmp_path / os.fsdecode(b"caf\xe9")
    latin.mkdir()
    made = load(Prey(tmp_path / "prey").folder.rename(latin / "prey"))
    build.build(made)
    assert build.is_current(made)
    shutil.rmtree(made.folder)
    build.build(Prey(tmp_path / "prey").implementation)
    assert len(list((tmp_path / "cache").rglob("place"))) == 1, "what is gone is forgotten"


def test_an_artefact_that_was_altered_is_no_longer_certified(prey: Prey) -> None:
    certified(prey)
    program = prey.folder / ".build" / "bin" / "main.sh"
    program.write_text("faster, and wrong\n")
    assert not certification.is_certified(prey.implementation)
    assert not build.is_current(prey.implementation)
    assert build.altered(prey.implementation)
    build.build(prey.implementation)
    assert program.read_text() == (prey.folder / "main.sh").read_text()
    assert certification.is_certified(prey.implementation)


def test_a_program_that_was_made_executable_or_joined_by_another_is_altered(prey: Prey) -> None:
    certified(prey)
    program = prey.folder / ".build" / "bin" / "main.sh"
    program.chmod(0o755)
    assert build.altered(prey.implementation)
    program.chmod(0o644)
    assert not build.altered(prey.implementation)
    (program.parent / "beside").touch()
    assert build.altered(prey.implementation)


def test_what_is_no_output_may_differ(prey: Prey) -> None:
    certified(prey)
    (prey.folder / ".build" / "log").write_text("later")
    assert certification.is_certified(prey.implementation)


def test_a_folder_cannot_vouch_for_itself(prey: Prey) -> None:
    made = prey.implementation
    shipped = prey.folder / ".build"
    shipped.mkdir()
    digest = build.digest(made)
    (shipped / "built").write_text(digest + "\n")
    stamp = {"implementation": made.name, "spec": "2", "build": digest,
             "cases": certification.cases.digest(), "required": [0, 1, 2, 3]}  # fmt: skip
    (shipped / "prey.certified.json").write_text(json.dumps(stamp))
    assert not build.is_current(made)
    assert not certification.is_certified(made)


def test_a_folder_that_was_copied_is_not_certified_by_its_origin(
    prey: Prey, tmp_path: Path
) -> None:
    certified(prey)
    copy = tmp_path / "copy"
    shutil.copytree(prey.folder, copy)
    assert not certification.is_certified(load(copy))


def test_without_outputs_all_that_was_made_counts(prey: Prey) -> None:
    manifest = prey.folder / "dramaturg.toml"
    manifest.write_text(manifest.read_text().replace('outputs = ["bin/*"]\n', ""))
    certified(prey)
    (prey.folder / ".build" / "log").write_text("later")
    assert not certification.is_certified(prey.implementation)


def test_a_link_counts_as_where_it_leads(prey: Prey) -> None:
    certified(prey)
    program = prey.folder / ".build" / "bin" / "main.sh"
    program.unlink()
    program.symlink_to(prey.folder / "main.sh")
    assert build.altered(prey.implementation)


@pytest.mark.parametrize("pattern", ["../main.sh", "bin/../../main.sh"])
def test_outputs_are_what_was_built(prey: Prey, pattern: str) -> None:
    manifest = prey.folder / "dramaturg.toml"
    manifest.write_text(manifest.read_text().replace("bin/*", pattern))
    with pytest.raises(ManifestError, match=r"build\.outputs\.0: leads out of the folder"):
        build.build(prey.implementation)


def test_a_build_that_makes_nothing_has_failed(prey: Prey) -> None:
    manifest = prey.folder / "dramaturg.toml"
    manifest.write_text(manifest.read_text().replace("bin/*", "lib/*"))
    with pytest.raises(BuildFailed, match=r"made nothing that build\.outputs 'lib/\*' matches"):
        build.build(prey.implementation)


def test_a_variant_may_build_into_a_folder_of_a_variants_name(prey: Prey) -> None:
    manifest = prey.folder / "dramaturg.toml"
    text = manifest.read_text().replace("bin/*", "*/main.sh").replace("BUILD/bin", "BUILD/$KIND")
    manifest.write_text(text + '\n[variants.quick]\nbuild_environment = {KIND = "quick"}\n')
    made = load(prey.folder, "quick")
    build.build(made)
    (prey.folder / ".build" / "quick" / "quick" / "main.sh").write_text("faster, and wrong\n")
    assert build.altered(made)


def test_stamps_of_folders_that_are_gone_are_forgotten(prey: Prey, tmp_path: Path) -> None:
    build.build(prey.implementation)
    assert len(list((paths.cache() / "stamps").iterdir())) == 1
    shutil.rmtree(prey.folder)
    build.build(Prey(tmp_path / "other").implementation)
    assert len(list((paths.cache() / "stamps").iterdir())) == 1


def test_a_cache_in_which_nothing_can_be_kept_is_none(prey: Prey, tmp_path: Path) -> None:
    """As one that root has made: a build is made all the same."""
    (tmp_path / "cache" / "dramaturg").mkdir(parents=True)
    (tmp_path / "cache" / "dramaturg" / "stamps").touch()
    made = prey.implementation
    for _ in range(2):
        assert build.build(made) == build.digest(made)
        assert not build.is_current(made)


def test_what_passes_no_more_and_cannot_be_forgotten_is_said(
    prey: Prey, monkeypatch: pytest.MonkeyPatch
) -> None:
    certified(prey)
    made = prey.implementation
    failed = Standing(made.name, build.digest(made), 1, levels=[0])
    failed.records = [
        CaseRecord(implementation=made.name, level=0, benchmark="pingpong", case="one",
                   outcome=Outcome.FAIL)
    ]  # fmt: skip

    def refused(file: Path, missing_ok: bool = False) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(Path, "unlink", refused)
    with pytest.raises(OSError, match=r"Read-only file system: .*certified\.json"):
        certification._remember(made, failed)


def test_a_stamp_that_cannot_be_read_says_nothing(prey: Prey) -> None:
    certified(prey)
    for file in (paths.cache() / "stamps").rglob("*.json"):
        file.write_text("[" * 100_000)
    assert not certification.is_certified(prey.implementation)
    assert not build.altered(prey.implementation)


def test_a_build_folder_that_is_a_link_is_refused_before_anything_is_written(
    prey: Prey, tmp_path: Path
) -> None:
    """It comes with a clone, and leads to a folder of the user's."""
    other = tmp_path / "project"
    other.mkdir()
    (other / "build.log").write_text("mine\n")
    (prey.folder / ".build").symlink_to(other)
    with pytest.raises(BuildFailed, match=r"\.build is a link"):
        build.build(prey.implementation)
    assert [(each.name, each.read_text()) for each in other.iterdir()] == [("build.log", "mine\n")]


@pytest.mark.parametrize("kept", ["versions", "installs"])
def test_a_tool_of_a_manager_of_versions_is_one_that_a_link_may_lead_to(
    prey: Prey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: str
) -> None:
    """As a virtual environment has it that pyenv's Python has made."""
    root = tmp_path / "manager"
    real = root / kept / "3.1" / "bin" / "tool"
    for file in (root / "shims" / "tool", real, root / "other" / "tool"):
        file.parent.mkdir(parents=True)
        file.write_text("#!/bin/sh\necho 3.1\n")
        file.chmod(0o755)
    monkeypatch.setenv("PATH", f"{root / 'shims'}:{os.environ['PATH']}")
    manifest = prey.folder / "dramaturg.toml"
    text = manifest.read_text()
    assert 'probe = ["sh"' in text
    manifest.write_text(text.replace('probe = ["sh"', 'probe = ["tool"'))
    certified(prey)
    link = prey.folder / ".build" / "bin" / "tool"
    link.symlink_to(root / "other" / "tool")
    with pytest.raises(ManifestError, match="name there a variable that says where that tool is"):
        build.artefact(prey.implementation)
    link.unlink()
    link.symlink_to(real)
    before = build.artefact(prey.implementation)
    real.write_text("#!/bin/sh\necho another\n")
    assert build.artefact(prey.implementation) != before
