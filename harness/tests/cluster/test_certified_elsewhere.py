"""Certified on workers: outcomes, levels and quoted requirements are those of one machine."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dramaturg import paths
from dramaturg.certificates import certificate
from dramaturg.cluster import host_facts, host_tools, reached, sent_sources, worker_hosts
from dramaturg.cluster.reached import Reached
from dramaturg.cluster.sent_sources import File
from dramaturg.cluster.worker_hosts import Host
from dramaturg.conformance import certification, part
from dramaturg.conformance.part import Performed
from dramaturg.errors import ClusterError, ManifestError
from dramaturg.implementation import build
from dramaturg.implementation.manifest import Implementation, find, load
from dramaturg.machine import environment
from dramaturg.orchestration import certified_elsewhere
from dramaturg.outcomes import Outcome
from dramaturg.plan import case_plan
from dramaturg.records import CaseRecord
from dramaturg.standing import CHANGED, Certification, Standing
from dramaturg.v2 import control_pb2

SECRET = "a-key-that-no-worker-may-have"

CASES = ("introduces-itself", "lcg-vectors", "one-round", "two-clients-one-directory")


@pytest.fixture(scope="module")
def two() -> Iterator[Reached]:
    """Two workers of this machine, one of which would see a secret of ours if it were handed on."""
    os.environ["SIGNING_TOKEN"] = SECRET
    try:
        with reached.reached("local:2") as found:
            yield found
    finally:
        del os.environ["SIGNING_TOKEN"]


def certified(
    implementations: list[Implementation],
    folder: Path,
    at: Reached | None,
    said: list[str] | None = None,
    cases: tuple[str, ...] = CASES,
) -> Certification:
    made = case_plan.make(implementations, [0, 1])
    chosen = made.only({item.path for item in made.items if item.case.name in cases})
    elsewhere = at and certified_elsewhere.performer(at, (said if said is not None else []).append)
    words = [] if at else ["-n", "0"]
    return certification.certify(chosen, folder, elsewhere=elsewhere, pytest_arguments=words)


def judged(done: Certification) -> list[dict[str, Any]]:
    """Return each case's record, but for its host, its duration, and the places of files."""
    found = []
    for standing in done.standings.values():
        for record in standing.records:
            said = record.model_dump(mode="json")
            found.append({k: v for k, v in said.items() if k not in ("host", "seconds", "command")})
    return sorted(found, key=lambda each: (each["implementation"], each["case"]))


@pytest.fixture
def wrong() -> list[Implementation]:
    """One that is right, and one that confirms too early."""
    return [find("reference"), load(paths.CONFORMANCE / "mutants", "early_confirm")]


def test_verdicts_are_those_of_one_machine_and_each_names_its_host(
    two: Reached, wrong: list[Implementation], tmp_path: Path
) -> None:
    here = certified(wrong, tmp_path / "here", None)
    there = certified(wrong, tmp_path / "there", two)
    assert judged(there) == judged(here)
    outcomes = {record["outcome"] for record in judged(here)}
    assert outcomes == {"pass", "fail"}
    for standing in there.standings.values():
        assert standing.hosts and set(standing.hosts) <= {"local/0", "local/1"}
        assert standing.to_dict()["hosts"] == standing.hosts
    assert not there.errors
    assert there.exit_code == here.exit_code
    [failed] = [r for r in there.standings["reference+early_confirm"].records if r.why]
    run = Path(failed.command.split()[-1])
    assert (paths.ROOT / run if not run.is_absolute() else run).exists(), "its run came back"
    assert list((tmp_path / "there" / "traces").iterdir())


def test_records_are_written_once_by_whoever_asked(two: Reached, tmp_path: Path) -> None:
    certified([find("reference")], tmp_path, two)
    lines = [json.loads(line) for line in (tmp_path / "conformance.jsonl").read_text().splitlines()]
    cases = [line["case"] for line in lines if line["record"] == "case"]
    assert sorted(cases) == sorted(set(cases))
    assert lines[-1] == {"record": "footer", "records": len(cases), "ended": lines[-1]["ended"]}


