"""A recorded run on disk, with what it takes to replay it: ``case.proto``, RecordedRun."""

from collections.abc import Sequence
from pathlib import Path

from google.protobuf.message import DecodeError

from dramaturg import files, meant
from dramaturg.model.workload import Line
from dramaturg.trace.codec import encode
from dramaturg.trace.events import AnyLogs, TraceError
from dramaturg.trace.watches import Watches
from dramaturg.v2 import benchmarks_pb2, case_pb2, trace_pb2


def save(
    file: Path,
    *,
    implementation: str,
    case: str,
    benchmark: benchmarks_pb2.Benchmark,
    script: Sequence[Line],
    logs: AnyLogs,
    watches: Watches = (),
    counts: trace_pb2.TraceCounts | None = None,
) -> Path:
    """Write the run to ``file``, or beside it if an earlier run has that name, and say where;
    without ``watches`` everybody was watched. Raises OSError that names it."""
    run = case_pb2.RecordedRun(
        implementation=implementation,
        case=case,
        benchmark=benchmark,
        script=[case_pb2.RecordedRun.Line(kind=kind, args=args) for kind, args in script],
        batches=encode(logs),
        watches=watches,
        counts=counts,
    )
    file = files.unused(file)
    with files.naming(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(run.SerializeToString())
    return file


def load(file: Path) -> case_pb2.RecordedRun:
    """Read it back. Raises TraceError for a file that is none."""
    try:
        run = case_pb2.RecordedRun.FromString(content(file))
    except DecodeError:
        raise TraceError(f"{file} is no recorded run, or was cut short") from None
    if run.benchmark.WhichOneof("parameters") is None:
        raise TraceError(f"{file} is no recorded run: it names no benchmark")
    return run


def content(file: Path) -> bytes:
    """Its bytes as they are. Raises TraceError for a file that cannot be read."""
    try:
        with files.opened(file) as stream:
            return stream.read()
    except OSError as error:
        raise TraceError(f"{file}: {error.strerror}{meant.path_hint(file)}") from None


def script_of(run: case_pb2.RecordedRun) -> list[Line]:
    """The control port's messages in it."""
    return [(line.kind, tuple(line.args)) for line in run.script]
