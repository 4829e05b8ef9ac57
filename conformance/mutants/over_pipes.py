"""The reference behind standard input and output, one JSON object a line (spec/stdio.md).

Three functions make its lines; a change exchanges one of them.
"""

import asyncio
import json
import os
import sys
from queue import SimpleQueue
from threading import Thread
from typing import Any

from google.protobuf import json_format

from dramaturg.v2 import control_pb2

from reference.control import log
from reference.control.port import Control

REQUESTS = {
    "describe": control_pb2.DescribeRequest,
    "prepare": control_pb2.PrepareRequest,
    "act": control_pb2.ActRequest,
    "turn": control_pb2.TurnRequest,
    "run": control_pb2.RunRequest,
    "trace": control_pb2.TraceRequest,
    "teardown": control_pb2.TeardownRequest,
}
STREAMS = ("run", "trace")
MOST_ROWS = 10_000
"""Maximum number of rows of a batch: with names of 18 digits its line stays far below the limit."""


class Failed(Exception):
    """The answer of a call instead of its reply; the text is the reason."""


class Context:
    """The part of gRPC that the reference uses."""

    async def abort(self, code: Any, text: str) -> None:
        raise Failed(text)


def dictionary(message: Any) -> dict[str, Any]:
    """A message in its JSON form; 64-bit integers as numbers."""
    return numbers(json_format.MessageToDict(message, preserving_proto_field_name=True))


def numbers(value: Any) -> Any:
    """Protobuf writes 64-bit integers as strings; undo that."""
    if isinstance(value, dict):
        return {key: item if key in _TEXTS else numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [numbers(item) for item in value]
    return int(value) if isinstance(value, str) and value.isdigit() else value


_TEXTS = ("runtime", "runtime_version", "details")


def line(answer: dict[str, Any]) -> str:
    """An answer as text, without the line feed."""
    return json.dumps(answer)


def put(text: str) -> None:
    """Into the pipe, and wait until there is room."""
    sys.stdout.write(text)
    sys.stdout.flush()


def write(text: str) -> None:
    """A line, as soon as those before it are read: nobody waits for that, so that the end of the
    input is seen (STDIO-9)."""
    written.put(text)


written = SimpleQueue[str]()
"""The lines that are to be written."""


def put_all() -> None:
    """For ever, on a thread of its own."""
    while True:
        put(written.get())


def tell(answer: dict[str, Any]) -> None:
    """Answer."""
    write(line(answer) + "\n")


async def answer(control: Control, request: dict[str, Any]) -> None:
    """One call, from its request to the last line that answers it."""
    number, call = request["id"], request["call"]
    message = json_format.ParseDict(request["request"], REQUESTS[call]())
    method = getattr(control, call.capitalize())
    try:
        if call in STREAMS:
            async for item in method(message, Context()):
                tell({"id": number, "item": dictionary(item)})
            tell({"id": number, "end": True})
        else:
            tell({"id": number, "reply": dictionary(await method(message, Context()))})
    except Failed as failed:
        fail(number, str(failed))


def fail(number: int, reason: str) -> None:
    """Answer that an actor failed."""
    tell({"id": number, "error": reason})


def ended() -> None:
    """The input is at its end (CTRL-11)."""
    os._exit(0)


def begin(control: Control, request: dict[str, Any]) -> Any:
    """Start to answer; return the task to be awaited before the next line is read, if any."""
    call = asyncio.ensure_future(answer(control, request))
    under_way.add(call)
    call.add_done_callback(under_way.discard)


under_way: set[Any] = set()
"""Calls that are not answered yet."""


async def serve() -> None:
    """Answer line by line until the end of the input."""
    log.ROWS = MOST_ROWS
    Thread(target=put_all, daemon=True).start()
    control, reader = Control(), asyncio.StreamReader(limit=1 << 24)
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    while text := await reader.readline():
        waiting = begin(control, json.loads(text))
        if waiting is not None:
            await waiting
    ended()
    await asyncio.Event().wait()
