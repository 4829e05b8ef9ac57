"""A stranger's folder brings files that nobody has named, and that are none: a pipe that nobody
writes to, a link to a device without an end, a link that leads to itself."""

import json
import os
import signal
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from attack_kit import Prey, dramaturg, error_of
from click import ClickException

from dramaturg import files, results
from dramaturg.control import last_words
from dramaturg.errors import BuildFailed, ManifestError
from dramaturg.implementation import build
from dramaturg.implementation.manifest import load
from dramaturg.outcomes import USAGE_ERROR
from dramaturg.plan import case_plan, earlier_records
from dramaturg.processes.capped import Capped
from dramaturg.results import ResultsError
from dramaturg.site import site_folder
from dramaturg.site.league import gather
from dramaturg.site.site_folder import Rendered
from dramaturg.site.supplied_data import Found
from dramaturg.terminal import failures
from dramaturg.timing.planning.duration import Known

ZERO = Path("/dev/zero")


@pytest.fixture(autouse=True)
def _ends(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whoever waits for longer fails."""
    monkeypatch.setattr(files, "PATIENCE", 0.2)

    def late(*_: object) -> None:
        # No OSError: whoever waits for a file may take that for one that cannot be read.
        raise AssertionError("it waits")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def pipe(file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(file)


def endless(file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.symlink_to(ZERO)


def loop(file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.symlink_to(file.name)


NONE = [pipe, endless, loop]
Maker = Callable[[Path], None]


def test_a_device_is_no_file_that_is_read(tmp_path: Path) -> None:
    endless(tmp_path / "x")
    for file in (ZERO, tmp_path / "x"):
        with pytest.raises(PermissionError, match="it is a device, and no file"):
            files.opened(file)
    with files.opened(Path(os.devnull)) as stream:
        assert stream.read() == b""


def test_a_pipe_is_read_if_somebody_writes_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe(tmp_path / "x")
    with pytest.raises(TimeoutError, match="nobody has written to it"):
        files.opened(tmp_path / "x")
    monkeypatch.setattr(files, "PATIENCE", 30)
    writer = threading.Thread(target=(tmp_path / "x").write_text, args=("said",))
    writer.start()
    with files.opened(tmp_path / "x") as stream:
        assert stream.read() == b"said"
    writer.join()


def test_a_pipe_of_a_shells_is_waited_for() -> None:
    """`sign --key <(gpg --decrypt key.gpg)` asks for a passphrase first."""
    reading, writing = os.pipe()

    def late() -> None:
        time.sleep(4 * files.PATIENCE)
        os.write(writing, b"said")
        os.close(writing)

    writer = threading.Thread(target=late)
    writer.start()
    with files.opened(Path(f"/dev/fd/{reading}")) as stream:
        assert stream.read() == b"said"
    writer.join()
    os.close(reading)


@pytest.mark.parametrize("name", [results.CONFORMANCE, results.TIMINGS])
@pytest.mark.parametrize("make", NONE)
def test_results_that_lie_there_keep_no_new_ones_waiting(
    make: Maker, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`certify .` in a clone that has `results/latest` in it, and files for what links led to."""
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "results" / "latest" / name)
    made = results.new_folder()
    assert made.is_dir() and (tmp_path / "results" / "latest").readlink() == Path(made.name)
    assert (tmp_path / "results" / "latest.earlier-1").is_dir(), "nothing is lost"


@pytest.mark.parametrize("make", NONE)
def test_times_that_lie_there_keep_no_estimate_waiting(make: Maker, tmp_path: Path) -> None:
    make(tmp_path / "one" / results.TIMINGS)
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / results.TIMINGS).write_text('{"record":"header"}\n')
    make(tmp_path / "two" / results.ENVIRONMENT)
    assert Known(tmp_path).folders == 0


@pytest.mark.parametrize("make", NONE)
def test_records_that_lie_there_are_none(make: Maker, tmp_path: Path) -> None:
    """`certify --last-failed`."""
    make(tmp_path / "one" / results.CONFORMANCE)
    plan = case_plan.make([Prey(tmp_path / "prey").implementation], [0])
    assert earlier_records.unsettled(plan, [tmp_path / "one"]).plan is plan


