"""Case files: sound, valid, and refused with a reason when they are not."""

from pathlib import Path

import pytest

from dramaturg.conformance.cases import CaseError, load_all, load_file

CASE = """
benchmark: chatapp
cases:
  - name: x
    purpose: y
    level: 1
    serial:
      benchmark: {chatapp: {clients: 4, directories: 1, turns: 1, befriend: 50, selection: SELECTION_CUMULATIVE, fib_n: 1, seed: 42}}
"""  # noqa: E501


def test_all_cases_load_and_have_a_purpose() -> None:
    assert len(load_all()) > 30
    assert all(case.message.purpose.endswith(".") for case in load_all())


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("purpose: y", "purpos: y"), "purpos"),
        (("level: 1", "level: 2"), "level 2 is that of scripts and searches"),
        (("level: 1", "level: 5"), "level is 5"),
        (("clients: 4", "clients: 0"), "clients is 0"),
        (("befriend: 50", "befriend: 500"), "befriend is 500"),
        (("SELECTION_CUMULATIVE", "SELECTION_BEST"), "SELECTION_BEST"),
        (("serial:", "serially:"), "serially"),
        (("  - name: x", "  - nam x"), "x.yaml"),
        (("cases:", "cases: 3\nmore:"), "x.yaml"),
        (("purpose: y", 'purpose: ""'), "must be set"),
    ],
)
def test_a_broken_case_file_is_refused_with_the_fault(
    tmp_path: Path, change: tuple[str, str], complaint: str
) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(CASE.replace(*change))
    with pytest.raises(CaseError, match=complaint):
        load_file(file)


def test_a_case_file_that_is_right_loads(tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(CASE)
    assert [case.path for case in load_file(file)] == ["1-serial/chatapp/x"]
