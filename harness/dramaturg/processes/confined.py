"""Files of strangers are read in a process with limits (SECURITY.md): a reader may make something
large of a small file.

A reader is a function of ours that takes and returns plain values. It is named by its module; that
is imported once, in a process that then forks for each file. The answer is JSON of bounded length,
and is validated by whoever asked.
"""

import base64
import contextlib
import ctypes
import errno
import gc
import json
import math
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from dramaturg import files, paths
from dramaturg.processes import fence, interrupts
from dramaturg.results import ResultsError

FACTOR = "DRAMATURG_LIMITS"
"""The variable by which a user makes all limits that many times as large."""

_MIB = 1024 * 1024
_PIECE = 64 * 1024
_BLOCK = 512
_TICK = 1.0
"""Seconds between two looks at the clock."""

_END = b"\n="
"""Begins the line that ends an answer, with the status of who gave it. JSON of ours has neither a
line feed in it nor this at its start."""

_SERIAL = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
"""Numpy has a thread and a buffer for each core otherwise: a process with threads is not forked."""

_NAMED = 200
"""Characters of what a limit is said of."""

Reader = Callable[[dict[str, Any]], Any]


class Exceeded(ResultsError):
    """A limit was reached: names the file and the limit."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits for reading one file, or one folder."""

    cpu: float = 60.0
    """Seconds of CPU time."""
    memory: int = 1024 * _MIB
    """Bytes, beyond what the process had before it read anything."""
    written: int = 256 * _MIB
    """Bytes of one file that is written."""
    answer: int = 64 * _MIB
    """Bytes that come back."""
    files: int = 64
    """Number of files that are open at a time."""

    @classmethod
    def of(cls, *read: Path, unpacked: int = 1) -> "Limits":
        """For files and folders of so many bytes, or ``unpacked`` times as many: ten times what
        honest ones of that size take, and what a small one may take in any case."""
        size, least = unpacked * sum(map(_size, read)), cls()
        return cls(
            cpu=least.cpu + 10.0 * size / _MIB,
            memory=least.memory + 80 * size,
            written=least.written + 8 * size,
            answer=least.answer + 8 * size,
        )

    @property
    def wall(self) -> float:
        """Seconds after which whoever does nothing at all is ended, however busy the machine is."""
        return 600.0 + 20 * self.cpu

    def times(self, factor: float) -> "Limits":
        return replace(
            self,
            cpu=self.cpu * factor,
            memory=int(self.memory * factor),
            written=int(self.written * factor),
            answer=int(self.answer * factor),
        )


class Confined:
    """Reads by ``reader`` (``dramaturg.module:function``). Use as a context manager.

    Each file is read by a process of its own, which knows nothing of the others. If the module
    has a function ``ready``, that is called once before: they all have what it has loaded.
    """

    def __init__(self, reader: str) -> None:
        self._reader = reader
        self._process: subprocess.Popen[bytes] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        """The folder for files that a reader keeps for a while; it is removed with the reader,
        however that ends."""

    def read(self, what: object, given: Mapping[str, Any], limits: Limits) -> Any:
        """The reader's answer for ``given``; ``what`` names the file in errors.

        Raises Exceeded for what goes beyond a limit, ResultsError for what the reader refuses or
        fails at, and OSError as it does.
        """
        limits = limits.times(_factor())
        process = self._start()
        try:
            answer, status = self._ask(process, what, given, limits)
        except BaseException:
            self.close()
            raise
        self._clear()
        if answer is None:
            raise Exceeded(_said(what, limits, _limit_of(status)))
        return _opened(what, answer, limits)

    def _start(self) -> "subprocess.Popen[bytes]":
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._folder = tempfile.TemporaryDirectory(prefix="dramaturg-reading-")
            fence.guard(Path(self._folder.name))
            given = os.dup(0)
            try:
                os.set_inheritable(given, True)
                self._process = subprocess.Popen(
                    paths.python("-m", __name__, self._reader, str(given)),
                    bufsize=0,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    env=os.environ | _SERIAL | {"TMPDIR": self._folder.name},
                    start_new_session=True,
                    # A shell's <(command) is a file of this process; what is ours is not handed on.
                    close_fds=False,
                )
            finally:
                os.close(given)
        return self._process

    def _ask(
        self,
        process: "subprocess.Popen[bytes]",
        what: object,
        given: Mapping[str, Any],
        limits: Limits,
    ) -> tuple[dict[str, Any] | None, int]:
        """The answer, None if there was none, and how the answering process has ended."""
        assert process.stdin and process.stdout
        request = json.dumps({"given": given, "limits": asdict(limits)}).encode() + b"\n"
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(request)
        came, waited = bytearray(), 0.0
        while True:
            before = time.monotonic()
            ready, _, _ = select.select([process.stdout], [], [], _TICK)
            # Neither a harness that was stopped (Ctrl-Z) nor a machine that slept is late by that.
            waited += min(time.monotonic() - before, 2 * _TICK)
            if waited > limits.wall:
                raise Exceeded(_said(what, limits, "wall"))
            if not ready:
                continue
            piece = os.read(process.stdout.fileno(), _PIECE)
            if not piece:
                return None, process.wait()
            came += piece
            at = came.rfind(_END, max(0, len(came) - len(piece) - _PIECE))
            if at >= 0 and came.endswith(b"\n") and at < len(came) - 1:
                return _answered(came[:at]), int(came[at + len(_END) :])
            if len(came) > limits.answer + _PIECE:
                raise Exceeded(_said(what, limits, "answer"))

    def close(self) -> None:
        """End it, and whoever reads for it."""
        process, self._process = self._process, None
        if process is None:
            return
        with interrupts.held():
            self._end(process)
            self._clear()
            if self._folder is not None:
                self._folder.cleanup()
                self._folder = None

    def _clear(self) -> None:
        if self._folder is None:
            return
        for left in Path(self._folder.name).iterdir():
            if left.is_dir() and not left.is_symlink():
                shutil.rmtree(left, ignore_errors=True)
            else:
                left.unlink(missing_ok=True)

    def _end(self, process: "subprocess.Popen[bytes]") -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()

    def __enter__(self) -> "Confined":
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def read(reader: str, what: object, given: Mapping[str, Any], limits: Limits) -> Any:
    """As :meth:`Confined.read`, once."""
    with Confined(reader) as confined:
        return confined.read(what, given, limits)


