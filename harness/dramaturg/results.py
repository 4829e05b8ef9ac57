"""The results of one invocation of the harness, as it writes and reads them.

    results/ID/
      environment.json     the machine and what ran on it
      conformance.jsonl    header, one line for each case, footer
      timings.jsonl        header, one line for each sample, audit and unit, footer
      stderr/NAME.log      what implementations wrote to standard error
      traces/  audits/     recorded runs of cases that failed, and of audits that did
      certificate.json     of the implementations that were certified; absent if none was
      junit.xml  summary.json  report.html

Lines are handed to the kernel as they come, so nothing measured is ever lost; a file
without its footer is an interrupted run, and says so to whoever reads it. Nothing is
overwritten: records of an earlier run in the same folder are set aside.
"""

import contextlib
import json
import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from dramaturg import files, meant, paths
from dramaturg.outcomes import Outcome
from dramaturg.records import (
    AuditRecord,
    CaseRecord,
    IterationRecord,
    Record,
    SampleRecord,
    UnitRecord,
)

SCHEMA = 3
"""The schema version of records. Records of 1 and 2 have no audits, and those of 1 are of version
1 of the protocol."""

CONFORMANCE, TIMINGS = "conformance.jsonl", "timings.jsonl"
CERTIFICATE, ENVIRONMENT = "certificate.json", "environment.json"


MOST_BYTES = 1024 * 1024 * 1024
"""The longest file of records that is read: ours have a few megabytes."""

_PIECE = 1024 * 1024

MOST_LINE = 64 * 1024 * 1024
"""Bytes of a line that is looked at in a file that nobody has named."""

MOST_PROBLEMS = 50
"""The most problems of one sample, when audits have added theirs."""


class ResultsError(Exception):
    """Results that cannot be read; says which file and line."""


class RecordsLost(Exception):
    """Records can no longer be written, so nothing more is worth measuring. Those before are
    there, whole, as an interrupted run."""


_STAMP = re.compile(r"\d{8}-\d{6}(-\d+)?")
"""The names of folders of results that nobody named."""


class _Header(BaseModel):
    """The fields of the first line on which every reader relies; each kind of run says more
    there."""

    model_config = ConfigDict(extra="allow", strict=True)

    builds: dict[str, str] = {}
    planned: dict[str, int] = {}
    levels: list[int] = []
    manifest_problems: dict[str, list[str]] = {}
    remarks: dict[str, str] = {}


class Writer:
    """Appends records to one file. Use as a context manager: leaving well writes the footer.

    A record that cannot be written raises RecordsLost; the file still ends with a whole line.
    """

    def __init__(self, file: Path, **header: Any) -> None:
        self._file = file
        self._count = self._size = 0
        self._abandoned = False
        with files.naming(file):
            file.parent.mkdir(parents=True, exist_ok=True)
            set_aside(file.parent, [file.name], "earlier")
            self._stream = file.open("wb", buffering=0)
        try:
            self._put({"record": "header", "schema": SCHEMA, "started": time.time(), **header})
        except RecordsLost:
            self._stream.close()
            file.unlink(missing_ok=True)
            raise

    def write(self, record: Record) -> None:
        """Append, and hand it to the kernel."""
        self._put(record.model_dump(mode="json"))
        self._count += 1
        if self._count == 1:
            note_latest(self._file.parent)

    def _put(self, line: dict[str, Any]) -> None:
        rest = data = (json.dumps(line, separators=(",", ":")) + "\n").encode()
        try:
            while rest:
                rest = rest[self._stream.write(rest) :]
            if os.fstat(self._stream.fileno()).st_nlink == 0:
                raise FileNotFoundError(0, "it was deleted while it was written")
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._stream.fileno(), self._size)
            raise RecordsLost(f"{self._file}: {error.strerror}") from None
        self._size += len(data)

    def move(self, file: Path) -> None:
        """Give the file another name, in the place of what has that name now."""
        self._file = self._file.replace(file)

    def abandon(self) -> None:
        """Write no footer: not all that was planned is here."""
        self._abandoned = True

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind is None and not self._abandoned:
            self._put({"record": "footer", "records": self._count, "ended": time.time()})
        self._stream.close()


