"""From folders and files to certificates and results. Whatever cannot be read is named with its
reason, and the rest is read all the same."""

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from dramaturg import files, results
from dramaturg.certificates import intoto, statement, verified
from dramaturg.certificates.envelope import CertificateError
from dramaturg.certificates.opened import unseal
from dramaturg.certificates.trust import Trusted
from dramaturg.levels import SPEC
from dramaturg.report import html, write
from dramaturg.report.reviews import PATTERN
from dramaturg.results import ResultsError
from dramaturg.site.found import Certificate, Found, Run, Source, Unread

RECORDS = (results.CONFORMANCE, results.TIMINGS)
BESIDE = (results.ENVIRONMENT, results.CERTIFICATE)

MAX_RECORDS = 32 * 1024 * 1024
"""Bytes of a file of records, or of what lies beside it. Ours have a hundredth."""

MOST_FOLDERS = 1_000
"""Results folders in one folder."""

MOST_NAMES = 200
"""Implementations that one certificate, or one results folder, speaks of."""

REQUIREMENTS_AT = "../requirements/"
"""From a report in the site to the pages of the requirements."""


def read(sources: Iterable[Source], trusted: Sequence[Trusted]) -> Found:
    """Everything that these sources have in them."""
    found = Found()
    for source in sources:
        try:
            places = list(_places(source))
        except ResultsError as error:
            found.unread.append(Unread(source.name, _without(source.place, error)))
            continue
        for place in places:
            _take(found, place, trusted)
    return found


def _take(found: Found, source: Source, trusted: Sequence[Trusted]) -> None:
    """A certificate's file, or one results folder."""
    if source.place.is_file():
        certificates, records = source.place, None
    else:
        certificates, records = source.place / results.CERTIFICATE, source.place
    for take in (_take_run, _take_certificate):
        try:
            if take is _take_run and records is not None:
                _take_run(found, source, trusted)
            elif take is _take_certificate and os.path.lexists(certificates):
                _take_certificate(found, source, certificates, trusted)
        except ResultsError as error:
            found.unread.append(Unread(source.name, _without(source.place, error)))


def _places(source: Source) -> Iterator[Source]:
    """The source itself if it is a certificate or has results in it; else the results folders in
    it. Raises ResultsError if there are none."""
    place = source.place
    if place.is_file():
        yield source
        return
    if not place.is_dir():
        raise ResultsError(f"{place}: there is no such file or folder")
    if _has_results(place):
        yield source
        return
    inside = [each for each in sorted(place.iterdir()) if not each.is_symlink() and each.is_dir()]
    there = [each for each in inside if _has_results(each)]
    if not there:
        said = f"neither {', '.join(RECORDS)} nor {results.CERTIFICATE}"
        raise ResultsError(f"{place}: holds no results and no certificate ({said})")
    if len(there) > MOST_FOLDERS:
        raise ResultsError(f"{place}: holds more than {MOST_FOLDERS:,} results folders")
    for each in there:
        yield Source(each, f"{source.name.rstrip('/')}/{each.name}", source.origin)


def _has_results(folder: Path) -> bool:
    return any(os.path.lexists(folder / name) for name in (*RECORDS, results.CERTIFICATE))


def _take_certificate(found: Found, source: Source, file: Path, trusted: Sequence[Trusted]) -> None:
    _only_a_file(file, intoto.MAX_BYTES)
    opened = unseal(file, None, trusted)
    if opened.forged is not None:
        raise CertificateError(f"{file}: its signature is {opened.forged.certificate}")
    claimed = statement.parse(opened.text, file)
    if claimed.predicate.spec != SPEC:
        said = files.brief(repr(claimed.predicate.spec))
        raise CertificateError(
            f"{file}: is of version {said} of the specification; this is version {SPEC!r}, and"
            " results of two versions do not stand side by side (spec/versions.md)"
        )
    _not_too_many(file, len(claimed.subject))
    found.certificates.append(
        Certificate(
            name=source.name,
            origin=source.origin,
            content=file.read_bytes(),
            digest=verified.digest(opened.text),
            statement=claimed,
            signer=opened.signer,
            signature=opened.signature,
            again=verified.known(opened.text),
        )
    )


def _take_run(found: Found, source: Source, trusted: Sequence[Trusted]) -> None:
    folder = source.place
    there = [folder / name for name in RECORDS if os.path.lexists(folder / name)]
    if not there:
        return
    for file in [*there, *(folder / name for name in BESIDE), *folder.glob(PATTERN)]:
        if os.path.lexists(file):
            _only_a_file(file, MAX_RECORDS)
    try:
        summary = write.summarise(folder, trusted)
        _not_too_many(folder, len(summary.implementations))
        page = html.document(summary, REQUIREMENTS_AT)
    except ResultsError:
        raise
    except Exception as error:  # Records are of any shape, and a report relies on ours.
        said = files.brief(f"{type(error).__name__}: {error}")
        raise ResultsError(f"{folder}: its records are damaged: {said}") from None
    found.runs.append(Run(source.name, source.origin, _digest(there), summary, page))


def _digest(records: Iterable[Path]) -> str:
    total = hashlib.sha256()
    for file in records:
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def _only_a_file(file: Path, most: int) -> None:
    """A link may lead anywhere, and a pipe never ends."""
    found = file.lstat()
    if not stat.S_ISREG(found.st_mode):
        raise ResultsError(f"{file}: is a link, a pipe or a folder, and no file: it is not read")
    if found.st_size > most:
        raise ResultsError(f"{file}: has {found.st_size:,} bytes; the most are {most:,}")


def _not_too_many(file: Path, names: int) -> None:
    if names > MOST_NAMES:
        raise ResultsError(
            f"{file}: speaks of {names:,} implementations; the most are {MOST_NAMES}"
        )


def _without(place: Path, error: Exception) -> str:
    """The reason, beginning with the file's name in the source: where that was unpacked to is
    nobody's concern."""
    said = str(error)
    for lead in (f"{place}/", f"{place}: ", f"{place}:"):
        said = said.removeprefix(lead)
    return files.brief(said.replace(f"{place}/", ""))
