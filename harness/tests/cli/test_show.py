"""What a person is told meanwhile."""

import pytest

from dramaturg.cli import show


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