@pytest.mark.parametrize("make", [pipe, endless, loop])
def test_a_manifest_that_is_no_file_is_refused_at_once(make: Maker, tmp_path: Path) -> None:
    make(tmp_path / "dramaturg.toml")
    with pytest.raises(ManifestError, match=r"is no file|is a link"):
        load(tmp_path)


def test_records_that_are_longer_than_any_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Holes make a file of any length."""
    monkeypatch.setattr(results, "MOST_BYTES", 1000)
    (tmp_path / results.TIMINGS).touch()
    os.truncate(tmp_path / results.TIMINGS, 1001)
    with pytest.raises(ResultsError, match="is longer than"):
        results.read(tmp_path / results.TIMINGS)


def test_a_short_file_takes_no_memory_for_a_long_one(tmp_path: Path) -> None:
    """Whoever reads a stranger's has little of it."""
    with results.Writer(tmp_path / results.TIMINGS):
        pass
    tracemalloc.start()
    try:
        results.read(tmp_path / results.TIMINGS)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 8 * 1024 * 1024


def test_what_an_implementation_says_follows_no_link(tmp_path: Path) -> None:
    """`bench --resume FOLDER`: the file that is appended to there is the user's."""
    (tmp_path / "profile").write_text("mine\n")
    (tmp_path / "x.log").symlink_to(tmp_path / "profile")
    with pytest.raises(OSError, match=r"x\.log"), Capped(tmp_path / "x.log"):
        pass
    assert (tmp_path / "profile").read_text() == "mine\n"


@pytest.mark.parametrize("make", NONE)
def test_what_an_implementation_says_goes_into_a_file_and_nothing_else(
    make: Maker, tmp_path: Path
) -> None:
    """`bench --resume FOLDER` of a stranger's, with a pipe in it that nobody reads."""
    make(tmp_path / "stderr" / "x.log")
    with pytest.raises(OSError, match=r"x\.log"), Capped(tmp_path / "stderr" / "x.log"):
        pass


@pytest.mark.parametrize("make", NONE)
def test_last_words_are_those_in_a_file(make: Maker, tmp_path: Path) -> None:
    """A process of the same user may exchange it meanwhile."""
    make(tmp_path / "x.log")
    assert last_words.of(tmp_path / "x.log", 0, None) == ""


@pytest.mark.parametrize("exchanged", ["mkfifo", "ln -s /dev/zero", "ln -s build.log", "mkdir"])
@pytest.mark.parametrize("then", ["exit 3", "true"])
def test_a_build_that_exchanges_its_log_has_failed(
    exchanged: str, then: str, tmp_path: Path
) -> None:
    prey = Prey(tmp_path / "prey")
    manifest, log = prey.folder / "dramaturg.toml", ".build/build.log"
    commands = f'["sh", "-c", "rm {log}; {exchanged} {log}; {then}"], ["sh", "-c", "exit 4"]'
    manifest.write_text(manifest.read_text().replace('["touch", "built"]', commands))
    with pytest.raises(BuildFailed, match=r"ended with 3|build\.log: \w"):
        build.build(prey.implementation)


def test_a_file_of_the_kernels_has_nothing_in_it() -> None:
    """Reading /proc/kmsg, to which a link in an archive may lead, waits for what comes next."""
    assert Path("/proc/version").read_bytes()
    with files.opened(Path("/proc/version")) as stream:
        assert stream.read() == b""


def test_an_archive_of_results_has_no_file_of_the_users(tmp_path: Path) -> None:
    """It is made to be given away, and a certificate in it is not looked at."""
    (tmp_path / "secret").write_text("mine\n")
    folder = tmp_path / "run"
    folder.mkdir()
    header = {"record": "header", "schema": results.SCHEMA, "started": 1.0}
    with results.Writer(folder / results.CONFORMANCE, **header):
        pass
    for name in (results.CERTIFICATE, "review-1.json"):
        (folder / name).symlink_to(tmp_path / "secret")
        said = error_of("report", folder, "--archive", tmp_path / "x.zip")
        assert f"{folder / name} is a link" in said
        assert not (tmp_path / "x.zip").exists()
        (folder / name).unlink()
    assert dramaturg("report", folder, "--archive", tmp_path / "x.zip").exit_code == 0


