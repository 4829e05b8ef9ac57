"""The stdio gateway: the calls of control.proto to an implementation that has only pipes.

Who makes a call writes its line and reads the pipe until the answer is there; what it
reads for another thread it puts where that one finds it. What breaks the protocol of
spec/stdio.md breaks the gateway, with a reason that quotes the offending line.
"""

import contextlib
import json
import os
import select
import threading
import time
from collections import deque
from collections.abc import Iterator
from time import monotonic_ns
from typing import Any, Protocol

from google.protobuf import json_format
from google.protobuf.message import Message

from dramaturg.control.wire import (
    FILLS,
    MAX_MESSAGE,
    RESPONSES,
    STREAMS,
    Lost,
    Overdue,
    Refused,
    Stamps,
    TooLong,
)
from dramaturg.processes.supervised import Supervised
from dramaturg.v2 import control_pb2

MAX_LINE = 16 * 1024 * 1024
"""Bytes: STDIO-1."""

_QUOTE = 200
_TEXT = 2000
"""Characters: of a line, and of a reason."""

_CHUNK = 1024 * 1024
"""Bytes that are read at once, at most: as much as a pipe can hold."""

_LAST_WORDS = 0.5
"""Seconds in which who has closed its input says what it still has to say."""

_FORMS = {"reply", "item", "end", "error"}

_COLUMNS = {"batch": {"actor", "sender", "kind", "args"}, "counts": {"actor", "taken"}}

_Answer = tuple[dict[str, Any], int]
"""A line, and when it had been read."""


class Ends(Protocol):
    """Where lines are written and read, as file descriptors, and how that ends."""

    input: int
    output: int

    def is_closed(self) -> bool:
        """Whether it was closed here."""

    def end_input(self) -> None:
        """Nothing more will be written."""

    def how_it_ended(self) -> str:
        """Words that follow on *it*, of what closed its output."""


class _OfProcess:
    """The pipes of a process that was started here."""

    def __init__(self, process: Supervised) -> None:
        assert process.popen.stdin is not None
        assert process.popen.stdout is not None
        self._process, self._stdin, self._stdout = (
            process,
            process.popen.stdin,
            process.popen.stdout,
        )
        self.input, self.output = self._stdin.fileno(), self._stdout.fileno()

    def is_closed(self) -> bool:
        return self._stdout.closed

    def end_input(self) -> None:
        with contextlib.suppress(OSError):
            self._stdin.close()

    def how_it_ended(self) -> str:
        return self._process.describe_end_soon()


