"""What an error means to whoever typed the command: one line, and an exit code."""

import traceback

from dramaturg.cases.cases import CaseError
from dramaturg.cli import show
from dramaturg.errors import ControlError, ManifestError, Unreachable
from dramaturg.model.facts import ImpossibleConfiguration
from dramaturg.outcomes import USAGE_ERROR, Outcome
from dramaturg.performance.result import outcome_of
from dramaturg.requirements import RequirementsError
from dramaturg.results import RecordsLost, ResultsError
from dramaturg.template.making import TemplateError
from dramaturg.timing.suites import SuiteError
from dramaturg.trace.events import TraceError

_BAD_INPUT = (
    ManifestError, ImpossibleConfiguration, CaseError, ResultsError, TraceError, RequirementsError,
    Unreachable,
    TemplateError, SuiteError,
)  # fmt: skip


def told(error: Exception) -> tuple[str, int]:
    """What is said of it, and the exit code of spec/levels.md. The traceback of what nobody
    foresaw is printed."""
    match error:
        case _ if isinstance(error, _BAD_INPUT):
            return str(error), USAGE_ERROR
        case ControlError():
            return error.in_full, outcome_of(error).exit_code
        case RecordsLost():
            return str(error), Outcome.HARNESS_FAULT.exit_code
        case OSError():
            where = f"{error.filename}: " if error.filename else ""
            return f"{where}{error.strerror or error}", Outcome.HARNESS_FAULT.exit_code
        case _:
            # Python would exit with 1, which is what an implementation that fails gets.
            show.notices().print("".join(traceback.format_exception(error)))
            return "this is a fault of the harness", Outcome.HARNESS_FAULT.exit_code
