"""Malformed inputs, the same ones every time: valid ones, damaged in ways that parsers fear."""

import random
import re
import signal
from collections import Counter
from collections.abc import Callable, Iterator

_NUMBER = re.compile(rb"(?<![\w.])-?\d+(?:\.\d+)?")
_WORD = re.compile(rb"[A-Za-z_][\w-]*")
_OPEN = (b"[", b"{", b'{"a":', b"- ", b"[[", b"&a [*a, ")

FEARED = [
    b"", b"-1", b"1.5", b"1e400", b"-0.0", b"NaN", b"Infinity", b"-Infinity", b"nan", b"inf",
    b"true", b"null", b"{}", b"[]", b'""', b'"x"', b"[1]", b'{"a":1}', b'"12"', b'"1_0"',
    '"\u0663"'.encode(), b'"\\ud800"', b"\\u0000", b"\x00", b"\xff\xfe", b"\xed\xa0\x80",
    b"18446744073709551615", b"18446744073709551616", b"-9223372036854775809", b"4294967296",
    b"9" * 5000, b'"' + b"9" * 5000 + b'"', b"x" * 70_000, b"\xe2\x80\xa8", b"\r", b"\x0c",
    b"2001-99-99", b"0o7", b"0x1F", b"1979-05-27T07:32:00Z", b"&a", b"*a", b"!!python/object:x",
    b"!!binary x", b"!!int x", b"<<: 1", b"? ", b"%s%n", b"../../x", b"/etc/passwd", b"a=b",
    b"1" + b"0" * 400 + b".0",
]  # fmt: skip


INPUTS = {
    **dict.fromkeys(("Describe", "Prepare", "Act", "Turn", "Run", "Teardown"), 200), "Trace": 1500,
    "runs": 2000, "columns of runs": 1000, "manifest": 1500, "cases": 1000, "suites": 700,
    "certificates": 700, "answers": 500, "reviews": 700,
    "sites": 200, "archives": 100, "packed results": 300,
    "conformance.jsonl": 600, "timings.jsonl": 600, "comparison": 500,
    "template.json": 400,
    "claims": 500, "recorded runs": 500, "environment.json": 300,
    "sessions": 400, "warmup.json": 400,
}  # fmt: skip
"""Number of inputs of each kind."""


def malformed(seeds: list[bytes], name: str) -> Iterator[bytes]:
    """The inputs of this kind, made of ``seeds``."""
    dice = random.Random(name)
    for _ in range(INPUTS[name]):
        data = dice.choice(seeds)
        for _ in range(dice.choice((1, 1, 1, 2, 3))):
            data = dice.choice(_WAYS)(dice, data)
        yield data


def _cut(dice: random.Random, data: bytes) -> bytes:
    return data[: dice.randrange(len(data) + 1)]


def _flip(dice: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 8))):
        if changed:
            changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
    return bytes(changed)


def _noise(dice: random.Random, data: bytes) -> bytes:
    place = dice.randrange(len(data) + 1)
    return data[:place] + dice.randbytes(dice.choice((1, 4, 64))) + data[place:]


def _garbage(dice: random.Random, data: bytes) -> bytes:
    return dice.randbytes(dice.choice((0, 1, 10, 300)))


def _doubled(dice: random.Random, data: bytes) -> bytes:
    start = dice.randrange(len(data) + 1)
    end = min(len(data), start + dice.randrange(200))
    return data[:end] + data[start:]


def _without(dice: random.Random, data: bytes) -> bytes:
    start = dice.randrange(len(data) + 1)
    return data[:start] + data[start + dice.randrange(60) :]


def _other(pattern: "re.Pattern[bytes]") -> object:
    def exchange(dice: random.Random, data: bytes) -> bytes:
        found = list(pattern.finditer(data))
        if not found:
            return _noise(dice, data)
        place = dice.choice(found)
        return data[: place.start()] + dice.choice(FEARED) + data[place.end() :]

    return exchange


def _deep(dice: random.Random, data: bytes) -> bytes:
    found = list(_NUMBER.finditer(data)) or list(_WORD.finditer(data))
    at = dice.choice(found).start() if found else 0
    return data[:at] + dice.choice(_OPEN) * dice.choice((50, 50, 50, 3000)) + data[at:]


def _swapped(dice: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    dice.shuffle(lines)
    return b"\n".join(lines[: dice.randrange(len(lines) + 1)])


_WAYS = [
    _cut, _flip, _flip, _noise, _garbage, _doubled, _without, _swapped, _deep,
    _other(_NUMBER), _other(_NUMBER), _other(_NUMBER), _other(_WORD), _other(_WORD),
]  # fmt: skip

LIMIT, PATIENCE = 5.0, 60.0
"""Seconds for one input: of a core, and of a clock, for whoever does nothing but wait."""

LONGEST = 4000
"""Characters of a message: it is for a person, and travels as a gRPC status."""


class TooSlow(BaseException):
    """Not an Exception: nobody is to take it for an answer."""


def _ring(*_: object) -> None:
    raise TooSlow


def judged(
    inputs: Iterator[bytes],
    read: Callable[[bytes], object],
    refusals: type[Exception] | tuple[type[Exception], ...],
    place: str,
) -> Counter[str]:
    """Count the accepted inputs and the refused ones; fail at any other outcome."""
    count: Counter[str] = Counter()
    before = {number: signal.signal(number, _ring) for number in (signal.SIGALRM, signal.SIGPROF)}
    for data in inputs:
        signal.setitimer(signal.ITIMER_PROF, LIMIT)
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)
        try:
            read(data)
            count["accepted"] += 1
        except refusals as error:
            count["refused"] += 1
            said = str(error)
            assert place in said, (data[:300], said[:300])
            assert len(said) < LONGEST, (data[:300], said[:300], len(said))
            said.encode("utf-8")
        except BaseException as error:
            shown = data if len(data) < 600 else data[:300] + b" ... " + data[-300:]
            raise AssertionError(f"{type(error).__name__} upon {shown!r}") from error
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.setitimer(signal.ITIMER_PROF, 0)
    for number, handler in before.items():
        signal.signal(number, handler)
    print(dict(count))
    return count
