"""A run decided in three steps, each exact (spec/actors.md, TRACE-4 to TRACE-6)."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from dramaturg.model import names
from dramaturg.model.workload import Line, Workload
from dramaturg.trace.columns.store import ARITIES, SHARD, Scratch, Shard, Sorted
from dramaturg.trace.events import Message
from dramaturg.trace.replay.steps import order, sums
from dramaturg.trace.replay.steps.actor_replay import NOT_BORN, Alone, Refused, Undecided

CELL = 1 << 16
"""Rows of a group of receivers for which sums are kept, unless a single actor has more."""

MOST_OF_ONE = 2**31 - 1
"""Actors, and events of one: numbers in columns are 32 bits wide."""

SENT = {"to": np.int32, "by": np.int32, "at": np.int32}


@dataclass(slots=True)
class Decision:
    """The finding of the three steps."""

    conforms: bool | None
    """None if they cannot tell."""
    why: str = ""
    """They refuse, or cannot tell; for people."""
    cells: list[Shard] = field(default_factory=list)
    """Groups of actors that were sent something else than they took."""
    control: list[Message] = field(default_factory=list)
    """The reports of the model's actors to the control port, if the run conforms."""
    born: NDArray[np.uint64] = field(default_factory=lambda: np.zeros(0, np.uint64))
    """The actors of the model, if the run conforms."""
    alive: int = 0
    """Number of actors that it has not ended."""


def decide(workload: Workload, log: Sorted) -> Decision:
    """Decide if this is a run of the model. Raises OSError, as of a disk that is full: step two
    writes twelve bytes a message beside the log, and step three four."""
    try:
        return _decide(workload, log)
    except Refused as refusal:
        return Decision(False, str(refusal))
    except Undecided as reason:
        return Decision(None, str(reason))


def spoken(workload: Workload, reports: int) -> list[int]:
    """For each line that control has spoken by then, how many reports it waited for (ACT-7)."""
    due, waited = [], 0
    for line in workload.script:
        if waited > reports:
            break
        due.append(waited)
        wanted = workload.reports(line)
        if wanted <= 0:
            break
        waited += wanted
    return due


