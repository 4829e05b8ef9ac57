"""The page as a reader sees it: pictures, the choice of implementations, data to take away."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Browser, browser
from report_timed import CAST, INVOCATIONS, session

from dramaturg.report.report_files import HTML, write_all

WIDTHS = (360, 1100)
SEEN = "[...document.querySelectorAll({0!r})].filter(e => e.getClientRects().length)"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("timed")
    session(folder)
    write_all(folder)
    return folder / HTML


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("browser")) as one:
        yield one


def seen(reader: Browser, selector: str) -> int:
    found: int = reader.value(f"{SEEN.format(selector)}.length")
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_loads_without_complaint_and_asks_for_nothing_else(
    reader: Browser, page: Path, width: int, scheme: str
) -> None:
    reader.open(page, width, scheme)
    assert reader.complaints() == []
    assert reader.asked_for() == [page.resolve().as_uri()]


@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_is_as_wide_as_the_window_and_each_picture_is_seen(
    reader: Browser, page: Path, width: int
) -> None:
    reader.open(page, width)
    assert reader.value("document.documentElement.scrollWidth") <= width
    pictures = reader.value("document.querySelectorAll('figure svg').length")
    # A curve; for each of 7 groups its times and its invocations; turns of ChatApp.
    assert pictures == seen(reader, "figure svg") == 1 + 7 * 2 + 1
    outside = reader.value(
        "[...document.querySelectorAll('figure svg')].flatMap(svg => {"
        " const all = svg.getBoundingClientRect();"
        " return [...svg.querySelectorAll('text, circle')].filter(e => {"
        "  const at = e.getBoundingClientRect();"
        "  return at.width && (at.left < all.left - 1 || at.right > all.right + 1);"
        " }).map(e => e.textContent)})"
    )
    assert outside == []


def test_light_and_dark_differ_and_both_can_be_read(reader: Browser, page: Path) -> None:
    found = []
    for scheme in ("light", "dark"):
        reader.open(page, scheme=scheme)
        of = "getComputedStyle(document.body)"
        found.append((reader.value(f"{of}.backgroundColor"), reader.value(f"{of}.color")))
    (paper, ink), (dark, bright) = found
    assert paper != dark
    assert ink != paper
    assert bright != dark


def test_each_invocation_is_one_dot(reader: Browser, page: Path) -> None:
    reader.open(page)
    for name in CAST:
        panel = f'#group-7 .panels g[data-of="{name}"]'
        # The first is the legend's; the next is that of the times.
        assert reader.value(f"document.querySelectorAll('{panel}')[1].children.length") >= 2
        dots = reader.value(
            f"document.querySelectorAll('{panel}')[1].querySelectorAll('circle').length"
        )
        assert dots == INVOCATIONS


def test_what_is_not_ticked_is_not_shown_and_the_page_says_so(reader: Browser, page: Path) -> None:
    reader.open(page)
    everything = {name: seen(reader, f'[data-of="{name}"]') for name in CAST}
    assert min(everything.values()) > 20
    assert seen(reader, ".filtered") == 0

    reader.value("[...document.querySelectorAll('.filter label')][1].click()")
    left = {name: seen(reader, f'[data-of="{name}"]') for name in CAST}
    assert left == everything | {"erlang": 0}
    assert seen(reader, ".filtered") == 1

    reader.value("document.querySelector('.filter button').click()")
    assert {name: seen(reader, f'[data-of="{name}"]') for name in CAST} == everything
    assert seen(reader, ".filtered") == 0


def test_data_is_saved_from_the_page_itself(reader: Browser, page: Path, tmp_path: Path) -> None:
    reader.open(page)
    reader.ask(
        "Browser.setDownloadBehavior",
        behavior="allow", downloadPath=str(tmp_path), eventsEnabled=True,
    )  # fmt: skip
    reader.value("document.querySelector('#overview .data a').click()")
    reader.wait("Browser.downloadProgress", state="completed")
    [file] = tmp_path.iterdir()
    assert file.name == "overview.csv"
    rows = list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"))))
    assert {row["implementation"] for row in rows} == set(CAST)
