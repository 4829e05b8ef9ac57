"""The time that processes and machines of an invocation have used up to one moment.

Two such moments say for how long threads waited for a core between them, and for how long others
had the cores.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dramaturg.control.session import Session
from dramaturg.machine import interference
from dramaturg.processes import consumption
from dramaturg.processes.consumption import Moment
from dramaturg.processes.cores import Cores
from dramaturg.timing.validity.ledger import Elapsed

_HOST = -1
"""The number, in the place of a thread's, for other work on the host of a virtual machine, and for
the quota of a container."""

_GRAIN = 2 * interference.TICK
"""Nanoseconds by which the busy time of a machine may be off, since the kernel says it in whole
ticks."""


@dataclass(frozen=True, slots=True)
class JointMoment(Moment):
    """The figures of all processes together; the cores are those of the harness's machine, and of
    node 0's if that is another one."""

    lead: int | None = None
    """The part of ``cpu`` that node 0 consumed; None where its process is not ours."""


def look(sessions: Sequence[Session]) -> JointMoment:
    """The moment of all processes together. The threads that call are the harness's own; their CPU
    time is not counted. The time that the host took of the machine's cores was a wait of its
    threads as well, and so was the time that a quota kept from them."""
    first, taken = interference.busy(), interference.taken()
    threads, cpu = {**own_waits(), _HOST: taken}, 0
    processes = [session.process for session in sessions if session.process is not None]
    each = []
    for asked in [process.consumption.asked_moment() for process in processes]:
        moment = asked()
        threads |= moment.waits
        cpu += moment.cpu
        each.append(moment)
    cores = [Cores(first, interference.busy(), taken)]
    if not each or sessions[0].process is None:
        return JointMoment(threads, cpu, tuple(cores))
    return JointMoment(threads, cpu, (*cores, *each[0].cores), each[0].cpu)


def waited(before: Moment, after: Moment) -> int:
    return longer(before.waits, after.waits)


def longer(before: Mapping[int, int], after: Mapping[int, int]) -> int:
    """Return the time for which all threads together waited, by the times of each thread's number.
    A thread that ends while it is looked at counts as one that has never waited; so may its number,
    which another one has now."""
    return sum(max(0, now - before.get(thread, 0)) for thread, now in after.items())


def own_waits() -> Mapping[int, int]:
    """The waits of the harness's own threads: one reads what comes, and another is told of it."""
    return consumption.waits_of(os.getpid())


def others(before: JointMoment, after: JointMoment) -> int | None:
    """Return the time for which cores were busy with something else than node 0, on its machine
    and on the harness's; None where one of them does not say."""
    machines = list(zip(before.cores, after.cores, strict=True))
    spent = [now.since(then) for then, now in machines]
    known = [nanos for nanos in spent if nanos is not None]
    if before.lead is None or after.lead is None or len(known) < len(spent):
        return None
    # A kernel that does not know what its host took charges it to whatever ran then.
    taken = sum(now.taken - then.taken for then, now in machines)
    return max(0, taken, sum(known) - (after.lead - before.lead)) + _GRAIN * len(machines)


def elapsed(
    sessions: Sequence[Session],
    calls: Sequence[tuple[JointMoment, JointMoment]],
    overdue: int,
    *,
    held_up: bool,
) -> Elapsed:
    """``overdue``: for how long the end of Run may have waited behind the answer to a look, which
    of an audit has as many rows as there are (``held_up``)."""
    lead = sessions[0].passed
    teardown = tuple(session.passed["Teardown"] for session in sessions)
    prepare, run, end = (waited(before, after) for before, after in calls)
    of_prepare, of_run, of_end = (others(before, after) for before, after in calls)
    return Elapsed(
        lead["Prepare"],
        lead["Run"],
        teardown,
        (prepare, run + overdue, end),
        (of_prepare, None if of_run is None else of_run + overdue, of_end),
        held_up and overdue > 0,
    )
