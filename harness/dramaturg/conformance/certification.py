"""Certify: run the plan, judge it as a whole, and remember which build passed."""

import os
import re
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from dramaturg import files, results
from dramaturg.cases import cases
from dramaturg.conformance import plugin, resting_cases, suite
from dramaturg.conformance.plugin import Task
from dramaturg.control.session import Session
from dramaturg.errors import ControlError
from dramaturg.implementation import build, certification_cache
from dramaturg.implementation.build import Built
from dramaturg.implementation.manifest import Implementation
from dramaturg.levels import DISTRIBUTED, LEVELS, OFFERED, REQUIRED
from dramaturg.machine import capabilities, usermode
from dramaturg.outcomes import Outcome
from dramaturg.plan.case_plan import Plan, idle_patterns, several_cores, undistributed, unsupported
from dramaturg.records import CaseRecord
from dramaturg.results import RecordsLost, Writer
from dramaturg.standing import CHANGED, CONNECTED, Certification, Standing

WORKERS = 4
"""Implementations that run side by side at most: each may take a few GiB in its largest case."""

MANY = 40
"""Cases that are worth the start of workers."""

_NO_PLUGINS = "PYTEST_DISABLE_PLUGIN_AUTOLOAD"


def usual_levels(implementations: Iterable[Implementation]) -> tuple[list[int], str]:
    """The levels that are judged unless others are asked for, and why one is left out:
    without a network to emulate the distributed one is *not run* (LEVEL-11). If nothing is
    distributed, no network would help: then the manifests have the reason."""
    why_not = capabilities.probe().why_no_mininet
    levels = [level for level in OFFERED if level != DISTRIBUTED or not why_not]
    if not why_not:
        return levels, ""
    reasons = [f"no emulated network: {why_not}"]
    if not any(each.manifest.distributed for each in implementations):
        reasons = [
            f"{each.name} distributes nothing: {each.manifest.distributed_reason}".rstrip(": ")
            for each in implementations
        ]
    return levels, f"{LEVELS[DISTRIBUTED]}: {'; '.join(reasons)}"


Take = Callable[[CaseRecord, str], None]
"""Takes a record as it comes, with its explanation. Raises RecordsLost."""


@dataclass
class Elsewhere:
    """The result of a plan whose cases others performed."""

    built: dict[str, Built] = field(default_factory=dict)
    """The judged builds, by the implementation's name."""
    away: dict[str, str] = field(default_factory=dict)
    """Implementations that were judged on another machine, and why they get no certificate here."""
    errors: list[str] = field(default_factory=list)
    interrupted: bool = False


Perform = Callable[[Plan, Path, Take], Elsewhere]
"""Performs a plan on other hosts, with what implementations say and failed runs below the folder.
Each case is taken once, also if it was performed twice."""


_ENOUGH = "stopping after"
"""The first words of the reason with which pytest stops because its user asked for so many failures
and no more (``-x``)."""


