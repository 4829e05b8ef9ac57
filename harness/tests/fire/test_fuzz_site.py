"""A stranger's contribution to a site is on it, or named as not read: nothing else comes of it."""

import io
import json
import tarfile
import tempfile
import zipfile
from pathlib import Path

import pytest
from fire_mutator import judged, malformed

from dramaturg import results
from dramaturg.certificates import certificate
from dramaturg.implementation.build import digest
from dramaturg.implementation.manifest import find
from dramaturg.levels import REQUIRED
from dramaturg.outcomes import Outcome
from dramaturg.plan import case_plan
from dramaturg.records import CaseRecord
from dramaturg.results import Writer
from dramaturg.site import collected, league, pages, ranking, reading
from dramaturg.site.supplied_data import Found, Source
from dramaturg.standing import Standing
from dramaturg.v2 import control_pb2


class NotRead(Exception):
    """Named on the site, with the reason."""


def handed_over() -> bytes:
    """A certificate of the reference, in which everything passed."""
    reference = find("reference")
    items = case_plan.make([reference], REQUIRED).items
    standing = Standing("reference", digest(reference), len(items), levels=list(REQUIRED))
    standing.records = [
        CaseRecord(
            implementation="reference", level=item.case.level, case=item.case.name,
            benchmark=item.case.benchmark, outcome=Outcome.PASS,
        )
        for item in items
    ]  # fmt: skip
    said = control_pb2.DescribeResponse(runtime="x", runtime_version="1", schedulers=2)
    claim = certificate.claim(reference, standing, lambda implementation: said)
    return certificate.statement({"reference": claim}).to_json().encode()


def short(whole: bytes) -> bytes:
    """With few cases, so that what is damaged is seldom one of a hundred digests."""
    made = json.loads(whole)
    few = [path for path in made["predicate"]["cases"]["each"] if "/count/" in path]
    cases = made["predicate"]["cases"]
    cases["each"] = {path: cases["each"][path] for path in few}
    [claim] = made["predicate"]["implementations"].values()
    claim["cases"] = {path: claim["cases"][path] for path in few}
    return json.dumps(made).encode()


def shown(found: Found) -> None:
    """Every page that a stranger's words get to."""
    everything = league.gather(found)
    site = pages._Pages(everything)
    site.index()
    for one in everything.implementations:
        site.implementation(one)
        pages.badges.drawing(one)
        pages.badges.endpoint(one)
    for each in found.certificates:
        site.certificate(each)
    for name in ("chatapp", "pingpong"):
        ranking.tables(everything, name)
        site.benchmark(name)
    if found.unread:
        raise NotRead(found.unread[0].why)


def test_a_certificate_is_on_a_site_or_named(tmp_path: Path) -> None:
    whole = handed_over()
    file = tmp_path / results.CERTIFICATE

    def read(data: bytes) -> None:
        file.write_bytes(data)
        shown(reading.read([Source(file, "theirs")], []))

    counted = judged(malformed([short(whole), short(whole), whole], "sites"), read, NotRead, "")
    assert counted["refused"] > 50 and counted["accepted"] > 5, counted


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz"])
def test_an_archive_is_on_a_site_or_named(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "results"
    with Writer(folder / results.CONFORMANCE, builds={}, planned={"x": 1}) as writer:
        writer.write(
            CaseRecord(
                implementation="x", level=1, benchmark="chatapp", case="c", outcome=Outcome.FAIL
            )
        )
    records = (folder / results.CONFORMANCE).read_bytes()
    packed, listed = io.BytesIO(), tmp_path / "list"
    if kind == "zip":
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("a/conformance.jsonl", records)
            archive.writestr("b/environment.json", b"{}")
    else:
        with tarfile.open(fileobj=packed, mode="w:gz" if kind == "tar.gz" else "w") as archive:
            for name, content in (("a/conformance.jsonl", records), ("environment.json", b"{}")):
                info = tarfile.TarInfo(name)
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
    listed.write_text("archive\n")

    def read(data: bytes) -> None:
        (tmp_path / "archive").write_bytes(data)
        with tempfile.TemporaryDirectory(dir=tmp_path) as kept:
            came = collected.collect(listed, Path(kept))
            found = reading.read(came.sources, [])
        found.unread += came.unread
        assert str(tmp_path) not in str(found.unread)
        shown(found)

    counted = judged(malformed([packed.getvalue()], "archives"), read, NotRead, "")
    assert counted["refused"] > 20, counted
