"""The places of departure of a run that the three steps refuse and that is too large for the token
game.

Everybody is played once more, as far as that goes, and sums say which cells of receivers differ.
In these cells the sent messages are held against the taken ones, one by one. An actor sends what
its own log makes it send, altered or not: so nobody is named for what others did before.
"""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dramaturg.model import names
from dramaturg.model.workload import Workload
from dramaturg.trace.columns.store import ARITIES, Shard, Sorted
from dramaturg.trace.events import Event, Message
from dramaturg.trace.replay.divergence import Divergence, Kind, first
from dramaturg.trace.replay.steps.actor_replay import Alone
from dramaturg.trace.replay.steps.three_steps import Sums, spoken

MOST_ROWS = 1 << 21
"""The most rows of cells that are looked through: the messages sent to them are in memory."""

MOST_FOUND = 1000
"""Places that are told."""

_CONTROL = names.name(names.CONTROL)


class _Lenient(Sums):
    """Knows who was sent something and is not named."""

    def __init__(self, log: Sorted) -> None:
        super().__init__(log)
        self.nobody: list[int] = []

    def _nobody(self, receiver: int) -> None:
        self.nobody.append(receiver)


class _Messages:
    """Keeps what was sent to some actors."""

    def __init__(self, log: Sorted, wanted: set[int]) -> None:
        self.sent: defaultdict[tuple[int, int], list[Message]] = defaultdict(list)
        self._log, self._wanted = log, wanted

    def take(
        self,
        out: NDArray[np.uint64],
        ends: NDArray[np.int64],
        actors: NDArray[np.int64],
        begins: NDArray[np.int64],
        firsts: NDArray[np.int64],
    ) -> None:
        place, words, wanted = 0, out.tolist(), self._wanted
        stops = [*begins[1:].tolist(), len(ends)]
        for actor, begin, stop in zip(actors.tolist(), begins.tolist(), stops, strict=True):
            sender = int(self._log.names[actor])
            end = int(ends[stop - 1]) if stop > begin else place
            while place < end:
                receiver, kind = words[place], words[place + 1] & 0xFFFFFFFF
                after = place + 2 + (words[place + 1] >> 32)
                if receiver in wanted:
                    self.sent[sender, receiver].append((kind, tuple(words[place + 2 : after])))
                place = after


def found(workload: Workload, log: Sorted) -> list[str]:
    """The places, in words, the one first that explains the others; none if no message differs.
    Raises Undecided."""
    lead = log.numbering.find(workload.lead)
    if lead < 0:
        return [f"{names.spell(workload.lead)} has no log"]
    failed: dict[int, str] = {}

    def fail(actor: int, event: int, error: Exception) -> None:
        name = names.spell(int(log.names[actor]))
        failed[actor] = f"{name} cannot have taken its event {event} ({error!r:.200})"

    lenient = _Lenient(log)
    alone = Alone(log, lead, lenient, fail)
    alone.play(workload)
    lines = workload.script[: len(spoken(workload, len(alone.reports)))]
    lenient.say(lead, lines)
    cells, rows = list[Shard](), 0
    for cell in lenient.differing():
        rows += int(log.base[cell.end] - log.base[cell.first])
        if cells and rows > MOST_ROWS:
            break
        cells.append(cell)
    wanted = {int(name) for cell in cells for name in log.names[cell.first : cell.end]}
    sent = _Messages(log, wanted | set(lenient.nobody[:MOST_FOUND]))
    Alone(log, lead, sent, lambda actor, event, error: None).play(workload)
    sent.sent[_CONTROL, workload.lead].extend(lines)
    broken_off = {int(log.names[actor]) for actor in failed}
    divergences = _differing(log, cells, lenient.nobody, sent.sent, broken_off)
    if not divergences:
        return list(failed.values())[:MOST_FOUND]
    one = first(divergences)
    assert one is not None
    others = [each.headline() for each in divergences if each is not one]
    return [one.headline(), *others[: MOST_FOUND - 1]]


def _differing(
    log: Sorted,
    cells: Sequence[Shard],
    nobody: Sequence[int],
    sent: dict[tuple[int, int], list[Message]],
    broken_off: set[int],
) -> list[Divergence]:
    """The first message of each pair that was not taken as it was sent. An actor that was
    ``broken_off`` may have sent more than is known."""
    to: defaultdict[int, dict[int, list[Message]]] = defaultdict(dict)
    for (sender, receiver), messages in sent.items():
        to[receiver][sender] = messages
    divergences = []
    for cell in cells:
        for number in range(cell.first, cell.end):
            receiver = int(log.names[number])
            divergences += _of_receiver(
                receiver, log_of(log, number), to.pop(receiver, {}), broken_off
            )
    for receiver in nobody:
        divergences += _of_receiver(receiver, [], to.pop(receiver, {}), broken_off)
    return divergences


def _of_receiver(
    receiver: int, log: Sequence[Event], sent: dict[int, list[Message]], broken_off: set[int]
) -> list[Divergence]:
    found, expected = list[Divergence](), {sender: iter(each) for sender, each in sent.items()}
    done: set[int] = set()
    for position, (sender, actual) in enumerate(log):
        if sender in done:
            continue
        next_one = next(expected.get(sender, iter(())), None)
        if next_one != actual:
            done.add(sender)
            if next_one is not None or sender not in broken_off:
                kind = Kind.INVENTED if next_one is None else Kind.ALTERED
                found.append(_divergence(kind, receiver, position, sender, next_one, actual))
    for sender, rest in expected.items():
        missing = next(rest, None)
        if sender not in done and missing is not None:
            found.append(_divergence(Kind.LOST, receiver, len(log), sender, missing, None))
    return found


def _divergence(
    kind: Kind,
    receiver: int,
    position: int,
    sender: int,
    expected: Message | None,
    actual: Message | None,
) -> Divergence:
    return Divergence(kind, receiver, position, sender, expected, actual, {}, {}, [])


def log_of(log: Sorted, number: int) -> list[Event]:
    """The events of the actor of this number."""
    begin, end = int(log.base[number]), int(log.base[number + 1])
    kinds = log.kind[begin:end]
    ends = int(log.arguments[number]) + np.cumsum(ARITIES[kinds])
    words, at = [], int(log.arguments[number])
    for stop in ends.tolist():
        words.append(tuple(log.args[at:stop].tolist()))
        at = stop
    senders = log.names[log.sender[begin:end]].tolist()
    return list(zip(senders, zip(kinds.tolist(), words, strict=True), strict=True))
