"""Files: written whole or not at all, read with bounds; folders that one run has to itself."""

import contextlib
import errno
import fcntl
import json
import math
import os
import re
import secrets
import select
import stat
import tomllib
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import yaml

from dramaturg import meant, paths
from dramaturg.visible import visible

MAX_BYTES = 256 * 1024
"""The largest file that people may write, in bytes. Ours are a twentieth of it."""

MAX_NODES = 50_000
"""The most values of a YAML document with its aliases written out; ours have a few thousand."""

MOST_PARTS = 32
"""The most parts of a dotted key in TOML; ours have three. Reading one takes the square of its
parts."""

_SENTENCE = 600

_MERGE = "tag:yaml.org,2002:merge"

_TOKEN = re.compile(
    r'''"""(?:[^\\]|\\.)*?(?:"{3,5}|\Z)|'''
    r"'''.*?(?:'{3,5}|\Z)|"
    r""""(?:[^"\\\n]|\\.)*"|'[^'\n]*'|(?P<dot>\.)|[\w \t-]+|#[^\n]*|(?P<other>.)""",
    re.DOTALL,
)
"""A string or a comment as a whole, a dot between parts of a key or of a number, and all else."""


class Unreadable(ValueError):
    """A file that cannot be read; says why in one line, and leaves it to the reader to name it."""


class _Strict(yaml.constructor.SafeConstructor):
    """Plain values. A key that stands twice is refused; PyYAML forgets the first. The result of
    merge keys (``<<``) is counted before it is made: each may double what is there."""

    _merged = 0

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        for key, value in node.value:
            if key.tag != _MERGE:
                continue
            for each in value.value if isinstance(value, yaml.SequenceNode) else [value]:
                if isinstance(each, yaml.MappingNode):
                    self.flatten_mapping(each)
                    self._merged += 1 + len(each.value)
                    if self._merged > MAX_NODES:
                        raise Unreadable(f"it has more than {MAX_NODES} values, all that it merges")
        super().flatten_mapping(node)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key, _ in node.value:
            said = key.tag, key.value if isinstance(key, yaml.ScalarNode) else id(key)
            if said in seen:
                line = key.start_mark.line + 1
                raise Unreadable(f"line {line}: {key.value} is there twice; keep one of them")
            seen.add(said)
        return super().construct_mapping(node, deep)


class _Loader(_Strict, yaml.SafeLoader):
    """Reads what anybody wrote."""


if TYPE_CHECKING or not yaml.__with_libyaml__:
    _Quick = _Loader
else:

    class _Quick(_Strict, yaml.CSafeLoader):
        """Reads what is ours, in a tenth of the time. It recurses in C, without bounds: a document
        of a stranger could end the process."""


PATIENCE = 30.0
"""Seconds in which somebody must write to a pipe that is read."""


def opened(file: Path) -> BinaryIO:
    """The file that somebody has named, to be read. Raises OSError, also for a pipe that another
    user has put there, or that nobody writes to: opening it would wait for them. An archive may
    have one in it. A device, to which a link may lead, need not have an end, nor need a file of the
    kernel's (/proc/kmsg): a file whose length is 0 has nothing in it."""
    found = file.stat()
    is_pipe = stat.S_ISFIFO(found.st_mode)
    if is_pipe and found.st_uid not in own_users():
        raise PermissionError(errno.EACCES, "it is a pipe of another user's", str(file))
    # It may have become one meanwhile.
    descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        there = os.fstat(descriptor)
        if stat.S_ISFIFO(there.st_mode) and not is_pipe:
            raise PermissionError(errno.EACCES, "it is a pipe", str(file))
        waits = is_pipe and not _is_of_a_shell(descriptor)
        if waits and not select.select([descriptor], [], [], PATIENCE)[0]:
            said = f"it is a pipe, and nobody has written to it for {PATIENCE:g} s"
            raise TimeoutError(errno.ETIMEDOUT, said, str(file))
        if stat.S_ISDIR(there.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(file))
        if _is_endless(descriptor, there):
            raise PermissionError(errno.EACCES, "it is a device, and no file", str(file))
        if stat.S_ISREG(there.st_mode) and there.st_size == 0:
            nothing = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
            os.dup2(nothing, descriptor, inheritable=False)
            os.close(nothing)
        os.set_blocking(descriptor, True)
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def _is_of_a_shell(descriptor: int) -> bool:
    """True if a pipe has no name, as that of ``<(command)``: the command that writes to it may ask
    for a passphrase first."""
    try:
        return str(Path(f"/proc/self/fd/{descriptor}").readlink()).startswith("pipe:")
    except OSError:
        return False


def come_upon(file: Path) -> BinaryIO:
    """As :func:`opened`, a file that nobody has named: no pipe at all, and nobody is waited for."""
    if not file.is_file():
        raise FileNotFoundError(errno.ENOENT, "there is no such file, or it is none", str(file))
    return opened(file)


def _is_endless(descriptor: int, found: os.stat_result) -> bool:
    kind = stat.S_ISCHR(found.st_mode) or stat.S_ISBLK(found.st_mode)
    return kind and not os.isatty(descriptor) and found.st_rdev != Path(os.devnull).stat().st_rdev


