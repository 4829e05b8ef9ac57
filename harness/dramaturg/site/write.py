"""A site's folder: written whole, and told from everybody else's.

``site.json`` is the site as data, and names the files that it is of. Whatever else lies in the
folder (``.git``, ``CNAME``) is nobody's concern, and stays.
"""

import json
import re
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import Any

from dramaturg import files
from dramaturg.levels import SPEC
from dramaturg.results import ResultsError
from dramaturg.site import badges
from dramaturg.site.league import Implementation, League
from dramaturg.site.pages import address_of, all_pages

SITE = "site.json"
VERSION = 1
"""Of ``site.json``."""

_OURS = re.compile(
    r"(?:(?:implementations|badges|certificates|results|benchmarks|specification|requirements)/)?"
    r"[A-Za-z0-9_-]+\.(?:html|css|svg|json)"
)
"""What files of a site are called: nothing else is ever deleted."""

_MAX = 4 * 1024 * 1024
"""Bytes of a ``site.json`` that is believed."""


def claim(folder: Path) -> list[str]:
    """The files of the site that is in ``folder``; none if it is empty or not there. Raises
    ResultsError if anything else is."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return []
    if not folder.is_dir():
        raise ResultsError(f"{folder}: is no folder; give another --output")
    file = folder / SITE
    try:
        said = json.loads(file.read_bytes()) if file.stat().st_size <= _MAX else {}
        listed = said["files"] if said["dramaturg site"] == VERSION else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        listed = None
    if not isinstance(listed, list):
        raise ResultsError(
            f"{folder}: is not empty, and no site that `dramaturg site` has made: nothing was"
            " written there; give another --output, or an empty folder"
        )
    return [name for name in listed if isinstance(name, str) and _OURS.fullmatch(name)]


def write(league: League, folder: Path) -> dict[str, Any]:
    """Write the site into ``folder``, in the place of the one that is there, and return it as
    data. Raises ResultsError for a folder that is somebody else's."""
    earlier = claim(folder)
    folder.mkdir(parents=True, exist_ok=True)
    # Whoever is cut short here is told from a stranger's folder afterwards.
    _say(folder, {"dramaturg site": VERSION, "files": earlier})
    made: list[str] = []
    for name, content in all_pages(league):
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        if isinstance(content, bytes):
            files.write_bytes(file, content)
        else:
            files.write_text(file, content)
        made.append(name)
    for name in sorted(set(earlier) - {*made, SITE}):
        (folder / name).unlink(missing_ok=True)
    said = data(league) | {"files": sorted(made)}
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
