"""Sums over messages: a group of actors took the messages that were sent to it, if the sums agree.

Each message is hashed with its pair and its number in it, by SipHash-1-3 with 128 bits, and the
two halves are added up apart. The key is drawn after the log was laid down, so nobody who wrote
the log knew it. Arguments are hashed as the 64 bits that they are on the wire.
"""

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dramaturg.trace.columns.jit import compiled

FITS, NO_SUCH = 0, 1
"""The outcome of adding up messages: they fit; one is of no known kind, or has other arguments
than its kind."""

_MASK32 = np.uint64(0xFFFFFFFF)
_NUMBER = np.uint64(16)
_ARGUMENTS = np.uint64(32)
_A, _B, _C, _D, _E = (np.uint64(shift) for shift in (13, 16, 21, 17, 32))
_LONG, _AGAIN = np.uint64(0xEE), np.uint64(0xDD)
_WORD = np.uint64(64)
_BEGUN = tuple(
    np.uint64(word)
    for word in (0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573)
)


def drawn() -> NDArray[np.uint64]:
    """A key that nobody knew before."""
    return np.frombuffer(os.urandom(16), np.uint64).copy()


@compiled
def _turned(word: Any, by: Any) -> Any:
    return (word << by) | (word >> (_WORD - by))


@compiled
def _round(a: Any, b: Any, c: Any, d: Any) -> Any:
    a = a + b
    b = _turned(b, _A) ^ a
    a = _turned(a, _E)
    c = c + d
    d = _turned(d, _B) ^ c
    a = a + d
    d = _turned(d, _C) ^ a
    c = c + b
    b = _turned(b, _D) ^ c
    c = _turned(c, _E)
    return a, b, c, d


@compiled
def _taken_in(a: Any, b: Any, c: Any, d: Any, word: Any) -> Any:
    a, b, c, d = _round(a, b, c, d ^ word)
    return a ^ word, b, c, d


@compiled
def hashed(
    key: Any, sender: Any, receiver: Any, number: Any, kind: Any, args: Any, at: Any, count: Any
) -> Any:
    """The two hashes of a message: ``count`` of ``args`` from ``at`` on are its arguments."""
    a, b = key[0] ^ _BEGUN[0], key[1] ^ _BEGUN[1] ^ _LONG
    c, d = key[0] ^ _BEGUN[2], key[1] ^ _BEGUN[3]
    a, b, c, d = _taken_in(a, b, c, d, sender)
    a, b, c, d = _taken_in(a, b, c, d, receiver)
    a, b, c, d = _taken_in(a, b, c, d, np.uint64(number) << _NUMBER | np.uint64(kind))
    for place in range(at, at + count):
        a, b, c, d = _taken_in(a, b, c, d, args[place])
    c = c ^ _LONG
    for _ in range(3):
        a, b, c, d = _round(a, b, c, d)
    one = a ^ b ^ c ^ d
    b = b ^ _AGAIN
    for _ in range(3):
        a, b, c, d = _round(a, b, c, d)
    return one, a ^ b ^ c ^ d


@compiled
def add_taken(
    key: Any, first: Any, end: Any, base: Any, words: Any, names: Any, sender: Any, kind: Any,
    args: Any, arities: Any, counts: Any, sums: Any,
) -> Any:  # fmt: skip
    """Add what actors ``first`` up to ``end`` took to ``sums``. ``counts`` has a zero for each
    actor, and has it again."""
    for actor in range(first, end):
        word = words[actor]
        for row in range(base[actor], base[actor + 1]):
            number = sender[row]
            arity = arities[kind[row]]
            one, two = hashed(
                key, names[number], names[actor], counts[number], kind[row], args, word, arity
            )
            sums[0] += one
            sums[1] += two
            counts[number] += 1
            word += arity
        for row in range(base[actor], base[actor + 1]):
            counts[sender[row]] = 0


@compiled
def add_sent(
    key: Any, out: Any, ends: Any, actors: Any, begins: Any, firsts: Any, names: Any,
    receivers: Any, arities: Any, counts: Any, spanned: Any, cells: Any, sums: Any, to: Any,
    by: Any, at: Any,
) -> Any:  # fmt: skip
    """Add what actors sent to the sums of its receivers' cells.

    ``out`` has the messages, each its receiver, its kind with the number of its arguments above
    it, and these; ``ends`` how much of it had been sent after each event. The events of
    ``actors[n]`` are those from ``begins[n]`` on, and the first of them is its ``firsts[n]``th.
    ``receivers`` are numbers of actors, for each message; ``counts`` is how many messages the
    first of ``actors`` has sent to each before, which are any if it ``spanned`` calls, and
    afterwards how many the last one has. ``to``, ``by`` and ``at`` are filled with receivers,
    senders and their events. Returns how many messages there were, where those of the last actor
    began, whether it spans calls, and FITS, or why they went no further. An actor may be there
    several times on end.
    """
    place: Any = 0
    sent = begun = 0
    for number in range(len(actors)):
        actor, event = actors[number], firsts[number]
        if number > 0 and actor != actors[number - 1]:
            if spanned:
                counts[:] = 0
            for before in range(begun, sent):
                counts[to[before]] = 0
            begun, spanned = sent, False
        stop = begins[number + 1] if number + 1 < len(actors) else len(ends)
        for of in range(begins[number], stop):
            while place < ends[of]:
                receiver, kind = receivers[sent], out[place + 1] & _MASK32
                arity = np.int64(out[place + 1] >> _ARGUMENTS)
                if kind >= len(arities) or arities[kind] != arity:
                    return sent, begun, spanned, NO_SUCH
                one, two = hashed(
                    key, names[actor], out[place], counts[receiver], kind, out, place + 2, arity
                )
                sums[cells[receiver], 0] += one
                sums[cells[receiver], 1] += two
                counts[receiver] += 1
                to[sent], by[sent], at[sent] = receiver, actor, event
                sent += 1
                place += 2 + arity
            event += 1
    return sent, begun, spanned, FITS


@compiled
def receivers_of(out: Any, receivers: Any) -> Any:
    """The receivers' names, of messages as above. Returns how many messages there are."""
    place: Any = 0
    sent = 0
    while place < len(out):
        receivers[sent] = out[place]
        place += 2 + np.int64(out[place + 1] >> _ARGUMENTS)
        sent += 1
    return sent
