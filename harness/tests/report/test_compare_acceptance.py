"""The verdicts of the acceptance of comparisons on results that are made up here."""

import importlib.util
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from compared_kit import SAME, SLOW, WILD, asked, audits, header, pairs
from report_records import write_samples

from dramaturg import paths

SCRIPT = paths.ROOT / "harness" / "benchmarks" / "compare_acceptance.py"
RUNTIME = "erlang"


@pytest.fixture(scope="module")
def script() -> Iterator[Any]:
    spec = importlib.util.spec_from_file_location("compare_acceptance", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["compare_acceptance"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["compare_acceptance"]


def _noise(count: int, bias: float = 1.0) -> list[float]:
    draw = random.Random(2)
    return [bias * (1 + draw.gauss(0, 0.03)) for _ in range(count)]


def _write(folder: Path, name: str, first: list[float], fresh: tuple[float, ...] = ()) -> None:
    """Write results of one row; A/A has two of them, which are the same here."""
    target = folder / "results" / name
    target.mkdir(parents=True)
    of = asked(pairs=len(first))
    records = [*pairs(first), *pairs(fresh, of.pairs), *audits(of.invocations)]
    others: list[dict[str, Any]] = []
    if name.startswith("same"):
        others.append({"name": "compute-bound"})
        more = [each.model_copy(update={"scenario": "compute-bound"}) for each in records]
        records += more
    write_samples(target, *records, **header(of, *others))


def _run(script: Any, folder: Path, monkeypatch: pytest.MonkeyPatch, count: int = 80) -> int:
    words = ["--output", str(folder), "--figures", "--runtimes", RUNTIME, "--pairs", str(count)]
    monkeypatch.setattr(sys, "argv", ["compare_acceptance.py", *words])
    monkeypatch.setattr(script, "DRAWS", 20)
    # Both rows of a runtime bear the name of one benchmark here.
    monkeypatch.setattr(script, "ROWS", script.ROWS[:1])
    return int(script.main())


def _slower(script: Any, folder: Path, ratios: list[tuple[float, ...]]) -> None:
    for name, fresh in zip(script.slower([RUNTIME]), ratios, strict=True):
        first = WILD[:10] if fresh == () else tuple(SLOW[:10])
        _write(folder, f"slower/{name}", list(first), fresh)


def test_all_within_bounds_passes(
    script: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    _write(tmp_path, f"same/{RUNTIME}", _noise(80))
    _slower(script, tmp_path, [SLOW] * 4)
    assert _run(script, tmp_path, monkeypatch) == 0
    said = capsys.readouterr().out
    assert "of 8 blocks of 10 flagged, at most 2" in said
    assert "0 of 6 blocks of 12 confirmed, at most 0" in said
    assert "20 %: 100% flagged, 100% confirmed" in said
    assert "4 of 4 found, at least 4; 0 called faster" in said


def test_false_alarms_fail(
    script: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    _write(tmp_path, f"same/{RUNTIME}", _noise(80, bias=1.2))
    _slower(script, tmp_path, [SLOW] * 4)
    assert _run(script, tmp_path, monkeypatch) == 1
    assert "8 of 8 blocks of 10 flagged" in capsys.readouterr().out


@pytest.mark.parametrize(
    "fresh", [SAME, tuple(1 / each for each in SLOW), ()], ids=["missed", "faster", "not flagged"]
)
def test_a_slower_version_that_is_missed_or_called_faster_fails(
    script: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh: tuple[float, ...]
) -> None:
    _write(tmp_path, f"same/{RUNTIME}", _noise(80))
    _slower(script, tmp_path, [SLOW, SLOW, SLOW, fresh])
    assert _run(script, tmp_path, monkeypatch) == 1


def test_what_is_not_done_is_no_pass(
    script: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    assert _run(script, tmp_path, monkeypatch) == 2
    _write(tmp_path, f"same/{RUNTIME}", _noise(80))
    assert _run(script, tmp_path, monkeypatch) == 2
    assert "0 of 4 found" in capsys.readouterr().out


def test_too_few_pairs_for_a_block_and_no_slower_version_are_no_pass(
    script: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(tmp_path, f"same/{RUNTIME}", _noise(11))
    _slower(script, tmp_path, [SLOW] * 4)
    assert _run(script, tmp_path, monkeypatch, 11) == 2
    _write(tmp_path / "other", f"same/{RUNTIME}", _noise(80))
    monkeypatch.setattr(script, "slower", lambda runtimes: {})
    assert _run(script, tmp_path / "other", monkeypatch) == 2


def test_the_bounds_of_acceptance(script: Any) -> None:
    from scipy.stats import binom

    assert binom.ppf(script.SURE, 48, script.difference.FLAG) == 6
    assert len(script.RUNTIMES) * len(script.ROWS) * script.PAIRS // 10 == 48
    assert len(script.RUNTIMES) * len(script.ROWS) * (script.PAIRS // 12) == 36
    assert len(script.slower(script.RUNTIMES)) == 10
