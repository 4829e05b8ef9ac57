"""Wrong implementations over standard input and output: the reference, one thing changed.

Unlike those in ``../pipes`` they serve every call, and most lines of theirs are right.
"""

import os
from typing import Any

from dramaturg.model import chatapp
from dramaturg.v2 import trace_pb2 as kind

import over_pipes


def keeps_running_after_its_input() -> None:
    """The end of the input is nothing to it: somebody may come back."""
    over_pipes.ended = lambda: None


def finishes_its_run_first() -> None:
    """At the end of its input it exits, but not with a run under way."""
    right = over_pipes.ended

    def ended() -> None:
        if not over_pipes.under_way:
            right()

    over_pipes.ended = ended


def ends_with_status_1() -> None:
    """The end of the input is an error: there was to be another request."""
    over_pipes.ended = lambda: os._exit(1)


def writes_where_it_reads() -> None:
    """The thread that reads the input also writes the answers, and waits until they are read."""
    over_pipes.write = over_pipes.put


def reads_one_request_at_a_time() -> None:
    """The next line is read when the last one is answered: no log can be had of a run."""
    over_pipes.begin = over_pipes.answer


def greets() -> None:
    """Its first line is the runtime's banner."""
    print("Welcome to the reference.", flush=True)


def answers_twice() -> None:
    """Every reply is sent again, in case the first one got lost."""
    _told(lambda right, answer: [answer, answer] if "reply" in answer else [answer])


def streams_without_end() -> None:
    """A stream's last item is its end."""
    _told(lambda right, answer: [answer] if "end" not in answer else [])


def streams_in_one_reply() -> None:
    """A stream is a reply with a list of items."""
    items: list[Any] = []

    def change(right: Any, answer: dict[str, Any]) -> list[dict[str, Any]]:
        if "item" in answer:
            items.append(answer["item"])
            return []
        if "end" in answer:
            whole = {"id": answer["id"], "reply": {"items": list(items)}}
            items.clear()
            return [whole]
        return [answer]

    _told(change)


def answers_as_in_version_1() -> None:
    """It describes itself as it did once, with its name, its benchmarks and version 1."""

    def change(right: Any, answer: dict[str, Any]) -> list[dict[str, Any]]:
        if "runtime" in answer.get("reply", {}):
            said = {"name": "reference", "benchmarks": ["chatapp"], "spec_version": "1"}
            answer["reply"] |= said
        return [answer]

    _told(change)


def run_brings_its_receipt() -> None:
    """The last item of Run is a receipt, as in version 1."""
    running = set[int]()
    right = over_pipes.begin

    def begin(control: Any, request: dict[str, Any]) -> Any:
        if request["call"] == "run":
            running.add(request["id"])
        return right(control, request)

    def change(right: Any, answer: dict[str, Any]) -> list[dict[str, Any]]:
        if "end" in answer and answer["id"] in running:
            return [{"id": answer["id"], "item": {"receipt": {"run_nanos": 1}}}, answer]
        return [answer]

    over_pipes.begin = begin
    _told(change)


def _told(change: Any) -> None:
    """Instead of each answer, those are told that ``change(tell, answer)`` gives."""
    right = over_pipes.tell

    def tell(answer: dict[str, Any]) -> None:
        for each in change(right, answer):
            right(each)

    over_pipes.tell = tell


def answers_in_camel_case() -> None:
    """Fields have the names that protobuf's own JSON gives them."""
    right = over_pipes.json_format.MessageToDict

    def named(message: Any, **options: Any) -> Any:
        return right(message)

    over_pipes.json_format.MessageToDict = named


def answers_say_how_it_went() -> None:
    """Every answer has a status as well."""
    _told(lambda right, answer: [answer | {"status": "ok"}])


def integers_are_doubles() -> None:
    """All numbers are double-precision, as in some JSON libraries: names lose their last digits."""
    right = over_pipes.dictionary

    def rounded(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: rounded(item) for key, item in value.items()}
        if isinstance(value, list):
            return [rounded(item) for item in value]
        return int(float(value)) if type(value) is int else value

    over_pipes.dictionary = lambda message: rounded(right(message))


def loses_its_place() -> None:
    """Errors bear the number of the first request: the variable was captured too early. And
    there is one, since a client fails."""
    right = over_pipes.fail
    over_pipes.fail = lambda number, reason: right(1, reason)
    wrong = {kind.MESSAGE_KIND_CLIENT_FORWARD: lambda *message: 1 // 0}
    chatapp.Client.handlers = chatapp.Client.handlers | wrong


def reads_camel_case() -> None:
    """It looks for `fibN` and takes 0 for everything that it does not find."""
    right = over_pipes.answer

    def known(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: known(item) for key, item in value.items() if "_" not in key}
        return value

    async def answer(control: Any, request: dict[str, Any]) -> None:
        await right(control, request | {"request": known(request["request"])})

    over_pipes.answer = answer


def reads_signed_integers() -> None:
    """Numbers of a request are signed, of 32 bits: the largest of a watch is -1, taken for 0."""
    right = over_pipes.answer

    def signed(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: signed(item) for key, item in value.items()}
        if isinstance(value, list):
            return [signed(item) for item in value]
        return 0 if type(value) is int and value >> 31 else value

    async def answer(control: Any, request: dict[str, Any]) -> None:
        await right(control, request | {"request": signed(request["request"])})

    over_pipes.answer = answer


def counts_with_a_fraction() -> None:
    """The numbers of its receipt are written as doubles: `0.0`."""

    def change(right: Any, answer: dict[str, Any]) -> list[dict[str, Any]]:
        receipt = answer.get("reply", {}).get("receipt", {})
        for name, value in receipt.items():
            if type(value) is int:
                receipt[name] = float(value)
        return [answer]

    _told(change)


def says_what_it_does() -> None:
    """It prints a line of its own when it is torn down."""

    def change(right: Any, answer: dict[str, Any]) -> list[dict[str, Any]]:
        if "receipt" in answer.get("reply", {}):
            print("torn down, see CHAT-9", flush=True)
        return [answer]

    _told(change)
