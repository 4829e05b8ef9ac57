"""A trace is held against the request, row by row and in the end."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_watches import ROWS

from dramaturg.model import names
from dramaturg.model.chatapp import Parameters
from dramaturg.model.simulation import AtRandom, Simulation
from dramaturg.model.workload import ChatAppWorkload
from dramaturg.trace.codec import LogBuilder, encode
from dramaturg.trace.events import Event, Logs, TraceError
from dramaturg.trace.watches import ALL, EVERYBODY, NOBODY, Watched, Watches, watch
from dramaturg.v2 import control_pb2, trace_pb2
from dramaturg.v2 import trace_pb2 as kind

FIRST, SECOND = names.name(names.CHAT, 1), names.name(names.CHAT, 2)
LEAVE: Event = (names.name(names.CLIENT, 1), (kind.MESSAGE_KIND_CHAT_LEAVE, (0,)))
POST: Event = (names.name(names.CLIENT, 1), (kind.MESSAGE_KIND_CHAT_POST, (0, 7)))


def built(watches: Watches, logs: Logs, counts: dict[int, int]) -> LogBuilder:
    builder = LogBuilder(watches)
    for batch in encode(logs):
        builder.add(batch)
    builder.count(trace_pb2.TraceCounts(actor=list(counts), taken=list(counts.values())))
    return builder


class Implementation:
    """The logs of an implementation: it decides at a birth, and counts what is taken."""

    def __init__(self, watches: Watches) -> None:
        self._watched = Watched(watches)
        self.logs: Logs = {}
        self.taken: dict[int, int] = {}
        self._slices: dict[int, tuple[int, int]] = {}

    def birth(self, actor: int) -> None:
        wanted = self._watched.slice_of(actor)
        if wanted is not None:
            self._slices[actor] = wanted.begin, wanted.events
            self.taken[actor] = 0

    def take(self, actor: int, event: Event) -> None:
        if actor not in self._slices:
            return
        begin, events = self._slices[actor]
        number = self.taken[actor]
        if begin <= number and (events == ALL or number < begin + events):
            self.logs.setdefault(actor, []).append(event)
        self.taken[actor] += 1


@settings(deadline=None, max_examples=80)
@given(st.lists(ROWS, max_size=6), st.integers(0, 50), st.lists(st.integers(0, 300), max_size=4))
def test_slicing_the_whole_log_is_what_a_right_implementation_logs(
    rows: list[control_pb2.Watch], seed: int, fetches: list[int]
) -> None:
    """Also where the trace is fetched in several pieces."""
    parameters = Parameters(
        clients=6, directories=2, turns=2, compute=10, post=45, leave=20, invite=25, befriend=60,
        fib_n=3,
    )  # fmt: skip
    workload = ChatAppWorkload(parameters).prepare().run(5).disconnect()
    simulation = Simulation(workload, AtRandom(random.Random(seed).randrange)).perform()
    keeping, builder = Implementation(rows), LogBuilder(rows)
    for actor in simulation.actors:
        keeping.birth(actor)
    events = [(actor, event) for actor, log in simulation.logs.items() for event in log]
    for number, (actor, event) in enumerate(events):
        keeping.take(actor, event)
        if number in fetches:
            _fetch(keeping, builder)
    _fetch(keeping, builder)
    builder.complete()
    watched = Watched(rows)
    slices = {actor: watched.slice_of(actor) for actor in simulation.actors}
    expected = {a: s.of(simulation.logs.get(a, [])) for a, s in slices.items() if s is not None}
    assert builder.logs == {actor: log for actor, log in expected.items() if log}
    assert builder.taken == {actor: len(simulation.logs.get(actor, [])) for actor in expected}
    assert builder.events == sum(map(len, expected.values()))


def _fetch(keeping: Implementation, builder: LogBuilder) -> None:
    logged, keeping.logs = keeping.logs, {}
    for batch in encode(logged, rows=7):
        builder.add(batch)
    builder.begin_counts()
    counts = trace_pb2.TraceCounts(actor=list(keeping.taken), taken=list(keeping.taken.values()))
    builder.count(counts)


def test_logs_go_on_from_batch_to_batch() -> None:
    builder = LogBuilder()
    for _ in range(3):
        for batch in encode({FIRST: [LEAVE, POST]}):
            builder.add(batch)
    assert builder.logs == {FIRST: [LEAVE, POST] * 3}
    assert builder.events == 6


@pytest.mark.parametrize("together", [1, 2, 5])
def test_rows_come_into_their_actors_logs_however_actors_take_turns(together: int) -> None:
    sender, posted, batch = names.name(names.CLIENT, 1), range(20), trace_pb2.TraceBatch()
    for number in posted:
        batch.actor.append((FIRST, SECOND)[number // together % 2])
        batch.sender.append(sender)
        batch.kind.append(kind.MESSAGE_KIND_CHAT_POST)
        batch.args.extend((number, 7))
    builder = LogBuilder()
    builder.add(batch)
    for which, actor in enumerate((FIRST, SECOND)):
        mine = [number for number in posted if number // together % 2 == which]
        events = [(sender, (kind.MESSAGE_KIND_CHAT_POST, (number, 7))) for number in mine]
        assert builder.logs[actor] == events


def test_one_event_beyond_what_was_asked_for_is_refused() -> None:
    rows = [watch(names.CHAT, begin=5, events=2)]
    assert built(rows, {FIRST: [POST, LEAVE]}, {FIRST: 7}).complete() is None
    said = r"chat/1\.0: its log goes beyond the 2 events that were asked for \(TRACE-16\)"
    with pytest.raises(TraceError, match=said):
        built(rows, {FIRST: [POST, POST, LEAVE]}, {FIRST: 8})


def test_beyond_is_beyond_also_in_another_batch_and_after_another_fetch() -> None:
    builder = built([watch(names.CHAT, events=1)], {FIRST: [POST]}, {FIRST: 1})
    builder.begin_counts()
    with pytest.raises(TraceError, match="goes beyond the 1 events"):
        builder.add(next(encode({FIRST: [POST]})))


@pytest.mark.parametrize(
    "rows", [NOBODY, [watch(names.CLIENT)], [watch(names.CHAT, modulus=2, remainder=0)]]
)
def test_a_log_of_somebody_whom_nobody_watches_is_refused(rows: Watches) -> None:
    with pytest.raises(TraceError, match=r"chat/1\.0 has a log, and nobody watches it"):
        LogBuilder(rows).add(next(encode({FIRST: [POST]})))


def test_a_count_of_somebody_whom_nobody_watches_is_refused() -> None:
    with pytest.raises(TraceError, match=r"chat/1\.0 has a count, and nobody watches it"):
        built([watch(names.CLIENT)], {}, {FIRST: 3})


def test_an_actor_that_is_counted_twice_is_refused() -> None:
    builder = built(EVERYBODY, {}, {FIRST: 0})
    with pytest.raises(TraceError, match=r"chat/1\.0 is counted twice \(TRACE-17\)"):
        builder.count(trace_pb2.TraceCounts(actor=[SECOND, FIRST], taken=[0, 0]))


def test_another_stream_counts_everybody_again() -> None:
    builder = built(EVERYBODY, {FIRST: [POST]}, {FIRST: 1, SECOND: 0})
    builder.begin_counts()
    builder.add(next(encode({FIRST: [LEAVE]})))
    builder.count(trace_pb2.TraceCounts(actor=[FIRST, SECOND], taken=[2, 0]))
    builder.complete()
    assert builder.taken == {FIRST: 2, SECOND: 0}


def test_counts_may_come_in_several_messages() -> None:
    builder = built(EVERYBODY, {FIRST: [POST]}, {FIRST: 1})
    builder.count(trace_pb2.TraceCounts(actor=[SECOND], taken=[0]))
    builder.complete()
    assert builder.taken == {FIRST: 1, SECOND: 0}


def test_columns_of_counts_that_differ_in_length_are_refused() -> None:
    counts = trace_pb2.TraceCounts(actor=[FIRST, SECOND], taken=[1])
    with pytest.raises(TraceError, match="2 actors, 1 numbers taken"):
        LogBuilder().count(counts)


@pytest.mark.parametrize("taken", [1, 3])
def test_a_count_that_does_not_fit_the_log_is_refused(taken: int) -> None:
    builder = built(EVERYBODY, {FIRST: [POST, LEAVE]}, {FIRST: taken})
    said = rf"took {taken} messages, so its log must have {taken} events; it has 2 \(TRACE-2\)"
    with pytest.raises(TraceError, match=said):
        builder.complete()


def test_a_slice_that_begins_too_soon_does_not_fit_its_count() -> None:
    builder = built([watch(names.CHAT, begin=2)], {FIRST: [POST, LEAVE]}, {FIRST: 3})
    with pytest.raises(TraceError, match="must have 1 events; it has 2"):
        builder.complete()


def test_an_actor_with_a_count_and_no_log_must_have_taken_nothing_of_its_slice() -> None:
    rows = [watch(names.CHAT, begin=2, events=1)]
    built(rows, {}, {FIRST: 2, SECOND: 0}).complete()
    with pytest.raises(TraceError, match="must have 1 events; it has 0"):
        built(rows, {}, {FIRST: 3}).complete()


def test_a_log_without_a_count_is_refused() -> None:
    builder = built(EVERYBODY, {FIRST: [POST], SECOND: [POST]}, {FIRST: 1})
    with pytest.raises(TraceError, match=r"chat/2\.0 has a log and no count \(TRACE-17\)"):
        builder.complete()


def test_a_log_that_begins_late_says_where_it_would_have_begun() -> None:
    rows = [watch(names.CHAT, begin=5)]
    with pytest.raises(TraceError) as refused:
        built(rows, {FIRST: [LEAVE] * 4}, {FIRST: 10}).complete()
    assert str(refused.value) == (
        "chat/1.0 took 10 messages, so its log must have 5 events; it has 4 (TRACE-2), as if it"
        " began at 6, asked for 5 (TRACE-16)"
    )
    with pytest.raises(TraceError, match=r"it has 2 \(TRACE-2\)$"):
        built([watch(names.CHAT, begin=5, events=3)], {FIRST: [LEAVE] * 2}, {FIRST: 10}).complete()
