"""``dramaturg compare``: is B slower than A, or faster, or can nobody tell?"""

import contextlib
import functools
import math
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from dramaturg import results
from dramaturg.cli import completion
from dramaturg.implementation import build, revision, toolchain
from dramaturg.implementation.manifest import Implementation
from dramaturg.implementation.revision import Named
from dramaturg.orchestration import building, execution, requested_suites, revisions
from dramaturg.orchestration.job import Job
from dramaturg.outcomes import SLOWER, Outcome, worst
from dramaturg.report import comparison as shown
from dramaturg.report import sessions
from dramaturg.report.summary import Compared
from dramaturg.terminal import comparison_table, show
from dramaturg.timing.planning import gate, pairing, resume, timing_plan
from dramaturg.timing.planning.gate import Gate
from dramaturg.timing.planning.pairing import Comparison
from dramaturg.timing.planning.scenarios import DIVISORS
from dramaturg.timing.planning.suites import Suite, SuiteError
from dramaturg.timing.planning.timing_plan import Plan
from dramaturg.timing.statistics import difference
from dramaturg.timing.statistics.difference import Verdict
from dramaturg.timing.validity import timed_receipts
from dramaturg.visible import typed

DEFAULT_SUITE = "compare"


@click.command()
@click.argument(
    "words",
    nargs=-1,
    metavar="[A B [SUITE|BENCHMARK]...]",
    shell_complete=completion.implementations,
)
@click.option("--pairs", type=click.IntRange(1, pairing.MOST_PAIRS), help="Default: 10 a row.")
@click.option(
    "--confirm",
    type=click.IntRange(difference.FEWEST_FRESH, pairing.MOST_PAIRS),
    help="Fresh pairs of a row that is flagged. Default: 12.",
)
@click.option(
    "--within",
    type=click.FloatRange(0, 100, min_open=True),
    help="Percent within which *equal* is. Default: 5.",
)
@click.option("--scenario", help="The scenario of a benchmark, as `bench` takes it.")
@click.option("--scale", type=click.Choice(list(DIVISORS)), help="As `bench` takes it.")
@click.option(
    "--parameter", "-p", "parameters", multiple=True, metavar="NAME=NUMBER", help="As in `bench`."
)
@click.option("--iterations", type=click.IntRange(1), help="Iterations in each process.")
@click.option("--warmup", type=click.IntRange(0), help="Iterations that are never summarised.")
@click.option("--timeout", type=click.FloatRange(0, min_open=True), help="Seconds an iteration.")
@click.option("--uncertified", is_flag=True, help="Certify neither; every row is marked.")
@click.option("--order-seed", type=int, help="Repeats the order of an earlier run.")
@click.option("--output", type=show.FOLDER, help="Folder for the results.")
@click.option("--resume", "folder", type=click.Path(path_type=Path), help="Go on with this run.")
@click.option("--markdown", is_flag=True, help="Print Markdown, for the summary of a job.")
@show.json_option
def compare(
    words: tuple[str, ...],
    folder: Path | None,
    markdown: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Time two builds in pairs, and say of each benchmark whether B is slower than A.

    A and B are implementations, each with or without @REVISION; or results folders, as FOLDER
    or FOLDER:NAME, which are only read. Without a suite it runs `compare`, in five minutes. The
    exit code is 10 if B is slower and fresh pairs have confirmed it.

    \b
    Examples:
      dramaturg compare erlang@HEAD~3 erlang
      dramaturg compare caf caf+sharing micro --scale tiny
      dramaturg compare erlang@origin/main erlang chatapp --scale small --markdown
      dramaturg compare results/monday:akka results/monday:caf
    """
    if markdown and as_json:
        raise click.UsageError("--markdown and --json print two forms of one thing; take one")
    given = {
        key: value
        for key, value in options.items()
        if value is not None and value is not False and value != ()
    }
    if folder is None and len(words) < 2:
        raise click.UsageError("name two: A, and B that is held against it")
    _margin(given)
    form = comparison_table.Form(markdown=markdown, as_json=as_json)
    if folder is None and any(map(_is_recorded, words[:2])):
        sys.exit(_recorded(words, given, form))
    try:
        task = _resumed(folder, words, given) if folder else _planned(words, given)
        with _sides(task) as (a, b):
            sys.exit(_live(task, a, b, form))
    except SuiteError as error:
        raise click.ClickException(str(error)) from None


@dataclass(frozen=True)
class _Task:
    """The work of a comparison, decided before anything is built."""

    a: Named
    b: Named
    words: tuple[str, str]
    given: dict[str, Any]
    before: resume.Interrupted | None = None
    folder: Path | None = None


def _is_recorded(word: str) -> bool:
    return sessions.holds(word)


def _recorded(words: tuple[str, ...], given: dict[str, Any], form: comparison_table.Form) -> int:
    if not all(map(_is_recorded, words[:2])):
        raise click.UsageError(
            "one of the two is a results folder, and one is not: compare two that are recorded, or"
            " two implementations"
        )
    if len(words) > 2 or given.keys() - {"within"}:
        raise click.UsageError("recorded results are what they are: only --within goes with them")
    a, b = map(sessions.opened, words[:2])
    found = sessions.compared(a, b, _margin(given))
    outcome = Outcome.PASS if _all_judged(found) else Outcome.NOT_RUN
    form.tell(found, outcome, outcome.exit_code, None)
    return outcome.exit_code


def _planned(words: tuple[str, ...], given: dict[str, Any]) -> _Task:
    # A typing error in a suite is known before anything is checked out.
    _suites(words[2:], given)
    a, b = map(revision.named, words[:2])
    return _Task(a, b, (words[0], words[1]), given | {"what": words[2:]})


def _resumed(folder: Path, words: tuple[str, ...], given: dict[str, Any]) -> _Task:
    if words or given:
        raise SuiteError("--resume takes the plan of the earlier run, and nothing else")
    before = resume.find(folder)
    asked = pairing.read(before.header, folder / results.TIMINGS)
    if asked is None:
        raise SuiteError(
            f"{folder} is no comparison: `dramaturg bench --resume {typed(folder)}` goes on"
        )
    a, b = (revisions.again(side) for side in (asked.a, asked.b))
    return _Task(a, b, (asked.a.word, asked.b.word), {}, before, folder)


@contextlib.contextmanager
def _sides(task: _Task) -> Iterator[tuple[Implementation, Implementation]]:
    """Both, checked out where a revision was named. One commit is checked out once."""
    with contextlib.ExitStack() as stack:
        made: dict[tuple[Path, str | None, str], Implementation] = {}
        for each in (task.a, task.b):
            key = each.now.folder.resolve(), each.now.variant, each.commit
            if key not in made:
                is_now = not each.commit
                made[key] = each.now if is_now else stack.enter_context(revision.checked_out(each))
        first, *rest = (
            made[each.now.folder.resolve(), each.now.variant, each.commit]
            for each in (task.a, task.b)
        )
        yield first, rest[0]


def _live(task: _Task, a: Implementation, b: Implementation, form: comparison_table.Form) -> int:
    uncertified = bool(task.given.get("uncertified"))
    if task.before is not None:
        uncertified = bool(task.before.header.get("uncertified"))
    output = task.folder or task.given.get("output")
    building.refuse_unreadable((a, b))
    building.refuse_among_sources(output, (a, b))
    for each in (a, b):
        toolchain.require(each)
        build.build(each, on_output=functools.partial(_tell, each.name, form.quiet))
    labels = _labels(task, a, b)
    asked = _asked(task, a, b, labels)
    made = task.before.plan if task.before else _plan(task, labels)
    implementations = dict(zip(labels, (a, b), strict=True))
    lacking = [
        unit
        for unit in made.units
        if unit.scenario.benchmark not in implementations[unit.implementation].manifest.benchmarks
    ]
    for scenario in dict.fromkeys(unit.scenario for unit in made.units):
        timed_receipts.foresee(scenario)
    target = Path(output or results.new_folder())
    with results.claimed(target):
        if not uncertified:
            for label, each in implementations.items():
                revisions.certify(label, each, target, form.quiet)
        before = gate.whole(resume.find(target), asked) if task.before else None
        job = Job(
            made,
            implementations,
            target,
            before,
            uncertified,
            {pairing.HEADER: asked.model_dump(mode="json")},
            is_wanted=Gate(target / results.TIMINGS, asked, lacking),
        )
        summary, outcome = execution.recorded(job, form.quiet, command="compare")
    assert summary.comparison is not None
    if not _all_judged(summary.comparison):
        outcome = worst([outcome, Outcome.NOT_RUN])
    code = outcome.exit_code
    if outcome is Outcome.PASS and shown.slower(summary.comparison):
        code = SLOWER
    form.tell(summary.comparison, outcome, code, target)
    return code


def _tell(name: str, quiet: bool, line: str) -> None:
    if not quiet:
        show.notices().print(f"{name}: {line}", style="dim")


def _all_judged(of: Compared) -> bool:
    """True if there is a verdict on every row, and there is one at all."""
    return bool(of.rows) and all(row.verdict is not Verdict.NONE for row in of.rows)


def _labels(task: _Task, a: Implementation, b: Implementation) -> tuple[str, str]:
    """The names of both in records. Two that would have the same name are told apart."""
    one, other = revisions.label(a, task.a), revisions.label(b, task.b)
    return (
        (one, other)
        if one != other
        else (revisions.label(a, task.a, "#A"), revisions.label(b, task.b, "#B"))
    )


def _asked(
    task: _Task, a: Implementation, b: Implementation, labels: tuple[str, str]
) -> Comparison:
    sides = [
        revisions.side(word, each, named, label)
        for word, each, named, label in zip(
            task.words, (a, b), (task.a, task.b), labels, strict=True
        )
    ]
    if task.before is not None:
        asked = pairing.read(task.before.header, task.before.folder / results.TIMINGS)
        assert asked is not None
        return asked
    counts = {key: task.given[key] for key in ("pairs", "confirm") if key in task.given}
    return Comparison(a=sides[0], b=sides[1], margin=_margin(task.given), **counts)


def _plan(task: _Task, labels: tuple[str, str]) -> Plan:
    """Every invocation that there could be: those of rows that are not flagged are left out when
    their turn comes."""
    given = task.given
    asked = given.get("pairs", difference.PAIRS) + given.get("confirm", difference.CONFIRM)
    suites = []
    for suite in _suites(given["what"], given):
        entries = [each.model_copy(update={"invocations": None}) for each in suite.benchmarks]
        changed = {"invocations": asked, "benchmarks": entries}
        suites.append(suite.model_copy(update=changed))
    seed = given.get("order_seed")
    if seed is None:
        seed = random.SystemRandom().randrange(2**31)
    return timing_plan.make(suites, labels, seed, asked=True).model_copy(update={"pairs": True})


def _suites(what: tuple[str, ...], given: dict[str, Any]) -> list[Suite]:
    passed = ("scenario", "scale", "iterations", "warmup", "timeout")
    options = {key: given[key] for key in passed if key in given}
    options |= {"pairs": given["parameters"]} if "parameters" in given else {}
    chosen = requested_suites.chosen(what or (DEFAULT_SUITE,), options)
    for suite in chosen:
        for name, entry in suite.named():
            if entry.variant is not None or "variant" in entry.sweep:
                raise SuiteError(
                    f"{name} has a variant of its own, and a comparison has two sides; compare"
                    " NAME and NAME+VARIANT"
                )
    return chosen


def _margin(given: dict[str, Any]) -> float:
    """As a share. Raises UsageError for what is no number."""
    if "within" not in given:
        return difference.MARGIN
    if math.isnan(given["within"]):
        raise click.UsageError("--within nan is no number of percent; give one such as 5")
    return float(given["within"]) / 100
