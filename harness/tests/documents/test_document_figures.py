"""A figure that can be counted stands in one document, and is counted again here."""

import re
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from documents_kit import documents

from dramaturg import paths
from dramaturg.cases.cases import Case, load_all
from dramaturg.implementation.manifest import available, find
from dramaturg.levels import REQUIRED
from dramaturg.model.workload import MICRO, MicroWorkload, workload_of
from dramaturg.mutation.native_mutants import Wrong
from dramaturg.mutation.native_mutants import everybody as native
from dramaturg.mutation.reference_mutants import everybody
from dramaturg.mutation.requirements_file import written
from dramaturg.plan import case_plan
from dramaturg.timing.planning import population
from dramaturg.timing.planning.scenarios import Scenario

NUMBERS = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
}
BENCHMARKS = {case.benchmark for case in load_all()} - {"control"}
WHY = "docs/why-believe-a-verdict.md"


def text_of(name: str) -> str:
    return (paths.ROOT / name).read_text(encoding="utf-8")


def number(word: str) -> int:
    return NUMBERS[word] if word in NUMBERS else int(word.replace(",", ""))


def mutants() -> int:
    return len(everybody()[0])


def equivalents() -> int:
    return len(everybody()[1])


def native_wrong() -> int:
    return sum(isinstance(each.entry, Wrong) for each in native())


def native_right() -> int:
    return sum(not isinstance(each.entry, Wrong) for each in native())


def reviewed() -> int:
    return sum(bool(trace.review) for trace in written().values())


def wrong_harnesses() -> int:
    file = paths.CONFORMANCE / "mutants" / "harness" / "expected.yaml"
    return len(yaml.safe_load(file.read_text(encoding="utf-8")))


def survivors() -> int:
    file = paths.ROOT / "harness" / "tests" / "survivors" / "survivors.yaml"
    entries = yaml.safe_load(file.read_text(encoding="utf-8")).values()
    return sum(entry.get("times", 1) for found in entries for entry in found)


def malformed() -> int:
    made = runpy.run_path(str(paths.ROOT / "harness" / "tests" / "fire" / "fire_mutator.py"))
    return sum(made["INPUTS"].values())


def cases_of_the_reference() -> int:
    return len(case_plan.make([find("reference")], REQUIRED).items)


def longest_timer() -> int:
    """Seconds of a nap or a window."""
    of = [(each.benchmark, parameters_of(each)) for each in load_all()]
    naps = [p.delay for name, p in of if name == "sleepers" and p is not None]
    windows = [getattr(p, "window", 0) for _, p in of]
    return max(naps + windows) // 1000


def longest_rest() -> int:
    """Seconds."""
    messages = [each.message for each in load_all()]
    return max(max(each.concurrent.rest, each.distributed.rest) for each in messages) // 1000


def largest_payload() -> int:
    """Bytes."""
    return max(getattr(parameters_of(each), "size", 0) for each in load_all())


def widest_argument() -> int:
    """Bits: digests have 32."""
    return max(32 + getattr(parameters_of(each), "shift", 0) for each in load_all())


def most_actors() -> int:
    """Return the most actors of a micro-benchmark's case, whose worlds are known before."""
    names = {case.benchmark for case in load_all()} & set(MICRO)
    worlds = (each for each in load_all() if each.benchmark in names)
    return max(alive_in(each) for each in worlds)


def alive_in(case: Case) -> int:
    """Return the number of actors in a run of a case, alive at the same time or not; 0 if a search
    makes it."""
    parameters = parameters_of(case)
    if parameters is None:
        return 0
    if case.benchmark == "mergesort":
        benchmark = getattr(case.message, case.drive).benchmark
        workload = workload_of(benchmark)
        assert isinstance(workload, MicroWorkload)
        return workload.micro.receipt(workload.parameters, 1, {})["sorters"]
    values = {field.name: getattr(parameters, field.name) for field in parameters.DESCRIPTOR.fields}
    scenario = Scenario(benchmark=case.benchmark, name="", scale="", parameters=values)
    return sum(crowd.many for crowd in population.of(scenario))


def parameters_of(case: Case) -> Any:
    """Return the parameters of the benchmark that a case runs; None if it runs none, or makes it
    up."""
    drive = getattr(case.message, case.drive)
    if case.drive not in ("serial", "concurrent", "distributed", "script"):
        return None
    return getattr(drive.benchmark, str(drive.benchmark.WhichOneof("parameters")))


