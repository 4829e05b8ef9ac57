"""Columnar trace batches to receive logs and back (proto/dramaturg/v2/trace.proto)."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dramaturg.model import names
from dramaturg.model.messages import ARITY, KINDS
from dramaturg.trace.columns.array_logs import ArrayLogs, Columns, actors_of, append
from dramaturg.trace.events import AnyLogs, Logs, TraceError, lengths
from dramaturg.trace.watches import EVERYBODY, Slice, Watched, Watches
from dramaturg.v2 import control_pb2, trace_pb2

if TYPE_CHECKING:
    from dramaturg.trace.columns.laying_down import LayingDown

BATCH_ROWS = 65_536
"""Rows in a full batch: the protocol's recommended limit."""

SUSPECTS = 3
"""Kinds that are named where a batch has other numbers of arguments than it should."""

MOST_EVENTS = 10_000_000
"""The most events of one world in memory, and actors with a count, unless as many have a log on
disk: two gigabytes here."""

MOST_ACTORS = 1 << 25
"""The most actors with a count, whatever is on disk: chain has up to 2^24 links."""

IN_MEMORY = 1_000_000
"""Events of a world of which everybody is watched, beyond which they are laid down on disk."""


_ARITIES = np.full(max(ARITY) + 2, -1, np.int64)
"""Arguments by kind; -1 for what is no message, as the last is, which stands for all above it."""
_ARITIES[list(ARITY)] = list(ARITY.values())


