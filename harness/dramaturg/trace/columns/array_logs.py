"""Logs in memory as the columns that brought them: lists are made of those that are asked for.

A check that only looks for some kinds of messages, or counts, needs no list, and neither does the
compiled token game. That is most of an audit.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dramaturg.trace.events import Arrived, Event, InColumns, Logs, without_cyclic_gc

Columns = tuple[
    NDArray[np.uint64],
    NDArray[np.uint64],
    NDArray[np.uint32],
    NDArray[np.uint64],
    NDArray[np.int64],
]
"""The columns of rows: receivers, senders, kinds, all arguments, and the number of these in each
row."""

_NONE: Columns = (
    np.zeros(0, np.uint64), np.zeros(0, np.uint64), np.zeros(0, np.uint32),
    np.zeros(0, np.uint64), np.zeros(0, np.int64),
)  # fmt: skip

_PIECE = 1 << 16
"""Rows of which lists are made at once."""

_FEW = 8
"""Actors of which lists are made by themselves. A reader that asks for more wants all."""


class ArrayLogs(InColumns):
    """The logs of a run, by the receiver's name. Only adds up: nothing that has come changes.
    Nobody may add while another thread asks."""

    def __init__(self) -> None:
        self._batches: list[Columns] = []
        self._lengths: dict[int, int] = {}
        self._rows = self._words = 0
        self._lists: Logs = {}
        self._all: Logs | None = None

    def add(self, columns: Columns) -> None:
        """Append rows that fit together."""
        receivers, _, _, args, _ = columns
        if not len(receivers):
            return
        begins = begins_of(receivers)
        there, first, of = np.unique(receivers[begins], return_index=True, return_inverse=True)
        rows = np.zeros(len(there), np.int64)
        np.add.at(rows, of, np.diff(begins, append=len(receivers)))
        as_they_came = np.argsort(first)
        lengths = self._lengths
        for actor, many in zip(
            there[as_they_came].tolist(), rows[as_they_came].tolist(), strict=True
        ):
            lengths[actor] = lengths.get(actor, 0) + many
        self._batches.append(columns)
        self._rows += len(receivers)
        self._words += len(args)
        self._lists, self._all = {}, None

    def extend(self, other: "ArrayLogs", since: Arrived = (0, 0)) -> Arrived:
        """Append what has come of another node's since then; returns how far that is."""
        arrived = other.arrived
        new = [*other._since(since)]
        for columns in new:
            self.add(columns if since == (0, 0) else _copied(columns))
        return arrived

    def columns(self) -> Columns:
        """All rows, as they came."""
        if len(self._batches) != 1:
            every = [_NONE, *self._batches]
            self._batches = [
                (
                    np.concatenate([batch[0] for batch in every]),
                    np.concatenate([batch[1] for batch in every]),
                    np.concatenate([batch[2] for batch in every]),
                    np.concatenate([batch[3] for batch in every]),
                    np.concatenate([batch[4] for batch in every]),
                )
            ]
        return self._batches[0]

    def in_lists(self) -> Logs:
        """All of them, as lists of events."""
        if self._all is None:
            made: Logs = {}
            for columns in self._batches:
                append(made, columns)
            self._all = made
        return self._all

    @property
    def events(self) -> int:
        return self._rows

    @property
    def arrived(self) -> Arrived:
        return self._rows, self._words

    def arrived_with(self, events: int) -> Arrived:
        return events, int(self.columns()[4][:events].sum())

    def kinds(self, since: Arrived = (0, 0)) -> set[int]:
        return {kind for columns in self._since(since) for kind in np.unique(columns[2]).tolist()}

    def of_kinds(
        self, kinds: Iterable[int], since: Arrived = (0, 0)
    ) -> Iterator[tuple[int, Event]]:
        wanted = np.array(sorted(kinds), np.uint32)
        for receivers, senders, numbers, args, arities in self._since(since):
            rows = np.flatnonzero(np.isin(numbers, wanted))
            rows = rows[np.argsort(receivers[rows], kind="stable")]
            begins = np.cumsum(arities) - arities
            for some in _pieces(len(rows)):
                picked = rows[some]
                words, bounds = _words_of(args, begins[picked], arities[picked])
                messages = zip(
                    numbers[picked].tolist(), [words[a:b] for a, b in bounds], strict=True
                )
                events = zip(senders[picked].tolist(), messages, strict=True)
                yield from zip(receivers[picked].tolist(), events, strict=True)

    def _since(self, since: Arrived) -> Iterator[Columns]:
        """What came behind so many rows and arguments, in one."""
        row, word = since
        receivers, senders, numbers, args, arities = self.columns()
        if row < len(receivers):
            yield receivers[row:], senders[row:], numbers[row:], args[word:], arities[row:]

    def lengths(self) -> dict[int, int]:
        return dict(self._lengths)

    def pairs(self) -> Iterator[tuple[int, int, int]]:
        """Receivers, senders, and how many messages each took of each."""
        receivers, senders, *_ = self.columns()
        order = np.lexsort((senders, receivers))
        receivers, senders = receivers[order], senders[order]
        new = (np.diff(receivers) != 0) | (np.diff(senders) != 0)
        begins = np.concatenate([np.zeros(min(1, len(order)), np.int64), np.flatnonzero(new) + 1])
        many = np.diff(begins, append=len(order))
        yield from zip(
            receivers[begins].tolist(), senders[begins].tolist(), many.tolist(), strict=True
        )

    def length(self, actor: int) -> int:
        """How many events this one's has."""
        return self._lengths.get(actor, 0)

    def __getitem__(self, actor: int) -> list[Event]:
        if actor not in self._lengths:
            raise KeyError(actor)
        if self._all is not None or len(self._lists) >= _FEW:
            return self.in_lists()[actor]
        if actor not in self._lists:
            receivers, senders, numbers, args, arities = self.columns()
            mine = receivers == np.uint64(actor)
            words = args[np.repeat(mine, arities)]
            append(self._lists, (receivers[mine], senders[mine], numbers[mine], words,
                                 arities[mine]))  # fmt: skip
        return self._lists[actor]

    def __contains__(self, actor: object) -> bool:
        return actor in self._lengths

    def __iter__(self) -> Iterator[int]:
        return iter(self._lengths)

    def __len__(self) -> int:
        return len(self._lengths)


