"""A session with one running implementation: typed calls, time limits, clear failures."""

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from dramaturg.control import answers, last_words
from dramaturg.control.gateway import Gateway
from dramaturg.control.lifecycle import Lifecycle
from dramaturg.control.transport import (
    MAX_MESSAGE,
    Lost,
    Overdue,
    Refused,
    Stamps,
    TooLong,
    TooMuch,
    Wire,
)
from dramaturg.errors import (
    CallFailed,
    ControlError,
    Crashed,
    Late,
    Starved,
)
from dramaturg.processes import fence, starvation, watchdog
from dramaturg.processes.activity import doing
from dramaturg.processes.capped import Capped
from dramaturg.processes.starvation import Earlier
from dramaturg.processes.supervised import Supervised
from dramaturg.trace.codec import LogBuilder
from dramaturg.trace.watches import EVERYBODY, Watches
from dramaturg.v2 import benchmarks_pb2, control_pb2, trace_pb2

MOST_MARKS = 100_000
"""The most marks of one run: ten times as many as there may be in a quarter of an hour
(CTRL-6)."""

MOST_DETAILS, MOST_TEXT = 100, 1000
"""Entries of an implementation's details, and characters of whatever it says of itself."""

ORDINARY_TIME = 20.0
"""Seconds in which Trace must be answered while another call is overdue (CTRL-9)."""

EXIT_TIME = 2.0
"""Seconds from the end of its input until a process has gone (CTRL-11)."""

_OWED = {
    "Describe": "CTRL-14", "Prepare": "CTRL-4", "Act": "CTRL-5", "Turn": "CTRL-5",
    "Run": "CTRL-15", "Trace": "CTRL-7", "Teardown": "CTRL-8",
}  # fmt: skip
"""The requirement that asks for the answer of each call."""

_REPORTED = (
    "the implementation says so itself, as CTRL-10 asks: the failure of the actor is at fault, not"
    " the answer"
)
_NO_OTHER = "INTERNAL is the only error that an implementation answers with (CTRL-10)"
"""Notes to an answer that is an error."""


@dataclass(frozen=True, slots=True)
class MarkSeen:
    """A mark, and when it came."""

    done: int
    """Turns or windows that it says were done."""
    seconds: float
    """Since `Run` was sent, by the harness's clock."""


@dataclass(frozen=True, slots=True)
class Ran:
    """A run, as it was seen from outside."""

    marks: list[MarkSeen]
    seconds: float
    """Seconds from `Run` sent to its end, by the harness's clock."""
    sent: int = 0
    """Nanoseconds of that clock, which is monotonic, before `Run`'s first byte was written."""


@dataclass(frozen=True, slots=True)
class Looked:
    """The answer to `Trace` while `Run` was under way. It is not decoded yet."""

    asked: int
    """Nanoseconds of the harness's monotonic clock, before the first byte was written."""
    answered: int
    """The same, when the last one had been read."""
    spool: Callable[[BinaryIO], None]
    """As ``Session.spool``."""


