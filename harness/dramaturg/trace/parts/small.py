"""Outsiders of the benchmarks in which each pair of actors is a world of its own: ping-pong,
bang, chain, fanout, sleepers and mergesort. All that is sent there is a fact."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import accumulate
from typing import ClassVar

import numpy as np

from dramaturg.model import bang, chain, fanout, mergesort, names, pingpong, sleepers
from dramaturg.model.actor import Actor
from dramaturg.model.fold import add, checksum, fold
from dramaturg.trace.events import Logs, Message
from dramaturg.trace.parts.outside import ENDLESS, FREE, Inside, Open, Outside
from dramaturg.v2 import trace_pb2 as kind

_PING, _PONG = names.name(names.PING), names.name(names.PONG)
_RECEIVER = names.name(names.RECEIVER)
_MASTER = names.name(names.MASTER)
_ALARM = names.name(names.ALARM)


class PingPong(Outside):
    """Either answers the other: what one logs says what both did."""

    OPEN: ClassVar = (Open(names.PONG, names.PING, "which `ping` is the last", windowed=True),)

    def births(self) -> Iterable[Actor]:
        if self.inside.whole(_PING):
            yield pingpong.Ping(_PING, _PONG, self.parameters)
            self.stand_in(pingpong.Pong(_PONG))
        if self.inside.whole(_PONG):
            yield pingpong.Pong(_PONG)

    def enter(self, actor: Actor) -> None:
        receiver = actor.name
        if receiver != _PONG or self.inside.whole(_PING):
            return
        rounds = self.parameters.rounds
        length = ENDLESS if self.parameters.windows else rounds

        def ping(n: int) -> Message:
            left = 1 if self.parameters.windows else rounds - 1 - n
            return kind.MESSAGE_KIND_PONG_PING, (left, fold(self.salt, n))

        self.lane(_PING, _PONG, kind.MESSAGE_KIND_PONG_PING, ping, length, released=1)

    def hear(self, sender: int, receiver: int, kind_: int, args: tuple[int, ...]) -> None:
        self.tell(sender, receiver, kind_, args)
        self.release(receiver, sender, kind.MESSAGE_KIND_PONG_PING)

    def judge(self, receiver: int, sender: int, message: Message) -> object | None:
        lane = self.lanes.get(receiver, {}).get((sender, message[0]))
        if lane is not None and self.parameters.windows and lane.taken < lane.released:
            last = message[0], (0, lane.at(lane.taken)[1][1])
            if message == last:
                lane.taken += 1
                lane.length = lane.taken
                return FREE
        return super().judge(receiver, sender, message)


class Bang(Outside):
    """Senders hear the receiver only, and the receiver answers each by itself."""

    OPEN: ClassVar = (
        Open(
            names.SENDER, names.RECEIVER, "when it is told to `stop`", order_only=True,
            windowed=True,
        ),
    )  # fmt: skip

    def __init__(self, parameters: bang.Parameters, salt: int, inside: Inside, logs: Logs) -> None:
        super().__init__(parameters, salt, inside, logs)
        self._answered: dict[int, list[int]] = {}
        """Of each outsider that sends: answers it took, their sum, and whether it may stop."""

    def births(self) -> Iterable[Actor]:
        p = self.parameters
        if self.inside.whole(_RECEIVER):
            yield bang.Receiver(p)
        for index in self.inside.of_class(names.SENDER, p.senders):
            if self.inside.whole(bang.sender_name(index)):
                yield bang.Sender(index, p)

    def enter(self, actor: Actor) -> None:
        receiver = actor.name
        p = self.parameters
        if receiver == _RECEIVER:
            for index in range(p.senders):
                if not self.inside.whole(bang.sender_name(index)):
                    self._enter_sender(index)
            return
        if self.inside.whole(_RECEIVER):
            return
        self.send(_RECEIVER, receiver, kind.MESSAGE_KIND_SENDER_GO, self.salt)
        digest = fold(self.salt, names.index_of(receiver))

        def answer(n: int) -> Message:
            return kind.MESSAGE_KIND_SENDER_ANSWER, (n, fold(fold(digest, n), self.salt))

        length = ENDLESS if p.windows else p.messages
        self.lane(_RECEIVER, receiver, kind.MESSAGE_KIND_SENDER_ANSWER, answer, length, 0)
        if p.windows:
            stop = kind.MESSAGE_KIND_SENDER_STOP, ()
            self.lane(_RECEIVER, receiver, stop[0], lambda n: stop, 1, 0)

    def _enter_sender(self, index: int) -> None:
        p, sender = self.parameters, bang.sender_name(index)
        digest = fold(self.salt, index)
        self._answered[sender] = [0, 0, not p.windows]

        def banged(n: int) -> Message:
            return kind.MESSAGE_KIND_RECEIVER_BANG, (n, fold(digest, n))

        def finished(n: int) -> Message:
            return kind.MESSAGE_KIND_RECEIVER_FINISHED, tuple(self._answered[sender][:2])

        length = ENDLESS if p.windows else p.messages
        self.lane(sender, _RECEIVER, kind.MESSAGE_KIND_RECEIVER_BANG, banged, length, 0)
        self.lane(sender, _RECEIVER, kind.MESSAGE_KIND_RECEIVER_FINISHED, finished, 1, 0)

    def hear(self, sender: int, receiver: int, kind_: int, args: tuple[int, ...]) -> None:
        p = self.parameters
        if kind_ == kind.MESSAGE_KIND_RECEIVER_BANG:
            self.release(receiver, sender, kind.MESSAGE_KIND_SENDER_ANSWER)
            if p.windows and args[0] == 0:
                self.release(receiver, sender, kind.MESSAGE_KIND_SENDER_STOP)
        elif receiver not in self._answered:
            return
        elif kind_ == kind.MESSAGE_KIND_SENDER_GO:
            self.release(receiver, sender, kind.MESSAGE_KIND_RECEIVER_BANG, p.messages)
        else:
            state = self._answered[receiver]
            if kind_ == kind.MESSAGE_KIND_SENDER_STOP:
                state[2] = True
            else:
                state[0] += 1
                state[1] = add(state[1], args[1])
                if not state[2]:
                    self.release(receiver, sender, kind.MESSAGE_KIND_RECEIVER_BANG)
            lane = self.lanes[_RECEIVER][receiver, kind.MESSAGE_KIND_RECEIVER_BANG]
            if state[2] and state[0] == lane.released:
                self.release(receiver, sender, kind.MESSAGE_KIND_RECEIVER_FINISHED)


class Chain(Outside):
    """What comes to a link from either side is a fact; back it comes after it has gone on."""

    def births(self) -> Iterable[Actor]:
        for index in self.inside.of_class(names.LINK, self.parameters.length):
            begins = index == 0 or not self.inside.whole(chain.link_name(index - 1))
            if begins and self.inside.whole(chain.link_name(index)):
                yield chain.Link(index)

    @cached_property
    def _there(self) -> "np.ndarray[tuple[int], np.dtype[np.uint32]]":
        """The digest in each link's `grow`, and the last link's own."""
        lefts = range(self.parameters.length - 1, -1, -1)
        return np.fromiter(accumulate(lefts, fold, initial=self.salt), np.uint32)

    @cached_property
    def _back(self) -> "np.ndarray[tuple[int], np.dtype[np.uint32]]":
        """The digest in the `finish` that says length 1, 2, ..."""
        lengths = range(1, self.parameters.length)
        return np.fromiter(accumulate(lengths, fold, initial=int(self._there[-1])), np.uint32)

    def enter(self, actor: Actor) -> None:
        receiver = actor.name
        index, length = names.index_of(receiver), self.parameters.length
        if index > 0 and not self.inside.whole(chain.link_name(index - 1)):
            there = length - 1 - index, int(self._there[index])
            maker = chain.link_name(index - 1)
            self.send(maker, receiver, kind.MESSAGE_KIND_LINK_GROW, *there)

    def hear(self, sender: int, receiver: int, kind_: int, args: tuple[int, ...]) -> None:
        if kind_ == kind.MESSAGE_KIND_LINK_GROW:
            back = self.comes_back(args[0] + 1)
            self.send(receiver, sender, kind.MESSAGE_KIND_LINK_FINISH, *back)

    def comes_back(self, length: int) -> tuple[int, int]:
        """The `finish` of so many links."""
        return length, int(self._back[length - 1])


class Fanout(Outside):
    """The master keeps as many tasks under way at a runner as its window says; a runner hears
    nobody else."""

    def births(self) -> Iterable[Actor]:
        p = self.parameters
        if self.inside.whole(_MASTER):
            yield fanout.Master(p)
            for index in range(p.runners):
                if not self.inside.whole(fanout.runner_name(index)):
                    self.stand_in(fanout.Runner(index, p))
        for index in self.inside.of_class(names.RUNNER, p.runners):
            if self.inside.whole(fanout.runner_name(index)):
                yield fanout.Runner(index, p)

    def enter(self, actor: Actor) -> None:
        receiver = actor.name
        if receiver == _MASTER or self.inside.whole(_MASTER):
            return
        p, digest = self.parameters, fold(self.salt, names.index_of(receiver))

        def task(n: int) -> Message:
            return kind.MESSAGE_KIND_RUNNER_TASK, (n, fold(digest, n))

        first = min(p.window, p.tasks) if p.window else p.tasks
        self.lane(_MASTER, receiver, kind.MESSAGE_KIND_RUNNER_TASK, task, p.tasks, first)

    def hear(self, sender: int, receiver: int, kind_: int, args: tuple[int, ...]) -> None:
        self.tell(sender, receiver, kind_, args)
        if self.parameters.window:
            self.release(receiver, sender, kind.MESSAGE_KIND_RUNNER_TASK)


class Sleepers(Outside):
    """The alarm sends each sleeper to sleep when it has woken up; a sleeper hears nobody else
    but its timer."""

    def births(self) -> Iterable[Actor]:
        p = self.parameters
        if self.inside.whole(_ALARM):
            yield sleepers.Alarm(p)
            for index in range(p.sleepers):
                if not self.inside.whole(sleepers.sleeper_name(index)):
                    self.stand_in(sleepers.Sleeper(index, p))
        for index in self.inside.of_class(names.SLEEPER, p.sleepers):
            if self.inside.whole(sleepers.sleeper_name(index)):
                yield sleepers.Sleeper(index, p)

    def enter(self, actor: Actor) -> None:
        receiver = actor.name
        if receiver != _ALARM and not self.inside.whole(_ALARM):
            self._sleep(receiver, 0)

    def hear(self, sender: int, receiver: int, kind_: int, args: tuple[int, ...]) -> None:
        self.tell(sender, receiver, kind_, args)
        if kind_ == kind.MESSAGE_KIND_ALARM_AWAKE and args[0] + 1 < self.parameters.naps:
            self._sleep(sender, args[0] + 1)

    def _sleep(self, sleeper: int, number: int) -> None:
        value = fold(fold(self.salt, names.index_of(sleeper)), number)
        if self.inside.whole(sleeper):
            self.send(_ALARM, sleeper, kind.MESSAGE_KIND_SLEEPER_SLEEP, number, value)


class Mergesort(Outside):
    """Which part of the list a sorter gets follows from its place; what comes back of it, too."""

    def births(self) -> Iterable[Actor]:
        for place in self._places():
            if self.inside.whole(mergesort.sorter_name(place)):
                parent = mergesort.sorter_name(place // 2)
                if place == 1 or not self.inside.whole(parent):
                    yield mergesort.Sorter(place, self.parameters)

    def _places(self) -> Iterator[int]:
        """Of those who may be watched, those there are."""
        most = 1
        length = self.parameters.length
        while length > self.parameters.leaf:
            most, length = 2 * most + 1, (length + 1) // 2
        for place in self.inside.of_class(names.SORTER, most + 1, least=1):
            if self.share(place) is not None:
                yield place

    def share(self, place: int) -> tuple[int, int] | None:
        """The first index and the length of what this sorter gets; None if there is no such."""
        p = self.parameters
        first, length = 0, p.length
        for bit in bin(place)[3:]:
            if length <= p.leaf:
                return None
            middle = (length + 1) // 2
            first, length = (first + middle, length - middle) if bit == "1" else (first, middle)
        return first, length

    def _checksum(self, first: int, length: int, in_order: bool) -> int:
        items = mergesort.numbers(self.parameters.length, self.parameters.seed)
        part = items[first : first + length]
        return checksum(self.salt, sorted(part) if in_order else part)

    def enter(self, actor: Actor) -> None:
        receiver = actor.name
        place = names.index_of(receiver)
        maker = mergesort.sorter_name(place // 2)
        share = self.share(place)
        if place > 1 and share is not None and not self.inside.whole(maker):
            sort = *share, self.salt, self._checksum(*share, in_order=False)
            self.send(maker, receiver, kind.MESSAGE_KIND_SORTER_SORT, *sort)

    def hear(self, sender: int, receiver: int, kind_: int, args: tuple[int, ...]) -> None:
        if kind_ == kind.MESSAGE_KIND_SORTER_SORT:
            answer = self.comes_back(*args[:2])
            self.send(receiver, sender, kind.MESSAGE_KIND_SORTER_SORTED, *answer)

    def comes_back(self, first: int, length: int) -> tuple[int, int, int]:
        """The `sorted` of this part of the list."""
        many = mergesort.sorters(length, self.parameters.leaf)
        return length, many, self._checksum(first, length, in_order=True)
