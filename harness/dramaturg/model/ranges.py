"""The ranges of all numbers of a request, read from the options of the proto files.

Only the harness evaluates these; an implementation is never sent a number out of its
range (spec/control.md, CTRL-3).
"""

from typing import Any

from google.protobuf.message import Message

from dramaturg.v2 import options_pb2

Range = tuple[int, int]


def of_fields(message: type[Message] | Message) -> dict[str, str]:
    """The option ``range`` of each field that has one."""
    found = {}
    for field in message.DESCRIPTOR.fields:
        options: Any = field.GetOptions()
        text: str = options.Extensions[options_pb2.range]
        if text:
            found[field.name] = text
    return found


def evaluate(text: str, values: Any) -> Range:
    """A range, its ends included. ``values`` has the other fields as attributes; in the
    windowed form what stands behind the bar counts."""
    counted, _, windowed = text.partition("|")
    in_windows = bool(windowed) and getattr(values, "windows", 0) > 0
    chosen = windowed if in_windows else counted
    low, _, high = chosen.strip().partition("..")
    return _end(low, values), _end(high, values)


def problems(message: type[Message] | Message, values: Any) -> list[str]:
    """The numbers out of range: the field, its value and its range. ``values``: the message, or
    anything that has attributes of the names of its fields."""
    found = []
    for field, text in of_fields(message).items():
        value = getattr(values, field)
        low, high = evaluate(text, values)
        if not low <= value <= high:
            found.append(f"{field} is {value}; it must be in {low}..{high}")
    return found


def low(text: str) -> int:
    """The low end of a range in the counted form, which is always a number."""
    return int(text.partition("..")[0])


def _end(text: str, values: Any) -> int:
    return int(text) if text.isdigit() else int(getattr(values, text))
