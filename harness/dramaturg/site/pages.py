"""The pages of a site, from what was gathered: each as its path and its content."""

import re
import time
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import metadata
from itertools import islice
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import Markup, escape

from dramaturg import requirements
from dramaturg.cases import cases
from dramaturg.levels import LEVELS, SPEC
from dramaturg.report import audits, drawings, formatting, html, machine, markdown
from dramaturg.report.summary import TimedImplementation
from dramaturg.site import badges, ranking, specification
from dramaturg.site.league import Implementation, Judged, League, Recorded, Standing, gather
from dramaturg.site.ranking import Table
from dramaturg.site.supplied_data import Certificate, Found, Run
from dramaturg.visible import visible

_IDENTIFIER = re.compile(rf"\b{requirements.IDENTIFIER}\b")
_TEMPLATES = Path(__file__).with_name("templates")

LONGEST = 600
"""Characters that a page shows of what one field of a stranger's file says."""

MOST = 50
"""Items that a page shows of one list in it."""


def all_pages(league: League) -> Iterator[tuple[str, str | bytes]]:
    """Everything: HTML, the style sheet, badges, and the certificates as they were handed over."""
    yield "style.css", html.style() + (_TEMPLATES / "site.css").read_text(encoding="utf-8")
    yield from handed_pages(league)
    yield from _Pages(league).specification()


def handed_pages(league: League) -> Iterator[tuple[str, str | bytes]]:
    """Yield the pages that show something of what was handed over."""
    made = _Pages(league)
    yield "index.html", made.index()
    yield "unread.html", made.page("unread.html.jinja")
    for one in league.implementations:
        yield f"implementations/{one.slug}.html", made.implementation(one)
        yield f"badges/{one.slug}.svg", badges.drawing(one)
        yield f"badges/{one.slug}.json", badges.endpoint(one)
    for certificate in league.found.certificates:
        yield f"certificates/{address_of(certificate)}.html", made.certificate(certificate)
        yield f"certificates/{address_of(certificate)}.json", certificate.content
    for run in league.found.runs:
        yield f"results/{address_of(run)}.html", run.page
    yield "benchmarks/index.html", made.benchmarks()
    for name in benchmarks():
        yield f"benchmarks/{name}.html", made.benchmark(name)


def compile_all() -> None:
    """All templates, and what stands on every page."""
    html.compile_all(_environment())
    _Pages(gather(Found())).benchmarks()


def address_of(handed: Certificate | Run) -> str:
    """The name of its page."""
    return handed.address


def benchmarks() -> list[str]:
    """All that have cases, in the order of the contents of the specification."""
    known = {case.benchmark for case in cases.load_all()} - {cases.CONTROL}
    return [name for name in specification.titles() if name in known]


class _Pages:
    """Renders, with what all pages have in common."""

    def __init__(self, league: League) -> None:
        self._league = league
        self._titles = specification.titles()
        self._benchmarks = benchmarks()
        self._environment = _environment()

    def page(self, template: str, at: str = "", **values: Any) -> str:
        common = {
            "root": "../" * at.count("/"),
            "league": self._league,
            "titles": self._titles,
            "harness": metadata.version("dramaturg"),
            "spec": SPEC,
            "Standing": Standing,
            "levels": LEVELS,
            "address_of": address_of,
            "badges": badges,
            "all_benchmarks": self._benchmarks,
            "here": _section(template, at),
        }
        return self._environment.get_template(template).render(**common, **values)

    def index(self) -> str:
        return self.page("index.html.jinja")

    def implementation(self, one: Implementation) -> str:
        return self.page(
            "implementation.html.jinja",
            "implementations/",
            one=one,
            judged=one.newest,
            others=[
                other
                for other in self._league.implementations
                if other.name == one.name and other is not one
            ],
            failures={id(each): _failures(each) for each in one.records},
            timed=[(each.run, group, row) for each in one.records for group, row in _timed(each)],
            cautions=list(dict.fromkeys(_cautions(one))),
            reviews=[
                review
                for each in one.records
                for review in each.run.summary.reviews
                if review.implementation == one.name
            ],
            audited=audits.spell,
            duration=formatting.duration,
            setting=formatting.circumstances,
            headline=_headline,
            most=MOST,
        )

    def certificate(self, certificate: Certificate) -> str:
        judged = [
            (one, each)
            for one in self._league.implementations
            for each in one.certificates
            if each.entry.certificate is certificate
        ]
        environment = dict(certificate.statement.predicate.environment)
        return self.page(
            "certificate.html.jinja",
            "certificates/",
            certificate=certificate,
            judged=judged,
            shown={id(each): _shown_cases(each) for _, each in judged},
            held={
                id(each): specification.held_by(list(each.entry.claim.cases)) for _, each in judged
            },
            environment=_short(machine.sections(environment)),
        )

    def benchmarks(self) -> str:
        return self.page("benchmarks.html.jinja", "benchmarks/", names=benchmarks())

    def benchmark(self, name: str) -> str:
        rows = [
            (one, one.newest, one.newest.benchmarks[name])
            for one in self._league.implementations
            if one.newest and name in one.newest.benchmarks
        ]
        tables = ranking.tables(self._league, name)
        return self.page(
            "benchmark.html.jinja",
            "benchmarks/",
            name=name,
            certified=[row for row in rows if row[0].standing is not Standing.CONTRADICTED],
            tables=[(table, _chart(table), drawings.unit_of(table.group)) for table in tables],
            setting=formatting.setting,
            audited=audits.spell,
        )

    def specification(self) -> Iterator[tuple[str, str]]:
        for chapter in specification.chapters():
            at = specification.CHAPTERS_AT
            name = "index" if chapter.name == "README" else chapter.name
            yield f"{at}{name}.html", self.page("chapter.html.jinja", at, chapter=chapter)
        at, held = specification.REQUIREMENTS_AT, specification.pages()
        yield f"{at}index.html", self.page("requirements.html.jinja", at, pages=held)
        for number, each in enumerate(held):
            beside = (held[number - 1] if number else None, *held[number + 1 : number + 2])
            yield (
                f"{at}{each.requirement.id}.html",
                self.page("requirement.html.jinja", at, page=each, beside=beside),
            )


