"""A results folder as one file, from which anybody can make the same report again.

A zip with one folder in it: the records that a report is made of, and ``archive.json``, which has
the digest of each, and those of the report. Nothing else is taken out of an archive, and no path in
it leads anywhere.
"""

import errno
import hashlib
import io
import json
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib import metadata
from pathlib import Path
from typing import IO, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from dramaturg import files, results
from dramaturg.report import build_reviews
from dramaturg.results import ResultsError

MANIFEST = "archive.json"

RECORDS = (results.CONFORMANCE, results.TIMINGS, results.ENVIRONMENT, results.CERTIFICATE)
"""The files that may be in an archive, besides reviews."""

MAX_BYTES = 256 * 1024 * 1024
"""The largest archive, in bytes."""

MAX_UNPACKED = 2 * 1024 * 1024 * 1024
"""Bytes of all files in it, and no more than :data:`RATIO` for each of its own beyond the first
:data:`LEAST`: records pack to a tenth or a twentieth."""

LEAST, RATIO = 64 * 1024 * 1024, 100

MAX_MANIFEST = 1024 * 1024

_MAX_DIRECTORY = 64 * 1024
"""Bytes of a zip's own list of its files, which is read as a whole before anybody can count."""

_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)

_BLOCK = 1024 * 1024
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""All files in it have this date: equal results make equal archives."""

_END, _END_LENGTH, _COMMENT = b"PK\x05\x06", 22, 1 << 16
_DAMAGE = (
    zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, RuntimeError,
)  # fmt: skip


class ArchiveError(ResultsError):
    """A file is no archive, or a damaged one; says which file, what is wrong and what to do."""


class Manifest(BaseModel):
    """``archive.json``."""

    model_config = ConfigDict(extra="forbid", strict=True)

    archive: Literal[1] = 1
    results: str
    """The name of the results folder."""
    harness: str
    """The version of the package that wrote it."""
    files: dict[str, str]
    """SHA-256 of each, by name."""
    report: dict[str, str]
    """The same of the report's files, as they were made when it was packed."""


@dataclass(frozen=True, slots=True)
class Unpacked:
    """An archive's folder, for as long as it is there."""

    folder: Path
    manifest: Manifest

    def differ(self, made: Path) -> list[str]:
        """Names of the report's files in ``made`` that are not, to the byte, what was packed."""
        told = self.manifest.report
        return [name for name, digest in told.items() if _digest_of(made / name) != digest]


def pack(folder: Path, made: dict[str, Path], archive: Path) -> None:
    """Write the records of a folder and the digests of its report into ``archive``. Raises
    ArchiveError for a record that is a link, and OSError that names it."""
    there = [folder / name for name in RECORDS if (folder / name).is_file()]
    there += [each for each in sorted(folder.glob(build_reviews.PATTERN)) if _is_wanted(each.name)]
    for file in there:
        if file.is_symlink():  # Its target may be anything of the user's.
            raise ArchiveError(f"{file} is a link, and an archive has files in it; copy what it is")
    name = folder.resolve().name
    manifest = Manifest(
        results=name,
        harness=version(),
        files={file.name: _digest_of(file) for file in there},
        report={of: _digest_of(file) for of, file in made.items()},
    )
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as packed:
        said = json.dumps(manifest.model_dump(), indent=2) + "\n"
        packed.writestr(_member(name, MANIFEST), said, zipfile.ZIP_DEFLATED)
        for file in there:
            packed.writestr(_member(name, file.name), file.read_bytes(), zipfile.ZIP_DEFLATED)
    files.write_bytes(archive, content.getvalue())


def version() -> str:
    """The version of this package."""
    try:
        return metadata.version("dramaturg")
    except metadata.PackageNotFoundError:
        return "unknown"


@contextmanager
def unpacked(archive: Path) -> Iterator[Unpacked]:
    """The folder that was packed, with every digest checked. Raises ArchiveError."""
    with tempfile.TemporaryDirectory(prefix="dramaturg-archive-") as place:
        try:
            with archive.open("rb") as stream:
                found = _unpack(stream, Path(place))
        except ArchiveError as error:
            raise ArchiveError(f"{archive}: {error}") from None
        except (*_DAMAGE, OSError) as error:
            if isinstance(error, OSError) and error.errno != errno.EINVAL:
                raise  # A full disk. EINVAL is a place in the archive before its start.
            raise ArchiveError(
                f"{archive} is a damaged archive ({files.brief(error)}); get it again"
            ) from None
        yield found


