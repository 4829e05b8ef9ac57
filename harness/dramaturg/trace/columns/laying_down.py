"""Lays logs down that are too large for memory, as they come from an implementation."""

import shutil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dramaturg.errors import HarnessFault
from dramaturg.trace.columns.column_logs import ColumnLogs
from dramaturg.trace.columns.store import Damaged, Store
from dramaturg.trace.events import LaidDown, TraceError

MOST_LAID_DOWN = 4_000_000_000
"""Events of one world: more than any case has."""

LEFT = 1 << 30
"""Bytes of the disk that stay free: others need it as well."""

BETWEEN_LOOKS = 1 << 20
"""Events between two looks at how much is free."""


class LayingDown:
    """The files that they go to, and that they are read from."""

    def __init__(self) -> None:
        try:
            self._store = Store()
        except OSError as error:
            raise HarnessFault(
                f"{error.filename}: {error.strerror}, so a log that is too large for memory cannot"
                " be laid down there; TMPDIR says where else"
            ) from None
        self.logs = ColumnLogs(self._store)
        self._look_again = 0

    @property
    def folder(self) -> Path:
        """The folder of the files."""
        return self._store.folder

    def add(
        self,
        actors: NDArray[np.uint64],
        senders: NDArray[np.uint64],
        kinds: NDArray[np.uint32],
        args: NDArray[np.uint64],
    ) -> None:
        """Rows that fit together. Raises TraceError for too many of them, and HarnessFault where
        there is no room."""
        rows = self._store.rows + len(actors)
        if rows > MOST_LAID_DOWN:
            raise TraceError(f"there are more than {MOST_LAID_DOWN} events, which no case has")
        if rows > self._look_again:
            self._look_again = rows + BETWEEN_LOOKS
            free = shutil.disk_usage(self.folder).free
            if free < LEFT:
                raise HarnessFault(self._full(rows, f"only {free >> 20:,} MiB are free"))
        try:
            self._store.add(actors, senders, kinds, args)
        except OSError as error:
            raise HarnessFault(self._full(rows, str(error.strerror))) from None

    def _full(self, rows: int, what: str) -> str:
        return (
            f"{self.folder}: {what} after {rows:,} events of a log, which need"
            f" {self._store.needs >> 20:,} MiB more until they are decided: free some, or have"
            " TMPDIR name a larger disk"
        )


def sorted_in(logs: LaidDown) -> Path:
    """Return the folder in which these are, sorted. Raises HarnessFault where the disk has no room
    for that and for deciding them, and for files that were damaged."""
    free = shutil.disk_usage(logs.folder).free
    if free < logs.needs + LEFT:
        raise HarnessFault(
            f"{logs.folder}: {free >> 20:,} MiB are free, and a log of {logs.arrived[0]:,} events"
            f" needs {logs.needs >> 20:,} MiB more until it is decided, beside {LEFT >> 20:,} MiB"
            " that stay free: free some, or have TMPDIR name a larger disk"
        )
    try:
        return logs.lie_in()
    except (Damaged, OSError) as error:
        raise HarnessFault(f"{logs.folder}: a log cannot be sorted: {error}") from None