class JoinedLogs:
    """The logs of several nodes as those of one run, in the order in which they came: what was
    there at some time stays in front."""

    def __init__(self) -> None:
        self._nodes: list[ArrayLogs] = []
        self._seen: list[Arrived] = []
        self._joined = ArrayLogs()

    def of(self, nodes: Sequence[ArrayLogs]) -> ArrayLogs:
        """All that these have logged by now. It is one world's as long as they are the same."""
        if [*map(id, nodes)] != [*map(id, self._nodes)]:
            self._nodes, self._seen = [*nodes], [(0, 0)] * len(nodes)
            self._joined = ArrayLogs()
        for number, node in enumerate(self._nodes):
            self._seen[number] = self._joined.extend(node, self._seen[number])
        return self._joined


def begins_of(receivers: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Where rows of another actor than before begin."""
    return np.flatnonzero(np.diff(receivers, prepend=~receivers[:1]))


def _copied(columns: Columns) -> Columns:
    """Columns of their own: views would hold all that came before as well."""
    receivers, senders, numbers, args, arities = columns
    return receivers.copy(), senders.copy(), numbers.copy(), args.copy(), arities.copy()


def _pieces(rows: int) -> Iterator[slice]:
    """So many rows in pieces: few at first, since many readers look for the first event alone."""
    begin, size = 0, 1 << 6
    while begin < rows:
        yield slice(begin, begin + size)
        begin, size = begin + size, min(8 * size, _PIECE)


def _words_of(
    args: NDArray[np.uint64], begins: NDArray[np.int64], arities: NDArray[np.int64]
) -> tuple[tuple[int, ...], Iterable[tuple[int, int]]]:
    """The arguments of rows, one behind the other, and where each row's begin and end in them."""
    ends = np.cumsum(arities)
    places = np.repeat(begins - ends + arities, arities) + np.arange(arities.sum())
    bounds = zip((ends - arities).tolist(), ends.tolist(), strict=True)
    return tuple(args[places].tolist()), bounds


def actors_of(receivers: NDArray[np.uint64]) -> list[int]:
    """Each once, in the order in which they came."""
    changed = receivers[begins_of(receivers)]
    there, first = np.unique(changed, return_index=True)
    found: list[int] = there[np.argsort(first)].tolist()
    return found


def append(logs: Logs, columns: Columns) -> None:
    """Append rows to the logs of their receivers. One actor's rows that are next to each other are
    appended together, where most are."""
    receivers, senders, numbers, args, arities = columns
    ends = np.cumsum(arities, dtype=np.int64)
    word = 0
    with without_cyclic_gc():
        for begin in range(0, len(receivers), _PIECE):
            piece = slice(begin, begin + _PIECE)
            words: tuple[int, ...] = tuple(args[word : int(ends[piece][-1])].tolist())
            bounds = zip((ends - arities)[piece].tolist(), ends[piece].tolist(), strict=True)
            messages = zip(
                numbers[piece].tolist(),
                [words[a - word : b - word] for a, b in bounds],
                strict=True,
            )
            events = [*zip(senders[piece].tolist(), messages, strict=True)]
            _deal(logs, receivers[piece], events)
            word = int(ends[piece][-1])


def _deal(logs: Logs, receivers: NDArray[np.uint64], events: list[Event]) -> None:
    begins = begins_of(receivers)
    actors = receivers[begins].tolist()
    for actor in dict.fromkeys(actors):
        if actor not in logs:
            logs[actor] = []
    if 2 * len(actors) > len(events):
        for actor, event in zip(receivers.tolist(), events, strict=True):
            logs[actor].append(event)
    else:
        bounds = pairwise([*begins.tolist(), len(events)])
        for actor, (begin, end) in zip(actors, bounds, strict=True):
            logs[actor] += events[begin:end]


def in_lists(logs: "Logs | ArrayLogs") -> Logs:
    """As lists of events, wherever they are."""
    return logs.in_lists() if isinstance(logs, ArrayLogs) else logs
