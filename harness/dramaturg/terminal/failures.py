"""The meaning of an error for the person who typed the command: one line, and an exit code."""

import errno
import traceback
from pathlib import Path

from dramaturg import meant
from dramaturg.cases.cases import CaseError
from dramaturg.conformance.result import outcome_of
from dramaturg.errors import ClusterError, ControlError, ManifestError, Unreachable
from dramaturg.model.facts import ImpossibleConfiguration
from dramaturg.outcomes import USAGE_ERROR, Outcome
from dramaturg.requirements import RequirementsError
from dramaturg.results import RecordsLost, ResultsError
from dramaturg.template.making import TemplateError
from dramaturg.terminal import show
from dramaturg.timing.planning.suites import SuiteError
from dramaturg.trace.events import TraceError

_BAD_INPUT = (
    ManifestError, ImpossibleConfiguration, CaseError, ResultsError, TraceError, RequirementsError,
    Unreachable,
    TemplateError, SuiteError, ClusterError,
)  # fmt: skip


_NO_NAME = (errno.ENAMETOOLONG, errno.ELOOP)
"""Errors that only a name can cause that somebody has typed or written."""


def told(error: Exception) -> tuple[str, int]:
    """The message for an error, and the exit code of spec/levels.md. Prints the traceback of an
    unforeseen error."""
    match error:
        case _ if isinstance(error, _BAD_INPUT):
            return str(error), USAGE_ERROR
        case ControlError():
            return error.in_full, outcome_of(error).exit_code
        case RecordsLost():
            return str(error), Outcome.HARNESS_FAULT.exit_code
        case FileNotFoundError(filename=None) if _stands_nowhere():
            return "the folder in which this was typed is no longer there", USAGE_ERROR
        case OSError():
            where = f"{error.filename}: " if error.filename else ""
            near = ""
            if isinstance(error, FileNotFoundError) and isinstance(error.filename, str | Path):
                near = meant.path_hint(Path(error.filename))
            status = USAGE_ERROR if error.errno in _NO_NAME else Outcome.HARNESS_FAULT.exit_code
            return f"{where}{error.strerror or error}{near}", status
        case RuntimeError() if str(error).startswith("Symlink loop"):  # By Python before 3.13.
            return (
                f"{str(error).partition(' from ')[2]} is a link that leads to itself",
                USAGE_ERROR,
            )
        case _:
            # Python would exit with 1, which is what an implementation that fails gets.
            show.notices().print("".join(traceback.format_exception(error)))
            return "this is a fault of the harness", Outcome.HARNESS_FAULT.exit_code


def _stands_nowhere() -> bool:
    try:
        Path.cwd()
    except FileNotFoundError:
        return True
    return False
