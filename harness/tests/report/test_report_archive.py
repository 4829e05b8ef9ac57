"""An archive makes the same report again, and what is none is refused in one line."""

import hashlib
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from report_records import certified, exhibition, sample, write_cases, write_samples

from dramaturg.cli.report import report
from dramaturg.outcomes import USAGE_ERROR
from dramaturg.report import archive
from dramaturg.report.report_files import HTML, JUNIT, SUMMARY

SAME = "the same, to the byte"
NAME = "20240131-120000"


def run(*words: object) -> Result:
    return CliRunner().invoke(report, [str(word) for word in words])


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results") / NAME
    exhibition(folder)
    (folder / "review-of-erlang.json").write_text("{}")
    (folder / "stderr").mkdir()
    done = run(folder, "--archive", folder.parent / "paper.zip")
    assert done.exit_code == 0, done.output
    assert "paper.zip" in done.stdout
    return folder.parent / "paper.zip"


def made(packed: Path, name: str) -> bytes:
    return (packed.parent / NAME / name).read_bytes()


def test_the_same_report_comes_out_of_it_wherever_that_is(
    packed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    done = run(packed, "--output", tmp_path / "again")
    assert done.exit_code == 0, done.output
    assert SAME in done.stdout
    for name in (SUMMARY, JUNIT, HTML):
        assert (tmp_path / "again" / name).read_bytes() == made(packed, name)


def test_it_has_the_records_and_nothing_else_of_the_folder(packed: Path) -> None:
    with zipfile.ZipFile(packed) as inside:
        names = {name.removeprefix(f"{NAME}/") for name in inside.namelist()}
    assert names == {
        archive.MANIFEST, "conformance.jsonl", "timings.jsonl", "environment.json",
        "review-of-erlang.json",
    }  # fmt: skip


def test_equal_results_make_equal_archives(packed: Path, tmp_path: Path) -> None:
    run(packed.parent / NAME, "--archive", tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == packed.read_bytes()


def test_a_report_that_comes_out_otherwise_says_so(packed: Path, tmp_path: Path) -> None:
    done = run(packed, "--output", tmp_path, "--site", "https://example.org")
    assert done.exit_code == 0
    assert SAME not in done.stdout
    assert f"other than when it was packed: {HTML}" in " ".join(done.stdout.split())


def test_an_interrupted_run_can_be_packed_and_stays_interrupted(tmp_path: Path) -> None:
    write_samples(tmp_path / "run", sample(), complete=False)
    assert run(tmp_path / "run", "--archive", tmp_path / "a.zip").exit_code == 0
    done = run(tmp_path / "a.zip", "--output", tmp_path / "again")
    assert "interrupted" in done.stdout


def test_an_archive_is_read_only_and_says_where_its_report_is_to_go(packed: Path) -> None:
    done = run(packed)
    assert done.exit_code == USAGE_ERROR
    assert "--output FOLDER" in done.stderr
    done = run(packed, "--output", packed.parent / "x", "--archive", packed.parent / "y")
    assert done.exit_code == USAGE_ERROR
    assert run(packed, "--markdown").exit_code == 0


# --- what is none ---


def refused(file: Path) -> str:
    """In one line, which names the file; nothing is written."""
    done = run(file, "--output", file.parent / "never")
    assert done.exit_code == USAGE_ERROR, done.output
    assert not (file.parent / "never").exists()
    [said] = done.stderr.strip().splitlines()
    assert file.name in said
    return said


def changed(packed: Path, to: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """A copy, whose files by name ``change`` has changed."""
    with zipfile.ZipFile(packed) as inside:
        members = {name: inside.read(name) for name in inside.namelist()}
    change(members)
    with zipfile.ZipFile(to / "bad.zip", "w") as out:
        for name, content in members.items():
            out.writestr(name, content)
    return to / "bad.zip"


def told(members: dict[str, bytes], **values: Any) -> None:
    """Change what the manifest says."""
    name = f"{NAME}/{archive.MANIFEST}"
    members[name] = json.dumps(json.loads(members[name]) | values).encode()


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no zip"),
        (b"{}", "no zip"),
        (b"PK\x05\x06" + bytes(18), "no archive of results"),
        (b"PK\x05\x06" + b"\xff" * 18, "too many files"),
        (b"PK\x05\x06", "damaged"),
    ],
)
def test_a_file_that_is_no_archive_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "bad.zip").write_bytes(content)
    assert said in refused(tmp_path / "bad.zip")