class LogBuilder:
    """Collects batches into logs, checking what can be checked row by row."""

    def __init__(
        self,
        watches: Watches = EVERYBODY,
        laid_down: bool = False,
        in_memory: int | None = None,
        in_columns: bool = False,
        guard: Callable[[Path], None] | None = None,
    ) -> None:
        """``in_columns``: logs are no lists until somebody asks for these. ``laid_down``: nor are
        these, and those that are large may go to disk, where they have room: those of more events
        than ``in_memory``, which is IN_MEMORY if it is not given. ``guard`` is told their folder,
        which nobody removes if this process is killed."""
        self.logs: AnyLogs = ArrayLogs() if in_columns or laid_down else {}
        self.events = 0
        self.taken: dict[int, int] = {}
        """How many messages each watched actor took in all, by the last counts."""
        self.watched = Watched(watches)
        self._may_be_laid_down = laid_down and self.watched.everybody
        self._in_memory = IN_MEMORY if in_memory is None else in_memory
        self._laying: LayingDown | None = None
        self._guard = guard

    def add(self, batch: trace_pb2.TraceBatch) -> None:
        """Append a batch. Raises TraceError for columns that do not fit together, unknown
        kinds, a kind that the receiver's class does not take, an actor that is not watched,
        and more events of one than its watch asks for."""
        receivers, senders, numbers, args, arities = self._columns(batch)
        rows = len(receivers)
        if self._may_be_laid_down and self.events + rows > self._in_memory:
            self._lay_down().add(receivers, senders, numbers, args)
        else:
            self._append((receivers, senders, numbers, args, arities))
        self.events += rows

    def _columns(self, batch: trace_pb2.TraceBatch) -> Columns:
        """A batch's columns, which fit together. Raises TraceError."""
        # Protobuf hands a column over to NumPy at once, and to a list number by number.
        receivers, numbers = np.array(batch.actor, np.uint64), np.array(batch.kind, np.uint32)
        senders, args = np.array(batch.sender, np.uint64), np.array(batch.args, np.uint64)
        rows = len(receivers)
        if not self._may_be_laid_down and self.events + rows > MOST_EVENTS:
            raise TraceError(f"there are more than {MOST_EVENTS} events, which no case has")
        if not rows == len(senders) == len(numbers):
            raise TraceError(
                f"the batch's columns differ in length: {rows} actors, {len(senders)} senders,"
                f" {len(numbers)} kinds (TRACE-3)"
            )
        arities = self._arities(receivers, numbers)
        self._hold_to_arguments(receivers, numbers, np.cumsum(arities), len(args))
        return receivers, senders, numbers, args, arities

    @property
    def in_memory(self) -> Logs:
        """The logs of who does not lay any down."""
        assert isinstance(self.logs, dict)
        return self.logs

    @property
    def in_columns(self) -> ArrayLogs:
        """The logs of who keeps them so."""
        assert isinstance(self.logs, ArrayLogs)
        return self.logs

    def _append(self, columns: Columns) -> None:
        actors = actors_of(columns[0])
        for actor in actors:
            if actor not in self.logs:
                self._slice_of(actor)
        if isinstance(self.logs, ArrayLogs):
            self.logs.add(columns)
        else:
            append(self.in_memory, columns)
        if not self.watched.everybody:
            self._hold_to_slices(actors)

    def _lay_down(self) -> "LayingDown":
        """Return the store of logs that are too large for memory, with those that were there.
        Raises HarnessFault if there is no room."""
        if self._laying is None:
            # With Numba, which takes a while, and which few need.
            from dramaturg.trace.columns.laying_down import LayingDown

            self._laying = LayingDown()
            if self._guard is not None:
                self._guard(self._laying.folder)
            receivers, senders, numbers, args, _ = self.in_columns.columns()
            self._laying.add(receivers, senders, numbers, args)
            self.logs = self._laying.logs
        return self._laying

    def _arities(self, actors: NDArray[np.uint64], kinds: NDArray[np.uint32]) -> NDArray[np.int64]:
        """Return the number of arguments that each row takes. Raises TraceError for a row whose
        kind its receiver's class does not take."""
        arities = _ARITIES[np.minimum(kinds, len(_ARITIES) - 1)]
        unfit = (arities < 0) | (kinds >> np.uint32(4) != actors >> np.uint64(56))
        if unfit.any():
            row = int(unfit.argmax())
            said = _unfit(int(kinds[row]))
            raise TraceError(f"{self._spell(actors.tolist(), row)} has {said} (TRACE-2)")
        return arities

    def _hold_to_arguments(
        self,
        receivers: NDArray[np.uint64],
        numbers: NDArray[np.uint32],
        ends: NDArray[np.int64],
        there: int,
    ) -> None:
        """``ends`` is where the arguments of each row end. They are one column, so where one is
        missing all behind it are another row's: the last row is the one that runs short, and
        seldom the one to blame."""
        wanted = int(ends[-1]) if len(ends) else 0
        if wanted == there:
            return
        actors, kinds = receivers.tolist(), numbers.tolist()
        missing = abs(wanted - there)
        which = "fewer" if wanted > there else "more"
        raise TraceError(
            f"the batch has {missing} argument{'' if missing == 1 else 's'} {which} than its"
            f" {len(actors)} rows take, which are {wanted}:"
            f" {self._suspects(actors, kinds, missing)} (TRACE-2)"
        )

    def _suspects(self, actors: list[int], kinds: list[int], missing: int) -> str:
        """Kinds of which each row would be as wrong as any other, and the first row of each."""
        found = []
        for kind in dict.fromkeys(kinds):
            rows, takes = kinds.count(kind), KINDS[kind].arguments
            if missing % rows == 0 and missing // rows <= max(1, len(takes)):
                first = self._spell(actors, kinds.index(kind))
                each = f", and {rows - 1} more" if rows > 1 else ""
                takes_these = f"{KINDS[kind].label}({', '.join(takes)})"
                found.append(f"{first}{each}, {takes_these} ({kind})")
        if not found:
            return "no kind has as many rows, so several are wrong, or one row of many is"
        named = "; or ".join(found[:SUSPECTS])
        rest = len(found) - SUSPECTS
        return f"that is {named}" + (f"; or one of {rest} other kinds" if rest > 0 else "")

    def _spell(self, actors: list[int], row: int) -> str:
        """A row of a batch as an event of its actor."""
        actor = actors[row]
        number = len(self.logs.get(actor, ())) + actors[:row].count(actor)
        return f"{names.spell(actor)}: event {number}"

    def _hold_to_slices(self, actors: Iterable[int]) -> None:
        for actor in actors:
            wanted = self._slice_of(actor).events
            logs = self.logs
            rows = logs.length(actor) if isinstance(logs, ArrayLogs) else len(logs[actor])
            if rows > wanted:
                raise TraceError(
                    f"{names.spell(actor)}: its log goes beyond the {wanted} events that were"
                    " asked for (TRACE-16)"
                )

    def take(self, item: control_pb2.TraceResponse) -> None:
        """Takes a part of a trace: a batch, or counts. Raises TraceError."""
        if item.HasField("batch"):
            self.add(item.batch)
        elif item.HasField("counts"):
            self.count(item.counts)

    def begin_counts(self) -> None:
        """Begins the counts of another stream."""
        self.taken = {}

    def count(self, counts: trace_pb2.TraceCounts) -> None:
        """Take counts. Raises TraceError for an actor that is not watched, or twice there."""
        if len(counts.actor) != len(counts.taken):
            raise TraceError(
                f"the counts' columns differ in length: {len(counts.actor)} actors,"
                f" {len(counts.taken)} numbers taken (TRACE-17)"
            )
        most = max(MOST_EVENTS, min(self.events, MOST_ACTORS))
        if len(self.taken) + len(counts.actor) > most:
            raise TraceError(f"more than {most} actors are counted, which no case has")
        new = dict(zip(counts.actor, counts.taken, strict=True))
        distinct = len(new) == len(counts.actor) and self.taken.keys().isdisjoint(new)
        if self.watched.everybody and distinct:
            self.taken |= new
            return
        for actor, taken in zip(counts.actor, counts.taken, strict=True):
            if actor in self.taken:
                raise TraceError(f"{names.spell(actor)} is counted twice (TRACE-17)")
            self._slice_of(actor, "count")
            self.taken[actor] = taken

    def complete(self) -> None:
        """Hold the logs against the counts, of a world at rest. Raises TraceError."""
        there = lengths(self.logs)
        if self.watched.everybody and there == self.taken:
            return
        for actor, taken in self.taken.items():
            wanted, rows = self._slice_of(actor), there.get(actor, 0)
            expected = wanted.rows(taken)
            if rows != expected:
                raise TraceError(
                    f"{names.spell(actor)} took {taken} messages, so its log must have"
                    f" {expected} events; it has {rows} (TRACE-2){_begun(wanted, taken, rows)}"
                )
        for actor in there.keys() - self.taken.keys():
            raise TraceError(f"{names.spell(actor)} has a log and no count (TRACE-17)")

    def _slice_of(self, actor: int, has: str = "log") -> Slice:
        wanted = self.watched.slice_of(actor)
        if wanted is None:
            raise TraceError(f"{names.spell(actor)} has a {has}, and nobody watches it (TRACE-15)")
        return wanted


