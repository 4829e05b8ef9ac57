"""The words of `make survivors` on mutmut's findings, and its exit code."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import survivors
import survivors_list
from survivors_list import AT_MOST, Key
from survivors_scratch import Failed, Fate, Mutant
from survivors_targets import TARGETS, Target

TARGET = TARGETS["timing/validity/ledger.py"]
KNOWN, OTHER = ("Room.f", ("- a", "+ b")), ("Room.f", ("- a", "+ None"))
ENTRY = """\
timing/validity/ledger.py:
  - function: Room.f
    diff: |-
      - a
      + b
    class: words
    because: nobody reads it
"""


@dataclass
class Found:
    """A folder in which mutmut has run, with these fates."""

    fates: Sequence[Fate]
    target: Target = TARGET
    is_current: bool = True
    asked: list[list[str]] = field(default_factory=list)

    def lay_out(self, keep: bool) -> None:
        pass

    def run(self, names: list[str], jobs: int) -> None:
        self.asked.append(names)

    def mutants(self) -> list[Mutant]:
        return [Mutant(str(number), fate, 0) for number, fate in enumerate(self.fates)]


@pytest.fixture(autouse=True)
def _a_short_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "survivors.yaml"
    file.write_text(ENTRY)
    monkeypatch.setattr(survivors_list, "FILE", file)


def keys(monkeypatch: pytest.MonkeyPatch, *of_mutants: Key) -> None:
    monkeypatch.setattr(survivors, "key_of", lambda _, mutant: of_mutants[int(mutant.name)])


@pytest.mark.parametrize(
    ("fates", "code", "says"),
    [
        ([Fate.SURVIVED, Fate.KILLED], 0, "2 mutants: 1 killed, 1 survives"),
        ([Fate.SURVIVED, Fate.SURVIVED], 1, "1 survive, and survivors.yaml does not say why"),
        ([Fate.KILLED, Fate.KILLED], 0, "killed by now, or gone, 1 of the list"),
        ([Fate.SURVIVED, Fate.TIMEOUT], 0, "killed by the limit of time (0): 1"),
        ([Fate.SURVIVED, Fate.UNTRIED], 7, "1 not tried yet"),
        ([Fate.SURVIVED, Fate.UNCLEAR], 7, "neither killed nor alive (0): 1"),
        ([Fate.UNTRIED, Fate.SURVIVED], 1, "does not say why"),
        ([], 7, "0 mutants: none"),
    ],
)
def test_only_what_is_listed_may_survive_and_all_must_have_been_tried(
    fates: list[Fate],
    code: int,
    says: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    keys(monkeypatch, KNOWN, OTHER)
    assert survivors.judged(Found(fates), again=False, jobs=1) == code  # type: ignore[arg-type]
    assert says in capsys.readouterr().out


def test_what_was_tried_is_not_tried_anew_unless_it_lived_and_that_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keys(monkeypatch, OTHER, KNOWN, OTHER)
    found = Found([Fate.KILLED, Fate.SURVIVED, Fate.TIMEOUT])
    survivors.judged(found, again=False, jobs=1)  # type: ignore[arg-type]
    assert found.asked == []
    found.is_current = False
    survivors.judged(found, again=True, jobs=1)  # type: ignore[arg-type]
    assert found.asked == [["1"]]
    assert "those that were killed, with the files as they were" in capsys.readouterr().out
    survivors.judged(Found([]), again=True, jobs=1)  # type: ignore[arg-type]


def test_one_survivor_too_many_is_too_many(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert survivors.too_many() == 0
    survivors_list.FILE.write_text(ENTRY + f"    times: {AT_MOST}\n")
    assert survivors.too_many() == 0
    survivors_list.FILE.write_text(ENTRY + f"    times: {AT_MOST + 1}\n")
    assert survivors.too_many() == 1
    assert f"lists {AT_MOST + 1} survivors, expected at most {AT_MOST}" in capsys.readouterr().out


def test_a_file_that_is_not_mutated_is_refused_with_those_that_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["survivors.py", "trace/codec.py"])
    with pytest.raises(SystemExit) as ended:
        survivors.main()
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert "trace/codec.py is not mutated; files are: certificates/statement.py," in said


@pytest.mark.parametrize("codes", [(0, 7, 1), (1, 7, 0), (7, 0, 1)])
def test_a_survivor_in_one_file_is_not_hidden_by_another_that_was_not_tried(
    codes: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    each = iter(codes)
    monkeypatch.setattr("sys.argv", ["survivors.py", *list(TARGETS)[: len(codes)]])
    monkeypatch.setattr(survivors, "tools", lambda: "")
    monkeypatch.setattr(survivors, "judged", lambda *_: next(each))
    assert survivors.main() == 1


@pytest.mark.parametrize(
    "text",
    [
        "timing/validity/ledger.py: 7",
        "timing/validity/ledger.py:\n  - {function: f}",
        "a: [",
        "[]\n- 7",
    ],
)
def test_a_list_that_is_none_is_an_error_before_anything_runs(
    text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    survivors_list.FILE.write_text(text)
    monkeypatch.setattr("sys.argv", ["survivors.py"])
    assert survivors.main() == 2
    assert capsys.readouterr().err.startswith("survivors: survivors.yaml: ")


def test_mutmut_that_cannot_be_had_is_a_fault_of_nobody_s_tests(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def none() -> Path:
        raise Failed("could not install mutmut: no network")

    monkeypatch.setattr("sys.argv", ["survivors.py"])
    monkeypatch.setattr(survivors, "tools", none)
    assert survivors.main() == 8
    assert capsys.readouterr().err == "survivors: could not install mutmut: no network\n"
