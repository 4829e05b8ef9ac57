"""Timed runs are audited: logs decide, and a number without its audit is not certified."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from timing_fakes import FakeSession, Handed, Receipt, whole
from timing_kit import Run

from dramaturg.control.session import Ran
from dramaturg.errors import Crashed
from dramaturg.outcomes import Outcome
from dramaturg.records import AuditRecord, Depth
from dramaturg.timing.planning.scenarios import Scenario, scenario
from dramaturg.timing.validity import audit, fetching
from dramaturg.trace.partial.part_replay import PartVerdict
from dramaturg.trace.watches import EVERYBODY
from dramaturg.v2 import trace_pb2

StartFake = Callable[..., Any]

SMALL = {
    "pingpong": {"rounds": 20}, "chain": {"length": 20},
    "fanout": {"runners": 3, "tasks": 5, "window": 2}, "broker": {"employees": 2, "tasks": 9},
}  # fmt: skip


def _depths(audits: list[AuditRecord]) -> list[tuple[int, int, str]]:
    return [(each.invocation, each.iteration, each.depth) for each in audits]


@pytest.mark.parametrize("name", SMALL)
def test_each_invocation_ends_with_an_audit_of_all_that_fits(
    run: Run, start_fake: StartFake, name: str
) -> None:
    of = scenario(name, overrides=SMALL[name])
    outcome, recorded = run(of, start_fake(of), invocations=1, iterations=3)
    assert outcome is Outcome.PASS, recorded.units
    timed = [each for each in recorded.audits if each.invocation == 0]
    assert _depths(timed) == [(0, 0, "crossing"), (0, 1, "crossing"), (0, 2, "crossing"),
                              (0, 3, "parts")]  # fmt: skip
    assert timed[-1].decided == timed[-1].events >= timed[-1].messages > 0
    assert timed[-1].pairs > 1
    assert [unit.certified for unit in recorded.units] == [True, True]
    # An audited run has no sample, and leaves no log.
    assert len(recorded.samples) == 3
    assert list((run.folder / audit.FOLDER).iterdir()) == []


def test_one_more_invocation_is_audited_at_places_drawn_by_chance() -> None:
    drawn = {tuple(audit.positions(6, extra=True, chance=Random(seed))) for seed in range(200)}
    assert len(drawn) == 15  # all pairs of six
    assert all(depths.count(Depth.PARTS) == 2 for depths in drawn)
    assert audit.positions(1, extra=True, chance=Random(1)) == [Depth.PARTS]
    assert audit.positions(2, extra=False, chance=Random(1)) == [
        Depth.CROSSING, Depth.CROSSING, Depth.PARTS,
    ]  # fmt: skip


def test_the_invocation_that_is_audited_by_chance_is_never_summarised(
    run: Run, start_fake: StartFake, pingpong: Scenario
) -> None:
    _, recorded = run(pingpong, start_fake(pingpong), invocations=2, iterations=4)
    assert {sample.invocation for sample in recorded.samples} == {0, 1}
    assert sorted(each.depth for each in recorded.audits if each.invocation == 2) == [
        "crossing", "crossing", "parts", "parts",
    ]  # fmt: skip


def _swapped(handed: Handed) -> Handed:
    """Two neighbouring events of one actor in the wrong order."""
    for log in handed.logs.values():
        if len(log) > 3 and log[1] != log[2]:
            log[1], log[2] = log[2], log[1]
            break
    return handed


class WrongAtTheEnd(FakeSession):
    """Right as long as it is timed."""

    def handed(self) -> Handed:
        handed = super().handed()
        return _swapped(handed) if whole(self.watches) else handed


def test_a_divergence_fails_the_run_keeps_the_samples_and_can_be_replayed(
    run: Run, start_fake: StartFake
) -> None:
    of = scenario("pingpong", overrides=SMALL["pingpong"])
    outcome, recorded = run(of, start_fake(of, kind=WrongAtTheEnd), iterations=2)
    assert outcome is Outcome.FAIL
    assert [sample.valid for sample in recorded.samples] == [True, True]
    (found,) = [each for each in recorded.audits if each.invocation == 0 and each.depth == "parts"]
    assert "ping/0 received pong(left=18" in found.message
    assert found.divergence is not None
    assert found.divergence["requirements"]
    assert found.message in recorded.units[0].message
    assert {unit.certified for unit in recorded.units} == {False}
    assert {unit.mark for unit in recorded.units} == {"audit failed"}
    file = Path(found.command.removeprefix("dramaturg replay "))
    again = subprocess.run(
        [sys.executable, "-m", "dramaturg.cli.main", "replay", str(file)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert again.returncode == 1
    assert "ping/0 received pong(left=18" in again.stdout


def test_what_a_timed_iteration_has_logged_makes_its_sample_invalid(
    run: Run, start_fake: StartFake
) -> None:
    class Sparing(FakeSession):
        def handed(self) -> Handed:
            handed = super().handed()
            if len(self.salts) == 2:
                next(iter(handed.logs.values())).pop()
            return handed

    of = scenario("pingpong", overrides={"rounds": 50})
    outcome, recorded = run(of, start_fake(of, kind=Sparing), iterations=3)
    assert outcome is Outcome.FAIL
    assert [sample.valid for sample in recorded.samples] == [True, False, True]


def test_an_invocation_that_dies_in_its_audit_keeps_its_samples_uncertified(
    run: Run, start_fake: StartFake, pingpong: Scenario
) -> None:
    class Dying(FakeSession):
        def run(self, salt: int, timeout: float, on_mark: Callable[[int], None]) -> Ran:
            if whole(self.watches):
                raise Crashed("it fell")
            return super().run(salt, timeout, on_mark)

    outcome, recorded = run(pingpong, start_fake(pingpong, kind=Dying), iterations=3)
    assert outcome is Outcome.CRASH
    assert [sample.valid for sample in recorded.samples] == [True] * 3
    assert [each.outcome for each in recorded.audits[:3]] == [Outcome.PASS] * 3
    assert {unit.certified for unit in recorded.units} == {False}


def test_a_receipt_that_is_wrong_only_when_it_is_audited_fails(
    run: Run, start_fake: StartFake, pingpong: Scenario
) -> None:
    class Wrong(FakeSession):
        def teardown(self, timeout: float) -> Receipt:
            receipt = super().teardown(timeout)
            receipt.done.arguments[1] += whole(self.watches)
            return receipt

    outcome, recorded = run(pingpong, start_fake(pingpong, kind=Wrong), iterations=1)
    assert outcome is Outcome.FAIL
    assert "sum is " in recorded.audits[1].message


def test_a_number_of_which_nothing_was_decided_is_not_certified(
    run: Run, start_fake: StartFake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        audit,
        "replay_watched",
        lambda workload, watches, logs, taken: PartVerdict(events=sum(map(len, logs.values()))),
    )
    of = scenario("pingpong", overrides={"rounds": 20})
    outcome, recorded = run(of, start_fake(of), iterations=2)
    assert outcome is Outcome.PASS
    assert {unit.certified for unit in recorded.units} == {False}
    assert all("(MEAS-27)" in unit.message for unit in recorded.units)


class RightUponOneRow(FakeSession):
    """Right upon the row of class 0, which certification has, and where few are watched."""

    def handed(self) -> Handed:
        handed = super().handed()
        return handed if self.watches == EVERYBODY or not whole(self.watches) else _swapped(handed)


def test_an_audit_of_everybody_has_no_row_that_certification_has(
    run: Run, start_fake: StartFake
) -> None:
    of = scenario("pingpong", overrides=SMALL["pingpong"])
    outcome, recorded = run(of, start_fake(of, kind=RightUponOneRow), iterations=2)
    assert outcome is Outcome.FAIL
    assert [sample.valid for sample in recorded.samples] == [True, True]


def _altered(message: Any) -> Any:
    """An argument that nobody says; of a message without one, a kind that nobody of these knows."""
    number, args = message
    return (number, (*args[:-1], args[-1] ^ 1 << 30)) if args else (_FOREIGN, args)


_FOREIGN = trace_pb2.MESSAGE_KIND_PEER_STOP


class RightWhenAllAreWatched(FakeSession):
    """Whoever asks whether everybody is watched knows an audit of everybody."""

    def handed(self) -> Handed:
        handed = super().handed()
        if not whole(self.watches):
            for log in handed.logs.values():
                log[:] = [(sender, _altered(message)) for sender, message in log]
        return handed


@pytest.mark.parametrize("name", SMALL)
def test_what_is_right_only_when_everybody_is_watched_is_found_in_timed_iterations(
    run: Run, start_fake: StartFake, name: str
) -> None:
    of = scenario(name, overrides=SMALL[name])
    outcome, recorded = run(of, start_fake(of, kind=RightWhenAllAreWatched), iterations=3)
    assert outcome is Outcome.FAIL
    assert not any(sample.valid for sample in recorded.samples)


def test_a_log_that_was_cut_short_on_disk_is_no_log(tmp_path: Path) -> None:
    of = scenario("pingpong", overrides={"rounds": 20})
    fake = FakeSession(of)
    fake.prepare(of.message(), EVERYBODY)
    sessions: Any = [fake]
    set_up = fetching.fetch(sessions, tmp_path, "set-up", timeout=1)
    fake.run(7, 1, lambda done: None)
    at_rest = fetching.fetch(sessions, tmp_path, "at-rest", timeout=1)
    fake.teardown(1)
    ended = fetching.fetch(sessions, tmp_path, "ended", timeout=1)
    kept = audit.Kept(0, 7, Depth.PARTS, EVERYBODY, EVERYBODY, set_up, at_rest, ended)
    (file,) = ended.files
    file.write_bytes(file.read_bytes()[:-5])
    found = audit.judged(kept, of, "fake", [fake.receipt])
    assert found.outcome is Outcome.FAIL
    assert "is no trace, or was cut short" in found.message


class CutShort(FakeSession):
    """Its second iteration has a log, and then it ends."""

    end: type[BaseException] = Crashed

    def spool(self, *rest: Any, **more: Any) -> int:
        rows = super().spool(*rest, **more)
        if len(self.salts) == 2:
            raise self.end("it fell")
        return rows


def _waiting(run: Run) -> list[Path]:
    return list((run.folder / audit.FOLDER).glob("*.trace"))


def test_an_invocation_that_dies_while_it_hands_over_its_logs_leaves_none(
    run: Run, start_fake: StartFake, pingpong: Scenario
) -> None:
    outcome, _ = run(pingpong, start_fake(pingpong, kind=CutShort), iterations=3)
    assert outcome is Outcome.CRASH
    assert _waiting(run) == []


def test_the_logs_of_an_interrupted_invocation_go_when_the_folder_is_used_again(
    run: Run, start_fake: StartFake, pingpong: Scenario
) -> None:
    class Interrupted(CutShort):
        end = KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(pingpong, start_fake(pingpong, kind=Interrupted), iterations=3)
    # These are logs from before and behind two runs, and from the third; looks have their own.
    assert len(_waiting(run)) >= 5
    # Nothing is invoked: what cannot be judged goes all the same.
    run(pingpong, start_fake(pingpong), certified=False)
    assert _waiting(run) == []


def test_a_run_that_is_kept_is_not_overwritten_by_that_of_another_invocation(
    run: Run, start_fake: StartFake
) -> None:
    of = scenario("pingpong", overrides=SMALL["pingpong"])
    # Both number their invocations from 1, as one that is resumed does.
    commands = [
        each.command
        for _ in range(2)
        for each in run(of, start_fake(of, kind=WrongAtTheEnd), iterations=1)[1].audits
        if each.command
    ]
    assert len(commands) == len(set(commands)) == 4
    assert all(Path(command.removeprefix("dramaturg replay ")).exists() for command in commands)