def test_words_behind_the_dashes_choose_cases_there_as_here(two: Reached, tmp_path: Path) -> None:
    plan = case_plan.make([find("reference")], [0])
    done = certification.certify(
        plan,
        tmp_path,
        pytest_arguments=["-k", "lcg-vectors or introduces"],
        elsewhere=certified_elsewhere.performer(two, print),
    )
    [standing] = done.standings.values()
    assert sorted(r.case for r in standing.records) == ["introduces-itself", "lcg-vectors"]
    assert standing.outcome is Outcome.NOT_RUN
    assert not standing.certified


def test_a_case_that_was_performed_twice_is_taken_once(tmp_path: Path) -> None:
    taken: list[CaseRecord] = []
    run = certified_elsewhere._Run(
        None,
        case_plan.make([], [0]),
        tmp_path,
        lambda r, e: taken.append(r),
        print,  # type: ignore[arg-type]
    )
    record = CaseRecord(
        implementation="erlang", level=1, benchmark="pingpong", case="x", outcome=Outcome.PASS
    )
    run._record(record, "")
    run._record(record.model_copy(update={"outcome": Outcome.FAIL, "host": "other"}), "")
    assert [each.outcome for each in taken] == [Outcome.PASS]


def test_a_host_is_heard_of_the_cases_and_the_build_that_it_was_asked_for(tmp_path: Path) -> None:
    reference = find("reference")
    plan = case_plan.make([reference], [0])
    taken: list[CaseRecord] = []
    run: Any = certified_elsewhere._Run(None, plan, tmp_path, lambda r, e: taken.append(r), print)  # type: ignore[arg-type]
    run.hosts = {"h0": Host("h0", "tcp://192.0.2.1:1", {}, shares=False)}
    run.digests = {"reference": build.digest(reference)}
    mine, other = plan.items[:1], plan.items[1]

    def record(item: case_plan.Item, **more: Any) -> tuple[CaseRecord, str]:
        made = certified_elsewhere._unrecorded(item, Outcome.PASS, "", "")
        return made.model_copy(update=more), ""

    said = [record(mine[0]), record(other), record(mine[0], implementation="erlang"),
            record(mine[0], level=3), record(mine[0])]  # fmt: skip
    run._told(mine, "h0", {"record": said[1][0].model_dump(mode="json"), "explanation": ""})
    assert not taken
    came = Performed(records=said, build="f" * 64, artefact="")
    run._ended(reference, mine, reached.Ended(0, "h0", came.model_dump(mode="json")))
    assert [(each.implementation, each.case, each.level) for each in taken] == [
        ("reference", mine[0].case.name, mine[0].case.level)
    ]
    [error] = run.done.errors
    assert error.startswith("h0: reference is another build there: digest ffffffffffff, here ")


