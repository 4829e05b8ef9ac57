"""A run is looked at while it is under way, at moments that nobody knows before (MEAS-48)."""

import contextlib
import re
import threading
import time
from itertools import pairwise
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from timing_fakes import SALT, FakeSession, Handed, honest, logged, written
from timing_kit import Run

from dramaturg.control.session import Looked
from dramaturg.errors import Late
from dramaturg.model import names
from dramaturg.outcomes import Outcome
from dramaturg.records import Depth
from dramaturg.timing.planning.scenarios import Scenario, scenario
from dramaturg.timing.validity import audit, looks
from dramaturg.timing.validity.fetching import Spooled
from dramaturg.trace import spool
from dramaturg.trace.events import TraceError
from dramaturg.trace.watches import EVERYBODY

LONG = scenario("pingpong", overrides={"rounds": 1000})


def slowly(of: Scenario, salt: int) -> Any:
    """In a run that is long enough for a look."""
    return honest(of, salt, 150_000_000)


TIMED = [Depth.CROSSING] * 8


def test_all_that_is_audited_is_looked_at_and_some_of_what_is_timed() -> None:
    drawn = [looks.drawn([*TIMED, Depth.PARTS], Random(seed)) for seed in range(200)]
    assert all(8 in each for each in drawn)
    timed = [each - {8} for each in drawn]
    assert {len(each) for each in timed} == {2}
    assert set().union(*timed) == set(range(8))


def test_of_two_timed_iterations_one_is_looked_at_and_one_alone_half_of_the_time() -> None:
    two = [looks.drawn(TIMED[:2], Random(seed)) for seed in range(50)]
    assert {tuple(each) for each in two} == {(0,), (1,)}
    assert {len(looks.drawn(TIMED[:1], Random(seed))) for seed in range(50)} == {0, 1}


def test_a_run_whose_look_was_answered_behind_it_is_not_vouched_for() -> None:
    def of(asked: int, answered: int) -> looks.Looks:
        return looks.Looks([looks.Look(asked, answered, None, [])], 100, None, 0)

    passed_by = looks.Look(40, 90, None, [], of_lead=False)
    assert looks.Looks([passed_by], 100, None, 0).unanswered
    asked_before = [looks.Look(20, 30, None, []), passed_by]
    assert not looks.Looks(asked_before, 100, None, 0).unanswered
    assert of(40, 120).unanswered
    assert not of(40, 90).unanswered
    assert not of(60, 120).unanswered
    assert (of(40, 120).overdue, of(40, 90).overdue, of(110, 120).overdue) == (60, 0, 0)


@pytest.mark.parametrize("expected", [0.05, 2.0])
def test_moments_are_all_over_the_run_and_none_comes_twice(expected: float) -> None:
    found = [
        moment
        for seed in range(300)
        for moment in looks.moments(LONG, Depth.CROSSING, expected, Random(seed))
    ]
    assert len(set(found)) == len(found)
    tenths = {int(10 * moment / expected) for moment in found if moment < expected}
    assert tenths == set(range(1, 10))


def test_of_whom_nobody_knows_how_long_he_takes_is_looked_at_later_and_later() -> None:
    found = looks.moments(LONG, Depth.CROSSING, None, Random(1))
    assert len(found) == looks.MOST + 1
    assert looks.FIRST[0] <= found[0] <= looks.FIRST[1]
    apart = [later / earlier for earlier, later in pairwise(found)]
    assert sorted(times < 1.1 for times in apart) == [False] * (looks.MOST - 1) + [True]
    assert all(times < 1.1 or times > 1.4 for times in apart)


def test_what_takes_no_longer_than_a_look_is_not_looked_at() -> None:
    assert looks.moments(LONG, Depth.CROSSING, looks.LEAST / 2, Random(1)) == []


def test_naps_are_looked_at_just_before_one_can_have_ended() -> None:
    naps = scenario("sleepers", overrides={"sleepers": 2, "naps": 4, "delay": 50})
    for seed in range(100):
        found = looks.moments(naps, Depth.CROSSING, 0.2, Random(seed))
        assert any(0.96 <= moment / 0.05 % 1 <= 0.995 for moment in found)
        # A nap that is a fifth too short has a look before it and one behind it, no nap apart.
        apart = [b - a for a in found for b in found if b > a]
        assert any(0.045 < each < 0.05 for each in apart)


def test_looks_are_recorded_with_what_they_are_of(run: Run, start_fake: Any) -> None:
    outcome, recorded = run(LONG, start_fake(LONG, slowly), iterations=4)
    assert outcome is Outcome.PASS, recorded.units
    timed = [each for each in recorded.audits if each.invocation == 0]
    assert timed[-1].depth == "parts"
    looked = [bool(sample.looks) for sample in recorded.samples]
    assert True in looked
    assert False in looked
    assert [bool(each.looks) for each in timed[:4]] == looked
    for each in recorded.audits:
        assert all(0 < look.asked_nanos <= look.answered_nanos for look in each.looks)
    assert not list((run.folder / "audits").iterdir())


