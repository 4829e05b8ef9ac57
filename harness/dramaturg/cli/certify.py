"""``dramaturg certify``: is this implementation right?"""

import sys
from pathlib import Path

import click
from rich.table import Table

from dramaturg import results
from dramaturg.cli import show
from dramaturg.conformance import certification, plugin
from dramaturg.conformance.cases import LEVELS, OFFERED
from dramaturg.control import build, toolchain
from dramaturg.control.errors import ControlError, ToolchainMissing
from dramaturg.control.manifest import Implementation, available, find
from dramaturg.outcomes import Outcome
from dramaturg.report.write import write_all
from dramaturg.results import CaseRecord

_STYLES = {Outcome.PASS: "green", Outcome.FAIL: "bold red", Outcome.NOT_RUN: "dim"}


@click.command()
@click.argument("implementations", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="All implementations there are.")
@click.option(
    "--level",
    "levels",
    type=click.Choice([str(level) for level in OFFERED]),
    multiple=True,
    help="Only this level; may be repeated. Certified takes 0, 1 and 3; 4 emulates a network.",
)
@click.option("--connect", metavar="HOST:PORT", help="Attach to an implementation that runs there.")
@click.option(
    "--cases",
    "case_file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A case file of your own instead of the specification's; certifies nothing.",
)
@click.option("--output", type=show.FOLDER, help="Folder for the results.")
@show.json_option
@click.pass_context
def certify(
    context: click.Context,
    implementations: tuple[str, ...],
    everything: bool,
    levels: tuple[str, ...],
    connect: str | None,
    case_file: Path | None,
    output: Path | None,
    as_json: bool,
) -> None:
    """Hold implementations to the specification, case by case.

    What follows `--` goes to pytest: -k, -x, -n, --junitxml work.

    \b
    Examples:
      dramaturg certify reference erlang
      dramaturg certify caf+sharing --level 3
      dramaturg certify erlang -- -k late-joiner -x
      dramaturg certify reference --connect 127.0.0.1:4711
      dramaturg certify erlang --cases conformance/endurance/large.yaml
    """
    names, arguments = _split(implementations)
    if everything:
        names = available()
    if not names:
        raise click.UsageError(
            f"name an implementation, or --all; there are: {', '.join(available())}"
        )
    if connect is not None and len(names) != 1:
        raise click.UsageError("--connect takes exactly one implementation")
    chosen = [find(name) for name in dict.fromkeys(names)]
    usual, left_out = certification.usual_levels()
    if connect is not None:
        usual, left_out = list(certification.REQUIRED), ""
    wanted = [int(level) for level in levels] or usual
    if connect is None:
        _build(chosen, as_json)
    total = len(plugin.plan(chosen, wanted, case_file))
    folder = output or results.new_folder()
    with results.claimed(folder), show.progress(as_json) as bar:
        task = bar.add_task("certify", total=total)

        absent: set[str] = set()

        def watch(record: CaseRecord, explanation: str) -> None:
            bar.update(task, advance=1, description=f"{record.implementation} {record.case}")
            if record.outcome is Outcome.PASS or as_json or record.implementation in absent:
                return
            if record.outcome is Outcome.TOOLCHAIN_MISSING:
                absent.add(record.implementation)
                line = f"[yellow]toolchain missing[/] {record.implementation}: {record.message}"
            else:
                line = _line(record)
            bar.console.print(line, highlight=False, soft_wrap=True)
            if record.divergence is not None:
                bar.console.print(
                    explanation.split("\n", 1)[-1], markup=False, highlight=False, soft_wrap=True
                )
                bar.console.print()

        done = certification.certify(
            chosen,
            wanted,
            folder,
            pytest_arguments=arguments,
            connect=connect,
            case_file=case_file,
            watch=watch,
        )
        write_all(folder)
    document = {
        "implementations": {name: standing.to_dict() for name, standing in done.standings.items()},
        "results": str(folder),
        "errors": done.errors,
        "interrupted": done.interrupted,
        "left_out": left_out if not levels else "",
        "exit_code": done.exit_code,
    }
    if as_json:
        show.print_json(document)
    else:
        _print(done, folder, left_out if not levels else "")
    sys.exit(done.exit_code)


def _split(words: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Implementations, and what is meant for pytest: all from the first option on."""
    for place, word in enumerate(words):
        if word.startswith("-"):
            return list(words[:place]), list(words[place:])
    return list(words), []


def _build(implementations: list[Implementation], as_json: bool) -> None:
    """Build what can be built; what cannot says so again in its outcome."""
    notices = show.notices()
    for implementation in implementations:

        def tell(line: str, name: str = implementation.name) -> None:
            notices.print(f"{name}: {line}", markup=False, style="dim")

        try:
            toolchain.require(implementation)
            build.build(implementation, on_output=tell)
        except ToolchainMissing:
            continue
        except ControlError as error:
            if not as_json:
                notices.print(f"{implementation.name}: {error}", markup=False)


def _line(record: CaseRecord) -> str:
    style = _STYLES.get(record.outcome, "yellow")
    known = f" (known failure: {record.known})" if record.known else ""
    text = (
        f"[{style}]{record.outcome}[/] {record.implementation} level {record.level} {record.case}"
    )
    return f"{text}{known}" + (f": {record.message}" if record.divergence is None else "")


def _print(done: certification.Certification, folder: Path, left_out: str) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), show_header=False)
    for name, standing in done.standings.items():
        verdict = f"[bold red]not certified[/]: {standing.outcome}"
        if standing.certified:
            verdict = "[bold green]certified[/]"
        table.add_row(name, verdict, *(_level(standing, number) for number in LEVELS))
    console = show.console()
    console.print(table)
    for standing in done.standings.values():
        for problem in standing.manifest_problems:
            console.print(f"{standing.implementation}: {problem}", markup=False)
        if standing.unsupported:
            listed = ", ".join(standing.unsupported)
            console.print(f"{standing.implementation} does not implement: {listed}", markup=False)
        if standing.undistributed:
            listed = ", ".join(standing.undistributed)
            reason = f": {standing.undistributed_reason}" if standing.undistributed_reason else ""
            line = f"{standing.implementation} does not distribute {listed}{reason}"
            console.print(line, markup=False)
    for error in done.errors:
        console.print(f"harness fault: {error}", markup=False)
    idle = [name for number, name in LEVELS.items() if number not in OFFERED]
    console.print(f"\nnot run, since there are no cases yet: {', '.join(idle)}", markup=False)
    if left_out:
        console.print(f"not run: {left_out}", markup=False)
    console.print(f"results in {folder}", markup=False)


def _level(standing: certification.Standing, number: int) -> str:
    """``serial 13/13``; nothing for a level without cases."""
    level = standing.level(number)
    if number not in OFFERED:
        return ""
    outcome = Outcome(level["outcome"])
    passed = f"{level['outcomes'].get('pass', 0)}/{level['cases']}"
    count = passed if level["cases"] else str(outcome)
    return f"{LEVELS[number]} [{_STYLES.get(outcome, 'yellow')}]{count}[/]"
