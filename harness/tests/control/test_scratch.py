"""Places at which something is started, as long as any other."""

import subprocess
from pathlib import Path

import pytest

from dramaturg.control import scratch, session
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
