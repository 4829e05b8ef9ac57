"""The control port: calls, each with its answer or its one error."""

from collections.abc import AsyncIterator
from typing import Any

import grpc

from dramaturg.v2 import control_pb2, control_pb2_grpc

from reference.actors import ActorFailed
from reference.control.describe import describe
from reference.control.world import World


class Control(control_pb2_grpc.ControlServicer):
    """One world at a time (spec/control.md)."""

    world: World

    async def Describe(self, request: Any, context: Any) -> control_pb2.DescribeResponse:
        return describe(request)

    async def Prepare(self, request: Any, context: Any) -> control_pb2.PrepareResponse:
        self.world = World(request.benchmark, request.watches)
        try:
            return control_pb2.PrepareResponse(setup_nanos=await self.world.prepare())
        except ActorFailed as failure:
            return await _fail(context, failure)

    async def Act(self, request: Any, context: Any) -> control_pb2.ActResponse:
        try:
            await self.world.act(request)
        except ActorFailed as failure:
            await _fail(context, failure)
        return control_pb2.ActResponse()

    async def Turn(self, request: Any, context: Any) -> control_pb2.TurnResponse:
        try:
            await self.world.turn()
        except ActorFailed as failure:
            await _fail(context, failure)
        return control_pb2.TurnResponse()

    async def Run(self, request: Any, context: Any) -> AsyncIterator[control_pb2.RunResponse]:
        try:
            async for done in self.world.run(request.salt):
                yield control_pb2.RunResponse(mark=control_pb2.Mark(done=done))
        except ActorFailed as failure:
            await _fail(context, failure)

    async def Trace(self, request: Any, context: Any) -> AsyncIterator[control_pb2.TraceResponse]:
        for response in self.world.log.hand_over():
            yield response

    async def Teardown(self, request: Any, context: Any) -> control_pb2.TeardownResponse:
        try:
            return control_pb2.TeardownResponse(receipt=await self.world.teardown())
        except ActorFailed as failure:
            return await _fail(context, failure)


async def _fail(context: Any, failure: ActorFailed) -> Any:
    await context.abort(grpc.StatusCode.INTERNAL, str(failure))
