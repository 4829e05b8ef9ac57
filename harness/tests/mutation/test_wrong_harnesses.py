"""A harness that is wrong is caught by its own tests (conformance/mutants/harness/)."""

import multiprocessing
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from caught_before import Catch, code_of, is_due, recorded, statements
from sampling import VARIABLE, commit
from tests_of_a_copy import run_pytest

from dramaturg import paths
from dramaturg.mutation import traceability
from dramaturg.mutation.traceability import WrongHarness

FAILED = 1
"""Pytest's exit code if a test failed; other numbers say that nothing was tested."""


PATIENCE = 300.0
"""Seconds for the tests of one."""

PRELOADED = ["pytest", "hypothesis", "grpc", "numpy", "pydantic", "cryptography", "rich", "yaml"]
"""Modules that most tests need and no wrong harness changes: to import them takes a quarter of the
time."""

WRONG = traceability.wrong_harnesses()

CAUGHT = recorded()
"""The test that caught a wrong harness last comes first, since others take most of the time; where
it does not fail, all others are performed as well."""

_FAILED = re.compile(r"^(?:FAILED|ERROR) (?:tests/)?(\S+?\.py::.+?)(?: - .*)?$", re.MULTILINE)

State = dict[str, tuple[int, int]]


class Copy:
    """The project with a harness of its own; large unchanged files are only linked.

    To copy it takes longer than most wrong harnesses take to fail, so it serves many. Python's
    compiled files come along, tests too: to rewrite their asserts takes as long again.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir()
        for item in paths.ROOT.iterdir():
            if item.name not in ("harness", "results", ".git"):
                (root / item.name).symlink_to(item)
        shutil.copytree(
            paths.ROOT / "harness",
            root / "harness",
            ignore=shutil.ignore_patterns("*.egg-info", ".hypothesis", ".*_cache"),
        )
        self._before = self._state()

    def change(self, wrong: WrongHarness) -> None:
        """Exchange the text. Python knows a changed file by its time and its size, which may be
        what they were: so what it had compiled goes."""
        file = self.root / "harness" / "dramaturg" / wrong.file
        text = file.read_text()
        assert text.count(wrong.replace) == 1, "the text to be replaced is there once"
        file.write_text(text.replace(wrong.replace, wrong.by))
        _forget_compiled(file)

    def is_as_it_was(self, wrong: WrongHarness) -> bool:
        """True if it is, once this change is undone: no test has left anything."""
        file = self.root / "harness" / "dramaturg" / wrong.file
        shutil.copy2(paths.ROOT / "harness" / "dramaturg" / wrong.file, file)
        _forget_compiled(file)
        # These are failures, for the next time; the next change is another one.
        shutil.rmtree(self.root / "harness" / "tests" / ".hypothesis", ignore_errors=True)
        return self._state() == self._before

    def _state(self) -> State:
        """Sizes and times of all files, but for what Python compiles of files that are as they
        were."""
        found: State = {}
        for folder, _, names in os.walk(self.root / "harness"):
            for name in names:
                if not name.endswith(".pyc"):
                    path = os.path.join(folder, name)  # noqa: PTH118
                    status = os.lstat(path)
                    found[path] = status.st_size, status.st_mtime_ns
        return found


def _forget_compiled(file: Path) -> None:
    """By Python, and by pytest, which has its own of plug-ins."""
    for compiled in (file.parent / "__pycache__").glob(f"{file.stem}.*.pyc"):
        compiled.unlink()


class Shelf:
    """Has a copy that nobody has changed."""

    def __init__(self, factory: pytest.TempPathFactory) -> None:
        self._factory = factory
        self._kept: Copy | None = None

    def take(self) -> Copy:
        copy, self._kept = self._kept, None
        return copy or Copy(self._factory.mktemp("copy") / "project")

    def give_back(self, copy: Copy, wrong: WrongHarness) -> None:
        if copy.is_as_it_was(wrong):
            self._kept = copy
        else:
            shutil.rmtree(copy.root)


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    shelf = Shelf(tmp_path_factory)
    yield shelf
    shutil.rmtree(shelf.take().root)


@pytest.fixture(scope="session")
def server() -> multiprocessing.context.ForkServerContext:
    """Starts processes that have imported what is preloaded, and nothing of the harness."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    return context


