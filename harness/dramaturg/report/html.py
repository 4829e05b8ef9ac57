"""``report.html``: one file that needs no other, for reading, printing and archiving."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from dramaturg import requirements
from dramaturg.certificates.review_answers import Answer
from dramaturg.levels import LEVELS
from dramaturg.outcomes import Outcome, worst
from dramaturg.report import (
    comparison,
    data,
    drawings,
    filtered,
    formatting,
    machine,
    markdown,
    timing_sections,
)
from dramaturg.report.summary import (
    Compared,
    Finding,
    ImplementationVerdict,
    LevelVerdict,
    Summary,
    UnitFinding,
)
from dramaturg.timing.statistics.difference import Verdict
from dramaturg.visible import visible

TIMED = 5
"""The level that samples show."""

FULL = 12
"""Findings of one implementation that are laid out in full. A broken implementation fails
everywhere for one reason; the rest are listed in a line each."""

_BLANK: dict[str, Any] = {
    "turn": None, "headline": "", "actor": "", "sender": "", "position": 0, "expected": None,
    "actual": None, "lcg": {}, "actor_state": {}, "sender_state": {}, "history": [],
    "note": "", "drawn": None, "cause": None, "requirements": [], "related": [], "sequence": [],
}  # fmt: skip
"""Records of other versions may tell less of a divergence; the page then shows less."""

_TEMPLATES = Path(__file__).with_name("templates")
_RAN = (Outcome.HARNESS_FAULT, Outcome.FAIL, Outcome.CRASH, Outcome.TIMEOUT)
_TONES = {
    Outcome.PASS: "good",
    Outcome.UNSUPPORTED: "quiet",
    Outcome.TOOLCHAIN_MISSING: "quiet",
    Outcome.NOT_RUN: "warn",
}


def compile_all(environment: Environment) -> None:
    """Its templates, of which a page asks for some only when it is rendered."""
    for name in environment.list_templates(filter_func=lambda name: name.endswith(".jinja")):
        environment.get_template(name)


@cache
def template(requirements_at: str = "") -> Template:
    """The template of ``report.html``, compiled once: a site has many. ``requirements_at`` as in
    `document`."""
    environment = pages(_TEMPLATES)
    environment.filters["requirement"] = partial(_requirement, requirements_at)
    compile_all(environment)
    return environment.get_template("report.html.jinja")


_VERDICTS = {Verdict.SLOWER: "bad", Verdict.FASTER: "good", Verdict.NONE: "warn"}


def document(summary: Summary, requirements_at: str = "") -> str:
    """The text of ``report.html``. ``requirements_at`` is where the requirements have pages: what
    stands before ``ACT-5.html``. Without it they are named and lead nowhere."""
    return template(requirements_at).render(
        summary=summary,
        style=Markup(style() + (_TEMPLATES / "page.css").read_text(encoding="utf-8")),
        started=started(summary),
        levels=list(LEVELS.items()),
        verdicts=[verdict_row(verdict) for verdict in summary.implementations],
        tally=_tally(summary.implementations),
        findings=_findings(finding for finding in summary.findings if finding.outcome in _RAN),
        directory=str(summary.conformance.header.get("directory", "")),
        skipped=_skipped(finding for finding in summary.findings if finding.outcome not in _RAN),
        compared=_compared(summary.comparison) if summary.comparison else None,
        timed=timing_sections.timed(summary),
        filter=filtered.choices(summary),
        environment=machine.sections(summary.environment or {}),
        full=FULL,
        answers=list(Answer),
        tone=tone,
        units=_units(summary.units),
    )


def pages(folder: Path, finalize: Callable[[Any], Any] | None = None) -> Environment:
    """The environment that renders the templates of a folder: all values are escaped and made
    visible, unless ``finalize`` does that and more."""
    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=finalize or shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        spell=formatting.spell,
        count=formatting.count,
        pairs=formatting.pairs,
        markdown=markdown.inline,
    )
    return environment


def style() -> str:
    """The style sheet of the page and of its drawings."""
    return (_TEMPLATES / "report.css").read_text(encoding="utf-8")


def _requirement(at: str, name: str) -> Markup:
    """An identifier, leading to its page if there are any; an identifier of no requirement leads
    nowhere, whatever a record calls it."""
    known = at and name in requirements.load()
    link = Markup('<a href="{}{}.html">{}</a>').format(at, name, name)
    return link if known else escape(visible(name))


def shown(value: Any) -> Any:
    """A value as it stands in a page; a value that is markup already was made visible where it was
    made."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def tone(outcome: Outcome) -> str:
    """The style-sheet class of an outcome; colour only ever repeats what the words say."""
    return _TONES.get(outcome, "bad")


