"""Logs of all nodes, fetched at the same moment and laid on disk (spec/measurements.md, MEAS-38).

The work of an implementation between the end of Run and the answer to Trace is accounted for like
its work in a call. So Trace is on its way to every node as soon as Run has ended: files are open by
then, and a thread waits for each node but the first, whose Trace is called by the caller of Run.
"""

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from dramaturg.control.session import Session
from dramaturg.results import RecordsLost
from dramaturg.trace.events import TraceError

SPOOLED = ".trace"
"""Suffix of a log that waits."""


@dataclass(frozen=True, slots=True)
class Spooled:
    """The answers of each node to one call of Trace, on disk."""

    files: Sequence[Path]
    """One for each node."""
    problem: str = ""
    """The reason why there was no trace; empty if nothing was wrong with it."""
    rows: int = 0
    """Events and counts, of all nodes."""


def fetch(sessions: Sequence[Session], folder: Path, name: str, timeout: float) -> Spooled:
    """Lay what every node has logged on disk since the last time. Raises ControlError, and
    RecordsLost that names the file if it cannot be written."""
    with prepared(sessions, folder, name, timeout) as at_once:
        return at_once()


Fetch = Callable[..., Spooled]
"""Calls Trace of every node at once. It may be given what to do when that of the first is on its
way and nothing of it has been read."""


@contextmanager
def prepared(
    sessions: Sequence[Session], folder: Path, name: str, timeout: float
) -> Iterator[Fetch]:
    """As ``fetch``, when it is called: all that takes time has been done before."""
    files = [folder / f"{name}-node{node}{SPOOLED}" for node in range(len(sessions))]
    with contextlib.ExitStack() as stack:
        fetches = []
        for session, file in zip(sessions, files, strict=True):
            with _recorded(file):
                file.parent.mkdir(parents=True, exist_ok=True)
                stream = stack.enter_context(_Closed(file))
            fetches.append(_Node(session, file, stream, timeout))
        begin = threading.Event()
        others = [_Waiting(each, begin) for each in fetches[1:]]
        # If Run has failed nobody calls, and a thread that waits for that is let go.
        stack.callback(begin.set)
        for each in others:
            stack.callback(each.cancel)

        def at_once(meanwhile: Callable[[], None] | None = None) -> Spooled:
            begin.set()
            fetches[0].fetch(meanwhile)
            for each in others:
                each.join()
            for one in fetches:
                if one.failed is not None:
                    raise one.failed
                with _recorded(one.file):  # The rest of a failed log is written here.
                    one.stream.close()
            problems = [
                _of_node(node, len(fetches), one.problem)
                for node, one in enumerate(fetches)
                if one.problem is not None
            ]
            return Spooled(files, "".join(problems[:1]), sum(one.rows for one in fetches))

        yield at_once


class _Closed:
    """A file that is written. A write error is reported with the file's name, also at the end."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._stream: BinaryIO | None = None

    def __enter__(self) -> BinaryIO:
        self._stream = self._file.open("wb")
        return self._stream

    def __exit__(self, *raised: object) -> None:
        assert self._stream is not None
        with contextlib.suppress(OSError):
            self._stream.close()


@dataclass(slots=True)
class _Node:
    """Trace of one node."""

    session: Session
    file: Path
    stream: BinaryIO
    timeout: float
    rows: int = 0
    problem: TraceError | None = None
    failed: BaseException | None = None

    def fetch(self, meanwhile: Callable[[], None] | None = None) -> None:
        """Raises nothing but what interrupts."""
        try:
            with _recorded(self.file):
                self.rows = self.session.spool(self.stream, self.timeout, meanwhile)
                self.stream.flush()
        except TraceError as error:
            self.problem = error
        except Exception as error:
            self.failed = error


class _Waiting(threading.Thread):
    """Fetches when it begins, and does not keep anybody from ending."""

    def __init__(self, node: _Node, begin: threading.Event) -> None:
        super().__init__(daemon=True)
        self._node, self._begin, self._cancelled = node, begin, False
        self.start()

    def cancel(self) -> None:
        self._cancelled = True

    def run(self) -> None:
        self._begin.wait()
        if not self._cancelled:
            self._node.fetch()


@contextmanager
def _recorded(file: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        file.unlink(missing_ok=True)
        raise RecordsLost(f"{file}: {error.strerror}") from None


def _of_node(node: int, nodes: int, error: TraceError | None) -> str:
    return str(error) if nodes == 1 else f"node {node}: {error}"