class _Recorder:
    """A pytest plugin that hands on the records as they come."""

    def __init__(self, take: Take) -> None:
        self._take = take
        self.errors: list[str] = []
        self.interrupted = False
        self.lost: RecordsLost | None = None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        record = plugin.record_of(report)
        if record is not None:
            try:
                self._take(record, str(report.longrepr) if report.failed else "")
            except RecordsLost as error:
                self.lost = error
                pytest.exit(str(error))
        elif report.failed:
            self.errors.append(f"{report.nodeid}: {report.longrepr}")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.errors.append(f"pytest cannot collect the plan: {report.longrepr}")

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Tells an interrupt from what stops pytest by an exception that it has derived of one."""
        why = str(excinfo.value)
        if type(excinfo.value) is KeyboardInterrupt:
            self.interrupted = True
        elif (
            isinstance(excinfo.value, KeyboardInterrupt)
            and not self.errors
            and not why.startswith(_ENOUGH)
        ):
            self.errors.append(f"pytest stopped: {why}")


def certify(
    plan: Plan,
    folder: Path,
    *,
    pytest_arguments: Sequence[str] = (),
    connected: Session | None = None,
    left_out: str = "",
    watch: Callable[[CaseRecord, str], None] = lambda record, explanation: None,
    elsewhere: Perform | None = None,
) -> Certification:
    """Perform this plan.

    Records go to ``folder`` as they come, with ``left_out``: which level is not in the plan
    and why. ``connected`` is with a process that somebody else started; ``elsewhere`` has other
    hosts perform it. A build is remembered as certified when all of its required cases passed here.
    """
    if connected is not None:
        plan = plan.endings_last
    implementations = plan.implementations
    planned = Counter(item.implementation.name for item in plan.items)
    builds = {implementation.name: _digest(implementation) for implementation in implementations}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / results.CERTIFICATE).unlink(missing_ok=True)
    shutil.rmtree(folder / resting_cases.RESULTS, ignore_errors=True)
    file = folder / results.CONFORMANCE
    idle = {
        implementation.name: [
            f"known failure {pattern!r} matches no case"
            for pattern in idle_patterns(implementation)
        ]
        for implementation in implementations
    }
    void = _void(plan, connected)
    built = {} if connected or elsewhere else _built(implementations)
    header = {
        "builds": builds,
        "planned": dict(planned),
        "cases": cases.digest_of_files(),
        "directory": str(Path.cwd()),
        "manifest_problems": {name: problems for name, problems in idle.items() if problems},
        "remarks": {each.name: each.manifest.remark for each in implementations},
        "void": void,
        "left_out": left_out,
        **({usermode.HEADER: usermode.ASKED} if usermode.inside() else {}),
    }
    records: list[CaseRecord] = []
    with Writer(file, **header, levels=list(plan.levels)) as writer:

        def take(record: CaseRecord, explanation: str) -> None:
            writer.write(record)
            records.append(record)
            watch(record, explanation)

        if elsewhere is not None:
            done = elsewhere(selected(plan, pytest_arguments), folder, take)
        else:
            words = _words(plan, pytest_arguments, connected)
            done = _perform(words, Task(plan, folder, connected, built), take)
        if done.interrupted:
            writer.abandon()
    errors = done.errors
    altered: list[str] = []
    standings = {}
    for implementation in implementations:
        name = implementation.name
        standing = Standing(name, builds[name], planned[name], levels=list(plan.levels))
        standing.records = [record for record in records if record.implementation == name]
        standing.manifest_problems = idle[name]
        standing.unsupported = unsupported(implementation)
        standing.undistributed = undistributed(implementation)
        standing.undistributed_reason = implementation.manifest.distributed_reason
        standing.several_cores = several_cores(implementation)
        standing.remark = implementation.manifest.remark
        judged = builds[name], header["cases"]
        now = _digest(implementation), cases.digest_of_files()
        is_here = connected is None and name not in done.away
        changed = judged != now or (is_here and is_altered(implementation, done.built.get(name)))
        standing.void = void or _spoilt(errors, interrupted=done.interrupted, changed=changed)
        standings[name] = standing
        if changed:
            altered.append(f"{name}: {CHANGED}, so this is no verdict; certify it again")
        elif is_here and plan.file is None:
            _remember(implementation, standing)
    errors += altered
    return Certification(folder, standings, errors, done.interrupted, done.away)


def _words(plan: Plan, given: Sequence[str], connected: Session | None) -> list[str]:
    """The arguments of pytest. With ``connected`` there is one process, and its author is told
    meanwhile what to do."""
    if connected is not None:
        return [*given, "-n", "0", "--capture=no"]
    return list(given) or _side_by_side(plan)


def _perform(words: Sequence[str], task: Task, take: Take) -> Elsewhere:
    """Perform the cases by pytest, in this process and its workers. Raises RecordsLost."""
    recorder = _Recorder(take)
    status = _pytest(words, task, recorder)
    shutil.rmtree(task.folder / resting_cases.RESULTS, ignore_errors=True)
    if recorder.lost is not None:
        raise recorder.lost
    errors = list(recorder.errors)
    if status in (pytest.ExitCode.INTERNAL_ERROR, pytest.ExitCode.USAGE_ERROR):
        errors.append(f"pytest ended with {pytest.ExitCode(status).name}")
    return Elsewhere(dict(task.built), {}, errors, recorder.interrupted)


def perform_part(plan: Plan, folder: Path, cores: int, take: Take) -> Elsewhere:
    """Perform a plan that is a part of somebody else's, and judge nothing as a whole: no record is
    written, and no build is remembered. ``cores`` is how many it may keep busy."""
    words = _side_by_side(plan, cores) or ["-n", "0"]
    return _perform(words, Task(plan, folder, built=_built(plan.implementations)), take)


def _side_by_side(plan: Plan, cores: int = WORKERS) -> list[str]:
    """The arguments of pytest if the user gives none: many cases run in a worker for each core,
    which begin at different implementations."""
    workers = min(len(os.sched_getaffinity(0)), WORKERS, cores)
    if workers < 2 or len(plan.items) < MANY:
        return []
    return ["-n", str(workers), "--dist", "worksteal"]


def selected(plan: Plan, pytest_arguments: Sequence[str]) -> Plan:
    """The part of the plan that these words leave (``-k``), without starting anything. Raises
    ValueError, in pytest's words, for words that it does not take."""
    if not pytest_arguments:
        return plan
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
    """Return the reason why this kind of run certifies nothing; empty if it can."""
    if connected is not None:
        return CONNECTED
    if plan.file is not None:
        return "the cases are not the specification's"
    return plan.part


