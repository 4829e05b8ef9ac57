"""The stdio gateway: a gRPC control port for an implementation that has only pipes.

One thread reads the implementation's standard output and hands each answer to
the call that waits for it; the gRPC server above it lives in this process. What
breaks the protocol of spec/stdio.md breaks the gateway, with a reason that quotes
the offending line.
"""

import io
import json
import queue
import threading
from collections.abc import Iterator
from concurrent import futures
from pathlib import Path
from typing import Any, cast

import grpc
from google.protobuf import json_format
from google.protobuf.message import Message

from dramaturg.control.process import Supervised
from dramaturg.v2 import control_pb2, control_pb2_grpc

MAX_LINE = 16 * 1024 * 1024
"""Bytes: STDIO-1."""

_QUOTE = 200
_TEXT = 2000
"""Characters: of a line, and of a reason. gRPC refuses a status of many kilobytes."""

_STREAMS = {"run", "trace"}
_FORMS = {"reply", "item", "end", "error"}
_RESPONSES: dict[str, type[Message]] = {
    "describe": control_pb2.DescribeResponse,
    "prepare": control_pb2.PrepareResponse,
    "act": control_pb2.ActResponse,
    "turn": control_pb2.TurnResponse,
    "run": control_pb2.RunResponse,
    "trace": control_pb2.TraceResponse,
    "teardown": control_pb2.TeardownResponse,
}


_COLUMNS = {"batch": {"actor", "sender", "kind", "args"}, "counts": {"actor", "taken"}}


class _Broken(Exception):
    """The implementation broke the protocol; the text says how."""


class _Answered(Exception):
    """The implementation answered that an actor failed; the text is its reason."""


class JsonPeer:
    """The implementation's side of the pipes."""

    def __init__(self, process: Supervised) -> None:
        self._process = process
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._waiting: dict[int, queue.SimpleQueue[dict[str, Any] | None]] = {}
        self._answered: set[int] = set()
        self._last_id = 0
        self.broken = ""
        self._violated = False
        self._reader = threading.Thread(target=self._read, name="gateway-reader", daemon=True)
        self._reader.start()

    def call(self, name: str, request: Message, context: grpc.ServicerContext) -> Iterator[Any]:
        """Make a call; yields its answers as dictionaries. Raises _Broken, _Answered."""
        answers: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        with self._lock:
            if self.broken:
                raise _Broken(self.broken)
            self._last_id += 1
            number = self._last_id
            self._waiting[number] = answers
        context.add_callback(lambda: answers.put(None))
        try:
            yield from self._make(name, number, request, answers)
        finally:
            with self._lock:
                del self._waiting[number]

    def _make(
        self,
        name: str,
        number: int,
        request: Message,
        answers: "queue.SimpleQueue[dict[str, Any] | None]",
    ) -> Iterator[Any]:
        body = json_format.MessageToDict(
            request,
            preserving_proto_field_name=True,
            use_integers_for_enums=True,
            always_print_fields_with_no_presence=True,
        )
        self._write({"id": number, "call": name, "request": body})
        while True:
            answer = answers.get()
            if answer is None:
                if self.broken:
                    raise _Broken(self.broken)
                return
            if "error" in answer:
                raise _Answered(_plain(answer["error"]))
            if name in _STREAMS:
                if answer.get("end") is True:
                    return
                if "item" not in answer:
                    raise self._violation(f"{name} is a stream; neither item nor end", answer)
                yield answer["item"]
            elif "reply" in answer:
                yield answer["reply"]
                return
            else:
                raise self._violation(f"{name} wants a reply", answer)

    def violation(self, what: str, line: object) -> None:
        """Break the gateway: everything that waits is told, the process group is ended."""
        text = line if isinstance(line, str) else json.dumps(line)
        quoted = text[:_QUOTE] + ("..." if len(text) > _QUOTE else "")
        self._break(f"{_plain(what)}: {quoted!r}", violated=True)

    def _violation(self, what: str, line: object) -> _Broken:
        self.violation(what, line)
        return _Broken(self.broken)

    def _write(self, request: dict[str, Any]) -> None:
        data = json.dumps(request, separators=(",", ":")).encode() + b"\n"
        pipe = self._process.popen.stdin
        assert pipe is not None
        try:
            with self._writing:
                rest = memoryview(data)
                while rest:
                    rest = rest[pipe.write(rest) :]
        except (OSError, ValueError):
            self._break(f"its standard input is closed; it {self._process.describe_end()}")

    def _read(self) -> None:
        assert self._process.popen.stdout is not None
        pipe = io.BufferedReader(cast("io.RawIOBase", self._process.popen.stdout))
        try:
            while line := pipe.readline(MAX_LINE + 1):
                if len(line) > MAX_LINE:
                    self.violation(f"a line over {MAX_LINE} bytes", line[:_QUOTE].decode("latin-1"))
                    return
                problem = self._dispatch(line)
                if problem:
                    self.violation(problem, line.decode("utf-8", "replace").rstrip("\n"))
                    return
        except (OSError, ValueError):
            pass
        self._break(f"its standard output ended; it {self._process.describe_end_soon()}")

    def _dispatch(self, line: bytes) -> str:
        """Hand a line to its call; what is wrong with it, or nothing."""
        if not line.endswith(b"\n"):
            return "standard output ended within a line"
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            return "standard output is for JSON lines only, but there was"
        if not isinstance(answer, dict):
            return "an answer must be a JSON object, but there was"
        number = answer.get("id")
        if type(number) is not int or not 0 < number <= self._last_id:
            return "an answer to a request that was not made"
        if len(answer) != 2 or not answer.keys() & _FORMS:
            return "an answer has its id and one of reply, item, end and error, but there was"
        if "error" in answer and not isinstance(answer["error"], str):
            return "an error must be a string, the reason"
        if number in self._answered:
            return "an answer to a request that was answered already"
        if "item" not in answer:
            self._answered.add(number)
        with self._lock:
            answers = self._waiting.get(number)
        # Nobody waits for what comes too late.
        if answers is not None:
            answers.put(answer)
        return ""

    def _break(self, reason: str, violated: bool = False) -> None:
        with self._lock:
            # It may have said what is wrong and ended before that was read: the cause counts.
            if not self.broken or (violated and not self._violated):
                self.broken, self._violated = reason, violated
            waiting = list(self._waiting.values())
        for answers in waiting:
            answers.put(None)


