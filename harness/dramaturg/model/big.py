"""Big (spec/big.md): every peer pings every other, the next one upon the last one's pong.

No selective receive: a peer answers the pings of others whenever they come, also
while it waits for a pong. In the counted form a peer knows how many pings it will get, so
it ends by itself when it has had them all and all its own pongs. With windows it does
not, and the coordinator ends all when nobody waits for a pong any more.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.model.crowd import Crowd
from dramaturg.model.distribution import Between, Homes, Least, dealt, living
from dramaturg.model.fold import add, fold, fold_each, sum_of_numbered, words
from dramaturg.model.windows import SCALES, Windows
from dramaturg.v2 import trace_pb2 as kind

_CONTROL = names.name(names.CONTROL)
_COORDINATOR = names.name(names.COORDINATOR)


def peer_name(index: int) -> int:
    return names.name(names.PEER, index)


@dataclass(frozen=True, slots=True)
class Parameters:
    """Peers, at least 2, and how often each pings all others, or for how many windows."""

    peers: int
    rounds: int
    windows: int = 0
    window: int = 0


SIZES = {"peers": (1_000, 128, 16), "rounds": (1, 1, 1)}
"""Parameters at scales full, small and tiny."""

WINDOWED = {"peers": (128, 32, 8), "rounds": (0, 0, 0)} | SCALES
"""The same of the windowed form."""

COUNTED = "pongs"
"""The count of its receipt that falls into windows."""

TICK = kind.MESSAGE_KIND_COORDINATOR_TICK
"""The message of its lead's timer at the end of a window (WIN-1)."""

LEAD_COUNTS = False
"""Peers count, and the lead sums what they say: its log has no pongs, so the place of a tick in it
says nothing of them. Its ticks come at their time, as any lead's."""

REST_TIMES = 40
"""The time that the rest may take after the last window, as a multiple of what as much takes in the
windows (WIN-5). As many pongs as there are peers are left, but each peer takes a mark, says
what it counted, is idle, is stopped and has finished: five messages that one coordinator sends or
takes, which gets its turn among all the peers that still ping, while windows are counted on all
cores."""

RECEIPT = "BIG-3"
"""The requirement on its receipt."""

GROWS = "rounds"
"""The parameter with which its run time grows."""

STEADY = (names.PEER,)
"""Classes that, all members together, take messages from the beginning of a run to its end: each
message waits for one before (MEAS-49)."""


class Coordinator(Actor):
    """Starts the peers and waits for them (BIG-1, BIG-5)."""

    actor_class = names.COORDINATOR

    __slots__ = (
        "parameters", "playing", "pings", "pongs", "given", "taken", "windows", "marks", "waiting",
    )  # fmt: skip

    def __init__(self, parameters: Parameters) -> None:
        super().__init__(_COORDINATOR)
        self.parameters = parameters
        self.playing = parameters.peers
        self.pings = 0
        self.pongs = 0
        self.given = 0
        self.taken = 0
        self.windows = Windows(self, TICK, parameters.windows)
        self.marks: dict[int, list[int]] = {}
        self.waiting = parameters.peers

    def start(self, sender: int, salt: int) -> None:
        if self.parameters.windows:
            self.windows.open()
        self._tell_all(kind.MESSAGE_KIND_PEER_GO, salt)

    def tick(self, sender: int, number: int) -> None:
        self._tell_all(kind.MESSAGE_KIND_PEER_MARK, number)
        self.windows.next(number)

    def marked(self, sender: int, number: int, pongs: int) -> None:
        marks = self.marks.setdefault(number, [])
        marks.append(pongs)
        if len(marks) == self.parameters.peers:
            self.windows.report(number, sum(self.marks.pop(number)))

    def idle(self, sender: int) -> None:
        self.waiting -= 1
        if self.waiting == 0:
            self._tell_all(kind.MESSAGE_KIND_PEER_STOP)

    def finished(self, sender: int, pings: int, pongs: int, given: int, taken: int) -> None:
        self.pings += pings
        self.pongs += pongs
        self.given = add(self.given, given)
        self.taken = add(self.taken, taken)
        self.playing -= 1
        if self.playing == 0:
            sums = (self.pings, self.pongs, self.given, self.taken)
            self.send(_CONTROL, kind.MESSAGE_KIND_CONTROL_DONE, *sums)
            self.terminate()

    def _tell_all(self, message: int, *args: int) -> None:
        for index in range(self.parameters.peers):
            self.send(peer_name(index), message, *args)


