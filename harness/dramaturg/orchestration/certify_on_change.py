"""``dramaturg certify --watch``: from a saved file to a verdict, again and again."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import watchfiles

from dramaturg.errors import ControlError
from dramaturg.implementation import build, toolchain
from dramaturg.implementation.manifest import Implementation, find_all
from dramaturg.outcomes import INTERRUPTED, Outcome
from dramaturg.plan import case_plan, earlier_records
from dramaturg.plan.case_plan import Plan
from dramaturg.standing import Certification
from dramaturg.terminal import show
from dramaturg.visible import quoted

STEP = 50
"""Milliseconds without another change after which a change counts: editors write a file in
several steps."""

FIRST_LOOK = 300
"""Milliseconds after which is looked once more, for what changed before anybody watched."""

_Perform = Callable[[Plan], Certification]
_Select = Callable[[Plan], Plan]


def watch(
    names: Sequence[str],
    levels: Sequence[int],
    case_file: Path | None,
    first: Plan,
    select: _Select,
    perform: _Perform,
) -> int:
    """Perform what ``select`` takes of ``first``, and again what did not pass whenever a build's
    inputs change; once it passes, all of these levels. Returns, at Ctrl-C, the exit code of the
    last verdict."""
    chosen: Sequence[Implementation] = first.implementations
    wanted, code = first, Outcome.NOT_RUN.exit_code
    try:
        while True:
            seen = _digests(chosen)
            if _built(chosen):
                done = perform(wanted)
                code = done.exit_code
                if done.interrupted:
                    return INTERRUPTED
                left = _left(select(wanted), done)
                if not left and not wanted.whole and _digests(chosen) == seen:
                    show.notices().print("all that had failed passes: all cases once more")
                    wanted = case_plan.make(chosen, levels, case_file)
                    continue
                if left and len(left) < len(select(wanted).items):
                    wanted = wanted.only(left, earlier_records.PART)
            chosen = _changed(names, chosen, seen)
            wanted = _anew(case_plan.make(chosen, levels, case_file), wanted)
    except KeyboardInterrupt:
        show.notices().print("no longer watching; nothing runs any more")
        return code


def _changed(
    names: Sequence[str], chosen: Sequence[Implementation], seen: list[str]
) -> list[Implementation]:
    """Wait until they are other than those seen, and have manifests that can be read."""
    while True:
        listed = ", ".join(each.name for each in chosen)
        show.notices().print(f"watching the sources of {listed}; Ctrl-C ends it", style="dim")
        _until_changed(chosen, seen)
        try:
            return find_all(names)
        except ControlError as error:
            _complain(error)
            seen = _digests(chosen)


def _anew(made: Plan, wanted: Plan) -> Plan:
    """The part of a new plan that was wanted of the one before."""
    paths = {item.path for item in wanted.items}
    there = [item.path for item in made.items if item.path in paths]
    return made if wanted.whole or not there else made.only(there, earlier_records.PART)


def _left(wanted: Plan, done: Certification) -> list[str]:
    """The items of what was performed that did not pass."""
    records = [record for standing in done.standings.values() for record in standing.records]
    last = {earlier_records.path_of(record): record for record in records}
    return [item.path for item in wanted.items if not earlier_records.passed(last.get(item.path))]


def _built(chosen: Iterable[Implementation]) -> bool:
    """Build all, and return whether they are built now; each that cannot be is reported once."""
    built = True
    for each in chosen:

        def tell(line: str, name: str = each.name) -> None:
            show.notices().print(f"{name}: {line}", style="dim")

        try:
            toolchain.require(each)
            build.build(each, on_output=tell)
        except ControlError as error:
            _complain(error)
            built = False
    return built


def _complain(error: ControlError) -> None:
    show.notices().print(quoted(str(error)), style="bold red")


def _digests(chosen: Iterable[Implementation]) -> list[str]:
    """Return the digests of these builds. An implementation that cannot be digested is like nothing
    else but itself."""
    found = []
    for each in chosen:
        try:
            found.append(build.digest(each))
        except (ControlError, OSError) as error:
            found.append(f"unknown ({error})")
    return found


def _folders(implementation: Implementation) -> list[Path]:
    """Return the folders of its sources."""
    own = implementation.folder.resolve()
    return [own, *(own.parent / name for name in implementation.manifest.build.beside)]


def _until_changed(chosen: Sequence[Implementation], seen: list[str]) -> None:
    """Return when these builds would be others than those seen.

    Only the digest says whether a change counts, never its path: a build that links its sources
    into its folder, as rebar3 does, has them change there.
    """
    folders = sorted({folder for each in chosen for folder in _folders(each) if folder.is_dir()})
    looked = False
    for changes in watchfiles.watch(
        *folders,
        watch_filter=None,
        step=STEP,
        rust_timeout=FIRST_LOOK,
        yield_on_timeout=True,
        raise_interrupt=True,
    ):
        if (changes or not looked) and _digests(chosen) != seen:
            return
        looked = looked or not changes
