"""The pytest plugin: every case on every implementation is one test.

``dramaturg certify`` runs pytest with it; so ``-k``, ``-x``, ``--junitxml`` and
``-n`` work as everywhere.
"""

import pickle
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from dramaturg.control.session import Session
from dramaturg.outcomes import Outcome
from dramaturg.performance.performer import Performer
from dramaturg.performance.pool import Pool
from dramaturg.plan.plan import Item, Plan
from dramaturg.records import CaseRecord
from dramaturg.visible import visible

_OURS = "dramaturg"
"""What is ours among what pytest hands on: a report's properties, a worker's input."""

_SKIPPED = (Outcome.UNSUPPORTED, Outcome.TOOLCHAIN_MISSING, Outcome.NOT_RUN)


class Departure(Exception):
    """A case did not pass; the text is for the person who must act."""


@dataclass(frozen=True)
class Task:
    """What pytest is given to perform: a plugin of its own, which takes the plan to each worker
    of pytest-xdist as well."""

    plan: Plan
    folder: Path
    """For what implementations say, and for the runs that failed."""
    connected: Session | None = None
    """With an implementation that somebody else started; never taken to another process."""

    def pytest_configure(self, config: pytest.Config) -> None:
        config.stash[_TASK] = self

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput[_OURS] = pickle.dumps(self)


_TASK = pytest.StashKey[Task]()


def pytest_configure(config: pytest.Config) -> None:
    """In a worker: take what was handed over."""
    handed = getattr(config, "workerinput", None)
    if handed is not None:
        config.stash[_TASK] = pickle.loads(handed[_OURS])


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "item" in metafunc.fixturenames:
        items = metafunc.config.stash[_TASK].plan.items
        metafunc.parametrize("item", items, ids=[item.path for item in items])


@pytest.fixture(scope="session")
def performer(pytestconfig: pytest.Config) -> Iterator[Performer]:
    """One pool of running implementations for the whole session (one for each xdist worker)."""
    task = pytestconfig.stash[_TASK]
    pool = Pool(stderr=task.folder / "stderr", connected=task.connected)
    try:
        yield Performer(pool, task.folder / "traces")
    finally:
        pool.close()


def check(item: Item, performer: Performer, record_property: Any) -> None:
    """The body of the one test there is."""
    __tracebackhide__ = True
    record, explanation = performer.perform(item)
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
