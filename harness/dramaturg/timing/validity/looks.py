"""Looks in the midst of a run (spec/measurements.md, MEAS-48).

`Trace` is called while `Run` is under way, on all nodes at the same time. A message that is not in
its answer was taken after the question; one that is in it, before the answer. So something is known
of a moment by the harness's own clock, whatever clock an implementation has. This module decides
when to ask, and writes the answers to disk; :mod:`dramaturg.timing.validity.look_bounds` says what
they show.
"""

import random
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from dramaturg.control.session import Looked, Session
from dramaturg.errors import ControlError
from dramaturg.records import Depth
from dramaturg.results import RecordsLost
from dramaturg.timing.planning.scenarios import Scenario
from dramaturg.trace import spool
from dramaturg.trace.events import TraceError

SHARE = 4
"""One of so many timed iterations is looked at, and at least one where there are two."""

LEAST = 0.01
"""Seconds below which a run is not looked at: a look takes as long as an empty call or two."""

MOST = 6
"""Looks at one run."""

FIRST = 0.005, 0.02
"""Seconds between which the first look falls at a run of which nobody knows how long it takes."""

CROWDED = 0.1
"""The share of a run that answers to looks take at most without standing in the way of marks."""

ECHO = 0.0001
"""Seconds between a look and the one that asks for what it had counted."""

TICK = 0.0005
"""Seconds between two looks at whether `Run` was sent."""

TEETH = 12
"""Looks in the time of one nap."""

LONGEST = 1000
"""Naps or windows of a run, of which one is looked at."""

BEFORE = 0.96, 0.995
"""The place of a look, as shares of a time before which nothing may have happened: it sees what
has."""


@dataclass(frozen=True, slots=True)
class Look:
    """The answers of all nodes to one look. In nanoseconds since `Run` was sent."""

    asked: int
    """Before this nothing was taken that is not in it."""
    answered: int
    """The moment before which everything in it was taken."""
    cpu: int | None
    """CPU time of all processes from before `Run` to when it was asked; None where they are not
    ours to look at."""
    files: Sequence[Path]
    """One for each node; of one that was not asked there is none."""
    problem: str = ""
    """The reason why it is no trace; empty if nothing is wrong with it."""
    of_lead: bool = True
    """False if node 0 was not asked: the run had ended, and other hosts had not said so yet."""


@dataclass(frozen=True, slots=True)
class Looks:
    """All looks at one run, in their order, and what is known of the run itself."""

    all: Sequence[Look]
    run: int
    """Nanoseconds from `Run` sent to its end."""
    cpu: int | None
    """CPU time of all processes in that time."""
    beside: int
    """Nanoseconds that may lie beside the claim for the run, at either end."""

    @property
    def files(self) -> list[Path]:
        return [file for each in self.all for file in each.files]

    @property
    def overdue(self) -> int:
        """The nanoseconds before `Run`'s end for which a look was under way that ended after it:
        the end may have waited behind it as long."""
        return max(
            (self.run - e.asked for e in self.all if e.asked < self.run < e.answered), default=0
        )

    @property
    def unanswered(self) -> bool:
        """True if one that was asked for in the first half of the run was answered behind it, or
        none of these by node 0: then nothing is known of its midst."""
        early = [each for each in self.all if each.asked < self.run / 2]
        passed_by = bool(early) and not any(each.of_lead for each in early)
        return passed_by or any(each.answered > self.run for each in early)

    @property
    def crowd(self) -> bool:
        """True if the answers took so long that marks may have waited behind them as well."""
        return sum(min(e.answered, self.run) - e.asked for e in self.all) > CROWDED * self.run


NONE = Looks((), 0, None, 0)


