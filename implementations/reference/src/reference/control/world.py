"""A world: one iteration, from Prepare to Teardown."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

from dramaturg.model.fold import add
from dramaturg.model.workload import ChatAppWorkload, workload_of
from dramaturg.v2 import benchmarks_pb2, control_pb2
from dramaturg.v2 import trace_pb2 as kind

from reference.actors import ActorFailed, System
from reference.behaviours import initial
from reference.control.log import Log
from reference.control.stopwatch import Stopwatch, now

MARK_INTERVAL = 100_000_000
"""Nanoseconds between two marks, at least (CTRL-6)."""

PATIENCE = 1.0
"""Seconds without a change after which an actor that lives is one that will not end (CTRL-8)."""

Report = tuple[int, tuple[int, ...]]


class World:
    """The workload of a benchmark, its actors, and what they report to control."""

    def __init__(
        self, benchmark: benchmarks_pb2.Benchmark, watches: Sequence[control_pb2.Watch]
    ) -> None:
        self._benchmark = str(benchmark.WhichOneof("parameters"))
        self._workload = workload_of(benchmark)
        parameters: Any = getattr(benchmark, self._benchmark)
        delay = getattr(parameters, "delay", getattr(parameters, "window", 0)) / 1000
        self._stopwatch = stopwatch = Stopwatch()
        self.log = Log(watches)
        self._system = System(
            self.log, self._report, self._fail, stopwatch.tick, delay, stopwatch.until
        )
        self._reports: asyncio.Queue[Report | ActorFailed] = asyncio.Queue()
        self._confirmed: list[tuple[int, ...]] = []
        self._windows: list[int] = []
        self._last: tuple[int, ...] = ()

    async def prepare(self) -> int:
        """Set the world up; the nanoseconds that it took."""
        start = now()
        for actor in initial(self._workload, self._stopwatch):
            self._system.spawn(actor)
        if isinstance(self._workload, ChatAppWorkload):
            self._workload.prepare()
            await self._speak(kind.MESSAGE_KIND_CONTROL_READY)
        return now() - start

    async def act(self, request: control_pb2.ActRequest) -> None:
        """One client acts."""
        arguments = (request.client, int(request.choice), request.index, request.k)
        self._workload.script.append((kind.MESSAGE_KIND_POKER_ACT, arguments))
        await self._speak(kind.MESSAGE_KIND_CONTROL_CONFIRMED)

    async def turn(self) -> None:
        """Everybody acts."""
        self._workload.script.append((kind.MESSAGE_KIND_POKER_TURN, ()))
        await self._speak(kind.MESSAGE_KIND_CONTROL_CONFIRMED)

    async def run(self, salt: int) -> AsyncIterator[int]:
        """The whole benchmark; yields what marks say."""
        self._workload.run(salt)
        due = self._workload.reports(self._workload.script[-1])
        last_mark = now()
        self._stopwatch.start()
        self._tell()
        done = 0
        for left in range(due - 1, -1, -1):
            number, _ = await self._next()
            done += number != kind.MESSAGE_KIND_CONTROL_DONE
            if left and now() - last_mark >= MARK_INTERVAL:
                last_mark = now()
                yield done
        if done:
            yield done

    async def teardown(self) -> benchmarks_pb2.Receipt:
        """End the iteration."""
        start = now()
        before = len(self._workload.script)
        self._workload.disconnect()
        if isinstance(self._workload, ChatAppWorkload):
            await self._speak(kind.MESSAGE_KIND_CONTROL_FINISHED)
        elif len(self._workload.script) > before:
            self._tell()
        alive = await self._alive()
        self._raise_what_failed()
        receipt = benchmarks_pb2.Receipt(
            run_nanos=self._stopwatch.run_nanos, teardown_nanos=now() - start, alive=alive
        )
        if self._benchmark == "chatapp":
            receipt.chatapp.CopyFrom(self._of_chatapp())
        else:
            receipt.done.CopyFrom(self._done())
        return receipt

    def _done(self) -> benchmarks_pb2.DoneReceipt:
        """Return the lead's last report, and the times that were taken beside it."""
        seen = self._stopwatch
        return benchmarks_pb2.DoneReceipt(
            benchmark=self._benchmark,
            arguments=self._last,
            windows=self._windows,
            window_nanos=seen.window_nanos if self._windows else (),
            shortest_nanos=seen.shortest if self._benchmark == "sleepers" else 0,
            latency=seen.latency,
            lateness=seen.lateness,
        )

    def _of_chatapp(self) -> benchmarks_pb2.ChatAppReceipt:
        """Return the poker's report, and the duration of each turn."""
        lcg, computes, posts, leaves, invites, nones, deliveries, joins = self._last
        values, stops, announced, consumed = (
            sum(sums[place] for sums in self._confirmed) for place in range(1, 5)
        )
        return benchmarks_pb2.ChatAppReceipt(
            computes=computes, posts=posts, leaves=leaves, invites=invites, nones=nones,
            joins=joins, deliveries=deliveries, lcg_checksum=lcg, fib_sum=values,
            confirms=len(self._confirmed), stops=stops, announced=add(0, announced),
            consumed=add(0, consumed), turn_nanos=self._stopwatch.turn_nanos,
        )  # fmt: skip

    async def _alive(self) -> int:
        """Actors that have not ended, once they had the time to."""
        alive, deadline = self._system.alive(), now() + int(PATIENCE * 1e9)
        while alive and now() < deadline:
            await asyncio.sleep(0.001)
            if self._system.alive() < alive:
                alive, deadline = self._system.alive(), now() + int(PATIENCE * 1e9)
        return alive

    def _raise_what_failed(self) -> None:
        """If nobody reports upon `disconnect`, nobody has asked for a failure by now."""
        while not self._reports.empty():
            report = self._reports.get_nowait()
            if isinstance(report, ActorFailed):
                raise report

    def _tell(self) -> None:
        number, args = self._workload.script[-1]
        self._system.tell(self._workload.lead, number, *args)

    async def _speak(self, until: int) -> None:
        """Say the last line of the script; wait for the report that completes it."""
        self._tell()
        while (await self._next())[0] != until:
            pass

    async def _next(self) -> Report:
        report = await self._reports.get()
        if isinstance(report, ActorFailed):
            raise report
        return report

    def _report(self, number: int, args: tuple[int, ...]) -> None:
        if number == kind.MESSAGE_KIND_CONTROL_CONFIRMED:
            self._confirmed.append(args)
        elif number == kind.MESSAGE_KIND_CONTROL_WINDOW:
            self._windows.append(args[1])
        elif number != kind.MESSAGE_KIND_CONTROL_READY:
            self._stopwatch.stop()
            self._last = args
        self._reports.put_nowait((number, args))

    def _fail(self, failure: ActorFailed) -> None:
        self._reports.put_nowait(failure)
