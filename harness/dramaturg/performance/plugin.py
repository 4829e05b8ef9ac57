"""The pytest plugin: every case on every implementation is one test.

``dramaturg certify`` runs pytest with it; so ``-k``, ``-x``, ``--junitxml`` and
``-n`` work as everywhere. By hand: ``pytest -p dramaturg.performance.plugin
--implementation erlang --pyargs dramaturg.performance.suite``.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from dramaturg import paths
from dramaturg.cases.cases import REQUIRED, Case, load_all, load_file
from dramaturg.cases.reasons import reasons
from dramaturg.errors import ControlError
from dramaturg.implementation.manifest import Implementation, find
from dramaturg.outcomes import Outcome
from dramaturg.performance import search
from dramaturg.performance.cluster import Cluster
from dramaturg.performance.drives import Result, perform, result_of
from dramaturg.performance.pool import Pool
from dramaturg.records import CaseRecord
from dramaturg.trace.render import last_words, render
from dramaturg.visible import visible

_RECORD = "dramaturg"
_SKIPPED = (Outcome.UNSUPPORTED, Outcome.TOOLCHAIN_MISSING, Outcome.NOT_RUN)


@dataclass(frozen=True, slots=True)
class Item:
    """A case on an implementation."""

    implementation: Implementation
    case: Case

    @property
    def path(self) -> str:
        return f"{self.implementation.name}/{self.case.path}"

    def record(self, result: Result, command: str = "") -> CaseRecord:
        """The line that goes into the results."""
        why = reasons(self.case, result.outcome, result.breaks, result.divergence)
        return CaseRecord(
            implementation=self.implementation.name,
            level=self.case.level,
            benchmark=self.case.benchmark,
            case=self.case.name,
            outcome=result.outcome,
            message=result.message,
            divergence=result.divergence.to_dict() if result.divergence else None,
            why=[requirement.to_dict() for requirement in why],
            stderr=result.stderr,
            command=command,
            known=result.known,
            events=result.events,
            seconds=round(result.seconds, 3),
            requirements=list(self.case.message.requirements),
        )


def plan(
    implementations: list[Implementation],
    levels: list[int],
    file: Path | None = None,
    only: Collection[str] | None = None,
) -> list[Item]:
    """All that is to be performed, implementation by implementation: the cases of the
    benchmarks that its manifest names, at level 4 as distributed, and those of the control
    port.

    ``file`` is a case file that takes the place of the specification's own; ``only`` are
    paths of items to choose from all these.
    """
    items = [
        Item(implementation, case)
        for implementation in implementations
        for case in (load_all() if file is None else load_file(file))
        if case.level in levels
        and case.benchmark in ("control", *implementation.manifest.benchmarks)
        and (case.nodes == 1 or case.benchmark in implementation.manifest.distributed)
    ]
    return items if only is None else [item for item in items if item.path in only]


def unsupported(implementation: Implementation) -> list[str]:
    """Benchmarks that have cases and that the manifest does not name."""
    known = {case.benchmark for case in load_all()} - {"control"}
    return sorted(known - set(implementation.manifest.benchmarks))


def undistributed(implementation: Implementation) -> list[str]:
    """Benchmarks that have distributed cases and that the manifest names, but not as
    distributed."""
    known = {case.benchmark for case in load_all() if case.nodes > 1}
    manifest = implementation.manifest
    return sorted(known & set(manifest.benchmarks) - set(manifest.distributed))


class Departure(Exception):
    """A case did not pass; the text is for the person who must act."""


class Performer:
    """What tests need: it performs an item and turns its outcome into pytest's."""

    def __init__(self, pool: Pool, traces: Path, shortening: float = search.SHORTENING) -> None:
        self._pool = pool
        self._traces = traces
        self._shortening = shortening

    def perform(self, item: Item) -> tuple[CaseRecord, str]:
        """The record, and the explanation for people if it is no pass."""
        implementation, case = item.implementation, item.case
        command = f"./dramaturg certify {_short(implementation)} -- -k {case.name}"
        try:
            cluster = self._pool.cluster(implementation, case.nodes)
        except (ControlError, OSError) as error:
            result = result_of(error)
            return item.record(result, command), _told(result, command)
        result = perform(
            case,
            implementation,
            cluster,
            keep=self._traces,
            renew=lambda: self._renewed(implementation, case.nodes),
            shortening=self._shortening,
        )
        if result.outcome is not Outcome.PASS or cluster.spent:
            self._pool.drop(implementation)
        result = _with_known_failures(item, result)
        if result.run is not None:
            command = f"./dramaturg replay {_from_here(result.run)}"
        record = item.record(result, command if result.outcome is not Outcome.PASS else "")
        return record, _told(result, command)

    def _renewed(self, implementation: Implementation, nodes: int) -> Cluster:
        self._pool.drop(implementation)
        return self._pool.cluster(implementation, nodes)


