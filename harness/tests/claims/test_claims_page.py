"""The command, the page and its picture."""

import json
import random
import re
import shutil
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
import yaml
from claims_kit import SETUP, SYSTEMS, claims, row, run
from click.testing import CliRunner, Result
from markdown_it import MarkdownIt
from test_runs import results

from dramaturg import paths
from dramaturg.claims import catalogue, claim_verdicts, picture, reproduction_page, runs
from dramaturg.claims.catalogue import Catalogue
from dramaturg.cli import claims as command
from dramaturg.cli.main import cli

PART = {"kind": "ratio", "of": "quick", "to": "slow", "above": 1, "says": "It is so."}
SVG = "{http://www.w3.org/2000/svg}"


def called(*words: str | Path) -> Result:
    said = CliRunner().invoke(cli, ["claims", *map(str, words)])
    print(said.output, repr(said.exception))
    return said


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of claims, runs and page, with the claim X1 that results of ``test_runs`` decide."""
    content = {
        "systems": SYSTEMS,
        "commands": ["./dramaturg bench small"],
        "claims": {"X1": {"study": "s", "says": "It is so.", "setup": SETUP, "predicates": [PART]}},
    }
    file = tmp_path / "claims.yaml"
    file.write_text(yaml.safe_dump(content))
    known = catalogue.load(file)
    monkeypatch.setattr(catalogue, "FILE", file)
    monkeypatch.setattr(runs, "FOLDER", tmp_path / "runs")
    monkeypatch.setattr(command, "PAGE", tmp_path / "docs" / "reproduction.md")
    monkeypatch.setattr(command, "PICTURE", tmp_path / "docs" / reproduction_page.PICTURE)
    monkeypatch.setattr(command, "claims_at", lambda revision: ("c0", sorted(known.digests())))
    (tmp_path / "docs" / "pictures").mkdir(parents=True)
    return tmp_path


def measured(folder: Path, **changes: Any) -> Path:
    """Results with the parameters that the claim of ``clone`` names, as records have them. Their
    noise is the folder's own: results of the same figures are refused as copies."""
    folder.mkdir()
    made = results(folder, **changes)
    file = made / "timings.jsonl"
    called_ = catalogue.load().place(*_first(catalogue.load())).called["parameters"]
    text = file.read_text().replace(
        '"parameters":{"size":64}', f'"parameters":{json.dumps(called_)}'
    )
    noise = random.Random(folder.name)
    noisy = re.sub(
        r'"run_nanos":(\d+)',
        lambda said: f'"run_nanos":{int(said[1]) + noise.randrange(99_999)}',
        text,
    )
    file.write_text(noisy)
    return made


def _first(known: Catalogue) -> Any:
    claim = known.claims["X1"]
    return claim, claim.predicates[0], claim.predicates[0].of  # type: ignore[union-attr]


def test_the_page_of_the_repository_is_up_to_date() -> None:
    said = called("--check")
    assert said.exit_code == 0, said.output


def test_results_are_judged_recorded_and_shown(clone: Path) -> None:
    folder = measured(clone / "20260101")
    at_once = json.loads(called(folder, "--json").output)
    assert [each["verdict"] for each in at_once["claims"]] == ["confirmed"]
    assert called(folder, "--record", "--update").exit_code == 0
    assert (clone / "runs" / "20260101.json").exists()
    text = (clone / "docs" / "reproduction.md").read_text()
    assert "**confirmed**" in text
    assert "Quick 1.2; Slow 1.2" in text
    assert "1. AMD EPYC, 2 cores, 24 GiB (kvm), kernel 6.1" in text
    assert claim_verdicts.digest_of(clone / "claims.yaml") in text
    shutil.rmtree(folder)
    again = json.loads(called("--json").output)
    assert again["claims"] == at_once["claims"]
    assert called("--check").exit_code == 0


def test_a_page_that_is_out_of_date_fails_the_check(clone: Path) -> None:
    assert called("--update").exit_code == 0
    assert called("--check").exit_code == 0
    file = clone / "docs" / "reproduction.md"
    file.write_text(file.read_text().replace("not measured yet", "confirmed"))
    said = called("--check")
    assert said.exit_code == 1
    assert "reproduction.md is out of date" in said.output
    called("--update")
    folder = measured(clone / "20260101")
    called(folder, "--record")
    assert called("--check").exit_code == 1


