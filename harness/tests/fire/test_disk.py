"""A full disk, a folder that is gone, a TMPDIR that is no use: one clear error, nothing lost."""

import shutil
from pathlib import Path

import pytest
from fire_kit import Command, Disk, faulty

from dramaturg import results
from dramaturg.outcomes import Outcome
from dramaturg.records import CaseRecord
from dramaturg.results import RecordsLost, Writer
from dramaturg.template import making, writing

FULL = "No space left on device"
BENCH = ["bench", "pingpong", "--scale", "tiny", "-i", "reference", "--uncertified"]
CERTIFY = ["certify", "reference", "--level", "0"]
INTRODUCTION = ["--", "-k", "introduces"]


def record(number: int) -> CaseRecord:
    return CaseRecord(
        implementation="x", level=1, benchmark="pingpong", case=f"{number}", outcome=Outcome.FAIL,
        message="m" * 3000,
    )  # fmt: skip


def test_records_on_a_full_disk_end_with_a_whole_line(disk: Disk) -> None:
    file = disk.folder / results.CONFORMANCE
    disk.leave(40_000)
    written = 0
    with pytest.raises(RecordsLost, match=f"{file}: {FULL}"), Writer(file) as writer:
        while True:
            writer.write(record(written))
            written += 1
    assert file.read_bytes().endswith(b"\n")
    recorded = results.read(file)
    assert len(recorded.cases) == written > 1
    assert not recorded.complete


def test_a_footer_that_does_not_fit_is_told(disk: Disk) -> None:
    file = disk.folder / results.CONFORMANCE
    disk.leave(4096)
    writer = Writer(file)
    space = 4096 - file.stat().st_size
    with pytest.raises(RecordsLost, match=FULL), writer:
        padding = record(0).model_copy(update={"message": ""})
        line = len(padding.model_dump_json()) + 1
        writer.write(padding.model_copy(update={"message": "m" * (space - line)}))
        assert file.stat().st_size == 4096
    assert not results.read(file).complete


def test_a_run_that_cannot_begin_leaves_no_file(disk: Disk) -> None:
    disk.leave(0)
    with pytest.raises(RecordsLost, match=FULL):
        Writer(disk.folder / results.TIMINGS)
    assert not (disk.folder / results.TIMINGS).exists()


def test_records_of_a_deleted_folder_are_not_written_into_the_void(tmp_path: Path) -> None:
    folder = tmp_path / "results"
    with pytest.raises(RecordsLost, match="it was deleted while"), Writer(folder / "x") as writer:
        shutil.rmtree(folder)
        writer.write(record(1))


def test_a_repository_that_does_not_fit_is_not_begun(disk: Disk) -> None:
    made = making.make("mine", making.templates()["pony"])
    disk.leave(16_384)
    with pytest.raises(OSError, match=FULL) as caught:
        writing.create(disk.folder / "mine", made)
    assert str(caught.value.filename).startswith(str(disk.folder))
    assert [entry.name for entry in disk.folder.iterdir()] == ["ballast"]


def test_a_bench_on_a_full_disk_is_resumed_when_there_is_space(
    disk: Disk, dramaturg: Command
) -> None:
    folder = disk.folder / "out"
    disk.leave(262_144)
    done = dramaturg(*BENCH, "--invocations", "12", "--output", folder)
    assert done.returncode == Outcome.HARNESS_FAULT.exit_code, done.stderr
    # Records, or logs that wait to be audited: whichever came first.
    assert done.stderr.startswith(f"dramaturg: {folder}/")
    assert f": {FULL}; measurements made before are kept" in done.stderr
    assert f"bench --resume {folder}" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    before = results.read(folder / results.TIMINGS)
    assert not before.complete
    assert 0 < len(before.units) < 13
    disk.make_space()
    done = dramaturg("bench", "--resume", folder)
    assert done.returncode == 0, done.stderr
    after = results.read(folder / results.TIMINGS)
    assert after.complete
    assert len(after.units) == 13
    assert after.units[: len(before.units)] == before.units


def test_a_certify_on_a_full_disk_says_so_once(disk: Disk, dramaturg: Command) -> None:
    folder = disk.folder / "out"
    disk.leave(4096)
    done = dramaturg(
        *CERTIFY, "--level", "1", "--output", folder, "--", "-k", "control or pingpong"
    )
    assert done.returncode == Outcome.HARNESS_FAULT.exit_code, done.stderr
    assert done.stderr == f"dramaturg: {folder / results.CONFORMANCE}: {FULL}\n"
    recorded = results.read(folder / results.CONFORMANCE)
    assert recorded.cases
    assert not recorded.complete


def test_a_report_that_does_not_fit_leaves_the_old_one(disk: Disk, dramaturg: Command) -> None:
    folder = disk.folder / "out"
    done = dramaturg(*CERTIFY, "--output", folder, *INTRODUCTION)
    before = (folder / "report.html").read_text()
    disk.leave(0)
    done = dramaturg("report", folder)
    assert done.returncode == Outcome.HARNESS_FAULT.exit_code
    assert done.stderr == f"dramaturg: {folder / 'summary.json'}: {FULL}\n"
    assert (folder / "report.html").read_text() == before
    assert list(folder.glob(".*")) == []