class Peer(Actor):
    """Pings its neighbours in turn, starting with the next one (BIG-2, BIG-6)."""

    actor_class = names.PEER

    __slots__ = (
        "index", "parameters", "salt", "pings", "pongs", "given", "taken", "marked", "pinging",
    )  # fmt: skip

    def __init__(self, index: int, parameters: Parameters) -> None:
        super().__init__(peer_name(index))
        self.index = index
        self.parameters = parameters
        self.salt = 0
        self.pings = 0
        self.pongs = 0
        self.given = 0
        self.taken = 0
        self.marked = 0
        self.pinging = True

    def go(self, sender: int, salt: int) -> None:
        self.salt = salt
        self._ping()

    def ping(self, sender: int, round: int, value: int) -> None:
        answer = fold(value, self.index)
        self.pings += 1
        self.given = add(self.given, answer)
        self.send(sender, kind.MESSAGE_KIND_PEER_PONG, round, answer)
        if not self.parameters.windows:
            self._end_when_done()

    def pong(self, sender: int, round: int, value: int) -> None:
        self.pongs += 1
        self.taken = add(self.taken, value)
        if self.parameters.windows:
            if self.pinging:
                self._ping()
            else:
                self.send(_COORDINATOR, kind.MESSAGE_KIND_COORDINATOR_IDLE)
            return
        if self.pongs < self._total():
            self._ping()
        self._end_when_done()

    def mark(self, sender: int, number: int) -> None:
        pongs, self.marked = self.pongs - self.marked, self.pongs
        self.send(_COORDINATOR, kind.MESSAGE_KIND_COORDINATOR_MARKED, number, pongs)
        self.pinging = number + 1 < self.parameters.windows

    def stop(self, sender: int) -> None:
        self._finish()

    def _total(self) -> int:
        return self.parameters.rounds * (self.parameters.peers - 1)

    def _ping(self) -> None:
        round, place = divmod(self.pongs, self.parameters.peers - 1)
        target = (self.index + 1 + place) % self.parameters.peers
        value = fold(fold(self.salt, self.index), round)
        self.send(peer_name(target), kind.MESSAGE_KIND_PEER_PING, round, value)

    def _end_when_done(self) -> None:
        if self.pings == self.pongs == self._total():
            self._finish()

    def _finish(self) -> None:
        sums = (self.pings, self.pongs, self.given, self.taken)
        self.send(_COORDINATOR, kind.MESSAGE_KIND_COORDINATOR_FINISHED, *sums)
        self.terminate()


LEAD = _COORDINATOR
"""The actor to which control speaks."""


def initial(p: Parameters) -> list[Actor]:
    """The actors that exist before the first message."""
    return [Coordinator(p), *(Peer(index, p) for index in range(p.peers))]


def begin(p: Parameters, salt: int) -> tuple[int, tuple[int, ...]]:
    """The line with which control begins: the kind and the arguments of a message to the lead."""
    return kind.MESSAGE_KIND_COORDINATOR_START, (salt,)


def receipt(p: Parameters, salt: int, counts: Mapping[str, int]) -> dict[str, int]:
    """The fields that every receipt must have (BIG-3, BIG-4). ``counts``: those that it has; in
    the windowed form it is known only that both ends agree."""
    if p.windows:
        return {"pings": counts["pongs"], "given": counts["taken"]}
    each = p.rounds * p.peers * (p.peers - 1)
    sum = _sum(p, salt)
    return {"pings": each, "pongs": each, "given": sum, "taken": sum}