def _tone_without_certificate(outcome: Outcome) -> str:
    """The tone of a pass that does not certify yet: nobody's fault, and not good either."""
    return "warn" if outcome is Outcome.PASS else tone(outcome)


def started(summary: Summary) -> str:
    """Return the start of the first of its records, in words; empty if they do not say."""
    headers = (summary.conformance.header, summary.timings.header)
    moments = [header["started"] for header in headers if "started" in header]
    return (
        formatting.moment(min(moments))
        if all(map(formatting.is_moment, moments)) and moments
        else ""
    )


def _tally(verdicts: list[ImplementationVerdict]) -> str:
    certified = sum(verdict.certified for verdict in verdicts)
    return f"{certified} of {formatting.count(len(verdicts), 'implementation')} certified."


def verdict_row(verdict: ImplementationVerdict) -> dict[str, Any]:
    """The cells of a row of the table of verdicts: words, and the classes of their colours."""
    by_level = {level.level: level for level in verdict.levels}
    return {
        "name": verdict.implementation,
        "certified": verdict.certified,
        "tone": "good" if verdict.certified else _tone_without_certificate(verdict.outcome),
        "obstacles": verdict.obstacles,
        "remark": verdict.remark,
        "cells": [
            _cell(by_level.get(number))
            or (_timed_cell(verdict) if number == TIMED and verdict.receipts else None)
            for number in LEVELS
        ],
    }


def _cell(level: LevelVerdict | None) -> dict[str, Any] | None:
    if level is None:
        return None
    total = sum(level.counts.values())
    others = []
    for outcome, count in level.counts.items():
        known = level.known.get(outcome, 0)
        recommended = level.recommended.get(outcome, 0)
        rest = count - known - recommended
        if outcome is not Outcome.PASS and rest:
            others.append(str(outcome) if rest == total else f"{rest:,} {outcome}")
        if known:
            others.append(f"{known:,} known {outcome}")
        if recommended:
            others.append(f"{recommended:,} recommended {outcome}")
    return {
        "passed": f"{level.counts.get(Outcome.PASS, 0):,}",
        "total": f"{total:,}",
        "others": others,
        "tone": _cell_tone(level),
    }


def _cell_tone(level: LevelVerdict) -> str:
    excused = Counter(level.known) + Counter(level.recommended)
    worst_unknown = worst(o for o, count in level.counts.items() if count > excused[o])
    return "warn" if excused and worst_unknown is Outcome.PASS else tone(worst_unknown)


def _timed_cell(verdict: ImplementationVerdict) -> dict[str, Any]:
    """Level 5 as the samples show it, where no case does: receipts that hold, of all."""
    others = [f"{verdict.wrong_receipts:,} invalid"] if verdict.wrong_receipts else []
    others += ["uncertified"] if verdict.timed_certified is False else []
    return {
        "passed": f"{verdict.receipts - verdict.wrong_receipts:,}",
        "total": f"{verdict.receipts:,}",
        "others": others,
        "tone": "bad" if verdict.wrong_receipts else "warn" if others else "good",
    }


