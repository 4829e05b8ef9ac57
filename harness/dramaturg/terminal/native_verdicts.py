"""``dramaturg mutants --native``: the same of the real implementations, built and timed."""

import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from dramaturg import files, meant, results
from dramaturg.levels import LEVELS
from dramaturg.mutation import built_before, kills, traceability
from dramaturg.mutation.native_mutants import Judged, Kind, Member, Wrong, everybody, perform
from dramaturg.mutation.reference_mutants import Caught
from dramaturg.outcomes import worst
from dramaturg.terminal import show

JOBS = 1
"""Languages at a time, unless somebody says otherwise: a timed one uses all cores."""

Elsewhere = Callable[[Sequence[Member], Path, Callable[[Judged], None]], list[Judged]]
"""Has them judged by others, who are told of here as they come."""

JUDGED = "native.jsonl"
"""The file of the results folder with a line for each mutant that was judged."""


def run(
    names: Sequence[str],
    which: str | None,
    jobs: int | None,
    record: bool,
    output: Path | None,
    as_json: bool,
    elsewhere: Elsewhere | None = None,
) -> None:
    """Judge those that are named, by language or by name, or everybody; ends the program. With
    ``elsewhere`` hosts of a cluster do it."""
    members = chosen(everybody(), names, which)
    folder = output or results.new_folder()
    folder.mkdir(parents=True, exist_ok=True)
    sums = {each.name: built_before.sum_of(each) for each in everybody()} if record else {}
    start = time.monotonic()
    with show.progress(as_json) as bar:
        task = bar.add_task("mutants", total=len(members))

        def watch(judged: Judged) -> None:
            # As they come, so that who was judged before an end that nobody planned stays known.
            with files.naming(folder / JUDGED), (folder / JUDGED).open("a") as lines:
                lines.write(json.dumps(judged.to_dict()) + "\n")
            bar.update(task, advance=1, description=judged.member.name)
            if not as_json and (judged.departs or not judged.was_run):
                said = judged.departs or f"not run: {judged.judged.verdict.message}"
                line = f"{judged.member.name}: {said}"
                bar.console.print(line, markup=False, soft_wrap=True)

        if elsewhere is not None:
            done = elsewhere(members, folder, watch)
        else:
            done = perform(members, folder, jobs or JOBS, watch)
    seconds = time.monotonic() - start
    if record:
        kills.record(
            (
                (f"native/{each.member.name}", each.judged)
                for each in done
                if each.was_run and isinstance(each.judged, Caught)
            ),
            (name for name, _ in traceability.broken()),
        )
        built_before.record(done, sums)
    outcome = worst(judged.outcome for judged in done)
    if as_json:
        document = {
            "mutants": [each.to_dict() for each in done if isinstance(each.judged, Caught)],
            "equivalents": [each.to_dict() for each in done if not isinstance(each.judged, Caught)],
            **index(done),
            "seconds": round(seconds, 1),
            "results": str(folder),
            "exit_code": outcome.exit_code,
        }
        show.print_json(document)
    else:
        show_table(done, seconds)
    sys.exit(outcome.exit_code)


def chosen(members: list[Member], names: Sequence[str], which: str | None) -> list[Member]:
    """Return the members that these words mean: a language, ``language/name``, or a name in any
    language."""
    kinds = {"mutants": (True,), "equivalents": (False,)}.get(which or "", (True, False))
    members = [each for each in members if isinstance(each.entry, Wrong) in kinds]
    unknown = set(names).difference(*(each.called for each in members))
    if unknown:
        near = meant.hint(min(unknown), set().union(*(each.called for each in members))) or ";"
        raise click.UsageError(
            f"nobody is called {', '.join(sorted(unknown))}{near} see"
            " conformance/mutants/native/*/expected.yaml"
        )
    return [each for each in members if not names or each.called & set(names)]


def index(done: Sequence[Judged]) -> dict[str, Any]:
    """The mutants that were killed, by level and by kind, and those that were not run."""
    wrong = [each for each in done if isinstance(each.judged, Caught)]
    right = [each for each in done if not isinstance(each.judged, Caught)]
    return {
        "killed": len(killed(wrong)),
        "total": len(wrong),
        "refused": sum(bool(each.departs) for each in right),
        "not_run": [each.member.name for each in done if not each.was_run],
        "by_level": {
            str(level): {"name": name, "killed": [each.member.name for each in here]}
            for level, name in LEVELS.items()
            if (here := [each for each in killed(wrong) if each.judged.verdict.level == level])
        },
        "by_kind": {
            str(kind): {
                language: {"killed": len(killed(here)), "total": len(here)}
                for language in languages(done)
                if (here := _of(wrong, kind, language))
            }
            for kind in Kind
        },
    }


def killed(done: Sequence[Judged]) -> list[Judged]:
    return [each for each in done if isinstance(each.judged, Caught) and each.judged.killed]


def languages(done: Sequence[Judged]) -> list[str]:
    return sorted({each.member.language for each in done})


def _of(wrong: Sequence[Judged], kind: Kind, language: str) -> list[Judged]:
    return [
        each
        for each in wrong
        if isinstance(each.member.entry, Wrong)
        and (each.member.entry.kind, each.member.language) == (kind, language)
    ]


def show_table(done: Sequence[Judged], seconds: float) -> None:
    """The index, for people."""
    console = show.console()
    found = index(done)
    there = languages(done)
    by_level = Table("level", *there, box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for level, row in found["by_level"].items():
        counts = [sum(name.startswith(f"{each}/") for name in row["killed"]) for each in there]
        by_level.add_row(f"{level} {row['name']}", *map(str, counts))
    by_kind = Table("kind", *there, box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for kind, row in found["by_kind"].items():
        cells = [f"{row[e]['killed']}/{row[e]['total']}" if e in row else "" for e in there]
        by_kind.add_row(kind, *cells)
    console.print(by_level)
    console.print(by_kind)
    right = len(done) - found["total"]
    console.print(f"{found['killed']} of {found['total']} mutants killed", markup=False)
    console.print(f"{found['refused']} of {right} equivalents refused", markup=False)
    if found["not_run"]:
        console.print(f"{len(found['not_run'])} not run", markup=False)
    console.print(f"{seconds:.0f} s", markup=False)
