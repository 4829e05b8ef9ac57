"""``docs/reproduction.md``: what was claimed, what we measured, and the verdict."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from dramaturg.claims.claim_verdicts import ClaimVerdict, Figure, Judged, Judgement
from dramaturg.claims.decide import PLAIN, TIMES, Verdict
from dramaturg.visible import visible

PICTURE = "pictures/reproduction.svg"
"""Below docs/."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A claim that needs another machine, and the command that decides it there."""

    claim: str
    needs: str
    """The machine that it needs, in words: ``needs 32 cores``."""
    command: str
    invocations: int
    seconds: float
    """Seconds that it takes at most: by the time limits of its iterations."""
    memory: int
    """MiB that its nodes may have as heaps at once; 0 where nobody limits them."""


_HEAD = """\
# What was claimed, and what came of it

This project started from studies that measured actors and drew conclusions. Here each
conclusion is a predicate on measurable figures, with a verdict from our own runs.
`dramaturg claims --update` writes this page from `claims/claims.yaml` and `claims/runs/`.
The end of the page names the versions of both.

| verdict | says |
|---|---|
| confirmed | the interval of our measurement lies inside what was claimed |
| refuted | the interval lies outside |
| not decided | the interval lies on both sides of a bound: more invocations are needed |
| not decidable here | this machine lacks what the claim is about, or no run of its program counts |
| not measured yet | no run has it |
| no claim | the source draws no conclusion that could be tested |

A claim with several parts is confirmed if all of them are, and refuted if one is. A part that was
written after a run, or changed after it, is not decided by that run.

The number of a claim's figure in the source stands behind its name. A cause that a study names
stands below its claim. A cause counts only if switching it on and off shows it. It has no part in
the claim's verdict, and may be decided on a machine that is too small for its claim.
"""

_METHOD = """\
## How it was decided

Implementations run in turns, in fresh processes. The figure of an invocation is its median. The
ratio of two implementations is the ratio of their geometric means. Its interval is Student's t on
the differences of their logarithms within each turn, so other work of the machine disturbs both.

The probability that any verdict on this page is false is at most {level:.0%}. Holm's procedure
shares this level among the {together} parts with figures. The k-th run of a part has the 2^k-th
part of it. So intervals are wider than those of one comparison alone, and differ in their level.
Only complete runs under certificates count, with every audit passed, of one version of the harness.
Each part is decided on one machine and kernel, the last that has all of it; a result of another
machine counts as one more run of it. Only a claim that needs netem may be decided inside
[User-Mode Linux](user-mode-linux.md).

*N times* means that the first is so many times as fast as the second: in messages a second, or in
runs a second where all do the same work.
"""


_BIGGER = """\
One command decides each of these claims, on a machine that has what it needs. Those over nodes can
also be decided on hosts of their own (`--hosts`, [more than one machine](cluster.md)). The time is
an upper bound: the limits of all iterations, most of which end long before. The memory is what
manifests let heaps grow to on all nodes together, `-` where they have no limit.
`dramaturg claims --wanting` says which of them the machine in front of you can decide, with an
estimate from its own results.
"""


def text(judgement: Judgement, commands: Sequence[str], wanted: Sequence[Wanted] = ()) -> str:
    """The page."""
    return "\n".join(_lines(judgement, commands, wanted)) + "\n"


def _lines(
    judgement: Judgement, commands: Sequence[str], wanted: Sequence[Wanted]
) -> Iterator[str]:
    yield _HEAD
    yield from _counts(judgement)
    if pictured(judgement):
        yield f"![Our ratios, with what was claimed of them]({PICTURE})"
        yield ""
    for study, claims in groupby(judgement.claims, key=lambda claim: claim.study):
        yield f"## {_cell(study[0].upper() + study[1:])}"
        yield ""
        yield "| | claimed | our measurement | verdict |"
        yield "|---|---|---|---|"
        for claim in claims:
            yield from _claim(claim)
        yield ""
    yield _METHOD.format(level=judgement.level, together=judgement.decided_together)
    yield from _how_measured(commands)
    yield from _bigger(wanted)
    yield from _sources(judgement)


def pictured(judgement: Judgement) -> list[tuple[Judged, Figure]]:
    """All figures that say how many times as fast, each with its predicate."""
    return [
        (judged, figure)
        for claim in judgement.claims
        for judged in (*claim.predicates, *claim.explanations)
        for figure in judged.figures
        if figure.unit == TIMES
    ]


def _counts(judgement: Judgement) -> Iterator[str]:
    verdicts = [claim.verdict for claim in judgement.claims]
    said = [f"{verdicts.count(verdict)} {verdict}" for verdict in Verdict if verdict in verdicts]
    yield f"Verdicts on the {len(verdicts)} claims: {', '.join(said)}."
    yield ""


