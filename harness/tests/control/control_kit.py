"""Implementations that are made up: over pipes from a table of answers, over gRPC in here."""

import contextlib
import json
from collections.abc import Iterator
from concurrent import futures
from pathlib import Path
from typing import Any

import grpc

from dramaturg.control import scratch, starting
from dramaturg.control.session import Session
from dramaturg.implementation.manifest import load
from dramaturg.v2 import benchmarks_pb2, control_pb2, control_pb2_grpc, trace_pb2

PINGPONG = benchmarks_pb2.Benchmark(pingpong=benchmarks_pb2.PingPongParameters(rounds=3))
CHATAPP = benchmarks_pb2.Benchmark(
    chatapp=benchmarks_pb2.ChatAppParameters(
        clients=4, directories=1, turns=2, befriend=50, selection=1,  # type: ignore[arg-type]
    )
)  # fmt: skip

_PROGRAM = """
import json, sys, time
answers = json.loads({answers!r})
for line in sys.stdin:
    with open({heard!r}, "a") as file:
        file.write(line)
    request = json.loads(line)
    for answer in answers.get(request["call"], ['{{"id":ID,"reply":{{}}}}']):
        print(answer.replace("ID", str(request["id"])), flush=True)
{then}
"""


@contextlib.contextmanager
def speaking(folder: Path, then: str = "", **answers: list[str]) -> Iterator[Session]:
    """A session with a process that answers each call with these lines, in which ID stands for
    the request's; when its input ends it does what ``then`` says."""
    program = _PROGRAM.format(
        answers=json.dumps(answers), then=then, heard=str(folder.resolve() / "heard")
    )
    (folder / "main.py").write_text(program)
    manifest = folder / "dramaturg.toml"
    manifest.write_text(manifest.read_text().replace('["true"]', '["python3", "main.py"]'))
    with starting.start(load(folder)) as started:
        yield started


def heard(folder: Path) -> list[dict[str, Any]]:
    """The requests that the process has read."""
    return [json.loads(line) for line in (folder / "heard").read_text().splitlines()]


class Answering(control_pb2_grpc.ControlServicer):
    """Answers what it is told to; the rest with empty messages."""

    def __init__(self) -> None:
        self.marks: list[int] = []
        self.items: list[control_pb2.TraceResponse] = []
        self.receipt: benchmarks_pb2.Receipt | None = benchmarks_pb2.Receipt()
        self.fails = ""
        """The call that fails, or, of a stream, that fails in the end."""
        self.hangs = ""

    def Describe(self, request: Any, context: grpc.ServicerContext) -> Any:
        return control_pb2.DescribeResponse()

    def Prepare(self, request: Any, context: grpc.ServicerContext) -> Any:
        return control_pb2.PrepareResponse(setup_nanos=3, runtime_nanos=4)

    def Act(self, request: Any, context: grpc.ServicerContext) -> Any:
        self._perhaps("Act", context)
        return control_pb2.ActResponse()

    def Run(self, request: Any, context: grpc.ServicerContext) -> Any:
        for done in self.marks:
            yield control_pb2.RunResponse(mark=control_pb2.Mark(done=done))
        self._perhaps("Run", context)

    def Trace(self, request: Any, context: grpc.ServicerContext) -> Any:
        yield from self.items

    def Teardown(self, request: Any, context: grpc.ServicerContext) -> Any:
        return control_pb2.TeardownResponse(receipt=self.receipt)

    def _perhaps(self, call: str, context: grpc.ServicerContext) -> None:
        if self.hangs == call:
            while context.is_active():
                context.time_remaining()
        if self.fails == call:
            context.abort(grpc.StatusCode.INTERNAL, "client/3 failed: no more friends")


@contextlib.contextmanager
def serving(servicer: Answering | None) -> Iterator[Session]:
    """A session with this servicer, or with a server that serves nothing."""
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=4))
    if servicer is not None:
        control_pb2_grpc.add_ControlServicer_to_server(servicer, server)
    with scratch.folder() as folder:
        address = f"unix:{folder / scratch.SOCKET}"
        server.add_insecure_port(address)
        server.start()
        try:
            with starting.connect("made-up", address, 20.0) as connected:
                yield connected
        finally:
            server.stop(grace=None).wait()


def batch(*rows: tuple[int, int, int, list[int]]) -> control_pb2.TraceResponse:
    """A batch of rows: actor, sender, kind and arguments."""
    made = trace_pb2.TraceBatch()
    for actor, sender, kind, args in rows:
        made.actor.append(actor)
        made.sender.append(sender)
        made.kind.append(kind)
        made.args.extend(args)
    return control_pb2.TraceResponse(batch=made)


def counts(taken: dict[int, int]) -> control_pb2.TraceResponse:
    """Counts of these actors."""
    made = trace_pb2.TraceCounts(actor=list(taken), taken=list(taken.values()))
    return control_pb2.TraceResponse(counts=made)


def footer(events: int, watched: int) -> control_pb2.TraceResponse:
    """The end of a stream."""
    made = trace_pb2.TraceFooter(events=events, watched=watched)
    return control_pb2.TraceResponse(footer=made)
