"""The command line: one file for each command; errors become one line and an exit code."""

import io
import sys
import traceback
from importlib import import_module
from typing import NoReturn

import click

from dramaturg.cli import show
from dramaturg.conformance.cases import CaseError
from dramaturg.conformance.perform import outcome_of
from dramaturg.control import interrupts
from dramaturg.control.errors import ControlError, ManifestError
from dramaturg.model.facts import ImpossibleConfiguration
from dramaturg.outcomes import INTERRUPTED, USAGE_ERROR, Outcome
from dramaturg.requirements import RequirementsError
from dramaturg.results import RecordsLost, ResultsError
from dramaturg.trace.events import TraceError
from dramaturg.visible import quoted

_BAD_INPUT = (
    ManifestError, ImpossibleConfiguration, CaseError, ResultsError, TraceError, RequirementsError,
)  # fmt: skip


COMMANDS = (
    "doctor",
    "certify",
    "sign",
    "verify",
    "bench",
    "report",
    "golden",
    "expect",
    "replay",
    "mutants",
    "requirements",
    "table",
)
"""Each is the function of that name in the module of that name."""


class _Commands(click.Group):
    """Imports a command when it is asked for: `expect` need not wait for pytest."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"dramaturg.cli.{name}"), name)
        return command


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="dramaturg")
def cli() -> None:
    """Hold implementations of actor benchmarks to their specification, then time them.

    \b
    Example:
      dramaturg doctor
      dramaturg certify reference erlang
      dramaturg bench small
    """


def _fail(message: str, status: int) -> NoReturn:
    show.notices().print(f"dramaturg: {quoted(message)}")
    sys.exit(status)


def main() -> None:
    """Run the command line; exit codes are those of spec/levels.md."""
    interrupts.install()
    try:
        sys.exit(cli.main(standalone_mode=False) or 0)
    except click.exceptions.Exit as error:
        sys.exit(error.exit_code)
    except click.ClickException as error:
        said = io.StringIO()
        error.show(file=said)
        show.notices().print(said.getvalue(), end="")
        sys.exit(USAGE_ERROR)
    except (KeyboardInterrupt, click.Abort):
        _fail("interrupted; everything that was started is ended", INTERRUPTED)
    except _BAD_INPUT as error:
        _fail(str(error), USAGE_ERROR)
    except ControlError as error:
        _fail(error.in_full, outcome_of(error).exit_code)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except RecordsLost as error:
        _fail(str(error), Outcome.HARNESS_FAULT.exit_code)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        _fail(f"{where}{error.strerror or error}", Outcome.HARNESS_FAULT.exit_code)
    except Exception:
        # Python would exit with 1, which is what an implementation that fails gets.
        show.notices().print(traceback.format_exc())
        _fail("this is a fault of the harness", Outcome.HARNESS_FAULT.exit_code)


if __name__ == "__main__":
    main()
