"""Results that others have handed over, condensed in a process with limits."""

from pathlib import Path
from typing import Any

from dramaturg.claims.catalogue import ClaimsError
from dramaturg.claims.condensed import ClaimsAt, condensed
from dramaturg.claims.runs import Run
from dramaturg.processes import confined
from dramaturg.processes.confined import Limits

_READER = f"{__name__}:read"


def opened(folder: Path, claims_at: ClaimsAt) -> Run:
    """As :func:`condensed`. Raises ResultsError as well for what takes more than it may."""
    told = confined.read(_READER, folder, {"folder": str(folder)}, Limits.of(folder))
    if "refused" in told:
        raise ClaimsError(told["refused"])
    run = Run.model_validate(told["run"])
    known = claims_at(run.revision) if run.revision else None
    if known is None:
        return run
    return run.model_copy(update={"written": sorted(known[1]), "claims": known[0]})


def read(given: dict[str, Any]) -> dict[str, Any]:
    """In the process with limits: the run, but for what the clone knows of its revision."""
    try:
        run = condensed(Path(given["folder"]), lambda revision: None)
    except ClaimsError as error:
        return {"refused": str(error)}
    return {"run": run.model_dump(mode="json")}
