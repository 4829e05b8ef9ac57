"""The command line: one file for each command; errors become one line and an exit code.

The imports of a command are made when it is asked for: `--help` waits for nothing.
"""

import contextlib
import io
import os
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import click
import click.shell_completion

from dramaturg import meant, paths
from dramaturg.outcomes import INTERRUPTED, USAGE_ERROR, Outcome
from dramaturg.processes import interrupts
from dramaturg.terminal import streams

COMMANDS = {
    "new": "Make a repository for an implementation, with everything in it but the actors.",
    "update": "Say which files of a repository have changed since `dramaturg new` made them.",
    "doctor": "Say which toolchains and which network emulation this machine has.",
    "certify": "Check implementations against the specification, case by case.",
    "review": "Answer the questions of spec/review.md on one build: no run can answer them.",
    "sign": "Sign a certificate or a review.",
    "verify": "Check a certificate's signature, compare what it names, and run its cases again.",
    "bench": "Time suites or benchmarks on certified implementations.",
    "warmup": "Measure once how long each benchmark takes to warm up on each implementation.",
    "compare": "Time two builds in pairs, and say of each benchmark whether B is slower than A.",
    "history": "Draw each benchmark over commits, and find where it changed.",
    "report": "Write summary.json, junit.xml and report.html for the results in FOLDER.",
    "claims": "Judge what studies claimed, from results folders or the recorded runs.",
    "site": "Make a site of results folders and certificates, and of the specification.",
    "golden": "Regenerate the golden traces of all serial cases from the executable model.",
    "facts": "Print the facts that do not depend on the schedule.",
    "replay": "Replay a recorded run and report its first divergence.",
    "trace": "Ask questions of a recorded run, in SQL.",
    "mutants": "Check mutants and equivalents against the specification.",
    "requirements": "List every MUST of the specification with its cases and mutants.",
    "spec": "Say where the chapters of the specification are, or copy them.",
    "proto": "Say where the protocol's files are, or copy them.",
    "completion": "Print the completion for a shell: commands, options, implementations, suites.",
    "table": "Print classes, kinds, labels, arguments, choices and ranges as a source file.",
}
"""Each is the function of that name in the module of that name, with what its help begins with."""

COMPLETE = "_DRAMATURG_COMPLETE"
"""The variable by which a shell asks what could come next, however this was started."""

OF_THE_CLONE = ("golden", "mutants", "requirements")
"""For who works on the specification itself: they read and write what no package has in it."""


class _Commands(click.Group):
    """Imports a command when it is asked for: `facts` need not wait for pytest, and `--help`
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

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Raises UsageError for a command that there is not, with what was meant."""
        known = self.list_commands(context)
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            raise click.UsageError(
                f"No such command {args[0]!r}{meant.hint(args[0], known) or ';'}"
                f" commands are: {', '.join(known)}",
                context,
            )
        return super().resolve_command(context, args)

    def shell_complete(
        self, context: click.Context, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        """Complete a name: a Tab imports nothing but the command that is typed already."""
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
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda context, option, wanted: _version(context) if wanted else None,
    help="Show the version, and whether the model is compiled, and exit.",
)
def cli() -> None:
    """Hold implementations of actor benchmarks to their specification, then time them.

    \b
    Example:
      dramaturg doctor
      dramaturg certify reference erlang
      dramaturg bench smoke
    """


def _version(context: click.Context) -> NoReturn:
    from importlib.metadata import version

    from dramaturg.compiled import loading

    click.echo(f"dramaturg, version {version('dramaturg')}, the model {loading.described()}")
    context.exit()


def _fail(message: str, status: int) -> NoReturn:
    from dramaturg.visible import quoted

    _say(f"dramaturg: {quoted(message)}\n")
    sys.exit(status)


def _say(text: str) -> None:
    from dramaturg.terminal import show

    # A closed stream is told nothing; the exit code still says it.
    with contextlib.suppress(OSError):
        show.notices().print(text, end="")


def _with_what_was_meant(error: click.ClickException) -> click.ClickException:
    """The error with the nearest word: of an option's choices, of the paths beside one that is not
    there, or of the commands that a command has."""
    if "No such command" in error.message and isinstance(error, click.UsageError) and error.ctx:
        group, word = error.ctx.command, re.search(r"'([^']+)'", error.message)
        if isinstance(group, click.Group) and word and "did you mean" not in error.message:
            known = group.list_commands(error.ctx)
            near = meant.hint(word[1], known) or f"; there are: {', '.join(known)}"
            return click.UsageError(error.message.rstrip(".") + near, error.ctx)
    if not isinstance(error, click.BadParameter) or error.param is None:
        return error
    if "did you mean" in error.message:
        return error
    word = re.search(r"'([^']+)'", error.message)
    near = ""
    if word and isinstance(error.param.type, click.Choice):
        near = meant.hint(word[1], map(str, error.param.type.choices))
    elif word and isinstance(error.param.type, click.Path):
        near = meant.path_hint(Path(word[1]))
    if not near:
        return error
    said = error.message.rstrip(".") + near
    return click.BadParameter(said, error.ctx, error.param, error.param_hint)


def _alone() -> None:
    """Begin anew, where this was started so that it would import what lies in the current folder,
    or what variables name: so does whatever it starts in its turn."""
    flags = sys.flags
    isolated = "-I" not in paths.isolation() or flags.isolated
    if isolated and flags.safe_path:
        return
    started = getattr(sys.modules["__main__"], "__spec__", None)
    again = ("-m", started.name) if started else (sys.argv[0],)
    if not started and not Path(sys.argv[0]).is_file():
        return  # A program that was given in words; it has been imported from where it is.
    os.execv(paths.PYTHON, paths.python(*again, *sys.argv[1:]))


def start() -> None:
    """The program: ``main``, in a process that imports nothing from where it was typed."""
    _alone()
    main()


def main() -> None:
    """Run the command line; exit codes are those of spec/levels.md."""
    # Cross compilers' environments set it; by it Python looks for another Python's settings.
    os.environ.pop("_PYTHON_SYSCONFIGDATA_NAME", None)
    paths.forget_relative_homes()
    streams.open_closed()
    streams.spell_out()
    interrupts.install()
    try:
        _run()
    except SystemExit as ended:
        unsaid = streams.drained()
        if unsaid is not None and ended.code != Outcome.HARNESS_FAULT.exit_code:
            _fail(f"standard output: {unsaid.strerror}", Outcome.HARNESS_FAULT.exit_code)
        raise
    finally:
        interrupts.over()


def _run() -> NoReturn:
    try:
        sys.exit(cli.main(standalone_mode=False, complete_var=COMPLETE) or 0)
    except click.exceptions.Exit as error:
        sys.exit(error.exit_code)
    except click.ClickException as error:
        said = io.StringIO()
        _with_what_was_meant(error).show(file=said)
        _say(said.getvalue())
        sys.exit(USAGE_ERROR)
    except (KeyboardInterrupt, click.Abort):
        _fail("interrupted; everything that was started is ended", INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except Exception as error:
        from dramaturg.terminal import failures

        _fail(*failures.told(error))


if __name__ == "__main__":
    start()
