"""Certify: run the plan, judge it as a whole, and remember which build passed."""

import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from dramaturg import files, results
from dramaturg.cases import cases
from dramaturg.control.session import Session
from dramaturg.errors import ControlError
from dramaturg.implementation import build, stamps
from dramaturg.implementation.manifest import Implementation
from dramaturg.levels import DISTRIBUTED, LEVELS, OFFERED, REQUIRED
from dramaturg.machine import capabilities
from dramaturg.outcomes import Outcome
from dramaturg.performance import plugin, suite
from dramaturg.performance.plugin import Task
from dramaturg.plan.plan import Plan, idle_patterns, undistributed, unsupported
from dramaturg.records import CaseRecord
from dramaturg.results import RecordsLost, Writer
from dramaturg.standing import CHANGED, CONNECTED, Certification, Standing

WORKERS = 4
"""Implementations that run side by side at most: each may take a few GiB in its largest case."""

MANY = 40
"""Cases that are worth the start of workers."""

_NO_PLUGINS = "PYTEST_DISABLE_PLUGIN_AUTOLOAD"


def usual_levels() -> tuple[list[int], str]:
    """The levels that are judged unless others are asked for, and why one is left out:
    without a network to emulate the distributed one is *not run* (LEVEL-11)."""
    why_not = capabilities.probe().why_no_mininet
    levels = [level for level in OFFERED if level != DISTRIBUTED or not why_not]
    return levels, f"{LEVELS[DISTRIBUTED]}: no emulated network: {why_not}" if why_not else ""


class _Recorder:
    """A pytest plugin that writes the records as they come and tells whoever watches."""

    def __init__(self, writer: Writer, watch: Callable[[CaseRecord, str], None]) -> None:
        self._writer = writer
        self._watch = watch
        self.records: list[CaseRecord] = []
        self.errors: list[str] = []
        self.interrupted = False
        self.lost: RecordsLost | None = None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        record = plugin.record_of(report)
        if record is not None:
            try:
                self._writer.write(record)
            except RecordsLost as error:
                self.lost = error
                pytest.exit(str(error))
            self.records.append(record)
            self._watch(record, str(report.longrepr) if report.failed else "")
        elif report.failed:
            self.errors.append(f"{report.nodeid}: {report.longrepr}")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.errors.append(f"pytest cannot collect the plan: {report.longrepr}")

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        self.interrupted = excinfo.errisinstance(KeyboardInterrupt)


def certify(
    plan: Plan,
    folder: Path,
    *,
    pytest_arguments: Sequence[str] = (),
    connected: Session | None = None,
    left_out: str = "",
    watch: Callable[[CaseRecord, str], None] = lambda record, explanation: None,
) -> Certification:
    """Perform this plan.

    Records go to ``folder`` as they come, with ``left_out``: which level is not in the plan
    and why. ``connected`` is with a process that somebody else started. A build is remembered
    as certified when all of its required cases passed.
    """
    if connected is not None:
        plan = plan.endings_last
    implementations = plan.implementations
    planned = Counter(item.implementation.name for item in plan.items)
    builds = {implementation.name: _digest(implementation) for implementation in implementations}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / results.CERTIFICATE).unlink(missing_ok=True)
    file = folder / results.CONFORMANCE
    idle = {
        implementation.name: [
            f"known failure {pattern!r} matches no case"
            for pattern in idle_patterns(implementation)
        ]
        for implementation in implementations
    }
    void = _void(plan, connected)
    header = {
        "builds": builds,
        "planned": dict(planned),
        "cases": cases.digest_of_files(),
        "directory": str(Path.cwd()),
        "manifest_problems": {name: problems for name, problems in idle.items() if problems},
        "remarks": {each.name: each.manifest.remark for each in implementations},
        "void": void,
        "left_out": left_out,
    }
    with Writer(file, **header, levels=list(plan.levels)) as writer:
        recorder = _Recorder(writer, watch)
        words = list(pytest_arguments) or _side_by_side(plan)
        if connected is not None:
            # There is one process, and what its author must know is said meanwhile.
            words = [*pytest_arguments, "-n", "0", "--capture=no"]
        status = _pytest(words, Task(plan, folder, connected), recorder)
        if recorder.lost is not None:
            raise recorder.lost
        if recorder.interrupted:
            writer.abandon()
    errors = list(recorder.errors)
    if status in (pytest.ExitCode.INTERNAL_ERROR, pytest.ExitCode.USAGE_ERROR):
        errors.append(f"pytest ended with {pytest.ExitCode(status).name}")
    altered: list[str] = []
    standings = {}
    for implementation in implementations:
        name = implementation.name
        standing = Standing(name, builds[name], planned[name], levels=list(plan.levels))
        standing.records = [record for record in recorder.records if record.implementation == name]
        standing.manifest_problems = idle[name]
        standing.unsupported = unsupported(implementation)
        standing.undistributed = undistributed(implementation)
        standing.undistributed_reason = implementation.manifest.distributed_reason
        standing.remark = implementation.manifest.remark
        judged = builds[name], header["cases"]
        now = _digest(implementation), cases.digest_of_files()
        changed = judged != now or (connected is None and _altered(implementation))
        standing.void = void or _spoilt(recorder, errors, changed=changed)
        standings[name] = standing
        if changed:
            altered.append(f"{name}: {CHANGED}, so this is no verdict; certify it again")
        elif connected is None and plan.file is None:
            _remember(implementation, standing)
    errors += altered
    return Certification(folder, standings, errors, recorder.interrupted)


