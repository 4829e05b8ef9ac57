"""``dramaturg replay``: hold a recorded run against the model once more."""

import sys
from pathlib import Path

import click

from dramaturg.cli import show
from dramaturg.model import names
from dramaturg.outcomes import Outcome
from dramaturg.trace.events import spell_event
from dramaturg.trace.parts.whole import explain_watched
from dramaturg.trace.render import render
from dramaturg.trace.rerun import replayed, taken_of, watches_of


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--actor", help="Also print this actor's whole log: client/17, chat/17.2, ...")
@click.option("--all", "everything", is_flag=True, help="Every divergence, not only the first.")
@show.json_option
def replay(file: Path, actor: str | None, everything: bool, as_json: bool) -> None:
    """Replay a recorded run and report its first divergence.

    Failed cases leave their runs in results/.../traces/.

    \b
    Examples:
      dramaturg replay results/latest/traces/erlang-turns.run
      dramaturg replay results/latest/traces/erlang-turns.run --actor chat/3.0
    """
    again = replayed(file)
    run, logs, verdict = again.run, again.logs, again.verdict
    try:
        wanted = names.parse(actor) if actor else None
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    divergence = explain_watched(again.workload, watches_of(run), logs, taken_of(run), verdict)
    if as_json:
        show.print_json(
            {
                "implementation": run.implementation,
                "case": run.case,
                "events": verdict.events,
                "conforms": verdict.conforms,
                "divergence": divergence.to_dict() if divergence else None,
                "divergences": len(verdict.divergences),
                "log": [spell_event(wanted, event) for event in logs.get(wanted, [])]
                if wanted is not None
                else None,
            }
        )
    else:
        console = show.console()
        if wanted is not None:
            for number, event in enumerate(logs.get(wanted, [])):
                console.print(f"{number:>6}  {spell_event(wanted, event)}")
            console.print()
        if divergence is None:
            console.print(f"{verdict.events:,} events, no divergence")
        else:
            console.print(render(divergence))
            rest = [other for other in verdict.divergences if other is not divergence.divergence]
            if everything:
                for other in rest:
                    console.print(f"also: {other.headline()}")
            elif rest:
                console.print(f"\n  and {len(rest)} more, which --all lists")
    sys.exit((Outcome.PASS if verdict.conforms else Outcome.FAIL).exit_code)
