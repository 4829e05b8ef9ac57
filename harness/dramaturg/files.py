"""Files: written whole or not at all, read with bounds; folders that one run has to itself."""

import contextlib
import fcntl
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import yaml

from dramaturg.visible import visible

MAX_BYTES = 256 * 1024
"""Of a file that people write. Ours are a twentieth of it."""

MAX_NODES = 50_000
"""Of a YAML document with its aliases written out; ours have a few thousand."""

_SENTENCE = 600


class Unreadable(ValueError):
    """A file that cannot be read; says why in one line, and leaves it to the reader to name it."""


class _Loader(yaml.SafeLoader):
    """Plain values; a key that stands twice is refused, where PyYAML forgets the first."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key, _ in node.value:
            said = key.tag, key.value if isinstance(key, yaml.ScalarNode) else id(key)
            if said in seen:
                line = key.start_mark.line + 1
                raise Unreadable(f"line {line}: {key.value} is there twice; keep one of them")
            seen.add(said)
        return super().construct_mapping(node, deep)


def read_text(file: Path) -> str:
    """What people wrote. Raises Unreadable."""
    try:
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise Unreadable(f"is longer than {MAX_BYTES} bytes")
        return data.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Unreadable(brief(error)) from None


def read_yaml(file: Path) -> Any:
    """A YAML document of plain values. Raises Unreadable, also for one that is small in the
    file and endless in memory."""
    text = read_text(file)
    try:
        document = _Loader(text).get_single_data()
    except RecursionError:
        raise Unreadable("is nested too deeply") from None
    except Exception as error:  # Besides YAMLError: whatever int() and date() raise.
        raise Unreadable(brief(error)) from None
    nodes, left = 0, [document]
    while left:
        node = left.pop()
        nodes += 1
        if nodes > MAX_NODES:
            raise Unreadable(f"has more than {MAX_NODES} values, its aliases written out")
        if isinstance(node, dict):
            left += node.values()
        elif isinstance(node, list):
            left += node
    return document


def brief(error: object) -> str:
    """What an error says, on one line of bearable length that any terminal can show."""
    said = visible(" ".join(str(error).split()))
    return said if len(said) <= _SENTENCE else f"{said[:_SENTENCE]}..."


def unused(file: Path) -> Path:
    """This name, or with a number behind it if there is such a file already."""
    found, number = file, 2
    while found.exists():
        found = file.with_name(f"{file.stem}-{number}{file.suffix}")
        number += 1
    return found


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
    write_bytes(file, text.encode())


def write_bytes(file: Path, content: bytes) -> None:
    """As :func:`write_text`."""
    temporary = file.with_name(f".{file.name}-{os.getpid()}")
    with naming(file):
        try:
            temporary.write_bytes(content)
            temporary.replace(file)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


def also_named(file: Path, name: Path) -> None:
    """What the file holds now is there by that name too, whatever replaces the file. Raises OSError
    that names it."""
    with naming(name):
        try:
            name.hardlink_to(file)
        except OSError:  # A file system without links (FAT), or one that refuses them.
            write_bytes(name, file.read_bytes())


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
        except OSError:
            pass  # A file system without locks (NFS has none for folders) keeps nobody out.
        yield
    finally:
        os.close(descriptor)
