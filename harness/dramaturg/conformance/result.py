"""The end of a case, and the outcome that each exception stands for."""

from dataclasses import dataclass
from pathlib import Path

from dramaturg import requirements
from dramaturg.conformance.world import Failed, NotExercised
from dramaturg.errors import (
    BuildFailed,
    CallFailed,
    Changed,
    ControlError,
    Crashed,
    Gone,
    HarnessFault,
    Late,
    ManifestError,
    Starved,
    Strayed,
    ToolchainMissing,
    Unstartable,
    Unwritable,
)
from dramaturg.net.unavailable import NetworkUnavailable
from dramaturg.outcomes import Outcome
from dramaturg.trace.events import TraceError
from dramaturg.trace.explanation.departure import Explanation


@dataclass
class Result:
    """The end of a case."""

    outcome: Outcome
    message: str = ""
    divergence: Explanation | None = None
    breaks: tuple[str, ...] | None = ()
    """The requirements that are known to be broken, where there is no divergence. None if the
    case has nothing to do with it: an implementation that is not built has not come to any."""
    stderr: str = ""
    """The last lines that the implementation wrote to standard error, if it crashed."""
    run: Path | None = None
    """The recorded run, kept when something was wrong with it."""
    known: str = ""
    """The reason why this failure is a known one; set by code that knows the manifest."""
    stale: bool = False
    """True if the manifest expects it to fail, and it passed (LEVEL-13)."""
    events: int = 0
    seconds: float = 0.0


_OUTCOMES: list[tuple[type[Exception], Outcome]] = [
    (Starved, Outcome.NOT_RUN),
    (Late, Outcome.TIMEOUT),
    (Crashed, Outcome.CRASH),
    (Unstartable, Outcome.NOT_RUN),
    (CallFailed, Outcome.FAIL),
    (Strayed, Outcome.FAIL),
    (Gone, Outcome.NOT_RUN),
    (ToolchainMissing, Outcome.TOOLCHAIN_MISSING),
    (BuildFailed, Outcome.FAIL),
    (Changed, Outcome.NOT_RUN),
    (Unwritable, Outcome.NOT_RUN),
    (ManifestError, Outcome.HARNESS_FAULT),
    (NetworkUnavailable, Outcome.NOT_RUN),
    (HarnessFault, Outcome.HARNESS_FAULT),
    (TraceError, Outcome.FAIL),
    (Failed, Outcome.FAIL),
    (NotExercised, Outcome.NOT_RUN),
]


def outcome_of(error: Exception) -> Outcome:
    """The outcome that an exception stands for; an exception that is not listed is the harness's
    fault."""
    for kind, outcome in _OUTCOMES:
        if isinstance(error, kind):
            return outcome
    return Outcome.HARNESS_FAULT


def result_of(error: Exception) -> Result:
    """Return the result of a case that ended with this error."""
    notes = getattr(error, "__notes__", ())
    result = Result(outcome_of(error), "; ".join([str(error), *notes]))
    if isinstance(error, BuildFailed):
        result.breaks = None
    elif isinstance(error, ControlError):
        result.stderr = error.said
        result.breaks = (error.breaks,) if error.breaks else ()
    elif isinstance(error, (TraceError, Failed)):
        # These speak in the harness's own words; a status repeats the implementation's.
        result.breaks = tuple(requirements.named_in(str(error)))
    elif result.outcome is Outcome.HARNESS_FAULT:
        result.message = f"{type(error).__name__}: {error}"
    if isinstance(error, Failed):
        result.divergence = error.divergence
    return result
