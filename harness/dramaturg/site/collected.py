"""A list of what others publish: each entry an address or a path, of a certificate or of an
archive of results.

Of an archive only files are taken that have the names of results, each into a folder of ours: no
path in it leads anywhere, whatever it is.
"""

import gzip
import io
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import IO, Protocol, cast

from dramaturg import files
from dramaturg.report.reviews import PATTERN
from dramaturg.results import ResultsError
from dramaturg.site import fetch
from dramaturg.site.fetch import Unreachable
from dramaturg.site.found import Source, Unread
from dramaturg.site.sources import BESIDE, MAX_RECORDS, RECORDS

MOST_ENTRIES = 1_000
"""Of one list."""

MOST_MEMBERS = 10_000
"""Of one archive, files and folders."""

MAX_UNPACKED = 128 * 1024 * 1024
"""Bytes of one archive, unpacked."""

MAX_DIRECTORY = 2 * 1024 * 1024
"""Bytes of a zip's own list of its files."""

_ZIP, _GZIP, _TAR = b"PK\x03\x04", b"\x1f\x8b", b"ustar"
_ZIP_END = b"PK\x05\x06"
_DAMAGE = (
    tarfile.TarError, zipfile.BadZipFile, gzip.BadGzipFile, zlib.error, EOFError, ValueError,
)  # fmt: skip
_ZIP_TAIL = 22
_ZIP_COMMENT = 1 << 16


@dataclass(frozen=True, slots=True)
class Collected:
    """What came of a list."""

    sources: list[Source]
    unread: list[Unread]


def collect(listed: Path, folder: Path, seconds: float = fetch.SECONDS) -> Collected:
    """All entries of the list, with what is fetched or unpacked in ``folder``. A dead entry is
    named with its reason. Raises ResultsError for a list that cannot be used."""
    entries = _entries(listed)
    addresses = [entry for entry in entries if fetch.is_address(entry)]
    answers = dict(zip(addresses, fetch.fetched(addresses, seconds), strict=True))
    made = Collected([], [])
    for number, entry in enumerate(entries):
        try:
            place = listed.parent / entry
            if entry in answers:
                answer = answers[entry]
                if isinstance(answer, Unreachable):
                    raise answer
                place = _kept(answer, folder / f"{number}")
            elif place.is_file():
                place = _kept(_content(place), folder / f"{number}")
            elif not place.is_dir():
                raise Unreachable("there is no such file or folder")
            made.sources.append(Source(place, entry, entry))
        except (Unreachable, OSError) as error:
            said = error.strerror if isinstance(error, OSError) and error.strerror else error
            made.unread.append(Unread(entry, files.brief(said)))
    return made


def _entries(listed: Path) -> list[str]:
    try:
        lines = files.read_text(listed).splitlines()
    except files.Unreadable as error:
        raise ResultsError(f"{listed}: {error}") from None
    stripped = (line.strip() for line in lines)
    entries = [line for line in stripped if line and not line.startswith("#")]
    if not entries:
        raise ResultsError(
            f"{listed}: names nothing; an address or a path is to stand in each line"
        )
    if len(entries) > MOST_ENTRIES:
        raise ResultsError(f"{listed}: has {len(entries):,} entries; the most are {MOST_ENTRIES:,}")
    for entry in entries:
        if "\0" in entry:
            raise ResultsError(f"{listed}: {files.brief(repr(entry))} is neither address nor path")
    return list(dict.fromkeys(entries))


def _content(file: Path) -> bytes:
    with file.open("rb") as stream:
        content = stream.read(fetch.MAX_BYTES + 1)
    if len(content) > fetch.MAX_BYTES:
        raise Unreachable(f"is longer than {fetch.MAX_BYTES:,} bytes")
    return content


def _kept(content: bytes, folder: Path) -> Path:
    """The content as a file, or of an archive a folder with the results in it."""
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
        raise Unreachable(f"is a damaged archive: {files.brief(error)}") from None
    except (NotImplementedError, RuntimeError) as error:
        raise Unreachable(f"is an archive that is not read: {files.brief(error)}") from None
    return folder


def _keep(members: Iterator[tuple[str, bytes]], folder: Path) -> None:
    """Results by the folder that they are in, under numbers of ours."""
    inside: dict[str, Path] = {}
    for name, content in members:
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
                _not_too_long(member.name, member.size)
                inside = archive.extractfile(member)
                yield member.name, inside.read() if inside else b""


def _of_zip(content: bytes) -> Iterator[tuple[str, bytes]]:
    _small_directory(content)
    left = MAX_UNPACKED
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = archive.infolist()
        _not_too_many(len(members))
        for member in members:
            if member.is_dir() or not _is_wanted(member.filename):
                continue
            _not_too_long(member.filename, member.file_size)
            with archive.open(member) as stream:
                # What its list says of a size need not be so.
                read = stream.read(min(left, MAX_RECORDS) + 1)
            _not_too_long(member.filename, len(read))
            left -= len(read)
            if left < 0:
                raise Unreachable(f"has more than {MAX_UNPACKED:,} bytes, unpacked")
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
        raise Unreachable(f"has more than {MOST_MEMBERS:,} files in it")


def _not_too_many(members: int) -> None:
    if members > MOST_MEMBERS:
        raise Unreachable(f"has more than {MOST_MEMBERS:,} files in it")


def _not_too_long(name: str, size: int) -> None:
    if size > MAX_RECORDS:
        last = PurePosixPath(name).name
        raise Unreachable(f"{last} in it is longer than {MAX_RECORDS:,} bytes")


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
            raise Unreachable(f"has more than {MAX_UNPACKED:,} bytes, unpacked")
        return read