def _sum(p: Parameters, salt: int) -> int:
    """Return the sum of all answers: each peer's to each ping of each other one."""
    peers = words(p.peers)
    asking = fold_each(salt, peers)
    total = 0
    if p.rounds > p.peers:
        for index, digest in enumerate(asking):
            for other in range(p.peers):
                if other != index:
                    total = add(total, sum_of_numbered(digest, p.rounds, other))
        return total
    for round in range(p.rounds):
        for index, value in enumerate(fold_each(asking, round)):
            answers = fold_each(value, peers)
            answers[index] = 0
            total = add(total, int(answers.sum(dtype="uint64")))
    return total


def rest(p: Parameters) -> int:
    """The pongs in no window: those of the ping that each peer has out when the last one ends
    (BIG-6)."""
    return p.peers


def messages(p: Parameters, counts: Mapping[str, int]) -> int:
    """The message budget: `go` and `finished` of each peer, pings and pongs; with windows
    `tick`, `mark` and `marked` for each, and `idle` and `stop`."""
    if not p.windows:
        return 2 * p.peers + 2 * p.rounds * p.peers * (p.peers - 1)
    marks = p.windows * (1 + 2 * p.peers)
    return 4 * p.peers + counts["pings"] + counts["pongs"] + marks


def population(p: Parameters) -> list[Crowd]:
    """The members of each class, and about how many messages each of them takes."""
    pings = 2 * p.rounds * (p.peers - 1)
    # The windowed form adds one `marked` of each peer for each window, `idle` and `finished`.
    heard = p.windows * (p.peers + 1) + 2 * p.peers if p.windows else p.peers
    return [
        Crowd(names.PEER, p.peers, 0 if p.windows else pings + 1),
        Crowd(names.COORDINATOR, 1, heard + 1),
    ]


def taken(p: Parameters, ended: bool, actor: int) -> int | None:
    """The number of messages that this actor takes in each run; None if that is no fact. ``ended``
    says whether the run was torn down."""
    if p.windows:
        return None
    match names.class_of(actor):
        case names.COORDINATOR:
            return p.peers + 1
        case names.PEER:
            return 2 * p.rounds * (p.peers - 1) + 1
    return None


HOMES: Homes = {names.PEER: dealt}
"""The actors that do not all live on node 0 (DIST-1)."""


def most_nodes(p: Parameters) -> int:
    """Over how many nodes at most: no node is empty."""
    return p.peers


def between(p: Parameters, nodes: int, one: int, other: int) -> Between:
    """Between two nodes: a peer waits for one answer at a time (DIST-9)."""
    here, there = living(p.peers, one, nodes), living(p.peers, other, nodes)
    return Between(here + there, 4 * here * there * p.rounds)


def crossing(p: Parameters, nodes: int, counts: Mapping[str, int]) -> Iterator[Least]:
    """The least that crosses. A peer has one ping under way, so those that it sends to the peers of
    a node, and their pongs, take turns. Each pair of peers of two nodes sends two pings and two
    pongs a round."""
    live = [living(p.peers, node, nodes) for node in range(nodes)]
    if p.windows:
        yield _crossing_of_windows(p, live, counts["pongs"])
        return
    for node, here in enumerate(live):
        for sending in (True, False):
            messages = turns = 0
            for other, there in enumerate(live):
                if other != node:
                    messages += 2 * here * there * p.rounds
                    turns += max(here, there) * p.rounds
            yield Least(node if sending else None, None if sending else node, messages, turns)
    for node, other in permutations(range(nodes), 2) if nodes > 2 else ():
        here, there = live[node], live[other]
        yield Least(node, other, 2 * here * there * p.rounds, max(here, there) * p.rounds)


def _crossing_of_windows(p: Parameters, live: list[int], pongs: int) -> Least:
    """For all nodes together: nobody knows how many pings each peer sends, but those to the peers
    of other nodes cross, of every ``peers - 1`` in a row."""
    begun = p.peers * (p.peers - 1)
    rounds = max(0, pongs - begun) // (p.peers - 1)
    away = p.peers - max(live)
    return Least(None, None, 2 * rounds * away, 2 * (rounds * away // p.peers))