def test_of_all_nodes_at_the_same_time(fake: Any) -> None:
    class Node(FakeSession):
        def look(self, timeout: float) -> Looked:
            asked.append(self)
            return super().look(timeout)

    asked: list[FakeSession] = []
    nodes: Any = [Node(LONG, slowly), Node(LONG, slowly)]
    for node in nodes:
        node.salts.append(1)
        node.prepare(LONG.message(), ())
    with looks.Looker(nodes, [0.02, 0.1], 1.0):
        nodes[0].run(1, 1.0, lambda done: None)
    assert [asked.count(node) for node in nodes] == [2, 2]


def test_of_what_the_end_waited_for_answers_are_no_part() -> None:
    """One look was asked for before the end; the other would be asked for behind it."""
    asked = threading.Event()

    class Far(FakeSession):
        def look(self, timeout: float) -> Looked:
            asked.set()
            time.sleep(0.1)
            found = Looked(
                time.monotonic_ns(), time.monotonic_ns() + 100_000_000, lambda file: None
            )
            time.sleep(0.2)
            looked.append(found)
            return found

    looked: list[Looked] = []
    node: Any = Far(LONG, slowly)
    node.run_since = time.monotonic_ns()
    with looks.Looker([node], [0.0, 0.05], 60) as looker:
        assert asked.wait(30)
        over = time.monotonic_ns()
    passed = time.monotonic_ns() - over
    assert len(looked) == 1
    assert looker.under_way <= passed - 100_000_000
    assert looker.under_way >= looked[0].asked - over


def test_whoever_asks_other_hosts_first_does_not_look_behind_the_end() -> None:
    class Far(FakeSession):
        def look(self, timeout: float) -> Looked:
            looked.append(timeout)
            raise Late("it looked")

    looked: list[float] = []
    asks, ends = threading.Event(), threading.Event()
    spent = iter([lambda: None, asks.set])

    def cpu() -> int:
        """The first is before the run, and the second before a look."""
        next(spent)()
        assert not asks.is_set() or ends.wait(30)
        return 0

    node: Any = Far(LONG, slowly)
    node.process = SimpleNamespace(consumption=SimpleNamespace(asked_cpu=lambda: cpu))
    node.run_since = time.monotonic_ns()
    with contextlib.suppress(Late), looks.Looker([node], [0.0], 60):
        assert asks.wait(30)
        threading.Timer(0.1, ends.set).start()
    assert looked == []


def test_an_interrupt_waits_for_no_look() -> None:
    asked, ended, left = (threading.Event() for _ in range(3))

    class Silent(FakeSession):
        def look(self, timeout: float) -> Looked:
            asked.set()
            ended.wait(60)
            raise Late("its process was ended")

    node: Any = Silent(LONG, slowly)
    node.run_since = 1

    def interrupted() -> None:
        with pytest.raises(KeyboardInterrupt), looks.Looker([node], [0.0], 60):
            assert asked.wait(30)
            raise KeyboardInterrupt
        left.set()

    thread = threading.Thread(target=interrupted, daemon=True)
    thread.start()
    try:
        assert left.wait(30)
    finally:
        ended.set()
        thread.join(30)


def test_a_look_that_is_not_answered_is_said(run: Run, start_fake: Any) -> None:
    class Busy(FakeSession):
        def look(self, timeout: float) -> Looked:
            raise Late("Trace was not answered within 10 s").because("CTRL-9")

    outcome, recorded = run(LONG, start_fake(LONG, kind=Busy), iterations=2)
    assert outcome is Outcome.TIMEOUT
    assert "Trace was not answered" in recorded.units[0].message


class PlaysTheRestLater(FakeSession):
    """It ends Run after a tenth, and plays the rest before it answers Trace."""

    def share(self, passed: float) -> float:
        return passed / 10


def test_who_plays_the_rest_behind_the_run_is_seen(run: Run, start_fake: Any) -> None:
    start = start_fake(LONG, slowly, kind=PlaysTheRestLater)
    # One of so many is looked at that is not the first, of which no pace is asked.
    outcome, recorded = run(LONG, start, iterations=8)
    assert outcome is Outcome.FAIL
    assert "(MEAS-49)" in " ".join(each.message for each in recorded.audits)


