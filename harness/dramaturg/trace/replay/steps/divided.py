"""The three steps of one log, divided: parts take the first two, each by itself and anywhere; the
process that has the whole log joins them and takes the third.

A part has the rows of its actors, and of those by whom these are made. It plays both, and counts
what its own actors sent and took. The division decides nothing but the amount of work of each part:
an actor that its part could not play, or that two parts made, is found when they are joined.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from dramaturg.model import names
from dramaturg.model.workload import Workload
from dramaturg.trace.columns.store import ARITIES, PIECE, Damaged, Scratch, Shard, Sorted, opened
from dramaturg.trace.events import Message
from dramaturg.trace.replay.steps.actor_replay import NOT_BORN, Alone, Refused, Sink, Undecided
from dramaturg.trace.replay.steps.three_steps import (
    SENT,
    Decision,
    Sent,
    Sums,
    hold_to_order,
    lead_of,
    refuse_unborn,
    said,
    spoken,
)

_FEW = (names.POKER, names.DIRECTORY)
"""Classes that make the others, and take few messages: every part plays them."""

_UNDIVIDED = (names.LINK, names.SORTER)
"""Classes of which each makes the next: whoever plays the last of them plays all."""

_OWN, _PLAYED = 2, 1
"""The values of ``role.npy``, by number: an actor of the part, and one by whom its actors are
made."""

_COLUMNS = ("sender", "kind", "args")


def part_files() -> list[str]:
    """The names of a part's files."""
    return [
        *(f"{name}.npy" for name in ("names", "base", "arguments", "role")),
        *(f"sorted.{name}" for name in _COLUMNS),
    ]


def played_files() -> list[str]:
    """The names of the files that playing it leaves."""
    return [*(f"sent.{name}" for name in SENT), "made.npy"]


@dataclass(slots=True)
class Played:
    """The results of a part, beside its files."""

    sent: list[int]
    """The sum of what its actors sent, and of what they took."""
    taken: list[int]
    messages: int
    """The number of messages that its actors sent."""
    reports: list[tuple[int, Message]] = field(default_factory=list)
    silent: list[int] = field(default_factory=list)
    ended: int = 0


def parts_of(log: Sorted, most: int) -> NDArray[np.int32]:
    """The part of each actor, by number, of at most so many: those who may have to be played
    together are in one, and all have about as many events. An actor that every part plays
    belongs to the first."""
    classes = log.names >> np.uint64(56)
    families = log.names.copy()
    chats = classes == names.CHAT
    # A client makes its chats: they have its index.
    index = log.names[chats] >> np.uint64(24) & np.uint64(0xFFFFFFFF)
    families[chats] = np.uint64(names.name(names.CLIENT)) | index << np.uint64(24)
    families[np.isin(classes, _FEW)] = names.name(names.POKER)
    families[np.isin(classes, _UNDIVIDED)] = names.name(names.LINK)
    _, family = np.unique(families, return_inverse=True)
    rows = np.bincount(family, weights=np.diff(log.base))
    parts = np.zeros(len(rows), np.int32)
    many = np.zeros(most)
    for each in np.argsort(-rows, kind="stable").tolist():
        if not rows[each]:
            break  # An actor that takes nothing is in the first, and makes none.
        parts[each] = least = int(many.argmin())
        many[least] += rows[each]
    return parts[family]


def divide(log: Sorted, parts: NDArray[np.int32], folders: Sequence[Path]) -> list[int]:
    """Write each part's columns to its folder; returns how many rows each has. Raises OSError."""
    few = np.isin(log.names >> np.uint64(56), _FEW)
    return [
        _write_part(log, np.where(parts == number, _OWN, np.where(few, _PLAYED, 0)), folder)
        for number, folder in enumerate(folders)
    ]


def _write_part(log: Sorted, role: NDArray[Any], folder: Path) -> int:
    folder.mkdir()
    there = role > 0
    for name in ("base", "arguments"):
        many = np.where(there, np.diff(getattr(log, name)), 0)
        _save(folder / f"{name}.npy", np.concatenate([[0], np.cumsum(many)]).astype(np.int64))
    _save(folder / "names.npy", log.names)
    _save(folder / "role.npy", role.astype(np.uint8))
    rows, word = 0, 0
    files: dict[str, BinaryIO] = {}
    try:
        for name in _COLUMNS:
            files[name] = (folder / f"sorted.{name}").open("wb")
        for begin in range(0, log.rows, PIECE):
            end = min(begin + PIECE, log.rows)
            actors = np.searchsorted(log.base, np.arange(begin, end), side="right") - 1
            wanted, kinds = there[actors], log.kind[begin:end]
            arity = ARITIES[kinds]
            stop = word + int(arity.sum())
            args = log.args[word:stop][np.repeat(wanted, arity)]
            word = stop
            columns = log.sender[begin:end][wanted], kinds[wanted], args
            for name, column in zip(_COLUMNS, columns, strict=True):
                files[name].write(np.ascontiguousarray(column).tobytes())
            rows += int(wanted.sum())
    finally:
        for file in files.values():
            file.close()
    return rows


