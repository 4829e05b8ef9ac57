"""Wrong implementations over standard input and output: the reference, one thing changed.

Unlike those in ``../pipes`` they serve every call, and most lines of theirs are right.
"""

from typing import Any

import over_pipes


def keeps_running_after_its_input() -> None:
    """The end of the input is nothing to it: somebody may come back."""
    over_pipes.ended = lambda control: None


def finishes_its_run_first() -> None:
    """At the end of its input it exits, but not with a run under way."""
    right = over_pipes.ended

    def ended(control: Any) -> None:
        if control._under_way is None:
            right(control)

    over_pipes.ended = ended


def reads_one_request_at_a_time() -> None:
    """The next line is read when the last one is answered: a run cannot be abandoned."""
    over_pipes.begin = over_pipes.answer


def greets() -> None:
    """Its first line is the runtime's banner."""
    print("Welcome to the reference.", flush=True)


def answers_twice() -> None:
    """Every reply is sent again, in case the first one got lost."""
    right = over_pipes.tell

    def tell(answer: dict[str, Any]) -> None:
        right(answer)
        if "reply" in answer:
            right(answer)

    over_pipes.tell = tell


def streams_without_end() -> None:
    """A stream's last item is its end."""
    right = over_pipes.tell

    def tell(answer: dict[str, Any]) -> None:
        if "end" not in answer:
            right(answer)

    over_pipes.tell = tell


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
    """Errors bear the number of the first request: the variable was captured too early."""
    right = over_pipes.refuse

    async def refuse(number: int, code: str, text: str) -> None:
        await right(1, code, text)

    over_pipes.refuse = refuse


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
