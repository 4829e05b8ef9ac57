"""Outcomes and exit codes (spec/levels.md). *Not run* is never *pass*."""

from collections.abc import Iterable
from enum import StrEnum


class Outcome(StrEnum):
    """The end of a case. Members are in order of precedence, worst first."""

    HARNESS_FAULT = "harness fault"
    FAIL = "fail"
    CRASH = "crash"
    TIMEOUT = "timeout"
    NOT_RUN = "not run"
    TOOLCHAIN_MISSING = "toolchain missing"
    UNSUPPORTED = "unsupported"
    PASS = "pass"

    @property
    def exit_code(self) -> int:
        return _EXIT_CODES[self]


_EXIT_CODES = {
    Outcome.PASS: 0,
    Outcome.FAIL: 1,
    Outcome.CRASH: 3,
    Outcome.TIMEOUT: 4,
    Outcome.UNSUPPORTED: 5,
    Outcome.TOOLCHAIN_MISSING: 6,
    Outcome.NOT_RUN: 7,
    Outcome.HARNESS_FAULT: 8,
}

USAGE_ERROR = 2
SIGNER_UNKNOWN = 9
"""A certificate that holds, and nobody whom the reader trusts has signed it (LEVEL-28)."""
SLOWER = 10
"""A comparison in which all is judged, and of some row it is confirmed that B is slower."""
INTERRUPTED = 130


def worst(outcomes: Iterable[Outcome]) -> Outcome:
    """The one that speaks for all. Nothing at all is *not run*."""
    order = list(Outcome)
    return min(outcomes, key=order.index, default=Outcome.NOT_RUN)
