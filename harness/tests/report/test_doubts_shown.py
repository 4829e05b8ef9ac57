"""A caution that is no fault stands beside the figure wherever that goes (MEAS-47)."""

import json
from pathlib import Path

from report_records import audited, sample, write_samples

from dramaturg.report import data, matrix, shared_ranks
from dramaturg.report.report_files import summarise
from dramaturg.timing.validity.actor_memory import BYTES
from dramaturg.timing.validity.plausibility import HURRIED

FLOOR = "the floor of its language: not run: ghc is not known here (MEAS-42)"
LITTLE = "computing too little to be judged: 0.010 s of computing as a probe (MEAS-45)"

HIDDEN = f"{BYTES} may be 5000 more"
SHORT = f"0.62 {HURRIED}, with 1 at once (MEAS-28)"


def _written(folder: Path, **values: object) -> None:
    records = []
    for number in range(6):
        samples = [sample(invocation=number, iteration=n, **values) for n in range(4)]
        points = values.get("points", [])
        records += audited(*samples, doubts=[FLOOR, LITTLE, SHORT, HIDDEN], points=points)
    write_samples(folder, *records)


def test_a_row_and_its_cell_say_it(tmp_path: Path) -> None:
    _written(tmp_path)
    summary = summarise(tmp_path)
    assert summary.groups[0].implementations[0].doubts == [SHORT, HIDDEN, LITTLE, FLOOR]
    assert any(HIDDEN in text for text in summary.warnings)
    assert any(SHORT in text for text in summary.warnings)
    assert SHORT in list(shared_ranks.doubts(summary.groups[0].implementations[0]))
    assert any(FLOOR in text and LITTLE in text for text in summary.warnings)
    (row,) = matrix.overview(summary).rows
    assert any(LITTLE in text for text in row.cells[0].cautions)
    assert FLOOR in json.dumps(summary.model_dump(mode="json"))


def test_a_point_of_a_curve_says_it(tmp_path: Path) -> None:
    _written(tmp_path, points=[{"entry": "thesis/T5", "axes": {"delay": 4}}])
    (curve,) = summarise(tmp_path).curves
    assert curve.lines[0].points[0].doubts == [SHORT, HIDDEN, LITTLE, FLOOR]
    table = data.of_curve(curve)
    assert table.columns[-1] == "doubts"
    assert FLOOR in str(table.rows[0][-1])
