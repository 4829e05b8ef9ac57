"""The head and the end of a process's standard error, as a verdict shows them."""

import os
from pathlib import Path

from dramaturg import files
from dramaturg.processes.capped import Capped

HEAD, TAIL, TAIL_LINE = 4, 10, 300
"""Lines that are shown, the first and the last ones, and characters of each."""

_PIECE = 16_384
"""Bytes of either end that are looked at for them."""


def of(file: Path, begin: int, written: Capped | None) -> str:
    """The first and the last lines behind ``begin`` bytes of ``file``: the first error stands at
    its head, and the last one at its end. ``written`` fills it, if it is filled here."""
    if written is not None:
        written.settle()
    try:
        # Who runs as the user may have put anything in its place.
        with files.come_upon(file) as stream:
            size = stream.seek(0, os.SEEK_END)
            stream.seek(begin)
            first = stream.read(_PIECE).decode("utf-8", "replace")
            stream.seek(max(begin, size - _PIECE))
            last = stream.read(_PIECE).decode("utf-8", "replace")
    except OSError:
        return ""
    if written is not None and written.exceeded.is_set():
        last = written.last.decode("utf-8", "replace")
    if size - begin <= _PIECE:
        lines = first.strip().splitlines()
        left_out = f"... {len(lines) - HEAD - TAIL} lines"
    else:
        lines = [*first.strip().splitlines()[:HEAD], *last.strip().splitlines()[-TAIL:]]
        lines.insert(HEAD, "")
        left_out = f"... {size - begin} bytes in all"
    if len(lines) > HEAD + TAIL:
        lines = [*lines[:HEAD], f"{left_out} ...", *lines[-TAIL:]]
    return "\n".join(line if len(line) <= TAIL_LINE else f"{line[:TAIL_LINE]}..." for line in lines)
