"""A session with one running implementation: typed calls, time limits, clear failures."""

import contextlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import grpc

from dramaturg.control import interrupts
from dramaturg.control.errors import CallFailed, ControlError, Crashed, HarnessFault, Late
from dramaturg.control.gateway import Gateway
from dramaturg.control.lifecycle import Lifecycle
from dramaturg.control.manifest import Implementation
from dramaturg.control.process import Supervised
from dramaturg.trace.codec import LogBuilder
from dramaturg.trace.events import TraceError
from dramaturg.trace.watches import EVERYBODY, Watches
from dramaturg.v2 import benchmarks_pb2, control_pb2, control_pb2_grpc, trace_pb2

MAX_MESSAGE = 4 * 1024 * 1024
"""Bytes of one protocol message: the limit that trace.proto sets for a batch."""

MAX_SOCKET_PATH = 107
"""Bytes: ``sun_path`` of Linux, less the final zero."""

ORDINARY_TIME = 20.0
"""Seconds in which Trace must be answered while another call is overdue (CTRL-9)."""

RETRY = 50
"""Milliseconds between two looks at whether a process that was just started serves its socket:
gRPC's own first pause, of a second, is longer than most runtimes take to start."""

EXIT_TIME = 2.0
"""Seconds from the end of its input until a process has gone (CTRL-11)."""


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
        channel: grpc.Channel,
        call_timeout: float,
        process: Supervised | None = None,
        gateway: Gateway | None = None,
        stderr: Path | None = None,
    ) -> None:
        self.name = name
        self.process = process
        self.call_timeout = call_timeout
        self.stderr = stderr
        self._gateway = gateway
        self._channel = channel
        self._stub = control_pb2_grpc.ControlStub(channel)
        self._lifecycle = Lifecycle()
        self.log = LogBuilder()

    def describe(
        self, probes: Sequence[control_pb2.Probe] = (), timeout: float | None = None
    ) -> control_pb2.DescribeResponse:
        """Who are you, and the answers to ``probes``."""
        request = control_pb2.DescribeRequest(probes=probes)
        return self._call("Describe", request, timeout)

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
        start = time.monotonic()
        for item in self._stream("Run", request, timeout or self.call_timeout):
            marks.append(MarkSeen(item.mark.done, time.monotonic() - start))
            on_mark(item.mark.done)
        return Ran(marks, time.monotonic() - start)

    def trace(self, timeout: float | None = None) -> LogBuilder:
        """Fetch what was logged since the last call; everything since Prepare is returned.

        Raises TraceError for batches that are no trace and for a missing footer.
        """
        events = watched = 0
        footer = None
        self.log.begin_counts()
        for item in self._stream("Trace", control_pb2.TraceRequest(), timeout):
            if footer is not None:
                raise TraceError("the trace goes on after its footer (TRACE-3)")
            if item.HasField("batch"):
                events += len(item.batch.actor)
                self.log.add(item.batch)
            elif item.HasField("counts"):
                watched += len(item.counts.actor)
                self.log.count(item.counts)
            elif item.HasField("footer"):
                footer = item.footer
        if footer is None:
            raise TraceError("the trace has no footer, so its end is missing (TRACE-3)")
        for what, said, came in (
            ("events", footer.events, events),
            ("watched", footer.watched, watched),
        ):
            if said != came:
                raise TraceError(f"the footer says {said} {what}, and {came} came (TRACE-3)")
        return self.log

    def teardown(self, timeout: float | None = None) -> benchmarks_pb2.Receipt:
        """End the iteration; its receipt. Raises Crashed if there is none."""
        answer = self._call("Teardown", control_pb2.TeardownRequest(), timeout)
        if not answer.HasField("receipt"):
            raise Crashed(f"{self.name}: Teardown was answered without a receipt (CTRL-8)")
        return answer.receipt

    def end_input(self) -> None:
        """End its standard input. Raises Crashed or Late if it does not exit as it must
        (CTRL-11)."""
        self._lifecycle.call("the end of input")
        if self.process is None or self.process.popen.stdin is None:
            return
        with contextlib.suppress(OSError):
            self.process.popen.stdin.close()
        status = self.process.wait(EXIT_TIME)
        if status is None:
            raise Late(
                f"{self.name} still runs {EXIT_TIME:.0f} s after the end of its standard input"
                " (CTRL-11)"
            )
        if status != 0:
            raise Crashed(
                f"{self.name} {self.process.describe_end()} at the end of its standard input,"
                " not with 0 (CTRL-11)"
            )

    def stderr_tail(self, lines: int = 10) -> str:
        """The last lines that the implementation wrote to standard error."""
        if self.stderr is None or not self.stderr.exists():
            return ""
        with self.stderr.open("rb") as file:
            file.seek(max(0, self.stderr.stat().st_size - 16_384))
            text = file.read().decode("utf-8", "replace")
        return "\n".join(text.strip().splitlines()[-lines:])

    def close(self) -> None:
        """Let go of the connection. The process is not touched."""
        self._channel.close()
        if self._gateway is not None:
            self._gateway.close()

    def _call(self, method: str, request: Any, timeout: float | None = None) -> Any:
        seconds = timeout or self.call_timeout
        self._lifecycle.call(method, request)
        try:
            answer = getattr(self._stub, method)(request, timeout=seconds)
        except grpc.RpcError as error:
            raise self._failure(method, error, seconds) from None
        self._lifecycle.answered(method)
        return answer

    def _stream(self, method: str, request: Any, timeout: float | None = None) -> Iterator[Any]:
        seconds = timeout or self.call_timeout
        self._lifecycle.call(method, request)
        stream = getattr(self._stub, method)(request, timeout=seconds)
        try:
            yield from stream
            self._lifecycle.answered(method)
        except grpc.RpcError as error:
            raise self._failure(method, error, seconds) from None
        finally:
            stream.cancel()

    def _failure(self, method: str, error: Any, seconds: float) -> ControlError:
        code, details = error.code(), error.details() or ""
        self._lifecycle.failed()
        if self._gateway is not None and self._gateway.broken:
            return Crashed(self._with_stderr(f"{self.name}: {method}: {self._gateway.broken}"))
        if code is grpc.StatusCode.DEADLINE_EXCEEDED:
            return Late(f"{self.name}: {method} was not answered within {seconds:.3g} s")
        if code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DATA_LOSS):
            if self.process is not None:
                end = self.process.describe_end_soon()
                text = f"{self.name}: {method}: the connection is lost; the process {end}"
            else:
                text = f"{self.name}: {method}: the connection is lost ({details})"
            return Crashed(self._with_stderr(text))
        if code is grpc.StatusCode.RESOURCE_EXHAUSTED and "larger than max" in details:
            return Crashed(
                f"{self.name}: {method}: a message over the protocol's limit of"
                f" {MAX_MESSAGE} bytes ({details})"
            )
        if code is grpc.StatusCode.UNIMPLEMENTED:
            return CallFailed(
                method,
                code.name,
                f"it does not serve dramaturg.v2.Control ({details}); an implementation of"
                " version 1 has to be moved to version 2 (spec/versions.md)",
            )
        return CallFailed(method, code.name, details)

    def _with_stderr(self, text: str) -> str:
        tail = self.stderr_tail()
        return f"{text}. It last said on standard error:\n{tail}" if tail else text


