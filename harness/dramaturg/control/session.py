"""A session with one running implementation: typed calls, time limits, clear failures."""

import contextlib
import os
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, cast

from google.protobuf import proto

from dramaturg.control import scratch
from dramaturg.control.gateway import Gateway
from dramaturg.control.lifecycle import Lifecycle
from dramaturg.control.rpc import Rpc
from dramaturg.control.wire import MAX_MESSAGE, Lost, Overdue, Refused, Stamps, TooLong, Wire
from dramaturg.errors import CallFailed, ControlError, Crashed, HarnessFault, Late, Starved
from dramaturg.implementation import variables
from dramaturg.implementation.manifest import Implementation
from dramaturg.processes import interrupts, starvation
from dramaturg.processes.capped import Capped
from dramaturg.processes.supervised import Supervised
from dramaturg.trace.codec import LogBuilder
from dramaturg.trace.events import TraceError
from dramaturg.trace.watches import EVERYBODY, Watches
from dramaturg.v2 import benchmarks_pb2, control_pb2, trace_pb2

MOST_MARKS = 100_000
"""Of one run: ten times as many as there may be in a quarter of an hour (CTRL-6)."""

MOST_DETAILS, MOST_TEXT = 100, 1000
"""Entries of an implementation's details, and characters of whatever it says of itself."""

ORDINARY_TIME = 20.0
"""Seconds in which Trace must be answered while another call is overdue (CTRL-9)."""

EXIT_TIME = 2.0
"""Seconds from the end of its input until a process has gone (CTRL-11)."""

TAIL, TAIL_LINE = 10, 300
"""Lines of standard error that a verdict shows, the last ones, and characters of each."""

_OWED = {
    "Describe": "CTRL-14", "Prepare": "CTRL-4", "Act": "CTRL-5", "Turn": "CTRL-5",
    "Run": "CTRL-15", "Trace": "CTRL-7", "Teardown": "CTRL-8",
}  # fmt: skip
"""Which requirement asks for the answer of each call."""


