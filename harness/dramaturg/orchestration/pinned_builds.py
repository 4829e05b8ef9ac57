"""``dramaturg bench --baseline``: builds that are timed beside all others, as their measure."""

import contextlib
import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dramaturg import results
from dramaturg.implementation import build, repository, revision, toolchain
from dramaturg.implementation.manifest import Implementation, find, load
from dramaturg.implementation.revision import Named
from dramaturg.orchestration import revisions
from dramaturg.terminal import show
from dramaturg.timing.planning import baseline, resume
from dramaturg.timing.planning.suites import Suite, SuiteError
from dramaturg.timing.planning.timing_plan import Plan


@dataclass(frozen=True, slots=True)
class Pin:
    """A baseline, before anything is checked out."""

    word: str
    named: Named
    label: str


def asked(words: Iterable[str], chosen: Iterable[Suite], precision: str | None) -> list[Pin]:
    """Return the pins of the command line, and of the suites. Raises SuiteError and
    ManifestError."""
    everything = dict.fromkeys([*words, *(word for suite in chosen for word in suite.pinned)])
    if everything and precision:
        raise SuiteError(
            "--precision plans for each build what it needs, and a pair needs the same of both:"
            " leave out --precision or --baseline"
        )
    pins: dict[str, Pin] = {}
    for word in everything:
        named = revision.named(word)
        label = revisions.label(named.now, named)
        other = pins.setdefault(label, Pin(word, named, label))
        if other.word != word:
            raise SuiteError(f"{other.word} and {word} are both called {label}; pin one of them")
    return list(pins.values())


def again(before: resume.Interrupted) -> list[Pin]:
    """Return the pins of a run that is resumed. Raises ResultsError and ManifestError."""
    sides = baseline.read(before.header, before.folder / results.TIMINGS)
    return [Pin(side.word, revisions.again(side), side.label) for side in sides]


def found(
    made: Plan, named: Iterable[Implementation], places: dict[str, str], pins: Iterable[Pin] = ()
) -> dict[str, Implementation]:
    """The implementations of a plan, by their names there; pinned ones as they lie in their folders
    today. One that lacks the variant of its name is found without: its units are unsupported
    (``timing.runner``). Raises ManifestError."""
    known = {each.name.partition("+")[0]: each for each in named}
    those = {pin.label: pin.named.now for pin in pins}
    for name in dict.fromkeys(unit.implementation for unit in made.units):
        base, _, variant = name.partition("+")
        if name in those:
            continue
        if name in places or base not in known:
            those[name] = find(places.get(name, name))
            continue
        # Its manifest anew: the one that is known is of another variant, or of none.
        has_it = variant in known[base].manifest.variants
        those[name] = load(known[base].folder, variant if has_it else None)
    return those


def refuse_two_of_a_name(pins: Iterable[Pin], others: Mapping[str, Implementation]) -> None:
    """Refuses another implementation with the name of a pinned one. A pinned one may be timed for
    itself as well. Raises SuiteError."""
    for pin in pins:
        other = others.get(pin.label)
        if other is not None and other.folder.resolve() != pin.named.now.folder.resolve():
            raise SuiteError(
                f"{other.folder} and {pin.named.now.folder} are both called {pin.label!r}; pin one"
                " of another name, or a revision"
            )


@contextlib.contextmanager
def checked_out(pins: Sequence[Pin]) -> Iterator[dict[str, Implementation]]:
    """Yield the implementations by their labels. Checkouts of revisions are removed at the end."""
    with contextlib.ExitStack() as stack:
        yield {
            pin.label: stack.enter_context(revision.checked_out(pin.named))
            if pin.named.commit
            else pin.named.now
            for pin in pins
        }


def prepare(
    there: Mapping[str, Implementation], target: Path, uncertified: bool, quiet: bool
) -> None:
    """Build and certify them: nobody else can, where they lie."""
    for label, each in there.items():
        toolchain.require(each)
        build.build(each, on_output=functools.partial(_tell, label, quiet))
        if not uncertified:
            revisions.certify(label, each, target, quiet)


def header(
    pins: Sequence[Pin], made: Plan, implementations: Mapping[str, Implementation]
) -> dict[str, Any]:
    """The fields that records begin with besides: of which commit each build is, and which are
    pinned."""
    commits = {}
    for name in dict.fromkeys(unit.implementation for unit in made.units):
        kept = repository.of(implementations[name])
        if kept:
            commits[name] = {"commit": kept.commit, "modified": kept.modified}
    sides = [
        revisions.side(pin.word, implementations[pin.label], pin.named, pin.label) for pin in pins
    ]
    more = {baseline.HEADER: [side.model_dump(mode="json") for side in sides]} if sides else {}
    return {"commits": commits, **more}


def _tell(name: str, quiet: bool, line: str) -> None:
    if not quiet:
        show.notices().print(f"{name}: {line}", style="dim")
