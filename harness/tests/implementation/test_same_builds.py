"""Builds of the same sources are the same in every folder: a path that got into a build moved the
code behind it, and one of two equal builds of Erlang was 4 % faster in ping-pong."""

import shutil
import subprocess
from pathlib import Path

import pytest

from dramaturg import paths
from dramaturg.errors import ControlError
from dramaturg.implementation import build, manifest, toolchain
from dramaturg.mutation import patches


def built(folder: Path, name: str) -> dict[str, bytes]:
    """Return the files that the manifest calls outputs, by their paths."""
    patches.bring(paths.IMPLEMENTATIONS / name, None, folder)
    implementation = manifest.load(folder)
    try:
        toolchain.require(implementation)
    except ControlError as error:
        pytest.skip(str(error))
    build.build(implementation)
    there = folder / ".build"
    outputs = implementation.manifest.build.outputs
    found = {file for pattern in outputs for file in there.glob(pattern) if file.is_file()}
    return {str(file.relative_to(there)): file.read_bytes() for file in found}


@pytest.mark.parametrize("name", ["erlang", "go"])
def test_a_build_is_the_same_in_every_folder(tmp_path: Path, name: str) -> None:
    here = built(tmp_path / "a" / name, name)
    there = built(tmp_path / "in_a_folder_with_a_much_longer_name" / name, name)
    assert here
    assert here.keys() == there.keys()
    assert [file for file in here if here[file] != there[file]] == []


def test_what_asyncio_has_built_is_what_runs_wherever_it_lies(tmp_path: Path) -> None:
    """In each copy that the harness makes, and at a path that nobody knew when it was built."""
    folder, moved = tmp_path / "here" / "asyncio", tmp_path / "there"
    ignored = shutil.ignore_patterns(".build", "__pycache__")
    shutil.copytree(paths.IMPLEMENTATIONS / "asyncio", folder, ignore=ignored)
    subprocess.run(["./build"], cwd=folder, check=True)
    made = build.artefact(manifest.load(folder))
    folder.rename(moved)
    assert build.artefact(manifest.load(moved)) == made
    shutil.rmtree(moved / "src")
    done = subprocess.run(
        ["./run"], cwd=moved, input="", capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