class Recorded(BaseModel):
    """A file of records, read back."""

    header: dict[str, Any]
    cases: list[CaseRecord] = []
    samples: list[SampleRecord] = []
    """The samples, with the findings on warm-up when their invocation had ended."""
    audits: list[AuditRecord] = []
    units: list[UnitRecord] = []
    complete: bool = False
    """True if the footer is there and counts what is there."""


def read(file: Path) -> Recorded:
    """Read a file of records. Raises ResultsError with the line that cannot be read; a torn
    last line (the writer was killed) only makes the file incomplete."""
    lines = _text(file).splitlines()
    recorded = Recorded(header={})
    under_way: dict[tuple[str, int | None], list[SampleRecord]] = {}
    for number, text in enumerate(lines, start=1):
        try:
            # Whatever stands behind a footer, the footer does not count.
            recorded.complete = False
            line = files.json_value(text)
            match line["record"]:
                case "header":
                    if number > 1:
                        raise ResultsError(
                            f"{file}:{number}: a second header: it is of two runs; restore one"
                        )
                    _Header.model_validate(line)
                    _check_schema(file, line)
                    recorded.header = line
                case "case":
                    recorded.cases.append(CaseRecord.model_validate(line))
                case "sample":
                    sample = SampleRecord.model_validate(line)
                    recorded.samples.append(sample)
                    under_way.setdefault(_invocation(sample), []).append(sample)
                case "audit":
                    audit = AuditRecord.model_validate(line)
                    recorded.audits.append(audit)
                    _mark_audited(under_way.get(_invocation(audit), []), audit)
                case "unit":
                    unit = UnitRecord.model_validate(line)
                    recorded.units.append(unit)
                    ended = under_way.pop(_invocation(unit), [])
                    own = ended[len(ended) - unit.samples :]
                    _mark_warmup(own, unit)
                    _mark_off(own, unit)
                case "footer":
                    count = len(recorded.cases) + len(recorded.samples)
                    count += len(recorded.audits) + len(recorded.units)
                    recorded.complete = line["records"] == count
                case other:
                    said = files.brief(repr(other))
                    raise ResultsError(f"{file}:{number}: unknown record {said}")
        except (ValueError, KeyError, TypeError, RecursionError, ValidationError) as error:
            if number == len(lines) and number > 1:
                break
            raise ResultsError(f"{file}:{number}: {files.brief(error)}") from None
    _check_schema(file, recorded.header)
    return recorded


def _text(file: Path) -> str:
    try:
        data = bytearray()
        with files.opened(file) as stream:
            # Piece by piece: who asks for so much at once has that memory taken.
            while piece := stream.read(_PIECE):
                data += piece
                if len(data) > MOST_BYTES:
                    most = f"{MOST_BYTES >> 20:,} MiB"
                    raise ResultsError(f"{file} is longer than {most}, and is not read")
        return data.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        said = getattr(error, "strerror", None) or files.brief(error)
        raise ResultsError(f"{file}: {said}{meant.path_hint(file)}") from None


def _check_schema(file: Path, header: Mapping[str, Any]) -> None:
    schema = header.get("schema")
    if schema != SCHEMA:
        said = "no schema" if schema is None else f"schema {files.brief(repr(schema))}"
        raise ResultsError(
            f"{file}:1: results of {said}; this version of the harness reads schema {SCHEMA}:"
            " read them with the version that wrote them, or run it again"
        )


def _invocation(of: IterationRecord | UnitRecord) -> tuple[str, int | None]:
    """The invocation of a record. Several may be under way at a time: the two halves of a pair may
    be."""
    return of.implementation, of.invocation


def _mark_audited(samples: list[SampleRecord], audit: AuditRecord) -> None:
    """Marks samples with what the audit's logs showed: a sample is believed no more than they
    are."""
    if audit.outcome is Outcome.PASS:
        return
    for sample in samples:
        if sample.iteration == audit.iteration:
            if sample.valid:  # To set it takes long, and each audit may speak of each sample.
                sample.valid = False
            if len(sample.problems) < MOST_PROBLEMS and audit.message not in sample.problems:
                sample.problems.append(audit.message)


def _mark_warmup(samples: list[SampleRecord], unit: UnitRecord) -> None:
    """Marks warm-up, which could not be known when the samples were written."""
    for sample in samples:
        sample.warmup = sample.warmup or sample.iteration < unit.warmup


