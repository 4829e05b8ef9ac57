"""The flags of our program beside a published one, which are to be those of the other."""

import contextlib
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from dramaturg import paths


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(paths.ROOT / "harness" / "benchmarks")
    import bench_beside

    monkeypatch.setattr(bench_beside.toolchain, "require", lambda each: None)
    monkeypatch.setattr(bench_beside.build, "build", lambda each: None)
    monkeypatch.setattr(bench_beside.side_by_side, "marked", lambda called, each: called)
    return bench_beside


def _ended_with(script: Any, monkeypatch: pytest.MonkeyPatch, *words: str) -> object:
    command = ["bench_beside.py", "reference", "--invocations", "1", *words]
    monkeypatch.setattr(sys, "argv", [*command, "--deliveries", "1", "--", "true"])
    with pytest.raises(SystemExit) as ended:
        script.main()
    return ended.value.code


def test_a_variable_that_is_set_for_ours_reaches_it(
    script: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = []

    @contextlib.contextmanager
    def start(implementation: Any, *, environment: dict[str, str]) -> Iterator[Any]:
        given.append(environment)
        raise script.Failed("it need not run")
        yield

    monkeypatch.setattr(script.starting, "start", start)
    flags = "--ponynoblock --ponygcinitial=18"
    assert _ended_with(script, monkeypatch, "--set", f"PONY_FLAGS={flags}", "--set", "X=") == 1
    assert given == [{"PONY_FLAGS": flags, "X": ""}]


@pytest.mark.parametrize("word", ["PONY_FLAGS", "=--ponynoblock", ""])
def test_a_word_that_sets_nothing_is_refused(
    script: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], word: str
) -> None:
    assert _ended_with(script, monkeypatch, "--set", word) == 2
    assert f"{word!r} is not NAME=VALUE" in capsys.readouterr().err
