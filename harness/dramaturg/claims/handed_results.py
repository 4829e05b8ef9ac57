"""Results that others have handed over, condensed, in a process with limits."""

from pathlib import Path
from typing import Any

from dramaturg.claims.catalogue import ClaimsError
from dramaturg.claims.condensed import ClaimsAt, condensed
from dramaturg.claims.runs import Run


def opened(told: dict[str, Any], claims_at: ClaimsAt) -> Run:
    """The run in an answer of :func:`read`, with what the clone knows of its revision. Raises
    ClaimsError."""
    if "refused" in told:
        raise ClaimsError(told["refused"])
    run = Run.model_validate(told["run"])
    known = claims_at(run.revision) if run.revision else None
    if known is None:
        return run
    return run.model_copy(update={"written": sorted(known[1]), "claims": known[0]})


def read(given: dict[str, Any]) -> dict[str, Any]:
    """The run, as plain values, but for what the clone knows of its revision; or why it is none."""
    try:
        run = condensed(Path(given["folder"]), lambda revision: None)
    except ClaimsError as error:
        return {"refused": str(error)}
    return {"run": run.model_dump(mode="json")}
