"""The command line: one file for each command; errors become one line and an exit code.

What a command needs is imported when it is asked for: `--help` waits for nothing.
"""

import io
import sys
from importlib import import_module
from typing import NoReturn

import click
import click.shell_completion

from dramaturg import paths
from dramaturg.outcomes import INTERRUPTED, USAGE_ERROR
from dramaturg.processes import interrupts

COMMANDS = {
    "new": "Make a repository for an implementation, with everything in it but the actors.",
    "update": "Say what of a repository's plumbing has changed since `dramaturg new` made it.",
    "doctor": "Say which toolchains and which network emulation this machine has.",
    "certify": "Hold implementations to the specification, case by case.",
    "review": "Review one build: what no run can show, by the questions of spec/review.md.",
    "sign": "Sign a certificate, or a review.",
    "verify": "Check a certificate's signature, compare what it names, run its cases again.",
    "bench": "Time suites or benchmarks on certified implementations.",
    "warmup": "Measure once how long each benchmark takes to warm up on each implementation.",
    "compare": "Time two builds in pairs, and say of each benchmark whether B is slower than A.",
    "history": "Draw each benchmark over commits, and find where it changed.",
    "report": "Write summary.json, junit.xml and report.html for the results in FOLDER.",
    "claims": "Verdicts on what studies claimed: from results folders or the recorded runs.",
    "site": "Make a site of results folders and certificates, and of the specification.",
    "golden": "Regenerate the golden traces of all serial cases from the executable model.",
    "expect": "Print the facts that do not depend on the schedule.",
    "replay": "Replay a recorded run and report its first divergence.",
    "mutants": "Hold mutants and equivalents to the specification.",
    "requirements": "Bring every MUST of the specification together with its cases and mutants.",
    "spec": "Say where the chapters of the specification are, or copy them.",
    "proto": "Say where the protocol's files are, or copy them.",
    "completion": "Print the completion for a shell: commands, options, implementations, suites.",
    "table": "Classes, kinds, labels, arguments, choices and ranges as a source file.",
}
"""Each is the function of that name in the module of that name, with what its help begins with."""

COMPLETE = "_DRAMATURG_COMPLETE"
"""The variable by which a shell asks what could come next, however this was started."""

OF_THE_CLONE = ("golden", "mutants", "requirements")
"""For who works on the specification itself: they read and write what no package has in it."""


class _Commands(click.Group):
    """Imports a command when it is asked for: `expect` need not wait for pytest, and `--help`
    for nobody."""

    def list_commands(self, context: click.Context) -> list[str]:
        return [name for name in COMMANDS if paths.IN_CLONE or name not in OF_THE_CLONE]

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        if name not in self.list_commands(context):
            raise click.UsageError(
                f"{name} is for work on the specification itself: it takes a clone of the"
                " repository, and is not in the package"
            )
        command: click.Command = getattr(import_module(f"dramaturg.cli.{name}"), name)
        return command

    def shell_complete(
        self, context: click.Context, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        """Of names: nothing is imported at a Tab but the command that is typed already."""
        if incomplete.startswith("-"):
            return super().shell_complete(context, incomplete)
        return [
            click.shell_completion.CompletionItem(name, help=COMMANDS[name])
            for name in self.list_commands(context)
            if name.startswith(incomplete)
        ]

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name]) for name in self.list_commands(context)])


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
      dramaturg bench smoke
    """


def _fail(message: str, status: int) -> NoReturn:
    from dramaturg.visible import quoted

    _say(f"dramaturg: {quoted(message)}\n")
    sys.exit(status)


def _say(text: str) -> None:
    from dramaturg.cli import show

    show.notices().print(text, end="")


def main() -> None:
    """Run the command line; exit codes are those of spec/levels.md."""
    interrupts.install()
    try:
        sys.exit(cli.main(standalone_mode=False, complete_var=COMPLETE) or 0)
    except click.exceptions.Exit as error:
        sys.exit(error.exit_code)
    except click.ClickException as error:
        said = io.StringIO()
        error.show(file=said)
        _say(said.getvalue())
        sys.exit(USAGE_ERROR)
    except (KeyboardInterrupt, click.Abort):
        _fail("interrupted; everything that was started is ended", INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except Exception as error:
        from dramaturg.cli import failures

        _fail(*failures.told(error))
    finally:
        interrupts.over()


if __name__ == "__main__":
    main()