def drawn(depths: Sequence[Depth], chance: random.Random) -> set[int]:
    """Draw the iterations of an invocation that are looked at: all that are audited, and some of
    the timed ones, never all, unless there is one alone, which has its turn half of the time."""
    timed = [n for n, depth in enumerate(depths) if depth is Depth.CROSSING]
    many = max(1, len(timed) // SHARE) if len(timed) > 1 else chance.randrange(2) * len(timed)
    return {n for n, depth in enumerate(depths) if depth is not Depth.CROSSING} | set(
        chance.sample(timed, many)
    )


def moments(
    scenario: Scenario, depth: Depth, expected: float | None, chance: random.Random
) -> list[float]:
    """Draw the times of looks at such a run, in seconds after it was sent. ``expected`` is the
    duration of timed ones; None if nobody knows. Some are anywhere in it, one of them twice; if
    something may not have happened before its time, others lie just before that is due."""
    if expected is not None and expected < LEAST:
        return []
    if expected is None:
        found, at = [], chance.uniform(*FIRST)
    elif depth is Depth.CROSSING:
        found, at = [chance.uniform(0.5, 0.95) * expected], chance.uniform(0.1, 0.9) * expected
    else:
        # It may take as long, or many times that: who is watched as a whole logs as much.
        found, at = [], chance.uniform(0.2, 0.9) * expected
    most = 2 if depth is Depth.CROSSING and expected is not None else MOST
    while len(found) < most and (expected is None or at < 30 * expected):
        found.append(at)
        at *= chance.uniform(1.5, 3.0)
    # Right behind the first: what that has counted this must have delivered.
    return sorted([*found, found[0] + ECHO, *_boundaries(scenario, chance)])


def _boundaries(scenario: Scenario, chance: random.Random) -> list[float]:
    """A look just before a nap or a window can have ended; and of naps a comb, so close that
    whoever ends one much too early does it between two of its teeth that are no nap apart."""
    v = scenario.parameters
    naps = scenario.benchmark == "sleepers"
    length, many = (v["delay"], v["naps"]) if naps else (v.get("window", 0), v.get("windows", 0))
    length /= 1e3
    if not many or length < LEAST:
        return []
    number = chance.randrange(min(many, LONGEST))
    found = [(number + chance.uniform(*BEFORE)) * length]
    if naps:
        begin = chance.uniform(0.0, max(0, min(many, LONGEST) - 1)) * length
        tooth = max(length / TEETH, LEAST / 2)
        found += [begin + place * tooth for place in range(int(1.5 * TEETH))]
    return found


class Looker:
    """Looks at one run, from a thread for each node, as long as it is entered. The stamps of the
    run's own thread do not wait for it: nothing is decoded before it is left."""

    def __init__(
        self, sessions: Sequence[Session], moments: Sequence[float], timeout: float
    ) -> None:
        self._sessions, self._moments, self._timeout = sessions, moments, timeout
        self._over = threading.Event()
        self._found: list[dict[int, tuple[Looked, int | None]]] = [{} for _ in sessions]
        """For each node, by the number of the moment: a node may have missed one."""
        self._failed: list[ControlError] = []
        self.under_way = 0
        """Nanoseconds for which the end waited though no node was to answer a look, by the stamps
        of each: what was asked, or answered, was on its way to or from another host."""
        self._cpu = 0
        self._spending = 0.0
        """Seconds that it takes to ask all processes for their CPU time: other hosts are far."""
        self._threads = [
            threading.Thread(target=self._look, args=(node,), daemon=True)
            for node in range(len(sessions) if moments else 0)
        ]

    def __enter__(self) -> "Looker":
        begun = time.monotonic()
        self._cpu = self._spent() or 0
        self._spending = time.monotonic() - begun
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Wait for what was asked. Raises ControlError if it was not answered, unless the run
        itself has failed. An interrupt waits for nobody: each call ends with its process."""
        self._over.set()
        if error is not None and not isinstance(error, Exception):
            return
        over = time.monotonic_ns()
        for thread in self._threads:
            thread.join()
        now, held = time.monotonic_ns(), over
        self.under_way = now - over
        looks = [looked for found in self._found for looked, _ in found.values()]
        for looked in sorted(looks, key=lambda each: each.asked):
            self.under_way -= max(0, looked.answered - max(held, looked.asked))
            held = max(held, looked.answered)
        if self._failed and error is None:
            raise self._failed[0]

    def _look(self, node: int) -> None:
        while not (begun := self._sessions[0].run_since):
            if self._over.wait(TICK):
                return
        for number, moment in enumerate(self._moments):
            now = time.monotonic() - begun / 1e9
            # Looks that were missed while another was not answered are made up for once.
            if any(moment <= later < now for later in self._moments[number + 1 :]):
                continue
            cpu = None
            if node == 0:
                if self._over.wait(max(0.0, moment - self._spending - now)):
                    return
                cpu = self._spent()
                now = time.monotonic() - begun / 1e9
            if self._over.wait(max(0.0, moment - now)):
                return
            try:
                self._found[node][number] = self._sessions[node].look(self._timeout), cpu
            except ControlError as failed:
                self._failed.append(failed)
                return

    def _spent(self) -> int | None:
        """Nanoseconds of CPU time of all processes so far."""
        processes = [each.process for each in self._sessions if each.process is not None]
        if len(processes) < len(self._sessions):
            return None
        asked = [process.consumption.asked_cpu() for process in processes]
        return sum(each() for each in asked)

    def spooled(self, sent: int, folder: Path, name: str) -> list[Look]:
        """The looks, decoded and on disk, when nothing of that iteration is timed any more.
        ``sent``: when `Run` was. Raises ControlError, and RecordsLost."""
        made = []
        for number in sorted({number for found in self._found for number in found}):
            here = [found[number] for found in self._found if number in found]
            files, problem = [], ""
            for node, found in enumerate(self._found):
                file = folder / f"{name}-look{number}-node{node}{spool.SUFFIX}"
                files.append(file)
                looked = found[number][0] if number in found else None
                problem = problem or _written(looked, file)
            cpu = here[0][1]
            made.append(
                Look(
                    asked=min(looked.asked for looked, _ in here) - sent,
                    answered=max(looked.answered for looked, _ in here) - sent,
                    cpu=None if cpu is None else cpu - self._cpu,
                    files=files,
                    problem=problem,
                    of_lead=number in self._found[0],
                )
            )
        return made


def _written(looked: Looked | None, file: Path) -> str:
    """Lay it there; return what is wrong with it as a trace. No file says that a node was not
    asked."""
    try:
        if looked is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("wb") as stream:
                looked.spool(stream)
    except TraceError as error:
        return str(error)
    except OSError as error:
        file.unlink(missing_ok=True)
        raise RecordsLost(f"{file}: {error.strerror}") from None
    return ""