class Gateway:
    """The harness's side of the pipes. Any thread may call."""

    def __init__(self, ends: "Supervised | Ends") -> None:
        self._ends = _OfProcess(ends) if isinstance(ends, Supervised) else ends
        self._input, self._output = self._ends.input, self._ends.output
        for end in (self._input, self._output):
            os.set_blocking(end, False)
        self._lines = _Lines()
        self._writing = threading.Lock()
        self._turns = threading.Condition()
        """Guards what follows, and wakes who waits for the thread that reads."""
        self._is_read = False
        self._waiting: dict[int, deque[_Answer]] = {}
        self._answered: set[int] = set()
        self._last_id = 0
        self.broken = ""
        """Why the gateway is broken; empty while it is not."""
        self.violated = ""
        """The requirement of spec/stdio.md that was broken; empty if the process only ended."""

    def call(
        self, method: str, request: Message, seconds: float, stamps: Stamps
    ) -> Iterator[Message]:
        """As Wire has it. Lost says what was wrong with the implementation's output."""
        deadline = time.monotonic() + seconds
        with self._turns:
            if self.broken:
                raise Lost(self.broken)
            self._last_id += 1
            number = self._last_id
            self._waiting[number] = deque()
        try:
            line = _request(number, method, request)
            stamps.sent = monotonic_ns()
            self._write(line, deadline)
            yield from self._answers(method, number, deadline, stamps)
        finally:
            with self._turns:
                del self._waiting[number]

    def leave_unread(self, method: str, request: Message, seconds: float) -> None:
        """As Wire has it."""
        deadline = time.monotonic() + seconds
        self._last_id += 1
        self._write(_request(self._last_id, method, request), deadline)
        if not _wait(self._output, select.POLLIN, deadline):
            raise Overdue
        time.sleep(FILLS)

    def drain(self, seconds: float) -> None:
        """Read what it still writes, until it closes its output or so many seconds are over:
        nobody can end who waits for a reader."""
        deadline = time.monotonic() + seconds
        while self._become_reader(None, deadline):
            try:
                if not self._read(deadline):
                    return
            finally:
                self._read_no_more()

    def finish(self, seconds: float) -> None:
        """End its input, and read until it closes its output."""
        self._ends.end_input()
        self.drain(seconds)

    def close(self) -> None:
        """As Wire has it: the pipes are the process's."""

    def _answers(
        self, method: str, number: int, deadline: float, stamps: Stamps
    ) -> Iterator[Message]:
        name = method.lower()
        while True:
            answer, stamps.came = self._next(number, deadline)
            if "error" in answer:
                raise Refused("INTERNAL", _plain(answer["error"]))
            if method not in STREAMS:
                if "reply" not in answer:
                    raise self._violation("STDIO-4", f"{name} wants a reply", answer)
                yield self._parsed(name, answer["reply"])
                return
            if answer.get("end") is True:
                return
            if "item" not in answer:
                raise self._violation(
                    "STDIO-5", f"{name} is a stream; neither item nor end", answer
                )
            yield self._parsed(name, answer["item"])

    def _parsed(self, name: str, answer: Any) -> Message:
        try:
            message = _parse(name, answer)
        except Exception as error:  # Whatever is said in JSON, it is not the harness's fault.
            problem = f"the answer to {name} does not fit ({error})"
            raise self._violation("STDIO-7", problem, answer) from None
        if message.ByteSize() > MAX_MESSAGE:
            raise TooLong(f"{message.ByteSize()} in protobuf's encoding")
        return message

    def _next(self, number: int, deadline: float) -> _Answer:
        """The next answer to this request, whoever reads it."""
        answers = self._waiting[number]
        while not answers:
            if not self._become_reader(answers, deadline):
                continue
            try:
                if not self._read(deadline):
                    self._break(f"its standard output ended; it {self._end()}")
            finally:
                self._read_no_more()
        return answers.popleft()

    def _become_reader(self, answers: "deque[_Answer] | None", deadline: float) -> bool:
        """Wait for the turn to read: True when it is this thread's, False when ``answers`` has
        something. Raises Overdue, and Lost if the gateway is broken; who waits for no answers
        has False instead."""
        with self._turns:
            while True:
                if answers:
                    return False
                left = deadline - time.monotonic()
                if answers is None and (self.broken or left <= 0):
                    return False
                if self.broken:
                    raise Lost(self.broken)
                if left <= 0:
                    raise Overdue
                if not self._is_read:
                    self._is_read = True
                    return True
                self._turns.wait(left)

    def _read_no_more(self) -> None:
        with self._turns:
            self._is_read = False
            self._turns.notify_all()

    def _read(self, deadline: float) -> bool:
        """Read once and hand out what is whole; False at the end of the output. Returns without
        having read anything when the time is up."""
        if not _wait(self._output, select.POLLIN, deadline):
            return True
        try:
            if self._ends.is_closed():
                return False
            data = os.read(self._output, _CHUNK)
        except BlockingIOError:
            return True
        except OSError:
            return False
        now = monotonic_ns()
        for line in self._lines.whole(data):
            problem = self._dispatch(line, now)
            if problem:
                self.violation(*problem, line.decode("utf-8", "replace").rstrip("\n"))
                return True
        if not data and self._lines.rest:
            rest = self._lines.rest[:_QUOTE].decode("utf-8", "replace")
            self.violation("STDIO-1", "standard output ended within a line", rest)
        if len(self._lines.rest) > MAX_LINE:
            begin = self._lines.rest[:_QUOTE].decode("latin-1")
            self.violation("STDIO-1", f"a line over {MAX_LINE} bytes", begin)
        return bool(data)

    def _dispatch(self, line: bytes, now: int) -> tuple[str, str] | None:
        """Hand a line to its call; which requirement it breaks and how, or nothing."""
        if len(line) > MAX_LINE:
            return "STDIO-1", f"a line over {MAX_LINE} bytes"
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            return "STDIO-2", "standard output is for JSON lines only, but there was"
        if not isinstance(answer, dict):
            return "STDIO-1", "an answer must be a JSON object, but there was"
        number = answer.get("id")
        if type(number) is not int or not 0 < number <= self._last_id:
            return "STDIO-4", "an answer to a request that was not made"
        if len(answer) != 2 or not answer.keys() & _FORMS:
            problem = "an answer has its id and one of reply, item, end and error, but there was"
            return "STDIO-4", problem
        if "error" in answer and not isinstance(answer["error"], str):
            return "STDIO-6", "an error must be a string, the reason"
        if number in self._answered:
            return "STDIO-4", "an answer to a request that was answered already"
        if "item" not in answer:
            self._answered.add(number)
        with self._turns:
            answers = self._waiting.get(number)
            # Nobody waits for what comes too late.
            if answers is not None:
                answers.append((answer, now))
        return None

    def _write(self, line: bytes, deadline: float) -> None:
        if not self._writing.acquire(timeout=max(0.0, deadline - time.monotonic())):
            raise Overdue
        try:
            rest = memoryview(line)
            while rest:
                try:
                    rest = rest[os.write(self._input, rest) :]
                except BlockingIOError:
                    if not _wait(self._input, select.POLLOUT, deadline):
                        raise Overdue from None
        except OSError:
            # It may have said why before it went.
            self.drain(_LAST_WORDS)
            self._break(f"its standard input is closed; it {self._end()}")
            raise Lost(self.broken) from None
        finally:
            self._writing.release()

    def _end(self) -> str:
        return self._ends.how_it_ended()

    def violation(self, requirement: str, what: str, line: object) -> None:
        """Break the gateway: everything that waits is told."""
        text = line if isinstance(line, str) else json.dumps(line)
        quoted = text[:_QUOTE] + ("..." if len(text) > _QUOTE else "")
        self._break(f"{_plain(what)}: {quoted!r}", violated=requirement)

    def _violation(self, requirement: str, what: str, line: object) -> Lost:
        self.violation(requirement, what, line)
        return Lost(self.broken)

    def _break(self, reason: str, violated: str = "") -> None:
        with self._turns:
            # It may have said what is wrong and ended before that was read: the cause counts.
            if not self.broken or (violated and not self.violated):
                self.broken, self.violated = reason, violated
            self._turns.notify_all()


