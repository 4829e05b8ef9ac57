"""Lines of spec/stdio.md: requests as JSON, answers as messages, bytes of a pipe as lines."""

import json
from typing import Any, cast

from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from dramaturg.control.transport import RESPONSES
from dramaturg.v2 import control_pb2

_COLUMNS = {"batch": {"actor", "sender", "kind", "args"}, "counts": {"actor", "taken"}}


class Lines:
    """Bytes that come in pieces, cut into lines. No byte is looked at twice."""

    def __init__(self) -> None:
        self.rest = bytearray()

    def whole(self, data: bytes) -> list[bytes]:
        """The lines that ``data`` ends, each with its line feed."""
        if b"\n" not in data:
            self.rest += data
            return []
        *lines, rest = data.split(b"\n")
        lines[0] = bytes(self.rest) + lines[0]
        self.rest = bytearray(rest)
        return [line + b"\n" for line in lines]


def request_line(number: int, method: str, request: Message) -> bytes:
    """A request's line, with the line feed that ends it."""
    body = json_format.MessageToDict(
        request,
        preserving_proto_field_name=True,
        use_integers_for_enums=True,
        always_print_fields_with_no_presence=True,
    )
    _make_numbers(cast(Descriptor, request.DESCRIPTOR), body)
    line = {"id": number, "call": method.lower(), "request": body}
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"


def parsed(call: str, answer: Any) -> Message:
    """The answer as its message. Columns, the bulk of all bytes, take a short cut. Raises
    ValueError, TypeError or json_format.ParseError, with what is wrong (STDIO-7)."""
    if call == "trace" and isinstance(answer, dict) and len(answer) == 1:
        (member, columns), response = *answer.items(), control_pb2.TraceResponse()
        if member in _COLUMNS:
            unknown = columns.keys() - _COLUMNS[member]
            if unknown:
                raise ValueError(f"no column is called {', '.join(sorted(unknown))}")
            filled = getattr(response, member)
            filled.SetInParent()
            for column, values in columns.items():
                getattr(filled, column).extend(_integers(column, values))
            return response
    if call == "describe" and isinstance(answer, dict) and "spec_version" in answer:
        raise ValueError("it speaks version 1 of the protocol: see spec/versions.md")
    response_type = RESPONSES[call.capitalize()]
    _check_fields(answer, response_type.DESCRIPTOR)
    return json_format.ParseDict(answer, response_type())


def _check_fields(answer: Any, message: Any) -> None:
    """Check that all fields have their names of the proto files, and no integer a fraction: the
    parser takes others as well (STDIO-7)."""
    if not isinstance(answer, dict):
        raise TypeError(f"{message.name} is no object")
    for name, value in answer.items():
        field = message.fields_by_name.get(name)
        if field is None:
            raise ValueError(f"no field of {message.name} is called {name}")
        nested = field.message_type
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, float):
                raise TypeError(f"{name} has {each}, which is no integer")
            if nested is not None and not nested.GetOptions().map_entry:
                _check_fields(each, nested)


def _integers(column: str, values: Any) -> list[int]:
    """A column's numbers: JSON numbers, or strings of digits (STDIO-7)."""
    if not isinstance(values, list):
        raise TypeError(f"column {column} is no list")
    if set(map(type, values)) <= {int}:
        return values
    for value in values:
        if type(value) is not int and not (
            type(value) is str and value.isascii() and value.isdigit()
        ):
            raise ValueError(f"column {column} has {value!r}, which is no integer")
    return [int(value) for value in values]


def _make_numbers(of: Descriptor, body: dict[str, Any]) -> None:
    """In JSON's canonical form of protobuf integers of 64 bits are strings; in requests they are
    numbers, as all others (STDIO-7)."""
    for field in of.fields:
        found = body.get(field.name)
        if field.message_type is not None and not field.message_type.GetOptions().map_entry:
            for each in found if isinstance(found, list) else [found]:
                if each is not None:
                    _make_numbers(field.message_type, each)
        elif field.type == FieldDescriptor.TYPE_UINT64 and found is not None:
            body[field.name] = [*map(int, found)] if isinstance(found, list) else int(found)
