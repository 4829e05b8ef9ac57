"""A recorded run whose parts are played wherever there is room: laid out, played, and joined, each
in a process with limits (``processes/confined.py``)."""

import dataclasses
import secrets
import shutil
import tempfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, cast

import numpy as np

from dramaturg.errors import HarnessFault
from dramaturg.judging import whole
from dramaturg.judging.worker import ready, workload_given
from dramaturg.model import names
from dramaturg.processes import confined, fence
from dramaturg.processes.confined import Exceeded
from dramaturg.results import ResultsError
from dramaturg.trace.codec import MOST_EVENTS, LogBuilder
from dramaturg.trace.columns.column_logs import ColumnLogs
from dramaturg.trace.columns.laying_down import sorted_in
from dramaturg.trace.columns.store import Damaged, opened
from dramaturg.trace.events import TraceError, spell_event
from dramaturg.trace.partial import rerun
from dramaturg.trace.replay.steps import divided
from dramaturg.trace.replay.steps.actor_replay import Refused, Undecided
from dramaturg.trace.replay.steps.departure_places import log_of

__all__ = ["FUNCTION", "JOIN", "LAY_OUT", "content_of", "joined", "kept", "laid_out", "performed",
           "played", "ready"]  # fmt: skip

FUNCTION = f"{__name__}:performed"
"""The function that a host is given to perform."""

LAY_OUT, JOIN = f"{__name__}:laid_out", f"{__name__}:joined"

_WHOLE = "whole"


def laid_out(given: dict[str, Any]) -> dict[str, Any]:
    """Writes the columns of the run in ``file`` to ``folder``, as a whole and in up to ``parts``
    parts. There are none of a run that is not worth it: one of no more events than ``above``, one
    that was watched in part, and one of which somebody has to play everything. Raises ResultsError
    and OSError."""
    folder, above = Path(given["folder"]), int(given["above"])
    try:
        run, workload = rerun.opened(Path(given["file"]))
        events = sum(len(batch.actor) for batch in run.batches)
        if run.watches or not above < events <= MOST_EVENTS:
            return {"parts": []}
        builder = LogBuilder(laid_down=True, in_memory=0)
        for batch in run.batches:
            builder.add(batch)
        logs = cast("ColumnLogs", builder.logs)
        sorted_in(logs)
    except (TraceError, HarnessFault) as error:
        raise ResultsError(str(error)) from None
    log = logs.sorted
    parts = divided.parts_of(log, max(1, min(int(given["parts"]), 2 * events // max(1, above))))
    many = int(parts.max()) + 1
    if many < 2:
        return {"parts": []}
    for file in log.folder.glob("come.*"):
        file.unlink()  # They are sorted: nobody asks how they came.
    rows = divided.divide(log, parts, [folder / _part(number) for number in range(many)])
    shutil.move(log.folder, folder / _WHOLE)
    return {
        "implementation": run.implementation,
        "case": run.case,
        "events": events,
        "actors": len(log.names),
        "benchmark": confined.packed(run.benchmark.SerializeToString()),
        "script": workload.script,
        "parts": rows,
    }


def _part(number: int) -> str:
    return f"part-{number}"


def content_of(folder: Path, number: int) -> dict[str, str]:
    """A part that was laid out, for a host that does not see it. Raises OSError."""
    return _packed(folder / _part(number), divided.part_files())


def performed(given: dict[str, Any], tell: Callable[[Any], None]) -> dict[str, Any]:
    """On a host: plays a part. Its files are moved to a folder that the asker sees, under a name of
    their own since a part may be played twice, or they come back. Raises HarnessFault."""
    shares, content, home = given.pop("shares"), given.pop("content"), Path(given["folder"])
    number = int(given["part"])
    try:
        with tempfile.TemporaryDirectory(prefix="dramaturg-part-") as temporary:
            fence.guard(Path(temporary))
            part, left = Path(temporary) / "part", Path(temporary) / "played"
            left.mkdir()
            if shares:
                part = home / _part(number)
            else:
                _unpack(content, part, divided.part_files())
            limits = whole.limits_of(int(given["events"]), int(given["actors"]))
            asked = given | {"part": str(part), "folder": str(left)}
            said: dict[str, Any]
            try:
                said = confined.read(f"{__name__}:played", "a part of a log", asked, limits)
            except Exceeded as error:
                return {"conforms": None, "why": str(error)}
            if said["conforms"] is not True:
                return said
            if shares:
                place = home / f"played-{number}-{secrets.token_hex(8)}"
                shutil.move(left, place)
                return said | {"place": place.name, "content": {}}
            return said | {"place": "", "content": _packed(left, divided.played_files())}
    except ResultsError as error:
        raise HarnessFault(f"a part of a log cannot be decided: {error}") from None
    except OSError as error:
        # The error of writing to an open file does not name the file.
        where = error.filename or tempfile.gettempdir()
        raise HarnessFault(
            f"a part of a log cannot be decided: {where}: {error.strerror}"
        ) from None


def kept(folder: Path, number: int, answer: dict[str, Any]) -> Path:
    """Return the folder with the files of a part that was played, also if they had to come back.
    Raises OSError and ResultsError."""
    if answer["place"]:
        return folder / Path(answer["place"]).name
    place = folder / f"played-{number}"
    _unpack(answer["content"], place, divided.played_files())
    return place


def played(given: dict[str, Any]) -> dict[str, Any]:
    """The first two steps of the columns in ``part``; files go to ``folder``. Raises ResultsError
    and OSError."""
    key = np.array(given["key"], np.uint64)
    try:
        done = divided.play(
            workload_given(given), Path(given["part"]), key, given["events"], Path(given["folder"])
        )
    except Damaged as error:
        raise ResultsError(str(error)) from None
    except Refused as refusal:
        return {"conforms": False, "why": str(refusal)}
    except Undecided as reason:
        return {"conforms": None, "why": str(reason)}
    return {"conforms": True, "why": "", "played": dataclasses.asdict(done)}


def joined(given: dict[str, Any]) -> dict[str, Any]:
    """The decision of all parts of the log in ``folder``; ``played`` has what came of each, and
    where its files are. Raises ResultsError and OSError."""
    key = np.array(given["key"], np.uint64)
    try:
        log = opened(Path(given["folder"]) / _WHOLE)
        parts = [(divided.of_values(values), Path(place)) for values, place in given["played"]]
        decision = divided.join(workload_given(given), log, key, parts)
    except Damaged as error:
        raise ResultsError(str(error)) from None
    events = None
    if given["actor"]:
        actor = names.parse(given["actor"])
        number = log.numbering.find(actor)
        found = log_of(log, number) if number >= 0 else []
        events = [spell_event(actor, each) for each in found]
    return {"conforms": decision.conforms, "why": decision.why, "log": events}


def _packed(folder: Path, files: Iterable[str]) -> dict[str, str]:
    # Numbers of actors and kinds have few bytes that are not zero.
    return {name: confined.packed(zlib.compress((folder / name).read_bytes(), 1)) for name in files}


def _unpack(content: dict[str, str], folder: Path, files: Iterable[str]) -> None:
    folder.mkdir()
    for name in files:
        try:
            found = zlib.decompress(confined.unpacked(content[name]))
        except (KeyError, ValueError, zlib.error) as error:
            raise ResultsError(f"{name} of a part did not come as it was sent") from error
        (folder / name).write_bytes(found)
