"""A site's folder: rendered whole, then written, and told from everybody else's.

``site.json`` is the site as data, and names the files that it is of. Whatever else lies in the
folder (``.git``, ``CNAME``) is nobody's concern, and stays.
"""

import contextlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from dramaturg import files
from dramaturg.levels import SPEC
from dramaturg.results import ResultsError
from dramaturg.site import badges
from dramaturg.site.league import Implementation, League, gather
from dramaturg.site.pages import address_of, all_pages, handed_pages
from dramaturg.site.supplied_data import Certificate, Found, Run, Unread

SITE = "site.json"
VERSION = 1
"""The version of ``site.json``."""

_BELOW = (
    "implementations", "badges", "certificates", "results", "benchmarks", "specification",
    "requirements",
)  # fmt: skip

_OURS = re.compile(rf"(?:(?:{'|'.join(_BELOW)})/)?[A-Za-z0-9_-]+\.(?:html|css|svg|json)")
"""The names of a site's files: no other file is ever deleted."""

_MAX = 4 * 1024 * 1024
"""Bytes of a ``site.json`` that is believed."""


def claim(folder: Path) -> list[str]:
    """The files of the site that is in ``folder``; none if it is empty or not there. Raises
    ResultsError if anything else is."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return []
    if not folder.is_dir():
        raise ResultsError(f"{folder} is no folder; give another --output")
    # A folder that came from elsewhere: what is written and deleted there is to be there.
    for name in _BELOW:
        if (folder / name).is_symlink():
            raise ResultsError(
                f"{folder / name} is a link, and pages are written there; take it away, or give"
                " another --output"
            )
    try:
        with files.come_upon(folder / SITE) as stream:
            text = stream.read(_MAX + 1)
        said = json.loads(text) if len(text) <= _MAX else {}
        listed = said["files"] if said["dramaturg site"] == VERSION else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        listed = None
    if not isinstance(listed, list):
        raise ResultsError(
            f"{folder} is not empty, and no site that `dramaturg site` has made: nothing was"
            " written there; give another --output, or an empty folder"
        )
    return [name for name in listed if isinstance(name, str) and _OURS.fullmatch(name)]


@dataclass(frozen=True, slots=True)
class Rendered:
    """A site that needs only be written."""

    league: League
    pages: dict[str, str | bytes]
    said: dict[str, Any]
    """The site as data, but for its files."""


def rendered(found: Found) -> Rendered:
    """All of it, or an exception that is our fault. An entry that cannot be shown is taken out of
    ``found`` and named there as not read: a contributor's fault stays theirs."""
    with contextlib.suppress(Exception):
        return _rendered(found)
    keep_what_can_be_shown(found)
    with contextlib.suppress(Exception):
        return _rendered(found)
    # It takes several to make it fail: whoever comes last of them.
    kept = Found()
    handed: list[Certificate | Run] = [*found.certificates, *found.runs]
    for each in handed:
        problem = _problem_of(_with(kept, each))
        if problem:
            _take_out(found, each, problem)
        else:
            kept = _with(kept, each)
    return _rendered(found)


def keep_what_can_be_shown(found: Found) -> None:
    """Take out, and name as not read, what cannot be shown even by itself."""
    handed: list[Certificate | Run] = [*found.certificates, *found.runs]
    for each in handed:
        problem = _problem_of(_with(Found(), each))
        if problem:
            _take_out(found, each, problem)


def _rendered(found: Found, whole: bool = True) -> Rendered:
    league = gather(Found([*found.certificates], [*found.runs], found.unread))
    pages: dict[str, str | bytes] = {}
    for name, content in all_pages(league) if whole else handed_pages(league):
        if name in pages:
            raise ResultsError(f"{name}: two pages of the site have this address")
        pages[name] = content
    return Rendered(league, pages, data(league))


def _problem_of(found: Found) -> str:
    """Return the reason why these cannot be shown; empty if they can."""
    try:
        _rendered(found, whole=False)
    except MemoryError:
        raise  # Whoever set a limit says so.
    except Exception as error:  # Whatever it is, it is in what was handed over.
        return files.brief(f"{type(error).__name__}: {error}")
    return ""


def _with(found: Found, handed: Certificate | Run) -> Found:
    if isinstance(handed, Certificate):
        return Found([*found.certificates, handed], [*found.runs])
    return Found([*found.certificates], [*found.runs, handed])


def _take_out(found: Found, handed: Certificate | Run, problem: str) -> None:
    found.unread.append(Unread(handed.name, f"cannot be shown: {problem}"))
    found.certificates[:] = [each for each in found.certificates if each is not handed]
    found.runs[:] = [each for each in found.runs if each is not handed]


def write(site: Rendered, folder: Path) -> dict[str, Any]:
    """Write the site into ``folder``, in the place of the one that is there, and return it as
    data. Raises ResultsError for a folder that is somebody else's."""
    earlier = claim(folder)
    folder.mkdir(parents=True, exist_ok=True)
    # Whoever is cut short here is told from a stranger's folder afterwards.
    _say(folder, {"dramaturg site": VERSION, "files": earlier})
    made: list[str] = []
    for name, content in site.pages.items():
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        if isinstance(content, bytes):
            files.write_bytes(file, content)
        else:
            files.write_text(file, content)
        made.append(name)
    for name in sorted(set(earlier) - {*made, SITE}):
        (folder / name).unlink(missing_ok=True)
    said = site.said | {"files": sorted(made)}
    _say(folder, said)
    return said


def _say(folder: Path, said: dict[str, Any]) -> None:
    files.write_text(folder / SITE, json.dumps(said, indent=2) + "\n")


def data(league: League) -> dict[str, Any]:
    """The site for other programs."""
    return {
        "dramaturg site": VERSION,
        "harness": metadata.version("dramaturg"),
        "specification": SPEC,
        "implementations": [_implementation(one) for one in league.implementations],
        "results": [
            {"name": run.name, "page": f"results/{address_of(run)}.html"}
            for run in league.found.runs
        ],
        "unread": [{"name": each.name, "why": each.why} for each in league.found.unread],
    }


def _implementation(one: Implementation) -> dict[str, Any]:
    return {
        "name": one.name,
        "page": f"implementations/{one.slug}.html",
        "badge": f"badges/{one.slug}.json",
        "standing": str(one.standing),
        "says": badges.message(one),
        "repository": one.repository,
        "signer": one.signer,
        "certificates": list(_certificates(one)),
        "results": [f"results/{address_of(each.run)}.html" for each in one.records],
    }


def _certificates(one: Implementation) -> Iterable[dict[str, Any]]:
    for judged in one.certificates:
        certificate, again = judged.entry.certificate, judged.entry.again
        yield {
            "page": f"certificates/{address_of(certificate)}.html",
            "build": judged.entry.claim.build,
            "when": certificate.when,
            "harness": certificate.statement.predicate.harness.model_dump(),
            "standing": str(judged.standing),
            "problems": judged.problems,
            "other_cases": len(judged.other_cases),
            "benchmarks": judged.benchmarks,
            "signature": certificate.signature,
            "again": again.model_dump(mode="json") if again else None,
        }
