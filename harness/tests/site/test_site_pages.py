"""The pages are well formed, of no network, and without a link that leads nowhere."""

import posixpath
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from report_records import exhibition
from site_kit import Page, build_of, certificate, handed, site, timed

from dramaturg import requirements


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of everything that there can be on one."""
    folder = tmp_path_factory.mktemp("sources")
    names = ("akka", "caf", "erlang")
    document = certificate(folder, *names)
    handed(folder / "results", document)
    builds = {name: build_of(document, name) for name in names}
    timed(folder / "results", builds, {"akka": 64, "caf": 41, "erlang": 41.5})
    other = certificate(folder / "other", "haskell")
    each = other["predicate"]["cases"]["each"]
    each[next(path for path in each if "/pingpong/" in path)] = "0" * 64
    handed(folder / "others", other)
    (folder / "shown").mkdir()
    exhibition(folder / "shown")
    (folder / "broken").mkdir()
    named = [folder / name for name in ("results", "others", "shown", "broken")]
    assert site(*named, "--output", folder / "site").exit_code == 1
    return folder / "site"


@pytest.fixture(scope="module")
def pages(output: Path) -> dict[str, Page]:
    found = {
        str(file.relative_to(output)): Page(file.read_text(encoding="utf-8"))
        for file in output.rglob("*.html")
    }
    assert len(found) > 250
    return found


def test_every_page_is_well_formed_and_nothing_in_it_acts(pages: dict[str, Page]) -> None:
    for name, page in pages.items():
        assert page.problems == [], name
        assert len(set(page.ids)) == len(page.ids), f"{name}: an id is there twice"


def test_no_page_loads_anything_from_elsewhere(output: Path, pages: dict[str, Page]) -> None:
    for name, page in pages.items():
        for loaded in page.loads:
            assert not re.match(r"[a-z]+:|//", loaded), f"{name} loads {loaded}"
            there = output / posixpath.normpath(posixpath.join(posixpath.dirname(name), loaded))
            assert there.is_file(), f"{name} loads {loaded}"
    style = (output / "style.css").read_text()
    assert "url(" not in style and "@import" not in style


def test_every_link_within_the_site_leads_somewhere(output: Path, pages: dict[str, Page]) -> None:
    for name, page in pages.items():
        for link in page.links:
            # The data of a report are in the link itself.
            if link.startswith(("https://", "http://", "data:text/csv;")):
                continue
            file, _, anchor = link.partition("#")
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), file))
            target = target if file else name
            assert (output / target).is_file(), f"{name} leads to {link}"
            if anchor:
                assert anchor in pages[target].ids, f"{name} leads to {link}"


def test_every_page_is_reached_from_the_first(pages: dict[str, Page]) -> None:
    reached, left = {"index.html"}, ["index.html"]
    while left:
        name = left.pop()
        for link in pages[name].links:
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), link.split("#")[0]))
            if target in pages and target not in reached:
                reached.add(target)
                left.append(target)
    assert pages.keys() - reached == set()


def test_every_requirement_has_an_address_in_its_chapter_and_one_of_its_own(
    pages: dict[str, Page],
) -> None:
    for name, each in requirements.load().items():
        chapter = pages["specification/" + Path(each.file).stem + ".html"]
        assert name in chapter.ids
        own = pages[f"requirements/{name}.html"]
        assert name in own.words
        assert any(link.endswith(f"#{name}") for link in own.links)


def test_a_requirements_page_has_what_holds_it_and_who_was_caught(pages: dict[str, Page]) -> None:
    words = pages["requirements/ACT-1.html"].words
    assert "cumulative" in words
    assert "shuffles_with_the_runtimes_generator" in words
    assert "expected.yaml" not in words
    assert "No run can show that it is broken" in pages["requirements/IMPL-8.html"].words


def test_the_badges_are_drawings_of_their_own(output: Path) -> None:
    drawings = list((output / "badges").glob("*.svg"))
    assert len(drawings) > 3
    for file in drawings:
        root = ET.fromstring(file.read_text(encoding="utf-8"))
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert "script" not in file.read_text() and "style" not in file.read_text()


def test_a_page_takes_the_readers_colours_and_width(output: Path) -> None:
    style = (output / "style.css").read_text()
    assert "prefers-color-scheme: dark" in style and "max-width: 40rem" in style
    assert 'name="viewport"' in (output / "index.html").read_text()
