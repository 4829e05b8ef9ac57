"""``dramaturg claims``: what studies claimed, and what came of it."""

import hashlib
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import yaml
from rich.table import Table
from rich.text import Text

from dramaturg import files, paths
from dramaturg.claims import (
    catalogue,
    claim_verdicts,
    handed_results,
    picture,
    reproduction_page,
    runs,
)
from dramaturg.claims.catalogue import ClaimsError
from dramaturg.claims.claim_verdicts import Judgement
from dramaturg.claims.decide import Verdict
from dramaturg.claims.reproduction_page import Wanted
from dramaturg.orchestration import wanted_claims
from dramaturg.processes import confined, git
from dramaturg.processes.confined import Limits
from dramaturg.terminal import show
from dramaturg.terminal.dry_run import spelt
from dramaturg.visible import line

_READER = f"{handed_results.__name__}:read"

PAGE = paths.ROOT / "docs" / "reproduction.md"
PICTURE = PAGE.parent / reproduction_page.PICTURE

_STYLES = {
    Verdict.CONFIRMED: "green",
    Verdict.REFUTED: "red",
    Verdict.NOT_DECIDED: "yellow",
}


@click.command()
@click.argument("results", nargs=-1, type=click.Path(path_type=Path, file_okay=False))
@click.option("--record", is_flag=True, help="Keep what verdicts need of RESULTS in claims/runs.")
@click.option(
    "--remark", default="", help="A remark on how RESULTS were measured, to stand at verdicts."
)
@click.option("--update", is_flag=True, help="Write docs/reproduction.md from the recorded runs.")
@click.option(
    "--wanting", is_flag=True, help="Only what needs a bigger machine, with the command for each."
)
@click.option("--check", is_flag=True, help="Say whether that page is up to date; exit 1 if not.")
@show.json_option
def claims(
    results: tuple[Path, ...],
    record: bool,
    remark: str,
    update: bool,
    check: bool,
    wanting: bool,
    as_json: bool,
) -> None:
    """Judge what studies claimed, from results folders or the recorded runs.

    The claims stand in claims/claims.yaml, as predicates. Results count if they are complete
    and certified, of one version of the harness, and if the predicate was committed before they
    were measured. Each is decided on one machine, the last that has all of it.

    \b
    Examples:
      dramaturg claims
      dramaturg claims results/20240131-120000 --json | jq '.claims[] | {id, verdict}'
      dramaturg claims results/20240131-120000 --record
      dramaturg claims --update
      dramaturg claims --check
      dramaturg claims --wanting
    """
    if wanting and (update or check or record or results):
        raise click.UsageError("--wanting is of the recorded runs, and goes without other options")
    if update and check:
        raise click.UsageError("one of --update and --check")
    if (update or check) and results and not record:
        raise click.UsageError("the page is of recorded runs: give RESULTS with --record, or none")
    if record and not results:
        raise click.UsageError("--record takes the results folders to be recorded")
    if remark and (not record or len(remark) > runs.LONGEST_REMARK):
        raise click.UsageError(
            f"--remark goes with --record, and has up to {runs.LONGEST_REMARK} characters"
        )
    if not paths.IN_CLONE and (record or update or check or not results):
        raise click.UsageError(
            "recorded runs and their page are in a clone of the repository; here, give RESULTS"
        )
    try:
        known = catalogue.load()
        found = [handed_results.opened(_read(folder), claims_at) for folder in results]
        if record:
            runs.together([*_others(found), *found])
            for run in (each.model_copy(update={"remark": remark}) for each in found):
                show.notices().print(f"recorded {_named(runs.keep(run, runs.FOLDER))}")
        chosen = runs.together(found) if results and not record else runs.recorded(runs.FOLDER)
        judgement = claim_verdicts.judge(known, chosen, claim_verdicts.digest_of(catalogue.FILE))
    except ClaimsError as error:
        raise click.ClickException(str(error)) from None
    wanted = wanted_claims.wanted(judgement) if paths.IN_CLONE else []
    if wanting:
        _want(wanted_claims.estimated(wanted, known), as_json)
        return
    stale = _stale(judgement, known.commands, wanted)
    if update:
        for file, text in stale.items():
            _put(file, text)
    if as_json:
        more = {"stale": sorted(map(_named, stale)), "written": update} if update or check else {}
        show.print_json(judgement.model_dump(mode="json") | more)
    elif update or check:
        for file in stale:
            said = "written" if update else "is out of date: `dramaturg claims --update`"
            click.echo(f"{_named(file)} {said}")
        click.echo(f"{len(judgement.claims)} claims, {len(judgement.runs)} runs")
    else:
        _print(judgement)
    sys.exit(1 if check and stale else 0)


