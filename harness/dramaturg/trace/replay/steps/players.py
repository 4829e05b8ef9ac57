"""Two that have an actor take its log: the interpreter, with the model as it is written, and
machine code, with the same compiled (``compiled/``). Both send the same, to the bit."""

from collections.abc import Callable
from itertools import islice
from types import ModuleType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dramaturg.model import names
from dramaturg.model.actor import Actor
from dramaturg.trace.columns.store import ARITIES
from dramaturg.trace.events import Message

_ARITY: list[int] = ARITIES.tolist()
_BITS = (1 << 64) - 1

Report = Callable[[Message], None]


class TooWide(Exception):
    """The model sends a number that no message has room for."""


class Player(Protocol):
    """Has actors take their logs, and keeps what they send."""

    def take(
        self,
        actor: Any,
        senders: NDArray[np.uint64],
        kinds: NDArray[Any],
        args: NDArray[np.uint64],
        most: int,
    ) -> None:
        """Have it take these, with a flush whenever more than ``most`` words were sent. Raises what
        a handler raises; the event upon which it does is not marked."""
        ...

    def mark(self) -> None:
        """An event ends here."""
        ...

    def events(self) -> int:
        """Since it was last drained."""
        ...

    def sent(self) -> int:
        """Words since it was last drained."""
        ...

    def drained(self) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """Return the messages sent, and their number after each event, as ``add_sent`` has it;
        forgets both. Raises TooWide."""
        ...


class Interpreted:
    """The model as it is written."""

    def __init__(
        self,
        report: Report,
        enter: Callable[[Any], None],
        leave: Callable[[], None],
        flush: Callable[[], None],
    ) -> None:
        self._report, self._enter, self._leave, self._flush = report, enter, leave, flush
        self._out: list[int] = []
        self._ends: list[int] = []
        self._send = self._sender()

    def _sender(self) -> Callable[..., None]:
        report, keep, control = self._report, self._out.extend, names.CONTROL

        def send(receiver: int, kind: int, *args: int) -> None:
            if receiver >> 56 == control:
                report((kind, args))
            else:
                keep((receiver, kind | len(args) << 32, *args))

        return send

    def take(
        self,
        actor: Actor,
        senders: NDArray[np.uint64],
        kinds: NDArray[Any],
        args: NDArray[np.uint64],
        most: int,
    ) -> None:
        actor.send, actor.spawn, actor.terminate = self._send, self._enter, self._leave
        handlers, mark, out, arity = actor.handlers, self._ends.append, self._out, _ARITY
        words = iter(args.tolist())
        for sender, kind in zip(senders.tolist(), kinds.tolist(), strict=True):
            taken = islice(words, arity[kind])
            handlers[kind](actor, sender, *taken)
            sent = len(out)
            mark(sent)
            if sent > most:
                self._flush()

    def mark(self) -> None:
        self._ends.append(len(self._out))

    def events(self) -> int:
        return len(self._ends)

    def sent(self) -> int:
        return len(self._out)

    def drained(self) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        try:
            out = np.array(self._out, np.uint64)
        except OverflowError:
            raise TooWide from None
        ends = np.array(self._ends, np.int64)
        self._out.clear()
        self._ends.clear()
        return out, ends


class Compiled:
    """The model as machine code."""

    def __init__(
        self,
        engine: ModuleType,
        report: Report,
        enter: Callable[[Any], None],
        leave: Callable[[], None],
        flush: Callable[[], None],
    ) -> None:
        def unsigned(kind: int, args: list[int]) -> None:
            report((kind, tuple(each & _BITS for each in args)))

        self._flush = flush
        self._stage = engine.Stage(unsigned, enter, leave)
        self._arities = ARITIES.tobytes()

    def take(
        self,
        actor: Any,
        senders: NDArray[np.uint64],
        kinds: NDArray[Any],
        args: NDArray[np.uint64],
        most: int,
    ) -> None:
        columns = senders.tobytes(), kinds.astype(np.int64).tobytes(), self._arities, args.tobytes()
        event, end = 0, len(kinds)
        while event < end:
            event = self._stage.take(actor, *columns, event, end, 8 * most)
            if self.sent() > most:
                self._flush()

    def mark(self) -> None:
        self._stage.mark()

    def events(self) -> int:
        return int(self._stage.events())

    def sent(self) -> int:
        return int(self._stage.sent()) // 8

    def drained(self) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        out, ends = self._stage.drained()
        # A read-only array would be another type to Numba.
        return np.frombuffer(out, np.uint64).copy(), np.frombuffer(ends, np.int64) // 8
