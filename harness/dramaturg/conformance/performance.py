"""One world driven through a case, with all it takes to judge it afterwards."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from dramaturg.conformance import features, receipts
from dramaturg.conformance.cases import Case, play_of, speak
from dramaturg.conformance.company import Company
from dramaturg.control.errors import ControlError, Late
from dramaturg.control.session import ORDINARY_TIME
from dramaturg.model.play import ChatAppPlay, MicroPlay
from dramaturg.trace.events import Logs, TraceError
from dramaturg.trace.replay import Verdict, replay
from dramaturg.trace.why import Explanation, explain
from dramaturg.v1 import benchmarks_pb2, case_pb2

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
    """A world and its script, which grows with every call: the play that the replay replays."""

    case: Case
    company: Company
    benchmark: benchmarks_pb2.Benchmark
    settle: float
    """Seconds in which a call must be answered."""
    hasty: bool = False
    """Whether much the same was seen to go wrong before."""
    receipts: list[benchmarks_pb2.Receipt] = field(default_factory=list)
    """One from each node, when there are any."""
    golden: str = ""
    """How it differs from the golden trace."""
    play: ChatAppPlay | MicroPlay = field(init=False)
    verdict: Verdict | None = field(default=None, init=False)
    _kept: Logs | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.play = play_of(self.benchmark)

    @property
    def logs(self) -> Logs:
        """What was fetched of the trace."""
        return self.company.logs if self._kept is None else self._kept

    @property
    def events(self) -> int:
        return sum(map(len, self.logs.values()))

    def keep(self) -> None:
        """Hold on to the logs: the company goes on to another world."""
        self._kept = self.company.logs

    def prepare(self) -> None:
        """Set the scene, on every node."""
        if isinstance(self.play, ChatAppPlay):
            self.play.prepare()
        if self.company.network is not None:
            self.company.prepare(self.benchmark, trace=True, timeout=self.settle)
        else:
            lead, timeout = self.company.lead, self.settle if self.hasty else None
            self.overdue(lambda: lead.prepare(self.benchmark, trace=True, timeout=timeout))

    def follow(self, cues: Iterable[case_pb2.Cue]) -> None:
        """Call for all of these, each when the one before has settled."""
        lead, timeout = self.company.lead, self.settle
        for number, cue in enumerate(cues):
            speak(self.play, cue)
            if cue.HasField("run"):
                self.receipts = self.overdue(lambda: lead.run(1, timeout=timeout))
                continue
            act, drawn = cue.act, cue.HasField("turn")
            call = (
                partial(lead.turn, timeout)
                if drawn
                else partial(lead.act, act.client, act.choice, act.index, act.k, timeout)
            )
            answer = self.overdue(call)
            if answer.turn != number:
                what = "turn" if drawn else "act"
                raise Failed(f"{what} {number} was answered as turn {answer.turn} (CHAT-5)")

    def end(self) -> None:
        """Tear the world down; unless it was run, that gives the receipt."""
        if self.receipts:
            self.company.trace()
            others = self.company.teardown()[1:]
            self.receipts += [other or benchmarks_pb2.Receipt() for other in others]
            return
        assert isinstance(self.play, ChatAppPlay)
        self.play.disconnect()
        receipt = self.overdue(self.company.lead.teardown)
        self.receipts = [] if receipt is None else [receipt]

    def judge(self) -> None:
        """Trace, replay, receipt: in this order, since each explains the next. Raises Failed."""
        self.company.trace()
        misplaced = self.company.misplaced()
        if misplaced:
            raise Failed(misplaced)
        self.verdict = replay(self.play, self.logs)
        divergence = explain(self.play, self.logs, self.verdict)
        if divergence is not None:
            raise Failed(divergence.headline(), divergence)
        if self.golden:
            raise Failed(f"differs from the golden trace (LEVEL-2): {self.golden}")
        if self.receipts:
            problems = receipts.problems(self.receipts, self.verdict, self.benchmark)
            if problems:
                raise Failed("the receipt is wrong: " + "; ".join(problems))

    def check_features(self) -> None:
        """Whether the run was worth it. Raises NotExercised."""
        lacking = features.missing(self.logs, self.case.message.exercises)
        if lacking:
            raise NotExercised(features.lacking(lacking))

    def overdue(self, call: Callable[[], Any]) -> Any:
        """Make a call; if its answer is overdue, let the trace say why."""
        try:
            return call()
        except Late as late:
            self._explain(late)
            raise

    def _explain(self, late: Late) -> None:
        """An answer is overdue: fetch the trace (CTRL-9) and find the message that is missing.

        Raises Failed if there is one; returns if the trace explains nothing. While
        anything still moves nothing is missing yet: a slow run is a timeout.
        """
        try:
            if not self._comes_to_rest():
                return
        except (ControlError, TraceError):
            return
        verdict = replay(self.play, self.logs)
        divergence = explain(self.play, self.logs, verdict)
        if divergence is not None:
            raise Failed(f"{divergence.headline()} (then: {late})", divergence) from None

    def _comes_to_rest(self) -> bool:
        """Whether, for some time on end, nothing was logged and hardly anything computed."""
        quiet, company = 0, self.company
        step = HASTY_STEP if self.hasty else REST_STEP
        for _ in range(REST_PATIENCE):
            events, worked = company.events, company.cpu_seconds()
            time.sleep(step)
            company.trace(timeout=ORDINARY_TIME)
            worked = company.cpu_seconds() - worked
            # Idle runtimes look for work now and then, each of them.
            moved = company.events > events or worked > step / 2 * len(company.sessions)
            quiet = 0 if moved else quiet + 1
            if quiet == REST_STEPS:
                return True
        return False
