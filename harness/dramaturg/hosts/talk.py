"""One end of the pipes between the harness and an agent: questions, answers, and signs of life."""

import itertools
import os
import queue
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from dramaturg.hosts import frames
from dramaturg.hosts.frames import Frame

BEAT = 4.0
"""Seconds between two signs of life, either way."""

SILENCE = 20.0
"""Seconds without any after which the other side is lost: stopped, cut off, or gone."""

_LATE = 60.0
"""Seconds for an answer, where nothing else is said."""


class Lost(Exception):
    """The other side is not there any more, or does not answer; the text says which and how."""


class Refused(Exception):
    """It answered that it could not; the text says why. ``kind`` is the name of the error there."""

    def __init__(self, text: str, kind: str = "") -> None:
        super().__init__(text)
        self.kind = kind


Asked = Callable[[dict[str, Any], bytes], None]
"""Takes what the other side asks; called by the thread that reads, so it must not wait."""


class Talk:
    """Any thread may ask. Nobody waits for a pipe that is full but a thread of this."""

    def __init__(
        self, what: str, incoming: int, outgoing: int, asked: Asked, prefix: str = "c"
    ) -> None:
        """``prefix`` begins the numbers of our questions: whoever passes on what others ask tells
        by it to whom an answer belongs."""
        self.what = what
        self.why_lost = ""
        """Why it is lost; empty while it is there."""
        self.heard = time.monotonic()
        """When the other side was last heard of."""
        self.over = threading.Event()
        """Nothing more will come."""
        self.sent_bytes = self.received_bytes = 0
        self._incoming, self._outgoing = incoming, outgoing
        self._asked = asked
        self._prefix = prefix
        self._numbers = itertools.count(1)
        self._waiting: dict[str, queue.SimpleQueue[Frame | None]] = {}
        self._lock = threading.Lock()
        self._out: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()

    def start(self) -> None:
        """Listen, and give signs of life: whoever takes what comes is there by now."""
        for target in (self._read, self._write, self._beat):
            threading.Thread(target=target, daemon=True).start()

    def tell(self, words: dict[str, Any], content: bytes = b"") -> None:
        """Send a frame, in the order in which this is called."""
        self._out.put(frames.packed(words, content))

    def ask(
        self, words: dict[str, Any], content: bytes = b"", seconds: float = _LATE
    ) -> Iterator[Frame]:
        """Ask, and take what is answered: any number of frames, and a last one. Raises Lost and
        Refused. The question is on its way when this returns."""
        number = f"{self._prefix}{next(self._numbers)}"
        answers: queue.SimpleQueue[Frame | None] = queue.SimpleQueue()
        with self._lock:
            if self.why_lost:
                raise Lost(self.why_lost)
            self._waiting[number] = answers
        self.tell({**words, "id": number}, content)
        return self._answers(number, answers, time.monotonic() + seconds)

    def _answers(
        self, number: str, answers: "queue.SimpleQueue[Frame | None]", deadline: float
    ) -> Iterator[Frame]:
        try:
            while True:
                try:
                    frame = answers.get(timeout=max(0.0, deadline - time.monotonic()))
                except queue.Empty:
                    raise Lost(f"{self.what} did not answer in time") from None
                if frame is None:
                    raise Lost(self.why_lost)
                words, content = frame
                if "refused" in words:
                    raise Refused(str(words["refused"]), str(words.get("kind", "")))
                yield words, content
                if not words.get("more"):
                    return
        finally:
            with self._lock:
                self._waiting.pop(number, None)

    def one(
        self, words: dict[str, Any], content: bytes = b"", seconds: float = _LATE
    ) -> dict[str, Any]:
        """As ``ask``, of what is answered with one frame."""
        ((answer, _),) = self.ask(words, content, seconds)
        return answer

    def lose(self, why: str) -> None:
        """Everybody who waits is told, and whoever asks from now on."""
        with self._lock:
            self.why_lost = self.why_lost or why
            waiting = list(self._waiting.values())
        for each in waiting:
            each.put(None)
        self.over.set()

    def flush_and_stop(self) -> None:
        """Nothing more is sent behind what was told so far."""
        self._out.put(None)

    def _read(self) -> None:
        try:
            for words, content in frames.read(self._incoming, self._heard):
                if "re" in words:
                    self._answered(words, content)
                elif "beat" not in words:
                    self._asked(words, content)
            self.lose(f"{self.what} has ended")
        except (OSError, ValueError) as error:
            self.lose(f"{self.what}: {error}")
        except frames.Broken as error:
            self.lose(f"{self.what} says what no agent says: {error}")

    def _answered(self, words: dict[str, Any], content: bytes) -> None:
        number = str(words["re"])
        if not number.startswith(self._prefix):
            self._asked(words, content)  # It is somebody else's.
            return
        with self._lock:
            answers = self._waiting.get(number)
        if answers is not None:
            answers.put((words, content))

    def _heard(self, many: int) -> None:
        self.heard = time.monotonic()
        self.received_bytes += many

    def _write(self) -> None:
        rest = memoryview(frames.MARK)
        try:
            while True:
                while rest:
                    written = os.write(self._outgoing, rest)
                    self.sent_bytes += written
                    rest = rest[written:]
                frame = self._out.get()
                if frame is None:
                    return
                rest = memoryview(frame)
        except OSError:
            return  # Whoever reads finds out why.

    def _beat(self) -> None:
        while not self.over.wait(BEAT):
            self.tell({"beat": 1})
