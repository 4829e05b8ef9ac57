"""A log on disk is the log that came: whatever its pieces are, and nothing damaged is read."""

import errno
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from columns_kit import stored
from mutation_kit import RUNS, run_of
from numpy.typing import NDArray

from dramaturg.model import names
from dramaturg.trace.columns import column_logs, store
from dramaturg.trace.columns.column_logs import ColumnLogs
from dramaturg.trace.columns.numbering import Numbering
from dramaturg.trace.columns.store import Damaged, Store, opened
from dramaturg.v2 import trace_pb2 as kind


@pytest.fixture(params=[(1 << 20, 1 << 21), (7, 5), (3, 50)], ids=["large", "small", "mixed"])
def _pieces(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    piece, shard = request.param
    monkeypatch.setattr(store, "PIECE", piece)
    monkeypatch.setattr(column_logs, "PIECE", piece)
    monkeypatch.setattr(store, "SHARD", shard)


@pytest.mark.usefixtures("_pieces")
@pytest.mark.parametrize("name", RUNS)
def test_columns_have_the_logs_that_came(name: str) -> None:
    logs = {actor: log for actor, log in run_of(name)[1].items() if log}
    found = ColumnLogs(stored(logs))
    assert {actor: list(log) for actor, log in found.items()} == logs
    assert found.lengths() == {actor: len(log) for actor, log in logs.items()}
    assert found.events == sum(map(len, logs.values()))
    for actor, log in logs.items():
        assert found[actor][-1] == log[-1]
        assert list(found[actor][1:3]) == log[1:3]
        assert list(found[actor][2:]) == log[2:]


def test_rows_that_come_after_a_look_are_there_at_the_next() -> None:
    kept, actor = Store(), names.name(names.PONG)
    for number in range(3):
        kept.add(
            np.array([actor], np.uint64), np.array([names.name(names.PING)], np.uint64),
            np.array([kind.MESSAGE_KIND_PONG_PING], np.uint32),
            np.array([number, 7], np.uint64),
        )  # fmt: skip
        assert [args for _, (_, args) in ColumnLogs(kept)[actor]] == [
            (earlier, 7) for earlier in range(number + 1)
        ]


def test_who_took_nothing_has_no_log() -> None:
    found = ColumnLogs(stored(run_of("pingpong")[1]))
    for actor in (names.name(names.CONTROL), names.name(names.CLIENT, 5), -1, 1 << 64):
        assert actor not in found


def test_names_keep_their_numbers_when_there_are_many() -> None:
    numbering = Numbering()
    some = np.array([names.name(names.LINK, index) for index in range(5000)], np.uint64)
    first = numbering.number(some[:1000])
    assert (numbering.number(some) == np.arange(5000)).all()
    assert (numbering.find_all(some[:1000]) == first).all()
    assert numbering.find(names.name(names.LINK, 5000)) == -1


def test_nobody_can_choose_names_that_meet_in_one_place() -> None:
    """Nor do names meet that differ in their class alone."""
    some = np.array([number << 56 | 7 for number in range(1, 201)], np.uint64)
    tables = [Numbering(), Numbering()]
    for numbering in tables:
        numbering.number(some)
        (full,) = np.nonzero(numbering._values >= 0)
        together = np.split(full, np.flatnonzero(np.diff(full) > 1) + 1)
        assert max(map(len, together)) < 40
    assert (tables[0]._values != tables[1]._values).any()


@pytest.mark.usefixtures("_pieces")
def test_a_log_that_was_sorted_stays_as_it_is() -> None:
    logs = {actor: log for actor, log in run_of("web")[1].items() if log}
    kept = stored(logs)
    before = kept.sort()
    columns = before.sender.tolist(), before.kind.tolist(), before.args.tolist()
    rows = np.array([[names.name(names.BROWSER, 9)], [names.name(names.WORKER, 9)]], np.uint64)
    answer = np.array([kind.MESSAGE_KIND_BROWSER_ANSWER], np.uint32)
    kept.add(*rows, kinds=answer, args=np.array([1, 2], np.uint64))
    assert len(kept.sort().names) > len(before.names) == len(before.base) - 1
    assert (before.sender.tolist(), before.kind.tolist(), before.args.tolist()) == columns


def _full(file: int, data: memoryview) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.usefixtures("_pieces")
def test_sorting_leaves_nothing_on_a_disk_that_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = stored(run_of("web")[1])
    monkeypatch.setattr(os, "write", _full)
    with pytest.raises(OSError, match="No space left"):
        kept.sort()
    assert not list(kept.folder.glob("sorted.*"))


def test_a_column_that_was_cut_short_is_not_read(tmp_path: Path) -> None:
    kept = stored(run_of("web")[1])
    folder = kept.sort().folder
    os.truncate(folder / "sorted.kind", 4)
    with pytest.raises(Damaged, match=r"has 4 bytes, expected .* cut short or damaged"):
        opened(folder)


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("sorted.sender", b"\xff\xff\xff\x7f", "a sender has no name"),
        ("sorted.sender", b"\xff\xff\xff\xff", "a sender has no name"),
        ("sorted.kind", b"\xff\xff", "there is a kind 65535"),
        ("sorted.kind", b"\x00\x00", "arguments, its kinds take"),
    ],
)
def test_a_column_that_was_damaged_is_not_read(column: str, value: bytes, said: str) -> None:
    kept = stored(run_of("web")[1])
    folder = kept.sort().folder
    with (folder / column).open("r+b") as file:
        file.write(value)
    with pytest.raises(Damaged, match=said):
        opened(folder)


