"""Certify: run the plan, judge it as a whole, and remember which build passed."""

import sys
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from dramaturg import results
from dramaturg.cases import cases
from dramaturg.errors import ControlError
from dramaturg.implementation import build, stamps
from dramaturg.implementation.manifest import Implementation
from dramaturg.levels import DISTRIBUTED, LEVELS, OFFERED, REQUIRED
from dramaturg.machine import capabilities
from dramaturg.outcomes import Outcome
from dramaturg.performance import plugin, suite
from dramaturg.plan import plan
from dramaturg.records import CaseRecord
from dramaturg.results import RecordsLost, Writer
from dramaturg.standing import CHANGED, Certification, Standing


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
            self.errors.append(f"the plan cannot be made: {report.longrepr}")

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        self.interrupted = excinfo.errisinstance(KeyboardInterrupt)


def certify(
    implementations: Sequence[Implementation],
    levels: Sequence[int],
    folder: Path,
    *,
    pytest_arguments: Sequence[str] = (),
    connect: str | None = None,
    case_file: Path | None = None,
    only: Collection[str] | None = None,
    watch: Callable[[CaseRecord, str], None] = lambda record, explanation: None,
) -> Certification:
    """Perform every case of these levels on these implementations.

    Records go to ``folder`` as they come. A build is remembered as certified when
    all of its required cases passed. Cases of a ``case_file`` take the place of the
    specification's, and certify nothing. ``only`` are paths of items, and then no others
    are performed.
    """
    items = plan.plan(list(implementations), list(levels), case_file, only)
    planned = Counter(item.implementation.name for item in items)
    builds = {implementation.name: _digest(implementation) for implementation in implementations}
    arguments = _arguments(implementations, levels, folder, connect, case_file, only)
    if not any(argument.startswith("-v") for argument in pytest_arguments):
        arguments += ["-p", "no:terminal"]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / results.CERTIFICATE).unlink(missing_ok=True)
    file = folder / results.CONFORMANCE
    idle = {
        implementation.name: [
            f"known failure {pattern!r} matches no case"
            for pattern in plan.idle_patterns(implementation)
        ]
        for implementation in implementations
    }
    void = _void(connect, case_file, only)
    header = {
        "builds": builds,
        "planned": dict(planned),
        "cases": cases.digest(),
        "directory": str(Path.cwd()),
        "manifest_problems": {name: problems for name, problems in idle.items() if problems},
        "remarks": {each.name: each.manifest.remark for each in implementations},
        "void": void,
    }
    with Writer(file, **header, levels=list(levels)) as writer:
        recorder = _Recorder(writer, watch)
        status = _pytest([*arguments, *pytest_arguments], recorder)
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
        standing = Standing(name, builds[name], planned[name], levels=list(levels))
        standing.records = [record for record in recorder.records if record.implementation == name]
        standing.manifest_problems = idle[name]
        standing.unsupported = plan.unsupported(implementation)
        standing.undistributed = plan.undistributed(implementation)
        standing.undistributed_reason = implementation.manifest.distributed_reason
        standing.remark = implementation.manifest.remark
        judged, now = (builds[name], header["cases"]), (_digest(implementation), cases.digest())
        changed = judged != now or (connect is None and _altered(implementation))
        standing.void = void or _spoilt(recorder, errors, changed=changed)
        standings[name] = standing
        if changed:
            altered.append(f"{name}: {CHANGED}, so this is no verdict; certify it again")
        elif connect is None and case_file is None:
            _remember(implementation, standing)
    errors += altered
    return Certification(folder, standings, errors, recorder.interrupted)


def _arguments(
    implementations: Sequence[Implementation],
    levels: Sequence[int],
    folder: Path,
    connect: str | None,
    case_file: Path | None,
    only: Collection[str] | None,
) -> list[str]:
    """What pytest is given to make the same plan as here."""
    arguments = [str(Path(suite.__file__)), "-p", plugin.__name__, "-p", "no:cacheprovider"]
    # No temporary folders of its own either, which -n would leave behind.
    arguments += ["-p", "no:tmpdir"]
    arguments += ["--rootdir", str(folder), "-c", "/dev/null", "--results-folder", str(folder)]
    arguments += [f"--implementation={made.designation}" for made in implementations]
    arguments += [f"--level={level}" for level in levels]
    if connect is not None:
        arguments.append(f"--connect={connect}")
    if case_file is not None:
        arguments.append(f"--cases={case_file.resolve()}")
    if only is not None:
        arguments += [f"--only={path}" for path in only]
    return arguments


def _void(connect: str | None, case_file: Path | None, only: Collection[str] | None) -> str:
    """Why this kind of run certifies nothing; empty if it can."""
    if connect is not None:
        return "attached: which build ran is not known"
    if case_file is not None:
        return "the cases are not the specification's"
    return "" if only is None else "only the cases of another certificate"


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


def _pytest(arguments: list[str], recorder: _Recorder) -> int:
    """Run pytest; what it prints goes to standard error, so that --json stays JSON."""
    with redirect_stdout(sys.stderr):
        return int(pytest.main(arguments, plugins=[recorder]))
