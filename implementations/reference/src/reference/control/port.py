"""The control port: calls, each with its answer or its one error.

Actors have a thread and a loop of their own: Trace is answered while one of them computes (CTRL-9).
"""

import asyncio
import threading
from collections.abc import AsyncIterator, Coroutine
from typing import Any, TypeVar

import grpc

from dramaturg.v2 import control_pb2, control_pb2_grpc

from reference.actors import ActorFailed
from reference.control.describe import describe
from reference.control.world import World

T = TypeVar("T")


class Control(control_pb2_grpc.ControlServicer):
    """One world at a time (spec/control.md)."""

    world: World

    def __init__(self) -> None:
        self._actors = asyncio.new_event_loop()
        threading.Thread(target=self._actors.run_forever, daemon=True).start()

    async def _among_actors(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Do this where the actors live, and have what comes of it here."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(coroutine, self._actors))

    async def Describe(self, request: Any, context: Any) -> control_pb2.DescribeResponse:
        return describe(request)

    async def Prepare(self, request: Any, context: Any) -> control_pb2.PrepareResponse:
        self.world = World(request.benchmark, request.watches)
        try:
            took = await self._among_actors(self.world.prepare())
            return control_pb2.PrepareResponse(setup_nanos=took)
        except ActorFailed as failure:
            return await _fail(context, failure)

    async def Act(self, request: Any, context: Any) -> control_pb2.ActResponse:
        try:
            await self._among_actors(self.world.act(request))
        except ActorFailed as failure:
            await _fail(context, failure)
        return control_pb2.ActResponse()

    async def Turn(self, request: Any, context: Any) -> control_pb2.TurnResponse:
        try:
            await self._among_actors(self.world.turn())
        except ActorFailed as failure:
            await _fail(context, failure)
        return control_pb2.TurnResponse()

    async def Run(self, request: Any, context: Any) -> AsyncIterator[control_pb2.RunResponse]:
        marks = self.world.run(request.salt)
        self.world.log.limit(request.log_limit)
        try:
            while (done := await self._among_actors(_next(marks))) is not None:
                yield control_pb2.RunResponse(mark=control_pb2.Mark(done=done))
        except ActorFailed as failure:
            await _fail(context, failure)
        finally:
            self.world.log.limit(0)

    async def Trace(self, request: Any, context: Any) -> AsyncIterator[control_pb2.TraceResponse]:
        for response in self.world.log.hand_over():
            yield response

    async def Teardown(self, request: Any, context: Any) -> control_pb2.TeardownResponse:
        try:
            receipt = await self._among_actors(self.world.teardown())
            return control_pb2.TeardownResponse(receipt=receipt)
        except ActorFailed as failure:
            return await _fail(context, failure)


async def _next(marks: AsyncIterator[int]) -> int | None:
    """The next of them; None when there are no more."""
    return await anext(marks, None)


async def _fail(context: Any, failure: ActorFailed) -> Any:
    await context.abort(grpc.StatusCode.INTERNAL, str(failure))
