"""A log whose parts are played apart has the token game's verdict, however it is divided."""

import random
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from columns_kit import ENOUGH, RanAway, stored, within
from mutation_kit import RUNS, mutations, run_of

from dramaturg.compiled import loading
from dramaturg.model import names
from dramaturg.model.simulation import AtRandom, Simulation
from dramaturg.model.workload import Workload
from dramaturg.trace.columns import store
from dramaturg.trace.columns.store import Damaged, Sorted
from dramaturg.trace.events import Logs
from dramaturg.trace.replay.steps import actor_replay, divided, sums, three_steps
from dramaturg.trace.replay.steps.actor_replay import Refused, Undecided
from dramaturg.trace.replay.steps.divided import Played
from dramaturg.trace.replay.steps.three_steps import Decision, decide
from dramaturg.trace.replay.token_game import replay
from dramaturg.v2 import trace_pb2 as kind

SAMPLE = 15
"""Mutations of each benchmark."""

UNDIVIDED = ("chain", "mergesort")


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    """Loops are compiled at their first call, which is no part of a run's CPU time."""
    workload, logs = run_of("pingpong")
    assert decide(workload, stored(logs).sort()).conforms


Divide = Callable[[Sorted], np.ndarray]


def usual(log: Sorted) -> np.ndarray:
    return divided.parts_of(log, 3)


def at_random(log: Sorted) -> np.ndarray:
    """Whoever is made may be in another part than who makes it."""
    return np.random.default_rng(1).integers(0, 3, len(log.names)).astype(np.int32)


def in_parts(
    workload: Workload,
    logs: Logs,
    folder: Path,
    divide: Divide = usual,
    touched: Callable[[list[tuple[Played, Path]]], None] = lambda played: None,
) -> Decision:
    """The decision of parts that are played one after the other; ``touched`` gets what came of
    them before it is joined."""
    log = stored(logs, rows=1 << 16).sort()
    parts = divide(log)
    folders = [folder / f"part-{number}" for number in range(int(parts.max()) + 1)]
    rows = divided.divide(log, parts, folders)
    assert sum(rows) >= log.rows
    key, played = sums.drawn(), list[tuple[Played, Path]]()
    try:
        with within(ENOUGH):
            for part in folders:
                left = part / "played"
                left.mkdir()
                played.append((divided.play(workload, part, key, log.rows, left), left))
            touched(played)
            return divided.join(workload, log, key, played)
    except RanAway:
        return Decision(None, "ran away")
    except Refused as refusal:
        return Decision(False, str(refusal))
    except Undecided as reason:
        return Decision(None, str(reason))


