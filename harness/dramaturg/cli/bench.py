"""``dramaturg bench``: how fast is what is known to be right?"""

import random
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from dramaturg.cli import completion
from dramaturg.hosts import asked_hosts
from dramaturg.hosts.asked_hosts import Asked
from dramaturg.implementation.manifest import Implementation, find_all
from dramaturg.machine import usermode
from dramaturg.orchestration import (
    bench_on_hosts,
    building,
    guest_kernel,
    measured_warmups,
    pilot_plan,
    pinned_builds,
    requested_suites,
)
from dramaturg.orchestration.timing_run import TimingRun
from dramaturg.terminal import show, timing_table
from dramaturg.terminal.dry_run import show_plan
from dramaturg.timing.planning import pairing, resume, scenarios, timing_plan
from dramaturg.timing.planning.baseline import beside
from dramaturg.timing.planning.suites import SuiteError
from dramaturg.timing.running.runner import is_done
from dramaturg.visible import typed

DEFAULT_SUITE = "first"


_CHANCES = ("compute", "post", "leave", "invite", "befriend")


def _options(command: Any) -> Any:
    """One option for each parameter of a benchmark; using any makes a custom scenario."""
    texts = {
        "clients": "ChatApp: how many clients.",
        "directories": "ChatApp: how many directories.",
        "turns": "ChatApp: how many turns.",
        "fib_n": "ChatApp: the argument of Fibonacci.",
        "seed": "ChatApp: the poker's seed.",
        "rounds": "Ping-pong: how many rounds.",
    } | dict.fromkeys(_CHANCES, "ChatApp: percent.")
    for name, text in reversed(texts.items()):
        command = click.option(f"--{name.replace('_', '-')}", name, type=int, help=text)(command)
    return command