def _mark_off(samples: list[SampleRecord], unit: UnitRecord) -> None:
    """Marks samples whose links lost too much or too little, which is known when all was timed: a
    sample is of the network that was asked for, or it is not valid."""
    if unit.links is None or not unit.links.off:
        return
    for sample in samples:
        sample.valid = False
        if unit.links.off not in sample.problems:
            sample.problems.append(unit.links.off)


def set_aside(folder: Path, names: Iterable[str], why: str, *, stays: bool = False) -> None:
    """Keep these files of an earlier run, or whatever has their names, under a name of their own:
    nothing is deleted.

    ``stays``: files keep the name that they have as well, until each is replaced. Whoever is killed
    meanwhile has lost none.
    """
    there = [folder / name for name in names if os.path.lexists(folder / name)]
    number = 1
    while any(os.path.lexists(_aside(file, why, number)) for file in there):
        number += 1
    for file in there:
        if stays and file.is_file():
            files.also_named(file, _aside(file, why, number))
        else:
            file.rename(_aside(file, why, number))


def _aside(file: Path, why: str, number: int) -> Path:
    return file.with_name(f"{file.stem}.{why}-{number}{file.suffix}")


@contextlib.contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """The folder, for this run alone. Raises ResultsError if another one writes there."""

    def busy() -> None:
        raise ResultsError(
            f"{folder}: another run is writing there; wait for it, or give another --output"
        )

    with files.naming(folder), _may_be_elsewhere():
        folder.mkdir(parents=True, exist_ok=True)
    _refuse_links(folder)
    with files.locked(folder, busy):
        yield


_BELOW = ("stderr", "traces", "audits")
"""Folders of a results folder in which files are written one by one, under names that follow from
what is run."""


def _refuse_links(folder: Path) -> None:
    """A folder that is gone on with, or that was named, may be a stranger's: files that are written
    there must be there, and not behind a link. Raises ResultsError."""
    for below in (folder / name for name in _BELOW):
        inside = below.iterdir() if below.is_dir() and not below.is_symlink() else ()
        for place in (below, *inside):
            if place.is_symlink():
                raise ResultsError(
                    f"{place} is a link, and files are written there; take it away, or give"
                    " another --output"
                )


def new_folder() -> Path:
    """A new folder for one invocation. ``latest`` points to it as soon as it has a record in it, or
    at once if it points to nothing that has."""
    root = paths.results()
    with _may_be_elsewhere():
        root.mkdir(parents=True, exist_ok=True)
    stamp = time.strftime("%Y%m%d-%H%M%S")
    for name in _names(stamp):
        folder = root / name
        try:
            with _may_be_elsewhere():
                folder.mkdir()
        except FileExistsError:
            continue
        if not _holds_records(root / "latest"):
            _point(root / "latest", name)
        return folder
    raise AssertionError("unreachable")


@contextlib.contextmanager
def _may_be_elsewhere() -> Iterator[None]:
    """Raises ResultsError for a folder in which one may not write."""
    try:
        yield
    except OSError as error:
        if not files.is_unwritable(error):
            raise
        raise ResultsError(
            f"{error.filename}: {error.strerror}; results go below the folder where you stand:"
            " --output FOLDER puts them elsewhere"
        ) from None


def _names(stamp: str) -> Iterator[str]:
    yield stamp
    number = 2
    while True:
        yield f"{stamp}-{number}"
        number += 1


def note_latest(folder: Path) -> None:
    """Let ``latest`` point to this folder, which has a record in it: of those that are made here it
    is the latest that has."""
    if _STAMP.fullmatch(folder.name) and folder.parent == paths.results():
        # The measurements count more than the target of a link.
        with contextlib.suppress(OSError):
            _point(folder.parent / "latest", folder.name)


def _holds_records(folder: Path) -> bool:
    for name in (CONFORMANCE, TIMINGS):
        with contextlib.suppress(OSError), files.come_upon(folder / name) as lines:
            lines.readline(MOST_LINE)
            if b'"footer"' not in (first := lines.readline(MOST_LINE)) and first:
                return True
    return False


def _point(link: Path, target: str) -> None:
    if link.is_dir() and not link.is_symlink():
        # A copy that has files in the place of links, as archives and some checkouts have.
        set_aside(link.parent, [link.name], "earlier")
    temporary = link.with_name(f".latest-{os.getpid()}")
    temporary.unlink(missing_ok=True)
    temporary.symlink_to(target)
    temporary.replace(link)
