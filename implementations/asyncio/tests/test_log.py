"""Watches and logs (TRACE-1 to TRACE-3)."""

from typing import Any

from asyncio_actors.benchmarks import table
from asyncio_actors.benchmarks.messages import KIND_OF
from asyncio_actors.benchmarks.names import name
from asyncio_actors.benchmarks.pingpong import Pong
from asyncio_actors.control import log as logs
from asyncio_actors.control.log import ALL, Log, Watch

PING = name(table.PING)


def watch(number: int, **changes: int) -> Watch:
    row: Any = {
        "class": number,
        "modulus": 1,
        "remainder": 0,
        "first": 0,
        "last": ALL,
        "from": 0,
        "events": ALL,
    }
    row |= {key.rstrip("_"): value for key, value in changes.items()}
    watch: Watch = row
    return watch


def take(log: Log, actor: int, messages: int) -> None:
    """An actor is born, and takes so many `ping`s, numbered from 0."""
    found = log.born(actor)
    assert found is not None
    for number in range(messages):
        found.take(PING, KIND_OF[Pong.ping], None, (number, number + 1))


def test_who_fits_no_watch_has_no_log() -> None:
    log = Log([watch(table.CLIENT, modulus=3, remainder=1, first=2, last=7)])
    watched = [index for index in range(12) if log.born(name(table.CLIENT, index))]
    assert watched == [4, 7]
    assert log.born(name(table.DIRECTORY)) is None


def test_nobody_is_watched_without_watches() -> None:
    assert Log([]).born(PING) is None


def test_the_row_for_every_class_fits_everybody() -> None:
    log = Log([watch(0)])
    assert all(log.born(name(number)) for number in table.CLASS_LABELS)


def test_the_first_row_that_fits_is_the_only_one() -> None:
    log = Log([watch(table.PONG, from_=1, events=1), watch(table.PONG)])
    take(log, name(table.PONG), 5)
    batch, counts, footer = log.hand_over()
    assert batch["batch"]["args"] == [1, 2]
    assert counts["counts"] == {"actor": [name(table.PONG)], "taken": [5]}
    assert footer["footer"] == {"events": 1, "watched": 1}


def test_the_largest_from_and_events_log_nothing_and_everything() -> None:
    log = Log([watch(table.PONG, from_=ALL)])
    take(log, name(table.PONG), 3)
    assert [*next(iter(log.hand_over()))] == ["counts"]
    log = Log([watch(table.PONG, events=ALL)])
    take(log, name(table.PONG), 3)
    assert next(iter(log.hand_over()))["batch"]["args"] == [0, 1, 1, 2, 2, 3]


def test_what_was_delivered_comes_once_and_counts_come_each_time() -> None:
    log = Log([watch(0)])
    take(log, name(table.PONG), 2)
    list(log.hand_over())
    counts, footer = log.hand_over()
    assert counts["counts"]["taken"] == [2]
    assert footer["footer"] == {"events": 0, "watched": 1}


def test_batches_and_counts_have_no_more_rows_than_they_may() -> None:
    rows = logs.ROWS + 1
    log = Log([watch(0)])
    for place in range(rows):
        take(log, name(table.PONG, place), 1)
    items = list(log.hand_over())
    assert [len(item["batch"]["kind"]) for item in items[:2]] == [logs.ROWS, 1]
    assert [len(item["batch"]["args"]) for item in items[:2]] == [2 * logs.ROWS, 2]
    assert [len(item["counts"]["taken"]) for item in items[2:4]] == [logs.ROWS, 1]
    assert items[4:] == [{"footer": {"events": rows, "watched": rows}}]
