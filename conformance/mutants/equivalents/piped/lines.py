"""Equivalents over standard input and output: the same messages in other lines (spec/stdio.md)."""

import asyncio
import json
import random
from typing import Any

from google.protobuf import json_format

import over_pipes


def over_standard_input() -> None:
    """The reference as it is, over pipes instead of a socket (CTRL-1)."""


def integers_are_strings() -> None:
    """64-bit integers are strings of digits, as protobuf's own JSON has them (STDIO-7)."""
    over_pipes.dictionary = lambda message: json_format.MessageToDict(
        message, preserving_proto_field_name=True
    )


def zeros_are_written() -> None:
    """Fields that are 0, false or empty are there all the same: they MAY be left out (STDIO-7)."""
    over_pipes.dictionary = lambda message: over_pipes.numbers(
        json_format.MessageToDict(
            message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
        )
    )


def keys_in_any_order() -> None:
    """Objects have their members in any order, blanks and tabs between all tokens, and letters
    as escapes: the same JSON (STDIO-1)."""
    chance = random.Random(1)

    def shuffled(value: Any) -> Any:
        if isinstance(value, dict):
            keys = chance.sample(list(value), len(value))
            return {key: shuffled(value[key]) for key in keys}
        if isinstance(value, list):
            return [shuffled(item) for item in value]
        return value

    def line(answer: dict[str, Any]) -> str:
        text = json.dumps(shuffled(answer), separators=(" \t,  ", "\t: "))
        return "  " + text.replace('"id"', '"\\u0069d"').replace('"reply"', '"r\\u0065ply"') + " \t"

    over_pipes.line = line


def letters_as_they_are() -> None:
    """Nothing is escaped that need not be: UTF-8 (STDIO-1)."""
    over_pipes.line = lambda answer: json.dumps(answer, ensure_ascii=False, separators=(",", ":"))


def line_by_pieces() -> None:
    """A line reaches the pipe in pieces of 7 bytes, each flushed: a line ends with its line feed
    and not with a write (STDIO-1)."""
    right = over_pipes.write

    def write(text: str) -> None:
        pieces = 7 if len(text) < 10_000 else 4_001
        for start in range(0, len(text), pieces):
            right(text[start : start + pieces])

    over_pipes.write = write


def trace_between_the_items_of_a_run() -> None:
    """Each line of a run is told a tenth of a second late, so that whatever is asked meanwhile
    overtakes it (STDIO-8)."""
    right, begin, running = over_pipes.tell, over_pipes.begin, set[int]()

    def begun(control: Any, request: dict[str, Any]) -> Any:
        if request["call"] == "run":
            running.add(request["id"])
        return begin(control, request)

    def tell(answer: dict[str, Any]) -> None:
        if answer["id"] in running:
            asyncio.get_running_loop().call_later(0.1, right, answer)
        else:
            right(answer)

    over_pipes.begin, over_pipes.tell = begun, tell
