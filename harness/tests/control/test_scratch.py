"""Places at which something is started, as long as any other."""

import os
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from dramaturg.control import scratch, session
from dramaturg.errors import HarnessFault
from dramaturg.implementation import manifest


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A folder with one beside it."""
    folder = tmp_path / "some" / "where" / "actors"
    (folder / ".build").mkdir(parents=True)
    (folder / ".build" / "said").write_text("from the build")
    (folder / "run").write_text('cat "$(dirname "$0")/.build/said" ../shared/said; pwd -P\n')
    (folder.parent / "shared").mkdir()
    (folder.parent / "shared" / "said").write_text(", and beside it\n")
    return folder


def test_what_lies_in_a_folder_and_beside_it_is_found_there(sources: Path) -> None:
    with scratch.place(sources) as place:
        said = subprocess.check_output(["sh", "./run"], cwd=place, text=True)
    assert said == f"from the build, and beside it\n{place}\n"


def test_what_was_built_is_copied_and_the_rest_is_linked_to(sources: Path) -> None:
    (sources / ".build" / "log").write_text("of the build")
    (sources / ".build" / "lib").mkdir()
    (sources / ".build" / "lib" / "actors").write_text("#!/bin/sh\n")
    (sources / ".build" / "lib" / "actors").chmod(0o755)
    (sources / ".build" / "lib" / "link").symlink_to("actors")
    built = [Path(".build/said"), Path(".build/lib/actors"), Path(".build/lib/link")]
    with scratch.place(sources, built) as place:
        for name in built[:2]:
            assert not (place / name).is_symlink()
            assert (place / name).stat().st_ino != (sources / name).stat().st_ino
            assert (place / name).read_bytes() == (sources / name).read_bytes()
        assert os.access(place / ".build/lib/actors", os.X_OK)
        assert (place / ".build/lib/link").resolve() == place.resolve() / ".build/lib/actors"
        assert (place / ".build/log").readlink() == sources / ".build/log"
        assert (place / "run").is_symlink()
    assert (sources / ".build" / "lib" / "actors").exists()


def test_where_nothing_can_be_executed_is_one_clear_error(
    sources: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "statvfs", lambda path: SimpleNamespace(f_flag=os.ST_NOEXEC))
    with pytest.raises(HarnessFault, match=r"mounted noexec.*set TMPDIR"), scratch.place(sources):
        pass


def test_two_places_have_paths_of_one_length(sources: Path, tmp_path: Path) -> None:
    with scratch.place(sources) as one, scratch.place(tmp_path) as other:
        assert len(str(one)) == len(str(other))
        assert one != other


def test_nothing_of_the_folder_goes_when_the_place_does(sources: Path) -> None:
    with scratch.place(sources) as place:
        pass
    assert not place.exists()
    assert (sources / ".build" / "said").read_text() == "from the build"
    assert (sources.parent / "shared" / "said").exists()


def test_a_link_that_leads_nowhere_and_one_called_as_the_place_are_no_obstacle(
    sources: Path,
) -> None:
    (sources / "gone").symlink_to("nowhere")
    (sources.parent / "side").mkdir()
    with scratch.place(sources) as place:
        assert (place / "gone").is_symlink()
        assert (place / "run").exists()


def test_an_implementation_is_started_there() -> None:
    reference = manifest.find("reference")
    with scratch.place(reference.folder) as place, session.start(reference, folder=place) as there:
        assert there.process is not None
        assert Path(f"/proc/{there.process.pid}/cwd").resolve() == place
        assert there.describe().runtime
        there.end_input()