def _channel(target: str) -> grpc.Channel:
    return grpc.insecure_channel(
        target,
        options=[
            ("grpc.max_receive_message_length", MAX_MESSAGE),
            ("grpc.enable_http_proxy", 0),
            ("grpc.use_local_subchannel_pool", 1),
            ("grpc.initial_reconnect_backoff_ms", RETRY),
            ("grpc.min_reconnect_backoff_ms", RETRY),
            ("grpc.max_reconnect_backoff_ms", RETRY),
        ],
    )


@contextlib.contextmanager
def start(
    implementation: Implementation,
    *,
    prefix: Sequence[str] = (),
    stderr: Path | None = None,
    environment: dict[str, str] | None = None,
) -> Iterator[Session]:
    """Start the implementation and connect to it; leaving ends it, whatever it is doing.

    ``prefix`` goes before its command line (``mnexec -a PID`` puts it into a
    Mininet host). Raises Crashed or Late if it does not come up.
    """
    stack = contextlib.ExitStack()
    try:
        with interrupts.held():
            session = _open(implementation, prefix, stderr, environment or {}, stack)
        _await_start(session, implementation.manifest.run.start_timeout)
        yield session
    finally:
        with interrupts.held():
            stack.close()


def _open(
    implementation: Implementation,
    prefix: Sequence[str],
    stderr: Path | None,
    environment: dict[str, str],
    stack: contextlib.ExitStack,
) -> Session:
    """All that a session takes; ``stack`` is what takes it away again."""
    manifest = implementation.manifest
    try:
        folder = Path(tempfile.mkdtemp(prefix="dramaturg-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        stderr = stderr or folder / "stderr.log"
        errors = stack.enter_context(stderr.open("ab"))
    except OSError as error:
        raise HarnessFault(f"{implementation.name} cannot be started: {error}") from None
    socket = folder / f"{manifest.name}.sock"
    if len(os.fsencode(socket)) > MAX_SOCKET_PATH:
        raise HarnessFault(
            f"the socket path {socket} is longer than {MAX_SOCKET_PATH} bytes;"
            " set TMPDIR to a shorter folder"
        )
    process = stack.enter_context(
        _start_process(implementation, prefix, socket, errors, environment)
    )
    gateway = Gateway(process, socket) if manifest.control == "stdio" else None
    channel = _channel(f"unix:{socket}")
    session = Session(
        implementation.name, channel, manifest.run.call_timeout, process, gateway, stderr
    )
    stack.callback(session.close)
    return session


@contextlib.contextmanager
def connect(name: str, address: str, call_timeout: float = 3600.0) -> Iterator[Session]:
    """A session with an implementation that runs already, at HOST:PORT or ``unix:PATH``."""
    channel = _channel(address)
    session = Session(name, channel, call_timeout)
    try:
        try:
            grpc.channel_ready_future(channel).result(timeout=10)
        except grpc.FutureTimeoutError:
            raise Crashed(f"nothing answers at {address}; start {name} there first") from None
        yield session
    finally:
        session.close()


def _start_process(
    implementation: Implementation,
    prefix: Sequence[str],
    socket: Path,
    stderr: Any,
    extra: dict[str, str],
) -> Supervised:
    manifest, settings = implementation.manifest, implementation.settings
    command = [*prefix, *manifest.run.command, *settings.arguments]
    if manifest.control == "grpc":
        command += ["--socket", str(socket)]
        pipes = {"stdin": subprocess.PIPE, "stdout": stderr}
    else:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    environment = os.environ | manifest.run.environment | settings.environment
    environment |= {"BUILD": implementation.build} | extra
    try:
        return Supervised.start(
            command, cwd=implementation.folder, environment=environment, stderr=stderr, **pipes
        )
    except OSError as error:
        raise Crashed(f"{implementation.name} cannot be started: {error}") from None


def _await_start(session: Session, timeout: float) -> None:
    """Until it describes itself: the only proof that it is up."""
    assert session.process is not None
    deadline = time.monotonic() + timeout
    ready = grpc.channel_ready_future(session._channel)
    try:
        while True:
            try:
                ready.result(timeout=0.05)
                break
            except grpc.FutureTimeoutError:
                if session.process.status is not None:
                    end = session.process.describe_end()
                    text = f"{session.name} {end} before it answered"
                    raise Crashed(session._with_stderr(text)) from None
                if time.monotonic() > deadline:
                    text = f"{session.name} does not serve its socket after {timeout:g} s"
                    raise Late(session._with_stderr(text)) from None
    finally:
        ready.cancel()
    session.describe(timeout=max(0.1, deadline - time.monotonic()))