def _told(result: Result, command: str) -> str:
    """All that there is to say of it, the headline first."""
    if result.divergence is not None:
        return render(result.divergence, command)
    return "\n".join([result.message, *last_words(result.stderr)])


def _short(implementation: Implementation) -> str:
    folder, plus, variant = implementation.designation.partition("+")
    return _from_here(Path(folder)) + plus + variant if "/" in folder else folder + plus + variant


def _from_here(file: Path) -> str:
    return str(file.relative_to(Path.cwd())) if file.is_relative_to(Path.cwd()) else str(file)


def _with_known_failures(item: Item, result: Result) -> Result:
    """Mark a known failure, whose outcome stays (LEVEL-12); one that passes is stale: *fail*."""
    for pattern, reason in item.implementation.manifest.known_failures.items():
        if fnmatchcase(item.case.path, pattern):
            if result.outcome is Outcome.PASS:
                stale = f"known failure {pattern!r} passes now; remove it from the manifest"
                return Result(Outcome.FAIL, stale, events=result.events, seconds=result.seconds)
            if result.outcome in (Outcome.FAIL, Outcome.CRASH, Outcome.TIMEOUT):
                result.known = reason
    return result


def idle_patterns(implementation: Implementation) -> list[str]:
    """Known-failure patterns that match no case: an error in the manifest."""
    cases = [case.path for case in load_all()]
    return [
        pattern
        for pattern in implementation.manifest.known_failures
        if not any(fnmatchcase(path, pattern) for path in cases)
    ]


OPTIONS: dict[str, dict[str, Any]] = {
    "--implementation": {"action": "append", "default": [], "metavar": "NAME"},
    "--level": {"action": "append", "type": int, "default": [], "metavar": "N"},
    "--results-folder": {"type": Path, "default": paths.RESULTS / "latest"},
    "--connect": {"metavar": "HOST:PORT"},
    "--cases": {"type": Path, "metavar": "FILE"},
    "--only": {"action": "append", "metavar": "PATH"},
}
"""They decide what is judged. ``dramaturg certify`` sets them, and hands none of them on."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("dramaturg")
    for name, attributes in OPTIONS.items():
        group.addoption(name, **attributes)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "item" not in metafunc.fixturenames:
        return
    implementations = [find(name) for name in metafunc.config.getoption("implementation")]
    levels = metafunc.config.getoption("level") or list(REQUIRED)
    option = metafunc.config.getoption
    items = plan(implementations, levels, option("cases"), option("only"))
    metafunc.parametrize("item", items, ids=[item.path for item in items])


@pytest.fixture(scope="session")
def performer(pytestconfig: pytest.Config) -> Iterator[Performer]:
    """One pool of running implementations for the whole session (one for each xdist worker)."""
    folder: Path = pytestconfig.getoption("results_folder")
    pool = Pool(stderr=folder / "stderr", connect=pytestconfig.getoption("connect"))
    try:
        yield Performer(pool, folder / "traces")
    finally:
        pool.close()


def check(item: Item, performer: Performer, record_property: Any) -> None:
    """The body of the one test there is."""
    __tracebackhide__ = True
    record, explanation = performer.perform(item)
    record_property(_RECORD, record.model_dump(mode="json"))
    if record.outcome in _SKIPPED:
        pytest.skip(f"{record.outcome}: {visible(record.message)}")
    if record.known:
        pytest.xfail(visible(record.known))
    if record.outcome is not Outcome.PASS:
        raise Departure(f"{item.path}: {record.outcome}\n{visible(explanation)}")


def record_of(report: pytest.TestReport) -> CaseRecord | None:
    """The record that travels with a test's report, also from an xdist worker."""
    for key, value in report.user_properties:
        if key == _RECORD and report.when == "call":
            return CaseRecord.model_validate(value)
    return None


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Show the explanation, not the harness's stack."""
    outcome = yield
    if call.excinfo is not None and call.excinfo.errisinstance(Departure):
        outcome.get_result().longrepr = str(call.excinfo.value)