def test_a_changed_bound_takes_the_verdict_away(clone: Path) -> None:
    folder = measured(clone / "20260101")
    called(folder, "--record")
    file = clone / "claims.yaml"
    file.write_text(file.read_text().replace("above: 1\n", "above: 1.5\n"))
    [claim] = json.loads(called("--json").output)["claims"]
    assert claim["verdict"] == "not measured yet"
    assert "before this predicate was written" in claim["predicates"][0]["reason"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--update", "--check"], "one of --update and --check"),
        (["--record"], "--record takes the results folders"),
        (["FOLDER", "--update"], "the page is of recorded runs"),
        (["nowhere"], "nowhere: no such folder"),
        (["FOLDER", "FOLDER"], "the same results"),
    ],
)
def test_what_it_cannot_do_is_one_clear_error(words: list[str], says: str, clone: Path) -> None:
    folder = measured(clone / "20260101")
    said = called(*[str(folder) if word == "FOLDER" else word for word in words])
    assert said.exit_code != 0
    assert says in said.output or says in str(said.exception)


def test_two_machines_are_recorded_and_named_each_with_its_runs(clone: Path) -> None:
    assert called(measured(clone / "one"), "--record").exit_code == 0
    other = measured(clone / "two", kernel={"release": "6.2"})
    assert called(other, "--record").exit_code == 0
    said = json.loads(called("--json").stdout)
    assert [machine["kernel"] for machine in said["machines"]] == ["6.1", "6.2"]
    assert [run["machine"]["kernel"] for run in said["runs"]] == ["6.1", "6.2"]


def test_two_versions_of_the_harness_are_refused_before_anything_is_recorded(clone: Path) -> None:
    assert called(measured(clone / "one"), "--record").exit_code == 0
    other = measured(clone / "two", packages={"dramaturg": "0.2.0"})
    said = called(other, "--record")
    assert said.exit_code != 0
    assert "one and two are of two versions of the harness" in said.output
    assert [file.name for file in (clone / "runs").iterdir()] == ["one.json"]


def test_nothing_was_written_before_a_revision_without_claims() -> None:
    first = paths.ROOT / ".git"
    if not first.exists():
        pytest.skip("this is no clone")
    assert command.claims_at("f" * 40) is None
    assert command.claims_at("--help") is None


def test_in_a_package_there_are_no_recorded_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "IN_CLONE", False)
    said = called()
    assert said.exit_code != 0
    assert "here, give RESULTS" in said.output


def shown(known: Catalogue, *rows: Any) -> claim_verdicts.Judgement:
    return claim_verdicts.judge(known, [run(known, *rows)], "c0")


def test_the_page_is_tables_whatever_a_record_has_in_it() -> None:
    known = claims(PART, PART | {"above": 3, "says": "a | b <script>"})
    rows = [row("quick", 2), row("slow")]
    ran = run(known, *rows, name="a|b<i>\x1b[1m", suites=["<b>"])
    text = reproduction_page.text(
        claim_verdicts.judge(known, [ran], "c0"), ["./dramaturg bench small"]
    )
    assert "\x1b" not in text
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    assert "<script>" not in html and "<i>" not in html and "<b>" not in html
    cells = re.findall(r"<tr>\n(.*?)</tr>", html, re.DOTALL)
    assert {len(re.findall("<t[hd]", each)) for each in cells} <= {2, 4, 7}


def test_a_part_names_its_interval_bound_versions_and_rounds() -> None:
    text = reproduction_page.text(shown(claims(PART), row("quick", 2), row("slow")), [])
    assert re.search(
        r"quick / slow: [12]\S* times \(1\.9\S* to [12]\S*\), claimed above 1, 10 invocations", text
    )
    assert r"Quick 1.2.3-abc \[release]; Slow 7" in text


def test_the_picture_has_a_dot_for_each_round_and_what_was_claimed() -> None:
    known = claims(PART, {"kind": "equal", "of": "quick", "to": "slow", "within": 0.1})
    drawing = picture.drawing(shown(known, row("quick", 2), row("slow")))
    tree = ET.fromstring(drawing)
    assert len(tree.findall(f".//{SVG}circle")) == 20
    assert len(tree.findall(f".//{SVG}rect[@class='claimed']")) == 2
    assert "prefers-color-scheme: dark" in drawing
    for each in tree.iter():
        for side in ("x", "cx", "x1", "x2"):
            place = each.get(side)
            assert place is None or -14 <= float(place) <= 760


def test_without_figures_there_is_no_picture() -> None:
    judgement = shown(claims(PART))
    assert picture.drawing(judgement) == ""
    assert "![" not in reproduction_page.text(judgement, [])


def test_results_are_read_in_a_process_with_limits(
    clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = measured(clone / "20260101")
    monkeypatch.setattr("dramaturg.results.read", lambda file: pytest.fail("it was read here"))
    assert called(folder).exit_code == 0
    monkeypatch.setenv("DRAMATURG_LIMITS", "0.000001")
    assert "which is the limit" in str(called(folder).exception)
