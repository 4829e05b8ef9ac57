"""Times stand side by side only where they may be compared, and noise makes no ranks."""

from pathlib import Path
from typing import Any

import pytest
from report_records import audited, sample, write_samples
from site_kit import ENVIRONMENT, Page, build_of, certificate, handed, site, timed

from dramaturg.certificates.trust import Trusted
from dramaturg.report.shared_ranks import ranks
from dramaturg.site import league, ranking, reading
from dramaturg.site.ranking import Table
from dramaturg.site.supplied_data import Source

NAMES = ("akka", "caf", "erlang", "pony")


def tables(*given: Path | Source, benchmark: str = "pingpong") -> list[Table]:
    named = [each if isinstance(each, Source) else Source(each, each.name) for each in given]
    nobody: list[Trusted] = []
    found = reading.read(named, nobody)
    assert found.unread == []
    return ranking.tables(league.gather(found), benchmark)


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return certificate(tmp_path_factory.mktemp("certificates"), *NAMES)


@pytest.fixture
def results(tmp_path: Path, document: dict[str, Any]) -> Path:
    return handed(tmp_path / "results", document)


def builds(document: dict[str, Any]) -> dict[str, str]:
    return {name: build_of(document, name) for name in NAMES}


def places(table: Table) -> dict[str, str]:
    return {row.timed.implementation: row.place for row in table.ranked}


def test_those_whose_intervals_overlap_share_their_places(
    results: Path, document: dict[str, Any]
) -> None:
    medians = {"akka": 64.0, "caf": 41.0, "erlang": 41.2, "pony": 90.0}
    timed(results, builds(document), medians)
    [table] = tables(results)
    assert places(table) == {"caf": "1–2", "erlang": "1–2", "akka": "3", "pony": "4"}
    assert table.others == []


@pytest.mark.parametrize(
    ("intervals", "expected"),
    [
        ([], []),
        ([(1.0, 2.0)], [(1, 1)]),
        ([(3.0, 4.0), (1.0, 2.0)], [(2, 2), (1, 1)]),
        ([(1.0, 2.0), (2.0, 3.0)], [(1, 2), (1, 2)]),
        ([(1.0, 3.0), (2.0, 5.0), (4.0, 6.0), (7.0, 8.0)], [(1, 3), (1, 3), (1, 3), (4, 4)]),
        ([(1.0, 9.0), (2.0, 3.0), (4.0, 5.0)], [(1, 3), (1, 3), (1, 3)]),
        ([(1.0, 1.0), (1.0, 1.0)], [(1, 2), (1, 2)]),
    ],
)
def test_no_two_that_overlap_have_different_places(
    intervals: list[tuple[float, float]], expected: list[tuple[int, int]]
) -> None:
    assert ranks(intervals) == expected


def test_what_is_not_certified_has_no_place(results: Path, document: dict[str, Any]) -> None:
    of = builds(document) | {"pony": "0" * 64}
    timed(results, of, {"akka": 64.0, "caf": 41.0, "pony": 2.0})
    [table] = tables(results)
    assert places(table) == {"caf": "1", "akka": "2"}
    [pony] = table.others
    assert pony.doubts == ["no certificate of this build was handed over with it"]


def test_what_was_timed_without_a_certificate_has_no_place(
    results: Path, document: dict[str, Any]
) -> None:
    timed(results, builds(document), {"akka": 64.0, "caf": 41.0}, certified=False)
    [table] = tables(results)
    assert table.ranked == []
    assert all("uncertified" in row.doubts for row in table.others)


def test_an_interrupted_run_ranks_nobody(results: Path, document: dict[str, Any]) -> None:
    timed(results, builds(document), {"akka": 64.0, "caf": 41.0}, complete=False)
    [table] = tables(results)
    assert table.ranked == []
    assert all("its run was interrupted" in row.doubts for row in table.others)


def test_times_of_a_single_invocation_have_no_interval_and_no_place(
    results: Path, document: dict[str, Any]
) -> None:
    of = builds(document)
    each = [audited(sample(name, build=of[name], benchmark="pingpong")) for name in NAMES[:2]]
    write_samples(results, *each[0], *each[1])
    [table] = tables(results)
    assert table.ranked == []


def _other_kernel(environment: dict[str, Any]) -> None:
    environment["kernel"] = {"system": "Linux", "release": "6.9.0", "machine": "x86_64"}


def _other_machine(environment: dict[str, Any]) -> None:
    environment["cpu"] = environment["cpu"] | {"model": "Neoverse"}


def _other_memory(environment: dict[str, Any]) -> None:
    environment["memory"] = {"total": 8326508545}


