"""Reads certificates and results from folders and files. Each one that cannot be read is named with
its reason, and the rest is read all the same."""

import contextlib
import hashlib
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from dramaturg import files, meant, results
from dramaturg.certificates import intoto, remembered_verifications, statement
from dramaturg.certificates.envelope import CertificateError
from dramaturg.certificates.signed_file import Opened, unseal
from dramaturg.certificates.trust import Trusted
from dramaturg.levels import SPEC
from dramaturg.report import html, report_files
from dramaturg.report.build_reviews import PATTERN
from dramaturg.results import ResultsError
from dramaturg.site.supplied_data import Certificate, Found, Run, Source, Unread
from dramaturg.site.unpacked import BESIDE, MAX_RECORDS, RECORDS, unpacked

MOST_FOLDERS = 1_000
"""Results folders in one folder."""

MOST_NAMES = 200
"""Implementations that one certificate, or one results folder, speaks of."""

REQUIREMENTS_AT = "../requirements/"
"""The way from a report in the site to the pages of the requirements."""


def read(sources: Iterable[Source], trusted: Sequence[Trusted]) -> Found:
    """Everything that these sources have in them."""
    found = Found()
    for source in sources:
        with contextlib.ExitStack() as kept:
            try:
                if source.as_it_came:
                    folder = kept.enter_context(
                        tempfile.TemporaryDirectory(prefix="dramaturg-site-")
                    )
                    source = _opened(source, Path(folder))
                places = list(_places(source))
            except ResultsError as error:
                found.unread.append(Unread(source.name, without(source.place, error)))
                continue
            for place in places:
                _take(found, place, trusted)
    return found


def _opened(source: Source, folder: Path) -> Source:
    place = unpacked(source.place.read_bytes(), folder / "handed")
    return replace(source, place=place, as_it_came=False)


def parts(source: Source) -> list[Source]:
    """The parts of a source that are read by themselves: each results folder in a folder. Raises
    ResultsError."""
    return [source] if source.as_it_came else list(_places(source))


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
            found.unread.append(Unread(source.name, without(source.place, error)))


def _places(source: Source) -> Iterator[Source]:
    """The source itself if it is a certificate or has results in it; else the results folders in
    it. Raises ResultsError if there are none."""
    place = source.place
    if place.is_file():
        yield source
        return
    if not place.is_dir():
        raise ResultsError(f"{place}: there is no such file or folder{meant.path_hint(place)}")
    if _has_results(place):
        yield source
        return
    inside = [each for each in sorted(place.iterdir()) if not each.is_symlink() and each.is_dir()]
    there = [each for each in inside if _has_results(each)]
    if not there:
        said = f"neither {', '.join(RECORDS)} nor {results.CERTIFICATE}"
        raise ResultsError(f"{place} holds no results and no certificate ({said})")
    if len(there) > MOST_FOLDERS:
        raise ResultsError(f"{place} holds more than {MOST_FOLDERS:,} results folders")
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
            f"{file} is of version {said} of the specification; this is version {SPEC!r}, and"
            " results of two versions do not stand side by side (spec/versions.md)"
        )
    _not_too_many(file, len(claimed.subject))
    found.certificates.append(
        Certificate(
            name=source.name,
            origin=source.origin,
            content=_published(file, opened, trusted),
            digest=remembered_verifications.digest(opened.text),
            statement=claimed,
            signer=opened.signer,
            signature=opened.signature,
            again=remembered_verifications.known(opened.text),
        )
    )


def _published(file: Path, opened: Opened, trusted: Sequence[Trusted]) -> bytes:
    """Return it as it was handed over; a signed one has its content and right signatures alone,
    since the page is the signer's, and the author of a copy can add to the rest."""
    _, sealed = intoto.read(file)
    if not opened.signer or sealed is None:
        return file.read_bytes()
    return sealed.of(each.key for each in trusted if not each.void).to_json().encode()


def _take_run(found: Found, source: Source, trusted: Sequence[Trusted]) -> None:
    folder = source.place
    there = [folder / name for name in RECORDS if os.path.lexists(folder / name)]
    if not there:
        return
    beside = [*(folder / name for name in BESIDE), *sorted(folder.glob(PATTERN))]
    read = [file for file in [*there, *beside] if os.path.lexists(file)]
    for file in read:
        _only_a_file(file, MAX_RECORDS)
    try:
        summary = report_files.summarise(folder, trusted)
        _not_too_many(folder, len(summary.implementations))
        page = html.document(summary, REQUIREMENTS_AT)
    except (ResultsError, MemoryError):
        raise
    except Exception as error:  # Records are of any shape, and a report relies on ours.
        said = files.brief(f"{type(error).__name__}: {error}")
        raise ResultsError(f"{folder}: its records are damaged: {said}") from None
    found.runs.append(Run(source.name, source.origin, _digest(read), summary, page))


def _digest(read: Iterable[Path]) -> str:
    """The digest of the records and of files beside them, since a page shows these as well."""
    total = hashlib.sha256()
    for file in read:
        total.update(hashlib.sha256(os.fsencode(file.name)).digest())
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def _only_a_file(file: Path, most: int) -> None:
    """A link may lead anywhere, and a pipe never ends."""
    found = file.lstat()
    if not stat.S_ISREG(found.st_mode):
        raise ResultsError(f"{file} is a link, a pipe or a folder, and no file: it is not read")
    if found.st_size > most:
        raise ResultsError(f"{file} has {found.st_size:,} bytes; the most are {most:,}")


def _not_too_many(file: Path, names: int) -> None:
    if names > MOST_NAMES:
        raise ResultsError(f"{file} speaks of {names:,} implementations; the most are {MOST_NAMES}")


def without(place: Path, error: Exception) -> str:
    """The reason, beginning with the file's name in the source: the place where that was unpacked
    is nobody's concern."""
    said = str(error)
    for lead in (f"{place}/", f"{place}: ", f"{place}:", f"{place} "):
        said = said.removeprefix(lead)
    return files.brief(said.replace(f"{place}/", ""))