@pytest.mark.parametrize("which", ["names", "base", "arguments"])
def test_what_says_where_rows_are_is_not_believed(which: str) -> None:
    kept = stored(run_of("web")[1])
    folder = kept.sort().folder
    file = folder / f"{which}.npy"
    column = np.load(file)
    for wrong in (column[:-1], column[::-1].copy()):
        np.save(file, wrong)
        if which == "names" and len(wrong) == len(column):
            continue  # Other names are another log.
        with pytest.raises(Damaged):
            opened(folder)
    file.write_bytes(file.read_bytes()[:40])
    with pytest.raises(Damaged, match="cut short"):
        opened(folder)


def test_a_disk_that_is_full_loses_nothing_that_was_there(monkeypatch: pytest.MonkeyPatch) -> None:
    logs = {actor: log for actor, log in run_of("web")[1].items() if log}
    kept, writes = stored(logs), 0
    real = os.write

    def full(file: int, data: memoryview) -> int:
        nonlocal writes
        writes += 1
        if writes == 3:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(file, data)

    monkeypatch.setattr(os, "write", full)
    rows = {"actors": [names.name(names.BROWSER)], "senders": [names.name(names.WORKER)]}
    columns = {name: np.array(each, np.uint64) for name, each in rows.items()}
    answer = np.array([kind.MESSAGE_KIND_BROWSER_ANSWER], np.uint32)
    with pytest.raises(OSError, match="No space left"):
        kept.add(**columns, kinds=answer, args=np.array([1, 2], np.uint64))
    monkeypatch.undo()
    assert {actor: list(log) for actor, log in ColumnLogs(kept).items()} == logs


@pytest.mark.usefixtures("_pieces")
def test_sorting_takes_as_much_of_the_disk_again(monkeypatch: pytest.MonkeyPatch) -> None:
    kept, taken = stored(run_of("web")[1]), []
    come = sum(file.stat().st_size for file in kept.folder.iterdir())
    put = store.Scratch.put

    def looked(self: store.Scratch, name: str, at: int, column: NDArray[Any]) -> None:
        put(self, name, at, column)
        taken.append(sum(file.stat().st_size for file in kept.folder.iterdir()))

    monkeypatch.setattr(store.Scratch, "put", looked)
    kept.sort()
    assert come < max(taken) <= 2 * come


def test_nothing_is_left_on_disk() -> None:
    kept = stored(run_of("web")[1])
    folder = kept.sort().folder
    assert not (folder / "sorted.actor").exists()
    del kept
    assert not folder.exists()
