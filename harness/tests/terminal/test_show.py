"""Messages to a person meanwhile."""

import io
import re

import pytest
from rich.table import Table

from dramaturg.terminal import show


def test_where_there_is_no_terminal_a_line_now_and_then_says_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(show, "EACH", 0.0)
    with show.progress(as_json=False) as bar:
        task = bar.add_task("bench", total=None)
        bar.update(task, description="nothing yet")
        bar.update(task, completed=1, total=3, description="big on go\x1b[2J")
        list(bar.track([1], description="receipts"))
    said = capsys.readouterr()
    assert said.out == ""
    assert [line.split(" after ")[0] for line in said.err.splitlines()] == ["1 of 3", "1 of 1"]
    assert "big on go" in said.err
    assert "\x1b" not in said.err


def test_lines_of_progress_are_far_apart(capsys: pytest.CaptureFixture[str]) -> None:
    with show.progress(as_json=False) as bar:
        task = bar.add_task("bench", total=1000)
        for _ in range(1000):
            bar.update(task, advance=1)
    assert capsys.readouterr().err == ""


def test_a_program_is_told_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(show, "EACH", 0.0)
    with show.progress(as_json=True) as bar:
        bar.update(bar.add_task("bench", total=3), advance=1)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("columns", [40, 60, 80, 100, 132])
def test_a_narrow_terminal_keeps_names_and_verdicts_and_levels_give_way(columns: int) -> None:
    console = show.Literal(width=columns, file=io.StringIO(), force_terminal=True)
    table = Table("", "", box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for column in table.columns:
        column.no_wrap = True
    for level in ("handshake", "serial", "search", "concurrent", "distributed"):
        table.add_column(level, no_wrap=True)
    verdict = show.styled(("not certified", "bold red"), ": crash")
    levels = ("5/5", "21/21", "2/2", "57/58", "toolchain missing")
    table.add_row("dropped_forward", verdict, *levels)
    table.add_row("asyncio", show.styled(("certified", "bold green")), *levels)
    console.print(table)
    said = re.sub(r"\x1b\[[0-9;]*m", "", console.file.getvalue())  # type: ignore[attr-defined]
    lines = said.splitlines()
    assert any("dropped_forward" in line and "not certified: crash" in line for line in lines)
    assert any("asyncio" in line and " certified" in line for line in lines)
    assert said.count("57/58") == said.count("toolchain missing") == 2
    assert "…" not in said
    assert all(len(line) <= columns for line in lines)


def test_what_is_in_a_table_is_shown_as_it_is_in_a_narrow_one_too() -> None:
    console = show.Literal(width=20, file=io.StringIO())
    table = Table("a", "b", "c", box=None)
    table.add_row("[bold]name-of-somebody[/]", "verdict\x1b[2J…", ":smile: and much more")
    console.print(table)
    said = console.file.getvalue()  # type: ignore[attr-defined]
    assert "[bold]name-of-somebody[/]" in said
    assert ":smile:" in said
    assert "\\x1b" in said
    assert "\x1b" not in said