def _unpack(stream: IO[bytes], place: Path) -> Unpacked:
    _small_enough(stream)
    with zipfile.ZipFile(stream) as packed:
        members = {member.filename: member for member in packed.infolist()}
        heads = [name for name in members if name.count("/") == 1 and name.endswith(f"/{MANIFEST}")]
        if len(heads) != 1:
            raise ArchiveError(
                f"it is no archive of results, since there is no FOLDER/{MANIFEST} in it;"
                " `dramaturg report FOLDER --archive FILE` makes one"
            )
        if members[heads[0]].compress_type not in _METHODS:
            raise ArchiveError(f"its {MANIFEST} is packed in another way than --archive packs")
        manifest = _manifest(packed.open(members[heads[0]]))
        folder = place / manifest.results
        folder.mkdir()
        left = most = min(MAX_UNPACKED, LEAST + RATIO * stream.seek(0, io.SEEK_END))
        for name, digest in manifest.files.items():
            member = members.get(f"{manifest.results}/{name}")
            if member is None:
                raise ArchiveError(f"{name} is missing in it; get it again, whole")
            if member.compress_type not in _METHODS:
                raise ArchiveError(f"{name} in it is packed in another way than --archive packs")
            with packed.open(member) as inside:
                taken, left = _take(inside, folder / name, left, most)
            if taken != digest:
                raise ArchiveError(f"{name} in it is not what was packed (its SHA-256 differs)")
    return Unpacked(folder, manifest)


def _small_enough(stream: IO[bytes]) -> None:
    size = stream.seek(0, io.SEEK_END)
    if size > MAX_BYTES:
        raise ArchiveError(f"it is longer than {MAX_BYTES:,} bytes, which no archive of results is")
    stream.seek(max(0, size - _END_LENGTH - _COMMENT))
    tail = stream.read()
    at = tail.rfind(_END)
    if at < 0:
        raise ArchiveError("it is no folder and no zip; a results folder or archive was expected")
    if int.from_bytes(tail[at + 12 : at + 16], "little") > _MAX_DIRECTORY:
        raise ArchiveError("it is no archive of results, since it has too many files in it")
    stream.seek(0)


def _manifest(stream: IO[bytes]) -> Manifest:
    with stream:
        said = stream.read(MAX_MANIFEST + 1)
    try:
        document = json.loads(said.decode("utf-8"))
        if isinstance(document, dict) and document.get("archive") != 1:
            raise ArchiveError(
                f"its {MANIFEST} is of another version than 1; a newer dramaturg may read it"
            )
        manifest = Manifest.model_validate(document)
    except (ValueError, RecursionError, ValidationError) as error:
        raise ArchiveError(f"its {MANIFEST} cannot be read: {files.brief(error)}") from None
    names = [*manifest.files, *manifest.report]
    if not _is_plain(manifest.results) or not all(map(_is_plain, names)):
        raise ArchiveError(f"its {MANIFEST} has a name that no file of results has")
    strange = [name for name in manifest.files if not _is_wanted(name)]
    if strange:
        raise ArchiveError(f"its {MANIFEST} names {strange[0]}, which is no record")
    return manifest


def _take(inside: IO[bytes], file: Path, left: int, most: int) -> tuple[str, int]:
    """The digest of what is written, and how much more there may be: the sizes in a zip's list may
    be false."""
    digest = hashlib.sha256()
    with file.open("wb") as out:
        while block := inside.read(_BLOCK):
            left -= len(block)
            if left < 0:
                raise ArchiveError(f"it has more than {most:,} bytes, unpacked")
            digest.update(block)
            out.write(block)
    return digest.hexdigest(), left


def _is_wanted(name: str) -> bool:
    return _is_plain(name) and (name in RECORDS or fnmatchcase(name, build_reviews.PATTERN))


def _is_plain(name: str) -> bool:
    """True if it names a file or folder, wherever it is unpacked."""
    return (
        0 < len(name.encode("utf-8", "replace")) <= 200
        and name.isprintable()
        and name not in (".", "..")
        and not set(name) & set('/\\:*?"<>|')
    )


def _member(folder: str, name: str) -> zipfile.ZipInfo:
    return zipfile.ZipInfo(f"{folder}/{name}", _EPOCH)


def _digest_of(file: Path) -> str:
    with files.naming(file), file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
