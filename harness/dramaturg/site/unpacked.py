"""An archive that somebody has handed over, unpacked: only files are taken that have the names of
results, each into a folder of ours. No path in it leads anywhere, whatever it is.
"""

import gzip
import io
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import IO, Protocol, cast

from dramaturg import files, results
from dramaturg.report.build_reviews import PATTERN
from dramaturg.results import ResultsError

RECORDS = (results.CONFORMANCE, results.TIMINGS)
BESIDE = (results.ENVIRONMENT, results.CERTIFICATE)

MAX_RECORDS = 32 * 1024 * 1024
"""Bytes of a file of records, or of what lies beside it. Ours have a hundredth."""

MOST_MEMBERS = 10_000
"""The most files and folders of one archive."""

MAX_UNPACKED = 128 * 1024 * 1024
"""Bytes of one archive, unpacked: at most so many are read of it, or written."""

MAX_DIRECTORY = 2 * 1024 * 1024
"""Bytes of a zip's own list of its files."""

_ZIP, _GZIP, _TAR = b"PK\x03\x04", b"\x1f\x8b", b"ustar"
_ZIP_END = b"PK\x05\x06"
_DAMAGE = (
    tarfile.TarError, zipfile.BadZipFile, gzip.BadGzipFile, zlib.error, EOFError, ValueError,
)  # fmt: skip
_ZIP_TAIL = 22
_ZIP_COMMENT = 1 << 16


class NotTaken(ResultsError):
    """An archive that is damaged, or has more in it than it may; says why."""


def unpacked(content: bytes, folder: Path) -> Path:
    """The content as a file in ``folder``, or of an archive the folder with the results in it.
    Raises NotTaken."""
    folder.mkdir()
    try:
        if content.startswith(_ZIP):
            _keep(_of_zip(content), folder)
        elif content.startswith(_GZIP) or content[257:].startswith(_TAR):
            _keep(_of_tar(content), folder)
        else:
            file = folder / "certificate.json"
            file.write_bytes(content)
            return file
    except _DAMAGE as error:
        raise NotTaken(f"is a damaged archive: {files.brief(error)}") from None
    except (NotImplementedError, RuntimeError) as error:
        raise NotTaken(f"is an archive that is not read: {files.brief(error)}") from None
    return folder


def _keep(members: Iterator[tuple[str, bytes]], folder: Path) -> None:
    """Results by the folder that they are in, under numbers of ours."""
    inside: dict[str, Path] = {}
    left = MAX_UNPACKED
    for name, content in members:
        left -= len(content)
        if left < 0:
            raise NotTaken(f"has more than {MAX_UNPACKED:,} bytes, unpacked")
        path = PurePosixPath(name)
        place = inside.setdefault(str(path.parent), folder / f"{len(inside) + 1}")
        place.mkdir(exist_ok=True)
        (place / path.name).write_bytes(content)


def _is_wanted(name: str) -> bool:
    last = PurePosixPath(name).name
    return last in (*RECORDS, *BESIDE) or (fnmatchcase(last, PATTERN) and _is_plain(last))


def _is_plain(name: str) -> bool:
    return name.isascii() and name.isprintable() and len(name) <= 100 and "/" not in name


def _of_tar(content: bytes) -> Iterator[tuple[str, bytes]]:
    whole = io.BytesIO(content)
    stream: _Read = gzip.GzipFile(fileobj=whole) if content.startswith(_GZIP) else whole
    with tarfile.open(fileobj=cast(IO[bytes], _Bounded(stream)), mode="r|") as archive:
        for number, member in enumerate(archive, start=1):
            _not_too_many(number)
            if member.isreg() and _is_wanted(member.name):
                if member.issparse():  # Holes are in no stream, so nobody has counted them.
                    last = PurePosixPath(member.name).name
                    raise NotTaken(f"{last} in it has holes (GNU tar --sparse), and is not read")
                _not_too_long(member.name, member.size)
                inside = archive.extractfile(member)
                yield member.name, inside.read() if inside else b""


def _of_zip(content: bytes) -> Iterator[tuple[str, bytes]]:
    _small_directory(content)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = archive.infolist()
        _not_too_many(len(members))
        for member in members:
            if member.is_dir() or not _is_wanted(member.filename):
                continue
            _not_too_long(member.filename, member.file_size)
            with archive.open(member) as stream:
                # The size in its list may be false.
                read = stream.read(MAX_RECORDS + 1)
            _not_too_long(member.filename, len(read))
            yield member.filename, read


def _small_directory(content: bytes) -> None:
    """The list of files in it is read as a whole, before anybody can count."""
    tail = content[-_ZIP_TAIL:]
    if not (tail.startswith(_ZIP_END) and tail.endswith(b"\0\0")):
        last = content[-_ZIP_TAIL - _ZIP_COMMENT :]
        if _ZIP_END not in last:
            raise zipfile.BadZipFile("its end is missing")
        tail = last[last.rfind(_ZIP_END) :]
    if int.from_bytes(tail[12:16], "little") > MAX_DIRECTORY:
        raise NotTaken(f"has more than {MOST_MEMBERS:,} files in it")


def _not_too_many(members: int) -> None:
    if members > MOST_MEMBERS:
        raise NotTaken(f"has more than {MOST_MEMBERS:,} files in it")


def _not_too_long(name: str, size: int) -> None:
    if size > MAX_RECORDS:
        last = PurePosixPath(name).name
        raise NotTaken(f"{last} in it is longer than {MAX_RECORDS:,} bytes")


class _Read(Protocol):
    def read(self, size: int, /) -> bytes: ...


class _Bounded:
    """A stream that ends in an error where an archive has more in it than it may."""

    def __init__(self, stream: _Read) -> None:
        self._stream = stream
        self._left = MAX_UNPACKED

    def read(self, size: int) -> bytes:
        read = self._stream.read(min(size, self._left + 1))
        self._left -= len(read)
        if self._left < 0:
            raise NotTaken(f"has more than {MAX_UNPACKED:,} bytes, unpacked")
        return read
