"""A session with a process that somebody else has started, perhaps in a debugger.

It is one process: it is not started again, nothing in it has a time limit, and its input ends
once, last. Nobody knows which program runs there, so nothing of this certifies.
"""

import contextlib
import os
import socket
import stat
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from dramaturg.control import starting
from dramaturg.control.gateway import Gateway
from dramaturg.control.scratch import MAX_SOCKET_PATH
from dramaturg.control.session import Session
from dramaturg.errors import Crashed, Unreachable
from dramaturg.implementation.manifest import Implementation

PATIENT = 7 * 24 * 3600.0
"""Seconds that a call may take: longer than anybody sits before a debugger."""

_KNOCK = 5.0
"""Seconds in which the machine of a HOST:PORT must answer at all."""

_LOOK = 0.2
"""Seconds between two looks at whether a process has gone."""

_UNIX = "unix:"

_Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Address:
    """The address that it listens at: a path, or a host and a port."""

    text: str
    path: Path | None
    host: str = ""
    port: int = 0

    def open(self) -> socket.socket:
        """A connection. Raises Unreachable."""
        try:
            if self.path is None:
                return socket.create_connection((self.host, self.port), timeout=_KNOCK)
            self._look()
            made = socket.socket(socket.AF_UNIX)
            try:
                made.connect(os.fspath(self.path))
            except BaseException:
                made.close()
                raise
            return made
        except ConnectionRefusedError:
            raise Unreachable(
                f"--connect {self.text}: nobody listens there; start the implementation first"
            ) from None
        except OSError as error:
            raise Unreachable(f"--connect {self.text}: {error.strerror or error}") from None

    def _look(self) -> None:
        """Check that there can be a socket at all."""
        assert self.path is not None
        if len(os.fsencode(self.path)) > MAX_SOCKET_PATH:
            raise Unreachable(
                f"--connect {self.text}: the path is longer than {MAX_SOCKET_PATH} bytes"
            )
        try:
            mode = self.path.stat().st_mode
        except FileNotFoundError:
            raise Unreachable(
                f"--connect {self.text}: there is no such socket; start the implementation first,"
                f" with --socket {self.path}"
            ) from None
        if not stat.S_ISSOCK(mode):
            kind = "a folder" if stat.S_ISDIR(mode) else "no socket"
            raise Unreachable(f"--connect {self.text}: that is {kind}; it takes a Unix socket")


def parsed(text: str) -> Address:
    """HOST:PORT or ``unix:PATH``. Raises Unreachable."""
    if text.startswith(_UNIX):
        path = text.removeprefix(_UNIX)
        if path and "\0" not in path:
            return Address(text, Path(path).absolute())
    else:
        host, _, port = text.rpartition(":")
        if host and port.isascii() and port.isdigit() and 0 < int(port) < 65536:
            return Address(text, None, host.strip("[]"), int(port))
    raise Unreachable(f"--connect {text}: it takes unix:PATH, or HOST:PORT with a port to 65535")


@contextlib.contextmanager
def attached(implementation: Implementation, text: str, tell: _Tell) -> Iterator[Session]:
    """A session with who listens there; leaving lets go of the connection alone. ``tell`` has
    what its author must know meanwhile. Raises Unreachable, and ControlError for who listens and
    is no implementation."""
    address = parsed(text)
    with contextlib.ExitStack() as stack:
        if implementation.manifest.control == "stdio":
            wire = Gateway(_Ends(stack.enter_context(address.open())))
            made = Session(implementation.name, wire, PATIENT)
            made.attached = lambda: wire.finish(PATIENT)
        else:
            made = stack.enter_context(_served(implementation, address, tell))
            made.attached = lambda: _until_gone(implementation, address, tell)
        made.describe()
        yield made


@contextlib.contextmanager
def _served(implementation: Implementation, address: Address, tell: _Tell) -> Iterator[Session]:
    """Over gRPC, as soon as it answers: a debugger may hold it already."""
    target = f"unix:{address.path}" if address.path else address.text
    told = False
    with contextlib.ExitStack() as stack:
        while True:
            address.open().close()
            try:
                made = stack.enter_context(starting.connect(implementation.name, target, PATIENT))
                break
            except Crashed:
                if not told:
                    tell(
                        f"{address.text}: somebody listens, and does not answer over gRPC; waiting"
                    )
                told = True
        yield made


def _until_gone(implementation: Implementation, address: Address, tell: _Tell) -> None:
    """Until nobody listens: its input is its author's to end."""
    tell(f"end the standard input of {implementation.name} now (Ctrl-D); waiting until it has gone")
    while True:
        try:
            address.open().close()
        except Unreachable:
            return
        time.sleep(_LOOK)


class _Ends:
    """The one socket that is both ends of the pipes."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self.input = self.output = connection.fileno()

    def is_closed(self) -> bool:
        return self._connection.fileno() < 0

    def end_input(self) -> None:
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_WR)

    def how_it_ended(self) -> str:
        return "closed the connection"
