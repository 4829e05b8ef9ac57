"""A comparison, summed up from its records (docs/comparing.md)."""

import re
from collections.abc import Iterator
from pathlib import Path

from dramaturg import results
from dramaturg.report import formatting
from dramaturg.report.summary import Compared, ComparedRow, ComparedSide
from dramaturg.results import Recorded
from dramaturg.timing.planning import pairing
from dramaturg.timing.planning.pairing import Comparison, Judged, Side
from dramaturg.timing.statistics import difference
from dramaturg.timing.statistics.difference import Verdict

PAIRED = (
    "Each pair is one invocation of both, back to back. A row is flagged at"
    f" {difference.FLAG * 100:g} %; fresh pairs of it decide at {difference.DECIDE * 100:g} %, and"
    " these alone: the first are then in no figure. Intervals are those of the test that decided,"
    " by signed ranks."
)

ALIKE = (
    "A and B are one build (A/A): a difference that is shown is a false alarm, or comes of how and"
    " where they are run."
)

UNLIKE = (
    "What an implementation does beyond the chapters is part of its time. docs/fair-pairs.md lists"
    " it for Dramaturg's own implementations."
)


def compared(folder: Path, timed: Recorded) -> Compared | None:
    """The comparison that the header asks for, judged; None if it asks for none. Raises
    ResultsError."""
    asked = pairing.read(timed.header, folder / results.TIMINGS)
    if asked is None:
        return None
    return Compared(
        a=_side(asked.a),
        b=_side(asked.b),
        paired=True,
        method=PAIRED,
        margin=asked.margin,
        rows=[row(judged, asked.margin) for judged in pairing.judge(timed, asked)],
        notes=list(_notes(asked)),
    )


def figured(folder: Path, timed: Recorded) -> Recorded:
    """The records that figures are of: if fresh pairs decide, the samples of these. The others were
    chosen for their looks. Invalid samples stay, since they are listed. Raises ResultsError."""
    asked = pairing.read(timed.header, folder / results.TIMINGS)
    if asked is None:
        return timed
    fresh = set.intersection(
        *(
            {
                unit.what
                for unit in timed.units
                if unit.implementation == label
                and asked.pairs <= (unit.invocation or 0) < asked.invocations
            }
            for label in asked.labels
        )
    )
    samples = [
        sample
        for sample in timed.samples
        if sample.invocation >= asked.pairs or sample.what not in fresh or not sample.valid
    ]
    return timed.model_copy(update={"samples": samples})


def row(judged: Judged, margin: float) -> ComparedRow:
    """As a summary has it."""
    found = judged.found
    return ComparedRow(
        **judged.called,
        network=judged.network,
        verdict=found.verdict,
        said=said(found.verdict, margin),
        why=found.why,
        ratio=found.ratio,
        low=found.low,
        high=found.high,
        level=found.level,
        pairs=found.pairs,
        confirmed=found.confirmed,
        first=judged.first,
        fresh=judged.fresh,
        in_turns=judged.in_turns,
        certified=judged.certified,
        too_short=judged.too_short,
        doubts=judged.doubts,
    )


def said(verdict: Verdict, margin: float) -> str:
    """The verdict in words."""
    return f"equal within {margin * 100:.3g} %" if verdict is Verdict.EQUAL else str(verdict)


def slower(of: Compared) -> list[ComparedRow]:
    """Rows of which it is confirmed that B is slower."""
    return [each for each in of.rows if each.verdict is Verdict.SLOWER and each.confirmed]


def name(of: ComparedRow) -> str:
    """``chatapp mixed, small scale, local``"""
    return f"{of.benchmark} {formatting.setting(of)}"


def interval(of: ComparedRow) -> str:
    """``1.043 to 1.121 (99.5 %)``; empty without one."""
    if of.low is None or of.high is None or of.level is None:
        return ""
    return f"{of.low:.3f} to {of.high:.3f} ({of.level * 100:.3g} %)"


def remarks(of: ComparedRow) -> list[str]:
    """The remarks on a row beside its verdict."""
    found = [of.why] if of.why else []
    first = (
        f"flagged by its first {formatting.count(len(of.first), 'pair')}, which are in no figure"
    )
    found += [first] if of.fresh else []
    found += [] if of.certified or of.verdict is Verdict.NONE else [formatting.UNCERTIFIED]
    apart = of.first and of.verdict is not Verdict.NONE and not of.in_turns
    found += ["the iterations of its pairs did not take turns"] if apart else []
    found += (
        [f"{formatting.count(of.too_short, 'iteration')} too short to be precise"]
        if of.too_short
        else []
    )
    return found + of.doubts


def beyond_the_chapters(*names: str) -> list[str]:
    """The note that is due if names in records are of more than one implementation. Revisions and
    variants of one have their handlers in common, so there is none of these."""
    implementations = {re.split("[@#+]", name, maxsplit=1)[0] for name in names}
    return [UNLIKE] if len(implementations) > 1 else []


def _notes(asked: Comparison) -> Iterator[str]:
    if asked.alike:
        yield ALIKE
    yield from beyond_the_chapters(*asked.labels)
    for side in (asked.a, asked.b):
        if side.modified:
            yield f"{side.label}: its sources are not what was committed at {side.commit[:12]}."


def _side(side: Side) -> ComparedSide:
    at = f"{side.revision}, commit {side.commit[:12]}" if side.revision else ""
    return ComparedSide(label=side.label, build=side.build, revision=at, modified=side.modified)