def _claim(claim: ClaimVerdict) -> Iterator[str]:
    name = f"**{claim.id}**" + (f" ({claim.figure})" if claim.figure[:1].isdigit() else "")
    verdict = f"**{claim.verdict}**"
    only = claim.predicates[0] if len(claim.predicates) == 1 else None
    if only is not None:
        yield _row(name, _cell(claim.says), _measured(only), _why(verdict, only))
    else:
        if claim.confirmed and claim.verdict is not Verdict.CONFIRMED:
            verdict += f"; {claim.confirmed} of {len(claim.predicates)} parts confirmed"
        verdict += f": {claim.reason}" if claim.verdict is Verdict.NO_CLAIM else ""
        yield _row(name, _cell(claim.says), "", verdict)
        for each in claim.predicates:
            yield _row(each.id, _cell(each.says), _measured(each), _why(str(each.verdict), each))
    for each in claim.explanations:
        yield _row(
            "cause",
            each.says,
            _measured(each),
            _why(_SHOWS.get(each.verdict, str(each.verdict)), each),
        )


_SHOWS = {Verdict.CONFIRMED: "shown", Verdict.REFUTED: "not so"}


def _measured(judged: Judged) -> str:
    parts = [spelt(figure) for figure in judged.figures]
    if judged.versions:
        parts.append("; ".join(dict.fromkeys(judged.versions.values())))
    return "<br>".join(_cell(part) for part in parts)


def _why(verdict: str, judged: Judged) -> str:
    said = "; ".join(filter(None, (judged.reason, *judged.notes)))
    return f"{verdict}: {_cell(said)}" if said else verdict


def spelt(figure: Figure) -> str:
    """``erlang / akka: 1.52 times (1.41 to 1.63), claimed above 1, 10 invocations``."""
    unit = f" {figure.unit}" if figure.unit != PLAIN else ""
    between = "no interval"
    if figure.low is not None and figure.high is not None:
        between = f"{short(figure.low)} to {short(figure.high)}"
    return (
        f"{figure.label}: {short(figure.value)}{unit} ({between}), claimed {claimed(figure)},"
        f" {figure.rounds} invocations"
    )


def claimed(figure: Figure) -> str:
    """``above 1``, or ``0.8 to 1.25``."""
    if figure.above is None and figure.below is not None:
        return f"below {short(figure.below)}"
    if figure.below is None and figure.above is not None:
        return f"above {short(figure.above)}"
    return f"{short(figure.above or 0.0)} to {short(figure.below or 0.0)}"


def short(value: float) -> str:
    """Write it with three digits."""
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(text: str) -> str:
    return (
        visible(" ".join(text.split())).replace("|", "\\|").replace("<", "&lt;").replace("[", "\\[")
    )


def _how_measured(commands: Sequence[str]) -> Iterator[str]:
    yield "## How it is measured"
    yield ""
    yield "On a machine with nothing else on it, from a revision in which `claims/claims.yaml` is"
    yield "committed, with certified builds, each command once. Each results folder is recorded,"
    yield "and the page written:"
    yield ""
    yield "```sh"
    yield from commands
    yield "./dramaturg claims FOLDER --record"
    yield "./dramaturg claims --update"
    yield "```"
    yield ""


def _bigger(wanted: Sequence[Wanted]) -> Iterator[str]:
    if not wanted:
        return
    yield "## What a bigger machine decides"
    yield ""
    yield _BIGGER
    yield "| claim | | command | invocations | at most | memory |"
    yield "|---|---|---|---|---|---|"
    for each in wanted:
        memory = f"{each.memory / 1024:.0f} GiB" if each.memory else "-"
        yield (
            f"| {each.claim} | {_cell(each.needs)} | `{each.command}` | {each.invocations} |"
            f" {each.seconds / 3600:.0f} h | {memory} |"
        )
    yield ""


def _sources(judgement: Judgement) -> Iterator[str]:
    yield "## What this was written from"
    yield ""
    yield f"`claims/claims.yaml`: SHA-256 `{judgement.claims_digest}`."
    yield ""
    if not judgement.machines:
        yield "No run is recorded yet."
        return
    yield f"Dramaturg {judgement.harness}, on"
    yield ""
    for number, machine in enumerate(judgement.machines, 1):
        yield f"{number}. {_cell(str(machine))}"
    yield ""
    yield "| run | measured | on | suites | revision | SHA-256 of its records | builds |"
    yield "|---|---|---|---|---|---|---|"
    places = [machine.model_dump(mode="json") for machine in judgement.machines]
    for run in judgement.runs:
        revision = str(run["revision"])[:12] + (", with changes" if run["dirty"] else "")
        builds = "<br>".join(
            _cell(f"{name}: {ran['runtime']} {ran['version']}, {ran['build'][:12]}")
            for name, ran in sorted(run["implementations"].items())
        )
        yield _row(
            _cell(run["name"]),
            run["started"],
            str(places.index(run["machine"]) + 1),
            _cell(", ".join(run["suites"])),
            _cell(revision),
            f"`{run['digest'][:16]}`",
            builds,
        )
