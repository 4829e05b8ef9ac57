"""The reference behind standard input and output, one JSON object a line (spec/stdio.md).

Three functions make its lines; a change exchanges one of them.
"""

import asyncio
import json
import os
import sys
from typing import Any

from google.protobuf import json_format

from dramaturg.v2 import control_pb2

from control import Control

REQUESTS = {
    "describe": control_pb2.DescribeRequest,
    "prepare": control_pb2.PrepareRequest,
    "act": control_pb2.ActRequest,
    "turn": control_pb2.TurnRequest,
    "run": control_pb2.RunRequest,
    "trace": control_pb2.TraceRequest,
    "teardown": control_pb2.TeardownRequest,
    "shutdown": control_pb2.ShutdownRequest,
}
STREAMS = ("run", "trace")
MOST_ROWS = 10_000
"""Of a batch: with names of 18 digits its line stays far below the limit."""


class Refused(Exception):
    """What a call answers instead of its reply."""


class Context:
    """What the reference knows of gRPC."""

    async def abort(self, code: Any, text: str) -> None:
        raise Refused(code.name, text)


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


_TEXTS = ("name", "runtime", "runtime_version", "spec_version", "details", "message")


def line(answer: dict[str, Any]) -> str:
    """An answer as text, without the line feed."""
    return json.dumps(answer)


def write(text: str) -> None:
    """A line, at once."""
    sys.stdout.write(text)
    sys.stdout.flush()


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
    except Refused as refused:
        await refuse(number, *refused.args)


async def refuse(number: int, code: str, text: str) -> None:
    """Answer with an error."""
    tell({"id": number, "error": {"code": code, "message": text}})


def ended(control: Control) -> None:
    """The input is at its end (STDIO-9)."""
    os._exit(0)


def begin(control: Control, request: dict[str, Any]) -> Any:
    """Start to answer; what is to be awaited before the next line is read, if anything."""
    _under_way.add(asyncio.ensure_future(answer(control, request)))


_under_way: set[Any] = set()


async def serve() -> None:
    """Answer line by line until Shutdown or the end of the input."""
    import trace

    trace.BATCH_ROWS = MOST_ROWS
    control, reader = Control(), asyncio.StreamReader(limit=1 << 24)
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    reading = asyncio.ensure_future(_read(control, reader))
    await control.stopped.wait()
    await asyncio.sleep(0.05)
    reading.cancel()


async def _read(control: Control, reader: asyncio.StreamReader) -> None:
    while text := await reader.readline():
        waiting = begin(control, json.loads(text))
        if waiting is not None:
            await waiting
    ended(control)
