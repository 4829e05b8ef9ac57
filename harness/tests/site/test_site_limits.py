"""A stranger's file costs no more than it may: named as not read; the rest is made."""

import gzip
import io
import json
import sys
import tarfile
from pathlib import Path

import pytest
from jinja2 import Environment
from site_kit import build_of, certificate, handed, made, site, timed

from dramaturg import paths, results
from dramaturg.certificates import remembered_verifications
from dramaturg.cli import site as command
from dramaturg.processes.confined import Limits
from dramaturg.site.supplied_data import Source

MIB = 1024 * 1024


def sparse(members: int, size: int) -> bytes:
    """A tar of files that are holes (GNU's old format): no byte of them is in the stream."""
    out = b""
    for number in range(members):
        info = tarfile.TarInfo(f"{number}/timings.jsonl")
        info.size = 1
        head = bytearray(info.tobuf(tarfile.GNU_FORMAT))
        head[156:157] = tarfile.GNUTYPE_SPARSE
        head[386:398], head[398:410] = b"%011o\0" % (size - 1), b"%011o\0" % 1
        head[482], head[483:495] = 0, b"%011o\0" % size
        head[148:156] = b" " * 8
        head[148:156] = b"%06o\0 " % sum(head)
        out += bytes(head) + b"x" + bytes(511)
    return gzip.compress(out + bytes(1024))


def pax_sparse(size: int) -> bytes:
    """The same in the format of today (PAX 1.0)."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", format=tarfile.PAX_FORMAT) as archive:
        info = tarfile.TarInfo("1/timings.jsonl")
        info.pax_headers = {
            "GNU.sparse.major": "0", "GNU.sparse.minor": "1", "GNU.sparse.name": "1/timings.jsonl",
            "GNU.sparse.size": str(size), "GNU.sparse.map": f"{size - 1},1",
        }  # fmt: skip
        info.size = 1
        archive.addfile(info, io.BytesIO(b"x"))
    return packed.getvalue()


def crowded(samples: int) -> bytes:
    """Each audit speaks of each sample, in other words."""
    lines = [json.dumps({"record": "header", "schema": results.SCHEMA})]
    of = {
        "implementation": "x", "benchmark": "count", "scenario": "s", "scale": "tiny",
        "parameters": {}, "network": {"kind": "local"}, "build": "b", "invocation": 0,
        "iteration": 0, "salt": 0,
    }  # fmt: skip
    sample = of | {
        "record": "sample", "valid": True, "certified": False, "receipt": {}, "setup_nanos": 0,
        "runtime_nanos": 0, "run_nanos": 1, "teardown_nanos": 0,
    }  # fmt: skip
    lines += [json.dumps(sample)] * samples
    audit = of | {"record": "audit", "depth": "parts", "outcome": "fail"}
    lines += [json.dumps(audit | {"message": f"{number}"}) for number in range(samples)]
    return "\n".join(lines).encode() + b"\n"


@pytest.fixture
def good(tmp_path: Path) -> Path:
    file = tmp_path / "good"
    file.write_text(json.dumps(certificate(tmp_path / "a", "ada")))
    return file


def not_read(tmp_path: Path, good: Path, *names: str) -> dict[str, str]:
    """Return the reasons why not, by name; the certificate of somebody else is on the site."""
    listed = tmp_path / "list"
    listed.write_text("".join(f"{name}\n" for name in (*names, good.name)))
    done = site("--collect", listed, "--output", tmp_path / "site")
    assert done.exit_code == 1, done.output
    said = made(tmp_path / "site")
    assert [one["name"] for one in said["implementations"]] == ["ada"]
    return {each["name"]: each["why"] for each in said["unread"]}


def test_holes_are_not_written(tmp_path: Path, good: Path) -> None:
    (tmp_path / "old.tar.gz").write_bytes(sparse(20, 32 * MIB))
    (tmp_path / "new.tar.gz").write_bytes(pax_sparse(32 * MIB))
    why = not_read(tmp_path, good, "old.tar.gz", "new.tar.gz")
    assert (tmp_path / "old.tar.gz").stat().st_size < 1000
    assert why.keys() == {"old.tar.gz", "new.tar.gz"}
    assert all("timings.jsonl in it has holes" in said for said in why.values()), why


@pytest.mark.parametrize(
    ("limits", "says"),
    [
        (Limits(memory=16 * MIB), "takes more than 16 MiB of memory"),
        (Limits(cpu=1), "takes more than 1 s of CPU time"),
        (Limits(written=MIB), "writes a file of more than 1 MiB"),
    ],
)
def test_what_goes_beyond_a_limit_is_named_and_the_rest_is_made(
    tmp_path: Path, good: Path, limits: Limits, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    (folder / results.TIMINGS).write_bytes(crowded(20_000))
    with tarfile.open(tmp_path / "many.tar.gz", "w:gz") as archive:
        archive.add(folder)
    monkeypatch.setattr(command, "LISTED", limits)
    why = not_read(tmp_path, good, "many.tar.gz")
    assert says in why["many.tar.gz"], why
    assert str(tmp_path) not in why["many.tar.gz"]


def test_once_ready_a_source_is_read_without_a_template_or_a_library_to_load(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is read by a process of its own: hundreds of them would load the same again."""
    good = certificate(tmp_path, "good")
    folder = timed(handed(tmp_path / "mine", good), {"good": build_of(good, "good")}, {"good": 40})
    command.plain_values.ready()

    def loads(*_: object, **__: object) -> None:
        raise AssertionError("a template is compiled anew")

    monkeypatch.setattr(Environment, "compile", loads)
    before = set(sys.modules)
    read = command.plain_values.read(command.plain_values.asked(Source(folder, "mine"), None))
    assert (len(read["certificates"]), len(read["runs"]), read["unread"]) == (1, 1, [])
    assert {name for name in set(sys.modules) - before if name.startswith("scipy")} == set()


def test_a_statement_that_nobody_has_verified_is_looked_for_by_its_name_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hundreds of others may lie there."""
    monkeypatch.setattr(paths, "cache", lambda: tmp_path)
    (tmp_path / "verified").mkdir()
    monkeypatch.setattr(Path, "iterdir", lambda self: pytest.fail(f"{self} was listed"))
    assert remembered_verifications.known(b"a statement") == {}
    # Nor is it anybody's fault that it cannot be looked at.
    monkeypatch.setattr(paths, "cache", lambda: tmp_path / ("x" * 300))
    assert remembered_verifications.known(b"a statement") == {}
