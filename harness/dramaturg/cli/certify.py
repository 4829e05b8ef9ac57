"""``dramaturg certify``: is this implementation right?"""

import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from dramaturg import meant, paths, results
from dramaturg.certificates import certificate
from dramaturg.cli import completion
from dramaturg.conformance import certification
from dramaturg.control import attached
from dramaturg.control.session import Session
from dramaturg.implementation.manifest import Implementation, available, everybody, find_all
from dramaturg.levels import DISTRIBUTED, LEVELS, OFFERED, REQUIRED
from dramaturg.machine import usermode
from dramaturg.orchestration import (
    building,
    certified_elsewhere,
    certified_in_guest,
    certify_on_change,
    cluster_use,
    guest_kernel,
)
from dramaturg.outcomes import Outcome
from dramaturg.plan import case_plan, earlier_records
from dramaturg.plan.case_plan import Plan
from dramaturg.report.report_files import write_all
from dramaturg.standing import Certification, Standing
from dramaturg.terminal import case_lines, show
from dramaturg.visible import quoted


@click.command()
@click.argument("implementations", nargs=-1, shell_complete=completion.implementations)
@click.option("--all", "everything", is_flag=True, help="All implementations there are.")
@click.option(
    "--level",
    "levels",
    type=click.Choice([str(level) for level in OFFERED]),
    multiple=True,
    help="Only this level; may be repeated. Certified takes 0 to 3; 4 emulates a network.",
)
@click.option(
    "--connect",
    metavar="unix:PATH",
    help="Use a process that listens there already, perhaps in a debugger, or at HOST:PORT;"
    " certifies nothing.",
)
@click.option(
    "--cases",
    "case_file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A case file of your own instead of the specification's; certifies nothing.",
)
@click.option(
    "--last-failed",
    "--lf",
    is_flag=True,
    help="Only what failed or was not run, by the last records below results/; all if nothing did.",
)
@click.option(
    "--watch",
    "watched",
    is_flag=True,
    help="Go on: build and run again what failed whenever sources change. Ctrl-C ends it.",
)
@click.option(
    "--kernel",
    "kernel_asked",
    type=click.Choice([usermode.ASKED]),
    help="Inside User-Mode Linux, which has delay and loss: docs/user-mode-linux.md.",
)
@click.option("--dry-run", is_flag=True, help="Print what would be performed, and start nothing.")
@click.option("--output", type=show.FOLDER, help="Folder for the results.")
@show.cluster_options
@show.json_option
def certify(
    implementations: tuple[str, ...],
    everything: bool,
    levels: tuple[str, ...],
    connect: str | None,
    case_file: Path | None,
    last_failed: bool,
    watched: bool,
    kernel_asked: str | None,
    dry_run: bool,
    output: Path | None,
    cluster: str | None,
    cluster_tls: Path | None,
    as_json: bool,
) -> None:
    """Check implementations against the specification, case by case.

    IMPLEMENTATIONS are names, or paths of folders, wherever they lie. A word after a plus is a
    variant: `erlang+NAME`, or `.+NAME` in the implementation's own folder.

    Cases run side by side on several cores. Words after `--` go to pytest: -k, -x, --junitxml
    work, and -n 0 runs one case after the other.

    \b
    Examples:
      dramaturg certify reference erlang
      dramaturg certify caf+sharing --level 3
      dramaturg certify erlang -- -k late-joiner -x
      dramaturg certify erlang --last-failed
      dramaturg certify erlang --watch --level 1
      dramaturg certify erlang --level 4 --dry-run
      dramaturg certify erlang --level 4 --kernel uml -- -k delay-and-loss
      dramaturg certify reference --connect unix:/tmp/reference.sock
      dramaturg certify erlang --cases conformance/endurance/large.yaml
      dramaturg certify --all --cluster slurm:4
    """
    names, arguments = _split(implementations)
    if everything:
        names = [each.designation for each in everybody()]
    if not names:
        raise click.UsageError(
            f"name an implementation, or --all; there are: {', '.join(available())}"
        )
    if connect is not None and len(names) != 1:
        raise click.UsageError("--connect takes exactly one implementation")
    if connect is not None and str(DISTRIBUTED) in levels:
        raise click.UsageError("--connect is to one process; level 4 takes several")
    if watched and (as_json or dry_run or connect is not None):
        raise click.UsageError("--watch goes without --json, --dry-run and --connect")
    cluster_use.refuse_odd(cluster, cluster_tls)
    if cluster is not None and (watched or connect is not None):
        raise click.UsageError("--cluster goes without --watch and --connect")
    if cluster is not None and (odd := [word for word in _options(arguments) if word != "-k"]):
        raise click.UsageError(f"--cluster takes -k alone behind the --; not {odd[0]}")
    if kernel_asked is not None:
        _refuse_odd_inside(arguments, others=watched or connect is not None or cluster is not None)
        # Inside it is root, and has a network whatever there is outside.
        levels = levels or tuple(map(str, OFFERED))
    chosen = find_all(names)
    building.refuse_unreadable(chosen)
    building.refuse_among_sources(output, chosen)
    usual, left_out = certification.usual_levels(chosen)
    if connect is not None:
        usual, left_out = list(REQUIRED), ""
    wanted = [int(level) for level in levels] or usual
    run = _Run(arguments, "" if levels else left_out, output, as_json)
    made = case_plan.make(chosen, wanted, case_file)
    if kernel_asked is not None and not dry_run:
        words = _Words(names, wanted, case_file, last_failed, as_json, arguments)
        sys.exit(_inside(chosen, words, output))
    _tell_if_nothing_is_left(made, _left(made, arguments), arguments)
    first = _again(made, output) if last_failed else made
    if dry_run:
        _list(_left(first, arguments), as_json)
        return
    if watched:
        sys.exit(certify_on_change.watch(names, wanted, case_file, first, run.select, run.perform))
    if cluster is not None:
        with cluster_use.opened(cluster, cluster_tls, chosen) as hosts:
            elsewhere = certified_elsewhere.performer(hosts, cluster_use.tell)
            done = run.perform(first, elsewhere=elsewhere)
        sys.exit(done.exit_code)
    if connect is None:
        with building.builds(chosen, as_json):
            done = run.perform(first)
        sys.exit(done.exit_code)
    with attached.attached(chosen[0], connect, show.notices().print) as session:
        sys.exit(run.perform(first, session).exit_code)


