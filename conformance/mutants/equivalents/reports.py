"""Equivalents: other ways to watch, to hand a log over, to mark, to speak, to start and to end."""

import asyncio
import sys
import threading
import time
from array import array
from collections.abc import AsyncIterator, Callable, Iterable
from itertools import zip_longest
from typing import Any

from dramaturg.model import names
from dramaturg.v2 import control_pb2, trace_pb2

from changes import answers, hands_over, marks
from reference import __main__ as reference
from reference.actors import System
from reference.control import world
from reference.control.log import ALL, Entry, Log
from reference.control.port import Control
from reference.control.world import World

Row = tuple[int, int, int, tuple[int, ...]]

# --- who is watched (TRACE-1 says who, and not how that is found out) ---


def watched_by_a_walk_over_all_rows() -> None:
    """Rows are not sorted by class: all are looked at, one after the other (TRACE-1)."""
    made = Log.__init__

    def init(self: Any, watches: Any) -> None:
        made(self, watches)
        self.rows = list(watches)

    def entry_of(self: Any, actor: int) -> Entry | None:
        for row in self.rows:
            fits = row.first <= names.index_of(actor) <= row.last
            fits &= names.index_of(actor) % row.modulus == row.remainder
            if fits and getattr(row, "class") in (0, names.class_of(actor)):
                self._entries.append(Entry(actor, getattr(row, "from"), row.events, self.room))
                return self._entries[-1]
        return None

    Log.__init__, Log.entry_of = init, entry_of  # type: ignore[method-assign]


def watched_from_the_first_message_on() -> None:
    """The log decides if an actor is watched when it takes its first message, or when the log is
    handed over, if that is before: nobody can tell that from its birth (TRACE-1, TRACE-3)."""
    right, hand_over = Log.entry_of, Log.hand_over

    class Undecided:
        def __init__(self, log: Any, actor: int) -> None:
            self.decide: Any = lambda: right(log, actor)
            self.entry: Entry | None = None

        def decided(self) -> Entry | None:
            if self.decide is not None:
                self.entry, self.decide = self.decide(), None
            return self.entry

        def take(self, *event: Any) -> None:
            entry = self.decided()
            if entry is not None:
                entry.take(*event)

    def entry_of(self: Any, actor: int) -> Any:
        undecided = Undecided(self, actor)
        self.__dict__.setdefault("undecided", []).append(undecided)
        return undecided

    def handed_over(self: Any) -> Any:
        for undecided in self.__dict__.pop("undecided", []):
            undecided.decided()
        return hand_over(self)

    Log.entry_of, Log.hand_over = entry_of, handed_over  # type: ignore[method-assign]


def counted_in_the_mailbox() -> None:
    """The mailbox counts what is taken from it, and logs it: the actor knows nothing of it
    (TRACE-1)."""

    class Mailbox(asyncio.Queue[Any]):
        entry: Entry | None = None

        async def get(self) -> Any:
            message = await super().get()
            if self.entry is not None:
                self.entry.take(*message)
            return message

    live = System._live

    async def lived(self: Any, actor: Any, entry: Entry | None) -> None:
        waiting = self._mailboxes[actor.name]
        mailbox = self._mailboxes[actor.name] = Mailbox()
        while not waiting.empty():
            mailbox.put_nowait(waiting.get_nowait())
        mailbox.entry = entry
        await live(self, actor, None)

    System._live = lived  # type: ignore[method-assign]


def unwatched_have_an_entry() -> None:
    """Everybody has a place in the log; those of the unwatched log nothing and are not handed
    over (TRACE-1)."""
    right = Log.entry_of
    Log.entry_of = lambda self, actor: right(self, actor) or Entry(actor, ALL, 1, self.room)  # type: ignore[method-assign]


def logged_in_columns() -> None:
    """A log is four arrays of numbers, of which events are made when they are handed over
    (TRACE-2)."""
    made, hand_over, limit = Entry.__init__, Log.hand_over, Log.limit
    writing = threading.Lock()

    class Columns(Entry):
        __slots__ = ("ends", "numbers")

        def __init__(self, *args: Any) -> None:
            made(self, *args)
            self.numbers, self.ends = array("Q"), array("L")

        def take(self, sender: int, kind: int, args: tuple[int, ...]) -> None:
            if self.begin <= self.taken < self.end:
                self.room.take()
                with writing:
                    self.numbers.extend((sender, kind, *args))
                    self.ends.append(len(self.numbers))
            self.taken += 1

        def unpack(self) -> None:
            with writing:
                numbers, self.numbers = self.numbers, array("Q")
                ends, self.ends = self.ends, array("L")
            begin = 0
            for end in ends:
                sender, kind, *args = numbers[begin:end]
                self.events.append((sender, kind, tuple(args)))
                begin = end

    def unpacked(right: Any) -> Any:
        def first(self: Log, *args: int) -> Any:
            for entry in self._entries:
                entry.unpack()  # type: ignore[attr-defined]
            return right(self, *args)

        return first

    sys.modules[Log.__module__].Entry = Columns  # type: ignore[attr-defined]
    Log.hand_over, Log.limit = unpacked(hand_over), unpacked(limit)  # type: ignore[method-assign]


# --- how it is handed over (between actors nothing is ordered) ---


def _handed_over(batches: Callable[[list[Row]], Iterable[list[Row]]]) -> None:
    """The rows of a log in such batches; counts and footer as they are."""

    def change(log: Log, responses: Any) -> Any:
        rows: list[Row] = []
        for entry in log._entries:
            rows += [(entry.name, *event) for event in entry.events]
        rest = [response for response in responses if not response.HasField("batch")]
        for part in batches(rows):
            batch = trace_pb2.TraceBatch()
            for actor, sender, kind, args in part:
                batch.actor.append(actor)
                batch.sender.append(sender)
                batch.kind.append(kind)
                batch.args.extend(args)
            yield control_pb2.TraceResponse(batch=batch)
        yield from rest

    hands_over(change)


