"""Tables and examples of the chapters agree with model, schema and harness."""

import re
import tomllib
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from types import SimpleNamespace

import pytest

from dramaturg import paths
from dramaturg.implementation.manifest import Manifest
from dramaturg.levels import SPEC
from dramaturg.model import chatapp, mergesort, messages, names, receipt_names
from dramaturg.model.fibonacci import calls, fibonacci
from dramaturg.model.fold import checksum, fold_all
from dramaturg.model.lcg import Lcg
from dramaturg.model.workload import MICRO, ChatAppWorkload
from dramaturg.requirements import load
from dramaturg.trace.partial.benchmarks import BENCHMARKS
from dramaturg.trace.watches import EVERYBODY
from dramaturg.v2 import control_pb2


def page(name: str) -> str:
    return (paths.SPEC / name).read_text(encoding="utf-8")


def table(name: str, *heads: str) -> Iterator[list[str]]:
    """The rows of the chapter's table with these heads."""
    lines = iter(page(name).splitlines())
    head = f"| {' | '.join(heads)} |"
    assert any(line == head for line in lines), f"{name} has no table {head}"
    next(lines)
    for line in lines:
        if not line.startswith("|"):
            return
        yield [cell.strip() for cell in line.strip("| ").split(" | ")]


def integers(cell: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", cell)]


def test_the_digests_are_the_models() -> None:
    rows = list(table("actors.md", "d", "folded in, in this order", "gives"))
    assert len(rows) > 5
    for digest, numbers, gives in rows:
        assert fold_all(int(digest), integers(numbers)) == int(gives)


def test_the_checksums_are_the_models() -> None:
    rows = list(table("actors.md", "c", "list", "its checksum from c"))
    assert len(rows) > 3
    for start, numbers, gives in rows:
        assert checksum(int(start), integers(numbers)) == int(gives)


def test_the_random_numbers_are_the_models() -> None:
    for seed, moduli, gives in table("lcg.md", "seed", "`next_int` of", "gives"):
        lcg = Lcg(int(seed))
        assert [lcg.next_int(modulus) for modulus in integers(moduli)] == integers(gives)
    heads = ("seed", "length", "the list 0..length-1, shuffled", "state afterwards")
    for seed, length, shuffled, state in table("lcg.md", *heads):
        lcg, items = Lcg(int(seed)), list(range(int(length)))
        lcg.shuffle(items)
        assert (items, lcg.state) == (integers(shuffled), int(state))
    for n, value, made in table("lcg.md", "n", "`fib(n)`", "calls of doubly recursive descent"):
        assert (fibonacci(int(n)), calls(int(n))) == (int(value), int(made))


def test_the_sorted_list_has_the_checksum_that_is_shown() -> None:
    heads = ("length", "leaf", "seed", "salt", "checksum", "sorters", "messages")
    [row] = table("mergesort.md", *heads)
    length, leaf, seed, salt, *shown = map(int, row)
    parameters = mergesort.Parameters(length, leaf, seed)
    receipt = mergesort.receipt(parameters, salt)
    found = [receipt["checksum"], receipt["sorters"], mergesort.messages(parameters)]
    assert found == shown


def test_what_control_says_is_what_the_workloads_say() -> None:
    heads = (
        "message from control", "to", "sent in", "reports to control that complete it",
    )  # fmt: skip
    shown = {
        (label, receiver, when)
        for message, to, calls, _ in table("actors.md", *heads)
        for label, when in zip(re.findall(r"`(\w+)`", message), cycle(calls.split(", ")))
        for receiver in to.split(", ")
    }
    poker = ChatAppWorkload(chatapp.Parameters(*[1] * 8)).prepare().act(0).turn().run().disconnect()
    in_calls = zip(poker.script, ("Prepare", "Act", "Turn", "Run", "Teardown"), strict=True)
    meant = {(messages.label(kind), "poker", call) for (kind, _), call in in_calls}
    for micro in MICRO.values():
        lead = names.LABELS[names.class_of(micro.model.LEAD)]
        lead += {"link": " 0", "sorter": " 1"}.get(lead, "")
        kind, _ = micro.model.begin(SimpleNamespace(rounds=1, length=1, seed=0), 0)
        meant.add((messages.label(kind), lead, "Run"))
        if micro.farewell:
            meant.add((messages.label(micro.farewell), lead, "Teardown"))
    assert shown == meant


def test_receipts_are_filled_from_what_the_leads_report() -> None:
    rows = list(table("control.md", "field", "of", "filled from"))
    shown = {benchmark: source for _, benchmark, source in rows if "`done(" in source}
    assert shown.keys() == MICRO.keys()
    for benchmark, source in shown.items():
        [arguments] = re.findall(r"`done\((.*?)\)`", source)
        assert tuple(arguments.split(", ")) == receipt_names.ARGUMENTS[benchmark]
        said = page(f"{benchmark}.md").replace("used)`", f"{arguments.split(', ')[-1]})`")
        assert f"`done({arguments})`" in said or benchmark == "chain"


def test_every_field_beside_done_has_the_benchmarks_that_it_is_of() -> None:
    shown = {
        field: of.split(", ")
        for cell, of, _ in table("control.md", "field", "of", "filled from")
        for field in re.findall(r"`done\.(\w+)`", cell)
        if field not in ("benchmark", "arguments")
    }
    meant: dict[str, list[str]] = {}
    for benchmark, arguments in receipt_names.ARGUMENTS.items():
        for field in receipt_names.fields_of(benchmark)[len(arguments) :]:
            meant.setdefault(field, []).append(benchmark)
    assert shown == meant


def test_every_field_of_chatapps_receipt_has_a_source() -> None:
    cells = " ".join(
        cell for cell, of, _ in table("control.md", "field", "of", "filled from") if of == "ChatApp"
    )
    named = set(re.findall(r"\w+", cells)) | {"posts", "leaves", "invites"}
    assert set(receipt_names.fields_of("chatapp")) <= named


def test_everybody_is_the_watch_that_is_shown() -> None:
    [row] = EVERYBODY
    values = [getattr(row, field.name) for field in control_pb2.Watch.DESCRIPTOR.fields]
    assert f"| `{{{', '.join(map(str, values))}}}`: everybody" in page("actors.md")
    shown = re.findall(r"a row `\{(.*?)\}`", page("actors.md"))
    assert shown == [", ".join(field.name for field in control_pb2.Watch.DESCRIPTOR.fields)]


def test_the_manifest_that_is_shown_can_be_read() -> None:
    [example] = re.findall(r"```toml\n(.*?)```", page("implementers.md"), re.DOTALL)
    manifest = Manifest.model_validate(tomllib.loads(example.replace("NAME", "name")))
    assert manifest.spec == SPEC
    fields = {*Manifest.model_fields, *type(manifest.run).model_fields}
    fields |= set(type(manifest.build).model_fields)
    missing = {field for field in fields if not re.search(rf"\b{field}\b", example)}
    assert missing == set()


def test_the_version_is_the_same_everywhere() -> None:
    assert f"version {SPEC}\n" in page("README.md").partition("\n\n")[0] + "\n"
    assert f"This is version {SPEC}." in page("versions.md")
    assert f"`dramaturg.v{SPEC}`" in page("versions.md")


def test_each_word_of_the_glossary_is_there_once_and_in_order() -> None:
    words = [word for word, _ in table("glossary.md", "word", "is")]
    assert words == sorted(set(words), key=lambda word: word.replace("-", "").lower())


def test_every_chapter_is_in_the_table_of_contents() -> None:
    listed = re.findall(r"^\|[^|]*\| \[(\w+\.md)\]", page("README.md"), re.MULTILINE)
    assert sorted(listed) == sorted({file.name for file in paths.SPEC.glob("*.md")} - {"README.md"})


def test_the_table_of_contents_has_the_identifiers_of_each_chapter() -> None:
    rows = re.findall(
        r"^\|[^|]*\| \[(\w+\.md)\]\(\1\) \| ([^|]*) \|", page("README.md"), re.MULTILINE
    )
    for name, listed in rows:
        here = [each.id for each in load().values() if each.file == f"spec/{name}"]
        assert {each.partition("-")[0] for each in here} == set(
            listed.replace(" ", "").split(",")
        ) - {""}, name


LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize(
    "file",
    [
        *sorted(paths.SPEC.rglob("*.md")),
        *sorted((paths.ROOT / "docs").rglob("*.md")),
        *sorted(paths.ROOT.glob("*.md")),
    ],
    ids=lambda file: str(file.relative_to(paths.ROOT)),
)
def test_every_link_leads_to_a_file(file: Path) -> None:
    links = [link for link in LINK.findall(file.read_text()) if "://" not in link]
    assert [link for link in links if not (file.parent / link).exists()] == []


def test_a_payload_is_digested_as_the_chapter_says() -> None:
    assert "`fold(payload div 2^32, payload mod 2^32)`" in page("chatapp.md")
    payload = 3 << 32 | 7
    assert chatapp.digest(payload) == fold_all(payload >> 32, [payload % 2**32])


def test_the_chapter_on_parts_lists_all_that_stays_open() -> None:
    listed = re.findall(
        r"^\| (\w+) \| (windowed)? ?\| (\w+) \| (\w+) \| (order|content) \| (.*) \|$",
        page("parts.md"),
        re.MULTILINE,
    )
    assert listed == [
        (
            benchmark,
            "windowed" if row.windowed else "",
            names.LABELS[row.receiver],
            names.LABELS[row.sender],
            "order" if row.order_only else "content",
            row.why,
        )
        for benchmark, known in BENCHMARKS.items()
        for row in known.outside.OPEN
    ]