@dataclass(frozen=True)
class _Run:
    """The performance of a plan, and its display, once or more often."""

    arguments: list[str]
    left_out: str
    output: Path | None
    as_json: bool

    def select(self, made: Plan) -> Plan:
        """The part of the plan that pytest's words leave."""
        return _left(made, self.arguments)

    def perform(
        self,
        made: Plan,
        connected: Session | None = None,
        elsewhere: certification.Perform | None = None,
    ) -> Certification:
        """Perform it, write what is known of it, and print that."""
        left, chosen = self.select(made), made.implementations
        folder = self.output or results.new_folder()
        with results.claimed(folder), show.progress(self.as_json) as bar:
            done = certification.certify(
                made,
                folder,
                pytest_arguments=self.arguments,
                connected=connected,
                elsewhere=elsewhere,
                left_out=self.left_out,
                watch=case_lines.watcher(bar, "certify", len(left.items), self.as_json),
            )
            write_all(folder)
            refused = certificate.issue(done, chosen, building.described)
        file = folder / results.CERTIFICATE
        if self.as_json:
            standings = {name: standing.to_dict() for name, standing in done.standings.items()}
            document = {
                "implementations": standings,
                "results": str(folder),
                "certificate": str(file) if file.exists() else None,
                "not_in_certificate": refused,
                "errors": done.errors,
                "interrupted": done.interrupted,
                "left_out": self.left_out,
                "exit_code": done.exit_code,
            }
            show.print_json(document)
        else:
            # If nothing is distributed, each implementation has said so with its reason.
            some = any(each.manifest.distributed for each in chosen)
            _print(done, folder, self.left_out if some else "")
            _print_certificate(file, refused)
        return done


@dataclass(frozen=True)
class _Words:
    """The words of a command that is carried out inside another kernel."""

    names: list[str]
    levels: list[int]
    case_file: Path | None
    last_failed: bool
    as_json: bool
    arguments: list[str]

    def with_results_in(self, folder: Path) -> list[str]:
        """Return them, with the folder for the results."""
        return [
            *(word for level in self.levels for word in ("--level", str(level))),
            *(["--cases", str(self.case_file)] if self.case_file is not None else []),
            *(["--last-failed"] if self.last_failed else []),
            *("--output", str(folder)),
            *(["--json"] if self.as_json else []),
            *self.names,
            *(["--", *self.arguments] if self.arguments else []),
        ]


def _refuse_odd_inside(arguments: list[str], *, others: bool) -> None:
    """Raises UsageError for ``others``, options that do not go with --kernel, and for words whose
    files would be written to memory."""
    if others:
        raise click.UsageError("--kernel goes without --watch, --connect and --cluster")
    if odd := [word for word in _options(arguments) if word not in ("-k", "-x", "-v", "-n")]:
        raise click.UsageError(f"--kernel takes -k, -x, -v and -n behind the --; not {odd[0]}")


def _inside(chosen: list[Implementation], words: _Words, output: Path | None) -> int:
    """Have it carried out inside User-Mode Linux; return the exit code."""
    kernel = guest_kernel.found()
    folder = output or results.new_folder()
    with results.claimed(folder):
        said = words.with_results_in(folder)
        return certified_in_guest.certify(chosen, said, folder, kernel, words.as_json)


