"""An impatient user decides no exit code."""

import signal
import subprocess
import sys

import pytest

LATE = """
import os, signal, sys
from dramaturg.processes import interrupts

class Last:
    def __del__(self, kill=os.kill, number=int(sys.argv[1])):
        kill(os.getpid(), number)

interrupts.install()
last = Last()  # Of what a module holds this is done when Python has let go of signals.
try:
    if sys.argv[2] == "interrupted":
        os.kill(os.getpid(), signal.SIGINT)
    sys.exit(0)
except KeyboardInterrupt:
    sys.exit(130)
finally:
    interrupts.over()
"""


def _status(number: signal.Signals, state: str) -> int:
    words = [sys.executable, "-c", LATE, str(int(number)), state]
    return subprocess.run(words, check=False, capture_output=True).returncode


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_comes_when_all_is_over_changes_no_exit_code(number: signal.Signals) -> None:
    assert _status(number, "interrupted") == 130


def test_who_was_not_interrupted_can_still_be_ended() -> None:
    assert _status(signal.SIGTERM, "whole") == -signal.SIGTERM
