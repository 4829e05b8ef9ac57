"""Worlds as the harness has them: calls to a port, and what is answered."""

import asyncio
import json
from collections.abc import Mapping
from io import BytesIO
from threading import Thread
from time import monotonic, sleep
from typing import Any

from asyncio_actors.control.port import Answers, Port

EVERYBODY = {
    "class": 0,
    "modulus": 1,
    "remainder": 0,
    "first": 0,
    "last": 2**32 - 1,
    "from": 0,
    "events": 2**32 - 1,
}


class Process:
    """A port with an event loop in a thread of its own, as a process has it."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._output = BytesIO()
        self._port = Port(self._loop, Answers(self._output))
        self._calls = 0

    def begin(self, call: str, **request: Any) -> int:
        """Make a call; its number."""
        self._calls += 1
        line = json.dumps({"id": self._calls, "call": call, "request": request})
        self._port.take(line.encode())
        return self._calls

    def answers(self, call: int) -> list[dict[str, Any]]:
        """Return the answers to this call so far."""
        lines = self._output.getvalue().splitlines()
        return [line for line in map(json.loads, lines) if line.pop("id") == call]

    def call(self, name: str, **request: Any) -> list[dict[str, Any]]:
        """Make a call and wait for its answers."""
        number = self.begin(name, **request)
        self._port.rest(10)
        return self._whole(number)

    def call_now(self, name: str, **request: Any) -> list[dict[str, Any]]:
        """Make a call that is answered at once, and wait for no other."""
        return self._whole(self.begin(name, **request))

    def _whole(self, call: int) -> list[dict[str, Any]]:
        deadline = monotonic() + 10
        while not (found := self.answers(call)) or "item" in found[-1]:
            assert monotonic() < deadline, f"call {call} has no answer, or half of one"
            sleep(0.001)
        return found

    def rest(self) -> None:
        """Wait for the call that is under way."""
        self._port.rest(10)

    def reply(self, name: str, **request: Any) -> dict[str, Any]:
        """The one reply to a call."""
        (answer,) = self.call(name, **request)
        assert "reply" in answer, answer
        reply: dict[str, Any] = answer["reply"]
        return reply

    def prepare(
        self,
        benchmark: str,
        parameters: Mapping[str, Any],
        node: int = 0,
        peers: list[dict[str, Any]] | None = None,
        secret: str = "",
    ) -> list[dict[str, Any]]:
        """Prepare a world in which everybody is watched."""
        return self.call(
            "prepare",
            benchmark={benchmark: parameters},
            watches=[EVERYBODY],
            node=node,
            peers=peers or [],
            secret=secret,
        )

    def receipt(self) -> dict[str, Any]:
        """Tear the world down."""
        receipt: dict[str, Any] = self.reply("teardown")["receipt"]
        return receipt

    def disappear(self) -> None:
        """As a process that is killed: its connections are closed, and it says nothing."""
        world = self._port._world
        assert world._nodes is not None
        self._loop.call_soon_threadsafe(world._nodes.leave)

    def end(self) -> None:
        """Cancel what still waits, and stop the loop: a task that is collected while waiting
        complains, whatever else happens at that moment."""
        asyncio.run_coroutine_threadsafe(self._cancel(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _cancel(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        if others:
            await asyncio.wait(others)
