"""Builds of revisions, as commands that time several of one name call and certify them."""

import sys
from pathlib import Path

from dramaturg.conformance import certification
from dramaturg.implementation import build, repository, revision
from dramaturg.implementation.manifest import Implementation
from dramaturg.implementation.revision import Named
from dramaturg.levels import REQUIRED
from dramaturg.outcomes import Outcome
from dramaturg.plan import case_plan as cases
from dramaturg.terminal import case_lines, show
from dramaturg.timing.planning.pairing import Side
from dramaturg.visible import quoted

CERTIFICATION = "certification"
"""Folder of the results in which their cases are."""


def again(of: Side) -> Named:
    """A name may mean another commit by now; that which was timed is what counts."""
    found = revision.named(of.word)
    return Named(found.now, found.revision, of.commit) if of.revision else found


def label(each: Implementation, named: Named, mark: str = "") -> str:
    """``erlang@HEAD~3+sharing``: the word behind the plus is its variant, as everywhere."""
    shown = named.commit[:12] if "+" in named.revision else named.revision
    at = f"{revision.SEPARATOR}{shown}" if shown else ""
    variant = f"+{each.variant}" if each.variant else ""
    return f"{each.manifest.name}{at}{mark}{variant}"


def side(word: str, each: Implementation, named: Named, called: str) -> Side:
    """The side of a comparison, as records describe it."""
    kept = None if named.commit else repository.of(each)
    return Side(
        label=called,
        word=word,
        build=build.digest(each),
        commit=named.commit or (kept.commit if kept else ""),
        modified=bool(kept and kept.modified),
        revision=named.revision,
    )


def certify(called: str, each: Implementation, target: Path, quiet: bool) -> None:
    """Unless this very build is certified here. Ends the command for one that does not pass."""
    if certification.is_certified(each):
        return
    folder = target / CERTIFICATION / called.replace("/", "_")
    made = cases.make([each], list(REQUIRED))
    with show.progress(quiet) as bar:
        watch = case_lines.watcher(bar, f"certify {called}", len(made.items), quiet)
        done = certification.certify(made, folder, watch=watch)
    if done.interrupted:
        raise KeyboardInterrupt
    if not certification.is_certified(each):
        why = "; ".join([*done.errors, *done.standings[each.name].obstacles])
        show.notices().print(
            f"dramaturg: {called} is not certified, and what is not known to be right is not timed"
            f" (LEVEL-16): {quoted(why)}; its cases are in {folder}; --uncertified times it all the"
            " same"
        )
        sys.exit(done.exit_code or Outcome.NOT_RUN.exit_code)
