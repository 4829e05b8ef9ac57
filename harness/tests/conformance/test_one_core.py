"""Level 3 on one core: who is confined, and who is excused (LEVEL-36, LEVEL-37)."""

import os
from pathlib import Path

import pytest

from dramaturg.cases.cases import load_all
from dramaturg.certificates import certificate, verification
from dramaturg.conformance.performer import Performer
from dramaturg.conformance.pool import Pool
from dramaturg.errors import ManifestError
from dramaturg.implementation.digest import digest
from dramaturg.implementation.manifest import Implementation, find, load
from dramaturg.model.workload import MICRO
from dramaturg.outcomes import Outcome
from dramaturg.plan import case_plan
from dramaturg.plan.case_plan import Item
from dramaturg.records import CaseRecord
from dramaturg.standing import Standing
from dramaturg.v2 import control_pb2

REFERENCE = find("reference")
CASES = {case.name: case for case in load_all()}


def forms() -> set[tuple[str, bool]]:
    """Benchmarks that are performed on one core, and whether windowed."""
    found = set()
    for case in load_all():
        if case.cores == 1:
            name = str(case.message.concurrent.benchmark.WhichOneof("parameters"))
            parameters = getattr(case.message.concurrent.benchmark, name)
            found.add((name, bool(getattr(parameters, "windows", 0))))
    return found


def test_every_benchmark_is_performed_on_one_core_in_each_of_its_forms() -> None:
    assert {name for name, windowed in forms() if not windowed} == {*MICRO, "chatapp"}
    assert {name for name, windowed in forms() if windowed} == {"pingpong", "big", "bang"}


def test_the_process_has_one_core(tmp_path: Path, no_process_left: None) -> None:
    pool = Pool()
    try:
        alone = pool.cluster(REFERENCE, cores=1).lead
        free = pool.cluster(REFERENCE).lead
        assert alone.process is not None
        assert free.process is not None
        assert len(os.sched_getaffinity(alone.process.pid)) == 1
        assert os.sched_getaffinity(free.process.pid) == os.sched_getaffinity(0)
        assert pool.cluster(REFERENCE, cores=1).lead is alone, "it is started once for all of them"
    finally:
        pool.close()


def test_a_case_for_one_core_is_performed_there(tmp_path: Path, no_process_left: None) -> None:
    asked = []

    class Noted(Pool):
        def get(self, implementation: Implementation, cores: int = 0):  # type: ignore[no-untyped-def]
            asked.append(cores)
            return super().get(implementation, cores)

    pool = Noted()
    try:
        performer = Performer(pool, tmp_path)
        for name in ("pingpong-on-one-core", "pingpong-one-round"):
            record, _ = performer.perform(Item(REFERENCE, CASES[name]))
            assert record.outcome is Outcome.PASS
    finally:
        pool.close()
    assert asked == [1, 0]


def excused(**reasons: str) -> Implementation:
    manifest = REFERENCE.manifest.model_copy(update={"several_cores": reasons})
    return Implementation(REFERENCE.folder, manifest)


def test_what_needs_several_cores_is_not_performed_on_one() -> None:
    implementation = excused(bang="its pool never looks up")
    planned = {item.case.name for item in case_plan.make([implementation], [3]).items}
    assert planned & {"bang-on-one-core", "bang-windows-on-one-core"} == set()
    assert {"bang-windows", "big-windows-on-one-core"} <= planned
    assert case_plan.several_cores(implementation) == {"bang": "its pool never looks up"}


def test_an_excuse_stands_in_the_certificate() -> None:
    implementation = excused(bang="its pool never looks up")
    passed = CaseRecord(
        implementation="reference",
        level=0,
        benchmark="control",
        case="introduces-itself",
        outcome=Outcome.PASS,
    )
    standing = Standing("reference", digest(REFERENCE), 1, [passed], [0, 1, 2, 3])
    said = control_pb2.DescribeResponse(runtime="CPython", runtime_version="3", schedulers=1)
    claim = certificate.claim(implementation, standing, lambda each: said)
    assert claim.several_cores == {"bang": "its pool never looks up"}
    differ = verification._of_build("reference", claim, REFERENCE, ())
    assert any(each.what.startswith("reference several_cores") for each in differ)


def test_nobody_is_excused_unless_the_manifest_says_so() -> None:
    assert case_plan.several_cores(REFERENCE) == {}


@pytest.mark.parametrize(
    ("said", "wrong"),
    [('bangs = "slow"', "did you mean 'bang'"), ('bang = ""', "several_cores.bang")],
)
def test_an_excuse_is_for_what_it_has_and_has_a_reason(
    tmp_path: Path, said: str, wrong: str
) -> None:
    text = (REFERENCE.folder / "dramaturg.toml").read_text()
    (tmp_path / "dramaturg.toml").write_text(f"{text}\n[several_cores]\n{said}\n")
    with pytest.raises(ManifestError, match=wrong):
        load(tmp_path)


def test_an_excuse_is_a_variants_as_far_as_it_has_the_benchmark(tmp_path: Path) -> None:
    text = (REFERENCE.folder / "dramaturg.toml").read_text()
    more = '[several_cores]\nbang = "why"\nweb = "why not"\n[variants.few]\nbenchmarks = ["web"]\n'
    (tmp_path / "dramaturg.toml").write_text(f"{text}\n{more}")
    assert load(tmp_path, "few").manifest.several_cores == {"web": "why not"}
