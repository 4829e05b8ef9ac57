"""Damaged sessions of a history, and damaged records of warm-up: shown, or refused with a place."""

import json
import sys
from pathlib import Path

from fire_mutator import judged, malformed

from dramaturg import results
from dramaturg.history import document, history_page, points
from dramaturg.machine import environment
from dramaturg.results import ResultsError
from dramaturg.timing.planning import warmups
from dramaturg.timing.planning.warmups import Here

sys.path += [str(Path(__file__).resolve().parents[1] / room) for room in ("history", "report")]
sys.path.append(str(Path(__file__).resolve().parents[1] / "timing"))

from history_kit import session
from test_warmups import ENVIRONMENT, MADE, _run


def test_a_damaged_session_is_in_the_history_or_refused_with_its_name(tmp_path: Path) -> None:
    whole = session(tmp_path / "whole", 1.0, 0)
    damaged = session(tmp_path / "damaged", 1.1, 1)
    file = damaged / results.TIMINGS
    head, *rest = file.read_bytes().splitlines(keepends=True)
    # The head alone, so that what it says is damaged as often as all samples are.
    seeds = [head, head + b"".join(rest)]

    def read(data: bytes) -> None:
        file.write_bytes(data if data.count(b"\n") > 2 else data + b"".join(rest))
        made = document.made([points.opened(each) for each in (whole, damaged)])
        history_page.text(made)
        json.dumps(made.model_dump(mode="json"))

    for seed in seeds:
        read(seed)
    counted = judged(malformed(seeds, "sessions"), read, ResultsError, str(damaged))
    assert counted["refused"] > 100


def test_a_damaged_record_of_warm_up_is_used_or_refused_with_its_name(tmp_path: Path) -> None:
    folder = _run(tmp_path / "run", 7, 8, 9)
    recorded = results.read(folder / results.TIMINGS)
    measured, _ = warmups.found(folder, recorded, ENVIRONMENT)
    file = tmp_path / warmups.FILE
    warmups.keep(file, measured)
    here = Here(environment.identity(), {"fake": "7"}, {})

    def read(data: bytes) -> None:
        file.write_bytes(data)
        warmups.applied(MADE, warmups.read(file), here)

    seed = file.read_bytes()
    read(seed)
    counted = judged(malformed([seed], "warmup.json"), read, ResultsError, str(file))
    assert counted["refused"] > 100