def test_half_an_archive_is_refused(packed: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.zip").write_bytes(packed.read_bytes()[:-4000])
    assert "zip" in refused(tmp_path / "bad.zip")
    whole = bytearray(packed.read_bytes())
    whole[len(whole) // 2] ^= 0xFF
    (tmp_path / "bad.zip").write_bytes(whole)
    refused(tmp_path / "bad.zip")


def test_a_record_that_was_changed_or_is_missing_is_refused(packed: Path, tmp_path: Path) -> None:
    def edit(members: dict[str, bytes]) -> None:
        members[f"{NAME}/timings.jsonl"] = b"x" + members[f"{NAME}/timings.jsonl"][1:]

    assert "not what was packed" in refused(changed(packed, tmp_path, edit))

    def lose(members: dict[str, bytes]) -> None:
        del members[f"{NAME}/environment.json"]

    assert "environment.json is missing" in refused(changed(packed, tmp_path, lose))


@pytest.mark.parametrize(
    "values",
    [
        {"archive": 2}, {"results": "../x"}, {"results": ".."}, {"results": "/x"}, {"results": ""},
        {"files": {"../timings.jsonl": "0"}}, {"files": {"notes.txt": "0"}}, {"files": 3},
        {"report": {"/etc/hostname": "0"}}, {"more": 1}, {"results": "x" * 1000},
    ],
)  # fmt: skip
def test_a_manifest_that_says_what_none_says_is_refused(
    packed: Path, tmp_path: Path, values: dict[str, Any]
) -> None:
    assert archive.MANIFEST in refused(changed(packed, tmp_path, lambda of: told(of, **values)))


@pytest.mark.parametrize("content", [b"", b"[]", b"null", b"\xff", b"[" * 100_000])
def test_a_manifest_that_is_none_is_refused(packed: Path, tmp_path: Path, content: bytes) -> None:
    def edit(members: dict[str, bytes]) -> None:
        members[f"{NAME}/{archive.MANIFEST}"] = content

    refused(changed(packed, tmp_path, edit))


def test_what_unpacks_to_more_than_there_may_be_is_refused(packed: Path, tmp_path: Path) -> None:
    big = tmp_path / "big.zip"
    with zipfile.ZipFile(packed) as inside, zipfile.ZipFile(big, "w", zipfile.ZIP_DEFLATED) as out:
        for name in inside.namelist():
            is_records = name.endswith("/timings.jsonl")
            out.writestr(name, bytes(100 * 1024 * 1024) if is_records else inside.read(name))
    assert "bytes, unpacked" in refused(big)


def test_a_path_in_it_leads_nowhere(packed: Path, tmp_path: Path) -> None:
    def add(members: dict[str, bytes]) -> None:
        members["../../escaped"] = b"x"
        members[f"{NAME}/../../escaped"] = b"x"

    file = changed(packed, tmp_path, add)
    assert run(file, "--output", tmp_path / "again").exit_code == 0
    assert not list(tmp_path.parent.rglob("escaped"))


def test_records_in_it_that_cannot_be_read_are_named(packed: Path, tmp_path: Path) -> None:
    write_cases(tmp_path / "run", *certified("erlang"))
    file = tmp_path / "run" / "conformance.jsonl"
    file.write_text("x\n")

    def edit(members: dict[str, bytes]) -> None:
        members.clear()
        members[f"{NAME}/conformance.jsonl"] = b"x\n"
        manifest = {"archive": 1, "results": NAME, "harness": "0", "report": {}}
        manifest["files"] = {"conformance.jsonl": digest(b"x\n")}
        members[f"{NAME}/{archive.MANIFEST}"] = json.dumps(manifest).encode()

    done = run(changed(packed, tmp_path, edit), "--output", tmp_path / "again")
    assert done.exit_code == USAGE_ERROR
    assert "conformance.jsonl:1" in done.stderr
