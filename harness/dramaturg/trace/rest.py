"""A world between Run and Teardown is at rest (spec/measurements.md, MEAS-31).

A log has no clock. But what was fetched when Run had ended had been taken by then, and what
is new after Teardown had not: so work that was put off to after the clock shows, and so does
who was let go before.
"""

from collections.abc import Mapping

from dramaturg.model import messages, names
from dramaturg.model.chatapp import LOGOUT
from dramaturg.trace.events import Logs, Message
from dramaturg.v2 import trace_pb2 as kind

FAREWELLS = (
    kind.MESSAGE_KIND_POKER_DISCONNECT, kind.MESSAGE_KIND_DIRECTORY_DISCONNECT,
    kind.MESSAGE_KIND_CLIENT_LOGOUT, kind.MESSAGE_KIND_DISPATCHER_DISCONNECT,
    kind.MESSAGE_KIND_WORKER_STOP, kind.MESSAGE_KIND_EMPLOYER_DISCONNECT,
    kind.MESSAGE_KIND_ROUTER_DISMISS, kind.MESSAGE_KIND_EMPLOYEE_DISMISS,
    kind.MESSAGE_KIND_SOURCE_DISCONNECT, kind.MESSAGE_KIND_BALANCER_CLOSE,
    kind.MESSAGE_KIND_SERVER_STOP,
)  # fmt: skip
"""What is sent upon `disconnect`. No log says when it was, so it is looked for before."""

_ANSWERS = (kind.MESSAGE_KIND_DIRECTORY_LEFT, kind.MESSAGE_KIND_POKER_FINISHED)
_AT_LOGOUT = (kind.MESSAGE_KIND_CHAT_LEAVE, kind.MESSAGE_KIND_CLIENT_LEFT)
"""Kinds that end a world with this turn, and belong to the run with any other."""

_LATEST = {names.CHAT, *(number >> 4 for number in (*FAREWELLS, *_ANSWERS))}
"""Classes that take anything in Teardown."""


class AtRest:
    """What had been taken when Run had ended."""

    def __init__(self, logs: Logs, taken: Mapping[int, int]) -> None:
        self._lengths = {actor: len(log) for actor, log in logs.items()}
        self._taken = dict(taken)
        self._early = _early(logs)

    def broken(self, logs: Logs, taken: Mapping[int, int]) -> str:
        """What of the run was taken after it, or what of its end before; empty if nothing.
        ``logs`` and ``taken`` are those of after Teardown, whole."""
        return self._early or self._late(logs) or self._counted(taken)

    def _late(self, logs: Logs) -> str:
        for actor, log in sorted(logs.items()):
            for sender, message in log[self._lengths.get(actor, 0) :]:
                if not _ends(message):
                    return (
                        f"{names.spell(actor)} took {messages.spell(*message)} from"
                        f" {names.spell(sender)} after Run had ended (MEAS-31)"
                    )
        return ""

    def _counted(self, taken: Mapping[int, int]) -> str:
        for actor, count in sorted(taken.items()):
            before = self._taken.get(actor)
            if before is None:
                return f"{names.spell(actor)} was made after Run had ended (MEAS-31)"
            if count != before and names.class_of(actor) not in _LATEST:
                return (
                    f"{names.spell(actor)} had taken {before} messages when Run had ended, and"
                    f" took {count} (MEAS-31)"
                )
        return ""


def _ends(message: Message) -> bool:
    number, args = message
    return number in FAREWELLS or number in _ANSWERS or (number in _AT_LOGOUT and args[0] == LOGOUT)


def _early(logs: Logs) -> str:
    for actor, log in sorted(logs.items()):
        for _, (number, _) in log:
            if number in FAREWELLS:
                return (
                    f"{names.spell(actor)} was sent {messages.label(number)} before Teardown was"
                    " called (CTRL-16)"
                )
    return ""
