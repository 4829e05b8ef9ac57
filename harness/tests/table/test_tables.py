"""Tables: read off the protocol, in every language's own form, and the same as checked in."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from dramaturg import paths
from dramaturg.cli import table as command
from dramaturg.model.messages import KINDS
from dramaturg.table.formats import FORMATS, KEPT, text
from dramaturg.table.registry import registry
from dramaturg.table.source_files import source
from dramaturg.table.vectors import vectors
from dramaturg.v2 import benchmarks_pb2

COMPILERS = {
    "cpp": ("t.hpp", ["c++", "-std=c++17", "-fsyntax-only", "-x", "c++"]),
    "go": ("t.go", ["go", "vet"]),
    "java": ("Table.java", ["javac", "-d", "."]),
    "python": ("t.py", ["python3"]),
    "rust": ("t.rs", ["rustc", "--crate-type", "lib", "--emit=metadata"]),
}
"""The command that looks at a file of each language, if its tools are there."""


@pytest.mark.parametrize("file", sorted(KEPT))
def test_what_is_checked_in_is_what_the_protocol_says(file: str) -> None:
    expected = source(KEPT[file])
    assert (paths.ROOT / file).read_text() == expected, "run `./dramaturg table --update`"


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_every_class_and_every_kind_is_in_the_table(name: str) -> None:
    table = registry()
    written = text(name, table)
    assert [each.label for each in table.classes if each.label not in written.lower()] == []
    assert [kind.number for kind in table.kinds if str(kind.number) not in written] == []
    assert len(table.kinds) == sum(kind.receiver_class != 1 for kind in KINDS.values())


@pytest.mark.parametrize("name", sorted(COMPILERS))
def test_the_table_is_a_source_file_of_its_language(name: str, tmp_path: Path) -> None:
    file, compiler = COMPILERS[name]
    if shutil.which(compiler[0]) is None:
        pytest.skip(f"there is no {compiler[0]} here")
    (tmp_path / file).write_text(text(name, registry()))
    done = subprocess.run(
        [*compiler, file], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_table_has_every_parameter_with_its_range_and_every_count_of_a_receipt() -> None:
    document = json.loads(text("json", registry()))
    assert document["parameters"]["chatapp"]["directories"] == "1..clients"
    assert document["parameters"]["bang"]["window"] == "0..0 | 1..60000"
    benchmarks = {field.name for field in benchmarks_pb2.Benchmark.DESCRIPTOR.fields}
    assert set(document["parameters"]) == set(document["receipts"]) == benchmarks
    assert document["receipts"]["mergesort"] == ["length", "sorters", "checksum"]


def test_vectors_tell_apart_what_implementers_get_wrong() -> None:
    found = vectors()
    from_32767 = next(each for each in found["lcg"] if each["seed"] == 32767)
    assert from_32767["values"][0] == 45308, "a signed state of 16 bits gives -20228"
    assert {each["length"] for each in found["shuffle"]} >= {0, 1, 2}
    there, back = (
        next(each["digest"] for each in found["fold"] if each["numbers"] == numbers)
        for numbers in ([1, 2, 3], [3, 2, 1])
    )
    assert there != back


def test_a_stale_table_is_named_and_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for file in KEPT:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    checked = CliRunner().invoke(command.table, ["--check"])
    assert checked.exit_code == 1 and "spec/vectors.json is out of date" in checked.output
    assert CliRunner().invoke(command.table, ["--update"]).exit_code == 0
    assert CliRunner().invoke(command.table, ["--check"]).exit_code == 0


def test_a_table_takes_exactly_one_wish() -> None:
    for wishes in ([], ["--check", "--update"], ["--format", "go", "--check"]):
        assert CliRunner().invoke(command.table, wishes).exit_code == 2