def _spooled(folder: Path, *calls: Handed) -> tuple[list[Path], Path, Path]:
    """Files of what these calls of Trace brought: looks, at rest, and in the end."""
    files = [folder / f"{number}.trace" for number in range(len(calls) + 1)]
    for file, handed in zip(files, [*calls, Handed({}, calls[-1].taken)], strict=True):
        with file.open("wb") as stream:
            written(handed, stream)
    return files[:-2], files[-2], files[-1]


PINGS = logged(LONG, SALT, EVERYBODY)


def _part(begin: int, end: int, taken: int) -> Handed:
    """The answer of a look: events of each actor, and its count by then."""
    return Handed(
        {actor: log[begin:end] for actor, log in PINGS.logs.items()},
        {actor: min(taken, len(log)) for actor, log in PINGS.logs.items()},
    )


def _nothing(folder: Path) -> Path:
    """The log before Run."""
    (folder / "set-up").touch()
    return folder / "set-up"


def test_looks_and_what_comes_after_them_are_one_log(tmp_path: Path) -> None:
    looked, at_rest, ended = _spooled(
        tmp_path, _part(0, 90, 100), _part(90, 300, 290), _part(300, 2000, 2000)
    )
    seen: list[Any] = []
    log = spool.read(
        _nothing(tmp_path), at_rest, ended, EVERYBODY, [*looked, tmp_path / "not asked"], seen
    )
    assert log.logs == PINGS.logs
    assert [each and set(each.rows.values()) for each in seen] == [{90}, {300}, None]
    assert [each and set(each.taken.values()) for each in seen] == [{100}, {290}, None]


def _of_two_nodes(folder: Path, looked: int) -> audit.Finding:
    """Return the finding if ping's node and pong's were asked 0.9 s after the beginning of a run of
    a second, or the first of them alone."""
    calls = {"look": _part(0, 900, 900), "rest": _part(900, 3000, 3000), "ended": Handed({}, {})}
    files: dict[str, list[Path]] = {}
    for call, handed in calls.items():
        for node, actor in enumerate((names.name(names.PING), names.name(names.PONG))):
            file = folder / f"{call}-{node}.trace"
            files.setdefault(call, []).append(file)
            # Events that no node brought at a look stand in the next answer.
            late = call == "rest" and node >= looked
            rows = PINGS.logs[actor] if late else handed.logs.get(actor, [])
            if call != "look" or node < looked:
                with file.open("wb") as stream:
                    count = handed.taken.get(actor, len(PINGS.logs[actor]))
                    written(Handed({actor: rows} if rows else {}, {actor: count}), stream)
    nothing = _nothing(folder)
    at = looks.Look(900_000_000, 910_000_000, None, files["look"])
    kept = audit.Kept(
        1,
        SALT,
        Depth.PARTS,
        EVERYBODY,
        EVERYBODY,
        Spooled([nothing, nothing]),
        Spooled(files["rest"]),
        Spooled(files["ended"]),
        looks.Looks([at], 1_000_000_000, None, 0),
    )
    return audit.judged(kept, LONG, "fake", [honest(LONG, SALT, 1_000_000_000)])


def test_a_node_that_was_not_asked_at_a_look_is_not_taken_for_one_that_had_done_nothing(
    tmp_path: Path,
) -> None:
    assert _of_two_nodes(tmp_path, looked=2).margins
    alone = _of_two_nodes(tmp_path, looked=1)
    assert alone.outcome is Outcome.PASS, alone.message
    assert not alone.margins


def test_at_rest_nothing_that_was_counted_waits(tmp_path: Path) -> None:
    parts = _part(0, 90, 100), _part(90, 999, 2000), _part(999, 2000, 2000)
    looked, ended, _ = _spooled(tmp_path, *parts)
    with pytest.raises(TraceError, match="delivered 999 events of ping/0 by its end"):
        spool.read(_nothing(tmp_path), looked[1], ended, EVERYBODY, looked[:1])


@pytest.mark.parametrize(
    ("second", "says"),
    [
        (
            _part(90, 98, 300),
            "Trace had delivered 98 events of ping/0 by its end, expected 99 (CTRL-7)",
        ),
        (
            _part(90, 300, 99),
            "had taken 100 messages when Run was under way, and has a count of 99",
        ),
        (Handed(_part(90, 300, 300).logs, {}), "and has no count by the next Trace (TRACE-17)"),
    ],
)
def test_what_a_look_has_counted_the_next_one_delivers(
    tmp_path: Path, second: Handed, says: str
) -> None:
    rest = max(map(len, second.logs.values())) + 90
    looked, at_rest, ended = _spooled(tmp_path, _part(0, 90, 100), second, _part(rest, 2000, 2000))
    with pytest.raises(TraceError, match=re.escape(says)):
        spool.read(_nothing(tmp_path), at_rest, ended, EVERYBODY, looked)
