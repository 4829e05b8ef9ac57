"""Perform one case on one implementation and judge it."""

import contextlib
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from dramaturg.cases import features
from dramaturg.cases.cases import Case, golden_of, salt_of, steps_of
from dramaturg.conformance import cut_pair, node_fates, playback, strangers
from dramaturg.conformance.cluster import Cluster
from dramaturg.conformance.handshake import (
    perform_ending,
    perform_interim,
    perform_introduction,
    perform_vectors,
)
from dramaturg.conformance.leaving_logs import MOST_HELD
from dramaturg.conformance.result import Result, outcome_of, result_of
from dramaturg.conformance.shorten import SHORTENING
from dramaturg.conformance.world import Failed, NotExercised, Performance
from dramaturg.control.session import Session
from dramaturg.errors import CallFailed, Gone, Starved
from dramaturg.implementation.manifest import Implementation
from dramaturg.judging.whole import EXPLAINED
from dramaturg.net import gaps
from dramaturg.outcomes import Outcome
from dramaturg.trace import golden_traces, recorded
from dramaturg.trace.watches import EVERYBODY, NOBODY
from dramaturg.v2 import benchmarks_pb2, case_pb2, control_pb2

if TYPE_CHECKING:
    from dramaturg.conformance.search import Found

GAPS = 5
"""Number of runs behind a gap that are performed until a message overtook another one in one."""

CUTS = 5
"""Number of runs that are cut until one was in its midst then."""


@dataclass
class _Setting:
    """The setting with which a drive works."""

    implementation: Implementation
    cluster: Cluster
    renew: Callable[[], Cluster]
    """Processes that nothing has happened to yet, in the place of those there are."""
    keep: Path | None
    shortening: float
    performance: Performance | None = None
    """The last one."""
    events: int = field(default=0, init=False)
    """Events of all performances that were judged."""

    @property
    def settle(self) -> float:
        return self.implementation.manifest.run.settle_timeout

    def begin(
        self, case: Case, benchmark: benchmarks_pb2.Benchmark, settle: float | None = None
    ) -> Performance:
        """A world that is set up."""
        limit = min(settle or self.settle, self.settle)
        hasty = settle is not None
        watches = list(case.message.serial.watches) or EVERYBODY
        if case.message.concurrent.unwatched:
            watches = NOBODY
        rest = max(case.message.concurrent.rest, case.message.distributed.rest) / 1000
        self.performance = Performance(
            case,
            self.cluster,
            benchmark,
            limit,
            hasty,
            watches=watches,
            rest_before=rest,
            traced=case.message.concurrent.looks,
            log_limit=self._log_limit(case),
        )
        self.performance.prepare()
        return self.performance

    def _log_limit(self, case: Case) -> int:
        """The log limit of the case's run; 0 for none."""
        concurrent = case.message.concurrent
        if not self.implementation.manifest.log_limit or case.drive != "concurrent":
            return 0
        if concurrent.looks or concurrent.unwatched:
            # Nobody fetches these logs meanwhile.
            return 0
        return concurrent.log_limit or MOST_HELD

    def try_script(self, case: Case, settle: float | None = None) -> Performance:
        """Perform the case's script and judge it."""
        performance = self.begin(case, case.message.script.benchmark, settle)
        performance.follow(case.message.script.steps)
        performance.end()
        self.judge(performance)
        return performance

    def clear(self) -> None:
        """After a failure: keep what was logged, and start afresh."""
        assert self.performance is not None
        self.performance.keep()
        self.cluster = self.renew()

    def judge(self, performance: Performance) -> None:
        """Raises Failed."""
        try:
            performance.judge()
        finally:
            self.events += performance.events


_Drive = Callable[[Case, _Setting], None]


def perform(
    case: Case,
    implementation: Implementation,
    cluster: Cluster,
    keep: Path | None = None,
    renew: Callable[[], Cluster] | None = None,
    shortening: float = SHORTENING,
) -> Result:
    """Perform the case. ``keep`` is a folder for the recorded runs of failures; ``renew``
    starts the cluster afresh, for cases that try more than one thing; ``shortening`` is for
    how many seconds what a search finds is shortened.

    Never raises for anything that the implementation does.
    """
    start = time.monotonic()
    setting = _Setting(implementation, cluster, renew or (lambda: cluster), keep, shortening)
    result = Result(Outcome.PASS)
    try:
        _DRIVES[case.drive](case, setting)
    except Exception as error:
        result = result_of(error)
        if setting.performance and keep is not None and result.outcome is not Outcome.NOT_RUN:
            try:
                result.run = _keep(keep, implementation, setting.performance)
                if setting.performance.events > EXPLAINED:
                    result.message += f" (a run of more than {EXPLAINED:,} events is not kept)"
            except OSError as fault:
                said = f"{fault.filename}: {fault.strerror}, so the run of this is not kept"
                result.message = f"{said}: {result.outcome}: {result.message}"
                result.outcome = Outcome.HARNESS_FAULT
    result.events = setting.events
    result.seconds = time.monotonic() - start
    return result