def _section(template: str, at: str) -> str:
    """The address that the pages of a folder are reached from."""
    if not at:
        return template.removesuffix(".jinja")
    return "index.html" if at in ("implementations/", "certificates/") else f"{at}index.html"


@cache
def _environment() -> Environment:
    """Its templates are compiled once."""
    environment = html.pages(_TEMPLATES, _cut)
    environment.filters.update(
        day=_day,
        few=_few,
        linked=_linked,
        requirement=_requirement,
        markdown=markdown.inline,
        web=_web,
        key=id,
    )
    return environment


def _cut(value: Any) -> Any:
    """A value cut to a bearable length for a page."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return visible(value if len(value) <= LONGEST else f"{value[:LONGEST]}…")


def _day(seconds: float | None) -> str:
    return "unknown" if seconds is None else time.strftime("%Y-%m-%d", time.gmtime(seconds))


def _few(values: Mapping[str, Any] | Iterable[Any]) -> list[Any]:
    """The first of them, pairs of a mapping; the last says how many there are besides."""
    pairs = isinstance(values, Mapping)
    items = list(values.items()) if isinstance(values, Mapping) else list(values)
    if len(items) <= MOST:
        return items
    more = f"{len(items) - MOST:,} more"
    return [*islice(items, MOST), ("and", more) if pairs else more]


def _requirement(name: str, root: str) -> Markup | str:
    if name not in requirements.load():
        return name
    return Markup('<a href="{}requirements/{}.html">{}</a>').format(root, name, name)


def _linked(text: str, root: str) -> Markup:
    """Words in which the identifiers of requirements lead to their pages."""
    parts, end = [], 0
    for found in _IDENTIFIER.finditer(cut := str(_cut(text))):
        parts += [escape(cut[end : found.start()]), escape(_requirement(found[0], root))]
        end = found.end()
    return Markup("").join([*parts, escape(cut[end:])])


def _web(address: str) -> Markup | str:
    """A link, if it is plainly one to the web; it is only shown otherwise."""
    plain = all(c.isascii() and (c.isalnum() or c in "-._~/:%@+") for c in address)
    if not plain or not address.startswith("https://") or len(address) > LONGEST:
        return address
    return Markup('<a href="{}" rel="nofollow noopener noreferrer">{}</a>').format(address, address)


def _failures(recorded: Recorded) -> list[Any]:
    name = recorded.verdict.implementation
    return [each for each in recorded.run.summary.findings if each.implementation == name]


def _timed(recorded: Recorded) -> Iterator[tuple[Any, TimedImplementation]]:
    name = recorded.verdict.implementation
    for group in recorded.run.summary.groups:
        for row in group.implementations:
            if row.implementation == name:
                yield group, row


def _cautions(one: Implementation) -> Iterator[str]:
    for each in one.records:
        yield from each.run.summary.warnings


def _headline(failure: Any) -> str:
    said = (failure.divergence or {}).get("headline") or failure.message
    return str(said).partition("\n")[0]


def _shown_cases(judged: Judged) -> tuple[dict[str, list[Any]], int]:
    """The cases that this version has as well, by level; and how many others there are."""
    claim, shown = judged.entry.claim, dict[str, list[Any]]()
    for case in cases.load_all():
        if case.path in claim.cases:
            level = f"{case.level} {LEVELS[case.level]}"
            shown.setdefault(level, []).append((case, claim.cases[case.path].events))
    return shown, len(claim.cases) - sum(map(len, shown.values()))


def _short(sections: list[tuple[str, machine.Pairs]]) -> list[tuple[str, machine.Pairs]]:
    return [(name, pairs[:MOST]) for name, pairs in sections[:MOST]]


def _chart(table: Table) -> Markup | None:
    """The chart of ranked entries alone."""
    rows = [row.timed for row in table.ranked]
    return drawings.run_times(table.group.model_copy(update={"implementations": rows}))