@pytest.mark.parametrize(
    "words",
    [
        ["certify", "./loop"], ["doctor", "./loop"], ["review", "./loop"], ["report", "loop"],
        ["verify", "loop"], ["history", "loop"], ["sign", "loop", "--key", "loop"],
        ["site", "loop"], ["claims", "loop"], ["replay", "loop"], ["compare", "loop", "./loop"],
        ["bench", "pingpong", "-i", "./loop"], ["bench", "--resume", "loop"],
        ["certify", "reference", "--output", "loop"], ["site", "--collect", "loop"],
    ],
)  # fmt: skip
def test_a_link_to_itself_is_refused_in_a_line(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    loop(tmp_path / "loop")
    found = dramaturg(*words)
    assert isinstance(found.exception, Exception | SystemExit)
    if isinstance(found.exception, Exception) and not isinstance(found.exception, ClickException):
        said, _ = failures.told(found.exception)
        assert "fault of the harness" not in said


@pytest.mark.parametrize("words", [["certify", "./NAME"], ["report", "NAME"], ["history", "NAME"],
                                   ["certify", "reference@NAME"], ["update", "NAME"]])  # fmt: skip
def test_a_name_that_no_file_can_have_is_no_fault_of_the_harness(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = dramaturg(*(word.replace("NAME", "x" * 300) for word in words))
    assert isinstance(found.exception, OSError)
    said, status = failures.told(found.exception)
    assert (said.endswith("File name too long"), status) == (True, USAGE_ERROR)


@pytest.mark.parametrize("name", ["stderr", "traces/x.run", "audits", "stderr/x.log"])
def test_a_results_folder_with_a_link_in_it_is_not_written_to(name: str, tmp_path: Path) -> None:
    """`bench --resume FOLDER` and `--output FOLDER`: it may be a stranger's."""
    folder, link = tmp_path / "run", tmp_path / "run" / name
    link.parent.mkdir(parents=True)
    link.symlink_to(tmp_path / "elsewhere")
    with (
        pytest.raises(ResultsError, match=f"{name} is a link, and files are written there"),
        results.claimed(folder),
    ):
        pass
    link.unlink()
    with results.claimed(folder):
        pass


def test_a_name_that_a_link_has_is_in_use(tmp_path: Path) -> None:
    (tmp_path / "x.run").symlink_to(tmp_path / "elsewhere")
    assert files.unused(tmp_path / "x.run") == tmp_path / "x-2.run"


@pytest.mark.parametrize("below", ["badges", "results"])
def test_a_site_is_neither_written_nor_cleared_through_a_link(below: str, tmp_path: Path) -> None:
    """A clone has a site in it, which lists files of the user's as its own."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "package.json").write_text("{}")
    folder = tmp_path / "clone" / "site"
    folder.mkdir(parents=True)
    listed = {"dramaturg site": 1, "files": [f"{below}/package.json"]}
    (folder / "site.json").write_text(json.dumps(listed))
    (folder / below).symlink_to("../../mine")
    made = Rendered(gather(Found()), {f"{below}/x.json": "{}"}, {})
    with pytest.raises(ResultsError, match=f"{below} is a link, and pages are written there"):
        site_folder.write(made, folder)
    assert [each.name for each in (tmp_path / "mine").iterdir()] == ["package.json"]


@pytest.mark.parametrize("make", NONE)
def test_a_site_that_says_nothing_of_itself_keeps_nobody_waiting(
    make: Maker, tmp_path: Path
) -> None:
    make(tmp_path / "site.json")
    with pytest.raises(ResultsError, match="no site that `dramaturg site` has made"):
        site_folder.claim(tmp_path)


def test_what_the_package_ships_is_copied_over_no_file_that_a_link_leads_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`proto --copy proto` in a clone."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "profile").write_text("mine\n")
    there = tmp_path / "clone" / "dramaturg" / "v2"
    there.mkdir(parents=True)
    (there / "control.proto").symlink_to(tmp_path / "profile")
    assert dramaturg("proto", "--copy", "clone").exit_code == 0
    assert (tmp_path / "profile").read_text() == "mine\n"
    assert "service" in (there / "control.proto").read_text()
    for file in there.iterdir():
        file.unlink()
    there.rmdir()
    there.symlink_to(tmp_path)
    assert "v2 is a link, and files are written there" in error_of("proto", "--copy", "clone")
    assert not (tmp_path / "control.proto").exists()
