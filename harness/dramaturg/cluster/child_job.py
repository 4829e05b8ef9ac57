"""A process of the harness that performs one job for a worker, and ends with it.

The first line of its input is the job: a function of this package, and what it is given. Its
output has a line for each value that the function tells, and a last one with what it returns. The
end of its input is an interrupt, after which all that was started is ended as after Ctrl-C.
"""

import json
import os
import signal
import sys
import threading
from collections.abc import Callable
from importlib import import_module
from typing import Any

from dramaturg.errors import ControlError
from dramaturg.processes import interrupts
from dramaturg.results import ResultsError

Tell = Callable[[Any], None]
"""Hands on a value of JSON to whoever waits for the job."""

_PATIENCE = 18.0
"""Seconds in which everything has to have ended behind the end of the input."""

_PACKAGE = __package__.partition(".")[0]


def main() -> None:
    """Perform the job of the first line."""
    interrupts.install()
    answers = os.dup(1)
    os.dup2(2, 1)  # Output of pytest or a library is no answer.
    said = _perform(_own_input(), answers)
    _write(answers, said)
    interrupts.over()
    sys.stderr.flush()
    os._exit(0)


def _own_input() -> int:
    """The input, under a number that nobody knows: pytest puts the empty file in its place while it
    captures, and a read that begins then, or anew (after SIGCONT), would find the end of that."""
    own = os.dup(0)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    return own


def _perform(given: int, answers: int) -> dict[str, Any]:
    try:
        with os.fdopen(given, "rb", closefd=False) as stream:
            asked = json.loads(stream.readline())
        threading.Thread(target=_watch_input, args=(given,), daemon=True).start()
        place, _, name = asked["function"].partition(":")
        if place.partition(".")[0] != _PACKAGE:
            return {"failed": f"{place} is no module of the harness"}
        function = getattr(import_module(place), name)
        returned = function(asked["given"], lambda value: _write(answers, {"told": value}))
        # A function that was interrupted may return what it has so far: nobody waits for that.
        return {"given_up": True} if _given_up.is_set() else {"returned": returned}
    except KeyboardInterrupt:
        return {"given_up": True}
    except ResultsError as error:
        return {"refused": str(error)}
    except ControlError as error:
        return {"failed": error.in_full}
    except Exception as error:
        return {"failed": f"{type(error).__name__}: {error}"}


def _write(answers: int, value: dict[str, Any]) -> None:
    rest = memoryview(json.dumps(value).encode() + b"\n")
    with _writing:
        while rest:
            rest = rest[os.write(answers, rest) :]


_writing = threading.Lock()

_given_up = threading.Event()
"""Set when nobody waits for the job any more."""


def _watch_input(given: int) -> None:
    while os.read(given, 4096):
        pass
    _given_up.set()
    os.kill(os.getpid(), signal.SIGTERM)
    threading.Event().wait(_PATIENCE)
    os._exit(1)


if __name__ == "__main__":
    main()