def test_a_run_that_cannot_be_kept_is_told_with_its_verdict(
    disk: Disk, dramaturg: Command, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    disk.leave(0)
    mutant = "conformance/mutants+dropped_forward"
    one_case = ["--", "-x", "-k", "two-clients-one-directory"]
    with disk.seen_at(folder / "traces"):
        done = dramaturg("certify", mutant, "--level", "1", "--output", folder, *one_case)
    assert done.returncode == Outcome.HARNESS_FAULT.exit_code, done.stderr
    (case,) = results.read(folder / results.CONFORMANCE).cases
    assert case.message.startswith(f"{folder / 'traces'}/")
    assert f"{FULL}, so the run of this is not kept: fail: turn" in case.message


def test_a_log_that_cannot_be_opened_is_the_harness_s_fault(
    disk: Disk, dramaturg: Command, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    for number in range(64):
        try:
            (disk.folder / f"{number}").touch()
        except OSError:
            break
    with disk.seen_at(folder / "stderr"):
        done = dramaturg(*CERTIFY, "--output", folder, *INTRODUCTION)
    assert done.returncode == Outcome.HARNESS_FAULT.exit_code, done.stderr
    (case,) = results.read(folder / results.CONFORMANCE).cases
    assert case.outcome is Outcome.HARNESS_FAULT
    assert FULL in case.message
    assert "reference.log" in case.message


@pytest.mark.parametrize("command", [BENCH, CERTIFY])
def test_results_that_cannot_be_written_at_all_are_one_line(
    command: list[str], dramaturg: Command
) -> None:
    done = dramaturg(*command, "--output", "/proc/nowhere")
    assert done.returncode == Outcome.HARNESS_FAULT.exit_code
    assert done.stderr.startswith("dramaturg: /proc/nowhere: ")
    assert len(done.stderr.splitlines()) == 1


def test_a_build_that_does_not_fit_is_the_harness_s_fault(
    disk: Disk, dramaturg: Command, tmp_path: Path
) -> None:
    implementation = faulty(tmp_path / "faulty", "stdio", "none", "waits", build="true")
    (disk.folder / "dramaturg").mkdir()
    disk.leave(0)
    words = ["certify", implementation.folder, "--output", tmp_path / "out"]
    done = dramaturg(*words, "--", "-k", "lcg-vectors", XDG_CACHE_HOME=str(disk.folder))
    assert done.returncode == Outcome.HARNESS_FAULT.exit_code, done.stderr
    (case,) = results.read(tmp_path / "out" / results.CONFORMANCE).cases
    assert case.outcome is Outcome.HARNESS_FAULT
    assert case.message.startswith(f"reference cannot be built: {disk.folder}/dramaturg/stamps/")
    assert case.message.endswith(f"/built.json: {FULL}")


def test_a_build_folder_that_is_a_file_is_named(dramaturg: Command, tmp_path: Path) -> None:
    implementation = faulty(tmp_path / "faulty", "stdio", "none", "waits")
    (implementation.folder / ".build").touch()
    words = ["certify", implementation.folder, "--output", tmp_path / "out"]
    done = dramaturg(*words, "--", "-k", "lcg-vectors")
    assert done.returncode == Outcome.HARNESS_FAULT.exit_code, done.stderr
    assert "faulty/.build: File exists" in done.stderr.replace("\n", "")


def test_a_file_is_no_folder_for_results(dramaturg: Command, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = dramaturg(*CERTIFY, "--output", tmp_path / "file")
    assert done.returncode == 2
    assert "is a file" in " ".join(done.stderr.split())


def test_a_temporary_folder_too_deep_for_a_socket_is_done_without(
    dramaturg: Command, tmp_path: Path
) -> None:
    deep = tmp_path / ("d" * 100)
    deep.mkdir()
    done = dramaturg(*CERTIFY, "--output", tmp_path / "out", *INTRODUCTION, TMPDIR=str(deep))
    assert done.returncode == Outcome.NOT_RUN.exit_code, done.stderr
    (case,) = results.read(tmp_path / "out" / results.CONFORMANCE).cases
    assert case.outcome == "pass"
    assert list(deep.iterdir()) == []


@pytest.mark.parametrize("folder", ["/nowhere/at/all", "/proc"])
def test_a_temporary_folder_or_home_that_cannot_be_used_is_done_without(
    folder: str, dramaturg: Command, tmp_path: Path
) -> None:
    missing = {"TMPDIR": folder, "HOME": folder, "XDG_CACHE_HOME": ""}
    done = dramaturg(*BENCH, "--invocations", "1", "--output", tmp_path / "out", **missing)
    assert done.returncode == 0, done.stderr
