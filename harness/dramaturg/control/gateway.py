"""The stdio gateway: the calls of control.proto to an implementation that has only pipes.

The caller writes its line and reads the pipe until the answer is there; it puts an answer that it
reads for another thread where that one finds it. A line that breaks the protocol of spec/stdio.md
breaks the gateway, with a reason that quotes the line.
"""

import contextlib
import json
import os
import re
import select
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from time import monotonic_ns
from typing import Any, Protocol

from google.protobuf.message import Message

from dramaturg.control import json_lines, transport
from dramaturg.control.transport import (
    FILLS,
    MAX_MESSAGE,
    STREAMS,
    Later,
    Lost,
    Overdue,
    Refused,
    Stamps,
    TooLong,
    TooMuch,
)
from dramaturg.processes.supervised import Supervised

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

_Answer = tuple[dict[str, Any] | bytes, int]
"""A line, and when it had been read; undecoded, if it is long and of a call that is held."""

_LONG = 4096
"""Bytes of a line that takes longer to decode than to find out whose it is."""

_ID, _ITEM = rb'"id"\s*:\s*(\d{1,18})\s*', rb'"item"\s*:'
_ID_FIRST = re.compile(rb"\s*\{\s*" + _ID + rb",\s*" + _ITEM)
_ITEM_FIRST, _ID_LAST = re.compile(rb"\s*\{\s*" + _ITEM), re.compile(rb",\s*" + _ID + rb"\}\s*\Z")