def _read(folder: Path) -> dict[str, Any]:
    """Read it by a process with limits. Raises ResultsError."""
    told: dict[str, Any] = confined.read(
        _READER, folder, {"folder": str(folder)}, Limits.of(folder)
    )
    return told


def claims_at(revision: str) -> tuple[str, list[str]] | None:
    """The digest of ``claims.yaml`` as committed there, and those of its predicates. None where
    git does not say. If there is no such file, or one that cannot be read any more, nothing was
    written before."""
    known = re.fullmatch("[0-9a-f]{7,64}", revision) and paths.IN_CLONE
    if not known or git.ask(paths.ROOT, "cat-file", "-t", revision) is None:
        return None
    name = catalogue.FILE.relative_to(paths.ROOT)
    said = git.ask(paths.ROOT, "cat-file", "blob", f"{revision}:{name}")
    if said is None:
        return "", []
    digest = hashlib.sha256(said).hexdigest()
    try:
        then = catalogue.checked(yaml.safe_load(said), f"{revision}:{name}")
    except (ClaimsError, yaml.YAMLError, ValueError, RecursionError):
        return digest, []
    return digest, sorted(then.digests())


def _others(found: list[runs.Run]) -> list[runs.Run]:
    """The recorded runs, without those that are recorded once more."""
    again = {run.digest for run in found}
    return [run for run in runs.recorded(runs.FOLDER) if run.digest not in again]


def _want(found: Sequence[wanted_claims.Estimated], as_json: bool) -> None:
    """Show claims by the results of this machine; nothing is started."""
    if as_json:
        show.print_json({"wanting": [each.to_dict() for each in found]})
        return
    table = Table(
        "claim", "", "here", "command", "invocations", "estimate", "at most", "memory", box=None
    )
    for each in found:
        known = each.unknown < each.wanted.invocations
        least = "at least " if each.unknown else ""
        table.add_row(
            each.wanted.claim,
            each.wanted.needs,
            each.lacks or "decidable",
            each.wanted.command,
            str(each.wanted.invocations),
            f"{least}{spelt(each.seconds)}" if known else "-",
            spelt(each.wanted.seconds),
            f"{each.wanted.memory / 1024:.0f} GiB" if each.wanted.memory else "-",
        )
    show.console(200).print(table)


def _stale(judgement: Judgement, commands: list[str], wanted: Sequence[Wanted]) -> dict[Path, str]:
    """The contents that the page and its picture should have, for each that has others."""
    expected = {
        PAGE: reproduction_page.text(judgement, commands, wanted),
        PICTURE: picture.drawing(judgement),
    }
    return {
        file: text
        for file, text in expected.items()
        if text != (file.read_text(encoding="utf-8") if file.exists() else "")
    }


def _put(file: Path, text: str) -> None:
    if text:
        files.write_text(file, text)
    else:
        file.unlink(missing_ok=True)


def _named(file: Path) -> str:
    return os.path.relpath(file, paths.ROOT)


def _print(judgement: Judgement) -> None:
    table = Table("", "verdict", "measured", "", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for claim in judgement.claims:
        parts = claim.predicates if len(claim.predicates) > 1 else []
        only = claim.predicates[0] if len(claim.predicates) == 1 else None
        measured = [reproduction_page.spelt(figure) for figure in only.figures] if only else []
        why = "" if parts else claim.reason
        table.add_row(claim.id, _styled(claim.verdict), "\n".join(measured), line(why))
        for each in (*parts, *claim.explanations):
            measured = [reproduction_page.spelt(figure) for figure in each.figures]
            table.add_row(
                f"  {each.id}", _styled(each.verdict), "\n".join(measured), line(each.reason)
            )
    console = show.console(180)
    console.print(table)
    for run in judgement.runs:
        console.print(line(f"{run['name']}: {', '.join(run['suites'])}, {run['started']}"))
    if not judgement.runs:
        console.print("no run is recorded: give RESULTS, or record some (docs/reproduction.md)")


def _styled(verdict: Verdict) -> Text:
    return show.styled((str(verdict), _STYLES.get(verdict, "")))
