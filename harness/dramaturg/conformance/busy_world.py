"""A world in which every scheduler is busy with one compute of seconds (CTRL-9, CTRL-11).

Runtimes that switch only where a computation allocates, calls or returns are found by nothing
shorter: there the control port waits for a scheduler until a compute is done.
"""

import contextlib
import math
import os
import threading
import time
from collections.abc import Iterable, Mapping

from google.protobuf import json_format

from dramaturg.conformance.world import Failed, NotExercised
from dramaturg.control.session import ORDINARY_TIME, Session
from dramaturg.errors import ControlError, Starved
from dramaturg.model import names
from dramaturg.trace.events import AnyLogs
from dramaturg.trace.watches import EVERYBODY, NOBODY, Watches
from dramaturg.v2 import benchmarks_pb2, control_pb2
from dramaturg.v2 import trace_pb2 as kind

SECONDS = 5.0
"""Seconds that one compute should take: several times what an answer takes."""

PROBED = 0.2
"""Seconds of a probe from which longer ones are foretold."""

FIRST, LAST = 20, 47
"""The range of the requested numbers; the last is the largest that Probe allows."""

SOON = 1.0
"""Seconds in which Trace is answered, whatever is computed meanwhile: an answer that takes longer,
and comes when a compute is done, has waited for it."""

ALL_BEGIN = 0.3
"""Seconds after so many as there are schedulers have begun: by then all have that can."""

PATIENCE = 20.0
"""Seconds in which the computes begin, however busy the machine is."""

PAUSE = 0.02
"""Seconds between two looks."""

_GOLDEN = (1 + math.sqrt(5)) / 2
"""The time of each Fibonacci number, as a multiple of the time of the one before it."""

_WORK = {
    names.WORKER: kind.MESSAGE_KIND_WORKER_WORK,
    names.SERVER: kind.MESSAGE_KIND_SERVER_WORK,
    names.CLIENT: kind.MESSAGE_KIND_CLIENT_ACT,
}
"""The message upon which an actor of each class computes."""

_DONE = {
    names.DISPATCHER: kind.MESSAGE_KIND_DISPATCHER_IDLE,
    names.BALANCER: kind.MESSAGE_KIND_BALANCER_IDLE,
    names.ACCUMULATOR: kind.MESSAGE_KIND_ACCUMULATOR_STOP,
}
"""The message that is sent when it has."""


def choose(benchmarks: Iterable[str], many: int, fib_n: int) -> benchmarks_pb2.Benchmark:
    """So many actors that compute at the same time, of the first of these benchmarks
    that the manifest names. Raises NotExercised."""
    chatapp = {"clients": many, "directories": 1, "turns": 1, "compute": 100, "selection": 1}
    runs: Mapping[str, dict[str, int]] = {
        "web": {"browsers": many, "workers": many, "requests": 1},
        "openweb": {"servers": many, "requests": many, "gap": 1},
        "chatapp": chatapp,
    }
    name = next((name for name in runs if name in benchmarks), "")
    if not name:
        raise NotExercised(f"no benchmark that the manifest names computes; {', '.join(runs)} do")
    chosen = {name: runs[name] | {"fib_n": fib_n}}
    return json_format.ParseDict(chosen, benchmarks_pb2.Benchmark())


def prepare(session: Session, benchmarks: Iterable[str], watches: Watches = EVERYBODY) -> int:
    """Set such a world up; how many schedulers there are. Twice as many actors will compute: a
    runtime that understates its threads is kept busy as well."""
    schedulers = max(1, session.describe().schedulers)
    chosen = choose(benchmarks, _many(schedulers), long_enough(session))
    session.prepare(chosen, watches)
    return schedulers


def _many(schedulers: int) -> int:
    return 2 * max(schedulers, os.cpu_count() or 1)


def long_enough(session: Session) -> int:
    """The Fibonacci number that takes this runtime about :data:`SECONDS`, from probes in the same
    process: the largest that may be asked for, where that is less."""
    for n in range(FIRST, LAST):
        _probe(session, n)
        # Once more: the first time a compiler may have been at work.
        took = _probe(session, n)
        if took >= PROBED:
            further = math.log(max(1.0, SECONDS / took), _GOLDEN)
            return min(LAST, n + round(further))
    return LAST


def _probe(session: Session, n: int) -> float:
    """Seconds of processor time, or of a clock where nothing is known of the process."""
    probe = control_pb2.Probe(fibonacci=control_pb2.Probe.Fibonacci(n=n))
    began, used = time.monotonic(), _cpu(session)
    session.describe([probe])
    return _cpu(session) - used if session.process else time.monotonic() - began


def _cpu(session: Session) -> float:
    return session.process.cpu_seconds() if session.process else 0.0


def run(session: Session) -> threading.Thread:
    """Let it begin; nobody sees its end."""
    thread = threading.Thread(target=_run_quietly, args=(session,), daemon=True)
    thread.start()
    return thread


def _run_quietly(session: Session) -> None:
    with contextlib.suppress(ControlError):
        session.run()


def look(session: Session, benchmarks: Iterable[str]) -> None:
    """Check that Trace is answered while all schedulers compute (CTRL-9). The session is spent
    afterwards. Raises Failed, or NotExercised if the computes were too short to tell."""
    schedulers = prepare(session, benchmarks)
    # All of them may have to be done first, on one thread.
    limit = ORDINARY_TIME + 3 * SECONDS * _many(schedulers)
    before, enough = _cpu(session), ALL_BEGIN * schedulers
    run(session)
    deadline = math.inf if session.attached else time.monotonic() + PATIENCE
    slowest, busy = 0.0, False
    while time.monotonic() < deadline:
        began = time.monotonic()
        logs = session.trace(limit).logs
        took = time.monotonic() - began
        slowest, deadline = max(slowest, took), deadline + took
        if done := _count(logs, _DONE):
            break
        # Messages that waited for a compute may have come before the word that it was done: look
        # again.
        if busy and took <= SOON:
            return
        # An actor that logs a message after its work has not logged these yet.
        busy = _count(logs, _WORK) >= schedulers or _cpu(session) - before >= enough
        time.sleep(ALL_BEGIN if busy else PAUSE)
    else:
        waited = f"{session.name}: nothing was computed within {PATIENCE:.0f} s of Run"
        raise session.late(waited).because("CTRL-15")
    if slowest > SOON:
        said = (
            f"all schedulers were busy with one compute each, and Trace was answered after"
            f" {slowest:.1f} s, when {done} of them {'was' if done == 1 else 'were'} done: it waits"
            f" for a scheduler (CTRL-9)"
        )
        late = session.late(said)
        raise late if isinstance(late, Starved) else Failed(said)
    raise NotExercised("the computes were done before all schedulers were busy with one")


def _count(logs: AnyLogs, kinds: Mapping[int, int]) -> int:
    return sum(
        message[0] == kinds[names.class_of(actor)]
        for actor, log in logs.items()
        if names.class_of(actor) in kinds
        for _, message in log
    )


def begin(session: Session, benchmarks: Iterable[str]) -> None:
    """Have all schedulers busy, and ask nothing: the one that would answer may have no
    scheduler."""
    schedulers = prepare(session, benchmarks, NOBODY)
    before, deadline = _cpu(session), time.monotonic() + PATIENCE
    thread = run(session)
    # Nothing is known of the process, so the clock alone decides.
    enough = ALL_BEGIN * schedulers
    while thread.is_alive() and time.monotonic() < deadline:
        time.sleep(ALL_BEGIN)
        if session.process is None or _cpu(session) - before >= enough:
            break
    if not thread.is_alive():
        raise NotExercised("the computes were done before the input ended")
