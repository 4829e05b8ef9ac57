"""Results folders that others have handed over, made into a history in a process with limits."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dramaturg.history import document, points
from dramaturg.history.document import History
from dramaturg.processes import confined
from dramaturg.processes.confined import Limits
from dramaturg.results import ResultsError

_READER = f"{__name__}:read"

_SEARCH = 1.0
"""Seconds of CPU time for each folder, besides what its length gives: changes are looked for among
all of them."""


def made(folders: Sequence[Path], names: Sequence[str]) -> History:
    """The history of these results. Raises ResultsError where a folder cannot be read, none has a
    pinned build, or it takes more than it may."""
    given = {"folders": [str(folder) for folder in folders], "names": list(names)}
    limits = Limits.of(*folders)
    limits = replace(limits, cpu=limits.cpu + _SEARCH * len(folders))
    more = f" and {len(folders) - 1} more" if len(folders) > 1 else ""
    return History.model_validate(confined.read(_READER, f"{folders[0]}{more}", given, limits))


def read(given: dict[str, Any]) -> dict[str, Any]:
    """In the process with limits: a :class:`History`."""
    folders, names = map(Path, given["folders"]), given["names"]
    sessions = [points.opened(folder, names) for folder in folders]
    for name in names:
        if not any(side.label == name for session in sessions for side in session.pinned):
            raise ResultsError(
                f"--baseline {name}: no session has timed an implementation of that name"
            )
    if not any(session.pinned for session in sessions):
        raise ResultsError(
            f"none of {len(sessions)} sessions has a pinned build"
            f" (the first is {sessions[0].folder}):"
            " time one beside the others with `dramaturg bench --baseline NAME@REVISION`, or take"
            " an implementation that was in all of them with `dramaturg history --baseline NAME`"
        )
    return document.made(sessions).model_dump(mode="json")