def _by_actor(rows: list[Row]) -> dict[int, list[Row]]:
    logs: dict[int, list[Row]] = {}
    for row in rows:
        logs.setdefault(row[0], []).append(row)
    return logs


def trace_row_by_row() -> None:
    """Every event is a batch: "any number of batches" (TRACE-3, control.proto)."""
    _handed_over(lambda rows: ([row] for row in rows))


def trace_with_empty_batches() -> None:
    """Between two batches there is one with nothing in it (TRACE-3)."""

    def batches(rows: list[Row]) -> Iterable[list[Row]]:
        yield []
        for start in range(0, len(rows), 1000):
            yield rows[start : start + 1000]
            yield []

    _handed_over(batches)


def batches_of_a_hundred_thousand() -> None:
    """A batch has more rows than are recommended, and is below the limit in bytes (TRACE-3)."""
    most = 100_000
    _handed_over(lambda rows: (rows[at : at + most] for at in range(0, len(rows), most)))


def trace_actor_by_actor() -> None:
    """Each actor's log is a batch, the last actor's first (TRACE-2)."""
    _handed_over(lambda rows: [log for _, log in sorted(_by_actor(rows).items(), reverse=True)])


def trace_interleaved() -> None:
    """First every actor's first event, then every second one, and so on (TRACE-2)."""

    def batches(rows: list[Row]) -> Iterable[list[Row]]:
        rounds = zip_longest(*_by_actor(rows).values())
        interleaved = [row for each in rounds for row in each if row is not None]
        for start in range(0, len(interleaved), 5000):
            yield interleaved[start : start + 5000]

    _handed_over(batches)


def counts_one_by_one() -> None:
    """Each count is a message of its own, the last actor's first, and one has nothing in it
    (TRACE-3)."""

    def change(log: Log, responses: Any) -> Any:
        for response in responses:
            if not response.HasField("counts"):
                yield response
                continue
            counts = response.counts
            yield control_pb2.TraceResponse(counts=trace_pb2.TraceCounts())
            for actor, taken in reversed(list(zip(counts.actor, counts.taken, strict=True))):
                one = trace_pb2.TraceCounts(actor=[actor], taken=[taken])
                yield control_pb2.TraceResponse(counts=one)

    hands_over(change)


# --- marks (CTRL-6: a tenth of a second apart at least, and one in the end) ---


def marks_the_end_twice() -> None:
    """The last turn has a mark if it is time for one, and then the run has its last one
    (CTRL-6)."""

    async def change(run: World, right: AsyncIterator[int]) -> AsyncIterator[int]:
        last = time.monotonic()
        async for done in right:
            turns = getattr(run._workload.parameters, "turns", 0)
            if done == turns and time.monotonic() - last >= 0.1:
                yield done
            yield done
            last = time.monotonic()

    marks(change)


def marks_by_a_coarse_clock() -> None:
    """A clock that ticks every 16 ms decides when it is time for a mark (CTRL-6)."""
    world.MARK_INTERVAL = 116_000_000


# --- what it says (CTRL-1) ---


def describes_itself_at_length() -> None:
    """More schedulers than cores, and details that nobody asked for, with names in any script
    (CTRL-1, control.proto)."""

    def change(said: Any) -> None:
        said.schedulers = 1024
        said.details.update({"": "nothing", "größe": "ü" * 1000, 'a "b"\n': "\t", "名前": "{}"})

    answers(Control, "Describe", change)


def set_up_takes_no_time() -> None:
    """Set-up is over in less than the clock's tick, and 0 ns long (MEAS-1)."""
    answers(Control, "Prepare", lambda answer: setattr(answer, "setup_nanos", 0))


def runtime_is_built_when_it_is_needed() -> None:
    """The first Prepare builds what outlives all worlds, and says how long that took
    (control.proto)."""
    first = [True]

    async def prepare(self: Any, request: Any, context: Any) -> control_pb2.PrepareResponse:
        nanos = 0
        if first.pop() if first else False:
            await asyncio.sleep(0.05)
            nanos = 50_000_000
        answer = await right(self, request, context)
        answer.runtime_nanos = nanos
        return answer

    right = Control.Prepare
    Control.Prepare = prepare  # type: ignore[method-assign]


# --- the process ---


def slow_start_in_time() -> None:
    """It serves after two seconds, which its manifest allows for (CTRL-1)."""
    time.sleep(2)


def ends_in_time() -> None:
    """It ends a second after its input: it has much to put away (CTRL-11)."""
    right = reference.os._exit

    def exit_later(status: int) -> None:
        time.sleep(1)
        right(status)

    reference.os._exit = exit_later  # type: ignore[assignment]


def talks_on_standard_error() -> None:
    """Everything that is logged is told on standard error, which is for people (STDIO-2)."""
    right = Entry.take

    def take(self: Entry, *event: Any) -> None:
        print("received", self.name, *event, "ü\x00\x1b[31m", file=sys.stderr)
        right(self, *event)

    Entry.take = take  # type: ignore[method-assign]


def threads_of_its_own() -> None:
    """The runtime has threads that run no actors (IMPL-1 speaks of actors)."""

    def busy() -> None:
        while True:
            time.sleep(0.01)

    for _ in range(8):
        threading.Thread(target=busy, daemon=True).start()
