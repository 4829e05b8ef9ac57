"""``dramaturg warmup``: after how many iterations is a benchmark warm?"""

import random
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from dramaturg import paths, results
from dramaturg.cli import completion
from dramaturg.implementation.manifest import find_all
from dramaturg.orchestration import building, execution, pinned_builds, requested_suites
from dramaturg.orchestration.job import Job
from dramaturg.outcomes import Outcome
from dramaturg.report import sessions
from dramaturg.results import ResultsError
from dramaturg.terminal import show
from dramaturg.timing.planning import timing_plan, warmups
from dramaturg.timing.planning.scenarios import DIVISORS
from dramaturg.timing.planning.suites import SuiteError
from dramaturg.timing.planning.warmups import Measured
from dramaturg.timing.validity import timed_receipts
from dramaturg.visible import quoted


@click.command()
@click.argument("what", nargs=-1, metavar="[SUITE|BENCHMARK]...", shell_complete=completion.timed)
@click.option(
    "--implementation",
    "-i",
    "names",
    multiple=True,
    shell_complete=completion.implementations,
    help="A name, or a path. Default: all but those in Python.",
)
@click.option("--scenario", help="The scenario of a benchmark, as `bench` takes it.")
@click.option("--scale", type=click.Choice(list(DIVISORS)), help="As `bench` takes it.")
@click.option("--only", multiple=True, help="As `bench` takes it.")
@click.option("--uncertified", is_flag=True, help="Time builds without a certificate as well.")
@click.option("--output", type=show.FOLDER, help="Folder for the results.")
@click.option(
    "--from",
    "recorded",
    type=click.Path(path_type=Path, file_okay=False),
    help="Run nothing: read what was measured there.",
)
@show.json_option
def warmup(
    what: tuple[str, ...],
    names: tuple[str, ...],
    only: tuple[str, ...],
    uncertified: bool,
    output: Path | None,
    recorded: Path | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Measure once how long each benchmark takes to warm up on each implementation.

    Three processes run a hundred iterations each. The result is kept in results/warmup.json,
    and `bench` uses it as long as the machine and the version of the runtime are the same.

    \b
    Examples:
      dramaturg warmup pingpong --scale tiny -i akka
      dramaturg warmup smoke -i akka --only T1
      dramaturg warmup --from results/20240131-120000
    """
    given = {key: value for key, value in options.items() if value is not None}
    if recorded is not None:
        if what or names or only or given or output or uncertified:
            raise click.UsageError("--from runs nothing: it takes no other option but --json")
        sys.exit(_kept(recorded, as_json))
    if not what:
        raise click.UsageError("name a suite or a benchmark whose warm-up is to be measured")
    try:
        named = find_all(names) if names else requested_suites.everyone()
        suites = requested_suites.chosen(what, given)
        made = timing_plan.make(
            suites,
            [each.name for each in named],
            random.SystemRandom().randrange(2**31),
            asked=bool(names),
        )
        made = timing_plan.only(made, only) if only else made
        made = (
            made if names else timing_plan.offered(made, suites, requested_suites.manifests(named))
        )
        made = warmups.longer(made)
    except SuiteError as error:
        raise click.ClickException(str(error)) from None
    implementations = pinned_builds.found(made, named, {})
    building.refuse_unreadable(implementations.values())
    building.refuse_among_sources(output, implementations.values())
    for scenario in dict.fromkeys(unit.scenario for unit in made.units):
        timed_receipts.foresee(scenario)
    target = output or results.new_folder()
    with results.claimed(target):
        job = Job(made, implementations, target, None, uncertified)
        _, outcome = execution.recorded(job, as_json)
        code = _kept(target, as_json)
    sys.exit(outcome.exit_code or code)


def _kept(folder: Path, as_json: bool) -> int:
    """Read what was measured, keep it, and tell of it; the exit code."""
    file = paths.results() / warmups.FILE
    records = results.read(folder / results.TIMINGS)
    measured, lacking = warmups.found(folder, records, sessions.environment(folder))
    if measured:
        warmups.keep(file, measured)
    if as_json:
        said = [each.model_dump(mode="json") for each in measured]
        show.print_json({"measured": said, "lacking": lacking, "file": str(file)})
    else:
        _print(measured, file)
    for each in lacking:
        show.notices().print(f"dramaturg: not measured: {quoted(each)}")
    if not measured and not lacking:
        raise ResultsError(f"{folder}: its plan has nothing in it")
    return Outcome.NOT_RUN.exit_code if lacking else 0


def _print(measured: Iterable[Measured], file: Path) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for head in ("benchmark", "implementation", "runtime", "warm-up of each process", ""):
        table.add_column(head)
    for each in measured:
        scenario = each.setting["scenario"]
        table.add_row(
            f"{scenario['benchmark']} {scenario['name']}, {scenario['scale']} scale",
            each.implementation,
            f"{each.runtime} {each.runtime_version}",
            ", ".join(map(str, each.warmups)),
            "" if each.settled else "not settled within half of them: suites say",
        )
    console = show.console()
    console.print(table)
    console.print(str(file))
