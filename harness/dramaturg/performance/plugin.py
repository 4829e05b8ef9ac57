"""The pytest plugin: every case on every implementation is one test.

``dramaturg certify`` runs pytest with it; so ``-k``, ``-x``, ``--junitxml`` and
``-n`` work as everywhere. By hand: ``pytest -p dramaturg.performance.plugin
--implementation erlang --pyargs dramaturg.performance.suite``.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dramaturg import paths
from dramaturg.implementation.manifest import find
from dramaturg.levels import REQUIRED
from dramaturg.outcomes import Outcome
from dramaturg.performance.performer import Performer
from dramaturg.performance.pool import Pool
from dramaturg.plan.plan import Item, plan
from dramaturg.records import CaseRecord
from dramaturg.visible import visible

_RECORD = "dramaturg"
_SKIPPED = (Outcome.UNSUPPORTED, Outcome.TOOLCHAIN_MISSING, Outcome.NOT_RUN)


class Departure(Exception):
    """A case did not pass; the text is for the person who must act."""


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