class Sums:
    """Sums of sent messages, by the receiver's cell; messages to an actor that the log does not
    name are in a cell of their own, the last."""

    def __init__(self, log: Sorted, key: NDArray[np.uint64] | None = None) -> None:
        """``key`` is that of all who add up parts of one log; without it, one is drawn."""
        self.cells = log.shards(CELL)
        self._key = sums.drawn() if key is None else key
        self._sums = np.zeros((len(self.cells) + 1, 2), np.uint64)
        self._cell = np.append(_of(self.cells), np.int32(len(self.cells)))
        self._log = log
        self._counts = np.zeros(len(log.names) + 1, np.int32)
        self._last, self._spanned = -1, False
        self._touched = np.zeros(0, np.int32)

    def take(
        self,
        out: NDArray[np.uint64],
        ends: NDArray[np.int64],
        actors: NDArray[np.int64],
        begins: NDArray[np.int64],
        firsts: NDArray[np.int64],
    ) -> None:
        """Add what was sent (:class:`dramaturg.trace.replay.steps.actor_replay.Sink`)."""
        receivers = np.empty(len(out) // 2, np.uint64)
        many = sums.receivers_of(out, receivers)
        numbers = self._log.numbering.find_all(receivers[:many])
        unknown = np.flatnonzero(numbers < 0)
        if len(unknown):
            self._nobody(int(receivers[unknown[0]]))
            numbers[unknown] = len(self._log.names)
        to, by, at = (np.empty(many, np.int32) for _ in range(3))
        continues = int(actors[0]) == self._last
        if not continues:
            self._forget()
        _, begun, spanned, status = sums.add_sent(
            self._key, out, ends, actors, begins, firsts, self._log.names, numbers, ARITIES,
            self._counts, continues, self._cell, self._sums, to, by, at,
        )  # fmt: skip
        if status != sums.FITS:
            raise Undecided("the model sends a kind of message that no chapter has")
        self._last, self._spanned, self._touched = int(actors[-1]), bool(spanned), to[begun:]
        self._sent(to, by, at)

    def say(self, lead: int, lines: Sequence[Line]) -> None:
        """Add what control said to the lead."""
        self._sums[self._cell[lead]] += said(self._key, self._log.names[lead], lines)

    def sent(self) -> NDArray[np.uint64]:
        """The sum over all cells, of what was sent until now."""
        return self._sums.sum(axis=0, dtype=np.uint64)

    def taken(self, groups: Sequence[Shard]) -> NDArray[np.uint64]:
        """The sums of what the actors of each of these took."""
        taken = np.zeros((len(groups), 2), np.uint64)
        log, counts = self._log, np.zeros(len(self._log.names), np.int32)
        for group, total in zip(groups, taken, strict=True):
            sums.add_taken(
                self._key, group.first, group.end, log.base, log.arguments, log.names, log.sender,
                log.kind, log.args, ARITIES, counts, total,
            )  # fmt: skip
        return taken

    def differing(self) -> list[Shard]:
        """The cells whose actors took something else than they were sent."""
        differ = (self.taken(self.cells) != self._sums[:-1]).any(axis=1)
        return [cell for cell, differs in zip(self.cells, differ, strict=True) if differs]

    def _forget(self) -> None:
        if self._spanned:
            self._counts[:] = 0
        else:
            self._counts[self._touched] = 0

    def _nobody(self, receiver: int) -> None:
        """Told of somebody whom the log does not name, and who was sent something."""

    def _sent(self, to: NDArray[np.int32], by: NDArray[np.int32], at: NDArray[np.int32]) -> None:
        """Told who was sent something by whom, upon which of its events."""


def said(key: NDArray[np.uint64], receiver: np.uint64, lines: Sequence[Line]) -> NDArray[np.uint64]:
    """The sum of what control said to the lead, which is the receiver."""
    total = np.zeros(2, np.uint64)
    for number, (kind, args) in enumerate(lines):
        words = np.array(args, np.uint64)
        hashes = sums.hashed(
            key, np.uint64(names.name(names.CONTROL)), receiver, np.int64(number),
            np.uint64(kind), words, 0, len(args),
        )  # fmt: skip
        # An array wraps and says nothing.
        total += np.array(hashes, np.uint64)
    return total


class Sent(Sums):
    """The sums, and on disk by the receiver's shard what was sent to whom."""

    def __init__(self, log: Sorted, scratch: Scratch) -> None:
        super().__init__(log)
        self.shards = log.shards()
        self.begins = log.base[[shard.first for shard in self.shards]]
        self.places = self.begins.copy()
        self._ends = log.base[[shard.end for shard in self.shards]]
        self._shard = _of(self.shards)
        self._scratch = scratch

    def _nobody(self, receiver: int) -> None:
        raise Refused(f"{names.spell(receiver)} has taken nothing of what it was sent")

    def _sent(self, to: NDArray[np.int32], by: NDArray[np.int32], at: NDArray[np.int32]) -> None:
        self.keep(to, by, at)

    def keep(self, to: NDArray[np.int32], by: NDArray[np.int32], at: NDArray[np.int32]) -> None:
        """Keep that these were sent something by those, upon that event of each. The messages of
        one sender come on end. Raises Refused if more was sent than was taken."""
        of = self._shard[to]
        by_shard = np.argsort(of, kind="stable")
        each = np.bincount(of, minlength=len(self.shards))
        if (self.places + each > self._ends).any():
            raise Refused("more was sent than was taken")
        self._scratch.spread(
            tuple(SENT), tuple(column[by_shard] for column in (to, by, at)), each, self.places
        )


def _of(shards: list[Shard]) -> NDArray[np.int32]:
    """Return the number of the shard in which each actor is."""
    many = [shard.end - shard.first for shard in shards]
    return np.repeat(np.arange(len(shards), dtype=np.int32), many)


def lead_of(workload: Workload, log: Sorted) -> int:
    """The number of the actor to which control speaks. Raises Refused and Undecided for a log that
    can be no run, or is too large."""
    most = int(np.diff(log.base).max(initial=0))
    if max(most, len(log.names)) > MOST_OF_ONE:
        raise Undecided(f"there are more than {MOST_OF_ONE} actors, or events of one")
    lead = log.numbering.find(workload.lead)
    if lead < 0:
        raise Refused(f"{names.spell(workload.lead)} has taken nothing")
    return lead


def refuse_unborn(log: Sorted, parents: NDArray[np.int32]) -> None:
    """Raises Refused for a log of somebody whom nobody made."""
    unborn = (parents == NOT_BORN) & (np.diff(log.base) > 0)
    if unborn.any():
        name = names.spell(int(log.names[int(unborn.argmax())]))
        raise Refused(f"{name} has a log and was never made")


def _decide(workload: Workload, log: Sorted) -> Decision:
    lead = lead_of(workload, log)
    with Scratch(log.folder, "sent", SENT) as scratch:
        sent = Sent(log, scratch)
        alone = Alone(log, lead, sent)
        alone.play(workload)
        refuse_unborn(log, alone.parents)
        due = spoken(workload, len(alone.reports))
        sent.say(lead, workload.script[: len(due)])
        cells = sent.differing()
        if cells:
            return Decision(False, "some messages were not taken as they were sent", cells)
        hold_to_order(log, sent, scratch, alone, lead, due)
    born = np.concatenate([log.names[alone.parents != NOT_BORN], np.array(alone.silent, np.uint64)])
    return Decision(
        True,
        control=[message for _, message in alone.reports],
        born=born,
        alive=len(born) - alone.ended,
    )


class Made(Protocol):
    """The actors that were made, and their reports."""

    @property
    def parents(self) -> NDArray[np.int32]: ...
    @property
    def births(self) -> NDArray[np.int32]: ...
    @property
    def reports(self) -> Sequence[tuple[int, Message]]: ...


def hold_to_order(
    log: Sorted, sent: Sent, scratch: Scratch, made: Made, lead: int, due: Sequence[int]
) -> None:
    """``due`` is how many reports each line of control waited for. Raises Refused for an event that
    comes before what made it."""
    control = log.numbering.find(names.name(names.CONTROL))
    after = [order.NOTHING if not reports else made.reports[reports - 1][0] for reports in due]
    lines = np.array(after, np.int32)
    file = log.folder / "cause"
    try:
        with file.open("w+b") as stream:
            # A page of a mapped file for which the disk has no room would end this process.
            os.posix_fallocate(stream.fileno(), 0, max(1, 4 * log.rows))
            cause = np.asarray(np.memmap(stream, np.int32, "r+", shape=(log.rows,)))
        first, told = np.full(len(log.names), -1, np.int64), 0
        for shard, begin, end in zip(sent.shards, sent.begins, sent.places, strict=True):
            told = _causes(log, scratch, shard, int(begin), int(end), control, lines, told, first,
                           cause)  # fmt: skip
        position = order.taken(
            log.base, log.sender, cause, made.parents, made.births, control, lead
        )
        short = position < np.diff(log.base)
        if short.any():
            actor = int(short.argmax())
            raise Refused(
                f"{names.spell(int(log.names[actor]))} took its event {int(position[actor])} before"
                " it can have been sent"
            )
    finally:
        file.unlink(missing_ok=True)


def _causes(
    log: Sorted, scratch: Scratch, shard: Shard, begin: int, end: int, control: int,
    due: NDArray[np.int32], told: int, first: NDArray[np.int64], cause: NDArray[np.int32],
) -> int:  # fmt: skip
    base = log.base[shard.first : shard.end + 1] - log.base[shard.first]
    rows = slice(begin, begin + int(base[-1]))
    who: NDArray[np.int32]
    when: NDArray[np.int32]
    if shard.end == shard.first + 1 and int(base[-1]) > SHARD:
        # By one receiver already, and perhaps more than memory has room for.
        who, when = scratch.mapped("by", begin, end), scratch.mapped("at", begin, end)
    else:
        who, when = np.full(int(base[-1]), -1, np.int32), np.empty(int(base[-1]), np.int32)
        to, by, at = (scratch.get(name, begin, end) for name in SENT)
        if not order.by_receiver(to, by, at, shard.first, base, who, when):
            raise Refused("somebody was sent more than it has taken")
    now = order.causes(base, log.sender[rows], who, when, control, due, told, first, cause[rows])
    if now < 0:
        raise Refused("a message was taken that was not sent")
    return int(now)