@dataclass(frozen=True, slots=True)
class MarkSeen:
    """A mark, and when it came."""

    done: int
    """Turns or windows that it says were done."""
    seconds: float
    """Since `Run` was sent, by the harness's clock."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What was seen of a run from outside."""

    marks: list[MarkSeen]
    seconds: float
    """From `Run` sent to its end, by the harness's clock."""


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
        """What fills that file, of a process that was started here."""
        self.attached: Callable[[], None] | None = None
        """Of a process that somebody else started: ends its input, and returns when it has gone.
        Nothing there has a time limit."""
        self.passed: dict[str, int] = {}
        """Of each kind of call, how many nanoseconds the last one that was answered took, from
        its bytes to those of its answer's end."""
        self.first = 0
        """The same of the very first call."""
        self._wire = wire
        self._unread = False
        self._harness = starvation.Own()
        self._lifecycle = Lifecycle()
        self.log = LogBuilder()

    def describe(
        self, probes: Sequence[control_pb2.Probe] = (), timeout: float | None = None
    ) -> control_pb2.DescribeResponse:
        """Who are you, and the answers to ``probes``."""
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
        """Build a world; what was logged in the last one is forgotten."""
        self.log = LogBuilder(watches)
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
    ) -> Ran:
        """The whole benchmark; ``timeout`` is in seconds. ``on_mark`` has each as it comes."""
        request = control_pb2.RunRequest(salt=salt)
        marks: list[MarkSeen] = []
        stamps = Stamps()
        for item in self._stream("Run", request, timeout, stamps):
            marks.append(MarkSeen(item.mark.done, stamps.nanos / 1e9))
            if len(marks) > MOST_MARKS:
                raise Crashed(f"{self.name}: Run: there are more than {MOST_MARKS} marks (CTRL-6)")
            on_mark(item.mark.done)
        return Ran(marks, stamps.nanos / 1e9)

    def trace(self, timeout: float | None = None) -> LogBuilder:
        """Fetch what was logged since the last call; everything since Prepare is returned.

        Raises TraceError for batches that are no trace and for a missing footer.
        """
        self.log.begin_counts()
        self._fetch(self.log.take, timeout)
        return self.log

    def spool(self, file: BinaryIO, timeout: float | None = None) -> None:
        """As trace, but into a file, in whole messages, and nothing is decoded
        (:mod:`dramaturg.trace.spool` reads them). Raises TraceError, and OSError."""
        self._fetch(
            lambda item: proto.serialize_length_prefixed(item, cast("BytesIO", file)), timeout
        )

    def _fetch(
        self, take: Callable[[control_pb2.TraceResponse], object], timeout: float | None
    ) -> None:
        """All that Trace answers, up to its footer."""
        events = watched = 0
        footer = None
        try:
            for item in self._stream("Trace", control_pb2.TraceRequest(), timeout):
                if footer is not None:
                    raise TraceError("the trace goes on after its footer (TRACE-3)")
                if item.HasField("footer"):
                    footer = item.footer
                    continue
                events += len(item.batch.actor)
                watched += len(item.counts.actor)
                take(item)
        except Late as late:
            if footer is None:
                raise
            text = f"{late}: its footer came, and the end of the stream did not"
            piped = isinstance(self._wire, Gateway)
            raise type(late)(text).because("STDIO-5" if piped else late.breaks) from None
        if footer is None:
            raise TraceError("the trace has no footer, so its end is missing (TRACE-3)")
        for what, said, came in (
            ("events", footer.events, events),
            ("watched", footer.watched, watched),
        ):
            if said != came:
                raise TraceError(f"the footer says {said} {what}, and {came} came (TRACE-3)")

    def teardown(self, timeout: float | None = None) -> benchmarks_pb2.Receipt:
        """End the iteration; its receipt. Raises Crashed if there is none."""
        answer = self._call("Teardown", control_pb2.TeardownRequest(), timeout)
        if not answer.HasField("receipt"):
            text = f"{self.name}: Teardown was answered without a receipt (CTRL-8)"
            raise Crashed(text).because("CTRL-8")
        return answer.receipt

    def leave_trace_unread(self) -> None:
        """Call Trace, and read nothing of its answer: nothing but the end of its input may follow.
        Of what was attached to that end is not seen, and nothing is called."""
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
        with contextlib.suppress(OSError):
            self.process.popen.stdin.close()
        if isinstance(self._wire, Gateway) and not self._unread:
            self._wire.drain(EXIT_TIME)
        status = self.process.wait(EXIT_TIME)
        if status is None:
            raise self.late(
                f"{self.name} still runs {EXIT_TIME:.0f} s after the end of its standard input"
                " (CTRL-11)"
            ).because("CTRL-11")
        if status != 0:
            raise Crashed(
                f"{self.name} {self.process.describe_end()} at the end of its standard input,"
                " not with 0 (CTRL-11)"
            ).because("CTRL-11", self.stderr_tail())

    def late(self, text: str) -> Late:
        """What is to be raised of an answer that is overdue: nobody is blamed for the want of a
        core (LEVEL-35)."""
        hungry = {"the harness": self._harness.wanted()}
        if self.process is not None:
            hungry[self.name] = self.process.wanted()
        if excuse := starvation.excuse(hungry):
            return Starved(text + excuse)
        return Late(text)

    def stderr_tail(self) -> str:
        """The last lines that this process wrote to standard error."""
        if self.stderr is None or not self.stderr.exists():
            return ""
        if self.errors is not None:
            self.errors.settle()
        with self.stderr.open("rb") as file:
            file.seek(max(self.said_before, self.stderr.stat().st_size - 16_384))
            text = file.read().decode("utf-8", "replace")
        lines = text.strip().splitlines()[-TAIL:]
        return "\n".join(
            line if len(line) <= TAIL_LINE else f"{line[:TAIL_LINE]}..." for line in lines
        )

    @property
    def is_free(self) -> bool:
        """Whether another world can be prepared: none is there, or the last was torn down."""
        return self._lifecycle.is_free

    @contextlib.contextmanager
    def stopped(self) -> Iterator[None]:
        """It gets no core meanwhile, if it is a process that was started here."""
        with self.process.stopped() if self.process is not None else contextlib.nullcontext():
            yield

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
        answers = self._wire.call(method, request, seconds, stamps)
        try:
            yield from answers
        except (Overdue, Lost, Refused, TooLong) as failure:
            self._lifecycle.failed()
            owed = "CTRL-9" if overtakes else _OWED[method]
            raise self._failure(method, failure, seconds, owed) from None
        self.passed[method] = stamps.nanos
        self.first = self.first or stamps.nanos
        self._lifecycle.answered(method)

    def _failure(self, method: str, failure: Exception, seconds: float, owed: str) -> ControlError:
        """What is to be raised; ``owed`` asks for the answer that did not come."""
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
                return CallFailed(method, code, said).because("CTRL-10")
            case _:
                text = f"{self.name}: {method} was not answered within {seconds:.3g} s"
                return self.late(text).because(owed)