def _compared(found: Compared) -> dict[str, Any]:
    return {
        "sides": [("A", found.a), ("B", found.b)],
        "paired": found.paired,
        "method": found.method,
        "notes": found.notes,
        "chart": drawings.compared(found),
        "data": data.link(data.of_comparison(found)),
        "rows": [
            {
                "name": comparison.name(row),
                "said": row.said,
                "tone": _VERDICTS.get(row.verdict, ""),
                "ratio": "–" if row.ratio is None else f"{row.ratio:.3f}",
                "interval": comparison.interval(row) or "–",
                "pairs": row.pairs or "–",
                "remarks": "; ".join(comparison.remarks(row)),
            }
            for row in found.rows
        ],
    }


def _ranges(numbers: list[int], noun: str) -> str:
    """``level 0``; ``levels 0–2, 4``."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and spans[-1][-1] == number - 1:
            spans[-1].append(number)
        else:
            spans.append([number])
    texts = [f"{span[0]}–{span[-1]}" if len(span) > 1 else f"{span[0]}" for span in spans]
    return f"{noun}{'' if len(numbers) == 1 else 's'} {', '.join(texts)}"


@dataclass(frozen=True, slots=True)
class _Failure:
    """A finding as the page lays it out."""

    finding: Finding
    divergence: dict[str, Any] | None
    """With everything that such a record can have."""
    said: str
    """The message, without the headline that stands above it."""
    why: list[dict[str, str]]
    also: list[dict[str, str]]
    """Other requirements that its case checks, where something more precise is known."""
    drawing: Markup | None


def _findings(findings: Iterable[Finding]) -> list[tuple[str, list[_Failure]]]:
    grouped: dict[str, list[_Failure]] = defaultdict(list)
    for number, finding in enumerate(findings, start=1):
        grouped[finding.implementation].append(_failure(finding, f"sequence-{number}"))
    return list(grouped.items())


def _failure(finding: Finding, identifier: str) -> _Failure:
    divergence = None if finding.divergence is None else {**_BLANK, **finding.divergence}
    if divergence is None:
        return _Failure(finding, None, finding.message, finding.why, [], None)
    precise = divergence["requirements"]
    return _Failure(
        finding=finding,
        divergence=divergence,
        said=finding.message.removeprefix(divergence["headline"]).strip(),
        why=precise or finding.why,
        also=[requirement for requirement in finding.why if requirement not in precise]
        if precise
        else [],
        drawing=drawings.messages(divergence, identifier),
    )


@dataclass(frozen=True, slots=True)
class _Skipped:
    """Cases of one implementation that were not run, all for one reason."""

    implementation: str
    outcome: Outcome
    message: str
    cases: list[str]
    levels: str


def _skipped(findings: Iterable[Finding]) -> list[_Skipped]:
    grouped: dict[tuple[str, Outcome, str], list[Finding]] = defaultdict(list)
    for finding in findings:
        grouped[finding.implementation, finding.outcome, finding.message].append(finding)
    return [
        _Skipped(
            *key,
            cases=[finding.case for finding in group],
            levels=_ranges(sorted({finding.level for finding in group}), "level"),
        )
        for key, group in grouped.items()
    ]


@dataclass(frozen=True, slots=True)
class _Units:
    """Units of one benchmark on one implementation that ended alike, for one reason."""

    name: str
    """The name of the implementation; as it is shown, it marks one that is uncertified."""
    implementation: str
    what: str
    setting: str
    outcome: Outcome
    message: str
    invocations: str


def _units(findings: Iterable[UnitFinding]) -> list[_Units]:
    grouped: dict[tuple[str, str, str, str, Outcome, str], list[int]] = defaultdict(list)
    for unit in findings:
        what = f"{unit.benchmark}, {unit.scenario}" if unit.scenario else unit.benchmark
        called = unit.implementation, formatting.called(unit)
        key = *called, what, formatting.circumstances(unit), unit.outcome, unit.message
        grouped[key] += [] if unit.invocation is None else [unit.invocation]
    return [
        _Units(*key, invocations=_ranges(sorted(set(numbers)), "invocation") if numbers else "")
        for key, numbers in grouped.items()
    ]
