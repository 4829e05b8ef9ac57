"""The summary of a job: what a reader of Markdown makes of it."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from report_records import LOST, case, why

from dramaturg.outcomes import Outcome
from dramaturg.records import CaseRecord
from dramaturg.report import job_summary
from dramaturg.report.report_files import summarise
from dramaturg.results import CONFORMANCE, Writer


def written(folder: Path, *records: CaseRecord, whole: bool = True, **header: object) -> str:
    names = {record.implementation: 1 for record in records}
    standard: dict[str, object] = {"builds": {}, "planned": names, "levels": [0, 1, 2, 3]}
    with Writer(folder / CONFORMANCE, **standard | header) as writer:
        for record in records:
            writer.write(record)
        if not whole:
            writer.abandon()
    return job_summary.document(summarise(folder))


def rendered(text: str) -> str:
    return MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(text)


class _Outside(HTMLParser):
    """Collects the text that is in no code, and the tags."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.depth, self.text, self.tags = 0, "", set[str]()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)
        self.depth += tag == "code"

    def handle_endtag(self, tag: str) -> None:
        self.depth -= tag == "code"

    def handle_data(self, data: str) -> None:
        self.text += "" if self.depth else data


_TAGS = {"h2", "h3", "p", "table", "thead", "tbody", "tr", "th", "td", "strong", "code", "pre",
         "ul", "li"}  # fmt: skip


def test_it_has_verdicts_levels_and_every_case_that_failed_with_what_it_breaks(
    tmp_path: Path,
) -> None:
    failed = case(
        outcome=Outcome.FAIL, case="late-joiner", message="a message was lost",
        divergence=LOST, why=why("CHAT-37"), command="dramaturg replay x.run",
    )  # fmt: skip
    planned = {"erlang": 1, "pony": 2}
    left_out = "distributed: no root"
    said = written(tmp_path, failed, case("pony", level=0), planned=planned, left_out=left_out)
    assert "| `erlang` | **not certified** | not run | 0/1 **fail** | not run |" in said
    assert "| `pony` | **not certified** | 1/1 | not run |" in said
    assert "Not run: `distributed: no root`" in said
    assert "Not certified: `pony`: `1 planned case without a record`" in said
    assert "### fail: `erlang level 1 late-joiner`" in said
    assert "- `CHAT-37` " in said
    assert "Again: `dramaturg replay x.run`" in said


def test_what_is_not_counted_and_what_was_cut_short_says_so(tmp_path: Path) -> None:
    known = case(outcome=Outcome.FAIL, known="issue 5")
    said = written(
        tmp_path, known, case("caf", outcome=Outcome.CRASH, recommended=True), whole=False
    )
    assert "This run is **interrupted**" in said
    assert "### fail, not counted: `erlang level 1 cumulative`" in said
    assert "Known failure: `issue 5`" in said
    assert "### crash, not counted: `caf level 1 cumulative`" in said


def test_one_reason_for_many_cases_stands_once(tmp_path: Path) -> None:
    absent = [
        case(outcome=Outcome.TOOLCHAIN_MISSING, case=f"case-{n}", message="erl is missing")
        for n in range(70)
    ]
    said = written(tmp_path, *absent)
    assert said.count("erl is missing") == 1
    assert "- toolchain missing, 70 cases of `erlang`: `erl is missing`" in said


def test_its_length_is_bounded(tmp_path: Path) -> None:
    long = "x" * 1_000_000
    failed = [
        case(outcome=Outcome.CRASH, case=f"{n}", message=long, stderr=long, why=why("CHAT-37") * 9)
        for n in range(100)
    ]
    said = written(tmp_path, *failed)
    assert len(said) < 1024 * 1024 / 2
    assert "And 75 more, which `report.html` has." in said


def test_nothing_judged_is_said(tmp_path: Path) -> None:
    assert "Nothing was judged." in written(tmp_path)


@given(
    st.text("`~|\\\n\r\t <>*_[]()#@-&!\"'0aE\u202e\x1b", min_size=1),
    st.sampled_from(["message", "stderr", "known", "case", "implementation", "command"]),
)
def test_nothing_that_others_wrote_is_markup(
    tmp_path_factory: pytest.TempPathFactory, text: str, field: str
) -> None:
    evil = f"{text}EVIL{text}"
    values = {"message": "m", "outcome": Outcome.CRASH, field: evil}
    for record in (case(**values), case(**values | {"outcome": Outcome.NOT_RUN})):
        said = written(
            tmp_path_factory.mktemp("job"), record, left_out=evil,
            remarks={record.implementation: evil}, void=evil,
        )  # fmt: skip
        seen = _Outside(rendered(said))
        assert seen.tags <= _TAGS
        assert "EVIL" not in seen.text
        assert not re.search("[\x1b\u202e]", said)
