"""Wrong waits: for who computes, after a silence, by a timer, for a core; and too few bits."""

import os
import sys
import threading
import time
from collections.abc import AsyncIterator
from typing import Any

from dramaturg.v2 import trace_pb2 as kind

from reference import __main__ as reference
from reference.actors import System
from reference.control.port import Control

SILENCE = 15.0
"""Seconds after which what is idle is given up."""

# --- control and those who compute ---


def trace_waits_for_those_who_compute() -> None:
    """Trace is answered by the thread that runs the actors, when it comes to that."""

    async def trace(self: Any, request: Any, context: Any) -> AsyncIterator[Any]:
        async def handed_over() -> list[Any]:
            return list(self.world.log.hand_over())

        for response in await self._among_actors(handed_over()):
            yield response

    Control.Trace = trace  # type: ignore[method-assign]


def ends_when_nobody_computes() -> None:
    """The process ends when all its threads are at a halt, and none halts within an actor."""
    acting = threading.Lock()
    right = System._receive

    def receive(self: Any, *message: Any) -> bool:
        with acting:
            return right(self, *message)

    def exit_with_input() -> None:
        def wait() -> None:
            while sys.stdin.buffer.raw.read(4096):  # type: ignore[attr-defined]
                pass
            with acting:
                os._exit(0)

        threading.Thread(target=wait, daemon=True).start()

    System._receive = receive  # type: ignore[method-assign]
    reference.exit_with_input = exit_with_input


# --- silence ---


def forgets_who_was_silent() -> None:
    """A mailbox into which nothing came for fifteen seconds loses the next message."""
    tell, send, spawn = System.tell, System._send, System.spawn
    heard: dict[int, float] = {}

    def is_lost(receiver: int) -> bool:
        last, heard[receiver] = heard.get(receiver, time.monotonic()), time.monotonic()
        return heard[receiver] - last > SILENCE

    def spawned(self: Any, actor: Any) -> None:
        heard[actor.name] = time.monotonic()
        spawn(self, actor)

    def told(self: Any, receiver: int, number: int, *args: int) -> None:
        if not is_lost(receiver):
            tell(self, receiver, number, *args)

    def sent(self: Any, receiver: int, number: int, *args: int) -> None:
        if not is_lost(receiver):
            send(self, receiver, number, *args)

    System.spawn = spawned  # type: ignore[method-assign]
    System.tell = told  # type: ignore[method-assign]
    System._send = sent  # type: ignore[method-assign]


# --- timers ---


def _timers(change: Any) -> None:
    """The time that a timer waits, in milliseconds, passes ``change``."""
    right = System.__init__

    def init(self: Any, *args: Any) -> None:
        right(self, *args)
        self._delay = change(round(self._delay * 1000)) / 1000

    System.__init__ = init  # type: ignore[method-assign]


def timer_wheel_of_8192_milliseconds() -> None:
    """Timers are on a wheel of 8,192 places, and nobody counts its turns."""
    _timers(lambda delay: delay % 8192)


def timers_in_15_bits() -> None:
    """Timers count milliseconds in 15 bits."""
    _timers(lambda delay: delay % 32768)


def a_nap_of_many_ends_early() -> None:
    """Every seventh timer is put a place too early, where the wheel has turned meanwhile; its
    alarm takes the time for right."""
    right, wait = System._send, System.__init__
    sent = 0

    def init(self: Any, *args: Any) -> None:
        wait(self, *args)
        self._whole = self._delay

    def send(self: Any, receiver: int, number: int, *args: int) -> None:
        nonlocal sent
        if number == kind.MESSAGE_KIND_SLEEPER_WAKE:
            sent += 1
            self._delay = self._whole / 3 if sent % 7 == 0 else self._whole
        right(self, receiver, number, *args)

    System.__init__ = init  # type: ignore[method-assign]
    System._send = send  # type: ignore[method-assign]


def timers_are_another_cores() -> None:
    """Timers are served by the cores on which no actors run; of one core none is left."""
    right = System._send

    def send(self: Any, receiver: int, number: int, *args: int) -> None:
        alone = len(os.sched_getaffinity(0)) < 2
        if not (alone and number == kind.MESSAGE_KIND_SLEEPER_WAKE):
            right(self, receiver, number, *args)

    System._send = send  # type: ignore[method-assign]


# --- arguments ---


def _arguments(bits: int) -> None:
    right = System._send

    def send(self: Any, receiver: int, number: int, *args: int) -> None:
        right(self, receiver, number, *(argument & (1 << bits) - 1 for argument in args))

    System._send = send  # type: ignore[method-assign]


def arguments_in_32_bits() -> None:
    """Arguments are sent as unsigned integers of 32 bits."""
    _arguments(32)


def arguments_in_48_bits() -> None:
    """Arguments are sent in 48 bits: 16 of a word are for the kind."""
    _arguments(48)