def _side_by_side(plan: Plan) -> list[str]:
    """What pytest is told where the user tells it nothing: many cases run in a worker for each
    core, which begin at different implementations."""
    workers = min(os.cpu_count() or 1, WORKERS)
    if workers < 2 or len(plan.items) < MANY:
        return []
    return ["-n", str(workers), "--dist", "worksteal"]


def selected(plan: Plan, pytest_arguments: Sequence[str]) -> Plan:
    """What these words leave of it (``-k``), without starting anything. Raises ValueError, in
    pytest's words, for what it does not take."""
    collector = _Collector()
    with redirect_stderr(StringIO()) as said:
        words = ["--collect-only", *pytest_arguments]
        status = _pytest(words, Task(plan, Path(os.devnull)), collector)
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise ValueError(_complaint(said.getvalue()))
    return plan.only(collector.paths)


def _complaint(said: str) -> str:
    """The line that says what is wrong, of all that pytest says of it."""
    return files.brief((re.findall(r"(?i)error: (.*)", said) or [said])[-1])


class _Collector:
    """A pytest plugin that keeps which items would be performed."""

    def __init__(self) -> None:
        self.paths: set[str] = set()

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        # Words may name tests of somebody else's as well.
        ours = (getattr(each, "callspec", None) for each in session.items)
        self.paths = {each.params["item"].path for each in ours if each and "item" in each.params}


def _void(plan: Plan, connected: Session | None) -> str:
    """Why this kind of run certifies nothing; empty if it can."""
    if connected is not None:
        return CONNECTED
    if plan.file is not None:
        return "the cases are not the specification's"
    return plan.part


def _spoilt(recorder: _Recorder, errors: list[str], *, changed: bool) -> str:
    """What leaves open what was judged, or whether all of it was; empty if nothing."""
    if recorder.interrupted:
        return "interrupted"
    if errors:
        return "harness fault"
    return CHANGED if changed else ""


def is_certified(implementation: Implementation) -> bool:
    """Whether this very build passed the cases as they are now."""
    said = stamps.read(implementation, stamps.CERTIFIED)
    try:
        return bool(said == _stamp(implementation, _digest(implementation)))
    except ControlError:
        return False


def _stamp(implementation: Implementation, digest: str) -> dict[str, Any]:
    """What a certificate is for, here; the build's digest covers the manifest."""
    return {
        "implementation": implementation.name,
        "spec": implementation.manifest.spec,
        "build": digest,
        "artefact": build.artefact(implementation),
        "cases": cases.digest(),
        "required": list(REQUIRED),
    }


def _remember(implementation: Implementation, standing: Standing) -> None:
    if standing.certified:
        said = _stamp(implementation, standing.build)
        stamps.write(implementation, stamps.CERTIFIED, said)
    elif standing.outcome in (Outcome.FAIL, Outcome.CRASH, Outcome.TIMEOUT):
        stamps.forget(implementation, stamps.CERTIFIED)


def _altered(implementation: Implementation) -> bool:
    try:
        return build.altered(implementation)
    except ControlError:
        return True


def _digest(implementation: Implementation) -> str:
    try:
        return build.digest(implementation)
    except ControlError as error:
        return f"unknown ({error})"


@contextmanager
def _alone() -> Iterator[None]:
    """Without the options and plugins that are the user's for tests of the user's own: what a
    variable says, or what happens to be installed, has no part in a verdict."""
    kept = {name: os.environ.pop(name, None) for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS")}
    kept[_NO_PLUGINS] = os.environ.get(_NO_PLUGINS)
    os.environ[_NO_PLUGINS] = "1"
    try:
        yield
    finally:
        del os.environ[_NO_PLUGINS]
        os.environ.update({name: value for name, value in kept.items() if value is not None})


def _pytest(words: Sequence[str], task: Task, listener: object) -> int:
    """Run pytest; what it prints goes to standard error, so that --json stays JSON."""
    # Nothing of its own is left behind: neither a cache nor, with -n, temporary folders.
    arguments = [suite.__file__, "-p", plugin.__name__, "-p", "no:cacheprovider", "-p", "no:tmpdir"]
    # Nor is what lies in a folder above: its name would be one that -k looks for, and its
    # conftest.py would be run.
    here = str(Path(suite.__file__).parent)
    arguments += ["-p", "xdist", "--rootdir", here, "--confcutdir", here, "-c", os.devnull]
    # What Python drops is processes.interrupts' to see: an interrupt could be among it.
    arguments += ["-p", "no:unraisableexception"]
    if not any(word.startswith("-v") for word in words):
        arguments += ["-p", "no:terminal"]
    with redirect_stdout(sys.stderr), _alone():
        return int(pytest.main([*arguments, *words], plugins=[task, listener]))
