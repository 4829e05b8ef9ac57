"""Watches, and the logs that they ask for (TRACE-1 to TRACE-3).

Actors write in the event loop's thread and `Trace` reads in control's, so each event and each
reading is made under a lock: a reading is whole, and the counts fit the events.
"""

from array import array
from collections.abc import Iterator, Sequence
from threading import Lock
from typing import Any, TypedDict

from asyncio_actors.benchmarks import table
from asyncio_actors.benchmarks.mailbox import Arguments
from asyncio_actors.benchmarks.messages import Kind
from asyncio_actors.benchmarks.names import class_of, index_of

ROWS = 65_536
"""Maximum number of rows of a batch and of a message of counts."""

ALL = 0xFFFF_FFFF
"""``events`` of a watch without an end."""

# The fields of a watch, one of which is a keyword of Python's.
Watch = TypedDict(
    "Watch",
    {
        "class": int,
        "modulus": int,
        "remainder": int,
        "first": int,
        "last": int,
        "from": int,
        "events": int,
    },
)


class Columns:
    """Events that were logged and not delivered yet: integers in columns, as a batch has them."""

    __slots__ = ("actor", "args", "kind", "sender")

    def __init__(self) -> None:
        self.actor = array("Q")
        self.sender = array("Q")
        self.kind = array("I")
        self.args = array("Q")


class ActorLog:
    """The log of one watched actor."""

    __slots__ = ("_end", "_from", "_log", "name", "taken")

    def __init__(self, log: "Log", name: int, watch: Watch) -> None:
        self._log = log
        self._from = watch["from"]
        self._end = float("inf") if watch["events"] == ALL else self._from + watch["events"]
        self.name = name
        self.taken = 0

    def take(self, sender: int, kind: Kind, actor: object, arguments: Arguments) -> None:
        """The actor has taken a message from its mailbox: count it, and keep what is asked for."""
        log = self._log
        with log.lock:
            if self._from <= self.taken < self._end:
                columns = log.columns
                columns.actor.append(self.name)
                columns.sender.append(sender)
                columns.kind.append(kind.number)
                columns.args.extend(kind.logged(actor, arguments))
            self.taken += 1


class Log:
    """The logs of one world."""

    def __init__(self, watches: Sequence[Watch]) -> None:
        self._watches = {
            number: rows
            for number in table.CLASS_LABELS
            if (rows := [watch for watch in watches if watch["class"] in (0, number)])
        }
        self._logs: list[ActorLog] = []
        self.columns = Columns()
        self.lock = Lock()

    def born(self, actor: int) -> ActorLog | None:
        """Return the log of this actor, from its birth on; None if nobody watches it."""
        rows = self._watches.get(class_of(actor))
        if rows is None:
            return None
        index = index_of(actor)
        for watch in rows:
            if (
                watch["first"] <= index <= watch["last"]
                and index % watch["modulus"] == watch["remainder"]
            ):
                log = ActorLog(self, actor, watch)
                with self.lock:
                    self._logs.append(log)
                return log
        return None

    def hand_over(self) -> Iterator[dict[str, Any]]:
        """Yield the events since the last time, each actor's count, and the footer."""
        with self.lock:
            columns, self.columns = self.columns, Columns()
            names = [log.name for log in self._logs]
            taken = [log.taken for log in self._logs]
        yield from _batches(columns)
        for start in range(0, len(names), ROWS):
            rows = slice(start, start + ROWS)
            yield {"counts": {"actor": names[rows], "taken": taken[rows]}}
        yield {"footer": {"events": len(columns.kind), "watched": len(names)}}


def _batches(columns: Columns) -> Iterator[dict[str, Any]]:
    told = 0
    for start in range(0, len(columns.kind), ROWS):
        rows = slice(start, start + ROWS)
        kinds = columns.kind[rows].tolist()
        end = told + sum(table.KINDS[kind][1] for kind in kinds)
        yield {
            "batch": {
                "actor": columns.actor[rows].tolist(),
                "sender": columns.sender[rows].tolist(),
                "kind": kinds,
                "args": columns.args[told:end].tolist(),
            }
        }
        told = end
