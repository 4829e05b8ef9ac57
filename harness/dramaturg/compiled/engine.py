"""The engine that plays the actors of a translated model, compiled with them.

Numbers are 64 bits wide and wrap: their bits are the plain model's, and one from 2^63 on is
negative (``loading.MOST`` says why that does no harm). Messages are kept as bytes: the receiver,
the kind with the number of arguments above it, and these, 8 bytes each.

All that is young in mypyc's library is used here, and nowhere else.
"""

from collections.abc import Callable

from librt.strings import BytesWriter, read_i64_le, write_i64_le
from mypy_extensions import i64


def word(args: bytes, at: i64) -> i64:
    """The argument at this byte."""
    return read_i64_le(args, at)


def shifted(value: i64, by: i64) -> i64:
    """Return it shifted to the left."""
    return value << by


class Words:
    """Numbers, one behind the other."""

    def __init__(self) -> None:
        self._out = BytesWriter()

    def add(self, number: i64) -> None:
        write_i64_le(self._out, number)

    def value(self) -> bytes:
        return self._out.getvalue()


class Stage:
    """The stage on which one actor after the other takes its log."""

    def __init__(
        self,
        report: Callable[[int, list[int]], None],
        enter: Callable[["Actor"], None],
        leave: Callable[[], None],
    ) -> None:
        self.out = BytesWriter()
        self.ends = BytesWriter()
        """The number of bytes that had been sent after each event."""
        self.report = report
        self.enter = enter
        self.leave = leave
        self.word: i64 = 0
        """The byte of the arguments that comes next."""

    def events(self) -> int:
        """Since the last :meth:`drained`."""
        return len(self.ends) // 8

    def sent(self) -> int:
        """Bytes, since the last :meth:`drained`."""
        return len(self.out)

    def drained(self) -> tuple[bytes, bytes]:
        """Returns the bytes that were sent, and the ends; forgets both."""
        found = self.out.getvalue(), self.ends.getvalue()
        self.out, self.ends = BytesWriter(), BytesWriter()
        return found

    def fetched(self) -> bytes:
        """Returns the bytes that were sent, and forgets them."""
        found = self.out.getvalue()
        self.out.truncate(0)
        return found

    def mark(self) -> None:
        """An event ends here."""
        write_i64_le(self.ends, len(self.out))

    def take(
        self, actor: "Actor", senders: bytes, kinds: bytes, arities: bytes, args: bytes,
        first: i64, end: i64, most: i64,
    ) -> i64:  # fmt: skip
        """Have the actor take its events from ``first`` to ``end``. Stops when it has sent more
        than ``most`` bytes; returns the event that it takes next. ``arities`` is by kind."""
        if first == 0:
            self.word = 0
        actor.stage = self
        ends = self.ends
        event = first
        while event < end:
            kind = read_i64_le(kinds, 8 * event)
            actor.take_(kind, read_i64_le(senders, 8 * event), args, self.word)
            self.word += 8 * read_i64_le(arities, 8 * kind)
            sent: i64 = len(self.out)
            write_i64_le(ends, sent)
            event += 1
            if sent > most:
                break
        return event


