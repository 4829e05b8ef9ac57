"""A job is given up when its input ends, and only then."""

import json
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager

from dramaturg import paths

PROGRAM = """
import os, sys, time, types
from dramaturg.cluster import child_job

def waits(given, tell):
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # As pytest does while it captures.
    try:
        tell("under way")  # The interrupt may come as soon as this is told.
        time.sleep(given["seconds"])
    except KeyboardInterrupt:
        return "interrupted"
    return "done"

made = types.ModuleType("dramaturg.made_for_this_test")
made.waits = waits
sys.modules[made.__name__] = made
child_job.main()
"""


@contextmanager
def under_way(seconds: float) -> "Iterator[subprocess.Popen[bytes]]":
    """A job that lasts for so many seconds."""
    words = paths.python("-c", PROGRAM)
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        given = {"seconds": seconds}
        asked = {"function": "dramaturg.made_for_this_test:waits", "given": given}
        process.stdin.write(json.dumps(asked).encode() + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline()) == {"told": "under way"}
        yield process


def test_a_job_whose_input_ended_was_given_up_whatever_it_returns() -> None:
    with under_way(60) as process:
        assert process.stdin and process.stdout
        process.stdin.close()
        assert json.loads(process.stdout.readline()) == {"given_up": True}


def test_a_job_that_was_stopped_for_a_while_still_has_its_input() -> None:
    """The kernel begins a read anew then, of whatever has the number of the input by now."""
    with under_way(3) as process:
        assert process.stdout
        time.sleep(0.5)
        process.send_signal(signal.SIGSTOP)
        time.sleep(0.2)
        process.send_signal(signal.SIGCONT)
        assert json.loads(process.stdout.readline()) == {"returned": "done"}
