"""One world driven through a case, with all it takes to judge it afterwards."""

import threading
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, repeat
from typing import Any, cast

from dramaturg.cases import features
from dramaturg.cases.cases import Case, sleep_of, speak
from dramaturg.conformance import standstill
from dramaturg.conformance.cluster import Cluster
from dramaturg.conformance.leaving_logs import LeavingLogs
from dramaturg.conformance.link_traffic import Wires, counts_of, held
from dramaturg.conformance.naps import Traces, too_short
from dramaturg.conformance.node_watch import watching
from dramaturg.control import marks
from dramaturg.control.session import ORDINARY_TIME, Ran
from dramaturg.errors import ControlError, HarnessFault, Late, Starved
from dramaturg.judging import whole
from dramaturg.model import names, openweb
from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import ChatAppWorkload, MicroWorkload, workload_of
from dramaturg.trace.events import AnyLogs, Message, TraceError, lengths
from dramaturg.trace.explanation import overtaking
from dramaturg.trace.explanation.departure import Explanation
from dramaturg.trace.partial import message_counts
from dramaturg.trace.replay import openweb_order, receipts, turn_order
from dramaturg.trace.replay.survivors import survivors
from dramaturg.trace.replay.token_game import Verdict
from dramaturg.trace.rest import AtRest, SetUp
from dramaturg.trace.watches import EVERYBODY, Watched, Watches, is_everybody
from dramaturg.v2 import benchmarks_pb2, case_pb2

REST_STEP, REST_STEPS, REST_PATIENCE = 0.7, 3, 30
"""Seconds between two looks at an overdue run; looks in a row that must find it at rest; looks
in all, after which it is merely slow."""

HASTY_STEP = 0.1
"""Seconds between two looks when it is known already that something is wrong."""


class Failed(Exception):
    """The implementation is wrong."""

    def __init__(self, message: str, divergence: Explanation | None = None) -> None:
        super().__init__(message)
        self.divergence = divergence


class NotExercised(Exception):
    """The run lacked what the case is for."""


