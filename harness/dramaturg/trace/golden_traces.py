"""Golden traces: what a serial case must have logged, as text that people can read and diff.

A file lists actors in order of their names, and below each its log in canonical
order (TRACE-8), one event a line: the sender and the message.
"""

from collections.abc import Iterator
from pathlib import Path

from dramaturg import paths
from dramaturg.model import messages, names
from dramaturg.trace.events import AnyLogs, canonical


def file_of(case: str, folder: Path = paths.GOLDEN) -> Path:
    """Return the file of the golden trace of a case."""
    return folder / f"{case}.trace"


def lines(logs: AnyLogs) -> Iterator[str]:
    """The logs as a golden trace's lines."""
    for actor, log in canonical(logs).items():
        yield names.spell(actor)
        for sender, (kind, args) in log:
            yield f"  {names.spell(sender)}  {messages.spell(kind, args)}"


def text(logs: AnyLogs) -> str:
    """The whole file."""
    return "".join(line + "\n" for line in lines(logs))


def difference(logs: AnyLogs, golden: str) -> str:
    """The first line in which the logs differ from a golden trace; empty if in none."""
    actor = ""
    actual = list(lines(logs))
    expected = golden.splitlines()
    for number in range(max(len(actual), len(expected))):
        mine = actual[number] if number < len(actual) else "the end"
        theirs = expected[number] if number < len(expected) else "the end"
        if theirs != mine:
            where = f"{actor}, " if actor else ""
            return f"{where}line {number + 1}: expected {theirs.strip()}, got {mine.strip()}"
        if not mine.startswith(" "):
            actor = mine
    return ""
