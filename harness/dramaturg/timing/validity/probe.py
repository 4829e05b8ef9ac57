"""The cost of computing on a runtime, asked in the session in which it computes: a call of the
Fibonacci function, or a byte of broker's payload (MEAS-28, MEAS-29, MEAS-46)."""

import random
from collections.abc import Callable, Iterator

from dramaturg.control.session import Session
from dramaturg.model.fibonacci import calls
from dramaturg.timing.planning.scenarios import Scenario
from dramaturg.v2 import control_pb2

ENOUGH = 0.05
"""Seconds of one probe, so that what else its call takes is small beside it."""

LOOKS = 4
"""Probes of which the one counts that took least: a compiler may work beside the others."""

SMALLEST, LARGEST = 12, 47
"""The range of the requested numbers: a few hundred calls, and what Probe allows."""


MOST_TASKS = 1 << 20
"""The most tasks that Probe allows."""

Question = Callable[[], control_pb2.Probe]


def nanos(session: Session, scenario: Scenario, timeout: float) -> float:
    """CPU nanoseconds of a call, or of a byte, of the smallest probe that takes long enough; 0 if
    the scenario computes nothing, or nothing is known of the process."""
    if session.process is None:
        return 0.0
    if scenario.benchmark == "broker":
        asked = _payloads(scenario.parameters["size"])
    elif "fib_n" in scenario.parameters:
        asked = _numbers()
    else:
        return 0.0
    found = 0.0
    for question, parts in asked:
        least = _least(session, question, timeout)
        found = least * 1e9 / parts
        if least >= ENOUGH:
            break
    return found


def _numbers() -> Iterator[tuple[Question, int]]:
    """Larger and larger ones, with their calls."""
    for n in range(SMALLEST, LARGEST + 1):
        probe = control_pb2.Probe(fibonacci=control_pb2.Probe.Fibonacci(n=n))
        yield lambda probe=probe: probe, calls(n)  # type: ignore[misc]


def _payloads(size: int) -> Iterator[tuple[Question, int]]:
    """More and more tasks of this size, with their bytes. No two have a salt in common: their
    results are not remembered."""

    def of(tasks: int) -> control_pb2.Probe:
        salt = random.getrandbits(32)
        asked = control_pb2.Probe.Payloads(salt=salt, tasks=tasks, size=size)
        return control_pb2.Probe(payloads=asked)

    tasks = 1
    while tasks <= MOST_TASKS:
        yield lambda tasks=tasks: of(tasks), tasks * size  # type: ignore[misc]
        tasks *= 2


def _least(session: Session, question: Question, timeout: float) -> float:
    """CPU time of a probe: the least of some. One alone may be what a compiler took, or a call
    that nobody had made before; then the next one is asked for."""
    least = _seconds(session, question(), timeout)
    for _ in range(LOOKS):
        if least < ENOUGH:
            break
        least = min(least, _seconds(session, question(), timeout))
    return least


def _seconds(session: Session, probe: control_pb2.Probe, timeout: float) -> float:
    """CPU time of a probe."""
    assert session.process is not None
    before = session.process.cpu_seconds()
    session.describe([probe], timeout)
    return session.process.cpu_seconds() - before
