"""What a call of the Fibonacci function costs on a runtime, asked in the session in which it
computes (MEAS-28, MEAS-29)."""

from dramaturg.control.session import Session
from dramaturg.model.fibonacci import calls
from dramaturg.timing.scenarios import Scenario
from dramaturg.v2 import control_pb2

ENOUGH = 0.05
"""Seconds of one probe, so that what else its call takes is small beside it."""

LOOKS = 4
"""Probes of which the one counts that took least: a compiler may work beside the others."""

SMALLEST, LARGEST = 12, 47
"""Of the numbers that are asked for: a few hundred calls, and what Probe allows."""


def nanos(session: Session, scenario: Scenario, timeout: float) -> float:
    """CPU nanoseconds of a call, of the smallest number whose probe takes long enough; 0 if the
    scenario computes nothing, or nothing is known of the process."""
    if "fib_n" not in scenario.parameters or session.process is None:
        return 0.0
    n = SMALLEST
    while (least := _least(session, n, timeout)) < ENOUGH and n < LARGEST:
        n += 1
    return least * 1e9 / calls(n)


def _least(session: Session, n: int, timeout: float) -> float:
    """CPU time of a probe: the least of some. One alone may be what a compiler took, or a call
    that nobody had made before; then the next number is asked for."""
    least = _seconds(session, n, timeout)
    for _ in range(LOOKS):
        if least < ENOUGH:
            break
        least = min(least, _seconds(session, n, timeout))
    return least


def _seconds(session: Session, n: int, timeout: float) -> float:
    """CPU time of a probe."""
    assert session.process is not None
    probe = control_pb2.Probe(fibonacci=control_pb2.Probe.Fibonacci(n=n))
    before = session.process.cpu_seconds()
    session.describe([probe], timeout)
    return session.process.cpu_seconds() - before