class Gateway(control_pb2_grpc.ControlServicer):
    """Serves an implementation's pipes as ``dramaturg.v2.Control`` on a Unix socket."""

    def __init__(self, process: Supervised, socket: Path) -> None:
        self.peer = JsonPeer(process)
        self._server = grpc.server(futures.ThreadPoolExecutor(max_workers=4))
        control_pb2_grpc.add_ControlServicer_to_server(self, self._server)
        self._server.add_insecure_port(f"unix:{socket}")
        self._server.start()

    @property
    def broken(self) -> str:
        """Why the gateway is broken; empty while it is not."""
        return self.peer.broken

    def close(self) -> None:
        """Stop serving. The process is its supervisor's to end."""
        self._server.stop(grace=None).wait()

    def _answers(
        self, call: str, request: Message, context: grpc.ServicerContext
    ) -> Iterator[Message]:
        try:
            for answer in self.peer.call(call, request, context):
                try:
                    yield _parse(call, answer)
                except (
                    Exception
                ) as error:  # Whatever is said in JSON, it is not the harness's fault.
                    self.peer.violation(f"the answer to {call} does not fit ({error})", answer)
                    raise _Broken(self.peer.broken) from None
        except _Broken as error:
            context.abort(grpc.StatusCode.DATA_LOSS, str(error))
        except _Answered as error:
            context.abort(grpc.StatusCode.INTERNAL, str(error))

    def _answer(self, call: str, request: Message, context: grpc.ServicerContext) -> Any:
        for answer in self._answers(call, request, context):
            return answer
        context.abort(grpc.StatusCode.CANCELLED, "the harness gave this call up")
        raise AssertionError("abort raises")

    def Describe(self, request: Any, context: grpc.ServicerContext) -> Any:
        return self._answer("describe", request, context)

    def Prepare(self, request: Any, context: grpc.ServicerContext) -> Any:
        return self._answer("prepare", request, context)

    def Act(self, request: Any, context: grpc.ServicerContext) -> Any:
        return self._answer("act", request, context)

    def Turn(self, request: Any, context: grpc.ServicerContext) -> Any:
        return self._answer("turn", request, context)

    def Run(self, request: Any, context: grpc.ServicerContext) -> Any:
        yield from self._answers("run", request, context)

    def Trace(self, request: Any, context: grpc.ServicerContext) -> Any:
        yield from self._answers("trace", request, context)

    def Teardown(self, request: Any, context: grpc.ServicerContext) -> Any:
        return self._answer("teardown", request, context)


def _parse(call: str, answer: Any) -> Message:
    """The answer as its message. Columns, the bulk of all bytes, take a short cut."""
    if call == "trace" and isinstance(answer, dict) and len(answer) == 1:
        (member, columns), response = *answer.items(), control_pb2.TraceResponse()
        if member in _COLUMNS:
            unknown = columns.keys() - _COLUMNS[member]
            if unknown:
                raise ValueError(f"no column is called {', '.join(sorted(unknown))}")
            filled = getattr(response, member)
            filled.SetInParent()
            for column, values in columns.items():
                getattr(filled, column).extend(_integers(column, values))
            return response
    if call == "describe" and isinstance(answer, dict) and "spec_version" in answer:
        raise ValueError("it speaks version 1 of the protocol: see spec/versions.md")
    _check_names(answer, _RESPONSES[call].DESCRIPTOR)
    return json_format.ParseDict(answer, _RESPONSES[call]())


def _check_names(answer: Any, message: Any) -> None:
    """Whether all fields have their names of the proto files: the parser takes others as well
    (STDIO-7)."""
    if not isinstance(answer, dict):
        raise TypeError(f"{message.name} is no object")
    for name, value in answer.items():
        field = message.fields_by_name.get(name)
        if field is None:
            raise ValueError(f"no field of {message.name} is called {name}")
        nested = field.message_type
        if nested is not None and not nested.GetOptions().map_entry:
            for each in value if isinstance(value, list) else [value]:
                _check_names(each, nested)


def _integers(column: str, values: Any) -> list[int]:
    """A column's numbers: JSON numbers, or strings of digits (STDIO-7)."""
    if not isinstance(values, list):
        raise TypeError(f"column {column} is no list")
    if set(map(type, values)) <= {int}:
        return values
    for value in values:
        if type(value) is not int and not (
            type(value) is str and value.isascii() and value.isdigit()
        ):
            raise ValueError(f"column {column} has {value!r}, which is no integer")
    return [int(value) for value in values]


def _plain(text: str) -> str:
    """Text that any status and any terminal can carry."""
    whole = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return whole if len(whole) <= _TEXT else f"{whole[:_TEXT]}..."