@pytest.fixture(params=["whole", "in pieces, interpreted"])
def _pieces(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param != "whole":
        monkeypatch.setattr(loading, "package", lambda: "")
        for module in (store, divided):
            monkeypatch.setattr(module, "PIECE", 7)
        for module in (store, three_steps):
            monkeypatch.setattr(module, "SHARD", 9)
        monkeypatch.setattr(three_steps, "CELL", 5)
        monkeypatch.setattr(actor_replay, "ROWS", 3)
        monkeypatch.setattr(actor_replay, "FLUSH", 8)


@pytest.mark.usefixtures("_pieces")
@pytest.mark.parametrize("name", RUNS)
def test_a_run_in_parts_conforms_and_control_hears_the_same(name: str, tmp_path: Path) -> None:
    workload = RUNS[name]
    logs = Simulation(workload, AtRandom(random.Random(3).randrange)).perform().logs
    found = in_parts(workload, logs, tmp_path)
    expected = decide(workload, stored(logs).sort())
    assert expected.conforms and found.conforms, found.why
    assert found.control == expected.control
    assert sorted(found.born.tolist()) == sorted(expected.born.tolist())
    assert found.alive == expected.alive
    assert (len(list(tmp_path.iterdir())) > 1) is (name not in UNDIVIDED)


@pytest.mark.usefixtures("_pieces")
@pytest.mark.parametrize("name", RUNS)
def test_a_sample_of_mutations_has_the_token_games_verdict_in_parts(name: str) -> None:
    workload, logs = run_of(name)
    changed = list(mutations(logs))
    for how, other in random.Random(name).sample(changed, min(SAMPLE, len(changed))):
        expected = replay(workload, other).conforms
        for divide in (usual, at_random):
            with tempfile.TemporaryDirectory() as folder:
                found = in_parts(workload, other, Path(folder), divide)
            if found.conforms is None:
                assert divide is at_random or not expected, f"{how}: {found.why}"
            else:
                assert found.conforms == expected, f"{how}: {found.why}"


def test_who_cannot_be_played_in_its_part_leaves_it_undecided(tmp_path: Path) -> None:
    workload, logs = run_of("chatapp")

    def chats_apart(log: Sorted) -> np.ndarray:
        return (log.names >> np.uint64(56) == names.CHAT).astype(np.int32)

    found = in_parts(workload, logs, tmp_path, chats_apart)
    assert found.conforms is None
    assert found.why.startswith("nobody of its part has made chat/")


def test_parts_have_about_as_many_events_each() -> None:
    _, logs = run_of("chatapp")
    log = stored(logs).sort()
    rows = np.bincount(divided.parts_of(log, 3), weights=np.diff(log.base))
    assert len(rows) == 3
    assert rows.max() < 2 * rows.min()
    assert divided.parts_of(log, 1).tolist() == [0] * len(log.names)


def test_who_takes_nothing_makes_no_part() -> None:
    """Two actors that take anything make two parts, however many are asked for."""
    _, logs = run_of("pingpong")
    assert int(divided.parts_of(stored(logs).sort(), 64).max()) == 1


def test_a_circle_of_messages_through_several_parts_is_refused(tmp_path: Path) -> None:
    """A turn was confirmed before it was begun: each pair is as it should be."""
    workload, logs = run_of("chatapp")
    poker = names.name(names.POKER)
    kinds = [number for _, (number, _) in logs[poker]]
    run, confirm = map(kinds.index, (kind.MESSAGE_KIND_POKER_RUN, kind.MESSAGE_KIND_POKER_CONFIRM))
    rest = [event for place, event in enumerate(logs[poker]) if place != confirm]
    changed = {**logs, poker: [*rest[:run], logs[poker][confirm], *rest[run:]]}
    found = in_parts(workload, changed, tmp_path)
    assert found.conforms is False
    assert "before it can have been sent" in found.why


def test_what_one_part_sent_and_another_did_not_take_is_refused(tmp_path: Path) -> None:
    workload, logs = run_of("bang")
    receiver = names.name(names.RECEIVER)
    sender, (number, args) = logs[receiver][-1]
    altered = [*logs[receiver][:-1], (sender, (number, (*args[:-1], args[-1] + 1)))]
    found = in_parts(workload, {**logs, receiver: altered}, tmp_path)
    assert found.conforms is False
    assert found.why == "some messages were not taken as they were sent"


def test_whom_two_parts_have_made_is_refused(tmp_path: Path) -> None:
    workload, logs = run_of("web")

    def touched(played: list[tuple[Played, Path]]) -> None:
        shutil.copy(played[0][1] / "made.npy", played[1][1] / "made.npy")

    found = in_parts(workload, logs, tmp_path, touched=touched)
    assert (found.conforms, found.why) == (False, "an actor is made twice")


@pytest.mark.parametrize("name", divided.played_files())
def test_what_came_of_a_part_and_was_cut_short_is_damaged(name: str, tmp_path: Path) -> None:
    workload, logs = run_of("web")

    def touched(played: list[tuple[Played, Path]]) -> None:
        file = played[0][1] / name
        file.write_bytes(file.read_bytes()[:-1])

    with pytest.raises(Damaged):
        in_parts(workload, logs, tmp_path, touched=touched)


def test_numbers_of_actors_that_are_none_are_damaged(tmp_path: Path) -> None:
    workload, logs = run_of("web")

    def touched(played: list[tuple[Played, Path]]) -> None:
        file = played[0][1] / "sent.to"
        file.write_bytes(np.full(played[0][0].messages, -1, np.int32).tobytes())

    with pytest.raises(Damaged, match="names an actor that is none"):
        in_parts(workload, logs, tmp_path, touched=touched)


@pytest.mark.parametrize("name", divided.part_files())
def test_a_part_that_was_cut_short_is_damaged(name: str, tmp_path: Path) -> None:
    workload, logs = run_of("web")
    log = stored(logs).sort()
    part = tmp_path / "part"
    divided.divide(log, np.zeros(len(log.names), np.int32), [part])
    (part / name).write_bytes((part / name).read_bytes()[:-1])
    with pytest.raises(Damaged):
        divided.play(workload, part, sums.drawn(), log.rows, tmp_path)


def test_a_part_that_sends_more_than_all_have_taken_is_refused(tmp_path: Path) -> None:
    workload, logs = run_of("bang")
    log = stored(logs).sort()
    part = tmp_path / "part"
    divided.divide(log, np.zeros(len(log.names), np.int32), [part])
    with pytest.raises(Refused, match="more was sent than was taken"):
        divided.play(workload, part, sums.drawn(), 3, tmp_path)