def _keep(folder: Path, implementation: Implementation, performance: Performance) -> Path | None:
    # A run in which some actor was not watched cannot be replayed.
    if not performance.logs or not performance.is_whole:
        return None
    # Nobody could read such a file: it is in memory as a whole when it is replayed.
    if performance.events > EXPLAINED:
        return None
    return recorded.save(
        folder / f"{implementation.name}-{performance.case.name}.run",
        implementation=implementation.name,
        case=performance.case.name,
        benchmark=performance.benchmark,
        script=performance.workload.script,
        logs=performance.logs,
    )


def _serial(case: Case, setting: _Setting) -> None:
    serial = case.message.serial
    performance = setting.begin(case, serial.benchmark)
    performance.follow(steps_of(serial))
    performance.cluster.trace()
    performance.golden = golden_traces.difference(performance.logs, golden_of(case))
    performance.end()
    setting.judge(performance)
    performance.check_features()


def _script(case: Case, setting: _Setting) -> None:
    setting.try_script(case).check_features()


def _search(case: Case, setting: _Setting) -> None:
    # With Hypothesis, which is needed by what searches alone.
    from dramaturg.conformance import search

    seen: set[int] = set()

    def attempt(script: Case, settle: float | None) -> search.Attempt:
        try:
            performance = setting.try_script(script, settle)
        except Exception as error:
            outcome = outcome_of(error)
            judged = outcome in (Outcome.FAIL, Outcome.CRASH, Outcome.TIMEOUT)
            if not judged and not isinstance(error, Starved):
                raise
            try:
                setting.clear()
            except Gone:
                # The finding stays, as long as it is.
                raise error from None
            return search.Attempt(script, setting.performance, error, outcome)
        seen.update(features.found(performance.logs))
        return search.Attempt(script, performance, None, Outcome.PASS)

    found = search.search(case, attempt, setting.shortening)
    if found is not None:
        _report(found, case, setting)
    lacking = [feature for feature in case.message.exercises if feature not in seen]
    if lacking:
        raise NotExercised(features.lacking(lacking))


def _report(found: "Found", case: Case, setting: _Setting) -> None:
    """Raise what was found, with the script that shows it."""
    shortest, error = found.attempt, found.attempt.error
    assert error is not None
    setting.performance = shortest.performance
    length = "1 step" if found.steps == 1 else f"{found.steps} steps"
    note = f"the shortest script that shows it has {length}"
    if found.recurs is False:
        note += "; once more, it did not show it: it depends on the schedule"
    if setting.keep is not None:
        file = setting.keep / f"{setting.implementation.name}-{case.name}.yaml"
        from dramaturg.conformance import search

        search.write(file, shortest.script)
        note += f"; it is the case in {file}"
    error.add_note(note)
    raise error


def _concurrent(case: Case, setting: _Setting) -> None:
    concurrent = case.message.concurrent
    for repeat in range(max(1, concurrent.repeats)):
        performance = setting.begin(case, concurrent.benchmark)
        turns = [case_pb2.Step(turn=control_pb2.TurnRequest())] * concurrent.turns
        performance.follow(turns or [_run(case, repeat)])
        performance.end()
        setting.judge(performance)
        performance.check_features()


def _distributed(case: Case, setting: _Setting) -> None:
    distributed = case.message.distributed
    if distributed.lost_node:
        node_fates.lose(setting.cluster, distributed, setting.settle)
        return
    if distributed.strange_node:
        node_fates.estrange(setting.cluster, distributed, setting.settle, setting.renew)
        return
    for repeat in range(max(1, distributed.repeats)):
        if distributed.HasField("gap"):
            until_overtaken(partial(_over_nodes, case, setting, repeat))
        elif distributed.HasField("cut"):
            until_cut_off(partial(_over_nodes, case, setting, repeat))
        elif distributed.strangers:
            performed = partial(_over_nodes, case, setting, repeat)
            alone = partial(_once_more, setting, performed)
            strangers.among_strangers(setting.cluster, performed, alone)
        elif distributed.playback:
            _played_back(setting, partial(_over_nodes, case, setting, repeat))
        else:
            _over_nodes(case, setting, repeat)