@pytest.mark.parametrize("changes", [True, False])
def test_a_build_that_changes_while_it_is_judged_is_no_verdict_of_another_host_either(
    changes: bool, copied: Implementation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def perform(plan: Any, folder: Path, cores: int, take: Any) -> certification.Elsewhere:
        [implementation] = plan.implementations
        built = build.built(implementation)
        if changes:
            (implementation.folder / "made_for_this_test.py").write_text("# Changed.\n")
        return certification.Elsewhere({implementation.name: built})

    monkeypatch.setattr(certification, "perform_part", perform)
    asked = part.Part(
        sent=sent_sources.of(copied, whole=True), levels=[0], paths=[], file=None, cores=1,
        results="results",
    )  # fmt: skip
    came = part.perform(asked.model_dump(), print)
    assert came["errors"] == [f"{copied.name}: {CHANGED}, so this is no verdict"] * changes


def test_what_comes_back_is_laid_where_such_things_are(tmp_path: Path) -> None:
    folder = tmp_path / "results"
    run: Any = certified_elsewhere._Run(None, case_plan.make([], [0]), folder, print, print)  # type: ignore[arg-type]
    names = ("", ".", "stderr", "stderr/", "traces/../../x", "/x", "audits/x", "stderr/a.log")
    run._keep(Performed(records=[], kept=dict.fromkeys(names, "eA==")), "h0")
    assert [each for each in tmp_path.rglob("*") if each.is_file()] == [folder / "stderr/a.log"]


def test_a_host_that_does_not_see_our_files_is_sent_sources_by_digest(
    two: Reached, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, copied: Implementation
) -> None:
    here = certified([copied], tmp_path / "here", None)
    monkeypatch.setattr(two, "hosts", [_strange(host) for host in two.hosts])
    monkeypatch.setattr(Standing, "obstacles", property(lambda self: []))  # As if it were all.
    tools = host_tools.ask(two, [copied])[copied.name]
    assert [found.problems for found in tools.values()] == [[], []]
    there = certified([copied], tmp_path / "there", two)
    assert judged(there) == judged(here)
    assert not certification.is_certified(copied)
    refused = certificate.issue(there, [copied], _never)
    assert "certify it there" in refused[copied.name]
    assert not (tmp_path / "there" / "certificate.json").exists()
    kept = paths.cache() / "cluster"
    sent = [place for place in kept.glob(f"*/{build.digest(copied)}/*") if place.is_dir()]
    try:
        assert sent and all(place != copied.folder for place in sent)
    finally:
        for place in sent:
            shutil.rmtree(place.parent)


def _never(implementation: Implementation) -> control_pb2.DescribeResponse:
    raise AssertionError("it was started here")


def _strange(host: Host) -> Host:
    from dataclasses import replace

    return replace(host, shares=False)


@pytest.fixture
def copied(copy_reference: Callable[[Path], Path], tmp_path: Path) -> Implementation:
    """A build that no host has."""
    folder = copy_reference(tmp_path / "implementations")
    (folder / "made_for_this_test.py").write_text(f"# {tmp_path}\n")
    return load(folder)


def test_what_has_another_digest_there_is_refused(copied: Implementation) -> None:
    sent = sent_sources.of(copied, whole=True)
    (copied.folder / "made_for_this_test.py").write_text("# changed meanwhile\n")
    with pytest.raises(ManifestError, match="another build there"):
        sent.found(shares=True)


def test_sources_that_were_sent_are_the_same_build_the_first_time_and_the_next(
    copied: Implementation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    first = sent_sources.of(copied, whole=True).found(shares=False)
    again = sent_sources.of(copied).found(shares=False)
    assert first.folder == again.folder != copied.folder
    assert build.digest(first) == build.digest(copied)


@pytest.mark.parametrize("name", ["../out", "/out", "side/../../out", "a\0b", ""])
def test_what_is_sent_leads_out_of_no_folder(
    name: str, copied: Implementation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    sent = sent_sources.of(copied).model_copy(
        update={"files": {name: File(content="", executable=False)}}
    )
    with pytest.raises(ManifestError, match="leads out of the folder"):
        sent.found(shares=False)
    assert list(tmp_path.rglob("out")) == []


def test_no_host_has_the_toolchain(two: Reached, tmp_path: Path, copied: Implementation) -> None:
    file = copied.folder / "dramaturg.toml"
    needed = '[[toolchain.needs]]\nwhat = "Prolog"\nprobe = ["no-such-prolog", "--version"]\n'
    file.write_text(file.read_text() + needed)
    done = certified([load(copied.folder)], tmp_path / "results", two)
    [standing] = done.standings.values()
    assert {record.outcome for record in standing.records} == {Outcome.TOOLCHAIN_MISSING}
    assert len(standing.records) == standing.planned
    said = standing.records[0].message
    assert said.startswith("no host of the cluster has its toolchain: local/0: Prolog is not here")
    assert "local/1" in said
    assert done.exit_code == Outcome.TOOLCHAIN_MISSING.exit_code


def test_a_worker_has_no_key_and_nothing_else_that_is_not_on_the_list(two: Reached) -> None:
    for host in two.hosts:
        said = Path(f"/proc/{host.facts['pid']}/environ").read_bytes()
        assert SECRET.encode() not in said
        names = {each.partition(b"=")[0].decode() for each in said.split(b"\0") if each}
        from dramaturg.cluster.started_members import KEPT

        assert names <= {*KEPT}


def test_members_listen_on_loopback_alone_and_refuse_who_has_no_key(two: Reached) -> None:
    import psutil
    from distributed import Client

    assert two._members is not None and two._members.scheduler is not None
    pids = [two._members.scheduler.process.pid, *(host.facts["pid"] for host in two.hosts)]
    listening = [
        each.laddr.ip
        for pid in pids
        for each in psutil.Process(pid).net_connections(kind="inet")
        if each.status == psutil.CONN_LISTEN
    ]
    assert len(listening) >= 3
    assert set(listening) == {"127.0.0.1"}
    place = two._members.address
    assert place.startswith("tls://")
    with pytest.raises((OSError, TypeError)):
        Client(place.replace("tls://", "tcp://"), timeout=3, set_as_default=False)
    from dramaturg.cluster import tls_keys

    others = tls_keys.security_of(tls_keys.made())
    with pytest.raises((OSError, TypeError)):
        Client(place, security=others, timeout=3, set_as_default=False)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"harness": "f" * 64}, "harness ffffffffffff, here "),
        ({"python": "3.10", "python_whole": "3.10.9"}, "Python 3.10.9, here 3."),
        ({"protocol": "e" * 64}, "cluster protocol eeeeeeeeeeee, here "),
    ],
)
def test_a_worker_of_another_version_is_refused_with_both_named(
    changed: dict[str, str], said: str
) -> None:
    there = host_facts.here() | changed
    with pytest.raises(ClusterError, match="install the same there") as refused:
        worker_hosts.refuse_other_versions("tcp://127.0.0.1:1", {"tcp://a": there})
    assert said in str(refused.value)
    worker_hosts.refuse_other_versions("tcp://127.0.0.1:1", {"tcp://a": host_facts.here()})


