"""One world driven through a case, with all it takes to judge it afterwards."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, repeat
from typing import Any

from dramaturg.cases import features
from dramaturg.cases.cases import Case, speak
from dramaturg.control import marks
from dramaturg.control.session import ORDINARY_TIME, Ran
from dramaturg.errors import ControlError, Late, Starved
from dramaturg.model import names
from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import ChatAppWorkload, MicroWorkload, workload_of
from dramaturg.performance.cluster import Cluster
from dramaturg.trace import receipts
from dramaturg.trace.events import Logs, Message, TraceError
from dramaturg.trace.parts import counts
from dramaturg.trace.replay import Verdict, replay
from dramaturg.trace.rest import AtRest
from dramaturg.trace.survivors import survivors
from dramaturg.trace.watches import EVERYBODY, Watched, Watches, is_everybody
from dramaturg.trace.why import Explanation, explain
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
    """Seconds in which a call must be answered."""
    hasty: bool = False
    """Whether much the same was seen to go wrong before."""
    receipts: list[benchmarks_pb2.Receipt] = field(default_factory=list)
    """One from each node, when there are any."""
    watches: Watches = EVERYBODY
    golden: str = ""
    """How it differs from the golden trace."""
    rest: AtRest | None = field(default=None, init=False)
    """What had been taken when Run had ended."""
    salt: int = field(default=0, init=False)
    ran: Ran | None = field(default=None, init=False)
    workload: ChatAppWorkload | MicroWorkload = field(init=False)
    verdict: Verdict | None = field(default=None, init=False)
    _kept: Logs | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.workload = workload_of(self.benchmark)

    @property
    def logs(self) -> Logs:
        """What was fetched of the trace."""
        return self.cluster.logs if self._kept is None else self._kept

    @property
    def is_whole(self) -> bool:
        """Whether everybody is watched, from the first message on: then the run can be replayed."""
        return is_everybody(self.watches)

    @property
    def events(self) -> int:
        return sum(map(len, self.logs.values()))

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
        lead, timeout = self.cluster.lead, self.settle
        for step in chain.from_iterable(repeat(step, max(1, step.times)) for step in steps):
            speak(self.workload, step)
            if step.HasField("run"):
                self.salt = step.run.salt
                self.ran = self.overdue(lambda: lead.run(self.salt, timeout=timeout))
            elif step.HasField("turn"):
                self.overdue(lambda: lead.turn(timeout))
            else:
                act = step.act
                call = partial(lead.act, act.client, act.choice, act.index, act.k, timeout)
                self.overdue(call)

    def end(self) -> None:
        """Tear the world down, on every node; each gives its receipt."""
        if self.ran is not None:
            self.cluster.trace()
            self.rest = AtRest(self.logs, self.cluster.taken)
        self.workload.disconnect()
        self.receipts = self.overdue(lambda: self.cluster.teardown(self.settle))

    def judge(self) -> None:
        """Trace, replay, marks, receipt: in this order, since each explains the next. Raises
        Failed, and TraceError for a log that is none."""
        self.cluster.trace()
        misplaced = self.cluster.misplaced()
        if misplaced:
            raise Failed(misplaced)
        control = self._observed()
        self.cluster.complete()
        if self.golden:
            raise Failed(f"differs from the golden trace (LEVEL-2): {self.golden}")
        if self.rest and (broken := self.rest.broken(self.logs, self.cluster.taken)):
            raise Failed(broken)
        self._account(control)

    def _observed(self) -> list[Message]:
        """Hold what is watched against the model; what its actors reported to control. Nothing
        if nobody is watched."""
        if self.is_whole:
            return self._replay()
        return self._count() if self.watches else []

    def _replay(self) -> list[Message]:
        """Hold the logs of everybody against the model; what its actors reported to control."""
        self.verdict = replay(self.workload, self.logs)
        divergence = explain(self.workload, self.logs, self.verdict)
        if divergence is not None:
            raise Failed(divergence.headline(), divergence)
        if broken := counts.uncounted(self.verdict.born, set(self.cluster.taken)):
            raise Failed(broken)
        return self.verdict.control

    def _count(self) -> list[Message]:
        """Hold what each watched actor took against the one schedule of a serial case; what the
        model's actors reported to control in it."""
        simulation = Simulation(self.workload).perform()
        watched, taken = Watched(self.watches), self.cluster.taken
        for actor in sorted(simulation.actors):
            if watched.slice_of(actor) is None:
                continue
            if actor not in taken:
                raise Failed(f"{names.spell(actor)}: {counts.UNCOUNTED}")
            expected = len(simulation.logs.get(actor, ()))
            if taken[actor] != expected:
                raise Failed(
                    f"{names.spell(actor)}: is said to have taken {taken[actor]} messages,"
                    f" expected {expected} (TRACE-17)"
                )
        for actor in sorted(taken.keys() - simulation.actors.keys()):
            raise Failed(f"{names.spell(actor)}: has a count and was never made (TRACE-17)")
        return simulation.control

    def _account(self, control: list[Message]) -> None:
        """Hold marks and receipt against what is known."""
        found = marks.problems(self.benchmark, self.ran) if self.ran is not None else []
        if found:
            raise Failed("; ".join(found))
        found = receipts.problems(self.receipts, control, self.benchmark, self.salt)
        alive = sum(receipt.alive for receipt in self.receipts)
        if alive and self.verdict is not None:
            found.append(survivors(self.verdict.born, self.logs, alive))
        if self.ran is not None and not found:
            found = marks.untimely(self.receipts[0], self.ran.marks)
        if found:
            raise Failed("the receipt is wrong: " + "; ".join(found))

    def check_features(self) -> None:
        """Whether the run was worth it. Raises NotExercised."""
        lacking = features.missing(self.logs, self.case.message.exercises)
        if lacking:
            raise NotExercised(features.lacking(lacking))

    def overdue(self, call: Callable[[], Any]) -> Any:
        """Make a call; if its answer is overdue, let the trace say why. Of who is starved it
        would say that messages are missing."""
        try:
            return call()
        except Starved:
            raise
        except Late as late:
            self._explain(late)
            raise

    def _explain(self, late: Late) -> None:
        """An answer is overdue: fetch the trace (CTRL-9) and find the message that is missing.

        Raises Failed if there is one; returns if the trace explains nothing. While
        anything still moves nothing is missing yet: a slow run is a timeout.
        """
        if not self.is_whole:
            return
        try:
            if not self._comes_to_rest():
                return
        except (ControlError, TraceError):
            return
        verdict = replay(self.workload, self.logs)
        divergence = explain(self.workload, self.logs, verdict)
        if divergence is not None:
            raise Failed(f"{divergence.headline()} (then: {late})", divergence) from None

    def _comes_to_rest(self) -> bool:
        """Whether, for some time on end, nothing was logged and hardly anything computed."""
        quiet, cluster = 0, self.cluster
        step = HASTY_STEP if self.hasty else REST_STEP
        for _ in range(REST_PATIENCE):
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