def _other_harness(environment: dict[str, Any]) -> None:
    environment["packages"] = {"dramaturg": "0.2.0"}


def _other_revision(environment: dict[str, Any]) -> None:
    environment["source"] = {"revision": "0ther", "dirty": False}


def _altered_harness(environment: dict[str, Any]) -> None:
    environment["source"] = environment["source"] | {"dirty": True}


def _unknown_harness(environment: dict[str, Any]) -> None:
    del environment["source"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (_other_kernel, "kernel Linux 6.9.0 x86_64"),
        (_other_machine, "machine model Neoverse"),
        (_other_memory, "memory 8,326,508,545 bytes"),
        (_other_harness, "harness 0.2.0"),
        (_other_revision, "revision 0ther"),
        (_altered_harness, "its harness differed from its revision, or is not known"),
        (_unknown_harness, "revision None"),
    ],
)
def test_what_may_not_be_compared_is_apart_and_says_why(
    tmp_path: Path, results: Path, document: dict[str, Any], change: Any, says: str
) -> None:
    other = ENVIRONMENT | {}
    change(other)
    timed(results, builds(document), {"akka": 64.0})
    timed(tmp_path / "other", builds(document), {"caf": 41.0}, environment=other)
    both = tables(results, tmp_path / "other")
    assert len(both) == 2
    assert says in " ".join(reason for table in both for reason in table.apart)


def test_one_machine_and_one_harness_are_one_table(
    tmp_path: Path, results: Path, document: dict[str, Any]
) -> None:
    later = ENVIRONMENT | {"captured": 1.0, "load": {"1min": 9.0}, "memory": {
        "total": 8326508544, "available": 1}}  # fmt: skip
    timed(results, builds(document), {"akka": 64.0})
    timed(tmp_path / "later", builds(document), {"caf": 41.0}, environment=later)
    [table] = tables(results, tmp_path / "later")
    assert places(table) == {"caf": "1", "akka": "2"}
    assert len(table.runs) == 2


@pytest.mark.parametrize(
    "values",
    [{"parameters": {"rounds": 1001}}, {"scale": "full"}, {"scenario": "windowed"},
     {"network": {"kind": "mininet", "nodes": 2}}, {"cores": [0]}],
)  # fmt: skip
def test_other_parameters_are_another_table(
    tmp_path: Path, results: Path, document: dict[str, Any], values: dict[str, Any]
) -> None:
    timed(results, builds(document), {"akka": 64.0})
    timed(tmp_path / "other", builds(document), {"caf": 41.0}, **values)
    both = tables(results, tmp_path / "other")
    assert [len(table.ranked) for table in both] == [1, 1]
    assert [table.apart for table in both] == [[], []], "they are not called the same"


def test_machines_that_look_alike_of_two_entries_of_a_list_are_two(
    tmp_path: Path, document: dict[str, Any]
) -> None:
    for name in ("ours", "theirs"):
        handed(tmp_path / name, document)
        timed(tmp_path / name, builds(document), {"akka": 64.0})
    assert len(tables(tmp_path / "ours")) == 1
    both = [Source(tmp_path / name, name, name) for name in ("ours", "theirs")]
    timed(tmp_path / "theirs", builds(document), {"caf": 1.0})
    assert len(tables(*both)) == 2


def test_a_certificate_of_one_source_vouches_for_no_times_of_another(
    tmp_path: Path, results: Path, document: dict[str, Any]
) -> None:
    timed(tmp_path / "faked", builds(document), {"akka": 0.001, "caf": 0.002})
    [table] = tables(Source(results, "results"), Source(tmp_path / "faked", "faked", "faked"))
    assert table.ranked == []


def test_the_newest_times_of_a_build_count(
    tmp_path: Path, results: Path, document: dict[str, Any]
) -> None:
    timed(results, builds(document), {"akka": 64.0, "caf": 41.0})
    timed(tmp_path / "later", builds(document), {"akka": 32.0})
    [table] = tables(results, tmp_path / "later")
    assert places(table) == {"akka": "1", "caf": "2"}


def test_a_benchmarks_page_has_ranks_reasons_and_marks(
    tmp_path: Path, results: Path, document: dict[str, Any]
) -> None:
    of = builds(document) | {"pony": "0" * 64}
    timed(results, of, {"akka": 64.0, "caf": 41.0, "erlang": 41.2, "pony": 1.0})
    assert site(results, "--output", tmp_path / "site").exit_code == 0
    page = Page((tmp_path / "site/benchmarks/pingpong.html").read_text())
    assert "1–2" in page.words and "Not ranked" in page.words
    assert "no certificate of this build was handed over with it" in page.words
    assert page.words.count("○ reported") >= 3
