"""An archive of results makes a report, or is refused in the words of who reads it."""

import json
import tempfile
import zipfile
from pathlib import Path

import pytest
from fire_mutator import judged, malformed

from dramaturg import results
from dramaturg.outcomes import Outcome
from dramaturg.records import CaseRecord
from dramaturg.report import archive
from dramaturg.report.report_files import summarise
from dramaturg.results import ResultsError, Writer

NAME = "results"


@pytest.mark.parametrize("kind", ["zip", archive.MANIFEST])
def test_an_archive_makes_a_report_or_is_refused(tmp_path: Path, kind: str) -> None:
    folder, file = tmp_path / NAME, tmp_path / "packed.zip"
    with Writer(folder / results.CONFORMANCE, started=1.0) as writer:
        writer.write(
            CaseRecord(
                implementation="x", level=1, benchmark="chatapp", case="c", outcome=Outcome.FAIL
            )
        )
    records = (folder / results.CONFORMANCE).read_bytes()
    archive.pack(folder, {}, file)
    with zipfile.ZipFile(file) as packed:
        manifest = json.dumps(json.loads(packed.read(f"{NAME}/{archive.MANIFEST}"))).encode()
    whole = file.read_bytes()

    def read(data: bytes) -> None:
        if kind == "zip":
            file.write_bytes(data)
        else:
            with zipfile.ZipFile(file, "w") as made:
                made.writestr(f"{NAME}/{archive.MANIFEST}", data)
                made.writestr(f"{NAME}/{results.CONFORMANCE}", records)
        with archive.unpacked(file) as again:
            assert again.folder.parent.parent == Path(tempfile.gettempdir())
            summarise(again.folder)

    seed = whole if kind == "zip" else manifest
    counted = judged(malformed([seed], "packed results"), read, ResultsError, "")
    assert counted["refused"] > 100, counted
