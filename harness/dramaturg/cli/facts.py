"""``dramaturg facts``: what every run of these parameters must do."""

from typing import Any

import click

from dramaturg.model import facts as of_script
from dramaturg.model.chatapp import Parameters, Selection
from dramaturg.terminal import show


@click.group()
def facts() -> None:
    """Print the facts that do not depend on the schedule."""


@facts.command()
@click.option("--clients", type=int, required=True)
@click.option("--directories", type=int, required=True)
@click.option("--turns", type=int, required=True)
@click.option("--compute", type=int, required=True, metavar="PERCENT")
@click.option("--post", type=int, required=True, metavar="PERCENT")
@click.option("--leave", type=int, required=True, metavar="PERCENT")
@click.option("--invite", type=int, required=True, metavar="PERCENT")
@click.option("--befriend", type=int, required=True, metavar="PERCENT")
@click.option(
    "--selection",
    type=click.Choice(["cumulative", "cascade"]),
    default="cumulative",
    show_default=True,
)
@click.option("--fib-n", type=int, default=25, show_default=True)
@click.option("--seed", type=int, default=42, show_default=True)
@show.json_option
def chatapp(as_json: bool, selection: str, **values: Any) -> None:
    """Facts of one iteration of ChatApp: picks, joins, LCG checksum.

    \b
    Example:
      dramaturg facts chatapp --clients 1024 --directories 8 --turns 32 \\
        --compute 0 --post 95 --leave 0 --invite 5 --befriend 10 --json
    """
    parameters = Parameters(selection=Selection[selection.upper()], **values)
    found = of_script.facts(parameters)
    document: dict[str, Any] = {
        "picks": {
            "compute": found.computes,
            "post": found.posts,
            "leave": found.leaves,
            "invite": found.invites,
            "none": found.nones,
        },
        "joins": found.joins,
        "lcg_checksum": found.lcg_checksum,
        "fib_sum": found.fib_sum,
        "confirms": found.confirms,
    }
    if as_json:
        show.print_json(document)
        return
    console = show.console()
    for action, count in document.pop("picks").items():
        console.print(f"{'picks ' + action:<14} {count:>14,}")
    for name, value in document.items():
        console.print(f"{name:<14} {value:>14,}")
