"""Recorded results, compared: pairs of one session, and two sessions of one machine."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from compared_kit import ENVIRONMENT, SAME, SLOW, WILD, A, B, asked, header, invoked, pairs, write
from report_records import unit, write_samples

from dramaturg import results
from dramaturg.outcomes import Outcome
from dramaturg.report import sessions
from dramaturg.report.comparison import UNLIKE, slower
from dramaturg.report.summary import Compared
from dramaturg.results import ResultsError
from dramaturg.timing.statistics.difference import Verdict

NAMES = ("akka", "caf")


def _write(folder: Path, *records: Any, complete: bool = True, **environment: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    write_samples(folder, *records, complete=complete)
    (folder / results.ENVIRONMENT).write_text(json.dumps(ENVIRONMENT | environment))
    return folder


def _of(records: list[Any], name: str) -> list[Any]:
    return [each for each in records if each.implementation == name]


def _compared(a: object, b: object) -> Compared:
    return sessions.compared(sessions.opened(str(a)), sessions.opened(str(b)), 0.05)


def test_two_of_one_session_are_pairs_and_nothing_is_confirmed(tmp_path: Path) -> None:
    folder = _write(tmp_path / "one", *pairs(SLOW, labels=NAMES))
    found = _compared(f"{folder}:akka", f"{folder}:caf")
    (row,) = found.rows
    assert (found.paired, row.verdict, row.pairs) == (True, Verdict.SLOWER, 12)
    assert not row.confirmed
    assert slower(found) == []
    assert row.first == pytest.approx(SLOW, rel=1e-6)


def test_a_session_that_was_resumed_has_no_pairs(tmp_path: Path) -> None:
    folder = _write(tmp_path / "one", *pairs(SLOW, labels=NAMES))
    (folder / "timings.interrupted-1.jsonl").write_text("")
    found = _compared(f"{folder}:akka", f"{folder}:caf")
    assert not found.paired
    assert found.rows[0].first == []


def test_two_sessions_are_no_pairs_and_say_so(tmp_path: Path) -> None:
    records = pairs(SLOW, labels=NAMES)
    a, b = (_write(tmp_path / name, *_of(records, name)) for name in NAMES)
    found = _compared(a, b)
    assert not found.paired
    assert found.rows[0].verdict is Verdict.SLOWER
    assert any("Two sessions" in note for note in found.notes)


def test_one_build_in_two_sessions_is_said_to_be_one(tmp_path: Path) -> None:
    records = _of(pairs(SAME, labels=NAMES), "caf")
    a, b = (_write(tmp_path / name, *records) for name in ("monday", "tuesday"))
    found = _compared(a, b)
    assert found.rows[0].verdict is Verdict.NO_DIFFERENCE
    assert any("A/A" in note for note in found.notes)


def test_recorded_results_of_two_implementations_name_the_page_on_fair_pairs(
    tmp_path: Path,
) -> None:
    folder = _write(tmp_path / "one", *pairs(SAME, labels=NAMES))
    assert _compared(f"{folder}:akka", f"{folder}:caf").notes == [UNLIKE]
    variants = _write(tmp_path / "two", *pairs(SAME, labels=("caf", "caf+sharing")))
    assert _compared(f"{variants}:caf", f"{variants}:caf+sharing").notes == []


@pytest.mark.parametrize("count", [0, 1, 5, 6, 8])
def test_too_few_pairs_are_no_verdict(tmp_path: Path, count: int) -> None:
    end = [unit(name, outcome=Outcome.NOT_RUN, invocation=None) for name in NAMES]
    folder = _write(tmp_path / "one", *(pairs(SLOW[:count], labels=NAMES) or end))
    (row,) = _compared(f"{folder}:akka", f"{folder}:caf").rows
    assert row.verdict is Verdict.NONE
    assert row.why


def test_what_one_of_them_lacks_is_no_verdict(tmp_path: Path) -> None:
    records = pairs(SLOW, labels=NAMES)
    lacking = [unit("caf", benchmark="web", outcome=Outcome.UNSUPPORTED, invocation=None)]
    folder = _write(tmp_path / "one", *records, *lacking)
    _, row = _compared(f"{folder}:akka", f"{folder}:caf").rows
    assert (row.benchmark, row.verdict) == ("web", Verdict.NONE)
    assert "akka: not run" in row.why
    assert "caf: unsupported" in row.why


def test_who_failed_before_its_network_was_up_failed_on_it(tmp_path: Path) -> None:
    asked_for = {"kind": "mininet", "nodes": 2, "delay": 5}
    built = asked_for | {"direction": "one way", "offloads": "off", "kernel": "6.1"}
    records = [
        record
        for number, ratio in enumerate(SLOW)
        for name, nanos in zip(NAMES, (1e8, 1e8 * ratio), strict=True)
        for record in invoked(name, number, nanos, network=built)
    ]
    failed = unit("caf", network=asked_for, outcome=Outcome.FAIL, invocation=12, message="off")
    for record in (failed, failed.model_copy(update={"invocation": None})):
        folder = _write(tmp_path / str(record.invocation), *records, record)
        (row,) = _compared(f"{folder}:akka", f"{folder}:caf").rows
        assert row.verdict is Verdict.NONE
        assert "off" in row.why


def test_of_a_comparison_only_the_first_pairs_are_in_a_figure(tmp_path: Path) -> None:
    write(tmp_path, SLOW[:10], WILD)
    (tmp_path / results.ENVIRONMENT).write_text(json.dumps(ENVIRONMENT))
    (row,) = _compared(f"{tmp_path}:{A}", f"{tmp_path}:{B}").rows
    assert row.pairs == 10


def test_an_interrupted_session_is_no_verdict(tmp_path: Path) -> None:
    folder = _write(tmp_path / "one", *pairs(SLOW, labels=NAMES), complete=False)
    (row,) = _compared(f"{folder}:akka", f"{folder}:caf").rows
    assert row.verdict is Verdict.NONE
    assert "its run was interrupted" in row.why


def _two(tmp_path: Path, **environment: Any) -> tuple[Path, Path]:
    records = pairs(SLOW, labels=NAMES)
    a = _write(tmp_path / "a", *_of(records, "akka"))
    return a, _write(tmp_path / "b", *_of(records, "caf"), **environment)


@pytest.mark.parametrize(
    ("environment", "says"),
    [
        ({"cpu": {"model": "Other CPU", "cores": 2}}, "model Other CPU"),
        ({"cpu": {"model": "Test CPU", "cores": 4}}, "cores 4"),
        ({"memory": {"total": 1}}, "memory 1 bytes"),
        ({"kernel": {"system": "Linux", "release": "6.2"}}, "Linux 6.2"),
        ({"packages": {"dramaturg": "0.2.0"}}, "0.2.0, revision"),
        ({"source": {"revision": "1" * 40, "dirty": False}}, "revision 1111"),
        ({"source": {"revision": "0" * 40, "dirty": True}}, "differed from its revision"),
        ({"source": {}}, "differed from its revision"),
        ({"source": "none"}, "differed from its revision"),
    ],
)
def test_other_machines_kernels_and_harnesses_are_refused(
    tmp_path: Path, environment: dict[str, Any], says: str
) -> None:
    a, b = _two(tmp_path, **environment)
    for one, other in ((a, b), (b, a)):
        with pytest.raises(ResultsError) as raised:
            _compared(one, other)
        assert says in str(raised.value)
        assert "\n" not in str(raised.value)


def _header_of(folder: Path, **values: Any) -> None:
    """Change what the records of a session begin with."""
    file = folder / results.TIMINGS
    first, rest = file.read_text().split("\n", 1)
    file.write_text(json.dumps(json.loads(first) | values) + "\n" + rest)


def test_two_machines_that_are_alike_are_two(tmp_path: Path) -> None:
    a, b = _two(tmp_path)
    for folder, name in ((a, "one"), (b, "other")):
        _header_of(folder, machine={"id": name})
    with pytest.raises(ResultsError, match="measured on two machines, one and other"):
        _compared(a, b)


def test_a_copy_of_a_session_is_no_other_session(tmp_path: Path) -> None:
    a = _write(tmp_path / "a", *pairs(SLOW, labels=NAMES))
    b = tmp_path / "b"
    shutil.copytree(a, b)
    for one, other in (("akka", "akka"), ("akka", "caf")):
        with pytest.raises(ResultsError, match="copies of one session"):
            _compared(f"{a}:{one}", f"{b}:{other}")


def test_sessions_of_other_iterations_are_no_verdict(tmp_path: Path) -> None:
    a, b = _two(tmp_path)
    for folder, name, many in ((a, "akka", 3), (b, "caf", 50)):
        plan = header(asked())["plan"]
        units = [each | {"implementation": name, "iterations": many} for each in plan["units"]]
        _header_of(folder, plan=plan | {"units": units})
    (row,) = _compared(a, b).rows
    assert row.verdict is Verdict.NONE
    assert "A had 3 iterations, 0 of them warm-up, and B 50 iterations" in row.why


@pytest.mark.parametrize("text", [None, "", "{", "[]", "{}", "[" * 5000])
def test_a_machine_that_is_not_known_is_refused(tmp_path: Path, text: str | None) -> None:
    a, b = _two(tmp_path)
    file = b / results.ENVIRONMENT
    if text is None:
        file.unlink()
    else:
        file.write_text(text)
    with pytest.raises(ResultsError):
        _compared(a, b)


def test_words_that_name_no_side_are_refused(tmp_path: Path) -> None:
    folder = _write(tmp_path / "one", *pairs(SAME, labels=NAMES))
    empty = _write(tmp_path / "empty")
    for word, says in (
        (folder, "holds akka, caf; name one of them"),
        (f"{folder}:cobol", "holds nothing of 'cobol'"),
        (empty, "holds no invocation that ended"),
    ):
        with pytest.raises(ResultsError, match=says):
            sessions.opened(str(word))
    with pytest.raises(ResultsError, match="the same records"):
        _compared(f"{folder}:akka", f"{folder}/:akka")


def test_a_colon_in_a_folder_is_part_of_its_name(tmp_path: Path) -> None:
    folder = _write(tmp_path / "9:30", *_of(pairs(SAME, labels=NAMES), "caf"))
    assert sessions.holds(str(folder))
    assert sessions.opened(str(folder)).name == "caf"
    assert sessions.opened(f"{folder}:caf").name == "caf"
    assert not sessions.holds(str(tmp_path))
