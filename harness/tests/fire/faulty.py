"""A right implementation to which one thing happens, once: ``faulty.py CONTROL STEP FAULT MARK``.

The reference behind either control port. When STEP is reached (``start``, or a call in
lower case) it makes the file MARK and suffers FAULT; whoever finds MARK lives in peace, so
that the next process shows whether the harness has got over it.
"""

import asyncio
import contextlib
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "implementations" / "reference"))

import grpc
from google.protobuf import json_format

from dramaturg.v2 import control_pb2, control_pb2_grpc

import control

CALLS = ("Describe", "Prepare", "Act", "Turn", "Run", "Trace", "Teardown", "Shutdown")
STREAMS = ("Run", "Trace")


def killed() -> None:
    """As the kernel does it when memory runs out."""
    os.kill(os.getpid(), signal.SIGKILL)


def stopped() -> None:
    """Ctrl-Z, a debugger, a frozen container."""
    os.kill(os.getpid(), signal.SIGSTOP)


def exits() -> None:
    """In the middle of its work, as if all were well."""
    os._exit(0)


def cut() -> None:
    """Its side of the connection is gone; the process lives on."""
    if sys.argv[1] == "stdio":
        os.close(1)
    for entry in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            if stat.S_ISSOCK(entry.stat().st_mode):
                with socket.socket(fileno=os.dup(int(entry.name))) as connection:
                    connection.shutdown(socket.SHUT_RDWR)
    time.sleep(3600)


def deaf() -> None:
    """It closes its standard input, and goes on answering."""
    os.close(0)


def half() -> None:
    """It dies within a line."""
    os.write(1, b'{"id": 1, "rep')
    os._exit(0)


def waits() -> None:
    """For whoever interrupts the harness here."""
    time.sleep(3600)


def stays() -> None:
    """As before, with a child in a session of its own; and a polite request moves neither."""
    subprocess.Popen(["sleep", "3600"], start_new_session=True)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    waits()


def edits() -> None:
    """Somebody saves a file of its sources."""
    with Path("dramaturg.toml").open("a") as manifest:
        manifest.write("# changed\n")


def daemon() -> None:
    """It leaves somebody behind who holds its pipes, and writes down who."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            Path(sys.argv[4]).write_text(str(os.getpid()))
            time.sleep(3600)
        os._exit(0)
    os.wait()


class Faulty(control.Control):
    """The reference's control port, with the fault at its step."""

    def __init__(self, step: str, suffer: Callable[[], None]) -> None:
        super().__init__()
        self.step = step
        self.suffer = suffer


def _faulty(call: str) -> Any:
    honest = getattr(control.Control, call)

    async def answer(self: Faulty, request: Any, context: Any) -> Any:
        if self.step == call.lower():
            self.suffer()
        return await honest(self, request, context)

    async def stream(self: Faulty, request: Any, context: Any) -> Any:
        async for item in honest(self, request, context):
            yield item
            if self.step == call.lower():
                # What was said is on its way before the end comes.
                await asyncio.sleep(0.05)
                self.suffer()

    return stream if call in STREAMS else answer


for _call in CALLS:
    setattr(Faulty, _call, _faulty(_call))


class _Refused(Exception):
    pass


class _Context:
    async def abort(self, code: grpc.StatusCode, details: str) -> None:
        raise _Refused(code.name, details)


async def over_pipes(port: Faulty) -> None:
    """spec/stdio.md, as short as it can be."""
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[bytes] = asyncio.Queue()

    def read() -> None:
        try:
            for line in sys.stdin.buffer:
                loop.call_soon_threadsafe(lines.put_nowait, line)
        except OSError:
            time.sleep(3600)
        loop.call_soon_threadsafe(lines.put_nowait, b"")

    loop.run_in_executor(None, read)
    while not port.stopped.is_set() and (line := await lines.get()):
        task = asyncio.ensure_future(_serve(port, json.loads(line)))
        if b'"shutdown"' in line:
            await task
    # Not by returning, which waits for whoever reads.
    os._exit(0)


async def _serve(port: Faulty, asked: dict[str, Any]) -> None:
    number, call = asked["id"], asked["call"].capitalize()
    request = json_format.ParseDict(asked["request"], getattr(control_pb2, f"{call}Request")())
    try:
        answer = getattr(port, call)(request, _Context())
        if call in STREAMS:
            async for item in answer:
                _say(number, item=_plain(item))
            _say(number, end=True)
        else:
            _say(number, reply=_plain(await answer))
    except _Refused as refusal:
        code, message = refusal.args
        _say(number, error={"code": code, "message": message})


def _plain(message: Any) -> Any:
    return json_format.MessageToDict(message, preserving_proto_field_name=True)


def _say(number: int, **answer: Any) -> None:
    print(json.dumps({"id": number, **answer}), flush=True)


async def over_grpc(port: Faulty, path: str) -> None:
    server = grpc.aio.server()
    control_pb2_grpc.add_ControlServicer_to_server(port, server)
    server.add_insecure_port(f"unix:{path}")
    await server.start()
    await port.stopped.wait()
    await server.stop(grace=0.2)


def main() -> None:
    kind, step, fault, mark = sys.argv[1:5]

    def suffer() -> None:
        with contextlib.suppress(FileExistsError):
            Path(mark).touch(exist_ok=False)
            globals()[fault]()

    if step == "start":
        suffer()
    port = Faulty(step, suffer)
    asyncio.run(over_grpc(port, sys.argv[6]) if kind == "grpc" else over_pipes(port))


if __name__ == "__main__":
    main()
