"""Equivalents: other ways to hand over a trace, to report progress, to speak, to start."""

import sys
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

from changes import answers

from dramaturg.v2 import control_pb2, trace_pb2

import control
import trace

Row = tuple[int, int, int, int, tuple[int, ...]]

# --- traces (TRACE-2 numbers the events of one actor; between actors nothing is ordered) ---


def _handed_over(batches: Callable[[list[Row]], Iterable[list[Row]]]) -> None:
    """The rows of a trace in such batches, and the footer."""

    def hand_over(self: trace.Trace) -> Any:
        rows, self._events = self._events, []
        for part in batches(rows):
            batch = trace_pb2.TraceBatch()
            for actor, seq, sender, kind, args in part:
                batch.actor.append(actor)
                batch.seq.append(seq)
                batch.sender.append(sender)
                batch.kind.append(kind)
                batch.args.extend(args)
            yield control_pb2.TraceResponse(batch=batch)
        yield control_pb2.TraceResponse(footer=trace_pb2.TraceFooter(events=len(rows)))

    trace.Trace.hand_over = hand_over  # type: ignore[method-assign]


def _by_actor(rows: list[Row]) -> dict[int, list[Row]]:
    logs: dict[int, list[Row]] = {}
    for row in rows:
        logs.setdefault(row[0], []).append(row)
    return logs


def trace_row_by_row() -> None:
    """Every event is a batch: "any number of batches" (TRACE-3, control.proto)."""
    _handed_over(lambda rows: ([row] for row in rows))


def trace_with_empty_batches() -> None:
    """Between two batches there is one with nothing in it (TRACE-3)."""

    def batches(rows: list[Row]) -> Iterable[list[Row]]:
        yield []
        for start in range(0, len(rows), 1000):
            yield rows[start : start + 1000]
            yield []

    _handed_over(batches)


def trace_actor_by_actor() -> None:
    """Each actor's log is a batch, the last actor's first (TRACE-2)."""
    _handed_over(lambda rows: [log for _, log in sorted(_by_actor(rows).items(), reverse=True)])


def trace_interleaved() -> None:
    """First every actor's first event, then every second one, and so on (TRACE-2)."""

    def batches(rows: list[Row]) -> Iterable[list[Row]]:
        places = {row[0]: row[1] for row in reversed(rows)}
        interleaved = sorted(rows, key=lambda row: row[1] - places[row[0]])
        for start in range(0, len(rows), 5000):
            yield interleaved[start : start + 5000]

    _handed_over(batches)


# --- progress (control.proto: at any rate above zero and below ten a second) ---


def progress_without_a_total() -> None:
    """Nine times a second, with a total that is not known and units of its own."""
    control.PROGRESS_INTERVAL = 0.111
    progress = control_pb2.RunResponse.Progress

    def odd(iteration: int, done: int, total: int) -> Any:
        return progress(iteration=iteration, done=done * 3, total=0)

    class RunResponse:
        Progress = staticmethod(odd)

        def __new__(cls, **item: Any) -> Any:
            return control_pb2.RunResponse(**item)

    class Messages:
        def __getattr__(self, name: str) -> Any:
            return RunResponse if name == "RunResponse" else getattr(control_pb2, name)

    control.control_pb2 = Messages()


def progress_seldom() -> None:
    """Every four seconds: most runs are over before."""
    control.PROGRESS_INTERVAL = 4.0


# --- what it says (CTRL-1, CTRL-2, CTRL-3) ---


def describes_itself_at_length() -> None:
    """Benchmarks in another order, more schedulers than cores, and details that nobody asked
    for, with names in any script (LEVEL-1, control.proto)."""

    def change(said: Any) -> None:
        said.benchmarks[:] = list(reversed(said.benchmarks))
        said.schedulers = 1024
        said.details.update({"": "nothing", "größe": "ü" * 5000, 'a "b"\n': "\t", "名前": "{}"})

    answers(control.Control, "Describe", change)


def refuses_in_many_words() -> None:
    """Errors are long, in capitals and over several lines, and name what they must (CTRL-3)."""

    class Wordy:
        def __init__(self, context: Any) -> None:
            self._context = context

        async def abort(self, code: Any, text: str) -> None:
            await self._context.abort(code, f"— SORRY —\n{text.upper()}\n" + "see above. " * 50)

    def wordy(name: str) -> None:
        right = getattr(control.Control, name)
        if name in ("Run", "Trace"):

            async def stream(self: Any, request: Any, context: Any) -> Any:
                async for response in right(self, request, Wordy(context)):
                    yield response

            setattr(control.Control, name, stream)
        else:

            async def call(self: Any, request: Any, context: Any) -> Any:
                return await right(self, request, Wordy(context))

            setattr(control.Control, name, call)

    for name in ("Describe", "Prepare", "Act", "Turn", "Run", "Trace", "Teardown"):
        wordy(name)


def set_up_takes_no_time() -> None:
    """Set-up is over in less than the clock's tick, and 0 ns long (MEAS-1)."""
    answers(control.Control, "Prepare", lambda answer: setattr(answer, "setup_nanos", 0))


# --- the process ---


def slow_start_in_time() -> None:
    """It serves after two seconds, which its manifest allows for (CTRL-1)."""
    time.sleep(2)


def talks_on_standard_error() -> None:
    """Everything that is received is told on standard error, which is for people (STDIO-2)."""
    right = trace.Trace.received

    def received(self: trace.Trace, *event: Any) -> None:
        print("received", *event, "ü\x00\x1b[31m", file=sys.stderr)
        right(self, *event)

    trace.Trace.received = received  # type: ignore[method-assign]


def threads_of_its_own() -> None:
    """The runtime has threads that run no actors (IMPL-1 speaks of actors)."""

    def busy() -> None:
        while True:
            time.sleep(0.01)

    for _ in range(8):
        threading.Thread(target=busy, daemon=True).start()
