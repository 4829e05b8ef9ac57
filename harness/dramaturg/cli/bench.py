"""``dramaturg bench``: how fast is what is known to be right?"""

import random
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from dramaturg import results
from dramaturg.cli import against, completion, guest, judging, measured, piloted, show, timings
from dramaturg.cli.carried import recorded
from dramaturg.cli.dry_run import show_plan
from dramaturg.implementation.manifest import Implementation, Manifest, everybody, find_all
from dramaturg.machine import usermode
from dramaturg.machine.usermode import Kernel
from dramaturg.outcomes import Outcome
from dramaturg.report.summary import Summary
from dramaturg.timing import pairing, plan, receipts, resume, scenarios, suites
from dramaturg.timing.pinned import beside
from dramaturg.timing.plan import Plan
from dramaturg.timing.runner import is_done
from dramaturg.timing.suites import Suite, SuiteError

DEFAULT_SUITE = "first"

TO_BE_READ = frozenset({"reference", "asyncio"})
"""Written to be read, not to be fast: they are timed only when they are named."""

_PARAMETERS = (*scenarios.PARAMETERS, "rounds")
_NETWORK = ("nodes", "bandwidth", "delay", "loss")
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
@click.option("--uncertified", is_flag=True, help="Time builds without a certificate as well.")
@click.option(
    "--against",
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
    help="What of the plan is run; words of one kind add up, of several all must fit.",
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

    Without an argument: the suite `first`. Every receipt is checked; what is wrong or
    faster than possible is kept and never summarised.

    \b
    Examples:
      dramaturg bench
      dramaturg bench pingpong --nodes 2 --bandwidth 100 --scale tiny -i erlang
      dramaturg bench chatapp --scenario mixed --scale small --no-history
      dramaturg bench chatapp --clients 64 --directories 4 --turns 8 -i akka -i caf
      dramaturg bench micro --scale full
      dramaturg bench thesis --scale small --only T3 --only caf --dry-run
      dramaturg bench big --nodes 8 --delay 2 --scale small -i erlang --kernel uml
      dramaturg bench akka-actr --precision 2%
      dramaturg bench smoke -i erlang --against erlang@v1.0
      dramaturg bench big --scenario windowed -p peers=64 -p windows=10 -p window=1000
    """
    given = {key: value for key, value in settings.items() if value is not None and value != ()}
    before: resume.Interrupted | None = None
    named: list[Implementation] = []
    share: float | None = None
    try:
        if folder is not None:
            others = (output, only, precision, pilot, pinned, kernel_asked, uncertified)
            if what or names or given or any(others) or order_seed is not None:
                raise SuiteError("--resume takes the plan of the earlier run, and nothing else")
            before = resume.find(folder)
            _refuse_comparison(before)
            pins = against.again(before)
            made, uncertified = before.plan, bool(before.header.get("uncertified"))
            inside = guest.asked(None, before.header)
        else:
            seed = order_seed if order_seed is not None else random.SystemRandom().randrange(2**31)
            named = find_all(names) if names else everyone()
            suites = chosen(what or (DEFAULT_SUITE,), given, suites_first=True)
            pins = against.asked(pinned, suites, precision)
            inside = guest.asked(kernel_asked, refused={"--precision": precision})
            there = guest.cores() if inside else None
            made = plan.make(suites, [each.name for each in named], seed, there, asked=bool(names))
            made = plan.only(made, only) if only else made
            made = made if names else plan.offered(made, suites, manifests(named))
            made = beside(made, [pin.label for pin in pins])
            share = piloted.asked(precision, pilot, given, dry_run)
            if share and pilot:
                made = piloted.planned(made, pilot, share)
        implementations = against.found(made, named, before.places if before else {}, pins)
        against.refuse_two_of_a_name(pins, {each.name: each for each in named})
    except SuiteError as error:
        raise click.ClickException(str(error)) from None
    # Whoever says how many iterations there are, or how many of them warm up, gets just these.
    by_measured = before is None and not share and not {"warmup", "iterations"} & given.keys()
    # What this kernel takes to warm up says nothing of another.
    by_measured = by_measured and not inside
    if dry_run:
        made = measured.foreseen(made) if by_measured else made
        done = before.done if before else ()
        left = [(unit, n) for unit, n in made.order() if not is_done(unit, n, done)]
        show_plan(left, made.left_out, as_json)
        return
    judging.refuse_among_sources(output, implementations.values())
    kernel = guest.found() if inside else None
    target, summary, outcome = _carried_out(
        made,
        implementations,
        pins,
        folder,
        output,
        pilot,
        share,
        by_measured,
        uncertified,
        as_json,
        kernel,
    )
    if as_json:
        show.print_json(timings.document(summary, target, outcome))
    else:
        timings.print_all(summary, target, outcome)
    sys.exit(outcome.exit_code)


def _carried_out(
    made: Plan,
    implementations: dict[str, Implementation],
    pins: Sequence[against.Pin],
    folder: Path | None,
    output: Path | None,
    pilot: Path | None,
    share: float | None,
    by_measured: bool,
    uncertified: bool,
    as_json: bool,
    kernel: Kernel | None,
) -> tuple[Path, Summary, Outcome]:
    with show.progress(as_json) as bar:
        made_of = list(dict.fromkeys(unit.scenario for unit in made.units))
        for scenario in bar.track(made_of, description="what receipts must say"):
            receipts.foresee(scenario)
    target = folder or output or results.new_folder()
    with against.checked_out(pins) as there, results.claimed(target):
        implementations |= there
        against.prepare(there, target, uncertified, as_json)
        more = against.header(pins, made, implementations)
        # By now whoever had the folder may have gone on with it.
        before = resume.find(folder) if folder is not None else None
        if by_measured:
            made = measured.applied(made, implementations)
        if share and not pilot:
            pilot = target / piloted.FOLDER
            with results.claimed(pilot):
                short = piloted.short(made)
                recorded(short, implementations, pilot, None, uncertified, as_json)
            made = piloted.planned(made, pilot, share)
        summary, outcome = recorded(
            made, implementations, target, before, uncertified, as_json, header=more, kernel=kernel
        )
    return target, summary, outcome


def _refuse_comparison(before: resume.Interrupted) -> None:
    """Its fresh pairs are none of a plan that is carried out blindly. Raises SuiteError."""
    if pairing.HEADER in before.header:
        raise SuiteError(
            f"{before.folder} is a comparison: `dramaturg compare --resume {before.folder}` goes on"
        )


def chosen(
    what: Iterable[str], given: dict[str, Any], *, suites_first: bool = False
) -> list[Suite]:
    """Suites by name, and one made of each benchmark that is named. Raises SuiteError.

    ``suites_first``: a word that is both (``broker``) means the suite, unless something is given
    beside it that only a benchmark takes.
    """
    repeats: dict[str, Any] = {
        key: given[key]
        for key in ("invocations", "iterations", "warmup", "timeout")
        if key in given
    }
    other = given.keys() - repeats.keys() - {"scale"}
    found = []
    both = set(suites.available()) if suites_first and not other else set()
    for word in what:
        if word in scenarios.BENCHMARKS and word not in both:
            content = {"suite": word, "benchmarks": [_entry(word, given)]} | repeats
            found.append(suites.checked(content))
            continue
        try:
            suite = suites.load(word)
        except SuiteError as error:
            if suites.is_file(word):
                raise
            benchmarks = ", ".join(scenarios.BENCHMARKS)
            raise SuiteError(f"{error}; benchmarks are: {benchmarks}") from None
        if other:
            options = ", ".join(f"--{key.replace('_', '-')}" for key in sorted(other))
            raise SuiteError(f"{options} goes with a benchmark; the suite {word} says it itself")
        found.append(_changed(suite, repeats, given.get("scale")))
    return found


def _changed(suite: Suite, repeats: dict[str, Any], scale: str | None) -> Suite:
    """The suite, run otherwise. Raises SuiteError where an entry cannot be at that scale."""
    content = suite.model_dump(exclude_unset=True) | repeats
    for entry in content["benchmarks"]:
        for key in repeats:
            entry.pop(key, None)
        if scale:
            entry["scale"] = scale
    where = f"suite {suite.suite}" + (f" at --scale {scale}" if scale else "")
    return suites.checked(content, where)


def _pair(text: str) -> tuple[str, int]:
    name, equals, number = text.partition("=")
    if not equals or not number.isdecimal():
        raise SuiteError(f"--parameter {text}: must be NAME=NUMBER, such as peers=100")
    return name, int(number)


def manifests(found: Sequence[Implementation]) -> dict[str, Manifest]:
    """By name."""
    return {each.name: each.manifest for each in found}


def everyone() -> list[Implementation]:
    """All that are timed where none is named."""
    return [each for each in everybody() if each.name not in TO_BE_READ]


def _entry(benchmark: str, given: dict[str, Any]) -> dict[str, Any]:
    entry: dict[str, Any] = {"benchmark": benchmark}
    entry |= {key: given[key] for key in ("scenario", "scale", "history") if key in given}
    entry["parameters"] = {
        key: given[key] for key in _PARAMETERS if key in given and key != "history"
    }
    entry["parameters"] |= dict(map(_pair, given.get("pairs", ())))
    entry["network"] = {key: given[key] for key in _NETWORK if key in given}
    return entry
