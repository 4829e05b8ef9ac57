"""A log on disk, as columns: appended as it comes, then sorted by receiver (docs/scaling.md).

Nothing here has more of it in memory than a piece, whatever its size; per actor there are some
tens of bytes.
"""

import os
import tempfile
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from dramaturg.model.messages import ARITY
from dramaturg.trace.columns.jit import compiled
from dramaturg.trace.columns.numbering import Numbering
from dramaturg.trace.events import DECIDING

PIECE = 1 << 20
"""Rows that are in memory at a time while rows are dealt out to shards."""

SHARD = 1 << 21
"""Rows of a shard, unless a single actor has more."""

ARITIES = np.zeros(max(ARITY) + 1, np.int64)
"""Arguments by kind."""
ARITIES[list(ARITY)] = list(ARITY.values())

_TYPES: dict[str, Any] = {
    "actor": np.int32, "sender": np.int32, "kind": np.uint16, "args": np.uint64,
}  # fmt: skip
_ROWS = ("actor", "sender", "kind")
_SORTED = ("sender", "kind", "args")

_ROW, _WORD = sum(np.dtype(_TYPES[name]).itemsize for name in _ROWS), 8
"""Bytes on disk of a row, and of each of its arguments."""

Piece = tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]
"""Receivers and senders by number, kinds, and the arguments of all these."""


class Damaged(Exception):
    """Columns that are not as they were written."""


@dataclass(frozen=True, slots=True)
class Shard:
    """Actors whose rows lie together: from number ``first`` up to ``end``."""

    first: int
    end: int


class Sorted:
    """A log by receiver. The rows of actor number ``n`` are those from ``base[n]`` up to
    ``base[n + 1]``, in its order; their arguments those from ``arguments[n]`` on."""

    def __init__(
        self,
        folder: Path,
        numbering: Numbering,
        base: NDArray[np.int64],
        arguments: NDArray[np.int64],
        kept: object = None,
    ) -> None:
        """``kept`` is what the folder goes with."""
        self.folder = folder
        self._kept = kept
        self.numbering = numbering
        self.base = base
        self.arguments = arguments
        self.sender = mapped(folder / "sorted.sender", np.int32, int(base[-1]))
        self.kind = mapped(folder / "sorted.kind", np.uint16, int(base[-1]))
        self.args = mapped(folder / "sorted.args", np.uint64, int(arguments[-1]))

    @property
    def rows(self) -> int:
        return int(self.base[-1])

    @property
    def names(self) -> NDArray[np.uint64]:
        return self.numbering.names[: len(self.base) - 1]

    def shards(self, rows: int | None = None) -> list[Shard]:
        return _shards(self.base, SHARD if rows is None else rows)

    def save(self) -> None:
        """Saves the data that another process needs to open it."""
        for name in ("names", "base", "arguments"):
            with (self.folder / f"{name}.npy").open("wb") as file:
                np.save(file, getattr(self, name))


def opened(folder: Path) -> Sorted:
    """A sorted log that another process has saved. Raises Damaged, and OSError."""
    try:
        names, base, arguments = (
            np.load(folder / f"{name}.npy", allow_pickle=False)
            for name in ("names", "base", "arguments")
        )
    except (ValueError, EOFError) as error:
        raise Damaged(f"{folder} has no columns of a log, or they were cut short") from error
    numbering = Numbering()
    numbering.number(names)
    grow = len(base) > 0 and base[0] == 0 and arguments[0] == 0
    if not grow or (np.diff(base) < 0).any() or (np.diff(arguments) < 0).any():
        raise Damaged(f"{folder}: its actors' rows do not lie one behind the other")
    if not numbering.count == len(names) == len(base) - 1 == len(arguments) - 1:
        raise Damaged(f"{folder} has {len(names)} names for the rows of {len(base) - 1} actors")
    found = Sorted(folder, numbering, base, arguments)
    _look_over(found)
    return found