@dataclass
class Performance:
    """A world and its script, which grows with every call: the workload that the replay replays."""

    case: Case
    cluster: Cluster
    benchmark: benchmarks_pb2.Benchmark
    settle: float
    """Seconds in which a call must be answered, beside those that everybody sleeps."""
    hasty: bool = False
    """True if much the same was seen to go wrong before."""
    receipts: list[benchmarks_pb2.Receipt] = field(default_factory=list)
    """One from each node, when there are any."""
    watches: Watches = EVERYBODY
    golden: str = ""
    """The difference from the golden trace."""
    rest_before: float = 0.0
    """Seconds in which nothing is called before each call that lets it do something."""
    beside_run: Callable[[], AbstractContextManager[None]] = nullcontext
    """A change of the network while it runs."""
    traced: bool = False
    """True if sleepers are looked at while they sleep."""
    log_limit: int = 0
    """Events that Run may hold undelivered (CTRL-18); 0: any number."""
    there: SetUp | None = field(default=None, init=False)
    """The messages that had been taken when Run was called."""
    rest: AtRest | None = field(default=None, init=False)
    """The messages that had been taken when Run had ended."""
    untold: str = field(default="", init=False)
    """The reason why the run does not show what the case is for; empty if it does."""
    salt: int = field(default=0, init=False)
    ran: Ran | None = field(default=None, init=False)
    workload: ChatAppWorkload | MicroWorkload = field(init=False)
    verdict: Verdict | None = field(default=None, init=False)
    wires: Wires = field(init=False)
    """The looks at what crossed the network, of a run over several nodes."""
    _kept: AnyLogs | None = field(default=None, init=False)
    _leaving: LeavingLogs | None = field(default=None, init=False)
    _call: standstill.Calls = field(default=nullcontext, init=False)
    _explaining: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)
    """Held by who judges a call that is overdue: the one that made it, or the watch beside it."""

    def __post_init__(self) -> None:
        self.workload = workload_of(self.benchmark)
        self.wires = Wires(self.cluster)

    @property
    def logs(self) -> AnyLogs:
        """The logs fetched from the trace."""
        return self.cluster.logs if self._kept is None else self._kept

    @property
    def is_whole(self) -> bool:
        """True if all actors are watched, from the first message on: then the run can be
        replayed."""
        return is_everybody(self.watches)

    @property
    def events(self) -> int:
        return sum(lengths(self.logs).values())

    def keep(self) -> None:
        """Hold on to the logs: the cluster goes on to another world."""
        self._kept = self.cluster.logs

    def prepare(self) -> None:
        """Set the world up, on every node."""
        if isinstance(self.workload, ChatAppWorkload):
            self.workload.prepare()
        distributed = self.cluster.network is not None
        timeout = self.settle if self.hasty or distributed else None

        def prepare() -> None:
            self.cluster.prepare(self.benchmark, self.watches, timeout)

        if distributed:
            prepare()
        else:
            self.overdue(prepare)

    def follow(self, steps: Iterable[case_pb2.Step]) -> None:
        """Call for all of these, each when the one before has settled."""
        with self._watched() as self._call:
            for step in chain.from_iterable(repeat(step, max(1, step.times)) for step in steps):
                self._take(step)

    def _take(self, step: case_pb2.Step) -> None:
        lead, timeout = self.cluster.lead, self.settle + sleep_of(self.benchmark)
        speak(self.workload, step)
        if step.HasField("run"):
            self.salt = step.run.salt
            self.wires.look()
            if self.watches:
                self.cluster.trace(timeout)
                self.there = SetUp(self.logs, self.cluster.taken)
            # Nothing is called from here to Run, so that it is the first thing heard.
            self._rest()
            self.ran = self._run(timeout)
            self.wires.look()
        elif step.HasField("turn"):
            self._rest()
            self._driven(lambda: lead.turn(timeout))
        else:
            act = step.act
            self._driven(partial(lead.act, act.client, act.choice, act.index, act.k, timeout))

    def _rest(self) -> None:
        # Sleeping for no time costs a system call, of which each turn would have one.
        if self.rest_before:
            time.sleep(self.rest_before)

    def _run(self, timeout: float) -> Ran:
        """All of it, looked at meanwhile if that is asked for."""
        concurrent = self.case.message.concurrent
        timeout = max(timeout, concurrent.patience)
        run = partial(self.cluster.lead.run, self.salt, timeout=timeout, log_limit=self.log_limit)
        if self.case.drive == "concurrent" and self.is_whole and not self.traced:
            return self._run_while_logs_leave(run, timeout)
        if not self.traced:
            with watching(self.cluster), self.beside_run():
                # It has ended, whatever is found beside it.
                self.ran = cast("Ran", self._driven(run))
            return self.ran
        with Traces(self.cluster, self.benchmark) as looks:
            ran = cast("Ran", self.overdue(run))
        if looks.early:
            raise Failed(looks.early)
        if looks.error is not None:
            raise looks.error
        if not looks.telling and not too_short(self.benchmark, ran):
            raise NotExercised("no Trace was answered while everybody slept")
        return ran

    def _run_while_logs_leave(self, run: Callable[[], Ran], timeout: float) -> Ran:
        """All of it; if it is long, its logs are fetched meanwhile."""
        wanted = self.case.message.concurrent.log_limit
        leaving = LeavingLogs(self.cluster.lead, self.log_limit, bool(wanted), timeout)
        self._leaving = leaving

        def run_meanwhile() -> Ran:
            with leaving:
                return run()

        ran = self.ran = cast("Ran", self._driven(run_meanwhile))
        fetched = self.cluster.events
        if wanted:
            self.cluster.trace()
        if broken := leaving.broken(self.cluster.events - fetched):
            raise Failed(broken)
        if wanted and not leaving.was_full:
            self.untold = f"at most {leaving.most} events were held, of {wanted} (LEVEL-43)"
        return ran

    def end(self) -> None:
        """Tear the world down, on every node; each gives its receipt."""
        if self.ran is not None:
            self.cluster.trace()
            self.wires.look()
            self.rest = AtRest(self.logs, self.cluster.taken)
        said = len(self.workload.script)
        if len(self.workload.disconnect().script) > said:
            self._rest()
        self.receipts = self.overdue(lambda: self.cluster.teardown(self.settle))

    def judge(self) -> None:
        """Trace, replay, marks, receipt: in this order, since each explains the next. Raises
        Failed, and TraceError for a log that is none."""
        self.cluster.trace()
        misplaced = self.cluster.misplaced(self.workload.parameters)
        if misplaced:
            raise Failed(misplaced)
        control = self._observed()
        self.cluster.complete()
        if self.golden:
            raise Failed(f"differs from the golden trace (LEVEL-2): {self.golden}")
        if self.there and (broken := self.there.broken(self.logs)):
            raise Failed(broken)
        if self.rest and (broken := self.rest.broken(self.logs, self.cluster.taken)):
            raise Failed(broken)
        self._account(control)

    def _observed(self) -> list[Message]:
        """Hold what is watched against the model; return its actors' reports to control. Nothing if
        nobody is watched."""
        if self.is_whole:
            return self._replay()
        return self._count() if self.watches else []

    def _replay(self) -> list[Message]:
        """Hold the logs of everybody against the model; return its actors' reports to control."""
        alive = sum(receipt.alive for receipt in self.receipts) if self.receipts else None
        judged = whole.judge(self.benchmark, self.workload, self.logs, alive)
        self.verdict = judged.verdict
        if judged.failed:
            raise Failed(judged.failed, judged.explanation)
        if broken := message_counts.uncounted(self.verdict.born, set(self.cluster.taken)):
            raise Failed(broken)
        return self.verdict.control

    def _count(self) -> list[Message]:
        """Hold what each watched actor took against the one schedule of a serial case; return the
        model's actors' reports to control in it."""
        simulation = Simulation(self.workload).perform()
        watched, taken = Watched(self.watches), self.cluster.taken
        for actor in sorted(simulation.actors):
            if watched.slice_of(actor) is None:
                continue
            if actor not in taken:
                raise Failed(f"{names.spell(actor)} {message_counts.UNCOUNTED}")
            expected = len(simulation.logs.get(actor, ()))
            if taken[actor] != expected:
                raise Failed(
                    f"{names.spell(actor)} is said to have taken {taken[actor]} messages,"
                    f" expected {expected} (TRACE-17)"
                )
        for actor in sorted(taken.keys() - simulation.actors.keys()):
            raise Failed(f"{names.spell(actor)} has a count and was never made (TRACE-17)")
        return simulation.control

    def _account(self, control: list[Message]) -> None:
        """Hold marks and receipt against what is known."""
        found = marks.problems(self.benchmark, self.ran) if self.ran is not None else []
        if self.ran is not None and (hasty := too_short(self.benchmark, self.ran)):
            found.append(hasty)
        if found:
            raise Failed("; ".join(found))
        found = receipts.problems(self.receipts, control, self.benchmark, self.salt)
        alive = sum(receipt.alive for receipt in self.receipts) if self.receipts else None
        if alive and self.verdict is not None:
            found.append(survivors(self.verdict.born, self.logs, alive))
        if self.ran is not None and not found:
            found = marks.untimely(self.receipts[0], self.ran.marks)
        found = found or self._order()
        if found:
            raise Failed("the receipt is wrong: " + "; ".join(found))
        if passed := self._crossed():
            raise Failed("; ".join(passed))

    def _order(self) -> list[str]:
        """Return the contradictions of latencies and the order of the source's messages (OPEN-12),
        and of turns and that of the poker's (MEAS-2)."""
        if isinstance(self.workload, ChatAppWorkload):
            return turn_order.problems(self.logs, self.receipts[0].chatapp.turn_nanos)
        p = self.workload.parameters
        if not isinstance(p, openweb.Parameters):
            return []
        return openweb_order.problems(openweb.arrivals_of(p), self.logs, self.receipts[0].done)

    def _crossed(self) -> list[str]:
        """Return the differences between the traffic of the network and what it must have been."""
        crossed = self.wires.crossed
        if crossed is None:
            return []
        name, counts = str(self.benchmark.WhichOneof("parameters")), counts_of(self.receipts[0])
        return held(name, self.workload.parameters, counts, crossed).problems

    @property
    def has_overtaking(self) -> bool:
        """True if some message overtook a causally earlier one."""
        return overtaking.count(self.workload, self.logs) > 0

    def check_features(self) -> None:
        """Check that the run was worth it. Raises NotExercised."""
        if self.untold:
            raise NotExercised(self.untold)
        lacking = features.missing(self.logs, self.case.message.exercises)
        if lacking:
            raise NotExercised(features.lacking(lacking))

    def _watched(self) -> AbstractContextManager[standstill.Calls]:
        """Inside, calls under which nothing moves any more are judged before their time is up."""
        if not self.is_whole:
            return nullcontext(nullcontext)
        still = standstill.STILL + sleep_of(self.benchmark)
        return standstill.watching(self.cluster, still, partial(self._wrong, still))

    def _driven(self, call: Callable[[], Any]) -> Any:
        """As ``overdue``, of Act, Turn or Run, which Trace may overtake (CTRL-9)."""
        with self._call():
            return self.overdue(call)

    def overdue(self, call: Callable[[], Any]) -> Any:
        """Make a call; if its answer is overdue, let the trace say why. A trace of a CPU-starved
        process would say that messages are missing."""
        try:
            return call()
        except Starved:
            raise
        except Late as late:
            self._explain(late)
            raise

    def _explain(self, late: Late) -> None:
        """An answer is overdue: fetch the trace (CTRL-9) and find the message that is missing.

        Raises Failed if there is one; returns if the trace explains nothing.
        """
        if not self.is_whole:
            return
        with self._explaining:
            try:
                if not self._comes_to_rest():
                    return
            except (ControlError, TraceError):
                return
            failed = self._failed(f"then: {late}")
        if failed is not None:
            raise failed from None

    def _wrong(self, still: float, is_over: Callable[[], bool]) -> Exception | None:
        """The error that the trace shows of a world in which nothing has moved for so many seconds,
        or that Trace itself has failed with; None if there is none, if somebody had no core
        (LEVEL-35), or if actors may wait for room in a log, of which others know more. Raises
        Moved."""
        if self._leaving is not None and self._leaving.was_full:
            return None
        if any(session.excuse() for session in self.cluster.sessions):
            return None
        with self._explaining:
            try:
                if not self._comes_to_rest(is_over):
                    raise standstill.Moved
                return self._failed(f"then: nothing has moved for {still:.3g} s")
            except (TraceError, HarnessFault):
                return None
            except ControlError as error:
                return error

    def _failed(self, then: str) -> Failed | None:
        """Judge a world at rest. While anything still moves nothing is missing yet: a slow run is
        a timeout."""
        if misplaced := self.cluster.misplaced(self.workload.parameters):
            return Failed(misplaced)
        with self.cluster.unchanged():
            judged = whole.judge(self.benchmark, self.workload, self.logs)
        return Failed(f"{judged.failed} ({then})", judged.explanation) if judged.failed else None

    def _comes_to_rest(self, is_over: Callable[[], bool] = lambda: False) -> bool:
        """True if, for some time on end, nothing was logged and hardly anything computed. Raises
        ControlError and TraceError."""
        quiet, cluster = 0, self.cluster
        step = HASTY_STEP if self.hasty else REST_STEP
        for _ in range(REST_PATIENCE):
            if is_over():
                break
            events, worked = cluster.events, cluster.cpu_seconds()
            time.sleep(step)
            cluster.trace(timeout=ORDINARY_TIME)
            worked = cluster.cpu_seconds() - worked
            # Idle runtimes look for work now and then, each of them.
            moved = cluster.events > events or worked > step / 2 * len(cluster.sessions)
            quiet = 0 if moved else quiet + 1
            if quiet == REST_STEPS:
                return True
        return False