@contextlib.contextmanager
def start(
    implementation: Implementation,
    *,
    prefix: Sequence[str] = (),
    stderr: Path | None = None,
    environment: dict[str, str] | None = None,
    cores: Sequence[int] = (),
    folder: Path | None = None,
) -> Iterator[Session]:
    """Start the implementation and connect to it; leaving ends it, whatever it is doing.

    ``prefix`` goes before its command line (``mnexec -a PID`` puts it into a Mininet host).
    ``folder`` is where it is started, if not in its own. With ``cores`` it runs on these
    alone, and is told how many they are as its manifest says (``run.cores``). Raises
    Crashed or Late if it does not come up.
    """
    stack = contextlib.ExitStack()
    try:
        with interrupts.held():
            in_folder = folder or implementation.folder
            place = _Place(in_folder, (*prefix, *_only_on(cores)), environment or {}, cores)
            session = _open(implementation, place, stderr, stack)
        _await_start(session, implementation.manifest.run.start_timeout)
        _check_confined(session, cores)
        yield session
    finally:
        with interrupts.held():
            stack.close()


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a process is started."""

    folder: Path
    prefix: Sequence[str]
    environment: dict[str, str]
    cores: Sequence[int]


def _only_on(cores: Sequence[int]) -> tuple[str, ...]:
    """What goes before a command line so that it runs on these cores; nothing for none."""
    return ("taskset", "--cpu-list", ",".join(map(str, cores))) if cores else ()


def _check_confined(session: Session, cores: Sequence[int]) -> None:
    """Raises HarnessFault if it runs elsewhere: the record would name cores that were not."""
    if not cores or session.process is None:
        return
    found = sorted(os.sched_getaffinity(session.process.pid))
    if found != sorted(cores):
        raise HarnessFault(
            f"{session.name} was to run on cores {list(cores)}, and runs on {found}: what it is"
            " started by has a hand in it"
        )


def _open(
    implementation: Implementation,
    place: _Place,
    stderr: Path | None,
    stack: contextlib.ExitStack,
) -> Session:
    """All that a session takes; ``stack`` is what takes it away again."""
    manifest = implementation.manifest
    try:
        folder = stack.enter_context(scratch.folder())
        stderr = stderr or folder / "stderr.log"
        errors = stack.enter_context(Capped(stderr))
        said_before = stderr.stat().st_size
    except OSError as error:
        raise HarnessFault(f"{implementation.name} cannot be started: {error}") from None
    socket = folder / scratch.SOCKET
    process = stack.enter_context(_start_process(implementation, place, socket, errors.fileno()))
    wire = Gateway(process) if manifest.control == "stdio" else Rpc(f"unix:{socket}")
    session = Session(implementation.name, wire, manifest.run.call_timeout, process, stderr)
    session.said_before = said_before
    session.errors = errors
    stack.callback(session.close)
    return session


@contextlib.contextmanager
def connect(name: str, address: str, call_timeout: float = 3600.0) -> Iterator[Session]:
    """A session with an implementation that runs already, at HOST:PORT or ``unix:PATH``."""
    rpc = Rpc(address)
    session = Session(name, rpc, call_timeout)
    try:
        if not rpc.is_served(10.0):
            raise Crashed(f"nothing answers at {address}; start {name} there first")
        yield session
    finally:
        session.close()


def _start_process(
    implementation: Implementation,
    place: _Place,
    socket: Path,
    stderr: int,
) -> Supervised:
    manifest, settings = implementation.manifest, implementation.settings
    told = implementation.told(len(place.cores))
    command = [*place.prefix, *manifest.run.command, *settings.arguments, *told.arguments]
    if manifest.control == "grpc":
        command += ["--socket", str(socket)]
        pipes = {"stdin": subprocess.PIPE, "stdout": stderr}
    else:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    environment = variables.for_run(implementation, place.environment | told.environment)
    try:
        return Supervised.start(
            command, cwd=place.folder, environment=environment, stderr=stderr, **pipes
        )
    except OSError as error:
        raise Crashed(f"{implementation.name} cannot be started: {error}") from None


def _await_start(session: Session, timeout: float) -> None:
    """Until it describes itself: the only proof that it is up."""
    assert session.process is not None
    deadline = time.monotonic() + timeout
    while isinstance(session._wire, Rpc) and not session._wire.is_served(0.05):
        if session.process.status is not None:
            end = session.process.describe_end()
            text = f"{session.name} {end} before it answered"
            raise Crashed(text).because("CTRL-1", session.stderr_tail())
        if time.monotonic() > deadline:
            text = f"{session.name} does not serve its socket after {timeout:g} s"
            raise session.late(text).because("CTRL-1", session.stderr_tail())
    session.describe(timeout=max(0.1, deadline - time.monotonic()))