class Actor:
    """Base of all translated behaviours. Arguments of a send are counted in its name."""

    def __init__(self, name: i64) -> None:
        self.name: i64 = name
        self.stage: Stage | None = None

    def take_(self, kind: i64, sender: i64, args: bytes, at: i64) -> None:
        """Take a message whose arguments begin at this byte."""
        raise KeyError(kind)

    def spawn(self, actor: "Actor") -> None:
        assert self.stage is not None
        self.stage.enter(actor)

    def terminate(self) -> None:
        assert self.stage is not None
        self.stage.leave()

    def send_all(self, receiver: i64, kind: i64, args: list[i64]) -> None:
        stage = self.stage
        assert stage is not None
        if receiver >> 56 == 1:
            stage.report(kind, list(args))
            return
        out = stage.out
        many: i64 = len(args)
        write_i64_le(out, receiver)
        write_i64_le(out, kind | many << 32)
        for each in args:
            write_i64_le(out, each)

    def send0(self, receiver: i64, kind: i64) -> None:
        stage = self.stage
        assert stage is not None
        if receiver >> 56 == 1:
            self.send_all(receiver, kind, [])
            return
        out = stage.out
        write_i64_le(out, receiver)
        write_i64_le(out, kind | 0 << 32)

    def send1(self, receiver: i64, kind: i64, a: i64) -> None:
        stage = self.stage
        assert stage is not None
        if receiver >> 56 == 1:
            self.send_all(receiver, kind, [a])
            return
        out = stage.out
        write_i64_le(out, receiver)
        write_i64_le(out, kind | 1 << 32)
        write_i64_le(out, a)

    def send2(self, receiver: i64, kind: i64, a: i64, b: i64) -> None:
        stage = self.stage
        assert stage is not None
        if receiver >> 56 == 1:
            self.send_all(receiver, kind, [a, b])
            return
        out = stage.out
        write_i64_le(out, receiver)
        write_i64_le(out, kind | 2 << 32)
        write_i64_le(out, a)
        write_i64_le(out, b)

    def send3(self, receiver: i64, kind: i64, a: i64, b: i64, c: i64) -> None:
        stage = self.stage
        assert stage is not None
        if receiver >> 56 == 1:
            self.send_all(receiver, kind, [a, b, c])
            return
        out = stage.out
        write_i64_le(out, receiver)
        write_i64_le(out, kind | 3 << 32)
        write_i64_le(out, a)
        write_i64_le(out, b)
        write_i64_le(out, c)

    def send4(self, receiver: i64, kind: i64, a: i64, b: i64, c: i64, d: i64) -> None:
        stage = self.stage
        assert stage is not None
        if receiver >> 56 == 1:
            self.send_all(receiver, kind, [a, b, c, d])
            return
        out = stage.out
        write_i64_le(out, receiver)
        write_i64_le(out, kind | 4 << 32)
        write_i64_le(out, a)
        write_i64_le(out, b)
        write_i64_le(out, c)
        write_i64_le(out, d)

    def send5(self, receiver: i64, kind: i64, a: i64, b: i64, c: i64, d: i64, e: i64) -> None:
        stage = self.stage
        assert stage is not None
        if receiver >> 56 == 1:
            self.send_all(receiver, kind, [a, b, c, d, e])
            return
        out = stage.out
        write_i64_le(out, receiver)
        write_i64_le(out, kind | 5 << 32)
        write_i64_le(out, a)
        write_i64_le(out, b)
        write_i64_le(out, c)
        write_i64_le(out, d)
        write_i64_le(out, e)

    def send6(
        self, receiver: i64, kind: i64, a: i64, b: i64, c: i64, d: i64, e: i64, f: i64
    ) -> None:
        stage = self.stage
        assert stage is not None
        if receiver >> 56 == 1:
            self.send_all(receiver, kind, [a, b, c, d, e, f])
            return
        out = stage.out
        write_i64_le(out, receiver)
        write_i64_le(out, kind | 6 << 32)
        write_i64_le(out, a)
        write_i64_le(out, b)
        write_i64_le(out, c)
        write_i64_le(out, d)
        write_i64_le(out, e)
        write_i64_le(out, f)

    def send7(
        self, receiver: i64, kind: i64, a: i64, b: i64, c: i64, d: i64, e: i64, f: i64, g: i64
    ) -> None:
        stage = self.stage
        assert stage is not None
        if receiver >> 56 == 1:
            self.send_all(receiver, kind, [a, b, c, d, e, f, g])
            return
        out = stage.out
        write_i64_le(out, receiver)
        write_i64_le(out, kind | 7 << 32)
        write_i64_le(out, a)
        write_i64_le(out, b)
        write_i64_le(out, c)
        write_i64_le(out, d)
        write_i64_le(out, e)
        write_i64_le(out, f)
        write_i64_le(out, g)

    def send8(
        self,
        receiver: i64,
        kind: i64,
        a: i64,
        b: i64,
        c: i64,
        d: i64,
        e: i64,
        f: i64,
        g: i64,
        h: i64,
    ) -> None:
        stage = self.stage
        assert stage is not None
        if receiver >> 56 == 1:
            self.send_all(receiver, kind, [a, b, c, d, e, f, g, h])
            return
        out = stage.out
        write_i64_le(out, receiver)
        write_i64_le(out, kind | 8 << 32)
        write_i64_le(out, a)
        write_i64_le(out, b)
        write_i64_le(out, c)
        write_i64_le(out, d)
        write_i64_le(out, e)
        write_i64_le(out, f)
        write_i64_le(out, g)
        write_i64_le(out, h)
