"""Results folders that others have handed over, made into a history, in a process with limits."""

from pathlib import Path
from typing import Any

from dramaturg.history import document, points
from dramaturg.results import ResultsError


def read(given: dict[str, Any]) -> dict[str, Any]:
    """A History, as plain values. Raises ResultsError where a folder cannot be read, or none
    has a baseline."""
    folders, names = map(Path, given["folders"]), given["names"]
    sessions = [points.opened(folder, names) for folder in folders]
    for name in names:
        if not any(side.label == name for session in sessions for side in session.pinned):
            raise ResultsError(
                f"--baseline {name}: no session has timed an implementation of that name"
            )
    if not any(session.pinned for session in sessions):
        raise ResultsError(
            f"none of {len(sessions)} sessions has a baseline"
            f" (the first is {sessions[0].folder}):"
            " time one beside the others with `dramaturg bench --baseline NAME@REVISION`, or take"
            " an implementation that was in all of them with `dramaturg history --baseline NAME`"
        )
    return document.made(sessions).model_dump(mode="json")
