"""The time at which each message was sent, as far as the model's replay can say: a log only has the
time at which it was taken."""

from array import array
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dramaturg import files
from dramaturg.model import names
from dramaturg.model.workload import Workload
from dramaturg.trace.codec import IN_MEMORY
from dramaturg.trace.events import Logs, TraceError, without_cyclic_gc
from dramaturg.trace.partial.rerun import read_back
from dramaturg.trace.queries.message_columns import MessageColumns
from dramaturg.trace.replay.token_game import Replay, _Part
from dramaturg.v2 import case_pb2

_CONTROL = names.name(names.CONTROL)


@dataclass(frozen=True, slots=True)
class Sent:
    """The sending of each message, by row of the columns; -1 if the replay did not come so far."""

    upon: NDArray[np.int64]
    """The event of the sender's log upon which it was sent; -1 also where control sent it."""
    number: NDArray[np.int64]
    """Its number among all messages that its sender sent, from 0."""
    step: NDArray[np.int64]
    """Its place in the order in which the replay took all messages, from 1 on."""
    sent_step: NDArray[np.int64]
    """The last step that had been made when it was sent."""


def sent_upon(file: Path, run: case_pb2.RecordedRun, columns: MessageColumns) -> Sent:
    """Replays the run. Raises TraceError for one that is watched in part, one that is too large
    for memory, and one that no run of the model can have led to."""
    if run.watches:
        raise TraceError(
            f"{file}: only a part of its actors was watched, so nobody knows when messages were"
            " sent: leave --sent out"
        )
    if columns.rows > IN_MEMORY:
        raise TraceError(
            f"{file} has {columns.rows:,} messages, and --sent replays up to {IN_MEMORY:,}: leave"
            " --sent out"
        )
    workload, logs = read_back(file, run)
    order = _Order(workload, logs.in_lists())
    try:
        order.play()
    except MemoryError:
        raise  # Whoever set a limit says so.
    except Exception as error:
        # The model never fails on a run of its own: these are parts of different ones.
        said = files.brief(repr(error))
        raise TraceError(f"{file}: its parameters, script and logs do not fit ({said})") from None
    return order.by_row(columns)


class _Order(Replay):
    """A replay that keeps when each message was taken, and upon which event it was sent."""

    def __init__(self, workload: Workload, logs: Logs) -> None:
        self._steps = self._event = 0
        self._sent: dict[tuple[int, int], array[int]] = {}
        """By receiver and sender, for each message: the event upon which it was sent, its number,
        the step."""
        self._numbers: dict[int, int] = {}
        """By sender: how many messages it has sent."""
        self._taken = {name: array("q") for name in logs}
        """By receiver, for each event of its log: the step in which it was taken."""
        super().__init__(workload, logs)

    def play(self) -> None:
        """Consume until nothing moves."""
        with without_cyclic_gc():
            self._speak()
            while self._ready:
                self._consume(self._ready.pop())

    def _consume(self, part: _Part) -> None:
        actor, log = part.actor, part.log
        if actor is None or part.diverged:
            return
        self._current = part.name
        while part.position < len(log) and not part.ended:
            sender, message = log[part.position]
            queue = part.inbox.get(sender)
            if not queue:
                part.waiting = sender
                break
            if queue[0] != message:
                part.diverged = True
                break
            del queue[0]
            self._steps += 1
            self._event = part.position
            self._taken[part.name].append(self._steps)
            part.position += 1
            actor.handlers[message[0]](actor, sender, *message[1])

    def _send(self, receiver: int, kind: int, *args: int) -> None:
        event = -1 if self._current == _CONTROL else self._event
        pair = receiver, self._current
        if pair not in self._sent:
            self._sent[pair] = array("q")
        number = self._numbers.get(self._current, 0)
        self._numbers[self._current] = number + 1
        self._sent[pair].extend((event, number, self._steps))
        super()._send(receiver, kind, *args)

    def by_row(self, columns: MessageColumns) -> Sent:
        """Return the findings, row by row. Messages of a pair are taken in the order in which they
        were sent."""
        found = np.full((4, columns.rows), -1, np.int64)
        rows = zip(
            columns.receiver.tolist(), columns.sender.tolist(), columns.event.tolist(),
            columns.pair_number.tolist(), strict=True,
        )  # fmt: skip
        for row, (receiver, sender, event, number) in enumerate(rows):
            taken = self._taken[receiver]
            if event < len(taken):
                upon, sent, step = self._sent[receiver, sender][3 * number : 3 * number + 3]
                found[:, row] = upon, sent, taken[event], step
        return Sent(*found)
