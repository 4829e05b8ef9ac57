"""No table of the harness names benchmarks beside their own files, but for those that say why."""

import ast
from pathlib import Path

import pytest

from dramaturg import paths
from dramaturg.model import names
from dramaturg.timing.planning import population
from dramaturg.timing.planning.scenarios import BENCHMARKS
from dramaturg.v2 import trace_pb2

PACKAGE = paths.ROOT / "harness" / "dramaturg"

ALL = {
    "model/workload.py": "that there is such a model",
    "trace/partial/benchmarks.py": "its stand-in and what is known of its slices",
}
"""The modules that name every benchmark, and what they say."""

SOME = {
    "cases/cases.py": "COMPUTING: another benchmark in a case that computes is refused by its name",
    "conformance/busy_world.py": "computes: without one of these a case is not run, and says so",
    "trace/partial/senders.py": "_UNNUMBERED: an honest log of others is refused, and says by whom",
    "trace/replay/steps/divided.py": "_UNDIVIDED: a log of such actors is not divided",
}
"""The files that have a table of some, and why nothing is skipped in silence where one lacks."""

CLASSES = {number: name for name in BENCHMARKS for number in population.classes(name)}
"""The benchmark of each class of actors."""


def named(node: ast.expr | None) -> str | None:
    """The benchmark that this stands for: its name, its model, a class of it or a message to one;
    None if it is none."""
    match node:
        case ast.Constant(value=str(text)) | ast.Name(id=text) if text in BENCHMARKS:
            return text
        case ast.Attribute(value=ast.Name(id="names"), attr=attribute):
            return CLASSES.get(getattr(names, attribute, None))
        case ast.Attribute(value=ast.Name(id="kind"), attr=attribute):
            number = getattr(trace_pb2, attribute, None)
            return CLASSES.get(number >> 4) if isinstance(number, int) else None
    return None


def tables(package: Path) -> dict[str, set[str]]:
    """By file, the benchmarks that stand together in one literal of it; one alone is no table."""
    found: dict[str, set[str]] = {}
    for file in sorted(package.rglob("*.py")):
        place = file.relative_to(package)
        if place.parts[0] == "v2":
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            match node:
                case ast.Dict(keys=members) | ast.Set(elts=members):
                    pass
                case ast.Tuple(elts=members) | ast.List(elts=members):
                    pass
                case _:
                    continue
            together = {each for each in map(named, members) if each}
            if len(together) > 1:
                found.setdefault(place.as_posix(), set()).update(together)
    return found


def test_no_other_file_has_a_table_of_benchmarks() -> None:
    found = tables(PACKAGE)
    assert found.keys() == ALL.keys() | SOME.keys()
    nearly_all = {file for file, together in found.items() if len(together) > len(BENCHMARKS) / 2}
    assert nearly_all == set(ALL)


@pytest.mark.parametrize(
    ("text", "together"),
    [
        ('TIMES = {"pingpong": 8, "big": 40}', {"pingpong", "big"}),
        ("_FACTS = {names.SENDER, names.LINK}", {"bang", "chain"}),
        ("_WORK = (kind.MESSAGE_KIND_WORKER_WORK, kind.MESSAGE_KIND_SERVER_WORK)",
         {"web", "openweb"}),
        ("_MODELS = [ring, pingpong, web]", {"pingpong", "web"}),
        ('WORDS = {"web": 1, "net": 2}', None),
        ("_OURS = (names.PING, names.PONG, kind.MESSAGE_KIND_PING_TICK)", None),
        ("def web(chain): return names.LINK", None),
    ],
)  # fmt: skip
def test_a_table_of_several_is_found(tmp_path: Path, text: str, together: set[str] | None) -> None:
    (tmp_path / "odd.py").write_text(text + "\n")
    assert tables(tmp_path) == ({"odd.py": together} if together else {})
