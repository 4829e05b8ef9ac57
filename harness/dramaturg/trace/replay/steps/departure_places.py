"""The places of departure of a run that the three steps refuse and that is too large for the token
game.

Everybody is played once more, as far as that goes, and sums say which cells of receivers differ.
In these cells the sent messages are held against the taken ones, one by one. An actor sends what
its own log makes it send, altered or not: so nobody is named for what others did before.
"""

import secrets
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from dramaturg.model import names
from dramaturg.model.workload import Line, Workload
from dramaturg.trace.columns.store import ARITIES, Shard, Sorted
from dramaturg.trace.events import Event, Message
from dramaturg.trace.replay.divergence import Divergence, Kind, first
from dramaturg.trace.replay.steps.actor_replay import Alone, Refused
from dramaturg.trace.replay.steps.three_steps import Sums, spoken

MOST_ROWS = 1 << 21
"""The most rows of cells that are looked through: the messages sent to them are in memory. The
blocks of an actor that has taken more are looked through by themselves."""

MOST_LARGE = 8
"""The most of such actors that are looked at, until one of them shows a place."""

BLOCK = 1 << 14
"""Messages of a sender to such an actor that have a digest of their own."""

PIECE = 1 << 18
"""Events of an actor that are read at a time."""

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


class _Heard(ABC):
    """Hears what is sent to some actors, a message at a time."""

    def __init__(self, log: Sorted, wanted: set[int]) -> None:
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
                    self.hear(sender, receiver, (kind, tuple(words[place + 2 : after])))
                place = after

    @abstractmethod
    def hear(self, sender: int, receiver: int, message: Message) -> None:
        """A message that is sent; those of a pair come in order."""


class _Messages(_Heard):
    """Keeps what was sent."""

    def __init__(self, log: Sorted, wanted: set[int]) -> None:
        super().__init__(log, wanted)
        self.sent: defaultdict[tuple[int, int], list[Message]] = defaultdict(list)

    def hear(self, sender: int, receiver: int, message: Message) -> None:
        self.sent[sender, receiver].append(message)


Block = tuple[int, int]
"""A sender, and which of the blocks of its messages to one actor."""


