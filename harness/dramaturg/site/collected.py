"""A list of what others publish: each entry an address or a path, of a certificate or of an
archive of results. A fetched file is kept as it came, for whoever reads it within limits.
"""

from dataclasses import dataclass
from pathlib import Path

from dramaturg import files, meant
from dramaturg.results import ResultsError
from dramaturg.site import fetch
from dramaturg.site.fetch import Unreachable
from dramaturg.site.supplied_data import Source, Unread

MOST_ENTRIES = 1_000
"""The most entries of one list."""


@dataclass(frozen=True, slots=True)
class Collected:
    """The result of reading a list."""

    sources: list[Source]
    unread: list[Unread]


def collect(listed: Path, folder: Path, seconds: float = fetch.SECONDS) -> Collected:
    """All entries of the list, with what is fetched in ``folder``. A dead entry is named with its
    reason. Raises ResultsError for a list that cannot be used."""
    entries = _entries(listed)
    addresses = [entry for entry in entries if fetch.is_address(entry)]
    answers = dict(zip(addresses, fetch.fetched(addresses, seconds), strict=True))
    made = Collected([], [])
    for number, entry in enumerate(entries):
        try:
            place = listed.parent / entry
            answer = answers.get(entry)
            if isinstance(answer, Unreachable):
                raise answer
            if is_file := answer is not None or place.is_file():
                content = _content(place) if answer is None else answer
                place = folder / f"{number}"
                place.write_bytes(content)
            elif not place.is_dir():
                raise Unreachable(f"there is no such file or folder{meant.path_hint(place)}")
            made.sources.append(Source(place, entry, entry, as_it_came=is_file))
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
        raise ResultsError(f"{listed} names nothing; an address or a path is to stand in each line")
    if len(entries) > MOST_ENTRIES:
        raise ResultsError(f"{listed} has {len(entries):,} entries; the most are {MOST_ENTRIES:,}")
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
