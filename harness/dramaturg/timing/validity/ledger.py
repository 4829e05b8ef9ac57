"""Time claimed against time seen, in both directions (spec/measurements.md, MEAS-4).

An implementation's claims are of times inside of a call, so they cannot be more than the harness
saw pass. Beside its claim a call contains only the way there and back, so they cannot be less than
that by more than such a way takes. Calls that do nothing, in the same session, measure a way; the
kernel knows how long threads waited for a core. They wait in the midst of a call as well as at its
ends, where alone it could lie beside a claim: so no more of it counts than the few threads at its
ends usually wait. A larger difference that can have been a wait proves nothing: nobody vouches for
such an iteration.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from dramaturg.v2 import benchmarks_pb2, control_pb2

SLEW = 0.001
"""The share by which an implementation's clock may run faster or slower than the harness's:
monotonic clocks may be slewed by 500 parts per million each (adjtimex(2))."""

GRAIN = 1_000_000
"""Nanoseconds that rounding may add or take away: some runtimes keep time in milliseconds."""

WAYS = 4
"""The number of empty calls' times that may lie beside a claim. An empty call wakes two threads,
and has next to nothing to read and to write; Prepare, Run and Teardown wake up to four."""

RECENT = 64
"""Empty calls that a tolerance is made of."""

LONGEST_WAIT = 100_000_000
"""Nanoseconds that the threads at the ends of one call wait for a core at most, four times as
many as they take on two cores with a busy loop for each; or a hundredth of the call, if that
is more."""

MOST_WAIT = 1_000_000_000
"""Nanoseconds of waits that may lie beside a single call, on a machine with many times as many
busy threads as cores. The part above ``LONGEST_WAIT`` is forgiven, and not vouched for. As much is
forgiven of the total that the claims for one call lack. Each time no more is forgiven than others
had the cores: at the ends of a call an implementation has next to nothing to do, so its own threads
wait for each other in the midst of it."""

USUAL_WAIT = 10_000_000
"""Nanoseconds of that in each of many calls, for each node that shares a core with the first."""

STALL = 5_000_000
"""Nanoseconds that lie beside one call although none of its threads waited for a core: the host
took it away for less than the kernel sees, a page had to be read, a collector ran. No run is
vouched for by them."""

LONGEST_TRIP = 25_000_000
"""Nanoseconds of the longest empty call that count, or four times the usual one if that is more:
an implementation that answers one of them late on purpose gains no more by it."""

ROW = 20_000
"""Nanoseconds that a row of a trace takes at most, to be written, read and parsed: more than the
slowest took on two cores with twenty busy threads, waits included."""

SPARED = 50
"""The rows of a timed iteration are so few that they take no more than this part of a run."""

VOUCHED = 20
"""A run must be so many times as long as what may lie beside it: below that the harness cannot
vouch for it."""


@dataclass(frozen=True, slots=True)
class Elapsed:
    """The durations of an iteration's calls, in nanoseconds, from the first byte written to the
    last one read."""

    prepare: int
    """The time of node 0, as for run."""
    run: int
    teardown: tuple[int, ...]
    """The time of each node."""
    waited: tuple[int, int, int] = (0, 0, 0)
    """Nanoseconds in Prepare, Run and Teardown for which the threads of the implementation and the
    one that made the call were ready, and had no core, and which the host took of the machine's
    cores, all added up."""
    others: tuple[int | None, int | None, int | None] = (None, None, None)
    """Nanoseconds in Prepare, Run and Teardown for which the cores were busy with others than node
    0, at most; None where a system does not say, so that they can have been busy throughout."""
    held_up: bool = False
    """True if the end of Run came behind the logs of an audit, which were asked for in its
    midst."""


@dataclass(frozen=True, slots=True)
class Closing:
    """The time between the end of Run and Teardown, in nanoseconds."""

    seen: int
    """Nanoseconds from the last byte of Run to the last one of Trace's answer, on all nodes, and in
    an empty call behind that."""
    waited: int
    """As ``Elapsed`` has it."""
    looked: int
    """Nanoseconds for which the harness looked at the processes before it read an answer."""
    rows: int
    """Events and counts that came."""
    nodes: int = 1

    @property
    def calls(self) -> int:
        """Trace of each node, and the empty call."""
        return self.nodes + 1


@dataclass(frozen=True, slots=True)
class Tolerance:
    """The time that may lie beside the claims of an iteration, in nanoseconds."""

    single: int
    """The tolerance of one call if none of its threads had to wait for a core."""
    mean: int
    """The mean of an empty call."""
    waited: int = 0
    """The part of ``single`` that was added because threads waited for a core."""
    more: int = 0
    """The time that they waited beyond that, as far as it could lie beside the call too."""
    others: int = MOST_WAIT
    """The time that others had the cores: the most that is forgiven."""

    @property
    def beside(self) -> int:
        """The time that may lie beside the claim for one call."""
        return self.single + STALL

    @property
    def most(self) -> int:
        """The same, with all that was waited."""
        return self.beside + self.more

    def behind(self, closing: Closing, *, timed: bool) -> "Tolerance":
        """The tolerance of the time between Run and Teardown. Nothing of that is claimed, so all
        waits lie beside, without a bound: a program that makes threads wait there computes there,
        and that is bounded (MEAS-39). An audit, whose rows may take minutes, is vouched for all
        the same."""
        several = closing.calls * self.single + (closing.calls - 1) * STALL
        looked = replace(self, single=several + closing.looked)
        if timed:
            usual = looked.after(closing.waited, closing.seen)
            return replace(usual, more=closing.waited - (usual.waited - looked.waited))
        return replace(looked, single=looked.single + closing.waited, waited=closing.waited)

    def after(self, waited: int, seen: int, others: int | None = None) -> "Tolerance":
        """The tolerance of a call in which threads had to wait, and that took so long. ``others``
        had the cores for that time; None where nobody knows."""
        lost = min(waited, max(LONGEST_WAIT, seen // 100))
        others = MOST_WAIT if others is None else others
        more = min(max(0, min(waited, MOST_WAIT) - lost), others)
        return Tolerance(self.single + lost, self.mean, self.waited + lost, more, others)

    def vouches_for(self, claimed: int, seen: int, behind: int = 0) -> bool:
        """True if a run of ``claimed``, of which so much was seen, can be told from one that took
        another time: the time that may lie beside it, and that does or lay ``behind`` it, is a
        twentieth of it at most."""
        return claimed >= VOUCHED * max(self.single, seen - claimed, behind)


@dataclass(slots=True)
class RoundTrips:
    """Empty calls of one session, in nanoseconds."""

    first: int
    """The first call of the process: libraries that are loaded when they are needed are loaded in
    it."""
    trips: deque[int] = field(default_factory=lambda: deque(maxlen=RECENT))
    """The last ones: calls that took long once, before a compiler had seen them, count neither
    against later ones nor in favour of them."""

    def tolerance(self, iteration: int) -> Tolerance:
        """The tolerance of an iteration, as far as is known. In the first one each call is the
        first of its kind, and may take as much longer as the first call of all did."""
        cold = self.first if iteration == 0 else 0
        usual = sorted(self.trips)[len(self.trips) // 2]
        longest = min(max(self.trips), max(LONGEST_TRIP, WAYS * usual))
        single = WAYS * longest + GRAIN + cold
        return Tolerance(single, sum(self.trips) // len(self.trips))


@dataclass(slots=True)
class _Account:
    """One call, over all iterations so far."""

    claimed: int = 0
    seen: int = 0
    below: int = 0
    """The amount by which all claims together may be below the time seen."""
    most: int = 0
    """The largest tolerance of a single call."""
    count: int = 0
    waited: int = 0
    """The part of ``below`` that was waiting for a core."""
    lost: int = 0
    """The time that threads waited beyond the usual, while others had the cores."""
    forgiven: int = 0
    """The part of ``lost`` that is in ``below``."""


class Ledger:
    """The claims of one invocation. In a distributed world only too high claims count against
    Prepare and Teardown: connections come and go there, and are in no figure."""

    def __init__(self, *, local: bool, sharing: int = 1) -> None:
        """``sharing``: how many nodes there are for each core, at least 1."""
        self._local = local
        self._usual_wait = USUAL_WAIT * sharing
        self._accounts: dict[str, _Account] = {}
        self.forgiven = 0
        """Nanoseconds of the last iteration, of the call with the most, that only waits beyond
        the usual ones can explain. What lies beside a claim like that is not vouched for."""
        self.behind = 0
        """Nanoseconds of the last iteration that lay between the end of Run and Teardown, less
        what the rows took that came there."""
        self.margins: dict[str, float] = {}
        """For each bound on the last iteration, the share that was used."""

    def problems(
        self,
        prepared: control_pb2.PrepareResponse,
        receipts: Sequence[benchmarks_pb2.Receipt],
        elapsed: Elapsed,
        tolerance: Tolerance,
    ) -> list[str]:
        """The faults of the claims of one more iteration."""
        found = self._runtime(prepared)
        self.forgiven, self.behind, self.margins = 0, 0, {}
        lead, local = receipts[0], self._local
        of_prepare = {"setup_nanos": prepared.setup_nanos, "runtime_nanos": prepared.runtime_nanos}
        waited, others = elapsed.waited, elapsed.others
        beside = tolerance.after(waited[0], elapsed.prepare, others[0])
        found += self._call("Prepare", of_prepare, elapsed.prepare, beside, local)
        beside = tolerance.after(waited[1], elapsed.run, others[1])
        found += self._call(
            "Run", {"run_nanos": lead.run_nanos}, elapsed.run, beside, not elapsed.held_up
        )
        for node, (receipt, passed) in enumerate(zip(receipts, elapsed.teardown, strict=True)):
            call = "Teardown" if len(receipts) == 1 else f"Teardown of node {node}"
            claimed = {"teardown_nanos": receipt.teardown_nanos}
            beside = tolerance.after(waited[2], passed, others[2])
            found += self._call(call, claimed, passed, beside, local)
        return found

    def closing(
        self, closing: Closing, tolerance: Tolerance, run_nanos: int, *, timed: bool
    ) -> list[str]:
        """The faults of the time between the end of Run and Teardown (MEAS-38), after ``problems``
        of the same iteration. ``timed``: its rows are few."""
        rows = closing.rows * ROW
        spared = min(closing.seen, min(rows, run_nanos // SPARED) if timed else rows)
        self.behind = behind = closing.seen - spared
        beside = tolerance.behind(closing, timed=timed)
        usually = int(closing.seen * SLEW) + beside.beside
        # A share of the part that is no wait: waits are as long as they were.
        waits = beside.waited + beside.more
        self.margins["closing"] = max(0, behind - waits) / (usually + beside.more - waits)
        if behind > usually + beside.more:
            return [
                f"Trace, called as soon as Run had ended, and an empty call took"
                f" {_ms(closing.seen)}, of which its {closing.rows} rows take {_ms(spared)} at most"
                f" and {_ms(usually + beside.more)} may lie beside: empty calls, a stall and,"
                f" {_ms(beside.waited + beside.more)}, waiting for a core; the run went on behind"
                " its end (MEAS-38)"
            ]
        forgiven = max(0, behind - usually)
        self.forgiven = max(self.forgiven, forgiven)
        if not timed:
            return []
        account = self._accounts.setdefault("Trace", _Account())
        account.seen += behind
        each = WAYS * tolerance.mean + GRAIN // 2
        account.below += int(closing.seen * SLEW) + closing.calls * each
        account.below += beside.waited + closing.looked
        account.waited += beside.waited
        once = closing.calls * (tolerance.single + STALL)
        account.most = max(account.most, once + forgiven)
        account.count += 1
        most = account.below + account.most
        spent = max(0, account.seen - account.waited)
        self.margins["closings"] = spent / (most - account.waited)
        if account.seen <= most:
            return []
        return [
            f"over {account.count} iterations Trace, called as soon as Run had ended, and an empty"
            f" call took {_ms(account.seen)} more than their rows, expected at most {_ms(most)}:"
            " runs go on behind their ends (MEAS-38)"
        ]

    def _runtime(self, prepared: control_pb2.PrepareResponse) -> list[str]:
        built = prepared.runtime_nanos
        if not self._local or not self._accounts or not built:
            return []
        return [
            f"runtime_nanos is {built} in a later iteration, expected 0: structures that"
            " outlive worlds are built once (IMPL-8)"
        ]

    def _call(
        self,
        call: str,
        claims: Mapping[str, int],
        seen: int,
        tolerance: Tolerance,
        both: bool,
    ) -> list[str]:
        claimed, rounded = sum(claims.values()), int(seen * SLEW)
        said = " and ".join(f"{field} is {nanos}" for field, nanos in claims.items())
        account = self._accounts.setdefault(call, _Account())
        if claimed > seen + rounded + GRAIN:
            return [f"{said}, expected at most {seen}, which is what {call} took (MEAS-4)"]
        usually = seen - rounded - tolerance.beside
        least = seen - rounded - tolerance.most
        if both and claimed < least:
            return [
                f"{said}, expected at least {least}: {call} took {seen}, and at most"
                f" {tolerance.most} of that may lie beside it: empty calls, a"
                f" stall and, {tolerance.waited + tolerance.more}, waiting for a core (MEAS-4)"
            ]
        forgiven = max(0, usually - claimed) if both else 0
        self.forgiven = max(self.forgiven, forgiven)
        account.claimed += claimed
        account.seen += seen
        usual = min(tolerance.waited, self._usual_wait)
        account.below += rounded + WAYS * tolerance.mean + GRAIN // 2 + usual
        account.most = max(account.most, tolerance.beside - usual + forgiven)
        account.lost += min(tolerance.waited - usual + tolerance.more, tolerance.others)
        account.count += 1
        return self._sum(call, " and ".join(claims), account, both)

    def _sum(self, call: str, fields: str, account: _Account, both: bool) -> list[str]:
        """A little of each iteration is found when it adds up. For as long as threads waited it
        may have lain beside the claims, and nobody vouches for that either."""
        text = f"over {account.count} iterations {fields} come to {account.claimed}, expected"
        most = account.seen + int(account.seen * SLEW) + GRAIN + account.count * GRAIN // 2
        if account.claimed > most:
            return [f"{text} at most {most}: {call} took {account.seen} (MEAS-4)"]
        least = account.seen - account.below - account.most
        lack = max(0, least - account.claimed) if both else 0
        spare = min(account.lost, MOST_WAIT) - account.forgiven
        if lack > spare:
            return [f"{text} at least {least - spare}: {call} took {account.seen} (MEAS-4)"]
        self.forgiven = max(self.forgiven, lack)
        account.forgiven += lack
        account.below += lack
        return []


def _ms(nanos: int) -> str:
    return f"{nanos / 1e6:.3f} ms"