class _Blocks(_Heard):
    """Has a digest of each block of what is sent to one actor. Digests depend on the order: the
    messages of a pair come in theirs."""

    def __init__(self, log: Sorted, receiver: int, key: int | None = None) -> None:
        """``key`` is drawn, unless it is that of digests to compare these with."""
        super().__init__(log, {receiver})
        self._key = secrets.randbits(63) if key is None else key
        self.digests: dict[Block, int] = {}
        self._count: defaultdict[int, int] = defaultdict(int)

    def hear(self, sender: int, receiver: int, message: Message) -> None:
        number = self._count[sender]
        self._count[sender] = number + 1
        block = sender, number // BLOCK
        self.digests[block] = hash((self.digests.get(block, self._key), message))

    def differing(self, log: Iterable[Event]) -> set[Block]:
        """The first block of each sender that is not in this log, which is the actor's; those of no
        more senders than have room in memory."""
        taken = _Blocks(self._log, 0, self._key)
        for sender, message in log:
            taken.hear(sender, 0, message)
        firsts: dict[int, int] = {}
        for sender, block in sorted(self.digests.keys() | taken.digests.keys()):
            if self.digests.get((sender, block)) != taken.digests.get((sender, block)):
                firsts.setdefault(sender, block)
        return set(list(firsts.items())[: MOST_ROWS // BLOCK])


class _OfBlocks(_Heard):
    """Keeps some blocks of what is sent to one actor."""

    def __init__(self, log: Sorted, receiver: int, blocks: set[Block]) -> None:
        super().__init__(log, {receiver})
        self.sent: defaultdict[int, list[Message]] = defaultdict(list)
        self._blocks = blocks
        self._count: defaultdict[int, int] = defaultdict(int)

    def hear(self, sender: int, receiver: int, message: Message) -> None:
        number = self._count[sender]
        self._count[sender] = number + 1
        if (sender, number // BLOCK) in self._blocks:
            self.sent[sender].append(message)


def found(workload: Workload, log: Sorted) -> list[str]:
    """The places, in words, the one first that explains the others; none if no message differs.
    Raises Undecided."""
    lead = log.numbering.find(workload.lead)
    if lead < 0:
        return [f"{names.spell(workload.lead)} has no log"]
    try:
        return _Places(workload, log, lead).found()
    except Refused as refusal:
        return [str(refusal)]


class _Places:
    def __init__(self, workload: Workload, log: Sorted, lead: int) -> None:
        self._workload, self._log, self._lead = workload, log, lead
        self._failed: dict[int, str] = {}
        self._lines: Sequence[Line] = ()

    def found(self) -> list[str]:
        log = self._log
        lenient = _Lenient(log)
        alone = Alone(log, self._lead, lenient, self._fail)
        alone.play(self._workload)
        self._lines = self._workload.script[: len(spoken(self._workload, len(alone.reports)))]
        lenient.say(self._lead, self._lines)
        cells, large, rows = list[Shard](), list[int](), 0
        for cell in lenient.differing():
            many = int(log.base[cell.end] - log.base[cell.first])
            if many > MOST_ROWS:
                large.append(cell.first)
            elif rows + many <= MOST_ROWS:
                rows += many
                cells.append(cell)
        broken_off = {int(log.names[actor]) for actor in self._failed}
        divergences = self._of_cells(cells, lenient.nobody, broken_off)
        for number in large[:MOST_LARGE]:
            if more := self._of_one(number, broken_off):
                divergences += more
                break
        if not divergences:
            return list(self._failed.values())[:MOST_FOUND]
        one = first(divergences)
        assert one is not None
        others = [each.headline() for each in divergences if each is not one]
        return [one.headline(), *others[: MOST_FOUND - 1]]

    def _fail(self, actor: int, event: int, error: Exception) -> None:
        name = names.spell(int(self._log.names[actor]))
        why = str(error) if isinstance(error, Refused) else f"{error!r:.200}"
        self._failed[actor] = f"{name} cannot have taken its event {event} ({why})"

    def _hear(self, heard: _Heard, receiver: int | None = None) -> None:
        """Have everybody send again; ``receiver`` is the only one who is listened to."""
        Alone(self._log, self._lead, heard, lambda *_: None).play(self._workload)
        if receiver in (None, self._workload.lead):
            for line in self._lines:
                heard.hear(_CONTROL, self._workload.lead, line)

    def _of_cells(
        self, cells: Sequence[Shard], nobody: Sequence[int], broken_off: set[int]
    ) -> list[Divergence]:
        if not cells and not nobody:
            return []
        log = self._log
        wanted = {int(name) for cell in cells for name in log.names[cell.first : cell.end]}
        sent = _Messages(log, wanted | set(nobody[:MOST_FOUND]))
        self._hear(sent)
        return _differing(log, cells, nobody, sent.sent, broken_off)

    def _of_one(self, number: int, broken_off: set[int]) -> list[Divergence]:
        """The same of an actor whose messages have no room in memory: of the blocks that differ."""
        receiver = int(self._log.names[number])
        digests = _Blocks(self._log, receiver)
        self._hear(digests, receiver)
        blocks = digests.differing(events_of(self._log, number))
        kept = _OfBlocks(self._log, receiver, blocks)
        self._hear(kept, receiver)
        log, count = list[tuple[int, Event]](), defaultdict[int, int](int)
        for position, (sender, message) in enumerate(events_of(self._log, number)):
            if (sender, count[sender] // BLOCK) in blocks:
                log.append((position, (sender, message)))
            count[sender] += 1
        length = int(self._log.base[number + 1] - self._log.base[number])
        return _of_receiver(receiver, log, length, kept.sent, broken_off)


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
            events = list(enumerate(events_of(log, number)))
            divergences += _of_receiver(
                receiver, events, len(events), to.pop(receiver, {}), broken_off
            )
    for receiver in nobody:
        divergences += _of_receiver(receiver, [], 0, to.pop(receiver, {}), broken_off)
    return divergences


def _of_receiver(
    receiver: int,
    log: Sequence[tuple[int, Event]],
    length: int,
    sent: dict[int, list[Message]],
    broken_off: set[int],
) -> list[Divergence]:
    """``log`` has the places and the events that are looked at, ``length`` is that of the whole."""
    found, expected = list[Divergence](), {sender: iter(each) for sender, each in sent.items()}
    done: set[int] = set()
    for position, (sender, actual) in log:
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
            found.append(_divergence(Kind.LOST, receiver, length, sender, missing, None))
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
    return list(events_of(log, number))


def events_of(log: Sorted, number: int) -> Iterator[Event]:
    """The same, a piece in memory at a time."""
    at, last = int(log.arguments[number]), int(log.base[number + 1])
    for begin in range(int(log.base[number]), last, PIECE):
        end = min(begin + PIECE, last)
        kinds = log.kind[begin:end]
        ends = np.cumsum(ARITIES[kinds])
        args = log.args[at : at + int(ends[-1])].tolist()
        senders = log.names[log.sender[begin:end]].tolist()
        begun = 0
        for sender, kind, stop in zip(senders, kinds.tolist(), ends.tolist(), strict=True):
            yield sender, (kind, tuple(args[begun:stop]))
            begun = stop
        at += int(ends[-1])