FIGURES: list[tuple[str, str, Callable[[], int]]] = [
    (WHY, r"(\S+) mutants of the reference", mutants),
    (WHY, r"(\S+) equivalents:", equivalents),
    (WHY, r"(\S+) wrong versions of the real", native_wrong),
    (WHY, r"(\S+) other right ones", native_right),
    (WHY, r"(\S+) can only be reviewed, and say why", reviewed),
    (WHY, r"(\S+) wrong harnesses", wrong_harnesses),
    (WHY, r"(\S+) survivors, each", survivors),
    (WHY, r"(\S+) malformed inputs", malformed),
    ("README.md", r"ChatApp and (\S+) micro-benchmarks", lambda: len(MICRO)),
    ("CONTRIBUTING.md", r"and (\S+) small programs", lambda: len(BENCHMARKS)),
    ("CONFORMANCE.md", r"longest timer lasts (\d+) s", longest_timer),
    ("CONFORMANCE.md", r"longest rest of a world (\d+) s", longest_rest),
    ("CONFORMANCE.md", r"largest payload of a message has (\S+) bytes", largest_payload),
    ("CONFORMANCE.md", r"widest argument (\d+) bits", widest_argument),
    ("CONFORMANCE.md", r"largest world (\S+) actors", most_actors),
    ("CONFORMANCE.md", r"pass reference (\d+)/", cases_of_the_reference),
    ("CONFORMANCE.md", r"pass reference \d+/(\d+)", cases_of_the_reference),
]
"""The document, its words, and the way to count."""


@pytest.mark.parametrize(("document", "words", "count"), FIGURES, ids=[row[1] for row in FIGURES])
def test_a_figure_is_what_there_is(document: str, words: str, count: Callable[[], int]) -> None:
    [shown] = re.findall(words, " ".join(text_of(document).split()))
    assert number(shown) == count(), f"{document} says {shown}"


COUNTED = re.compile(
    r"\b(\d[\d,]*|[Mm]ore than \d+|[Ss]ome \d+) (?:more )?(?:\w+ ){0,2}?"
    r"(mutants|equivalents|wrong (?:ones|versions|harnesses|implementations)|implementations"
    r"|patches|malformed inputs|requirements|MUSTs)\b"
)
"""A figure of something that grows, wherever it stands."""


@pytest.mark.parametrize("file", documents(), ids=lambda file: str(file.relative_to(paths.ROOT)))
def test_a_figure_that_grows_stands_nowhere_else(file: Path) -> None:
    name = str(file.relative_to(paths.ROOT))
    if name in ("docs/requirements.md", "docs/changes.md"):
        pytest.skip("not run: one is made from what it counts, one says what was")
    text = " ".join(file.read_text(encoding="utf-8").split())
    held = [span for document, words, _ in FIGURES if document == name
            for span in (match.span() for match in re.finditer(words, text))]  # fmt: skip
    loose = [
        match[0]
        for match in COUNTED.finditer(text)
        if not any(start <= match.start() < end for start, end in held)
    ]
    assert loose == [], "say it once, in a document in which a test counts it"


def test_the_mutations_add_up() -> None:
    text = " ".join(text_of(WHY).split())
    rows = re.findall(r"^\| \w+ \| ([\d,]+) \| ([\d,]+) \| (\d+) \|$", text_of(WHY), re.MULTILINE)
    assert len(rows) == len(BENCHMARKS)
    total, refused, others = (sum(map(number, column)) for column in zip(*rows, strict=True))
    assert total == refused + others
    percent = f"{100 * refused / total:.1f}"
    assert f"The replay refuses {refused:,} of these {total:,} mutations ({percent} %)." in text
    assert f"The other {others} are" in text


def test_the_table_of_implementations_is_what_their_manifests_say() -> None:
    rows = re.findall(r"^\| (\w+) \| (gRPC|stdio) \| (.*?) \| (\w+) \| (.*?) \|$",
                      text_of("CONFORMANCE.md"), re.MULTILINE)  # fmt: skip
    assert [name for name, *_ in rows] == sorted(available(), key=[row[0] for row in rows].index)
    for name, control, benchmarks, _, nodes in rows:
        manifest = find(name).manifest
        assert control.lower() == manifest.control, name
        assert (benchmarks == "all") == (set(manifest.benchmarks) == BENCHMARKS), name
        shown = {each.replace("-", "").lower() for each in nodes.split(", ")}
        assert not manifest.distributed or shown == set(manifest.distributed), name


def test_the_walk_to_a_new_benchmark_passes_all_that_lists_benchmarks() -> None:
    """Whatever file of the harness names nearly all of them would have to name another one."""
    folder = paths.ROOT / "harness" / "dramaturg"
    files = [*folder.rglob("*.py"), *folder.rglob("*.yaml")]
    lists = {
        str(file.relative_to(paths.ROOT))
        for file in files
        if "v2" not in file.parts
        and sum(bool(re.search(rf"\b{name}\b", file.read_text())) for name in MICRO)
        >= len(MICRO) - 1
    }
    # The walk has no more of those than it had: a benchmark is told once, by its own model.
    assert 1 < len(lists) <= 3
    linked = set(re.findall(r"\]\((harness/dramaturg/[^)]+)\)", text_of("CONTRIBUTING.md")))
    assert lists <= linked
