"""The summary as Markdown, for the page of a job in continuous integration.

Texts of others stand in code spans and fenced blocks only, each longer than any run of backticks in
it: nothing of them is a link, a mention, a heading or HTML (LEVEL-29).
"""

import re
from collections.abc import Iterator

from dramaturg.levels import LEVELS, OFFERED
from dramaturg.outcomes import Outcome
from dramaturg.report import comparison as comparison_of
from dramaturg.report.summary import Compared, Finding, ImplementationVerdict, State, Summary
from dramaturg.visible import visible

MOST_FINDINGS = 25
"""Cases that are shown. A summary of GitHub's ends at 1 MiB, and a reader earlier."""

MOST_TEXT = 2_000
"""Characters of one message."""

_SILENT = (Outcome.NOT_RUN, Outcome.TOOLCHAIN_MISSING, Outcome.UNSUPPORTED)
"""The outcomes whose reason is shown once for each implementation, with how many cases it holds
for."""


def document(summary: Summary) -> str:
    """The whole page, ending with a line feed."""
    return "\n".join(_lines(summary)) + "\n"


def _lines(summary: Summary) -> Iterator[str]:
    yield "## Dramaturg"
    yield ""
    if summary.state is not State.COMPLETE:
        yield f"This run is **{summary.state}**: the cases that it did not reach were not run."
        yield ""
    if summary.comparison is not None:
        yield from comparison(summary.comparison)
        if summary.conformance.state is State.ABSENT:
            return
    if not summary.implementations:
        yield "Nothing was judged."
        return
    yield "| implementation | | " + " | ".join(LEVELS[level] for level in OFFERED) + " |"
    yield "|---|---|" + "---|" * len(OFFERED)
    for verdict in summary.implementations:
        name = _cell(verdict.implementation)
        says = "**certified**" if verdict.certified else "**not certified**"
        cells = [name, says, *(_level(verdict, level) for level in OFFERED)]
        yield f"| {' | '.join(cells)} |"
    yield ""
    for verdict in summary.implementations:
        if verdict.obstacles:
            why = _code("; ".join(verdict.obstacles))
            yield f"Not certified: {_code(verdict.implementation)}: {why}"
            yield ""
    left_out = str(summary.conformance.header.get("left_out", ""))
    if left_out:
        yield f"Not run: {_code(left_out)}"
        yield ""
    for verdict in summary.implementations:
        if verdict.remark:
            yield f"{_code(verdict.implementation)}: {_code(verdict.remark)}"
            yield ""
    yield from _findings([each for each in summary.findings if each.outcome not in _SILENT])
    yield from _not_run([each for each in summary.findings if each.outcome in _SILENT])


def comparison(found: Compared) -> Iterator[str]:
    """A comparison's part of the page."""
    for name, side in (("A", found.a), ("B", found.b)):
        at = f" {_code(side.revision)}" if side.revision else ""
        yield f"{name}: {_code(side.label)}{at}, build {_code(side.build[:12])}"
        yield ""
    yield "| | B is | B / A | interval | pairs | |"
    yield "|---|---|---|---|---|---|"
    for row in found.rows:
        cells = [
            _cell(comparison_of.name(row)),
            f"**{row.said}**",
            "" if row.ratio is None else f"{row.ratio:.3f}",
            comparison_of.interval(row),
            str(row.pairs) if row.pairs and found.paired else "",
            _cell("; ".join(comparison_of.remarks(row))),
        ]
        yield f"| {' | '.join(cells)} |"
    yield ""
    for note in found.notes:
        yield f"- {_code(note)}"
    if found.notes:
        yield ""
    yield found.method
    yield ""


def _cell(text: str) -> str:
    return _code(text).replace("|", "\N{BROKEN BAR}")


def _level(verdict: ImplementationVerdict, number: int) -> str:
    level = next((each for each in verdict.levels if each.level == number), None)
    if level is None:
        return str(Outcome.NOT_RUN)
    passed = f"{level.counts.get(Outcome.PASS, 0)}/{sum(level.counts.values())}"
    return passed if level.worst is Outcome.PASS else f"{passed} **{level.worst}**"


def _findings(findings: list[Finding]) -> Iterator[str]:
    for finding in findings[:MOST_FINDINGS]:
        case = f"{finding.implementation} level {finding.level} {finding.case}"
        counted = "" if not (finding.known or finding.recommended) else ", not counted"
        yield f"### {finding.outcome}{counted}: {_code(case)}"
        yield ""
        if finding.known:
            yield f"Known failure: {_code(finding.known)}"
            yield ""
        yield from _block(finding.message)
        if finding.stderr:
            yield "It last said on standard error:"
            yield ""
            yield from _block(finding.stderr)
        for requirement in finding.why:
            yield f"- {_code(requirement['id'])} {_code(requirement['text'])}"
        if finding.why:
            yield ""
        if finding.command:
            yield f"Again: {_code(finding.command)}"
            yield ""
    if len(findings) > MOST_FINDINGS:
        yield f"And {len(findings) - MOST_FINDINGS} more, which `report.html` has."
        yield ""


def _not_run(findings: list[Finding]) -> Iterator[str]:
    reasons: dict[tuple[str, Outcome, str], int] = {}
    for each in findings:
        reason = each.implementation, each.outcome, each.message
        reasons[reason] = reasons.get(reason, 0) + 1
    for (name, outcome, message), count in list(reasons.items())[:MOST_FINDINGS]:
        cases = "1 case" if count == 1 else f"{count} cases"
        yield f"- {outcome}, {cases} of {_code(name)}: {_code(message)}"
    if len(reasons) > MOST_FINDINGS:
        yield f"- And {len(reasons) - MOST_FINDINGS} more reasons, which `report.html` has."


def _code(text: str) -> str:
    """A code span."""
    line = " ".join(visible(_cut(text)).split())
    if not line:
        return ""
    ticks = _ticks(line, least=1)
    return f"{ticks} {line} {ticks}" if "`" in line else f"{ticks}{line}{ticks}"


def _block(text: str) -> Iterator[str]:
    if not text:
        return
    shown = visible(_cut(text))
    fence = _ticks(shown, least=3)
    yield f"{fence}text"
    yield shown
    yield fence
    yield ""


def _ticks(text: str, least: int) -> str:
    longest = max(map(len, re.findall("`+", text)), default=0)
    return "`" * max(least, longest + 1)


def _cut(text: str) -> str:
    return text if len(text) <= MOST_TEXT else f"{text[:MOST_TEXT]}..."
