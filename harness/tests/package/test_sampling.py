"""A part of the tests that take longest is performed with each commit, and each has its turn."""

from pathlib import Path

import pytest
import sampling
from sampling import is_chosen, leave_out


class Test:
    """A test with a mark, as pytest has them."""

    __test__ = False

    def __init__(
        self, name: str, *marks: pytest.MarkDecorator, module: str = "trace/test_x.py"
    ) -> None:
        self.name = name
        self.path = Path(sampling.__file__).parent / module
        self.marks = [*marks]

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return next((each.mark for each in self.marks if each.name == name), None)

    def add_marker(self, mark: pytest.MarkDecorator) -> None:
        self.marks.append(mark)

    @property
    def skipped(self) -> str:
        mark = self.get_closest_marker("skip")
        return str(mark.kwargs["reason"]) if mark else ""


def test_each_has_its_turn_and_none_has_all() -> None:
    commits = [f"{number:040x}" for number in range(300)]
    for share in (3, 10):
        turns = sum(is_chosen("test_x[y]", share, commit) for commit in commits)
        assert 0.6 / share < turns / len(commits) < 1.4 / share
    assert is_chosen("test_x[y]", 3, ""), "all of them outside of a repository"


def test_only_those_with_a_mark_are_left_out_and_only_if_a_part_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sampling, "commit", lambda: "0" * 40)
    monkeypatch.setattr(sampling, "changed", frozenset)
    for asked in (True, False):
        many = [Test(f"test_{number}", pytest.mark.sampled(3)) for number in range(60)]
        plain = Test("test_plain")
        if asked:
            monkeypatch.setenv(sampling.VARIABLE, "1")
        else:
            monkeypatch.delenv(sampling.VARIABLE)
        leave_out([*many, plain])  # type: ignore[list-item]
        left_out = [each for each in many if each.skipped]
        assert (10 < len(left_out) < 60) == asked, len(left_out)
        assert all("one in 3" in each.skipped for each in left_out)
        assert not plain.skipped


def test_modules_and_folders_that_take_long_are_left_out_by_their_shares(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sampling, "commit", lambda: "0" * 40)
    monkeypatch.setenv(sampling.VARIABLE, "1")
    monkeypatch.setattr(sampling, "changed", frozenset)
    for module, share in (("fire/test_x.py", 4), ("cli/test_compare.py", 4), ("cli/test_x.py", 1)):
        many = [Test(f"test_{number}", module=module) for number in range(80)]
        leave_out(many)  # type: ignore[arg-type]
        left_out = [each.skipped for each in many if each.skipped]
        assert (40 < len(left_out) < 80) == (share > 1), module
        assert all(f"one in {share}" in each for each in left_out)


def test_what_is_being_changed_is_performed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "commit", lambda: "0" * 40)
    monkeypatch.setenv(sampling.VARIABLE, "1")
    many = [Test(f"test_{number}", module="fire/test_x.py") for number in range(80)]
    monkeypatch.setattr(sampling, "changed", lambda: frozenset({many[0].path}))
    leave_out(many)  # type: ignore[arg-type]
    assert not any(each.skipped for each in many)


def test_all_that_has_a_share_is_there() -> None:
    tests = Path(sampling.__file__).parent
    assert [name for name in sampling.SHARES if not (tests / name).exists()] == []
