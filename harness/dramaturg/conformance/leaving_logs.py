"""Logs that are fetched while the run is under way, so that neither side has to hold all of a
large one (CTRL-18)."""

import threading
import time
from collections.abc import Iterator
from itertools import chain, repeat
from types import TracebackType

from dramaturg.control.session import Session
from dramaturg.errors import ControlError, Late

LONG_RUN = 5.0
"""Seconds of a run before its log is fetched for the first time: most runs have ended then."""

BETWEEN = 0.2
"""Seconds between two fetches. Implementations log a few million events in a second at most."""

BETWEEN_SMALL = 0.005
"""The same for a case with a limit of its own, whose log is full after a moment."""

MOST_HELD = 1 << 20
"""The log limit of cases that have none of their own: so many events fit into any memory, and the
harness fetches so many in seconds."""

FILLS, FILL_TIME = 3, 0.3
"""Fetches that wait until the log of a case with a limit of its own is full, and the seconds that
they give it for that."""

OWN_WORDS = 0.5
"""Seconds in which Run may say by itself why a Trace failed."""

SILENCE = 2.0
"""Seconds without an event after which a run that is overdue is said to have stood."""

POLL = 0.002
"""Seconds between two looks at whether Run has been called."""


class LeavingLogs:
    """Fetches the log of a run while it is under way, by a thread of its own. A context manager
    around the run."""

    def __init__(self, session: Session, limit: int, fill: bool, patience: float) -> None:
        """``limit`` is the log limit of the run, 0 for none. ``fill``: let the log get full first.
        A fetch may take ``patience`` seconds."""
        self._session = session
        self._limit = limit
        self._fill = fill
        self._patience = patience
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._fetch, daemon=True)
        self._before = session.log.events
        self._counted: int | None = None
        """Events that had come when counts came for the first time with a log that was filling."""
        self._latest = 0.0
        self._silence = 0.0
        self._ended = False
        self.most = 0
        """The most events that one fetch brought."""
        self.error: Exception | None = None
        """The error with which a fetch failed."""

    def __enter__(self) -> "LeavingLogs":
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        self._thread.join()
        if self.error is not None and (
            error is None or (self._ended and isinstance(error, ControlError))
        ):
            raise self.error from None
        if isinstance(error, Late) and self._stood:
            said = (
                f"{error}; its log had been full, all of it was delivered, and nothing was logged"
                " for long: its actors may still have waited for room (CTRL-18)"
            )
            raise type(error)(said).because(error.breaks, error.said) from None

    def broken(self, left: int) -> str:
        """Say how the limit was broken; empty if it was not. ``left`` events were still to be
        delivered when the run had ended."""
        if not self._limit:
            return ""
        if self.most > self._limit:
            return (
                f"Trace delivered {self.most:,} events at once while Run was under way with a"
                f" log_limit of {self._limit:,} (CTRL-18)"
            )
        if left > self._limit:
            return (
                f"{left:,} events were logged and not delivered at the end of Run, which had a"
                f" log_limit of {self._limit:,} (CTRL-18)"
            )
        if self._counted is not None and self._events > self._counted + 2 * self._limit:
            # So many could not be logged yet: Run was under way.
            return (
                "Trace delivered counts while Run was under way with a log_limit of"
                f" {self._limit:,} (CTRL-18)"
            )
        return ""

    @property
    def was_full(self) -> bool:
        """True if some fetch found more than half as many events as the limit is."""
        return self._is_much(self.most)

    def _is_much(self, events: int) -> bool:
        return 2 * events > self._limit

    @property
    def _stood(self) -> bool:
        """True if nothing was logged for long, when the log had been full. A run that is overdue is
        called off, and with it the limit, so events may have come in the end."""
        self._note_silence()
        return bool(self._limit) and self.was_full and self._silence > SILENCE

    def _note_silence(self) -> None:
        if self._latest:
            self._silence = max(self._silence, time.monotonic() - self._latest)

    @property
    def _events(self) -> int:
        """Events of the run, as far as they were fetched."""
        return self._session.log.events - self._before

    def _waits(self) -> Iterator[float]:
        """Seconds before each fetch."""
        if self._fill:
            return chain(repeat(FILL_TIME, FILLS), repeat(BETWEEN_SMALL))
        return chain([LONG_RUN], repeat(BETWEEN))

    def _fetch(self) -> None:
        while not self._session.run_since:
            if self._over.wait(POLL):
                return
        for wait in self._waits():
            if self._over.wait(wait):
                return
            before = self._events
            try:
                self._session.trace(self._patience)
            except Exception as error:
                self.error = error
                if not self._over.wait(OWN_WORDS):
                    self._end()
                return
            came = self._events - before
            self.most = max(self.most, came)
            if came:
                self._note_silence()
                self._latest = time.monotonic()
            if self._counted is None and self._session.log.taken and self._is_much(came):
                self._counted = self._events

    def _end(self) -> None:
        """End a run whose logs nobody fetches any more: its actors may wait for ever."""
        self._ended = True
        if self._session.process is not None:
            self._session.process.kill()
        else:
            self._session.close()
