"""A right implementation to which one thing happens: ``faulty.py CONTROL STEP FAULT MARK``.

The reference behind either control port. When STEP is reached (``start``, a call in lower
case, or ``end``, that of its input; ``run:2`` passes two of them) it makes the file MARK and
suffers FAULT; whoever finds MARK lives in peace, so that the next process shows whether the
harness has got over it. Faults of its answers rather than of itself are in lies.py.
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
import threading
import time
import traceback
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "implementations/reference/src"))

import grpc
import lies
from google.protobuf import json_format

from dramaturg.v2 import control_pb2, control_pb2_grpc, trace_pb2

from reference.control.port import Control

CALLS = ("Describe", "Prepare", "Act", "Turn", "Run", "Trace", "Teardown")
STREAMS = ("Run", "Trace")


def killed() -> None:
    """As the kernel does it when memory runs out."""
    os.kill(os.getpid(), signal.SIGKILL)


def stopped() -> None:
    """Ctrl-Z, a debugger, a frozen container."""
    os.kill(os.getpid(), signal.SIGSTOP)
    # It may stop a moment later, in which it is not to go on.
    time.sleep(1)


def exits() -> None:
    """In the middle of its work, as if all were well."""
    os._exit(0)


def fails() -> None:
    """It exits, and says that it did not end well."""
    os._exit(3)


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


def chatters() -> None:
    """Something in it prints to standard output, and does not stop."""
    while True:
        os.write(1, b"42 actors are alive\n" * 100)


def floods() -> None:
    """A line without an end."""
    while True:
        os.write(1, b'{"id": 1, "reply": ' + b" " * 65_536)


def waits() -> None:
    """For whoever interrupts the harness here, or gives up."""
    time.sleep(3600)


def stays() -> None:
    """As before, with a child in a session of its own; and a polite request moves neither."""
    subprocess.Popen(["sleep", "3600"], start_new_session=True)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    waits()


def edits() -> None:
    """Somebody saves a file of its sources."""
    with Path(sys.argv[4]).with_name("dramaturg.toml").open("a") as manifest:
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


class Faulty(Control):
    """The reference's control port, with the fault at its step."""

    def __init__(self, step: str, fault: str, mark: Path) -> None:
        super().__init__()
        self.step, _, passed = step.partition(":")
        self.fault = fault
        self.last = "describe"
        self.rows: trace_pb2.TraceBatch | None = None
        """The last that it handed over: a look at the run may have taken all."""
        self._mark = mark
        self._passes = int(passed or 0)

    def suffers(self, step: str) -> None:
        """Suffer the fault that it has at this step."""
        if self.is_to_suffer(step):
            globals()[self.fault]()

    def is_to_suffer(self, step: str) -> bool:
        """True if its fault is one that happens to itself, and is due: it is so once."""
        return self.fault in globals() and self._is_due(step)

    def lies(self, step: str) -> bool:
        """True if its next answer is to be no honest one."""
        return self.fault in lies.ALL and self._is_due(step)

    def misspells(self, step: str) -> bool:
        """True if its next line is to be none of the protocol."""
        return self.fault in lies.SPELLED and self._is_due(step)

    def is_of_version_1(self) -> bool:
        return self.fault == "old" and self._is_due("start")

    def _is_due(self, step: str) -> bool:
        if self.step not in (step, f"{step}-after-{self.last}"):
            return False
        self._passes -= 1
        if self._passes >= 0:
            return False
        with contextlib.suppress(FileExistsError):
            self._mark.touch(exist_ok=False)
            return True
        return False


def _faulty(call: str) -> Any:
    honest, step = getattr(Control, call), call.lower()

    async def answer(self: Faulty, request: Any, context: Any) -> Any:
        self.suffers(step)
        said = await honest(self, request, context)
        self.last = step
        return lies.ALL[self.fault]([said])[0] if self.lies(step) else said

    async def run(self: Faulty, request: Any, context: Any) -> Any:
        self.suffers(step)
        self.last = "run begun"
        said = honest(self, request, context)
        async for item in lies.told(self.fault, said, None) if self.lies(step) else said:
            yield item
        self.last = step

    async def trace(self: Faulty, request: Any, context: Any) -> Any:
        said = honest(self, request, context)
        is_due, is_lie = self.is_to_suffer(step), self.lies(step)
        if self.last == "run":
            # One for each world, also where a look is answered behind its run.
            self.last = step
        async for item in lies.told(self.fault, said, self.rows) if is_lie else said:
            if item.HasField("batch"):
                self.rows = item.batch
            yield item
            if is_due:
                # The answer is on its way before the end comes.
                await asyncio.sleep(0.05)
                globals()[self.fault]()

    return {"Run": run, "Trace": trace}.get(call, answer)


for _call in CALLS:
    setattr(Faulty, _call, _faulty(_call))


class _Refused(Exception):
    pass


class _Context:
    async def abort(self, code: grpc.StatusCode, details: str) -> None:
        raise _Refused(details)


async def over_pipes(port: Faulty) -> None:
    """spec/stdio.md, as short as it can be."""
    loop = asyncio.get_running_loop()

    def read() -> None:
        try:
            for line in sys.stdin.buffer:
                asyncio.run_coroutine_threadsafe(_serve(port, json.loads(line)), loop)
        except OSError:
            time.sleep(3600)
        _end(port)

    threading.Thread(target=read, daemon=True).start()
    await asyncio.Event().wait()


async def _serve(port: Faulty, asked: dict[str, Any]) -> None:
    number, call = asked["id"], asked["call"].capitalize()
    request = json_format.ParseDict(asked["request"], getattr(control_pb2, f"{call}Request")())
    try:
        answer = getattr(port, call)(request, _Context())
        if call in STREAMS:
            async for item in answer:
                _say(port, call, number, item=_plain(item))
            _say(port, call, number, end=True)
        else:
            _say(port, call, number, reply=_plain(await answer))
    except _Refused as refusal:
        _say(port, call, number, error=str(refusal))
    except Exception:
        # Nobody awaits this: a defect of the program itself would be a call without an answer.
        traceback.print_exc()
        os._exit(70)


def _plain(message: Any) -> Any:
    return json_format.MessageToDict(message, preserving_proto_field_name=True)


def _say(port: Faulty, call: str, number: int, **answer: Any) -> None:
    lines = [{"id": number, **answer}]
    if "item" not in answer and port.misspells(call.lower()):
        lines = lies.SPELLED[port.fault](lines[0])
    for line in lines:
        print(json.dumps(line), flush=True)


async def over_grpc(port: Faulty, path: str) -> None:
    server = grpc.aio.server()
    if not port.is_of_version_1():
        control_pb2_grpc.add_ControlServicer_to_server(port, server)
    server.add_insecure_port(f"unix:{path}")
    await server.start()

    def read() -> None:
        while os.read(0, 4096):
            pass
        _end(port)

    threading.Thread(target=read, daemon=True).start()
    await server.wait_for_termination()


def _end(port: Faulty) -> None:
    port.suffers("end")
    os._exit(0)


def main() -> None:
    control, step, fault, mark = sys.argv[1:5]
    port = Faulty(step, fault, Path(mark))
    port.suffers("start")
    asyncio.run(over_grpc(port, sys.argv[6]) if control == "grpc" else over_pipes(port))


if __name__ == "__main__":
    main()
