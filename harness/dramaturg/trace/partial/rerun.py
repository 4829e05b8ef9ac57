"""A recorded run, read back and held against the model once more."""

from dataclasses import dataclass
from pathlib import Path

from dramaturg import files
from dramaturg.model import facts
from dramaturg.model.workload import MOST_CLIENTS, ChatAppWorkload, MicroWorkload, workload_of
from dramaturg.trace import recorded
from dramaturg.trace.codec import LogBuilder
from dramaturg.trace.columns.array_logs import ArrayLogs
from dramaturg.trace.events import TraceError
from dramaturg.trace.partial.part_replay import PartVerdict
from dramaturg.trace.partial.watched_replay import replay_watched
from dramaturg.trace.watches import EVERYBODY, Watches
from dramaturg.v2 import case_pb2


@dataclass(frozen=True, slots=True)
class Rerun:
    """A recorded run, and what the model says of it."""

    run: case_pb2.RecordedRun
    workload: ChatAppWorkload | MicroWorkload
    logs: ArrayLogs
    verdict: PartVerdict


def watches_of(run: case_pb2.RecordedRun) -> Watches:
    """The watches of the run."""
    return list(run.watches) or EVERYBODY


def taken_of(run: case_pb2.RecordedRun) -> dict[int, int] | None:
    """Return the number of messages that each watched actor took; None if that was not recorded."""
    return dict(zip(run.counts.actor, run.counts.taken, strict=True)) if run.watches else None


def _logs(run: case_pb2.RecordedRun) -> ArrayLogs:
    """Raises TraceError for logs that its watches do not ask for."""
    log = LogBuilder(watches_of(run), in_columns=True)
    for batch in run.batches:
        log.add(batch)
    return log.in_columns


def _workload(file: Path, run: case_pb2.RecordedRun) -> ChatAppWorkload | MicroWorkload:
    try:
        workload = workload_of(run.benchmark)
        if not isinstance(workload, ChatAppWorkload):
            workload.micro.check(workload.parameters)
        elif workload.parameters.clients > MOST_CLIENTS:
            raise ValueError(f"it has more than {MOST_CLIENTS} clients")
        else:
            facts.check(workload.parameters)
    except ValueError as error:
        raise TraceError(f"{file}: {files.brief(error)}") from None
    workload.script = recorded.script_of(run)
    return workload


def opened(file: Path) -> tuple[case_pb2.RecordedRun, ChatAppWorkload | MicroWorkload]:
    """The run in ``file``, and what was to be performed. Raises TraceError for a file that is no
    recorded run, or was damaged."""
    run = recorded.load(file)
    return run, _workload(file, run)


def read_back(
    file: Path, run: case_pb2.RecordedRun
) -> tuple[ChatAppWorkload | MicroWorkload, ArrayLogs]:
    """The workload of the run in ``file``, with its script, and its logs. Raises TraceError for
    what was damaged."""
    workload = _workload(file, run)
    try:
        return workload, _logs(run)
    except (TraceError, ValueError) as error:
        raise TraceError(f"{file}: {files.brief(error)}") from None


def replayed(file: Path) -> Rerun:
    """Replay the run in ``file``. Raises TraceError as :func:`opened`."""
    run = recorded.load(file)
    workload, logs = read_back(file, run)
    try:
        verdict = replay_watched(workload, watches_of(run), logs, taken_of(run))
        return Rerun(run, workload, logs, verdict)
    except MemoryError:
        raise  # Whoever set a limit says so.
    except Exception as error:
        # The model never fails on a run of its own: these are parts of different ones.
        said = files.brief(repr(error))
        raise TraceError(f"{file}: its parameters, script and logs do not fit ({said})") from None
