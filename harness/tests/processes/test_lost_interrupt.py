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


def test_what_else_is_dropped_is_reported() -> None:
    words = "from dramaturg.processes import interrupts; interrupts.install()\n"
    words += "class Faulty:\n    def __del__(self): 1 / 0\nFaulty()"
    done = subprocess.run(
        [sys.executable, "-c", words], check=True, capture_output=True, text=True, timeout=50
    )
    assert "ZeroDivisionError" in done.stderr