def packed(content: bytes) -> str:
    """Bytes as a reader returns them."""
    return base64.b64encode(content).decode()


def unpacked(text: str) -> bytes:
    """Unpacks the bytes that :func:`packed` made."""
    return base64.b64decode(text, validate=True)


def _factor() -> float:
    """Raises ResultsError for a variable that is no factor."""
    said = os.environ.get(FACTOR) or "1"
    try:
        factor = float(said)
    except ValueError:
        factor = math.nan
    if not 0 < factor <= 1000:
        raise ResultsError(f"{FACTOR} is {files.brief(repr(said))}; it is a factor of at most 1000")
    return factor


def _size(read: Path) -> int:
    """Bytes of a file, or of the files in a folder; a file that is not there has none, nor have
    holes."""
    with contextlib.suppress(OSError):
        inside = list(read.iterdir()) if read.is_dir() else [read]
        found = [file.stat() for file in inside if file.is_file()]
        return sum(min(each.st_size, each.st_blocks * _BLOCK) for each in found)
    return 0


def _said(what: object, limits: Limits, limit: str) -> str:
    of = {
        "cpu": f"takes more than {limits.cpu:.0f} s of CPU time",
        "memory": f"takes more than {limits.memory // _MIB:,} MiB of memory",
        "written": f"writes a file of more than {limits.written // _MIB:,} MiB",
        "answer": f"comes to more than {limits.answer // _MIB:,} MiB",
        "files": f"opens more than {limits.files} files at a time",
        "wall": f"had not ended after {limits.wall:.0f} s",
    }
    return (
        f"{str(what)[:_NAMED]}: reading it {of.get(limit, limit)}, which is the limit: it is not"
        f" read; if you trust it, {FACTOR}=4 makes limits four times as large"
    )


def _limit_of(status: int) -> str:
    """Name the limit that ends a process like that. A negative status is a signal."""
    match -status:
        case signal.SIGXCPU:
            return "cpu"
        case signal.SIGXFSZ:
            return "written"
        case signal.SIGABRT | signal.SIGSEGV | signal.SIGBUS | signal.SIGKILL:
            return "memory"  # Libraries that are given none end like that, and so does the kernel.
        case _:
            return f"ended with status {status}"


def _answered(line: bytes | bytearray) -> dict[str, Any] | None:
    """None for what was cut short."""
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return answer if isinstance(answer, dict) else None


