"""Lines: in order of time, cut where nothing may be compared (MEAS-14), and where they changed."""

import json
from pathlib import Path
from typing import Any

import pytest
from compared_kit import ENVIRONMENT, SLOW, WILD, A, invoked, write
from history_kit import DAY, FIRST, HARNESS, MACHINE, OURS, PIN, history, only, session, sessions
from report_records import sample, unit

from dramaturg import results
from dramaturg.history import change_points
from dramaturg.outcomes import Outcome
from dramaturg.timing.planning.pairing import Side

STEP = [1.0, 1.01, 0.99, 1.005, 0.995, 1.012, 0.988, 1.2, 1.21, 1.19, 1.205, 1.195]


def test_a_step_is_found_between_two_revisions(tmp_path: Path) -> None:
    line = only(history(sessions(tmp_path / "results", STEP)))
    (stretch,) = line.stretches
    (change,) = stretch.changes
    assert [point.ratio for point in stretch.points] == pytest.approx(STEP, rel=1e-4)
    assert (change.at, change.said) == (7, "slower")
    assert (change.before, change.after) == ("000000000006", "000000000007")
    assert change.low is not None
    assert 1.15 < change.low < change.ratio < 1.25
    assert (change.points_before, change.points_after) == (7, 5)


def test_what_does_not_change_shows_no_change(tmp_path: Path) -> None:
    line = only(history(sessions(tmp_path / "results", STEP[:7] + STEP[1:7])))
    assert [(stretch.changes, stretch.why) for stretch in line.stretches] == [([], "")]


def test_few_points_are_said_to_be_few(tmp_path: Path) -> None:
    line = only(history(sessions(tmp_path / "results", STEP[5:])))
    (stretch,) = line.stretches
    assert stretch.changes == []
    assert stretch.why == f"too few points: 7; {change_points.fewest()} or more are needed"


def test_one_point_is_a_line_of_one(tmp_path: Path) -> None:
    line = only(history(session(tmp_path / "one", 1.1, 3)))
    assert [len(stretch.points) for stretch in line.stretches] == [1]
    assert "too few points: 1" in line.stretches[0].why


def test_points_are_in_order_of_time_whatever_folders_are_called(tmp_path: Path) -> None:
    for name, day in (("b", 1), ("c", 0), ("a", 2)):
        session(tmp_path / name, 1 + day / 10, day)
    line = only(history(tmp_path / "a", tmp_path / "b", tmp_path / "c"))
    days = [(point.started - FIRST) / DAY for point in line.stretches[0].points]
    assert days == [0, 1, 2]


def test_a_folder_that_is_named_twice_counts_once(tmp_path: Path) -> None:
    root = sessions(tmp_path / "results", [1.0, 1.1])
    (root / "latest").symlink_to("day-001")
    line = only(history(root, root / "day-000", root / "latest"))
    assert len(line.stretches[0].points) == 2


OTHER_CPU = {"cpu": {"model": "Test CPU", "cores": 4}}


@pytest.mark.parametrize(
    ("what", "values", "after"),
    [
        ("kernel", {"environment": {"kernel": {"system": "Linux", "release": "6.2"}}}, "Linux 6.2"),
        ("machine", {"environment": {"memory": {"total": 1}}}, "memory 1 bytes"),
        ("machine", {"environment": {"distribution": "Debian 99"}}, "Debian 99"),
        ("cores", {"environment": OTHER_CPU}, "cores 4"),
        ("harness", {"harness": HARNESS | {"digest": "f" * 64}}, "0.1.0, digest ffffffffffff"),
        ("harness", {"harness": HARNESS | {"version": "0.2.0"}}, "0.2.0, digest eeeeeeeeeeee"),
        ("baseline", {"pinned": [PIN | {"revision": "v2"}]}, "erlang at v2"),
    ],
)
def test_a_line_is_cut_where_what_it_rests_on_changes(
    tmp_path: Path, what: str, values: dict[str, Any], after: str
) -> None:
    sessions(tmp_path / "results", STEP[:7])
    root = sessions(tmp_path / "results", STEP[7:], start=7, **values)
    found = history(root)
    one, other = only(found).stretches
    (cut,) = other.cuts
    assert (len(one.points), len(other.points), one.cuts) == (7, 5, [])
    assert cut.what == what
    assert after in cut.after
    assert one.changes == other.changes == []  # The step is at the cut, so nobody can tell.
    assert any(f"where the {what} changed" in note for note in found.notes)


