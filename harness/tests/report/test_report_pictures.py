"""Each drawing of a report as a file of its own."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner
from report_records import TRACED, case, sample, write_cases, write_samples

from dramaturg.cli.report import report
from dramaturg.outcomes import Outcome
from dramaturg.report.report_files import write_pictures

SVG = "{http://www.w3.org/2000/svg}"


def failed(name: str = "late", implementation: str = "erlang"):
    return case(implementation, case=name, outcome=Outcome.FAIL, divergence=TRACED, message="lost")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_cases(tmp_path, case(), failed(), planned={"erlang": 2}, levels=[1])
    write_samples(tmp_path, *(sample(iteration=number) for number in range(6)))
    return tmp_path


def test_verdicts_run_times_and_failures_are_drawn(folder: Path) -> None:
    files = write_pictures(folder, folder / "made")
    kinds = [file.name.partition("-")[0].removesuffix(".svg") for file in files]
    assert kinds == ["verdicts", "times", "failure"]
    for file in files:
        root = ET.fromstring(file.read_text(encoding="utf-8"))
        assert root.tag == f"{SVG}svg"
        assert float(root.get("width", "0")) > 100


def test_a_drawing_says_what_the_page_says(folder: Path) -> None:
    verdicts, times, failure = (
        file.read_text(encoding="utf-8") for file in write_pictures(folder, folder / "made")
    )
    assert ">not certified<" in verdicts
    assert ">1/2<" in verdicts
    assert times.count("<circle") == 6
    assert ">lost<" in failure


def test_what_a_name_cannot_have_is_left_out_of_it_and_equal_names_are_numbered(
    tmp_path: Path,
) -> None:
    write_cases(tmp_path, failed("../../a b"), failed("../../a/b"), failed("c" * 300))
    names = [file.name for file in write_pictures(tmp_path, tmp_path / "made")]
    found = [name for name in names if name.startswith("failure")]
    assert found[:2] == ["failure-erlang-..-..-a-b.svg", "failure-erlang-..-..-a-b-2.svg"]
    assert len(found[2]) < 130
    assert {file.name for file in (tmp_path / "made").iterdir()} == set(names)


def test_what_others_wrote_has_no_effect(tmp_path: Path) -> None:
    write_cases(tmp_path, failed(implementation='<script>"\x1b[31m'))
    for file in write_pictures(tmp_path, tmp_path / "made"):
        text = file.read_text(encoding="utf-8")
        ET.fromstring(text)
        assert not re.search(r"<script|\x1b", text)


def test_the_command_names_what_it_wrote(folder: Path, tmp_path: Path) -> None:
    said = CliRunner().invoke(report, [str(folder), "--pictures", str(tmp_path / "made")])
    assert said.exit_code == 0
    assert "verdicts.svg" in said.output
