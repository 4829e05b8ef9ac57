"""``dramaturg mutants``: would anybody notice, and would anybody complain for nothing?"""

import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from dramaturg import meant, results
from dramaturg.implementation.manifest import load
from dramaturg.levels import LEVELS
from dramaturg.mutation import kills, traceability
from dramaturg.mutation.native_mutants import Judged, Member
from dramaturg.mutation.reference_mutants import (
    Accepted,
    Caught,
    Item,
    everybody,
    name_variants,
    perform,
)
from dramaturg.orchestration import cluster_use, mutants_elsewhere
from dramaturg.outcomes import Outcome
from dramaturg.terminal import native_verdicts, show
from dramaturg.visible import quoted


@click.command()
@click.argument("names", nargs=-1)
@click.option("--mutants", "which", flag_value="mutants", help="Only the wrong ones.")
@click.option("--equivalents", "which", flag_value="equivalents", help="Only the right ones.")
@click.option(
    "--native",
    "in_languages",
    is_flag=True,
    help="Those of the real implementations instead of the reference's; names may be languages.",
)
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(1),
    help="At a time. Default: one a core; with --native, where implementations are timed, 1.",
)
@click.option(
    "--record",
    is_flag=True,
    help="Write conformance/kills.yaml: which case killed whom. With --native also what was built.",
)
@click.option("--output", type=show.FOLDER, help="Folder for the results.")
@show.cluster_options
@show.json_option
def mutants(
    names: tuple[str, ...],
    which: str | None,
    in_languages: bool,
    jobs: int | None,
    record: bool,
    output: Path | None,
    cluster: str | None,
    cluster_tls: Path | None,
    as_json: bool,
) -> None:
    """Check mutants and equivalents against the specification.

    Every wrong implementation must fail, as expected, and every equivalent of the right one
    must pass.

    \b
    Examples:
      dramaturg mutants
      dramaturg mutants --equivalents
      dramaturg mutants dropped_forward web_one_worker --json
      dramaturg mutants --native erlang
      dramaturg mutants --native pony/invites_one_friend --json
      dramaturg mutants --cluster local:2
    """
    cluster_use.refuse_odd(cluster, cluster_tls)
    if cluster is not None and jobs is not None:
        raise click.UsageError("--jobs is for this machine; a host of --cluster has its own cores")
    if in_languages:
        elsewhere = None
        if cluster is not None:

            def elsewhere(
                members: Sequence[Member], folder: Path, watch: Callable[[Judged], None]
            ) -> list[Judged]:
                sources = [load(each) for each in {member.source for member in members}]
                with cluster_use.opened(cluster, cluster_tls, sources) as reached:
                    return mutants_elsewhere.native(
                        reached, members, folder, watch, cluster_use.tell
                    )

        native_verdicts.run(names, which, jobs, record, output, as_json, elsewhere)
    name_variants()
    chosen = _chosen(names, which)
    folder = output or results.new_folder()
    start = time.monotonic()
    with show.progress(as_json) as bar:
        task = bar.add_task("mutants", total=len(chosen))

        def watch(judged: Caught | Accepted) -> None:
            bar.update(task, advance=1, description=judged.member.name)
            if judged.departs and not as_json:
                line = f"{judged.member.name}: {quoted(judged.departs)}"
                bar.console.print(line, soft_wrap=True)

        if cluster is not None:
            with cluster_use.opened(cluster, cluster_tls) as reached:
                done = mutants_elsewhere.reference(reached, chosen, folder, watch, cluster_use.tell)
        else:
            done = perform(chosen, folder, jobs or os.cpu_count() or 1, watch)
    seconds = time.monotonic() - start
    caught = [judged for judged in done if isinstance(judged, Caught)]
    accepted = [judged for judged in done if isinstance(judged, Accepted)]
    if record:
        kills.record(
            ((each.member.name, each) for each in caught),
            (name for name, _ in traceability.broken()),
        )
    outcome = Outcome.FAIL if any(judged.departs for judged in done) else Outcome.PASS
    if as_json:
        document = {
            "mutants": [judged.to_dict() for judged in caught],
            "killed": sum(judged.killed for judged in caught),
            "total": len(caught),
            "by_level": _by_level(caught),
            "equivalents": [judged.to_dict() for judged in accepted],
            "refused": sum(bool(judged.departs) for judged in accepted),
            "seconds": round(seconds, 1),
            "results": str(folder),
            "exit_code": outcome.exit_code,
        }
        show.print_json(document)
    else:
        _print(caught, accepted, seconds)
    sys.exit(outcome.exit_code)


def _chosen(names: tuple[str, ...], which: str | None) -> list[Item]:
    mutants, equivalents = everybody()
    items = {"mutants": mutants, "equivalents": equivalents}.get(which or "", mutants + equivalents)
    unknown = set(names) - {member.name for _, member in items}
    if unknown:
        near = meant.hint(min(unknown), [member.name for _, member in items]) or ";"
        raise click.UsageError(
            f"nobody is called {', '.join(sorted(unknown))}{near} see expected.yaml"
        )
    return [item for item in items if not names or item[1].name in names]


def _by_level(caught: list[Caught]) -> dict[str, dict[str, Any]]:
    """Return the number of mutants that each level killed, and the seconds that this took."""
    found = {}
    for level, name in LEVELS.items():
        here = [each for each in caught if each.killed and each.verdict.level == level]
        if here:
            slowest = max(here, key=lambda each: each.verdict.seconds)
            times = [each.verdict.seconds for each in here]
            found[str(level)] = {
                "name": name,
                "killed": len(here),
                "median_seconds": round(statistics.median(times), 1),
                "slowest_seconds": round(slowest.verdict.seconds, 1),
                "slowest": slowest.member.name,
            }
    return found


def _print(caught: list[Caught], accepted: list[Accepted], seconds: float) -> None:
    console = show.console()
    if caught:
        columns = ("level", "killed", "median", "slowest")
        table = Table(*columns, box=None, pad_edge=False, padding=(0, 3, 0, 0))
        for level, row in _by_level(caught).items():
            median, longest = f"{row['median_seconds']} s", f"{row['slowest_seconds']} s"
            cells = (f"{level} {row['name']}", str(row["killed"]), median)
            table.add_row(*cells, f"{longest}, {row['slowest']}")
        console.print(table)
        killed = sum(judged.killed for judged in caught)
        console.print(f"{killed} of {len(caught)} mutants killed")
    if accepted:
        refused = sum(bool(judged.departs) for judged in accepted)
        console.print(f"{refused} of {len(accepted)} equivalents refused")
    console.print(f"{seconds:.0f} s")