def test_two_machines_have_two_lines_and_it_is_said(tmp_path: Path) -> None:
    for day in range(6):
        machine = MACHINE | {"id": "one" if day % 2 else "two"}
        session(tmp_path / "all" / f"{day}", 1.0, day, machine=machine)
    found = history(tmp_path / "all")
    assert sorted(line.machine for line in found.lines) == ["one", "two"]
    assert [len(line.stretches) for line in found.lines] == [1, 1]
    assert any("Results of 2 machines" in note for note in found.notes)


def test_a_machine_without_a_name_is_told_by_what_it_has(tmp_path: Path) -> None:
    root = sessions(tmp_path / "results", [1.0, 1.0], machine=None)
    other = {"cpu": {"model": "Other CPU", "cores": 2}}
    sessions(root, [1.0], start=5, machine=None, environment=other)
    assert len(history(root).lines) == 2


@pytest.mark.parametrize("source", [{"dirty": True, "revision": "0" * 40}, {}, "none"])
def test_a_harness_that_is_not_known_is_like_none_but_itself(tmp_path: Path, source: Any) -> None:
    root = sessions(tmp_path / "results", [1.0] * 3, harness=None, environment={"source": source})
    assert [len(stretch.points) for stretch in only(history(root)).stretches] == [1, 1, 1]


def test_a_harness_of_before_there_was_a_digest_is_told_by_its_revision(tmp_path: Path) -> None:
    root = sessions(tmp_path / "results", [1.0] * 2, harness=None)
    other = {"source": {"revision": "1" * 40, "dirty": False}}
    sessions(root, [1.0], start=5, harness=None, environment=other)
    assert [len(stretch.points) for stretch in only(history(root)).stretches] == [2, 1]


def _planned(iterations: int) -> dict[str, Any]:
    said = {"benchmark": "chatapp", "name": "mixed", "scale": "small"}
    parameters = {"clients": 1024, "directories": 8, "turns": 32, "fib_n": 25}
    scenario = said | {"parameters": parameters}
    unit = {"implementation": OURS, "scenario": scenario, "network": {"nodes": 1}}
    return {"plan": {"units": [unit | {"iterations": iterations, "warmup": 1}]}}


def test_other_numbers_of_iterations_cut_a_line(tmp_path: Path) -> None:
    root = sessions(tmp_path / "results", [1.0] * 2, **_planned(4))
    sessions(root, [1.0], start=5, **_planned(8))
    one, other = only(history(root)).stretches
    assert one.circumstances["repetitions"] == "4 iterations, 1 of them warm-up"
    assert [cut.what for cut in other.cuts] == ["repetitions"]


def test_another_warm_up_of_the_pinned_build_cuts_a_line(tmp_path: Path) -> None:
    def both(iterations: int) -> dict[str, Any]:
        (ours,) = _planned(4)["plan"]["units"]
        pin = ours | {"implementation": PIN["label"], "iterations": iterations}
        return {"plan": {"units": [ours, pin]}}

    root = sessions(tmp_path / "results", [1.0] * 2, **both(4))
    sessions(root, [1.0], start=5, **both(8))
    _, other = only(history(root)).stretches
    assert [cut.what for cut in other.cuts] == ["repetitions of the baseline"]


