"""The control port: calls and their answers (spec/stdio.md).

All calls but one are coroutines of the event loop that runs the actors. `Trace` is answered on a
thread of its own: while an actor computes (CTRL-9), and while nobody reads the answer, so that the
end of the input is seen (STDIO-9).
"""

import asyncio
import json
import sys
from collections.abc import Mapping
from concurrent.futures import Future, wait
from threading import Lock, Thread
from typing import Any, BinaryIO

from asyncio_actors.control.describe import describe
from asyncio_actors.control.reports import ActorFailed
from asyncio_actors.control.stopwatch import now
from asyncio_actors.control.world import World


class Answers:
    """Standard output, a JSON object a line; several threads write."""

    def __init__(self, output: BinaryIO) -> None:
        self._output = output
        self._lock = Lock()

    def write(self, call: int, **answer: Any) -> None:
        """Write an answer, or a part of one, to the call with this id."""
        line = json.dumps({"id": call, **answer}, separators=(",", ":")).encode() + b"\n"
        with self._lock:
            self._output.write(line)
            self._output.flush()


class Port:
    """One call after the other, one world after the other; Trace at any time."""

    def __init__(self, loop: asyncio.AbstractEventLoop, answers: Answers) -> None:
        self._loop = loop
        self._answers = answers
        self._world: World
        self._last: Future[None] | None = None

    def take(self, line: bytes) -> None:
        """Begin the call of a line. The moment at which each call came is known."""
        taken = now()
        asked = json.loads(line)
        call, name, request = asked["id"], asked["call"], asked["request"]
        if name == "trace":
            Thread(target=self._trace, args=(call,), name="trace", daemon=True).start()
        else:
            answer = self._answer(call, name, request, taken)
            self._last = asyncio.run_coroutine_threadsafe(answer, self._loop)

    def rest(self, seconds: float) -> None:
        """Wait for the call that is under way, if there is one, for so long."""
        if self._last:
            wait([self._last], timeout=seconds)

    async def _answer(self, call: int, name: str, request: Mapping[str, Any], taken: int) -> None:
        try:
            if name == "run":
                await self._world.run(
                    request["salt"],
                    taken,
                    lambda done: self._answers.write(call, item={"mark": {"done": done}}),
                )
                self._answers.write(call, end=True)
            else:
                self._answers.write(call, reply=await self._reply(name, request, taken))
        except ActorFailed as failure:
            self._answers.write(call, error=str(failure))
        except Exception as error:
            self._answers.write(call, error=f"control failed: {type(error).__name__}: {error}")
            sys.excepthook(type(error), error, error.__traceback__)

    async def _reply(self, name: str, request: Mapping[str, Any], taken: int) -> dict[str, Any]:
        match name:
            case "describe":
                return describe(request)
            case "prepare":
                self._world = World(request)
                await self._world.prepare()
                return {"setup_nanos": now() - taken}
            case "act":
                await self._world.act(request)
                return {}
            case "turn":
                await self._world.turn()
                return {}
            case "teardown":
                return {"receipt": await self._world.teardown(taken)}
            case _:
                raise ValueError(f"{name} is no call")

    def _trace(self, call: int) -> None:
        for item in self._world.log.hand_over():
            self._answers.write(call, item=item)
        self._answers.write(call, end=True)
