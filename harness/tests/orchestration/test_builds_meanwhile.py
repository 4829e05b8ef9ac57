"""The first of several implementations is performed while the others are built."""

import shutil
import threading
import time
from pathlib import Path

import pytest
from waiting import wait_until

from dramaturg.errors import BuildFailed
from dramaturg.implementation import build
from dramaturg.implementation.manifest import Implementation, load
from dramaturg.orchestration import building


def _named(name: str, command: str, template: Path) -> Implementation:
    folder = template.parent / name
    shutil.copytree(template, folder)
    manifest = folder / "dramaturg.toml"
    said = f'[build]\ncommands = [["sh", "-c", "{command}"]]'
    manifest.write_text(manifest.read_text().replace("[build]", said))
    return load(folder)


def test_the_others_are_built_meanwhile(implementation_folder: Path, no_process_left: None) -> None:
    go = implementation_folder.parent / "go"
    first = _named("first", "true", implementation_folder)
    second = _named("second", f"until test -e {go}; do sleep 0.1; done", implementation_folder)
    with building.builds([first, second], as_json=True):
        assert build.is_current(first)
        assert not build.is_current(second)
        go.touch()
        assert wait_until(lambda: build.is_current(second), 60)


def test_who_needs_one_waits_for_its_build(
    implementation_folder: Path, no_process_left: None
) -> None:
    tried = implementation_folder.parent / "tried"
    first = _named("first", "true", implementation_folder)
    second = _named("second", f"echo once >> {tried}; sleep 1", implementation_folder)
    with building.builds([first, second], as_json=True):
        assert wait_until(tried.exists, 60)
        build.build(second)
    assert tried.read_text() == "once\n"


def test_what_is_still_built_at_the_end_is_given_up(
    implementation_folder: Path, no_process_left: None, capfd: pytest.CaptureFixture[str]
) -> None:
    begun = implementation_folder.parent / "begun"
    first = _named("first", "true", implementation_folder)
    second = _named("second", f"touch {begun}; sleep 600", implementation_folder)
    third = _named("third", f"touch {begun}-too", implementation_folder)
    with building.builds([first, second, third], as_json=False):
        assert wait_until(begun.exists, 60)
    assert not build.is_current(second)
    assert not Path(f"{begun}-too").exists()
    assert "given up" not in capfd.readouterr().err


def test_an_interrupt_gives_up_what_is_still_built(
    implementation_folder: Path, no_process_left: None
) -> None:
    first = _named("first", "true", implementation_folder)
    second = _named("second", "sleep 600", implementation_folder)
    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt), building.builds([first, second], as_json=True):
        raise KeyboardInterrupt
    assert threading.active_count() == before


def test_a_build_that_is_given_up_says_so(
    implementation_folder: Path, no_process_left: None
) -> None:
    slow = _named("slow", "sleep 600", implementation_folder)
    began = time.monotonic()
    with pytest.raises(BuildFailed, match="was given up"):
        build.build(slow, given_up=lambda: time.monotonic() > began)
