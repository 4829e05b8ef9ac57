"""Logs that are kept as columns are the same logs, for whoever asks."""

import random

import pytest
from columns_kit import mixed_up
from mutation_kit import RUNS, run_of

from dramaturg.trace import traffic
from dramaturg.trace.codec import LogBuilder, encode
from dramaturg.trace.columns import array_logs
from dramaturg.trace.columns.array_logs import ArrayLogs, JoinedLogs, in_lists
from dramaturg.trace.events import Logs, TraceError, lengths
from dramaturg.trace.rest import AtRest, SetUp
from dramaturg.trace.watches import Watches, watch
from dramaturg.v2 import trace_pb2


def batches_of(logs: Logs, mixed: bool) -> list[trace_pb2.TraceBatch]:
    """One actor behind the other, or all of them in turns, some rows at a time."""
    if not mixed:
        return [*encode(logs, rows=7)]
    rows = [*mixed_up(logs)]
    found = []
    for begin in range(0, len(rows), 7):
        batch = trace_pb2.TraceBatch()
        for actor, (sender, (kind, args)) in rows[begin : begin + 7]:
            batch.actor.append(actor)
            batch.sender.append(sender)
            batch.kind.append(kind)
            batch.args.extend(args)
        found.append(batch)
    return found


def both(batches: list[trace_pb2.TraceBatch]) -> tuple[Logs, ArrayLogs]:
    lists, columns = LogBuilder(), LogBuilder(in_columns=True)
    for batch in batches:
        lists.add(batch)
        columns.add(batch)
    return lists.in_memory, columns.in_columns


@pytest.mark.parametrize("piece", [5, 1 << 16])
@pytest.mark.parametrize("mixed", [False, True], ids=["in order", "mixed"])
@pytest.mark.parametrize("name", RUNS)
def test_they_are_what_lists_are(
    name: str, mixed: bool, piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(array_logs, "_PIECE", piece)
    lists, columns = both(batches_of(run_of(name)[1], mixed))
    assert lengths(columns) == lengths(lists)
    assert [*columns] == [*lists], "in the order in which they came"
    some = next(iter(lists))
    assert columns[some] == lists[some]
    assert columns == lists
    assert in_lists(columns) == lists
    assert columns.events == sum(map(len, lists.values()))
    parameters = RUNS[name].parameters
    for nodes in (2, 3):
        here = traffic.counted(lists, nodes, parameters)
        assert traffic.counted(columns, nodes, parameters) == here
    assert columns.get(1) is None


def test_of_kinds_that_are_looked_for_each_actor_s_come_in_its_order() -> None:
    logs = run_of("chatapp")[1]
    batches = batches_of(logs, mixed=True)
    half = len(batches) // 2
    builder = LogBuilder(in_columns=True)
    for batch in batches[:half]:
        builder.add(batch)
    arrived, before = builder.in_columns.arrived, lengths(builder.logs)
    assert builder.in_columns.arrived_with(sum(before.values())) == arrived
    for batch in batches[half:]:
        builder.add(batch)
    later = {actor: log[before.get(actor, 0) :] for actor, log in builder.logs.items()}
    kinds = {kind for log in later.values() for _, (kind, _) in log}
    assert builder.in_columns.kinds(arrived) == kinds
    for wanted in (kinds, {min(kinds)}, {max(kinds)}, set[int]()):
        expected = [
            (actor, event)
            for actor, log in sorted(later.items())
            for event in log
            if event[1][0] in wanted
        ]
        assert [*builder.in_columns.of_kinds(wanted, arrived)] == expected


@pytest.mark.parametrize("name", RUNS)
def test_what_was_taken_at_another_time_is_the_same_event(name: str) -> None:
    """A look at logs that were cut anywhere: what is wrong with that is said in the same words."""
    draw, logs = random.Random(5), run_of(name)[1]
    for _ in range(20):
        batches = batches_of(logs, mixed=True)
        first, then = sorted(draw.sample(range(len(batches) + 1), 2))
        said = []
        for in_columns in (False, True):
            builder = LogBuilder(in_columns=in_columns)
            for batch in batches[:first]:
                builder.add(batch)
            there = SetUp(builder.logs, {})
            for batch in batches[first:then]:
                builder.add(batch)
            rest = AtRest(builder.logs, {})
            for batch in batches[then:]:
                builder.add(batch)
            said.append((there.broken(builder.logs), rest.broken(builder.logs, {})))
        assert said[0] == said[1]


def test_what_nodes_log_comes_behind_what_was_there() -> None:
    """Each node's in the order of its log, as long as there are no others."""
    logs = run_of("chatapp")[1]
    actors = sorted(logs)
    mine = [{actor: logs[actor] for actor in actors[node::3]} for node in range(3)]
    batches = [batches_of(of_node, mixed=True) for of_node in mine]
    nodes, joined = [LogBuilder(in_columns=True) for _ in mine], JoinedLogs()
    for part in range(4):
        before = joined.of([node.in_columns for node in nodes])
        there, arrived = in_lists(before).copy(), before.arrived
        for number, node in enumerate(nodes):
            of_node = batches[number]
            for batch in of_node[len(of_node) * part // 4 : len(of_node) * (part + 1) // 4]:
                node.add(batch)
        now = joined.of([node.in_columns for node in nodes])
        new: Logs = {}
        for actor, event in now.of_kinds(now.kinds(arrived), arrived):
            new.setdefault(actor, []).append(event)
        behind = {a: log[len(there.get(a, ())) :] for a, log in now.items()}
        assert new == {actor: log for actor, log in behind.items() if log}
    assert joined.of([node.in_columns for node in nodes]) == logs
    of_two = joined.of([node.in_columns for node in nodes[:2]])
    assert of_two == mine[0] | mine[1], "another world"


def test_what_comes_behind_holds_on_to_nothing_before_it() -> None:
    node, joined = LogBuilder(in_columns=True), JoinedLogs()
    for batch in batches_of(run_of("chatapp")[1], mixed=True):
        node.add(batch)
        joined.of([node.in_columns])
    theirs = node.in_columns.columns()
    mine = [columns for columns in joined.of([node.in_columns])._batches[1:] for columns in columns]
    assert all(column.base is None for column in mine)
    assert joined.of([node.in_columns]).events == len(theirs[0])


@pytest.mark.parametrize(
    ("watches", "wrong"),
    [([watch(2, first=0, last=0)], "nobody watches it"), ([watch(events=1)], "goes beyond")],
)
def test_who_is_not_watched_is_refused_in_the_same_words(watches: Watches, wrong: str) -> None:
    said = []
    for in_columns in (False, True):
        builder = LogBuilder(watches, in_columns=in_columns)
        with pytest.raises(TraceError, match=wrong) as raised:
            for batch in batches_of(run_of("chatapp")[1], mixed=True):
                builder.add(batch)
        said.append(str(raised.value))
    assert said[0] == said[1]
