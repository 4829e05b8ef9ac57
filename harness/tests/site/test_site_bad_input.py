"""A damaged or hostile file, or one of another version, is one error each, and nothing of it
acts."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from report_records import case, sample, write_cases, write_samples
from site_kit import Page, certificate, handed, made, site

from dramaturg import results
from dramaturg.certificates import intoto
from dramaturg.site import reading

EVIL = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>\x1b]0;owned\x07\u202e{{7*7}}"


def _is_of_version_1(document: dict[str, Any]) -> None:
    document["predicateType"] = "urn:dramaturg:certificate:v1"


def _is_of_another_specification(document: dict[str, Any]) -> None:
    document["predicate"]["spec"] = "3"


def _names_a_path(document: dict[str, Any]) -> None:
    document["predicate"]["implementations"]["../../x"] = document["predicate"][
        "implementations"
    ].pop("ada")
    document["subject"][0]["name"] = "../../x"


def _names_very_many(document: dict[str, Any]) -> None:
    claim = document["predicate"]["implementations"]["ada"]
    small = claim | {"cases": dict([next(iter(claim["cases"].items()))])}
    names = [f"a{number}" for number in range(reading.MOST_NAMES + 1)]
    document["predicate"]["implementations"] = dict.fromkeys(names, small)
    one = document["subject"][0]
    document["subject"] = [one | {"name": name} for name in names]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (_is_of_version_1, "unknown predicateType urn:dramaturg:certificate:v1; this harness reads"
         " urn:dramaturg:certificate:v2: certify again"),
        (_is_of_another_specification, "is of version '3' of the specification; this is version"),
        (_names_a_path, "is no certificate"),
        (_names_very_many, "speaks of 201 implementations; the most are 200"),
    ],
)  # fmt: skip
def test_a_certificate_that_cannot_be_shown_is_one_error(
    tmp_path: Path, change: Callable[[dict[str, Any]], None], says: str
) -> None:
    handed(tmp_path / "good", certificate(tmp_path / "good", "good"))
    document = certificate(tmp_path, "ada")
    change(document)
    handed(tmp_path / "bad", document)
    done = site(tmp_path / "good", tmp_path / "bad", "--output", tmp_path / "site")
    assert done.exit_code == 1, done.output
    [unread] = made(tmp_path / "site")["unread"]
    assert unread["name"] == str(tmp_path / "bad") and says in unread["why"]
    assert done.output.count("not read") == 1
    assert [one["name"] for one in made(tmp_path / "site")["implementations"]] == ["good"]


def _cut(folder: Path) -> None:
    file = folder / results.CONFORMANCE
    file.write_bytes(file.read_bytes()[:40])


def _is_of_schema_2(folder: Path) -> None:
    file = folder / results.CONFORMANCE
    file.write_text(file.read_text().replace('"schema":3', '"schema":2'))


def _has_no_text(folder: Path) -> None:
    (folder / results.CONFORMANCE).write_bytes(b"\xff\xfe\x00")


def _is_a_link(folder: Path) -> None:
    (folder / results.CONFORMANCE).unlink()
    (folder / results.CONFORMANCE).symlink_to("/etc/passwd")


def _is_a_pipe(folder: Path) -> None:
    (folder / results.CONFORMANCE).unlink()
    os.mkfifo(folder / results.CONFORMANCE)


def _is_a_folder(folder: Path) -> None:
    (folder / results.CONFORMANCE).unlink()
    (folder / results.CONFORMANCE).mkdir()


def _has_a_pipe_beside(folder: Path) -> None:
    os.mkfifo(folder / results.ENVIRONMENT)


def _is_huge(folder: Path) -> None:
    with (folder / results.CONFORMANCE).open("r+b") as file:
        file.truncate(100 * 1024 * 1024)


def _has_headers_of_another_shape(folder: Path) -> None:
    file = folder / results.CONFORMANCE
    file.write_text(file.read_text().replace('"builds":{}', '"builds":{},"remarks":5', 1))


def _departs_in_another_shape(folder: Path) -> None:
    write_cases(folder, case("ada", outcome="fail", divergence={"lcg": {}}))
    file = folder / results.CONFORMANCE
    file.write_text(file.read_text().replace('{"lcg":{}}', '{"lcg":5,"headline":{}}'))


def _is_a_million_names(folder: Path) -> None:
    write_cases(folder, case("ada"), planned={f"a{number}": 1 for number in range(1_000_000)})


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (_cut, "conformance.jsonl:1: "),
        (_is_of_schema_2, "conformance.jsonl:1: results of schema 2"),
        (_has_no_text, "conformance.jsonl: "),
        (_is_a_link, "conformance.jsonl is a link, a pipe or a folder"),
        (_is_a_pipe, "conformance.jsonl is a link, a pipe or a folder"),
        (_is_a_folder, "conformance.jsonl is a link, a pipe or a folder"),
        (_has_a_pipe_beside, "environment.json is a link, a pipe or a folder"),
        (_is_huge, "conformance.jsonl has 104,857,600 bytes; the most are"),
        (_has_headers_of_another_shape, "conformance.jsonl:1: 1 validation error"),
        (_departs_in_another_shape, "conformance.jsonl:2: "),
        (_is_a_million_names, "speaks of 1,000,001 implementations; the most are 200"),
    ],
)
def test_a_damaged_results_folder_is_one_error_and_the_rest_is_made(
    tmp_path: Path, damage: Callable[[Path], None], says: str
) -> None:
    handed(tmp_path / "all" / "good", certificate(tmp_path / "good", "good"))
    bad = tmp_path / "all" / "bad"
    bad.mkdir()
    write_cases(bad, case("ada"), builds={})
    damage(bad)
    done = site(tmp_path / "all", "--output", tmp_path / "site")
    assert done.exit_code == 1, done.output
    [unread] = made(tmp_path / "site")["unread"]
    assert unread["name"] == f"{tmp_path}/all/bad" and says in unread["why"], unread
    assert "Traceback" not in done.output
    assert [one["name"] for one in made(tmp_path / "site")["implementations"]] == ["good"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b" " * 100 * 1024 * 1024, "has 104,857,600 bytes; the most are 8,388,608"),
        (b"[" * 100_000, "is no JSON"),
        (b"{}", "no in-toto Statement"),
        (b"", "is no JSON, or is cut short"),
    ],
)
def test_a_file_that_is_no_certificate_is_one_error(
    tmp_path: Path, content: bytes, says: str
) -> None:
    (tmp_path / "c.json").write_bytes(content)
    handed(tmp_path / "good", certificate(tmp_path / "good", "good"))
    done = site(tmp_path / "c.json", tmp_path / "good", "--output", tmp_path / "site")
    assert done.exit_code == 1
    [unread] = made(tmp_path / "site")["unread"]
    assert unread["name"] == f"{tmp_path}/c.json" and says in unread["why"]


def test_a_certificate_with_very_many_cases_makes_no_long_page(tmp_path: Path) -> None:
    document = certificate(tmp_path, "ada")
    more = {f"9-x/x/c{number}": "0" * 64 for number in range(40_000)}
    document["predicate"]["cases"]["each"] |= more
    claim = document["predicate"]["implementations"]["ada"]
    claim["cases"] |= {path: {"outcome": "pass", "events": 1} for path in more}
    claim["recommended"] = dict.fromkeys(more, "fail")
    claim["runtime"]["details"] = {f"k{number}": "v" for number in range(40_000)}
    claim["toolchain"] = {f"t{number}": "v" for number in range(10_000)}
    claim["runtime"]["name"] = "x" * 500_000
    file = handed(tmp_path / "results", document) / results.CERTIFICATE
    assert file.stat().st_size < intoto.MAX_BYTES
    assert site(tmp_path / "results", "--output", tmp_path / "site").exit_code == 0
    pages = list((tmp_path / "site").rglob("*.html"))
    assert max(page.stat().st_size for page in pages) < 1_000_000


def hostile(folder: Path) -> Path:
    """Certificate and records with markup, escapes and paths wherever a text may be."""
    document = certificate(folder, "ada")
    claim = document["predicate"]["implementations"]["ada"]
    claim["manifest"] |= {"language": EVIL, "control": EVIL, "remark": EVIL, "command": [EVIL]}
    claim["repository"] = {"url": "javascript:alert(1)//" + EVIL, "commit": EVIL, "modified": True}
    claim["runtime"] |= {"name": EVIL, "version": EVIL}
    claim["toolchain"] = {EVIL: EVIL}
    claim["unsupported"] = {EVIL: EVIL}
    claim["undistributed"] = {EVIL: EVIL}
    document["predicate"]["harness"] |= {"version": EVIL, "revision": EVIL}
    document["predicate"]["environment"] |= {EVIL: EVIL, "cpu": EVIL, "packages": [EVIL]}
    handed(folder / "results", document)
    other = folder / "records"
    other.mkdir()
    for name in (EVIL, "../../../etc/passwd", "a" * 5000, "", "CON", ".."):
        failed = case(
            name, outcome="fail", message=EVIL, case=EVIL, benchmark=EVIL,
            why=[{"id": each, "text": EVIL, "chapter": EVIL} for each in (EVIL, "../../x")],
            requirements=["../x", EVIL],
        )  # fmt: skip
        records = other / f"{len(list(other.iterdir()))}"
        records.mkdir()
        write_cases(records, failed, builds={name: EVIL}, remarks={name: EVIL}, directory=EVIL)
        write_samples(
            records, sample(name, build=EVIL, benchmark="pingpong", scenario=EVIL, scale=EVIL,
                            parameters={EVIL: EVIL}, network={"kind": EVIL}),
        )  # fmt: skip
        said = {EVIL: EVIL, "kernel": {EVIL: EVIL}, "distribution": EVIL, "memory": {"total": EVIL}}
        (records / results.ENVIRONMENT).write_text(json.dumps(said))
    return folder


def test_nothing_that_a_stranger_says_acts_on_a_page(tmp_path: Path) -> None:
    folder = hostile(tmp_path)
    done = site(folder / "results", folder / "records", "--output", tmp_path / "site")
    assert done.exit_code == 0, done.output
    assert "\x1b" not in done.output and "\u202e" not in done.output
    output = tmp_path / "site"
    for file in output.rglob("*"):
        if file.suffix in (".html", ".svg"):
            text = file.read_text(encoding="utf-8")
            assert "<script" not in text and "<img src=x" not in text, file
            assert "\x1b" not in text and "\u202e" not in text, file
            assert "{{7*7}}" in text or "49" not in text or EVIL not in text
        if file.suffix == ".html":
            page = Page(text)
            assert page.problems == [], file
            assert not [link for link in page.links if link.startswith("javascript")], file
    names = [str(file.relative_to(output)) for file in output.rglob("*") if file.is_file()]
    assert all(len(Path(name).name) < 100 and ".." not in name for name in names)
    said = made(output)
    assert len(said["implementations"]) == 7


def test_a_folder_that_is_somebody_elses_is_left_alone(tmp_path: Path) -> None:
    handed(tmp_path / "results", certificate(tmp_path, "ada"))
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "index.html").write_text("mine")
    for content in (None, "{}", "[]", "no JSON", '{"dramaturg site": 2, "files": []}', "[" * 9999):
        if content is not None:
            (theirs / "site.json").write_text(content)
        done = site(tmp_path / "results", "--output", theirs)
        assert "is not empty, and no site that `dramaturg site` has made" in str(done.exception)
    assert (theirs / "index.html").read_text() == "mine"
    assert len(list(theirs.iterdir())) == 2
    file = tmp_path / "file"
    file.write_text("x")
    assert site(tmp_path / "results", "--output", file).exit_code == 2


def test_a_site_takes_the_place_of_the_one_before_and_of_nothing_else(tmp_path: Path) -> None:
    output = tmp_path / "site"
    handed(tmp_path / "one", certificate(tmp_path / "one", "ada"))
    handed(tmp_path / "two", certificate(tmp_path / "two", "bob"))
    assert site(tmp_path / "one", "--output", output).exit_code == 0
    (output / ".git").mkdir()
    (output / "CNAME").write_text("example.org")
    before = {file for file in output.rglob("*") if "ada" in file.name}
    assert before
    said = made(output)
    said["files"] += ["CNAME", "../one/certificate.json", "/etc/passwd", ".git/config", 5]
    (output / "site.json").write_text(json.dumps(said))
    assert site(tmp_path / "two", "--output", output).exit_code == 0
    assert not any(file.exists() for file in before)
    assert (output / "CNAME").exists() and (output / ".git").is_dir()
    assert (tmp_path / "one/certificate.json").exists()


def test_nothing_named_is_a_usage_error(tmp_path: Path) -> None:
    done = site("--output", tmp_path / "site")
    assert done.exit_code == 2 and "name a FOLDER" in done.output
    done = site(tmp_path / "gone", "--output", tmp_path / "site")
    assert "could be read" in str(done.exception)
    assert "there is no such file or folder" in done.output
    (tmp_path / "empty").mkdir()
    assert "holds no results and no certificate" in site(tmp_path / "empty").output