def mapped(file: Path, kind: Any, count: int) -> NDArray[Any]:
    """A column, read-only. Raises Damaged for one that has another length than it should."""
    size, expected = file.stat().st_size, count * np.dtype(kind).itemsize
    if size != expected:
        raise Damaged(f"{file} has {size} bytes, expected {expected}: it was cut short or damaged")
    if not count:
        return np.zeros(0, kind)
    # Loops are compiled for plain arrays.
    return np.asarray(np.memmap(file, kind, "r", shape=(count,)))


class Store:
    """Takes rows in the order in which they come. Everything goes with it."""

    def __init__(self, room: Path | None = None) -> None:
        """``room`` is where the folder is made; by default that of temporary files."""
        self._folder = tempfile.TemporaryDirectory(
            prefix="dramaturg-log-", dir=room, ignore_cleanup_errors=True
        )
        self.folder = Path(self._folder.name)
        self.rows = self.words = 0
        """How many rows have come, and how many arguments."""
        self.numbering = Numbering()
        self._files: dict[str, BinaryIO] = {
            name: (self.folder / f"come.{name}").open("w+b", buffering=0) for name in _TYPES
        }
        self._counts = np.zeros(0, np.int64)
        self._argument_counts = np.zeros(0, np.int64)
        self._sorted: Sorted | None = None

    def add(
        self,
        actors: NDArray[np.uint64],
        senders: NDArray[np.uint64],
        kinds: NDArray[np.uint32],
        args: NDArray[np.uint64],
    ) -> None:
        """Append rows that fit together and are of known kinds. Raises OSError, as of a disk that
        is full; then nothing was added."""
        if not len(actors):
            return
        actor, sender = self.numbering.number(actors), self.numbering.number(senders)
        columns = {"actor": actor, "sender": sender, "kind": kinds.astype(np.uint16), "args": args}
        before = {name: file.tell() for name, file in self._files.items()}
        try:
            for name, column in columns.items():
                _write(self._files[name], np.ascontiguousarray(column, _TYPES[name]))
        except OSError:
            for name, file in self._files.items():
                file.truncate(before[name])
                file.seek(before[name])
            raise
        count = self.numbering.count
        self._counts = _longer(self._counts, count)
        self._argument_counts = _longer(self._argument_counts, count)
        _count(actor, columns["kind"], ARITIES, self._counts, self._argument_counts)
        self.rows += len(actor)
        self.words += len(args)
        self._sorted = None

    def lengths(self) -> NDArray[np.int64]:
        """The number of rows of each actor, by its number."""
        self._counts = _longer(self._counts, self.numbering.count)
        return self._counts[: self.numbering.count]

    def come(self, since: tuple[int, int] = (0, 0)) -> Iterator[Piece]:
        """Yields the rows that have come, as they came, a piece at a time; from the row and the
        argument on that ``since`` has."""
        first, word = since
        for begin in range(first, self.rows, PIECE):
            end = min(begin + PIECE, self.rows)
            actor, sender, kind = (self._read(name, begin, end) for name in _ROWS)
            stop = word + int(ARITIES[kind].sum())
            yield actor, sender, kind, self._read("args", word, stop)
            word = stop

    @property
    def needs(self) -> int:
        """The bytes of disk that it still takes to sort these rows and to decide them."""
        unsorted = _ROW * self.rows + _WORD * self.words if self._sorted is None else 0
        return unsorted + DECIDING * self.rows

    def sort(self) -> Sorted:
        """All rows by receiver; a log that was sorted before stays as it is. Raises OSError."""
        if self._sorted is None:
            self._argument_counts = _longer(self._argument_counts, self.numbering.count)
            base = _sums(self.lengths())
            arguments = _sums(self._argument_counts[: self.numbering.count])
            self._deal_out(base, arguments)
            self._sorted = Sorted(self.folder, self.numbering, base, arguments, self._folder)
            self._sorted.save()
        return self._sorted

    def _read(self, name: str, begin: int, end: int) -> NDArray[Any]:
        return _read(self._files[name], _TYPES[name], begin, end)

    def _deal_out(self, base: NDArray[np.int64], arguments: NDArray[np.int64]) -> None:
        """First to shards, in the order in which they came, then by actor in each, in its place."""
        shards = _shards(base, SHARD)
        for name in _SORTED:
            (self.folder / f"sorted.{name}").unlink(missing_ok=True)
        with Scratch(self.folder, "sorted", _TYPES, kept=_SORTED) as final:
            if len(shards) == 1:
                # They came to one shard, in the order in which they came.
                self._sort_shard(self._read, final, shards[0], base, arguments)
                return
            self._spread(final, shards, base, arguments)
            for shard in shards:
                if shard.end > shard.first + 1:
                    self._sort_shard(final.get, final, shard, base, arguments)

    def _spread(
        self,
        dealt: "Scratch",
        shards: list[Shard],
        base: NDArray[np.int64],
        arguments: NDArray[np.int64],
    ) -> None:
        ends = np.array([shard.end for shard in shards], np.int64)
        of_actor = np.searchsorted(ends, np.arange(len(base) - 1), side="right").astype(np.int32)
        rows = base[[shard.first for shard in shards]]
        words = arguments[[shard.first for shard in shards]]
        for actor, sender, kind, args in self.come():
            of = of_actor[actor]
            many = np.bincount(of, minlength=len(shards))
            arity = ARITIES[kind]
            wide = np.bincount(of, weights=arity, minlength=len(shards)).astype(np.int64)
            parts = _by_number(of, actor, sender, kind, args, ARITIES, many, wide)
            dealt.spread(_ROWS, parts[:3], many, rows)
            dealt.spread(("args",), parts[3:], wide, words)

    def _sort_shard(
        self,
        get: Callable[[str, int, int], NDArray[Any]],
        final: "Scratch",
        shard: Shard,
        base: NDArray[np.int64],
        arguments: NDArray[np.int64],
    ) -> None:
        begin, end = int(base[shard.first]), int(base[shard.end])
        word, last = int(arguments[shard.first]), int(arguments[shard.end])
        if shard.end == shard.first + 1:
            # One actor's rows are in its order, and may be more than memory has room for.
            for name, left, right in (("sender", begin, end), ("kind", begin, end),
                                      ("args", word, last)):  # fmt: skip
                for at in range(left, right, PIECE):
                    final.put(name, at, get(name, at, min(at + PIECE, right)))
            return
        actor, sender, kind = (get(name, begin, end) for name in _ROWS)
        args = get("args", word, last)
        many = np.diff(base[shard.first : shard.end + 1])
        wide = np.diff(arguments[shard.first : shard.end + 1])
        parts = _by_number(actor - shard.first, actor, sender, kind, args, ARITIES, many, wide)
        final.put("sender", begin, parts[1])
        final.put("kind", begin, parts[2])
        final.put("args", word, parts[3])