def test_a_worker_that_does_not_say_all_of_its_version_is_of_another_one() -> None:
    facts = {"tcp://a": {"harness": "f" * 64}}
    with pytest.raises(ClusterError, match="worker on tcp://a has Python unknown, here 3"):
        worker_hosts.refuse_other_versions("tcp://127.0.0.1:1", facts)


def test_all_that_hosts_perform_is_among_what_has_to_be_the_same() -> None:
    from dramaturg.cli import replay
    from dramaturg.judging import divided_log
    from dramaturg.mutation import native_mutants, reference_mutants
    from dramaturg.orchestration import inside_host, mutants_elsewhere

    functions = (part.FUNCTION, divided_log.FUNCTION, mutants_elsewhere.FUNCTION,
                 host_tools._FUNCTION, replay._ON_HOST)  # fmt: skip
    modules = (native_mutants, reference_mutants, inside_host)
    names = [each.partition(":")[0] for each in functions] + [each.__name__ for each in modules]
    for name in names:
        layer = name.split(".")[1]
        assert layer not in environment.READERS or layer in host_facts.PERFORMED, name


def test_a_worker_that_somebody_else_started_without_a_harness_is_refused(tmp_path: Path) -> None:
    """A worker of plain Dask: its Python does not find our package."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    hidden = (
        "import sys; sys.modules['dramaturg'] = None;"
        " from distributed.cli.dask_worker import main; main()"
    )
    program = [str(paths.PYTHON), "-m", "distributed.cli.dask_scheduler"]
    file = tmp_path / "scheduler.json"
    usual = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment}
    with subprocess.Popen([*program, *usual], **quiet) as scheduler:  # type: ignore[call-overload]
        from waiting import wait_until

        assert wait_until(lambda: file.exists() and file.read_text().strip(), 60, 0.1)
        place = json.loads(file.read_text())["address"]
        words = [str(paths.PYTHON), "-c", hidden, place, "--nthreads", "1", "--no-dashboard"]
        words += ["--no-nanny", "--local-directory", str(tmp_path)]
        try:
            with pytest.raises(ClusterError, match="has no workers"), reached.reached(place):
                pass
            with subprocess.Popen(words, **quiet) as worker:  # type: ignore[call-overload]
                try:
                    from distributed import Client

                    with Client(place, set_as_default=False) as client:
                        client.wait_for_workers(1, timeout=60)
                    with (
                        pytest.raises(ClusterError, match="cannot import the harness"),
                        reached.reached(place),
                    ):
                        pass
                finally:
                    worker.kill()
        finally:
            scheduler.kill()