class Session:
    """Calls to one implementation. Made by :func:`start` and :func:`connect`."""

    def __init__(
        self,
        name: str,
        wire: Wire,
        call_timeout: float,
        process: Supervised | None = None,
        stderr: Path | None = None,
    ) -> None:
        self.name = name
        self.process = process
        self.call_timeout = call_timeout
        self.stderr = stderr
        self.said_before = 0
        """Bytes of that file that others wrote."""
        self.errors: Capped | None = None
        """The pipe that fills that file, for a process that was started here."""
        self.attached: Callable[[], None] | None = None
        """For a process that somebody else started: ends its input, and returns when it has gone.
        Nothing there has a time limit."""
        self.passed: dict[str, int] = {}
        """For each kind of call, the nanoseconds that the last answered one took, from its bytes
        to those of its answer's end."""
        self.came: dict[str, int] = {}
        """For each kind of call, the moment when the end of the last answer had been read, in
        nanoseconds of the monotonic clock."""
        self.first = 0
        """How many nanoseconds the very first call took."""
        self._running = Stamps()
        self._fetching = threading.Lock()
        self._wire = wire
        self._unread = False
        self._harness = starvation.Own()
        self._lifecycle = Lifecycle()
        self.log = LogBuilder()

    def describe(
        self, probes: Sequence[control_pb2.Probe] = (), timeout: float | None = None
    ) -> control_pb2.DescribeResponse:
        """Calls ``Describe``: asks who the implementation is, and for the answers to
        ``probes``."""
        request = control_pb2.DescribeRequest(probes=probes)
        said = self._call("Describe", request, timeout)
        texts = [said.runtime, said.runtime_version, *said.details, *said.details.values()]
        if len(said.details) > MOST_DETAILS or any(len(text) > MOST_TEXT for text in texts):
            raise CallFailed(
                "Describe",
                "OK",
                f"it may have {MOST_DETAILS} details, and {MOST_TEXT} characters in each text of"
                " it; there are more",
            )
        return said

    def prepare(
        self,
        benchmark: benchmarks_pb2.Benchmark,
        watches: Watches = EVERYBODY,
        node: int = 0,
        peers: Sequence[control_pb2.Peer] = (),
        secret: str = "",
        timeout: float | None = None,
    ) -> control_pb2.PrepareResponse:
        """Build a world; the log of the last one is forgotten."""
        # Logs of several nodes are one run, and are put together in memory.
        self.log = LogBuilder(
            watches, laid_down=not peers, in_columns=bool(peers), guard=fence.guard
        )
        self._running = Stamps()
        request = control_pb2.PrepareRequest(
            benchmark=benchmark, watches=watches, node=node, peers=peers, secret=secret
        )
        return self._call("Prepare", request, timeout)

    def act(
        self,
        client: int,
        choice: int = 0,
        index: int = 0,
        k: int = 0,
        timeout: float | None = None,
    ) -> control_pb2.ActResponse:
        """One client acts, everything settles. ``choice`` is a ``Choice``'s number."""
        request = control_pb2.ActRequest(
            client=client, choice=cast("trace_pb2.Choice", choice), index=index, k=k
        )
        return self._call("Act", request, timeout)

    def turn(self, timeout: float | None = None) -> control_pb2.TurnResponse:
        """All clients act, everything settles."""
        return self._call("Turn", control_pb2.TurnRequest(), timeout)

    def run(
        self,
        salt: int = 0,
        timeout: float | None = None,
        on_mark: Callable[[int], None] = lambda done: None,
        log_limit: int = 0,
    ) -> Ran:
        """The whole benchmark; ``timeout`` is in seconds. ``on_mark`` has each as it comes."""
        request = control_pb2.RunRequest(salt=salt, log_limit=log_limit)
        marks: list[MarkSeen] = []
        stamps = self._running = Stamps()
        for item in self._stream("Run", request, timeout, stamps):
            marks.append(MarkSeen(item.mark.done, stamps.nanos / 1e9))
            if len(marks) > MOST_MARKS:
                raise Crashed(f"{self.name}: Run: there are more than {MOST_MARKS} marks (CTRL-6)")
            on_mark(item.mark.done)
        return Ran(marks, stamps.nanos / 1e9, stamps.sent)

    @property
    def run_since(self) -> int:
        """The time at which `Run` was sent in this world, in nanoseconds of the harness's monotonic
        clock; 0 as long as it was not. Any thread may ask."""
        return self._running.sent

    def trace(self, timeout: float | None = None) -> LogBuilder:
        """Fetch what was logged since the last call; everything since Prepare is returned. Any
        thread may call: one fetches after the other.

        Raises TraceError for batches that are no trace and for a missing footer.
        """
        seconds = timeout or self.call_timeout
        if not self._fetching.acquire(timeout=seconds):
            raise self.late(f"{self.name}: another Trace was not answered within {seconds:.3g} s")
        try:
            self.log.begin_counts()
            self._fetch(self.log.take, timeout)
        finally:
            self._fetching.release()
        return self.log

    @contextlib.contextmanager
    def unchanged(self) -> Iterator[None]:
        """Nothing comes to the log meanwhile, whichever thread asks for it: who reads the log in
        columns, beside others that fetch, reads it in here."""
        with self._fetching:
            yield

    def look(self, timeout: float | None = None) -> Looked:
        """Trace beside `Run`, from another thread than the one that called it (CTRL-9), also on a
        node that is not Run: it brings the log since the last call, and the counts."""
        seconds, stamps = timeout or self.call_timeout, Stamps()
        request = control_pb2.TraceRequest()
        self._lifecycle.call("Trace", request)
        with self._owed("Trace", seconds, "CTRL-9"):
            later = self._wire.hold("Trace", request, seconds, stamps)

        def spool(file: BinaryIO) -> None:
            with self._owed("Trace", seconds, _OWED["Trace"]):
                answers.take_all(later(), answers.into(file))

        return Looked(stamps.sent, stamps.came, spool)

    def spool(
        self,
        file: BinaryIO,
        timeout: float | None = None,
        meanwhile: Callable[[], None] | None = None,
    ) -> int:
        """As trace, but into a file, in whole messages, and nothing is decoded
        (:mod:`dramaturg.trace.spool` reads them). Return the number of rows that came, events and
        counts. ``meanwhile`` is done when Trace has been asked for. Raises TraceError, and
        OSError."""
        return self._fetch(answers.into(file), timeout, Stamps(meanwhile=meanwhile))

    def _fetch(
        self,
        take: Callable[[control_pb2.TraceResponse], object],
        timeout: float | None,
        stamps: Stamps | None = None,
    ) -> int:
        """All that Trace answers, up to its footer; how many rows that is."""
        ended: list[bool] = []
        items = self._stream("Trace", control_pb2.TraceRequest(), timeout, stamps)
        try:
            return answers.take_all(items, take, ended)
        except Late as late:
            if not ended:
                raise
            text = f"{late}: its footer came, and the end of the stream did not"
            piped = isinstance(self._wire, Gateway)
            raise type(late)(text).because("STDIO-5" if piped else late.breaks) from None

    def teardown(self, timeout: float | None = None) -> benchmarks_pb2.Receipt:
        """End the iteration; its receipt. Raises Crashed if there is none."""
        answer = self._call("Teardown", control_pb2.TeardownRequest(), timeout)
        if not answer.HasField("receipt"):
            text = f"{self.name}: Teardown was answered without a receipt (CTRL-8)"
            raise Crashed(text).because("CTRL-8")
        return answer.receipt

    def leave_trace_unread(self) -> None:
        """Call Trace, and read nothing of its answer: nothing but the end of its input may follow.
        The harness does not see that end of an attached process, so it calls nothing."""
        if self.attached is None:
            self._lifecycle.call("Trace")
            self._unread = True
            self._wire.leave_unread("Trace", control_pb2.TraceRequest(), ORDINARY_TIME)

    def end_input(self) -> None:
        """End its standard input. Raises Crashed or Late if it does not exit as it must
        (CTRL-11)."""
        self._lifecycle.call("the end of input")
        if self.attached is not None:
            self.attached()
            return
        if self.process is None or self.process.popen.stdin is None:
            return
        self._hold_to_life()
        before = self.process.moment()
        with contextlib.suppress(OSError):
            self.process.popen.stdin.close()
        if isinstance(self._wire, Gateway) and not self._unread:
            self._wire.drain(EXIT_TIME)
        status = self.process.wait(EXIT_TIME)
        if status is None:
            raise self.late(
                f"{self.name} still runs {EXIT_TIME:.0f} s after the end of its standard input"
                f" (CTRL-11){self._doing()}; {self._lifecycle.latest} when it ended",
                since=before,
            ).because("CTRL-11")
        if status != 0:
            raise Crashed(
                f"{self.name} {self.process.describe_end()} at the end of its standard input,"
                " not with 0 (CTRL-11)"
            ).because("CTRL-11", self.stderr_tail())

    def _hold_to_life(self) -> None:
        """Raises Crashed for a process that had ended before its input did."""
        if self.process is None or self.process.status is None:
            return
        unanswered = self._lifecycle.unanswered
        owed = _OWED[unanswered[-1]] if unanswered else "CTRL-11"
        raise Crashed(
            f"{self.name} {self.process.describe_end()} before the end of its standard input, which"
            f" was about to be ended: {self._lifecycle.latest} ({owed})"
        ).because(owed, self.stderr_tail())

    def _doing(self) -> str:
        """The activity of the process that is waited for, as words that follow on the rest."""
        if self.process is None or self.process.status is not None:
            return ""
        return f"; it {doing(self.process.consumption)}"

    def late(self, text: str, since: Earlier | None = None) -> Late:
        """The error for an answer that is overdue: nobody is blamed for the want of a core
        (LEVEL-35), in all its life or since the wait began."""
        if excuse := self.excuse(since):
            return Starved(text + excuse)
        return Late(text)

    def excuse(self, since: Earlier | None = None) -> str:
        """The want of a core that may make it or the harness late, in words that follow on the
        rest; empty if there is none."""
        hungry = [("the harness", self._harness.wanted())]
        if self.process is not None:
            hungry.append((self.name, self.process.wanted()))
        if self.process is not None and since is not None:
            hungry.append((self.name, self.process.wanted_since(since)))
        return starvation.excuse(hungry)

    def stderr_tail(self) -> str:
        """The first and the last lines that this process wrote to standard error."""
        return last_words.of(self.stderr, self.said_before, self.errors) if self.stderr else ""

    @property
    def is_free(self) -> bool:
        """True if another world can be prepared: none is there, or the last was torn down."""
        return self._lifecycle.is_free

    @contextlib.contextmanager
    def stopped(self) -> Iterator[None]:
        """It gets no core meanwhile, if it is a process that was started here."""
        with self.process.stopped() if self.process is not None else contextlib.nullcontext():
            yield

    def strays(self) -> list[str]:
        """The processes that descend from this one and are not counted, in words."""
        return self.process.consumption.strays() if self.process is not None else []

    def close(self) -> None:
        """Let go of the connection. The process is not touched."""
        self._wire.close()

    def _call(self, method: str, request: Any, timeout: float | None = None) -> Any:
        (answer,) = self._stream(method, request, timeout)
        return answer

    def _stream(
        self,
        method: str,
        request: Any,
        timeout: float | None = None,
        stamps: Stamps | None = None,
    ) -> Iterator[Any]:
        if self.attached is not None:
            timeout = None
        seconds, stamps = timeout or self.call_timeout, stamps or Stamps()
        overtakes = method == "Trace" and self._lifecycle.is_overtaken
        self._lifecycle.call(method, request)
        owed = "CTRL-9" if overtakes else _OWED[method]
        limited = watchdog.within(seconds, f"{self.name}: {method}")
        with limited, self._owed(method, seconds, owed):
            yield from self._wire.call(method, request, seconds, stamps)
        self.passed[method], self.came[method] = stamps.nanos, stamps.came
        self.first = self.first or stamps.nanos
        self._lifecycle.answered(method)

    @contextlib.contextmanager
    def _owed(self, method: str, seconds: float, owed: str) -> Iterator[None]:
        """Says what is to be said of an answer that ``owed`` asks for and that is none."""
        try:
            yield
        except (Overdue, Lost, Refused, TooLong, TooMuch) as failure:
            self._lifecycle.failed()
            raise self._failure(method, failure, seconds, owed) from None

    def _failure(self, method: str, failure: Exception, seconds: float, owed: str) -> ControlError:
        """The error to raise; ``owed`` asks for the answer that did not come."""
        match failure:
            case Lost() if isinstance(self._wire, Gateway):
                text = f"{self.name}: {method}: {failure}"
                return Crashed(text).because(self._wire.violated or owed, self.stderr_tail())
            case Lost() if self.process is not None:
                end = self.process.describe_end_soon()
                text = f"{self.name}: {method}: the connection is lost; the process {end}"
                return Crashed(text).because(owed, self.stderr_tail())
            case Lost():
                text = f"{self.name}: {method}: the connection is lost ({failure})"
                return Crashed(text).because(owed)
            case TooMuch():
                return Crashed(f"{self.name}: {method}: {failure}").because(owed)
            case TooLong():
                return Crashed(
                    f"{self.name}: {method}: a message over the protocol's limit of"
                    f" {MAX_MESSAGE} bytes ({failure})"
                ).because("TRACE-3" if method == "Trace" else owed)
            case Refused(code="UNIMPLEMENTED" as code, details=said):
                return CallFailed(
                    method,
                    code,
                    f"it does not serve dramaturg.v2.Control ({said}); an implementation of"
                    " version 1 has to be moved to version 2 (spec/versions.md)",
                ).because("CTRL-1")
            case Refused(code=code, details=said):
                failed = CallFailed(method, code, said)
                failed.add_note(_REPORTED if code == "INTERNAL" else _NO_OTHER)
                return failed.because("CTRL-10", self.stderr_tail())
            case _:
                text = f"{self.name}: {method} was not answered within {seconds:.3g} s"
                others = [each for each in self._lifecycle.unanswered if each != method]
                if others:
                    text += f" while {' and '.join(others)} was under way ({owed})"
                text += self._doing()
                if isinstance(self._wire, Gateway):
                    text += self._wire.silence
                return self.late(text).because(owed)