class Scratch:
    """Columns that are written in any order. They go when it is closed, but for those kept; all of
    them if something was raised."""

    def __init__(
        self, folder: Path, prefix: str, types: Mapping[str, Any], kept: Container[str] = ()
    ) -> None:
        self._types = types
        self._files = {
            name: (folder / f"{prefix}.{name}").open("w+b", buffering=0) for name in types
        }
        self._kept = kept

    def put(self, name: str, at: int, column: NDArray[Any]) -> None:
        """These rows from row ``at`` on. Raises OSError, as of a disk that is full."""
        file = self._files[name]
        file.seek(at * column.itemsize)
        _write(file, column)

    def get(self, name: str, begin: int, end: int) -> NDArray[Any]:
        """Rows from ``begin`` up to ``end``. Raises Damaged where they were not written."""
        return _read(self._files[name], self._types[name], begin, end)

    def mapped(self, name: str, begin: int, end: int) -> NDArray[Any]:
        """The same rows, read when they are looked at."""
        file, kind = self._files[name], np.dtype(self._types[name])
        if begin == end:
            return np.zeros(0, kind)
        whole = np.memmap(Path(file.name), kind, "r", shape=(end,))
        return np.asarray(whole)[begin:]

    def spread(
        self,
        names: tuple[str, ...],
        columns: tuple[NDArray[Any], ...],
        many: NDArray[np.int64],
        places: NDArray[np.int64],
    ) -> None:
        """So ``many`` of each column for each shard, to where that one's next are. Moves on."""
        begin = 0
        for shard, count in enumerate(many.tolist()):
            if count:
                for name, column in zip(names, columns, strict=True):
                    self.put(name, int(places[shard]), column[begin : begin + count])
                places[shard] += count
                begin += count

    def __enter__(self) -> "Scratch":
        return self

    def __exit__(self, *raised: object) -> None:
        for name, file in self._files.items():
            file.close()
            if any(raised) or name not in self._kept:
                Path(file.name).unlink()


