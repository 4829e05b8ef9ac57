"""An interrupt that Python drops comes again."""

import subprocess
import sys

import pytest

INTERRUPTED = """
import os, signal, sys, time, weakref
from dramaturg.processes import interrupts

class Held:
    pass

class Finalized:
    def __del__(self):
        os.kill(os.getpid(), number)

def tell(gone):
    os.kill(os.getpid(), number)

number = getattr(signal, sys.argv[1])
interrupts.install()
try:
    if sys.argv[2] == "finalizer":
        Finalized()
    else:
        held = Held()
        kept = weakref.ref(held, tell)
        del held
    if sys.argv[3] == "held":
        with interrupts.held():
            time.sleep(1)
            print("whole")
    time.sleep(60)
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
@pytest.mark.parametrize("where", ["finalizer", "weak reference"])
@pytest.mark.parametrize(("then", "said"), [("plain", ""), ("held", "whole\n")])
def test_an_interrupt_that_comes_where_exceptions_are_dropped_comes_again(
    number: str, where: str, then: str, said: str
) -> None:
    words = [sys.executable, "-c", INTERRUPTED, number, where, then]
    done = subprocess.run(words, check=False, capture_output=True, text=True, timeout=50)
    assert (done.returncode, done.stdout, done.stderr) == (130, said, "")


WHILE_IT_IS_DROPPED = """
import os, signal, sys, time
from dramaturg.processes import interrupts

class Faulty:
    def __del__(self):
        if sys.argv[1] == "again":
            os.kill(os.getpid(), signal.SIGINT)
        else:
            1 / 0

def arm(which, seconds, arms=signal.setitimer):
    signal.setitimer = arms
    arms(which, 0.000001)
    time.sleep(0.1)

def report(what):
    os.kill(os.getpid(), signal.SIGTERM)

if sys.argv[1] == "again":
    signal.setitimer = arm
else:
    sys.unraisablehook = report
interrupts.install()
try:
    Faulty()
    time.sleep(60)
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.mark.parametrize("comes", ["again", "first"])
def test_an_interrupt_is_not_lost_that_comes_while_another_exception_is_dropped(
    comes: str,
) -> None:
    """Again: a moment passes before the next statement, since nobody gave it a core."""
    words = [sys.executable, "-c", WHILE_IT_IS_DROPPED, comes]
    done = subprocess.run(words, check=False, capture_output=True, text=True, timeout=50)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_what_else_is_dropped_is_reported() -> None:
    words = "from dramaturg.processes import interrupts; interrupts.install()\n"
    words += "class Faulty:\n    def __del__(self): 1 / 0\nFaulty()"
    done = subprocess.run(
        [sys.executable, "-c", words], check=True, capture_output=True, text=True, timeout=50
    )
    assert "ZeroDivisionError" in done.stderr
