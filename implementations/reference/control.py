"""The control port: calls in their order, each with its answer or its error."""

import asyncio
import platform
from collections.abc import AsyncIterator, Coroutine
from typing import Any, TypeVar

import grpc

from dramaturg.model.messages import Choice
from dramaturg.v1 import benchmarks_pb2, control_pb2, control_pb2_grpc

import chatapp
import micro
from actors import ActorFailed
from fibonacci import fibonacci
from lcg import Lcg
from trace import Trace

BENCHMARKS = ("chatapp", *micro.NAMES)
PROGRESS_INTERVAL = 0.2

_Answer = TypeVar("_Answer")
_FAILED, _INVALID = grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.INVALID_ARGUMENT


class Control(control_pb2_grpc.ControlServicer):
    """One world at a time (spec/control.md)."""

    def __init__(self) -> None:
        self.stopped = asyncio.Event()
        self._benchmark: benchmarks_pb2.Benchmark | None = None
        self._world: Any = None
        self._trace: Trace | None = None
        self._touched = False
        self._ran = False
        self._under_way: asyncio.Task[Any] | None = None

    async def Describe(self, request: Any, context: Any) -> control_pb2.DescribeResponse:
        for probe in request.probes:
            if probe.fibonacci.n > 47:
                await context.abort(
                    _INVALID, f"fibonacci.n is {probe.fibonacci.n}, must be in 0..47"
                )
        return control_pb2.DescribeResponse(
            name="reference",
            runtime="CPython asyncio",
            runtime_version=platform.python_version(),
            benchmarks=list(BENCHMARKS),
            schedulers=1,
            spec_version="1",
            details={"grpcio": grpc.__version__},
            answers=[_answer(probe) for probe in request.probes],
        )

    async def Prepare(self, request: Any, context: Any) -> control_pb2.PrepareResponse:
        if self._world is not None:
            await context.abort(_FAILED, "Prepare: there is a world already; Teardown is missing")
        name = request.benchmark.WhichOneof("parameters")
        if name not in BENCHMARKS:
            known = ", ".join(BENCHMARKS)
            await context.abort(_INVALID, f"benchmark: unknown or not set; there are: {known}")
        if len(request.peers) > 1:
            await context.abort(_INVALID, "peers: this implementation has no remote actors")
        message = getattr(request.benchmark, name)
        problem = chatapp.check(message) if name == "chatapp" else micro.check(name, message)
        if problem:
            await context.abort(_INVALID, problem)
        self._benchmark = request.benchmark
        self._trace = Trace() if request.trace else None
        self._touched = self._ran = False
        self._world = self._make()
        nanos = await self._finish(self._world.prepare(), context)
        return control_pb2.PrepareResponse(setup_nanos=nanos)

    async def Act(self, request: Any, context: Any) -> control_pb2.ActResponse:
        await self._need_chatapp("Act", context)
        clients = self._benchmark.chatapp.clients
        if request.client >= clients:
            await context.abort(
                _INVALID, f"client is {request.client}, must be in 0..{clients - 1}"
            )
        if request.choice not in list(Choice):
            await context.abort(_INVALID, f"choice is {request.choice}, must be in 0..6")
        act = self._world.act(request.client, request.choice, request.index, request.k)
        return control_pb2.ActResponse(turn=await self._finish(act, context))

    async def Turn(self, request: Any, context: Any) -> control_pb2.TurnResponse:
        await self._need_chatapp("Turn", context)
        turn, nanos = await self._finish(self._world.turn(), context)
        return control_pb2.TurnResponse(turn=turn, nanos=nanos)

    async def Run(self, request: Any, context: Any) -> AsyncIterator[control_pb2.RunResponse]:
        await self._need_world("Run", context)
        if self._touched or self._ran:
            missing = "Run: the world is used already; Teardown and Prepare are missing"
            await context.abort(_FAILED, missing)
        if request.iterations < 1 or (self._trace and request.iterations > 1):
            limit = "exactly 1 in a traced world" if self._trace else "at least 1"
            await context.abort(_INVALID, f"iterations is {request.iterations}, must be {limit}")
        self._ran = True
        for iteration in range(request.iterations):
            if iteration > 0:
                await self._world.end()
                self._world = self._make()
                await self._finish(self._world.prepare(), context)
            run = asyncio.ensure_future(self._finish(self._world.run(), context))
            while not (await asyncio.wait([run], timeout=PROGRESS_INTERVAL))[0]:
                yield control_pb2.RunResponse(
                    progress=control_pb2.RunResponse.Progress(
                        iteration=iteration, done=self._world.confirmed, total=self._world.total
                    )
                )
            yield control_pb2.RunResponse(receipt=await run)

    async def Trace(self, request: Any, context: Any) -> AsyncIterator[control_pb2.TraceResponse]:
        if self._benchmark is None:
            await context.abort(_FAILED, "Trace: there is no world; Prepare is missing")
        if self._trace is None:
            await context.abort(_FAILED, "Trace: the world is not traced; Prepare with trace")
        for response in self._trace.hand_over():
            yield response

    async def Teardown(self, request: Any, context: Any) -> control_pb2.TeardownResponse:
        await self._need_world("Teardown", context)
        response = control_pb2.TeardownResponse()
        if request.abandon:
            if self._under_way is not None:
                self._under_way.cancel()
            self._trace = None
        elif not self._ran:
            response.receipt.CopyFrom(await self._finish(self._world.disconnect(), context))
        world, self._world = self._world, None
        await world.end()
        return response

    async def Shutdown(self, request: Any, context: Any) -> control_pb2.ShutdownResponse:
        self.stopped.set()
        return control_pb2.ShutdownResponse()

    def _make(self) -> Any:
        name = self._benchmark.WhichOneof("parameters")
        message = getattr(self._benchmark, name)
        if name == "chatapp":
            return chatapp.ChatApp(message, self._trace)
        return micro.Micro(name, message, self._trace)

    async def _need_world(self, call: str, context: Any) -> None:
        if self._world is None:
            await context.abort(_FAILED, f"{call}: there is no world; Prepare is missing")
        if self._under_way is not None and call != "Teardown":
            await context.abort(_FAILED, f"{call}: another call is under way")

    async def _need_chatapp(self, call: str, context: Any) -> None:
        await self._need_world(call, context)
        if self._world.name != "chatapp":
            await context.abort(_FAILED, f"{call} is ChatApp's; this world is {self._world.name}'s")
        if self._ran:
            await context.abort(
                _FAILED, f"{call}: the world was Run; Teardown and Prepare are missing"
            )
        self._touched = True

    async def _finish(self, work: Coroutine[Any, Any, _Answer], context: Any) -> _Answer:
        """Do what a call asks, so that Teardown can cancel it and failures have a status."""
        task = self._under_way = asyncio.ensure_future(work)
        try:
            return await asyncio.shield(task)
        except ActorFailed as failure:
            await context.abort(grpc.StatusCode.INTERNAL, str(failure))
        except asyncio.CancelledError:
            if not task.cancelled():
                raise
            await context.abort(grpc.StatusCode.CANCELLED, "the world was abandoned")
        finally:
            if task.done():
                self._under_way = None
        raise AssertionError("abort raises")


def _answer(probe: control_pb2.Probe) -> control_pb2.ProbeAnswer:
    match probe.WhichOneof("probe"):
        case "lcg":
            lcg = Lcg(probe.lcg.seed)
            return control_pb2.ProbeAnswer(values=[lcg.next_int(m) for m in probe.lcg.moduli])
        case "shuffle":
            lcg, items = Lcg(probe.shuffle.seed), list(range(probe.shuffle.length))
            lcg.shuffle(items)
            return control_pb2.ProbeAnswer(values=[*items, lcg.state])
        case "fibonacci":
            return control_pb2.ProbeAnswer(values=[fibonacci(probe.fibonacci.n)])
        case _:
            return control_pb2.ProbeAnswer()
