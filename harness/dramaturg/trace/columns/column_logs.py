"""Logs that are columns on disk, read as if they were in memory: an actor's at a time."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import overload

import numpy as np

from dramaturg.trace.columns.store import ARITIES, PIECE, Sorted, Store
from dramaturg.trace.events import Arrived, Event, LaidDown


class ColumnLog(Sequence[Event]):
    """One actor's log, from ``begin`` up to ``end`` of its rows. Reads what is asked for."""

    __slots__ = ("_actor", "_begin", "_end", "_logs")

    def __init__(self, logs: "ColumnLogs", actor: int, begin: int, end: int) -> None:
        self._logs, self._actor, self._begin, self._end = logs, actor, begin, end

    def __len__(self) -> int:
        return self._end - self._begin

    @overload
    def __getitem__(self, place: int) -> Event: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Event]: ...
    def __getitem__(self, place: int | slice) -> Event | Sequence[Event]:
        if isinstance(place, slice):
            begin, end, step = place.indices(len(self))
            if step != 1:
                raise ValueError("a log is cut into ranges only")
            end = max(begin, end)
            return ColumnLog(self._logs, self._actor, self._begin + begin, self._begin + end)
        number = place + len(self) if place < 0 else place
        if not 0 <= number < len(self):
            raise IndexError(place)
        return next(self._read(self._begin + number, self._begin + number + 1))

    def __iter__(self) -> Iterator[Event]:
        return self._read(self._begin, self._end)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def _read(self, begin: int, end: int) -> Iterator[Event]:
        found, number = self._logs.sorted, self._actor
        first, word = int(found.base[number]), int(found.arguments[number])
        names = found.names
        for start in range(0, end, PIECE):
            stop = min(start + PIECE, end)
            kinds = found.kind[first + start : first + stop]
            ends = word + np.cumsum(ARITIES[kinds])
            skipped = max(0, begin - start)
            if skipped < len(kinds):
                at = word if not skipped else int(ends[skipped - 1])
                args = tuple(found.args[at : int(ends[-1])].tolist())
                senders = names[found.sender[first + start + skipped : first + stop]].tolist()
                bounds = (ends[skipped:] - at).tolist()
                begun = 0
                for sender, kind, bound in zip(
                    senders, kinds[skipped:].tolist(), bounds, strict=True
                ):
                    yield sender, (kind, args[begun:bound])
                    begun = bound
            word = int(ends[-1])


class ColumnLogs(LaidDown):
    """The logs of a run, by the receiver's name."""

    def __init__(self, store: Store) -> None:
        self.store = store

    @property
    def sorted(self) -> Sorted:
        """Return the logs by receiver, as far as they have come."""
        return self.store.sort()

    @property
    def events(self) -> int:
        return self.store.rows

    @property
    def arrived(self) -> Arrived:
        return self.store.rows, self.store.words

    @property
    def folder(self) -> Path:
        return self.store.folder

    @property
    def needs(self) -> int:
        return self.store.needs

    def lie_in(self) -> Path:
        return self.sorted.folder

    def arrived_with(self, events: int) -> Arrived:
        words, left = 0, events
        for _, _, kinds, _ in self.store.come():
            words += int(ARITIES[kinds[:left]].sum())
            left -= min(left, len(kinds))
            if not left:
                break
        return events, words

    def kinds(self, since: Arrived = (0, 0)) -> set[int]:
        there = np.zeros(len(ARITIES), np.bool_)
        for _, _, kinds, _ in self.store.come(since):
            there[kinds] = True
        return set(np.flatnonzero(there).tolist())

    def of_kinds(
        self, kinds: Iterable[int], since: Arrived = (0, 0)
    ) -> Iterator[tuple[int, Event]]:
        wanted = np.zeros(len(ARITIES), np.bool_)
        wanted[list(kinds)] = True
        names = self.store.numbering.names
        for actors, senders, numbers, args in self.store.come(since):
            ends = np.cumsum(ARITIES[numbers])
            for row in np.flatnonzero(wanted[numbers]).tolist():
                end = int(ends[row])
                begin = end - int(ARITIES[numbers[row]])
                message = int(numbers[row]), tuple(args[begin:end].tolist())
                yield int(names[actors[row]]), (int(names[senders[row]]), message)

    def lengths(self) -> dict[int, int]:
        lengths = self.store.lengths()
        (there,) = lengths.nonzero()
        names = self.store.numbering.names[there]
        return dict(zip(names.tolist(), lengths[there].tolist(), strict=True))

    def __getitem__(self, actor: int) -> ColumnLog:
        number = self.store.numbering.find(actor) if 0 <= actor < 1 << 64 else -1
        lengths = self.store.lengths()
        if number < 0 or not lengths[number]:
            raise KeyError(actor)
        return ColumnLog(self, number, 0, int(lengths[number]))

    def __iter__(self) -> Iterator[int]:
        lengths = self.store.lengths()
        (there,) = lengths.nonzero()
        return iter(self.store.numbering.names[there].tolist())

    def __len__(self) -> int:
        return int(np.count_nonzero(self.store.lengths()))