@click.command()
@click.argument("what", nargs=-1, metavar="[SUITE|BENCHMARK]...", shell_complete=completion.timed)
@click.option(
    "--implementation",
    "-i",
    "names",
    multiple=True,
    shell_complete=completion.implementations,
    help="A name, or a path. Default: whom the suite names, or all but those in Python.",
)
@click.option(
    "--scenario",
    help=f"ChatApp: {', '.join(scenarios.CHATAPP_SCENARIOS)}. Micro-benchmarks: counted; "
    f"{', '.join(scenarios.WINDOWS)} also windowed.",
)
@click.option(
    "--scale",
    type=click.Choice(list(scenarios.DIVISORS)),
    help="Default: full; in a suite, each entry's own.",
)
@click.option("--history/--no-history", default=None, help="ChatApp: chats keep what was posted.")
@_options
@click.option("--selection", type=click.Choice(["cumulative", "cascade"]), help="ChatApp.")
@click.option(
    "--parameter",
    "-p",
    "pairs",
    multiple=True,
    metavar="NAME=NUMBER",
    help="Micro-benchmarks: any parameter, such as peers=100.",
)
@click.option("--invocations", type=click.IntRange(1), help="Fresh processes.")
@click.option("--iterations", type=click.IntRange(1), help="Iterations in each process.")
@click.option("--warmup", type=click.IntRange(0), help="Iterations that are never summarised.")
@click.option("--timeout", type=click.FloatRange(0, min_open=True), help="Seconds an iteration.")
@click.option("--nodes", type=click.IntRange(1), help="Spread over so many emulated hosts.")
@click.option("--bandwidth", type=float, help="Mbit/s of each host's link.")
@click.option("--delay", type=float, help="Milliseconds of each host's link, one way.")
@click.option("--loss", type=float, help="Percent lost on each host's link, one way.")
@click.option(
    "--kernel",
    "kernel_asked",
    type=click.Choice([usermode.ASKED]),
    help="Run inside User-Mode Linux, which has delay and loss: docs/user-mode-linux.md.",
)
@click.option(
    "--hosts",
    "hosts_asked",
    metavar="HOSTS",
    help=f"Nodes on hosts of their own: {asked_hosts.FORMS} (docs/cluster.md).",
)
@click.option("--uncertified", is_flag=True, help="Time builds without a certificate as well.")
@click.option(
    "--baseline",
    "pinned",
    multiple=True,
    metavar="NAME@REVISION",
    help="Time this build beside the others, as their measure in `dramaturg history`.",
)
@click.option("--order-seed", type=int, help="Repeats the order of an earlier run.")
@click.option("--output", type=show.FOLDER, help="Folder for the results.")
@click.option(
    "--only",
    multiple=True,
    metavar="ENTRY|BENCHMARK|IMPLEMENTATION",
    help="Run only this part of the plan; words of one kind add up, of several all must match.",
)
@click.option(
    "--precision",
    metavar="PERCENT",
    help="Plan invocations and iterations by a pilot, so that run times are known to, say, 2%.",
)
@click.option(
    "--pilot",
    type=click.Path(path_type=Path),
    help="Results that are the pilot. Default: one is run, in the folder pilot of the results.",
)
@click.option("--dry-run", is_flag=True, help="Show the plan, with an estimate of its time.")
@click.option("--resume", "folder", type=click.Path(path_type=Path), help="Go on with this run.")
@show.json_option
def bench(
    what: tuple[str, ...],
    names: tuple[str, ...],
    kernel_asked: str | None,
    hosts_asked: str | None,
    uncertified: bool,
    pinned: tuple[str, ...],
    order_seed: int | None,
    output: Path | None,
    folder: Path | None,
    only: tuple[str, ...],
    precision: str | None,
    pilot: Path | None,
    dry_run: bool,
    as_json: bool,
    **settings: Any,
) -> None:
    """Time suites or benchmarks on certified implementations.

    Without an argument it times the suite `first`. It checks every receipt; a sample that is
    wrong or faster than possible is kept and never summarised.

    \b
    Examples:
      dramaturg bench
      dramaturg bench pingpong --nodes 2 --bandwidth 100 --scale tiny -i erlang
      dramaturg bench chatapp --scenario mixed --scale small --no-history
      dramaturg bench chatapp --clients 64 --directories 4 --turns 8 -i akka -i caf
      dramaturg bench micro --scale full
      dramaturg bench thesis --scale small --only T3 --only caf --dry-run
      dramaturg bench big --nodes 8 --delay 2 --scale small -i erlang --kernel uml
      dramaturg bench chatapp-nodes --hosts ssh:hosts.yaml -i erlang
      dramaturg bench akka-actr --precision 2%
      dramaturg bench smoke -i erlang --baseline erlang@v1.0
      dramaturg bench big --scenario windowed -p peers=64 -p windows=10 -p window=1000
    """
    given = {key: value for key, value in settings.items() if value is not None and value != ()}
    before: resume.Interrupted | None = None
    named: list[Implementation] = []
    share: float | None = None
    try:
        if folder is not None:
            others = (output, only, precision, pilot, pinned, kernel_asked, hosts_asked)
            if what or names or given or any(others) or uncertified or order_seed is not None:
                raise SuiteError("--resume takes the plan of the earlier run, and nothing else")
            before = resume.find(folder)
            _refuse_comparison(before)
            pins = pinned_builds.again(before)
            made, uncertified = before.plan, bool(before.header.get("uncertified"))
            inside, hosts = _elsewhere(None, None, before.header)
        else:
            seed = order_seed if order_seed is not None else random.SystemRandom().randrange(2**31)
            named = find_all(names) if names else requested_suites.everyone()
            suites = requested_suites.chosen(what or (DEFAULT_SUITE,), given, suites_first=True)
            pins = pinned_builds.asked(pinned, suites, precision)
            odd = {"--precision": precision, "--baseline": pinned}
            inside, hosts = _elsewhere(kernel_asked, hosts_asked, None, odd)
            there = guest_kernel.cores() if inside else None
            made = timing_plan.make(
                suites, [each.name for each in named], seed, there, asked=bool(names)
            )
            made = timing_plan.only(made, only) if only else made
            made = (
                made
                if names
                else timing_plan.offered(made, suites, requested_suites.manifests(named))
            )
            made = beside(made, [pin.label for pin in pins])
            share = pilot_plan.asked(precision, pilot, given, dry_run)
            if share and pilot:
                made = pilot_plan.planned(made, pilot, share)
        bench_on_hosts.refuse_impossible(hosts, made)
        implementations = pinned_builds.found(made, named, before.places if before else {}, pins)
        pinned_builds.refuse_two_of_a_name(pins, {each.name: each for each in named})
    except SuiteError as error:
        raise click.ClickException(str(error)) from None
    # Whoever says how many iterations there are, or how many of them warm up, gets just these.
    counted = share or {"warmup", "iterations"} & given.keys()
    # The warm-up of this kernel says nothing of another kernel or host.
    by_measured = before is None and not (counted or inside or hosts)
    if dry_run:
        made = measured_warmups.foreseen(made) if by_measured else made
        done = before.done if before else ()
        left = [(unit, n) for unit, n in made.order() if not is_done(unit, n, done)]
        show_plan(left, made.left_out, as_json)
        return
    building.refuse_unreadable(implementations.values())
    building.refuse_among_sources(output, implementations.values())
    target, summary, outcome = TimingRun(
        plan=made,
        implementations=implementations,
        pins=pins,
        resumed=folder,
        output=output,
        pilot=pilot,
        share=share,
        by_measured=by_measured,
        uncertified=uncertified,
        kernel=guest_kernel.found() if inside else None,
        hosts=hosts,
        as_json=as_json,
    ).perform()
    if as_json:
        show.print_json(timing_table.document(summary, target, outcome))
    else:
        timing_table.print_all(summary, target, outcome)
    sys.exit(outcome.exit_code)


def _elsewhere(
    kernel: str | None,
    hosts: str | None,
    header: Mapping[str, Any] | None,
    odd: Mapping[str, Any] | None = None,
) -> tuple[bool, Asked | None]:
    """Return whether it is run inside another kernel, and on which hosts: by the command line, or
    by the ``header`` of the run that it goes on with. Raises SuiteError and ClusterError."""
    given = odd or {}
    inside = guest_kernel.asked(kernel, header, {"--precision": given.get("--precision")})
    return inside, bench_on_hosts.asked(hosts, header, {**given, "--kernel": kernel})


def _refuse_comparison(before: resume.Interrupted) -> None:
    """Its fresh pairs are none of a plan that is carried out blindly. Raises SuiteError."""
    if pairing.HEADER in before.header:
        raise SuiteError(
            f"{before.folder} is a comparison:"
            f" `dramaturg compare --resume {typed(before.folder)}` goes on"
        )