def _opened(what: object, answer: Mapping[str, Any], limits: Limits) -> Any:
    match answer:
        case {"returned": returned}:
            return returned
        case {"refused": str(said)}:
            raise ResultsError(said)
        case {"limit": str(limit)}:
            raise Exceeded(_said(what, limits, limit))
        case {"system": [int(number), str(said), str(file)]}:
            raise OSError(number, said, file) if file else OSError(number, said)
        case _:
            said = files.brief(str(answer.get("failed", "no answer")))
            raise ResultsError(
                f"{str(what)[:_NAMED]} cannot be read ({said}): it is damaged or made by something"
                " else, or this is a fault of the harness"
            )


# The code below runs in the other process.


def left() -> tuple[float, int]:
    """For a reader: seconds of CPU time and bytes of memory that it may still take."""
    usual = Limits()
    seconds, memory = resource.getrlimit(resource.RLIMIT_CPU)[0], usual.memory
    cpu = usual.cpu if seconds == resource.RLIM_INFINITY else seconds - time.process_time()
    most = resource.getrlimit(resource.RLIMIT_DATA)[0]
    if most != resource.RLIM_INFINITY:
        memory = max(0, most - _held())
    return cpu, memory


def _serve(reader: str, given: int = 0) -> None:
    """Answer each request on standard input, by a process of its own. The file to read may be the
    asking process's standard input (/dev/stdin), which is ``given``."""
    _end_with_parent()
    answers, requests = os.dup(1), sys.stdin.buffer
    if given:
        requests = os.fdopen(os.dup(0), "rb")
        os.dup2(given, 0)
        os.close(given)
    os.set_inheritable(answers, False)
    os.dup2(2, 1)  # Whatever a library prints is no answer.
    place, _, name = reader.partition(":")
    module = import_module(place)
    read: Reader = getattr(module, name)
    if ready := getattr(module, "ready", None):
        ready()
    gc.freeze()
    while request := requests.readline():
        child = os.fork()
        if child == 0:
            _perform(read, json.loads(request), answers)
        _, status = os.waitpid(child, 0)
        _tell(answers, _END + b"%d\n" % os.waitstatus_to_exitcode(status))


def _perform(read: Reader, request: dict[str, Any], answers: int) -> NoReturn:
    """Ends this process."""
    _end_with_parent()
    limits = Limits(**request["limits"])
    _confine(limits)
    answer: dict[str, Any]
    try:
        answer = {"returned": read(request["given"])}
        said = json.dumps(answer).encode()
    except BaseException as error:
        said = json.dumps(_told(error)).encode()
    if len(said) > limits.answer:
        said = b'{"limit": "answer"}'
    _tell(answers, said)
    os._exit(0)


def _told(error: BaseException) -> dict[str, Any]:
    match error:
        case MemoryError():
            return {"limit": "memory"}
        case ResultsError():
            return {"refused": str(error)}
        case OSError(errno=errno.EFBIG):
            return {"limit": "written"}
        case OSError(errno=errno.EMFILE):
            return {"limit": "files"}
        case OSError(errno=int(number)):
            named = error.filename if isinstance(error.filename, str) else ""
            return {"system": [number, error.strerror or str(error), named]}
    where = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(Path(__file__).parents[1])
    ]
    at = f", {Path(where[-1].filename).name}:{where[-1].lineno}" if where else ""
    return {"failed": f"{type(error).__name__}: {files.brief(error)}{at}"}


def _tell(answers: int, said: bytes) -> None:
    rest = memoryview(said)
    while rest:
        rest = rest[os.write(answers, rest) :]


def _confine(limits: Limits) -> None:
    """A limit that the user has already and that is lower stays."""
    seconds = math.ceil(limits.cpu)
    _limit(resource.RLIMIT_CPU, seconds, seconds + 1)
    _limit(resource.RLIMIT_DATA, _held() + limits.memory)
    _limit(resource.RLIMIT_FSIZE, limits.written)
    _limit(resource.RLIMIT_NOFILE, limits.files)
    _limit(resource.RLIMIT_CORE, 0)


def _limit(which: int, soft: int, hard: int | None = None) -> None:
    hard = soft if hard is None else hard
    has = resource.getrlimit(which)[1]
    if has != resource.RLIM_INFINITY:
        soft, hard = min(soft, has), min(hard, has)
    resource.setrlimit(which, (soft, hard))


def _held() -> int:
    """Bytes of this process that count for its limit of memory."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmData:"):
                return int(line.split()[1]) * 1024
    return 256 * _MIB


def _end_with_parent() -> None:
    """End with the parent, if the kernel can see to it (prctl(2), PR_SET_PDEATHSIG)."""
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


if __name__ == "__main__":
    _serve(sys.argv[1], int(sys.argv[2]))