def _again(made: Plan, output: Path | None) -> Plan:
    """The part of the plan that had not passed before; says so on standard error."""
    folders = [*paths.results().glob("*"), *([] if output is None else [output])]
    found = earlier_records.unsettled(made, folders)
    show.notices().print(found.said)
    return found.plan


def _split(words: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Implementations, and what is meant for pytest: all from the first option on."""
    place = next((at for at, word in enumerate(words) if word.startswith("-")), len(words))
    return list(words[:place]), list(words[place:])


def _options(words: list[str]) -> list[str]:
    """Return the options among words for pytest."""
    return [word for word in words if word.startswith("-")]


def _left(made: Plan, words: list[str]) -> Plan:
    """The part of the plan that pytest's words leave."""
    try:
        return certification.selected(made, words) if words else made
    except ValueError as error:
        said = f"pytest says: {error}; options of certify go before the --"
        raise click.UsageError(said) from None


def _tell_if_nothing_is_left(made: Plan, left: Plan, words: list[str]) -> None:
    """Words that match no case would otherwise look like cases that were not run."""
    if left.items or not made.items:
        return
    word = next((after for before, after in pairwise(words) if before == "-k"), "")
    names = {item.case.name for item in made.items} | {item.case.benchmark for item in made.items}
    show.notices().print(
        f"dramaturg: {' '.join(words)} matches none of the {len(made.items)} cases that are"
        f" planned{meant.hint(word, sorted(names)) or ';'} --dry-run without it lists them"
    )


def _list(left: Plan, as_json: bool) -> None:
    planned = [item.path for item in left.items]
    if as_json:
        show.print_json({"planned": planned})
    else:
        show.console().print("\n".join(planned) or "nothing is planned")


def _print(done: Certification, folder: Path, left_out: str) -> None:
    table = Table("", "", box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="dim")
    for column in table.columns:
        column.no_wrap = True
    for number in OFFERED:
        table.add_column(LEVELS[number], no_wrap=True)
    for name, standing in done.standings.items():
        table.add_row(name, _verdict(standing), *(_level(standing, number) for number in OFFERED))
    console = show.console()
    console.print(table)
    for standing in done.standings.values():
        if standing.remark:
            console.print(f"{standing.implementation}: {quoted(standing.remark)}")
        for case, outcome in standing.excused.items():
            said = f"{case}: {outcome}; recommended"
            console.print(f"{standing.implementation} {said}")
        for problem in standing.manifest_problems:
            console.print(f"{standing.implementation}: {quoted(problem)}")
        for common in case_lines.summed_up(standing.records):
            console.print(f"{standing.implementation}: {common}")
        if standing.hosts:
            console.print(f"{standing.implementation} was performed on {', '.join(standing.hosts)}")
        if standing.unsupported:
            listed = ", ".join(standing.unsupported)
            console.print(f"{standing.implementation} does not implement: {listed}")
        if standing.undistributed:
            listed = ", ".join(standing.undistributed)
            reason = (
                f": {quoted(standing.undistributed_reason)}"
                if standing.undistributed_reason
                else ""
            )
            line = f"{standing.implementation} does not distribute {listed}{reason}"
            console.print(line)
        for benchmark, reason in standing.several_cores.items():
            line = (
                f"{standing.implementation} needs several cores for {benchmark}: {quoted(reason)}"
            )
            console.print(line)
    for error in done.errors:
        console.print(f"harness fault: {quoted(error)}")
    idle = [name for number, name in LEVELS.items() if number not in OFFERED]
    console.print(f"\nnot run: {', '.join(idle)}, which `dramaturg bench` judges")
    if left_out:
        console.print(f"not run: {left_out}")
    console.print(f"results in {folder}")


def _verdict(standing: Standing) -> Text:
    if standing.certified:
        return show.styled(("certified", "bold green"))
    records = standing.records
    if records and all(record.outcome is Outcome.PASS or record.excused for record in records):
        rest = f", which certifies nothing: {', '.join(standing.obstacles)}"
        return show.styled(
            (f"{sum(record.outcome is Outcome.PASS for record in records)} passed", "bold green"),
            rest,
        )
    return show.styled(("not certified", "bold red"), f": {standing.outcome}")


def _print_certificate(file: Path, refused: dict[str, str]) -> None:
    console = show.console()
    if file.exists():
        console.print(f"certificate {file}")
    for name, why in refused.items():
        console.print(f"no certificate for {name}: {quoted(why)}")


def _level(standing: Standing, number: int) -> Text:
    """``13/13``, or the outcome of a level without cases."""
    level = standing.level(number)
    outcome = Outcome(level["outcome"])
    passed = f"{level['outcomes'].get('pass', 0)}/{level['cases']}"
    count = passed if level["cases"] else str(outcome)
    return show.styled((count, case_lines.STYLES.get(outcome, "yellow")))