def _shards(base: NDArray[np.int64], most: int) -> list[Shard]:
    """Neighbours, up to so many rows together; an actor with more is alone."""
    shards, first, actors = [], 0, len(base) - 1
    while first < actors:
        end = int(np.searchsorted(base, base[first] + most, side="right")) - 1
        end = min(max(end, first + 1), actors)
        shards.append(Shard(first, end))
        first = end
    return shards


def _sums(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    sums = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=sums[1:])
    return sums


def _longer(counts: NDArray[np.int64], length: int) -> NDArray[np.int64]:
    if len(counts) >= length:
        return counts
    longer = np.zeros(max(length, 2 * len(counts)), np.int64)
    longer[: len(counts)] = counts
    return longer


def _write(file: BinaryIO, column: NDArray[Any]) -> None:
    rest = column.data.cast("B") if len(column) else memoryview(b"")
    while rest:
        rest = rest[os.write(file.fileno(), rest) :]


def _read(file: BinaryIO, kind: Any, begin: int, end: int) -> NDArray[Any]:
    """Raises Damaged where rows are missing."""
    column = np.empty(end - begin, kind)
    rest = column.data.cast("B") if len(column) else memoryview(b"")
    at = begin * column.itemsize
    while rest:
        came = os.preadv(file.fileno(), [rest], at)
        if not came:
            raise Damaged(f"{file.name} ends before row {end}: it was cut short or damaged")
        rest, at = rest[came:], at + came
    return column


def _look_over(found: Sorted) -> None:
    """Hold columns against each other, before loops without bounds trust them. Raises Damaged."""
    arities = 0
    for shard in found.shards():
        for begin in range(int(found.base[shard.first]), int(found.base[shard.end]), SHARD):
            end = min(begin + SHARD, int(found.base[shard.end]))
            sender, kind = found.sender[begin:end], found.kind[begin:end]
            if sender.min() < 0 or sender.max() >= found.numbering.count:
                raise Damaged(f"{found.folder}: a sender has no name: it was damaged")
            if kind.max() >= len(ARITIES):
                raise Damaged(f"{found.folder}: there is a kind {kind.max()}: it was damaged")
            arities += int(ARITIES[kind].sum())
    if arities != int(found.arguments[-1]):
        raise Damaged(
            f"{found.folder} has {found.arguments[-1]} arguments, its kinds take {arities}"
        )


@compiled
def _count(actor: Any, kind: Any, arities: Any, rows: Any, words: Any) -> Any:
    for row in range(len(actor)):
        rows[actor[row]] += 1
        words[actor[row]] += arities[kind[row]]


@compiled
def _by_number(
    of: Any, actor: Any, sender: Any, kind: Any, args: Any, arities: Any, many: Any, wide: Any
) -> Any:
    """Rows and their arguments by ``of``, each group in the order in which it came. ``many`` rows
    and ``wide`` words are in each."""
    at, word_at = np.zeros(len(many), np.int64), np.zeros(len(many), np.int64)
    for group in range(1, len(many)):
        at[group] = at[group - 1] + many[group - 1]
        word_at[group] = word_at[group - 1] + wide[group - 1]
    actors, senders = np.empty_like(actor), np.empty_like(sender)
    kinds, words = np.empty_like(kind), np.empty_like(args)
    word = 0
    for row in range(len(of)):
        group = of[row]
        place = at[group]
        at[group] += 1
        actors[place], senders[place], kinds[place] = actor[row], sender[row], kind[row]
        for _ in range(arities[kind[row]]):
            words[word_at[group]] = args[word]
            word_at[group] += 1
            word += 1
    return actors, senders, kinds, words
