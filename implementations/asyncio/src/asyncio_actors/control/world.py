"""A world: one iteration, from Prepare to Teardown (spec/control.md)."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from asyncio_actors.benchmarks.benchmark import Benchmark
from asyncio_actors.benchmarks.catalogue import BENCHMARKS
from asyncio_actors.benchmarks.mailbox import Message
from asyncio_actors.benchmarks.system import System
from asyncio_actors.control.log import Log
from asyncio_actors.control.reports import Marks, Reports
from asyncio_actors.control.stopwatch import Stopwatch, now
from asyncio_actors.nodes.connections import Nodes
from asyncio_actors.nodes.placement import is_mesh

PATIENCE = 1.0
"""Seconds without a change after which actors that are alive are taken not to end (CTRL-8)."""


class World:
    """A benchmark, its actors, what they report, and the nodes that they live on."""

    def __init__(self, request: Mapping[str, Any]) -> None:
        self._name, self._benchmark = _chosen(request["benchmark"])
        self.log = Log(request["watches"])
        self._stopwatch = Stopwatch()
        self._reports = Reports(self._stopwatch)
        self._nodes = _nodes(request, self._benchmark, self._reports.fail)
        self._system = System(
            self.log, self._stopwatch, self._reports, self._nodes, self._benchmark
        )
        self._is_lead = not self._nodes or self._nodes.here == 0
        if self._nodes:
            self._nodes.born = self._system.born
        if self._nodes and not self._is_lead:
            self._reports.tell = self._nodes.tell

    async def prepare(self) -> None:
        """Return when the world is set up and quiet (CTRL-4), on all nodes if this is node 0."""
        self._lead = self._benchmark.populate(self._system)
        self._reports.raise_failure()
        # Once around the loop, and every new task waits at its mailbox.
        await asyncio.sleep(0)
        if self._nodes:
            await self._nodes.join(is_mesh(self._name))
            self._reports.raise_failure()
        if self._is_lead and self._benchmark.PREPARE:
            await self._say(self._benchmark.PREPARE, 1)

    async def act(self, request: Mapping[str, Any]) -> None:
        """One client acts."""
        choice = request["client"], request["choice"], request["index"], request["k"]
        await self._say(self._benchmark.act(*choice), 1)

    async def turn(self) -> None:
        """Every client acts."""
        await self._say(self._benchmark.turn(), 1)

    async def run(self, salt: int, taken: int, mark: Callable[[int], None]) -> None:
        """The whole benchmark, with marks (CTRL-6). ``taken`` is when the call was."""
        message = self._benchmark.start(salt)
        self._reports.marks = Marks(taken, mark)
        self._stopwatch.start()
        await self._say(message, self._benchmark.reports)
        if self._benchmark.marked:
            mark(self._benchmark.marked)

    async def teardown(self, taken: int) -> dict[str, Any]:
        """End the iteration; its receipt (CTRL-8)."""
        self._reports.raise_failure()
        if self._is_lead and self._benchmark.DISCONNECT:
            if self._benchmark.FINISHES:
                await self._say(self._benchmark.DISCONNECT, 1)
            else:
                self._lead.put(self._benchmark.DISCONNECT)
        alive = await self._alive()
        receipt: dict[str, Any] = {"teardown_nanos": now() - taken, "alive": alive}
        self._reports.raise_failure()
        if self._nodes:
            self._nodes.leave()
        if self._is_lead:
            receipt["run_nanos"] = self._stopwatch.run_nanos
            receipt |= self._own()
        return receipt

    def _own(self) -> dict[str, Any]:
        """The benchmark's own receipt, under its name or `done`."""
        counts = self._benchmark.receipt(self._reports)
        if counts is not None:
            return {self._name: {**counts, "turn_nanos": self._stopwatch.turn_nanos}}
        done: dict[str, Any] = {"benchmark": self._name, "arguments": self._reports.counts}
        if self._reports.windows:
            done["windows"] = self._reports.windows
            done["window_nanos"] = self._stopwatch.window_nanos
        if self._stopwatch.lateness.counts:
            done["latency"] = self._stopwatch.latency.counts
            done["lateness"] = self._stopwatch.lateness.counts
        if self._stopwatch.shortest_nanos is not None:
            done["shortest_nanos"] = self._stopwatch.shortest_nanos
        return {"done": done}

    async def _say(self, message: Message, reports: int) -> None:
        """Send the lead a message and wait for the reports that complete it."""
        self._lead.put(message)
        await self._reports.complete(reports)

    async def _alive(self) -> int:
        """Return the number of actors that have not ended, once they had the time to."""
        alive = self._system.alive()
        while alive:
            _, pending = await asyncio.wait(alive, timeout=PATIENCE)
            if len(pending) == len(alive):
                break
            alive = pending
        return len(alive)


def _chosen(request: Mapping[str, Any]) -> tuple[str, Benchmark]:
    """The benchmark of a `Prepare`, with its parameters. Fields that it does not know are
    ignored (STDIO-3)."""
    ((name, parameters),) = request.items()
    benchmark: Any = BENCHMARKS[name]
    known = {each.name for each in fields(benchmark) if each.init}
    return name, benchmark(**{key: parameters[key] for key in known})


def _nodes(
    request: Mapping[str, Any], benchmark: Benchmark, fail: Callable[[str], None]
) -> Nodes | None:
    peers: Sequence[Mapping[str, Any]] = request["peers"]
    if not peers:
        return None
    addresses = [(str(peer["host"]), int(peer["port"])) for peer in peers]
    directories = getattr(benchmark, "directories", 1)
    return Nodes(request["node"], addresses, request["secret"], fail, directories)