@pytest.mark.parametrize("wrong", WRONG, ids=[wrong.name for wrong in WRONG])
def test_a_wrong_harness_is_caught_by_its_own_tests(
    wrong: WrongHarness,
    shelf: Shelf,
    server: multiprocessing.context.ForkServerContext,
    tmp_path: Path,
) -> None:
    catch = CAUGHT.get(wrong.name)
    if VARIABLE in os.environ and not is_due(wrong, catch, commit()):
        pytest.skip("not run: caught before, by the same code; `make test WHOLE=1` runs it")
    copy, output = shelf.take(), tmp_path / "output"
    copy.change(wrong)
    where, _, keywords = wrong.caught_by.partition(" -k ")
    arguments = ["-x", "-q", "-p", "no:cacheprovider", where]
    arguments += ["-k", keywords.strip('"')] if keywords else []
    first = catch.test if catch else ""
    tests = server.Process(target=run_pytest, args=(copy.root, arguments, output, first))
    tests.start()
    tests.join(PATIENCE)
    tests.kill()
    tests.join()
    shelf.give_back(copy, wrong)
    if tests.exitcode == 0 and os.geteuid() != 0 and " skipped" in output.read_text():
        pytest.skip("not run: what would catch it needs root")
    assert tests.exitcode == FAILED, output.read_text()[-4000:]
    if found := _FAILED.findall(output.read_text()):
        # harness/scripts/wrong_harnesses.py --record takes it from there.
        now = {"test": found[-1], "code": code_of(wrong)}
        (tmp_path / "caught.yaml").write_text(yaml.safe_dump({wrong.name: now}))


def test_most_wrong_harnesses_were_caught_by_the_code_that_is_there() -> None:
    """A change of what all tests share makes all due, in each run until they are recorded."""
    codes = {name: catch.code for name, catch in CAUGHT.items()}
    due = [wrong.name for wrong in WRONG if codes.get(wrong.name) != code_of(wrong)]
    assert len(due) < len(WRONG) / 4, (
        f"{len(due)} of {len(WRONG)} are due: run these tests with --basetemp FOLDER, and then"
        " harness/scripts/wrong_harnesses.py --record FOLDER"
    )


def test_what_was_caught_by_the_same_code_is_not_due() -> None:
    wrong = WRONG[0]
    same = Catch("test_x.py::test_y", code_of(wrong))
    due = [is_due(wrong, same, f"{number:040x}") for number in range(200)]
    assert 2 <= sum(due) <= 30, "about a twentieth, which the commit chooses"
    assert is_due(wrong, None, "0" * 40)
    assert is_due(wrong, Catch("test_x.py::test_y", "other"), "0" * 40)
    assert is_due(wrong, same, ""), "all of them outside of a repository"
    other = wrong.model_copy(update={"by": wrong.by + " "})
    assert code_of(other) != code_of(wrong)


def test_words_are_no_code(tmp_path: Path) -> None:
    first, reworded, other = (tmp_path / name for name in ("a.py", "b.py", "c.py"))
    first.write_text('def f():\n    """Says."""\n    return 1\n')
    reworded.write_text('"""Module."""\ndef f():\n    return 1  # one\n')
    other.write_text("def f():\n    return 2\n")
    assert statements(first) == statements(reworded) != statements(other)


def test_a_copy_in_which_anything_was_left_is_not_used_again(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    shelf = Shelf(tmp_path_factory)
    first = shelf.take()
    first.change(WRONG[0])
    shelf.give_back(first, WRONG[0])
    assert shelf.take() is first
    first.change(WRONG[0])
    (first.root / "harness" / "tests" / "left").touch()
    shelf.give_back(first, WRONG[0])
    second = shelf.take()
    assert second is not first
    other = second.root / "harness" / "dramaturg" / "paths.py"
    other.write_text(other.read_text() + "\n")
    shelf.give_back(second, WRONG[0])
    assert not second.root.exists()