def _begun(wanted: Slice, taken: int, rows: int) -> str:
    """Say where a log that goes on to its actor's last message would have begun, had it all
    since."""
    if not wanted.begin or not 0 < rows < taken or wanted.rows(taken) < taken - wanted.begin:
        return ""
    return f", as if it began at {taken - rows}, asked for {wanted.begin} (TRACE-16)"


def _unfit(kind: int) -> str:
    known = KINDS.get(kind)
    if known is None:
        return f"kind {kind}, which is no message"
    return f"a {known.label} ({kind}), which actors of that class do not receive"


def decode(batches: Iterable[trace_pb2.TraceBatch]) -> Logs:
    """All logs in these batches. Raises TraceError."""
    builder = LogBuilder()
    for batch in batches:
        builder.add(batch)
    return builder.in_memory


def encode(logs: AnyLogs, rows: int = BATCH_ROWS) -> Iterator[trace_pb2.TraceBatch]:
    """The logs as batches of at most ``rows`` rows each."""
    batch = trace_pb2.TraceBatch()
    for actor, log in logs.items():
        for sender, (kind, args) in log:
            batch.actor.append(actor)
            batch.sender.append(sender)
            batch.kind.append(kind)
            batch.args.extend(args)
            if len(batch.actor) == rows:
                yield batch
                batch = trace_pb2.TraceBatch()
    if batch.actor:
        yield batch
