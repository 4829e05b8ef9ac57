"""The pytest plugin: every case on every implementation is one test.

``dramaturg certify`` runs pytest with it; so ``-k``, ``-x``, ``--junitxml`` and
``-n`` work as everywhere.
"""

import pickle
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from dramaturg import paths
from dramaturg.conformance.performer import Performer
from dramaturg.conformance.pool import Pool
from dramaturg.conformance.resting_cases import Beside
from dramaturg.control.session import Session
from dramaturg.implementation.build import Built
from dramaturg.outcomes import Outcome
from dramaturg.plan.case_plan import Item, Plan
from dramaturg.records import CaseRecord
from dramaturg.visible import visible

_OURS = "dramaturg"
"""The key of our data in what pytest passes on: a report's properties, a worker's input."""

_SKIPPED = (Outcome.UNSUPPORTED, Outcome.TOOLCHAIN_MISSING, Outcome.NOT_RUN)


class Departure(Exception):
    """A case did not pass; the text is for the person who must act."""


@dataclass(frozen=True)
class Task:
    """The task that pytest performs: a plugin of its own, which takes the plan to each worker of
    pytest-xdist as well."""

    plan: Plan
    folder: Path
    """The folder for what implementations say, and for the runs that failed."""
    connected: Session | None = None
    """The session with an implementation that somebody else started; never taken to another
    process."""
    built: Mapping[str, Built] = field(default_factory=dict)
    """The builds that run, by the implementation's name, in any worker."""

    def pytest_configure(self, config: pytest.Config) -> None:
        config.stash[_TASK] = self

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_setupnodes(self, specs: list[Any]) -> None:
        """Workers are started with the current folder on their path, unless told otherwise."""
        for spec in specs:
            if spec.popen and not spec.python:
                spec.python = shlex.join(paths.python())

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput[_OURS] = pickle.dumps(self)


_TASK = pytest.StashKey[Task]()


def pytest_configure(config: pytest.Config) -> None:
    """Take, in a worker, the task that was handed over."""
    handed = getattr(config, "workerinput", None)
    if handed is not None:
        config.stash[_TASK] = pickle.loads(handed[_OURS])


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "item" in metafunc.fixturenames:
        items = metafunc.config.stash[_TASK].plan.items
        metafunc.parametrize("item", items, ids=[item.path for item in items])


@pytest.fixture(scope="session")
def pool(pytestconfig: pytest.Config) -> Iterator[Pool]:
    """Running implementations for the whole session (one pool for each xdist worker)."""
    task = pytestconfig.stash[_TASK]
    pool = Pool(stderr=task.folder / "stderr", connected=task.connected, built=task.built)
    try:
        yield pool
    finally:
        pool.close()


@pytest.fixture(scope="session")
def performer(pytestconfig: pytest.Config, pool: Pool) -> Performer:
    """The performer of one item after the other."""
    return Performer(pool, pytestconfig.stash[_TASK].folder / "traces")


@pytest.fixture(scope="session")
def beside(request: pytest.FixtureRequest, pool: Pool) -> Iterator[Beside]:
    """The cases that rest, beside all that this session performs."""
    task, session = request.config.stash[_TASK], request.session
    # A connected process is only one: there, resting cases wait for their turn.
    items = list(chosen(session)) if task.connected is None else []
    beside = Beside(items, task.folder, pool)
    try:
        yield beside
    finally:
        beside.close(abandon=bool(session.shouldstop or session.shouldfail))


def chosen(session: pytest.Session) -> Iterator[Item]:
    """The items that pytest has chosen, those of other workers as well. Words may name tests of
    somebody else's."""
    for each in session.items:
        callspec = getattr(each, "callspec", None)
        if callspec is not None and "item" in callspec.params:
            yield callspec.params["item"]


def check(item: Item, performer: Performer, beside: Beside, record_property: Any) -> None:
    """The body of the one test there is."""
    __tracebackhide__ = True
    beside.begin(item.implementation)
    record, explanation = beside.result(item) if item in beside else performer.perform(item)
    record_property(_OURS, record.model_dump(mode="json"))
    if record.outcome in _SKIPPED:
        pytest.skip(f"{record.outcome}: {visible(record.message)}")
    if record.known:
        pytest.xfail(visible(record.known))
    if record.excused:
        pytest.xfail(f"recommended: {visible(record.message)}")
    if record.outcome is not Outcome.PASS:
        raise Departure(f"{item.path}: {record.outcome}\n{visible(explanation)}")


def record_of(report: pytest.TestReport) -> CaseRecord | None:
    """The record that travels with a test's report, also from an xdist worker."""
    for key, value in report.user_properties:
        if key == _OURS and report.when == "call":
            return CaseRecord.model_validate(value)
    return None


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Show the explanation, not the harness's stack."""
    outcome = yield
    if call.excinfo is not None and call.excinfo.errisinstance(Departure):
        outcome.get_result().longrepr = str(call.excinfo.value)