def _spoilt(errors: list[str], *, interrupted: bool, changed: bool) -> str:
    """The reason why it is open what was judged, or whether all of it was; empty if there is
    none."""
    if interrupted:
        return "interrupted"
    if errors:
        return "harness fault"
    return CHANGED if changed else ""


def is_certified(implementation: Implementation) -> bool:
    """True if this very build passed the cases as they are now."""
    said = certification_cache.read(implementation, certification_cache.CERTIFIED)
    try:
        return bool(said == _entry(implementation, _digest(implementation)))
    except ControlError:
        return False


def _entry(implementation: Implementation, digest: str) -> dict[str, Any]:
    """The entry of the certification cache for this build; the build's digest covers the
    manifest."""
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
        said = _entry(implementation, standing.build)
        certification_cache.write(implementation, certification_cache.CERTIFIED, said)
    elif standing.outcome in (Outcome.FAIL, Outcome.CRASH, Outcome.TIMEOUT):
        certification_cache.forget(implementation, certification_cache.CERTIFIED)


def _built(implementations: Sequence[Implementation]) -> dict[str, Built]:
    """The builds to judge: all workers judge the same."""
    found = {}
    for each in implementations:
        with suppress(ControlError):
            if build.is_current(each):
                found[each.name] = build.built(each)
    return found


def is_altered(implementation: Implementation, judged: Built | None) -> bool:
    """Whether this is another build by now than the one that was judged."""
    try:
        if judged is not None and build.built(implementation) != judged:
            return True
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
    """Leave out the options and plugins that users have for their own tests: neither a variable nor
    an installed package has a part in a verdict."""
    kept = {name: os.environ.pop(name, None) for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS")}
    kept[_NO_PLUGINS] = os.environ.get(_NO_PLUGINS)
    os.environ[_NO_PLUGINS] = "1"
    try:
        yield
    finally:
        del os.environ[_NO_PLUGINS]
        os.environ.update({name: value for name, value in kept.items() if value is not None})


def _pytest(words: Sequence[str], task: Task, listener: object) -> int:
    """Run pytest; its output goes to standard error, so that --json stays JSON."""
    # Nothing of its own is left behind: neither a cache nor, with -n, temporary folders.
    arguments = [suite.__file__, "-p", plugin.__name__, "-p", "no:cacheprovider", "-p", "no:tmpdir"]
    # Nor is what lies in a folder above: its name would be one that -k looks for, and its
    # conftest.py would be run.
    here = str(Path(suite.__file__).parent)
    arguments += ["-p", "xdist", "--rootdir", here, "--confcutdir", here, "-c", os.devnull]
    # Exceptions that Python drops are left to processes.interrupts: one could be an interrupt.
    arguments += ["-p", "no:unraisableexception"]
    if not any(word.startswith("-v") for word in words):
        arguments += ["-p", "no:terminal"]
    with redirect_stdout(sys.stderr), _alone():
        return int(pytest.main([*arguments, *words], plugins=[task, listener]))
