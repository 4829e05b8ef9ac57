"""Keeps another process's output in a file up to a bound, and the end of the rest."""

import contextlib
import errno
import fcntl
import os
import select
import stat
import struct
import termios
import threading
import time
from pathlib import Path

LIMIT = 16 * 1024 * 1024
"""Bytes of one file: a log that somebody reads has a thousandth of it."""

END = 16 * 1024
"""Bytes of the end of a longer output: the reason why a process ended stands there."""

_PIECE = 64 * 1024
_LAST = 1.0
"""Seconds for what is under way to arrive when its writer has ended."""

_SOON = 0.001
"""Seconds between two looks at it."""


class Capped:
    """A pipe whose other end goes into ``file``. Use as a context manager. Raises OSError for
    anything that is there and no file."""

    def __init__(self, file: Path, limit: int = LIMIT) -> None:
        # A folder of results may be a stranger's, with a link to a file of the user's in it.
        # A pipe in it has perhaps no reader, and opening it would wait for one.
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        descriptor = os.open(file, flags | os.O_NONBLOCK, 0o666)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise FileExistsError(errno.EEXIST, "something is there that is no file", str(file))
        self._file = os.fdopen(descriptor, "ab", buffering=0)
        self._left = max(0, limit - self._file.tell())
        self._end, self._start = os.pipe()
        # Its writer may read as well (/proc/self/fd/1): what was there need not be there any more.
        os.set_blocking(self._end, False)
        self._copying = threading.Lock()
        """Held from the pipe to the file: what is in neither cannot be seen."""
        self._is_closed = False
        self.last = b""
        """The end of all that came, of at most :data:`END` bytes."""
        self.exceeded = threading.Event()
        """Set as soon as more came than is kept."""
        self._thread = threading.Thread(target=self._copy, name="capped", daemon=True)
        self._thread.start()

    def fileno(self) -> int:
        """Return the descriptor to write to; to be handed to a process."""
        return self._start

    def settle(self) -> None:
        """Wait until what was written so far is in the file, for a second at most."""
        deadline = time.monotonic() + _LAST
        while self._thread.is_alive() and time.monotonic() < deadline:
            if not self._copying.acquire(timeout=max(0.0, deadline - time.monotonic())):
                return
            try:
                if self._is_closed:  # By the one who uses it, while another asks.
                    return
                (waiting,) = struct.unpack("i", fcntl.ioctl(self._end, termios.FIONREAD, b"\0" * 4))
            finally:
                self._copying.release()
            if not waiting:
                return
            time.sleep(_SOON)

    def _copy(self) -> None:
        while True:
            select.select([self._end], [], [])
            with self._copying:
                try:
                    piece = os.read(self._end, _PIECE)
                except BlockingIOError:
                    continue
                if not piece:
                    return
                self._keep(piece)

    def _keep(self, piece: bytes) -> None:
        self.last = (self.last + piece)[-END:]
        kept = piece[: self._left]
        # A full disk ends nothing: the log is shorter. Whoever has left it writes to nobody.
        with contextlib.suppress(OSError, ValueError):
            self._file.write(kept)
        if len(piece) > self._left and not self.exceeded.is_set():
            with contextlib.suppress(OSError, ValueError):
                self._file.write(b"\n... more was written, and is not kept\n")
            self.exceeded.set()
        self._left -= len(kept)

    def __enter__(self) -> "Capped":
        return self

    def __exit__(self, *raised: object) -> None:
        os.close(self._start)
        self._thread.join(_LAST)
        if self.exceeded.is_set():
            with contextlib.suppress(OSError):
                self._file.write(b"... and in the end:\n" + self.last)
        self._file.close()
        if not self._thread.is_alive():
            with self._copying:
                self._is_closed = True
                os.close(self._end)