def play(
    workload: Workload, part: Path, key: NDArray[np.uint64], most: int, folder: Path
) -> Played:
    """The first two steps of a part; files go to ``folder``. Parts of one log have one ``key``,
    which was drawn when all of them had been written. ``most`` is how many messages the whole log
    has. Raises Refused, Undecided, Damaged and OSError."""
    log = opened(part)
    role = _loaded(part / "role.npy", np.uint8)
    if len(role) != len(log.names):
        raise Damaged(f"{part} has {len(role)} roles for {len(log.names)} actors")
    lead = lead_of(workload, log)
    with _Kept(log, key, most, folder) as kept:
        alone = _OfPart(log, lead, kept, role)
        alone.play(workload)
    own = role == _OWN
    unplayed = own & (alone.parents == NOT_BORN) & (np.diff(log.base) > 0)
    if unplayed.any():
        name = names.spell(int(log.names[int(unplayed.argmax())]))
        raise Undecided(f"nobody of its part has made {name}")
    (made,) = np.nonzero(alone.made_by != NOT_BORN)
    births = np.stack([made.astype(np.int32), alone.made_by[made], alone.made_at[made]])
    _save(folder / "made.npy", births)
    taken = kept.taken(_runs(own | (np.diff(log.base) == 0))).sum(axis=0, dtype=np.uint64)
    return Played(
        kept.sent().tolist(), taken.tolist(), kept.messages, alone.reports, alone.silent,
        alone.ended,
    )  # fmt: skip


def _runs(wanted: NDArray[np.bool_]) -> list[Shard]:
    """Return the shards that are wanted, neighbours together."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], wanted, [False]])))
    return [Shard(int(first), int(end)) for first, end in edges.reshape(-1, 2)]


class _Kept(Sums):
    """The sums, and in files, one behind the other, what was sent to whom."""

    def __init__(self, log: Sorted, key: NDArray[np.uint64], most: int, folder: Path) -> None:
        super().__init__(log, key)
        self.messages = 0
        self._most = most
        self._files = {name: (folder / f"sent.{name}").open("wb") for name in SENT}

    def _nobody(self, receiver: int) -> None:
        raise Refused(f"{names.spell(receiver)} has taken nothing of what it was sent")

    def _sent(self, to: NDArray[np.int32], by: NDArray[np.int32], at: NDArray[np.int32]) -> None:
        self.messages += len(to)
        if self.messages > self._most:
            raise Refused("more was sent than was taken")
        for file, column in zip(self._files.values(), (to, by, at), strict=True):
            file.write(column.tobytes())

    def __enter__(self) -> "_Kept":
        return self

    def __exit__(self, *raised: object) -> None:
        for file in self._files.values():
            file.close()


class _Nobody:
    """Takes what was sent by those who are another part's."""

    def take(self, *args: Any, **named: Any) -> None:
        pass


class _OfPart(Alone):
    """Plays the actors of a part, and those by whom they are made, of whom nothing counts."""

    def __init__(self, log: Sorted, lead: int, sink: Sink, role: NDArray[np.uint8]) -> None:
        super().__init__(log, lead, sink)
        self.made_by = np.full(len(role), NOT_BORN, np.int32)
        self.made_at = np.zeros(len(role), np.int32)
        """By number, as ``parents`` and ``births``: whom the part's own actors made, whosever
        they are, and its own that were there at first."""
        self._role = role
        self._own_sink, self._counts = sink, True
        self._initial = True

    def play(self, workload: Workload) -> None:
        super().play(workload)
        self._sink = self._own_sink

    def _report(self, message: Message) -> None:
        before = len(self.reports)
        super()._report(message)
        if not self._counts:
            del self.reports[before:]

    def _enter(self, actor: Any) -> None:
        number = self._find(actor.name)
        if self._initial:
            counts = self._role[number if number >= 0 else self._lead] == _OWN
        else:
            counts = self._counts
        if number >= 0 and counts:
            if self.made_by[number] != NOT_BORN:
                raise Refused(f"{names.spell(actor.name)} is made twice")
            self.made_by[number] = self._number
            self.made_at[number] = 0 if self._initial else self._now()
        if number >= 0 and self._role[number]:
            super()._enter(actor)
        elif number < 0 and counts:
            self.silent.append(actor.name)

    def _play(self, actor: Any, number: int) -> None:
        self._initial = False
        counts = bool(self._role[number] == _OWN)
        if counts != self._counts:
            self._flush()
            self._marks.clear()
            self._counts = counts
            self._sink = self._own_sink if counts else _Nobody()
        before = self.ended
        super()._play(actor, number)
        if not counts:
            self.ended = before