class _Lines:
    """Bytes that come in pieces, cut into lines. What was looked at is not looked at again."""

    def __init__(self) -> None:
        self.rest = bytearray()

    def whole(self, data: bytes) -> list[bytes]:
        """The lines that ``data`` ends, each with its line feed."""
        if b"\n" not in data:
            self.rest += data
            return []
        *lines, rest = data.split(b"\n")
        lines[0] = bytes(self.rest) + lines[0]
        self.rest = bytearray(rest)
        return [line + b"\n" for line in lines]


def _wait(end: int, event: int, deadline: float) -> bool:
    """Whether the pipe is ready, or has ended, before the time is up."""
    poll = select.poll()
    poll.register(end, event)
    return bool(poll.poll(max(0.0, deadline - time.monotonic()) * 1000))


def _request(number: int, method: str, request: Message) -> bytes:
    body = json_format.MessageToDict(
        request,
        preserving_proto_field_name=True,
        use_integers_for_enums=True,
        always_print_fields_with_no_presence=True,
    )
    line = {"id": number, "call": method.lower(), "request": body}
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"


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
    response_type = RESPONSES[call.capitalize()]
    _check_fields(answer, response_type.DESCRIPTOR)
    return json_format.ParseDict(answer, response_type())


def _check_fields(answer: Any, message: Any) -> None:
    """Whether all fields have their names of the proto files, and no integer a fraction: the
    parser takes others as well (STDIO-7)."""
    if not isinstance(answer, dict):
        raise TypeError(f"{message.name} is no object")
    for name, value in answer.items():
        field = message.fields_by_name.get(name)
        if field is None:
            raise ValueError(f"no field of {message.name} is called {name}")
        nested = field.message_type
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, float):
                raise TypeError(f"{name} has {each}, which is no integer")
            if nested is not None and not nested.GetOptions().map_entry:
                _check_fields(each, nested)


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