def _played_back(setting: _Setting, perform: Callable[[], Performance]) -> None:
    """Perform a run of new nodes, and one of others at the same places among strangers who repeat
    what was said in the first one (DIST-6)."""
    setting.cluster = setting.renew()
    with playback.listening(setting.cluster) as heard:
        perform()
    setting.cluster = setting.renew()
    playback.played_back(setting.cluster, heard, perform)


def _over_nodes(case: Case, setting: _Setting, repeat: int, attempt: int = 0) -> Performance:
    """Perform a run of the case, with a salt that no other of its runs has, and judge it."""
    distributed = case.message.distributed
    number = repeat + attempt * max(1, distributed.repeats)
    performance = setting.begin(case, distributed.benchmark)
    if distributed.HasField("gap"):
        performance.beside_run = partial(_gap, setting.cluster, distributed.gap)
    if distributed.HasField("cut"):
        performance.beside_run = partial(_cut, performance, distributed.cut)
    untold: NotExercised | None = None
    try:
        performance.follow([_run(case, number)])
    except NotExercised as error:
        # The run has ended all the same, and is judged.
        untold = error
    performance.end()
    setting.judge(performance)
    performance.check_features()
    if untold is not None:
        raise untold
    return performance


def until_cut_off(perform: Callable[[int], Performance]) -> None:
    """Have runs performed and judged, each with its number, until one was cut off in its midst.
    Raises NotExercised, with the reason of the last one, if none of CUTS was (LEVEL-41)."""
    said = ""
    for number in range(CUTS):
        try:
            perform(number)
        except NotExercised as untold:
            said = str(untold)
        else:
            return
    raise NotExercised(f"{said}; so it was in each of {CUTS} runs, or much the same")


def until_overtaken(perform: Callable[[int], Performance]) -> None:
    """Have runs performed and judged, each with its number, until one has a message that overtook a
    causally earlier one. Raises NotExercised if GAPS of them have none (LEVEL-40)."""
    for number in range(GAPS):
        if perform(number).has_overtaking:
            return
    raise NotExercised(
        f"no message overtook a causally earlier one in {GAPS} runs, which the case is for"
    )


def _once_more(setting: _Setting, perform: Callable[[], Performance]) -> None:
    """Perform a run of new nodes. If it is right, the one before it stays the last one."""
    before = setting.performance
    setting.clear()
    perform()
    setting.performance = before


@contextlib.contextmanager
def _gap(cluster: Cluster, gap: case_pb2.Gap) -> Iterator[None]:
    """Hold packets up. A node that is called lost meanwhile is only late, and the failure says
    so."""
    assert cluster.network is not None
    hosts, seconds = cluster.network.hosts, gap.millis / 1000
    with gaps.between(hosts[gap.one], hosts[gap.other], seconds):
        try:
            yield
        except CallFailed as error:
            error.add_note(
                f"packets from node {gap.one} to node {gap.other} were held up for {seconds:.3g} s"
            )
            raise


def _cut(performance: Performance, cut: case_pb2.Cut) -> AbstractContextManager[None]:
    benchmark, parameters = performance.case.benchmark, performance.workload.parameters
    return cut_pair.between(performance.cluster, benchmark, parameters, cut.one, cut.other)


def _run(case: Case, repeat: int) -> case_pb2.Step:
    return case_pb2.Step(run=control_pb2.RunRequest(salt=salt_of(case, repeat)))


def _handshake(
    perform_it: Callable[[Case, Implementation, Session], str], spends: bool = False
) -> _Drive:
    def drive(case: Case, setting: _Setting) -> None:
        setting.cluster.spent |= spends
        problem = perform_it(case, setting.implementation, setting.cluster.lead)
        if problem:
            raise Failed(problem)

    return drive


_DRIVES: dict[str, _Drive] = {
    "introduction": _handshake(perform_introduction),
    "vectors": _handshake(perform_vectors),
    "interim": _handshake(perform_interim, spends=True),
    "ending": _handshake(perform_ending, spends=True),
    "serial": _serial,
    "script": _script,
    "search": _search,
    "concurrent": _concurrent,
    "distributed": _distributed,
}
