"""Makes the summary of a results folder, and the files that show it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dramaturg import files, meant, results
from dramaturg.certificates.trust import Trusted
from dramaturg.report import (
    build_reviews,
    cautions,
    comparison,
    curves,
    html,
    junit,
    pictures,
    timing_summary,
    verdicts,
)
from dramaturg.report.summary import RecordsFile, State, Summary
from dramaturg.results import Recorded, ResultsError

SUMMARY, JUNIT, HTML = "summary.json", "junit.xml", "report.html"


def summarise(folder: Path, trusted: Sequence[Trusted] = ()) -> Summary:
    """The summary of one results folder. Raises ResultsError if it is none."""
    return _summarise(folder, *_records(folder), trusted)


def write_all(
    folder: Path,
    output: Path | None = None,
    trusted: Sequence[Trusted] = (),
    requirements_at: str = "",
) -> Summary:
    """Write ``summary.json``, ``junit.xml`` and ``report.html``, and return what they say.

    They go into ``output``, or beside the records. ``trusted`` has the signers that the reader
    knows, ``requirements_at`` the place of the requirements' pages. Raises ResultsError if the
    folder holds no results or they cannot be read.
    """
    conformance, timed = _records(folder)
    summary = _summarise(folder, conformance, timed, trusted)
    target = output or folder
    target.mkdir(parents=True, exist_ok=True)
    files.write_text(target / SUMMARY, summary.to_json())
    cases = conformance.cases if conformance else []
    files.write_text(target / JUNIT, junit.document(summary, cases))
    files.write_text(target / HTML, html.document(summary, requirements_at))
    return summary


def write_pictures(folder: Path, target: Path) -> list[Path]:
    """Write the drawings of the report as SVG files, and return which. Raises ResultsError."""
    target.mkdir(parents=True, exist_ok=True)
    drawn = {target / name: text for name, text in pictures.pictures(summarise(folder)).items()}
    for file, text in drawn.items():
        files.write_text(file, text)
    return list(drawn)


def _records(folder: Path) -> tuple[Recorded | None, Recorded | None]:
    names = (results.CONFORMANCE, results.TIMINGS)
    if not any((folder / name).is_file() for name in (*names, results.ENVIRONMENT)):
        reason = (
            "holds no results" if folder.is_dir() else f"no such folder{meant.path_hint(folder)}"
        )
        raise ResultsError(f"{folder}: {reason} (neither {names[0]} nor {names[1]})")
    conformance, timed = (
        results.read(folder / name) if (folder / name).is_file() else None for name in names
    )
    return conformance, timed


def _summarise(
    folder: Path,
    conformance: Recorded | None,
    timed: Recorded | None,
    trusted: Sequence[Trusted],
) -> Summary:
    there = [recorded for recorded in (conformance, timed) if recorded is not None]
    complete = bool(there) and all(recorded.complete for recorded in there)
    figured = comparison.figured(folder, timed) if timed else None
    groups = timing_summary.groups(figured) if figured else []
    reviewed, unread = build_reviews.found(folder, there, trusted)
    captured, unreadable = _environment(folder / results.ENVIRONMENT)
    return Summary(
        results=folder.resolve().name,
        state=State.COMPLETE if complete else State.INTERRUPTED,
        method=timing_summary.METHOD,
        conformance=_file(conformance),
        timings=_file(timed),
        implementations=verdicts.implementations(conformance, timed),
        findings=verdicts.findings(conformance.cases if conformance else []),
        comparison=comparison.compared(folder, timed) if timed else None,
        groups=groups,
        curves=curves.curves(figured) if figured else [],
        units=timing_summary.findings(timed.units if timed else []),
        reviews=reviewed,
        environment=captured,
        warnings=[*unreadable, *unread, *cautions.cautions(groups, captured)],
    )


def _file(recorded: Recorded | None) -> RecordsFile:
    if recorded is None:
        return RecordsFile(state=State.ABSENT)
    return RecordsFile(
        state=State.COMPLETE if recorded.complete else State.INTERRUPTED,
        records=len(recorded.cases) + len(recorded.samples) + len(recorded.units),
        header=recorded.header,
    )


def _environment(file: Path) -> tuple[dict[str, Any] | None, list[str]]:
    """The captured environment; or why it cannot be read, which is no reason to show nothing."""
    if not file.is_file():
        return None, []
    try:
        captured = files.json_value(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        return None, [f"{file.name} cannot be read: {error}"]
    if not isinstance(captured, dict):
        return None, [f"{file.name} cannot be read: it holds no object"]
    return captured, []