def test_who_failed_before_its_network_was_up_leaves_a_gap(tmp_path: Path) -> None:
    asked = {"kind": "mininet", "nodes": 2}
    records = [
        record
        for number in range(3)
        for name in ("erlang@v1", OURS)
        for record in invoked(
            name, number, 1e8, build=f"{name}-build", network=asked | {"kernel": "6.1"}
        )
    ]
    records.append(unit(OURS, network=asked, outcome=Outcome.FAIL, invocation=3, message="off"))
    folder = session(tmp_path / "1", 1, 1, many=0, records=records)
    line = only(history(folder))
    assert [len(stretch.points) for stretch in line.stretches] == []


def test_the_kernel_of_an_emulated_network_cuts_and_is_no_other_benchmark(tmp_path: Path) -> None:
    # Mininet's record of itself has the kernel in it.
    def emulated(day: int, release: str) -> None:
        network = {"kind": "mininet", "nodes": 2, "kernel": release}
        records = [
            record
            for number in range(3)
            for name in ("erlang@v1", OURS)
            for record in invoked(name, number, 1e8, build=f"{name}-build", network=network)
        ]
        kernel = {"kernel": {"system": "Linux", "release": release}}
        session(tmp_path / f"{day}", 1, day, many=0, records=records, environment=kernel)

    for day, release in enumerate(("6.1", "6.1", "6.2")):
        emulated(day, release)
    line = only(history(*(tmp_path / f"{day}" for day in range(3))))
    assert [len(stretch.points) for stretch in line.stretches] == [2, 1]
    assert [cut.what for cut in line.stretches[1].cuts] == ["kernel"]


def test_comparisons_are_sessions_whose_pinned_build_is_a(tmp_path: Path) -> None:
    folder = tmp_path / "compared"
    pin = Side(label=A, word=A, build=sample(A).build, commit="c" * 40, revision="HEAD~1")
    write(folder, SLOW[:10], WILD, a=pin)
    (folder / results.ENVIRONMENT).write_text(json.dumps(ENVIRONMENT))
    line = only(history(folder))
    (point,) = line.stretches[0].points
    assert point.pairs == 10  # Fresh pairs are there because of what the first ones say.
    assert point.ratio == pytest.approx(1.2, rel=0.01)
    assert (point.against.label, point.of.commit) == ("erlang@HEAD~1", "d" * 40)


def test_an_implementation_that_was_always_there_can_be_taken_as_pinned(tmp_path: Path) -> None:
    root = sessions(tmp_path / "results", STEP, names=("akka", "caf"), pinned=[])
    (line,) = history(root, against=["akka"]).lines
    assert line.implementation == "caf"
    assert [change.at for change in line.stretches[0].changes] == [7]


def _gap(*words: Path) -> str:
    (gap,) = only(history(*words)).gaps
    return gap.why


def test_what_gives_no_point_says_why(tmp_path: Path) -> None:
    cut_short = session(tmp_path / "a", 1, 0, complete=False)
    assert _gap(cut_short) == "its run was interrupted"
    resumed = session(tmp_path / "b", 1, 0)
    (resumed / "timings.interrupted-1.jsonl").write_text("")
    assert "it was resumed" in _gap(resumed)
    few = session(tmp_path / "c", 1, 0, many=2)
    assert _gap(few) == "2 pairs with the baseline; 3 or more are needed"
    wrong = session(tmp_path / "d", 1, 0, pinned=[PIN | {"build": "another"}])
    assert "ran as another build" in _gap(wrong)
    failed = unit(OURS, invocation=9, outcome=Outcome.CRASH, message="signal 11")
    assert _gap(session(tmp_path / "e", 1, 0, records=[failed])) == (
        "erlang: invocation 9: crash: signal 11"
    )


def test_what_the_pinned_build_did_not_run_has_no_point(tmp_path: Path) -> None:
    more = unit(OURS, benchmark="web", invocation=0)
    folder = session(tmp_path / "a", 1, 0, records=[more])
    lines = {line.benchmark: line for line in history(folder).lines}
    assert lines["web"].gaps[0].why == "the baseline, erlang@v1, did not run it"
    assert len(lines["chatapp"].stretches) == 1
