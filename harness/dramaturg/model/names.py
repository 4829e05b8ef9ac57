"""Actor names: a class and two indices in one 64-bit integer (spec/actors.md, ACT-3)."""

import re
from typing import Any

from dramaturg.v2 import options_pb2, trace_pb2

NOBODY = 0
"""The sender of what is missing, where several who are not watched could have sent it."""
CONTROL, POKER, DIRECTORY, CLIENT, CHAT, ACCUMULATOR = 1, 2, 3, 4, 5, 6
PING, PONG = 10, 11
COORDINATOR, PEER, RECEIVER, SENDER = 12, 13, 14, 15
DISPATCHER, WORKER, BROWSER = 16, 17, 18
TALLY, ADDER, COUNTER, LINK = 19, 20, 21, 22
MASTER, RUNNER, ALARM, SLEEPER = 23, 24, 25, 26
SORTER, EMPLOYER, ROUTER, EMPLOYEE = 27, 28, 29, 30
SOURCE, BALANCER, SERVER = 31, 32, 33

_CLASS_SHIFT, _INDEX_SHIFT = 56, 24
_INDEX_MASK, _SECOND_MASK = (1 << 32) - 1, (1 << 24) - 1

LABELS: dict[int, str] = {}
COUNTING: set[int] = set()
for _value in trace_pb2.ActorClass.DESCRIPTOR.values:
    _options: Any = _value.GetOptions()
    if _options.Extensions[options_pb2.label]:
        LABELS[_value.number] = _options.Extensions[options_pb2.label]
    if _options.Extensions[options_pb2.counting]:
        COUNTING.add(_value.number)
_CLASSES = {label: number for number, label in LABELS.items()}


def name(actor_class: int, index: int = 0, second: int = 0) -> int:
    """The name of the actor of that class with these indices."""
    return actor_class << _CLASS_SHIFT | index << _INDEX_SHIFT | second


def class_of(actor: int) -> int:
    """The actor class in a name."""
    return actor >> _CLASS_SHIFT


def index_of(actor: int) -> int:
    """The first index in a name."""
    return actor >> _INDEX_SHIFT & _INDEX_MASK


def spell(actor: int) -> str:
    """A name as people read it: ``client/17``, ``chat/17.2``, ``poker/0``."""
    if actor == NOBODY:
        return "somebody who is not watched"
    label = LABELS.get(class_of(actor), f"class-{class_of(actor)}")
    if class_of(actor) == CONTROL:
        return label
    second = f".{actor & _SECOND_MASK}" if class_of(actor) == CHAT or actor & _SECOND_MASK else ""
    return f"{label}/{index_of(actor)}{second}"


def parse(text: str) -> int:
    """The inverse of :func:`spell`. Raises ValueError for what is no name."""
    match = re.fullmatch(r"([a-z_]+)(?:/(\d+)(?:\.(\d+))?)?", text)
    if match is None or match[1] not in _CLASSES:
        raise ValueError(f"{text!r} names no actor; names look like client/17 or chat/17.2")
    return name(_CLASSES[match[1]], int(match[2] or 0), int(match[3] or 0))