@dataclass(slots=True)
class _Joined:
    """The actors that those of all parts made, and their reports."""

    parents: NDArray[np.int32]
    births: NDArray[np.int32]
    reports: list[tuple[int, Message]] = field(default_factory=list)


def join(
    workload: Workload,
    log: Sorted,
    key: NDArray[np.uint64],
    played: Sequence[tuple[Played, Path]],
) -> Decision:
    """The decision of the whole log, of all its parts and the folders of their files. Raises
    Damaged and OSError."""
    try:
        return _join(workload, log, key, played)
    except Refused as refusal:
        return Decision(False, str(refusal))
    except Undecided as reason:
        return Decision(None, str(reason))


def _join(
    workload: Workload,
    log: Sorted,
    key: NDArray[np.uint64],
    played: Sequence[tuple[Played, Path]],
) -> Decision:
    lead, actors = lead_of(workload, log), len(log.names)
    joined = _Joined(np.full(actors, NOT_BORN, np.int32), np.zeros(actors, np.int32))
    for each, folder in played:
        made, by, at = _made(folder)
        _hold(folder, made, 0, actors)
        _hold(folder, by, NOT_BORN + 1, actors)
        if (joined.parents[made] != NOT_BORN).any():
            raise Refused("an actor is made twice")
        joined.parents[made], joined.births[made] = by, at
        joined.reports += each.reports
    refuse_unborn(log, joined.parents)
    due = spoken(workload, len(joined.reports))
    lines = workload.script[: len(due)]
    sent = said(key, log.names[lead], lines) + _total([each.sent for each, _ in played])
    if (sent != _total([each.taken for each, _ in played])).any():
        return Decision(False, "some messages were not taken as they were sent")
    with Scratch(log.folder, "sent", SENT) as scratch:
        kept = Sent(log, scratch)
        for each, folder in played:
            _keep(kept, folder, each.messages, actors)
        hold_to_order(log, kept, scratch, joined, lead, due)
    silent = [name for each, _ in played for name in each.silent]
    born = np.concatenate([log.names[joined.parents != NOT_BORN], np.array(silent, np.uint64)])
    return Decision(
        True,
        control=[message for _, message in joined.reports],
        born=born,
        alive=len(born) - sum(each.ended for each, _ in played),
    )


def _total(all_sums: Sequence[Sequence[int]]) -> NDArray[np.uint64]:
    return np.array(all_sums, np.uint64).reshape(-1, 2).sum(axis=0, dtype=np.uint64)


def _keep(kept: Sent, folder: Path, messages: int, actors: int) -> None:
    files = [folder / f"sent.{name}" for name in SENT]
    if any(file.stat().st_size != 4 * messages for file in files):
        raise Damaged(f"{folder}: what was sent was cut short or damaged")
    for begin in range(0, messages, PIECE):
        many = min(PIECE, messages - begin)
        to, by, at = (np.fromfile(file, np.int32, many, offset=4 * begin) for file in files)
        _hold(folder, to, 0, actors)
        _hold(folder, by, 0, actors)
        kept.keep(to, by, at)


def _made(folder: Path) -> NDArray[np.int32]:
    found = _loaded(folder / "made.npy", np.int32)
    if found.ndim != 2 or len(found) != 3:
        raise Damaged(f"{folder} does not say which actor made which")
    return found


def _hold(folder: Path, numbers: NDArray[np.int32], least: int, end: int) -> None:
    if len(numbers) and not least <= int(numbers.min()) <= int(numbers.max()) < end:
        raise Damaged(f"{folder} names an actor that is none, so it was damaged")


def _save(file: Path, column: NDArray[Any]) -> None:
    with file.open("wb") as stream:
        np.save(stream, column)


def _loaded(file: Path, kind: Any) -> NDArray[Any]:
    try:
        found = np.load(file, allow_pickle=False)
    except (ValueError, EOFError):
        raise Damaged(f"{file} is no column, or was cut short") from None
    if found.dtype != kind:
        raise Damaged(f"{file} is a column of {found.dtype}")
    return found


def of_values(values: dict[str, Any]) -> Played:
    """Return it from the result of ``dataclasses.asdict``, after JSON."""
    reports = [(int(event), (int(kind), tuple(args))) for event, (kind, args) in values["reports"]]
    return Played(**values | {"reports": reports})
