"""The work of a worker: start a process of the harness for each job, hand on what it tells, and
end it as soon as nobody waits for it.

Nothing of ours is performed inside a Dask worker: its event loop and its profiler would take cores
from what is timed, and what it has loaded would be there beside what is judged.
"""

import contextlib
import json
import os
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from distributed import get_worker

from dramaturg import files, paths
from dramaturg.cluster import host_facts

_TICK = 0.5
"""Seconds between two looks at whether somebody still waits for what is performed."""

_ENDING = 20.0
"""Seconds in which a job ends that nobody waits for any more: then it is killed."""

_PIECE = 1 << 20
_TAIL = 2000

_running: "set[subprocess.Popen[bytes]]" = set()


def described(seen: str) -> str:
    """Describes this host, in JSON, with the contents that it finds in the caller's file
    ``seen``."""
    return json.dumps({**host_facts.here(), "seen": _found(seen)})


def _found(file: str) -> str:
    try:
        with files.opened(Path(file)) as stream:
            return stream.read(100).decode("ascii", "replace")
    except OSError:
        return ""


def perform(asked: str, topic: str) -> str:
    """Perform a job, given in JSON, and return its answer. Messages that the job sends meanwhile
    are logged under ``topic``, with the job's number: a list of values that came in one piece. The
    job is told whether this worker is among those that see the files of whoever asks
    (``shares``)."""
    worker, key = get_worker(), _key()
    job = json.loads(asked)
    number = job["number"]
    job["given"]["shares"] = worker.address in job.pop("sharing")
    with tempfile.TemporaryFile() as errors, _started(errors) as process:
        assert process.stdin and process.stdout
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(json.dumps(job).encode() + b"\n")
            process.stdin.flush()
        came, answer = bytearray(), ""
        while True:
            if not _wanted(worker, key):
                return _answered(worker, json.dumps({"given_up": True}))
            ready, _, _ = select.select([process.stdout], [], [], _TICK)
            if not ready:
                continue
            piece = os.read(process.stdout.fileno(), _PIECE)
            if not piece:
                break
            # Looked through once: an answer may have gigabytes in one line.
            *ended, rest = piece.split(b"\n")
            if not ended:
                came += rest
                continue
            lines = [bytes(came + ended[0]), *ended[1:]]
            came = bytearray(rest)
            told = [line.decode() for line in lines if line.startswith(b'{"told"')]
            answer = next(
                (line.decode() for line in lines if not line.startswith(b'{"told"')), answer
            )
            if told:
                worker.log_event(topic, {"number": number, "worker": worker.address, "told": told})
        return _answered(worker, answer or _no_answer(process, errors))


def _answered(worker: Any, answer: str) -> str:
    return json.dumps({"worker": worker.address, "answer": answer})


def _key() -> Any:
    return get_worker().get_current_task()


def _wanted(worker: Any, key: Any) -> bool:
    """True if this worker is to go on, and the task was neither released nor handed to another."""
    if str(getattr(worker.status, "name", "")) not in ("running", "paused"):
        return False
    known = worker.state.tasks.get(key)
    return known is not None and known.state in ("executing", "long-running")


@contextlib.contextmanager
def _started(errors: IO[bytes]) -> "Iterator[subprocess.Popen[bytes]]":
    process = subprocess.Popen(
        paths.python("-m", "dramaturg.cluster.child_job"),
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        start_new_session=True,
    )
    _running.add(process)
    try:
        yield process
    finally:
        _end(process)
        _running.discard(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End it by the end of its input: it ends what it has started, and then itself."""
    assert process.stdin and process.stdout
    with contextlib.suppress(OSError):
        process.stdin.close()
    deadline = time.monotonic() + _ENDING
    with contextlib.suppress(OSError, ValueError):
        while process.poll() is None and time.monotonic() < deadline:
            # Its remaining output fits into no pipe.
            ready, _, _ = select.select([process.stdout], [], [], 0.1)
            if ready and not os.read(process.stdout.fileno(), _PIECE):
                time.sleep(0.05)
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    with contextlib.suppress(OSError):
        process.stdout.close()


def end_all() -> None:
    """Until no job of this worker is left."""
    for process in list(_running):
        assert process.stdin
        with contextlib.suppress(OSError):
            process.stdin.close()
    deadline = time.monotonic() + _ENDING
    while _running and time.monotonic() < deadline:
        time.sleep(0.05)


def _no_answer(process: "subprocess.Popen[bytes]", errors: IO[bytes]) -> str:
    status = process.wait()
    errors.seek(max(0, errors.seek(0, os.SEEK_END) - _TAIL))
    said = errors.read().decode("utf-8", "replace").strip()
    ended = f"ended with status {status}" if status >= 0 else f"was killed by signal {-status}"
    return json.dumps({"failed": f"the harness there {ended}: {said or 'it said nothing'}"})
