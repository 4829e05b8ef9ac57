"""Damaged claims, recorded runs and environments: accepted, or refused in one sentence."""

import json
import shutil
import sys
from pathlib import Path

from fire_mutator import judged, malformed

from dramaturg.claims import catalogue, claim_verdicts, picture, reproduction_page, runs
from dramaturg.claims.catalogue import ClaimsError
from dramaturg.claims.condensed import condensed

sys.path += [str(Path(__file__).resolve().parents[1] / room) for room in ("claims", "report")]

from claims_kit import claims, row, run
from test_runs import results

RATIO = {"kind": "ratio", "of": "quick", "to": "slow", "above": 1, "says": "It is so."}
KNOWN = claims(RATIO, {"kind": "crashes", "of": "quick"})


def test_damaged_claims_are_accepted_or_refused_with_their_place(tmp_path: Path) -> None:
    file = tmp_path / "claims.yaml"
    head, whole = catalogue.FILE.read_bytes().split(b"\nclaims:\n")
    # Few claims each, so that most of the time is not spent on what was not damaged.
    parts = whole.split(b"\n\n  ")
    seeds = [head + b"\nclaims:\n  " + part.lstrip() + b"\n" for part in parts if b"study:" in part]

    def read(data: bytes) -> None:
        file.write_bytes(data)
        known = catalogue.load(file)
        reproduction_page.text(claim_verdicts.judge(known, []), known.commands)

    for seed in seeds:
        read(seed)
    counted = judged(malformed(seeds, "claims"), read, ClaimsError, str(file))
    assert counted["refused"] > 200


def test_damaged_recorded_runs_are_judged_or_refused_with_their_name(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    file = folder / "x.json"
    whole = run(KNOWN, row("quick", 2, n=3), row("slow", n=3)).text()
    # All on one line: a line that is gone is not the end of it.
    seeds = [whole.encode(), json.dumps(json.loads(whole)).encode()]

    def read(data: bytes) -> None:
        file.write_bytes(data)
        judgement = claim_verdicts.judge(KNOWN, runs.recorded(folder))
        reproduction_page.text(judgement, [])
        picture.drawing(judgement)

    for seed in seeds:
        read(seed)
    counted = judged(malformed(seeds, "recorded runs"), read, ClaimsError, str(file))
    assert counted["refused"] > 200


def test_a_damaged_environment_is_of_a_run_that_decides_nothing(tmp_path: Path) -> None:
    folder = results(tmp_path / "results")
    file = folder / "environment.json"
    seed = file.read_bytes()

    def read(data: bytes) -> None:
        file.write_bytes(data)
        claim_verdicts.judge(KNOWN, [condensed(folder, lambda revision: ("c0", []))])

    read(seed)
    counted = judged(malformed([seed], "environment.json"), read, ClaimsError, str(folder))
    assert counted["refused"] > 100
    shutil.rmtree(folder)
