"""The specification as pages: a chapter each, and an address for each requirement.

It reads the chapters' Markdown, by the library that rich brings along. Raw HTML in it stays text. A
link leads to another page of the site, to an address of the web, or nowhere.
"""

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from dramaturg import paths, requirements
from dramaturg.cases import cases
from dramaturg.cases.cases import Case
from dramaturg.mutation import requirements_file
from dramaturg.mutation.requirements_file import Trace
from dramaturg.requirements import Requirement

CHAPTERS_AT, REQUIREMENTS_AT = "specification/", "requirements/"

_IDENTIFIER = re.compile(rf"\b{requirements.IDENTIFIER}\b")
_NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter as a page."""

    name: str
    """The name of its file, without its ending."""
    title: str
    body: Markup


@dataclass(frozen=True, slots=True)
class Wrong:
    """A wrong implementation, or harness, that breaks a requirement."""

    name: str
    caught_by: str
    """The case or the test; empty if it was caught by what does not name the requirement."""


@dataclass(frozen=True, slots=True)
class Page:
    """A requirement as a page."""

    requirement: Requirement
    chapter: str
    """The name of its chapter."""
    text: Markup
    cases: list[Case]
    tests: list[str]
    """The harness's tests, where the harness has to fulfil it."""
    wrong: list[Wrong]
    review: str
    """The reason why no run can show that it is broken; empty if one can."""

    @property
    def is_held(self) -> bool:
        """True if somebody must fulfil it, and it is known what notices a breach."""
        return bool(self.cases or self.tests or self.wrong or self.review)


def chapters() -> list[Chapter]:
    """All of them; ``README`` has the contents."""
    return [_chapter(file) for file in sorted(paths.SPEC.glob("*.md"))]


def pages() -> list[Page]:
    """All requirements, in the order of the chapters."""
    held = requirements_file.written()
    by_path = {case.path: case for case in cases.load_all()}
    return [
        _page(each, held.get(name, Trace()), by_path) for name, each in requirements.load().items()
    ]


def held_by(paths_of_cases: Sequence[str]) -> list[str]:
    """The requirements that these cases name, in the order of the chapters."""
    by_path = {case.path: case for case in cases.load_all()}
    passed = [by_path[path] for path in paths_of_cases if path in by_path]
    named = {name for case in passed for name in case.message.requirements}
    return [name for name in requirements.load() if name in named]


def _page(each: Requirement, trace: Trace, by_path: dict[str, Case]) -> Page:
    wrong = [Wrong(name, by) for name, by in trace.mutants.items()]
    return Page(
        requirement=each,
        chapter=Path(each.file).stem,
        text=_inline(each.text, Path(each.file).name),
        cases=[by_path[path] for path in trace.cases if path in by_path]
        or [case for case in by_path.values() if each.id in case.message.requirements],
        tests=trace.tests,
        wrong=[*wrong, *(Wrong(name, "") for name in trace.elsewhere)],
        review=trace.review,
    )


def _inline(text: str, chapter: str) -> Markup:
    """The text of a requirement, which stands in this file, on a page of its own."""
    tokens = _reader().parseInline(text)
    for token in tokens:
        token.children = list(_linked(token.children or [], REQUIREMENTS_AT, chapter))
    return Markup(_reader().renderer.render(tokens, _reader().options, {}))


def _chapter(file: Path) -> Chapter:
    tokens = _reader().parse(file.read_text(encoding="utf-8"))
    title, taken = file.stem, set[str]()
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            words = _words(tokens[place + 1])
            token.attrSet("id", _anchor(words, taken))
            title = words if token.tag == "h1" else title
        if token.type == "inline":
            _mark(tokens, place)
            token.children = list(_linked(token.children or [], CHAPTERS_AT))
        if token.type == "table_open":
            token.attrJoin("class", "plain")
    body = _reader().renderer.render(tokens, _reader().options, {})
    body = body.replace("<table", '<div class="wide"><table').replace("</table>", "</table></div>")
    return Chapter(file.stem, title, Markup(body))


def _mark(tokens: Sequence[Token], place: int) -> None:
    """Give the row or the paragraph that defines a requirement its address."""
    content = tokens[place].content
    found = _IDENTIFIER.match(content.removeprefix("**"))
    if found is None or found[0] not in requirements.load():
        return
    before = tokens[place - 1]
    if before.type == "paragraph_open" and content.startswith(f"**{found[0]}**"):
        before.attrSet("id", found[0])
    row = tokens[place - 2]
    if before.type == "td_open" and row.type == "tr_open" and content.strip("*") == found[0]:
        row.attrSet("id", found[0])


def _linked(children: Sequence[Token], at: str, within: str = "") -> Iterator[Token]:
    """Yield the tokens with links that lead somewhere on the site, and identifiers that lead to
    their pages. Links of an anchor alone lead into the file ``within``, if there is one."""
    inside: list[bool] = []
    for child in children:
        if child.type == "link_open":
            href = str(child.attrGet("href") or "")
            address = _address(within + href if href.startswith("#") else href, at)
            inside.append(bool(address))
            if address:
                child.attrs = {"href": address}
                yield child
        elif child.type == "link_close":
            if inside.pop():
                yield child
        elif child.type == "text" and not any(inside):
            yield from _identified(child.content, at)
        elif child.type == "image":
            yield _text(child.content)
        else:
            yield child


def _identified(text: str, at: str) -> Iterator[Token]:
    end, known = 0, requirements.load()
    for found in _IDENTIFIER.finditer(text):
        if found[0] in known:
            yield _text(text[end : found.start()])
            yield _html(f'<a href="{_up(at)}{REQUIREMENTS_AT}{found[0]}.html">{found[0]}</a>')
            end = found.end()
    yield _text(text[end:])


def _address(href: str, at: str) -> str:
    """Return the target of a chapter's link on a page in the folder ``at``; empty if there is
    none."""
    if href.startswith(("https://", "http://")):
        return href
    file, _, anchor = href.partition("#")
    name = posixpath.normpath(file)
    if file and (not name.endswith(".md") or not (paths.SPEC / name).is_file() or "/" in name):
        return ""
    page = f"{_up(at)}{CHAPTERS_AT}{name.removesuffix('.md')}.html" if file else ""
    return page + (f"#{anchor}" if anchor else "")


def _up(at: str) -> str:
    return "../" * at.count("/")


def _anchor(words: str, taken: set[str]) -> str:
    """As the usual readers of Markdown make them of a heading."""
    plain = _NOT_IN_ANCHORS.sub("", words.lower()).replace(" ", "-")
    name, number = plain, 1
    while name in taken:
        name, number = f"{plain}-{number}", number + 1
    taken.add(name)
    return name


def _words(heading: Token) -> str:
    return "".join(child.content for child in heading.children or [])


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _html(content: str) -> Token:
    return Token("html_inline", "", 0, content=content)


@cache
def _reader() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")


@cache
def titles() -> dict[str, str]:
    """The titles of the chapters, by name, in the order of the contents."""
    found = {chapter.name: chapter.title for chapter in chapters()}
    contents = (paths.SPEC / "README.md").read_text(encoding="utf-8")
    order = [name for name in re.findall(r"\]\((\w+)\.md\)", contents) if name in found]
    return {name: found[name] for name in dict.fromkeys([*order, *found])}
