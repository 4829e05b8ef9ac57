"""Files that came with the harness are parsed in C; those of strangers are not. Both mean the same.
Both mean the same."""

from pathlib import Path
from typing import Any

import pytest

from dramaturg import files, paths

OURS = sorted(paths.CONFORMANCE.rglob("*.yaml"))


def refuse(text: str) -> Any:
    raise AssertionError("was parsed in Python")


@pytest.mark.parametrize("file", OURS, ids=[str(f.relative_to(paths.CONFORMANCE)) for f in OURS])
def test_both_ways_read_the_same(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_python = files._Loader(file.read_text()).get_single_data()
    monkeypatch.setattr(files, "_Loader", refuse)
    assert files.read_yaml(file) == in_python


def test_what_a_stranger_wrote_never_reaches_what_recurses_in_c(tmp_path: Path) -> None:
    """With so many brackets its stack is spent, and the process ends by a signal."""
    file = tmp_path / "cases.yaml"
    file.write_text("[" * 100_000)
    with pytest.raises(files.Unreadable, match="is nested too deeply"):
        files.read_yaml(file)


def test_a_link_among_ours_to_what_a_stranger_wrote_makes_it_none_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs, in_c = tmp_path / "ours", tmp_path / "theirs.yaml", list[str]()
    ours.mkdir()
    theirs.write_text("a: 1\n")
    (ours / "linked.yaml").symlink_to(theirs)
    monkeypatch.setattr(paths, "CONFORMANCE", ours)
    monkeypatch.setattr(files, "_Quick", in_c.append)
    assert files.read_yaml(ours / "linked.yaml") == {"a": 1}
    assert in_c == []


@pytest.mark.parametrize("text", ["a: [", "a: 1\na: 2\n", "a: 2026-02-31\n", "\tb", "- &a [*b]"])
def test_what_is_wrong_is_said_in_the_same_words(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "one.yaml"
    file.write_text(text)
    said = []
    for ours in (paths.CONFORMANCE, tmp_path):
        monkeypatch.setattr(paths, "CONFORMANCE", ours)
        with pytest.raises(files.Unreadable) as raised:
            files.read_yaml(file)
        said.append(str(raised.value))
    assert said[0] == said[1]
