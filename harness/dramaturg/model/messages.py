"""Message kinds, by number and by name: read off proto/dramaturg/v2/trace.proto."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from dramaturg.v2 import options_pb2, trace_pb2


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of message: its name, its arguments, and the requirements on its receiver."""

    number: int
    label: str
    arguments: tuple[str, ...]
    requirements: tuple[str, ...]
    """Identifiers of the requirements that say what the receiver does upon it."""
    windowed: tuple[str, ...]
    """The messages that are added in the windowed form."""
    senders: tuple[int, ...]
    """The classes of the actors that send it."""
    to_itself: bool
    """True if an actor sends it to itself, and nobody else does."""

    @property
    def receiver_class(self) -> int:
        """The class of the actors that receive it."""
        return self.number >> 4


_CLASSES: dict[str, int] = {}
for _value in trace_pb2.ActorClass.DESCRIPTOR.values:
    _options: Any = _value.GetOptions()
    _CLASSES[_options.Extensions[options_pb2.label]] = _value.number

KINDS: dict[int, Kind] = {}
for _value in trace_pb2.MessageKind.DESCRIPTOR.values:
    _options = _value.GetOptions()
    if _value.number:
        _senders = _options.Extensions[options_pb2.senders].split()
        _to_itself = _senders == ["itself"]
        KINDS[_value.number] = Kind(
            _value.number,
            _options.Extensions[options_pb2.label],
            tuple(_options.Extensions[options_pb2.arguments].split()),
            tuple(_options.Extensions[options_pb2.requirement].split()),
            tuple(_options.Extensions[options_pb2.windowed_requirement].split()),
            (_value.number >> 4,) if _to_itself else tuple(_CLASSES[each] for each in _senders),
            _to_itself,
        )

ARITY: dict[int, int] = {number: len(kind.arguments) for number, kind in KINDS.items()}


class Choice(IntEnum):
    """The action that a client is told to take when it acts; DRAW leaves it to its LCG."""

    DRAW = trace_pb2.CHOICE_DRAW
    COMPUTE = trace_pb2.CHOICE_COMPUTE
    POST = trace_pb2.CHOICE_POST
    LEAVE = trace_pb2.CHOICE_LEAVE
    INVITE = trace_pb2.CHOICE_INVITE
    NONE = trace_pb2.CHOICE_NONE
    JOIN = trace_pb2.CHOICE_JOIN


def label(kind: int) -> str:
    """A message's name: ``forward``."""
    known = KINDS.get(kind)
    return known.label if known else f"kind {kind}"


def spell(kind: int, args: tuple[int, ...]) -> str:
    """A message as people read it: ``forward(turn=3, level=1, payload=17)``."""
    known = KINDS.get(kind)
    if known is None:
        return f"kind {kind}{args}"
    if len(args) != len(known.arguments):
        return f"{known.label}{args}"
    pairs = zip(known.arguments, args, strict=True)
    return f"{known.label}({', '.join(f'{name}={value}' for name, value in pairs)})"
