"""Wrong ends: who lives on, who goes too early, and what the next world finds of the last one."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from dramaturg.model import broker, chatapp, web
from dramaturg.model.workload import ChatAppWorkload
from dramaturg.v2 import trace_pb2 as kind

from changes import answers, replaced, undying
from reference.actors import System
from reference.behaviours import Poker
from reference.control import world
from reference.control.world import World

# --- who lives on ---


def poker_lives_on() -> None:
    """The poker reports that all have finished, and waits for the next iteration."""
    finished = kind.MESSAGE_KIND_POKER_FINISHED
    replaced(Poker, finished, undying(Poker.handlers[finished]))


def directories_live_on() -> None:
    """Directories report what their clients did, and stay: control knows them, after all."""
    left = kind.MESSAGE_KIND_DIRECTORY_LEFT
    replaced(chatapp.Directory, left, undying(chatapp.Directory.handlers[left]))


def dispatcher_lives_on() -> None:
    """The dispatcher stops its workers, and not itself."""
    disconnect = kind.MESSAGE_KIND_DISPATCHER_DISCONNECT
    replaced(web.Dispatcher, disconnect, undying(web.Dispatcher.handlers[disconnect]))


def router_lives_on() -> None:
    """The router passes every dismissal on and does not count them."""
    dismiss = kind.MESSAGE_KIND_ROUTER_DISMISS
    replaced(broker.Router, dismiss, undying(broker.Router.handlers[dismiss]))


def counts_the_living_at_once() -> None:
    """Living actors are counted when the last report has come, not when they had the time to end,
    which takes them a moment."""
    live = System._live

    async def lingering(self: Any, actor: Any, entry: Any) -> None:
        await live(self, actor, entry)
        await asyncio.sleep(0.05)

    System._live = lingering  # type: ignore[method-assign]
    world.PATIENCE = 0.0


# --- too early, too late, too often ---


def run_says_goodbye() -> None:
    """Run lets everybody go, and Teardown has nothing to do: as it was in version 1."""

    async def run(self: World, salt: int) -> AsyncIterator[int]:
        async for done in right(self, salt):
            yield done
        before = len(self._workload.script)
        self._workload.disconnect()
        if isinstance(self._workload, ChatAppWorkload):
            await self._speak(kind.MESSAGE_KIND_CONTROL_FINISHED)
        elif len(self._workload.script) > before:
            self._tell()
        self._speak = _nothing  # type: ignore[method-assign,assignment]
        self._tell = lambda: None  # type: ignore[method-assign]

    async def _nothing(until: int) -> None:
        pass

    right, World.run = World.run, run  # type: ignore[method-assign]


def poker_disconnects_by_itself() -> None:
    """Upon the last confirm of a run the poker disconnects, as the published programs do."""
    running = [0]

    def run(self: Any, sender: int, salt: int) -> None:
        running[0] = self.parameters.turns
        right_run(self, sender, salt)

    def confirm(self: Any, sender: int, *args: int) -> None:
        right_confirm(self, sender, *args)
        running[0] -= 1
        if running[0] == 0:
            self.disconnect(sender)

    async def ran(self: World, salt: int) -> AsyncIterator[int]:
        async for done in right(self, salt):
            yield done
        self._tell = lambda: None  # type: ignore[method-assign]

    right_run = replaced(Poker, kind.MESSAGE_KIND_POKER_RUN, run)
    right_confirm = replaced(Poker, kind.MESSAGE_KIND_POKER_CONFIRM, confirm)
    right, World.run = World.run, ran  # type: ignore[method-assign]


def web_stops_its_workers_when_done() -> None:
    """The dispatcher stops all workers with its report, and is then disconnected as well."""
    report = web.Dispatcher._report_when_done

    def reporting(self: web.Dispatcher) -> None:
        report(self)
        if self.browsing == 0 and len(self.idle_workers) == self.parameters.workers:
            while self.idle_workers:
                self.send(self.idle_workers.popleft(), kind.MESSAGE_KIND_WORKER_STOP)

    web.Dispatcher._report_when_done = reporting  # type: ignore[method-assign]


def broker_dismisses_at_once() -> None:
    """An employee that asks when there is nothing left is dismissed, as in version 1."""

    def request(self: broker.Employer, sender: int, employee: int, *rest: int) -> None:
        waiting = self.waiting
        right(self, sender, employee, *rest)
        if self.waiting > waiting:
            self.send(broker._ROUTER, kind.MESSAGE_KIND_ROUTER_DISMISS, employee)

    def disconnect(self: broker.Employer, sender: int) -> None:
        self.terminate()

    right = replaced(broker.Employer, kind.MESSAGE_KIND_EMPLOYER_REQUEST, request)
    replaced(broker.Employer, kind.MESSAGE_KIND_EMPLOYER_DISCONNECT, disconnect)


def farewell_of_the_first_world() -> None:
    """It remembers that it has disconnected, for the next world as well."""
    said: list[bool] = []
    speak = World._speak

    async def once(self: World, until: int) -> None:
        if until == kind.MESSAGE_KIND_CONTROL_FINISHED:
            said.append(True)
            if len(said) > 1:
                self._tell = lambda: None  # type: ignore[method-assign]
        await speak(self, until)

    World._speak = once  # type: ignore[method-assign]


def dispatcher_goes_alone() -> None:
    """Upon `disconnect` the dispatcher ends, and whoever works for it will notice."""

    def disconnect(self: web.Dispatcher, sender: int) -> None:
        self.terminate()

    replaced(web.Dispatcher, kind.MESSAGE_KIND_DISPATCHER_DISCONNECT, disconnect)


# --- what is left of it ---


def turns_of_the_last_world() -> None:
    """Confirmed values are kept for the process: the next receipt has them as well."""
    confirmed: list[tuple[int, ...]] = []
    made = World.__init__

    def init(self: World, *args: Any) -> None:
        made(self, *args)
        self._confirmed = confirmed

    World.__init__ = init  # type: ignore[method-assign]


def iterations_differ() -> None:
    """A world with the parameters of the last one begins with the next seed."""
    made, last = World.__init__, [""]

    def init(self: World, benchmark: Any, *args: Any) -> None:
        again, last[0] = str(benchmark) == last[0], str(benchmark)
        if again and benchmark.HasField("chatapp"):
            benchmark.chatapp.seed = (benchmark.chatapp.seed + 1) % (1 << 16)
        made(self, benchmark, *args)

    World.__init__ = init  # type: ignore[method-assign]


def counts_itself_among_the_living() -> None:
    """The task that counts is a task as well."""

    def change(receipt: Any) -> None:
        receipt.alive += 1

    answers(World, "teardown", change)


def fails_when_dismissed() -> None:
    """A worker fails upon its last message, when nobody reports any more."""

    def stop(self: Any, sender: int) -> None:
        raise RuntimeError("out of coffee")

    replaced(web.Worker, kind.MESSAGE_KIND_WORKER_STOP, stop)
