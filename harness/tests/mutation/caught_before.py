"""Wrong harnesses that were caught before, and need not be caught again at once.

A test of a wrong harness repeats what an earlier run showed, as long as the file that it changes
and the tests that catch it have the same code. `make test` performs every such test whose code has
changed, and a twentieth of the others, which the commit chooses, since other modules may have
changed too. `make test WHOLE=1`, and pytest by itself, perform all.
"""

import ast
import functools
import hashlib
from collections.abc import Iterator
from pathlib import Path

from pydantic import TypeAdapter, dataclasses
from sampling import is_chosen

from dramaturg import files, paths
from dramaturg.mutation import traceability
from dramaturg.mutation.traceability import WrongHarness

FILE = traceability.HARNESS / "caught.yaml"
SHARE = 20
"""One in so many is performed although nothing has changed."""


@dataclasses.dataclass(frozen=True)
class Catch:
    """Which test caught a wrong harness last, and the code that this rests on."""

    test: str
    code: str = ""


def recorded() -> dict[str, Catch]:
    """By the name of the wrong harness."""
    return TypeAdapter(dict[str, Catch]).validate_python(files.read_yaml(FILE))


def code_of(wrong: WrongHarness) -> str:
    """A sum over the change, the changed file, its tests, and what these share with others."""
    harness = paths.ROOT / "harness"
    tests = harness / "tests" / wrong.tests.partition("::")[0]
    rests_on = [harness / "dramaturg" / wrong.file, harness / "tests" / "conftest.py"]
    if tests.is_dir():
        rests_on += sorted(tests.glob("*.py"))
    else:
        shared = (each for each in tests.parent.glob("*.py") if not each.name.startswith("test_"))
        rests_on += [tests, *sorted(shared)]
    sum_ = hashlib.sha256(repr((wrong.replace, wrong.by, wrong.caught_by)).encode())
    for file in rests_on:
        sum_.update(statements(file))
    return sum_.hexdigest()[:16]


@functools.cache
def statements(file: Path) -> bytes:
    """The code of a file without comments and docstrings: to reword them changes no verdict."""
    if file.suffix != ".py":
        return file.read_bytes()
    tree = ast.parse(file.read_bytes())
    for node in ast.walk(tree):
        if isinstance(body := getattr(node, "body", None), list):
            node.body = list(_without_docstrings(body))  # type: ignore[attr-defined]
    return hashlib.sha256(ast.unparse(tree).encode()).digest()


def _without_docstrings(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        value = statement.value if isinstance(statement, ast.Expr) else None
        if not (isinstance(value, ast.Constant) and isinstance(value.value, str)):
            yield statement


def is_due(wrong: WrongHarness, catch: Catch | None, commit: str) -> bool:
    """Whether it has to be caught now."""
    if catch is None or not commit or catch.code != code_of(wrong):
        return True
    return is_chosen(wrong.name, SHARE, commit)
