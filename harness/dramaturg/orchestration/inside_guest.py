"""The harness inside User-Mode Linux: takes a job from its input, tells of it on its console.

Each line is a JSON object after a mark. ``doing``, with ``completed`` and ``total``: how far it is;
``said``: what a person should read; ``ended``: the outcome; ``failed``: why there is none, ``as``
what. It is started by guest_kernel.py, and by nobody else.
"""

import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dramaturg.net.guest import MARK
from dramaturg.orchestration.job import Keeper, Sent, in_words
from dramaturg.outcomes import USAGE_ERROR
from dramaturg.processes import interrupts
from dramaturg.records import UnitRecord
from dramaturg.results import RecordsLost
from dramaturg.terminal import failures, timing_table
from dramaturg.timing.planning.timing_plan import Unit

_EACH = 2.0
"""Seconds between two lines on how far an iteration is: there is one CPU, and it is timed."""


def main() -> None:
    """Carry out the job, and say how it ended."""
    interrupts.install()
    try:
        sent = Sent.model_validate_json(sys.stdin.readline())
        outcome = sent.job().perform(lambda said: _Told(sent.folder, said, sent.watched))
    except Exception as error:
        text, status = failures.told(error)
        kind = "bad input" if status == USAGE_ERROR else "fault"
        _say(failed=text, **{"as": "records lost" if isinstance(error, RecordsLost) else kind})
    else:
        _say(ended=str(outcome))


def _say(**said: Any) -> None:
    sys.stdout.write(f"{MARK}{json.dumps(said)}\n")
    sys.stdout.flush()


class _Told(Keeper):
    """Tells whoever is outside."""

    def __init__(self, folder: Path, described: Mapping[str, Any], watched: bool) -> None:
        super().__init__(folder, described)
        self._watched = watched
        self._next = 0.0

    def started(self, unit: Unit, invocation: int, done: int, total: int) -> None:
        if self._watched:
            _say(doing=str(unit), completed=done, total=total)

    def progress(self, unit: Unit, iteration: int, done: int, total: int) -> None:
        if self._watched and time.monotonic() >= self._next:
            self._next = time.monotonic() + _EACH
            _say(doing=in_words(unit, iteration, done, total))

    def audits(self, unit: Unit, invocation: int) -> None:
        if self._watched:
            _say(doing=f"{unit}, audit")

    def ended(self, record: UnitRecord) -> None:
        if self.is_news(record):
            _say(said=timing_table.line(record))


if __name__ == "__main__":
    main()