def own_users() -> set[int]:
    """The users whose files are one's own: oneself, root, and whoever became root by sudo."""
    by = os.environ.get("SUDO_UID", "") if os.geteuid() == 0 else ""
    return {0, os.geteuid(), *([int(by)] if by.isascii() and by.isdigit() else [])}


def read_text(file: Path) -> str:
    """Reads a text that people wrote. Raises Unreadable."""
    try:
        with opened(file) as stream:
            data = stream.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise Unreadable(f"it is longer than {MAX_BYTES} bytes")
        # Some editors begin a file with a mark of its encoding, which is no part of what it says.
        return data.decode("utf-8-sig")
    except OSError as error:
        raise Unreadable(f"{error.strerror or brief(error)}{meant.path_hint(file)}") from None
    except UnicodeDecodeError as error:
        raise Unreadable(brief(error)) from None


def read_yaml(file: Path) -> Any:
    """A YAML document of plain values. Raises Unreadable, also for one that is small in the
    file and endless in memory."""
    text = read_text(file)
    try:
        document = _document(file, text)
    except RecursionError:
        raise Unreadable("it is nested too deeply") from None
    except Exception as error:  # Besides YAMLError: whatever int() and date() raise.
        raise Unreadable(brief(error)) from None
    nodes, left = 0, [document]
    while left:
        node = left.pop()
        nodes += 1
        inside = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
        # Before they are taken: an alias that leads to itself would add as many each time.
        if nodes + len(left) + len(inside) > MAX_NODES:
            raise Unreadable(f"it has more than {MAX_NODES} values, its aliases written out")
        left += inside
    return document


def _document(file: Path, text: str) -> Any:
    if _is_ours(file):
        # The other loader reports the errors, in the same words for everybody's files.
        with contextlib.suppress(Exception):
            return _Quick(text).get_single_data()
    return _Loader(text).get_single_data()


def _is_ours(file: Path) -> bool:
    """True if it is among the cases and casts that came with the harness, wherever links lead."""
    return file.resolve().is_relative_to(paths.CONFORMANCE.resolve())


def read_toml(file: Path) -> dict[str, Any]:
    """A TOML document. Raises Unreadable."""
    text = read_text(file)
    try:
        _hold_to_parts(text)
        return tomllib.loads(text)
    except RecursionError:
        raise Unreadable("it is nested too deeply") from None
    except ValueError as error:  # TOMLDecodeError; and an integer of more digits than Python reads.
        raise Unreadable(brief(error)) from None


def _hold_to_parts(text: str) -> None:
    """Raises Unreadable for a dotted key of too many parts, wherever it stands."""
    parts = 0
    for token in _TOKEN.finditer(text):
        match token.lastgroup:
            case "dot":
                parts += 1
                if parts > MOST_PARTS:
                    line = text.count("\n", 0, token.start()) + 1
                    raise Unreadable(f"line {line}: a key has more than {MOST_PARTS} parts")
            case "other":
                parts = 0


def json_value(text: str) -> Any:
    """The value of a JSON text. Raises ValueError, also for NaN and for a number that no float can
    hold, since neither could be written as JSON again, and for a name that is no text. Raises
    RecursionError for a text that is nested too deeply."""
    named = _named if _SURROGATE.search(text) else None
    return json.loads(text, parse_constant=finite, parse_float=finite, object_pairs_hook=named)


_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
"""One half of what stands for one character; alone it is none."""


def _named(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    for name, _ in pairs:
        refuse_no_text(name)
    return dict(pairs)


def refuse_no_text(name: str) -> None:
    """Raises ValueError for a name in an object that no file could have in it."""
    if not name.isascii() and any("\ud800" <= each <= "\udfff" for each in name):
        raise ValueError(f"{brief(repr(name))} is no text")


def finite(text: str) -> float:
    """The number that stands in JSON. Raises ValueError for NaN, and for what no float can hold: it
    could not be written as JSON again."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{brief(text)} is no number")
    return number


def below(folder: Path, name: str, within: Collection[str]) -> Path | None:
    """Where a file goes that another host calls so, below one of the folders ``within`` of this
    folder; None for a name that leads anywhere else, or to no file."""
    parts = name.split("/")
    if len(parts) < 2 or parts[0] not in within:
        return None
    if any(part in ("", ".", "..") or "\0" in part for part in parts):
        return None
    return folder.joinpath(*parts)


def is_unwritable(error: OSError) -> bool:
    """True if the user may not write there, which is no fault of theirs."""
    return error.errno in (errno.EROFS, errno.EACCES, errno.EPERM)


def brief(error: object) -> str:
    """An error's message, on one line of bearable length that any terminal can show."""
    said = visible(" ".join(str(error).split()))
    return said if len(said) <= _SENTENCE else f"{said[:_SENTENCE]}..."


def unused(file: Path) -> Path:
    """This name, or with a number behind it if there is such a file already."""
    found, number = file, 2
    while os.path.lexists(found):
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
    # In a folder of several users a name that can be known before is a link or a pipe of another's.
    temporary = file.with_name(f".{file.name}-{secrets.token_hex(8)}")
    with naming(file):
        try:
            with temporary.open("xb") as stream:
                stream.write(content)
            temporary.replace(file)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


def also_named(file: Path, name: Path) -> None:
    """Keeps the file's present contents under that name too, whatever replaces the file. Raises
    OSError that names it."""
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
