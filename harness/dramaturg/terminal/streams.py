"""Standard streams that are closed, or that cannot take a character: nothing breaks."""

import io
import os
import sys

_NAMES = ("stdin", "stdout", "stderr")


def open_closed() -> None:
    """Put /dev/null where a standard stream is closed, so that no file of ours gets its number, in
    this process or in one that it starts. Call it before anything is opened."""
    for number, name in enumerate(_NAMES):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            os.set_inheritable(number, True)
        if getattr(sys, name) is None:
            stream = open(number, "r" if number == 0 else "w", encoding="utf-8", closefd=False)  # noqa: SIM115
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)


def spell_out() -> None:
    """Write a character that a terminal's encoding (Latin-1, ASCII) lacks as an escape; it ends
    nothing."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def drained() -> OSError | None:
    """The error that kept standard output from taking all output. Python would try it once more at
    its end, say so in its own words, and exit with 120."""
    problem = None
    for number, name in enumerate(_NAMES):
        stream = getattr(sys, name)
        if number == 0 or stream.closed:
            continue
        try:
            stream.flush()
        except OSError as error:
            with open(os.devnull, "wb") as nowhere:
                os.dup2(nowhere.fileno(), number)
            if name == "stdout" and not isinstance(error, BrokenPipeError):
                problem = error
    return problem