class Ends(Protocol):
    """The file descriptors for writing and reading lines, and their end."""

    input: int
    output: int

    def is_closed(self) -> bool:
        """True if it was closed here."""

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
        self._lines = json_lines.Lines()
        self._writing = threading.Lock()
        self._turns = threading.Condition()
        """Guards what follows, and wakes who waits for the thread that reads."""
        self._is_read = False
        self._waiting: dict[int, deque[_Answer]] = {}
        self._answered: set[int] = set()
        self._held: set[int] = set()
        """Calls whose long lines are decoded when somebody asks for it."""
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
        with self._numbered() as number:
            line = json_lines.request_line(number, method, request)
            stamps.sent = monotonic_ns()
            self._write(line, deadline)
            if stamps.meanwhile is not None:
                stamps.meanwhile()
            yield from self._answers(method, number, deadline, stamps)

    def hold(self, method: str, request: Message, seconds: float, stamps: Stamps) -> Later:
        """As Wire has it."""
        deadline = time.monotonic() + seconds
        lines: list[dict[str, Any] | bytes] = []
        left = transport.MAX_HELD
        with self._numbered() as number:
            self._held.add(number)
            line = json_lines.request_line(number, method, request)
            stamps.sent = monotonic_ns()
            self._write(line, deadline)
            while not lines or _goes_on(lines[-1]):
                answer, stamps.came = self._next(number, deadline)
                lines.append(answer)
                left -= len(answer) if isinstance(answer, bytes) else _LONG
                if left < 0:
                    raise TooMuch
        return lambda: self._decoded(method, number, lines)

    def _decoded(
        self, method: str, number: int, lines: Sequence[dict[str, Any] | bytes]
    ) -> Iterator[Message]:
        """The messages in the lines of a held call."""
        for line in lines:
            answer = line
            if isinstance(answer, bytes):
                answer = self._whole(answer, number)
            message = self._streamed(method, answer)
            if message is not None:
                yield message

    def _whole(self, line: bytes, number: int) -> dict[str, Any]:
        """A long line that seemed to be an item of this call. Raises Lost if it is none."""
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if isinstance(answer, dict) and answer.keys() == {"id", "item"} and answer["id"] == number:
            return answer
        problem = f"a line that begins or ends as an item of request {number}, and is none"
        raise self._violation("STDIO-4", problem, line.decode("utf-8", "replace"))

    @contextlib.contextmanager
    def _numbered(self) -> Iterator[int]:
        """A new request: its answers are kept until this is left. Raises Lost."""
        with self._turns:
            if self.broken:
                raise Lost(self.broken)
            self._last_id += 1
            number = self._last_id
            self._waiting[number] = deque()
        try:
            yield number
        finally:
            with self._turns:
                del self._waiting[number]

    @property
    def silence(self) -> str:
        """A likely reason why no answer has come, as words that follow on the rest: nothing once
        a line has come."""
        if self._answered:
            return ""
        if self._lines.rest:
            count = len(self._lines.rest)
            return f"; {count} bytes came, and no line feed: does one end each line (STDIO-1)?"
        return "; nothing came on its standard output: is that flushed after each line (STDIO-1)?"

    def leave_unread(self, method: str, request: Message, seconds: float) -> None:
        """As Wire has it."""
        deadline = time.monotonic() + seconds
        self._last_id += 1
        self._write(json_lines.request_line(self._last_id, method, request), deadline)
        if not _wait(self._output, select.POLLIN, deadline):
            raise Overdue
        time.sleep(FILLS)

    def drain(self, seconds: float) -> bool:
        """Read what it still writes, until it closes its output or so many seconds are over: nobody
        can end who waits for a reader. Returns whether it has closed its output."""
        deadline = time.monotonic() + seconds
        while self._become_reader(None, deadline):
            try:
                if not self._read(deadline):
                    return True
            finally:
                self._read_no_more()
        return False

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
            assert not isinstance(answer, bytes)
            if method in STREAMS:
                message = self._streamed(method, answer)
                if message is None:
                    return
                yield message
                continue
            if "error" in answer:
                raise Refused("INTERNAL", _plain(answer["error"]))
            if "reply" not in answer:
                raise self._violation("STDIO-4", f"{name} wants a reply", answer)
            yield self._parsed(name, answer["reply"])
            return

    def _streamed(self, method: str, answer: dict[str, Any]) -> Message | None:
        """The next message of a stream; None at its end. Raises Refused and Lost."""
        name = method.lower()
        if "error" in answer:
            raise Refused("INTERNAL", _plain(answer["error"]))
        if answer.get("end") is True:
            return None
        if "item" not in answer:
            raise self._violation("STDIO-5", f"{name} is a stream; neither item nor end", answer)
        return self._parsed(name, answer["item"])

    def _parsed(self, name: str, answer: Any) -> Message:
        try:
            message = json_lines.parsed(name, answer)
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
        something. Raises Overdue, and Lost if the gateway is broken; a thread that waits for no
        answers has False instead."""
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
        if self._held and len(line) > _LONG and (held := self._of_held(line)):
            self._hand_out(held, line, now)
            return None
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
        self._hand_out(number, answer, now)
        return None

    def _of_held(self, line: bytes) -> int | None:
        """The held call of which a long line is an item, as far as its ends show."""
        found = _ID_FIRST.match(line)
        if found is None and _ITEM_FIRST.match(line):
            found = _ID_LAST.search(line, len(line) - 64)
        number = int(found[1]) if found else 0
        return number if number in self._held and number not in self._answered else None

    def _hand_out(self, number: int, answer: dict[str, Any] | bytes, now: int) -> None:
        with self._turns:
            answers = self._waiting.get(number)
            # Nobody waits for what comes too late.
            if answers is not None:
                answers.append((answer, now))

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
            # It may have said why before it went. A process that ends closes both. Chance decides
            # which end is noticed first, and one fault has one text.
            gone = self.drain(_LAST_WORDS)
            closed = "output ended" if gone else "input is closed"
            self._break(f"its standard {closed}; it {self._end()}")
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


def _goes_on(answer: dict[str, Any] | bytes) -> bool:
    """True if more is to come of a stream."""
    return isinstance(answer, bytes) or "item" in answer


def _wait(end: int, event: int, deadline: float) -> bool:
    """True if the pipe is ready, or has ended, before the time is up."""
    poll = select.poll()
    poll.register(end, event)
    return bool(poll.poll(max(0.0, deadline - time.monotonic()) * 1000))


def _plain(text: str) -> str:
    """Text that any status and any terminal can carry."""
    whole = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return whole if len(whole) <= _TEXT else f"{whole[:_TEXT]}..."
