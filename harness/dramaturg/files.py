"""Files that are whole or not there, folders that one run has to itself, errors that name them."""

import contextlib
import fcntl
import os
from collections.abc import Callable, Iterator
from pathlib import Path


@contextlib.contextmanager
def naming(file: Path) -> Iterator[None]:
    """An OSError inside names ``file``; by itself ``write`` only says that no space is left."""
    try:
        yield
    except OSError as error:
        error.filename, error.filename2 = str(file), None
        raise


def write_text(file: Path, text: str) -> None:
    """Readers see the old file or the new one. Raises OSError that names it."""
    temporary = file.with_name(f".{file.name}-{os.getpid()}")
    with naming(file):
        try:
            temporary.write_text(text, encoding="utf-8")
            temporary.replace(file)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


@contextlib.contextmanager
def locked(folder: Path, busy: Callable[[], None]) -> Iterator[None]:
    """Have ``folder`` to oneself; the kernel lets go of it however this process ends.

    If another process has it: calls ``busy``, and waits for it unless that raises.
    """
    with naming(folder):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            busy()
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
