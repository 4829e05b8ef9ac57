"""Receive logs as the replay wants them (spec/actors.md, TRACE-1 to TRACE-3)."""

from typing import TypeAlias

from dramaturg.model import messages, names

Message: TypeAlias = tuple[int, tuple[int, ...]]
"""A message: its kind and its arguments."""

Event: TypeAlias = tuple[int, Message]
"""One line of a receive log: the sender's name and the message."""

Logs: TypeAlias = dict[int, list[Event]]
"""The receive logs of a run, by the receiver's name."""


class TraceError(Exception):
    """A trace that is no trace: it cannot be decoded, or breaks the rules of the log.

    That is the implementation's fault and makes a *fail*, not a harness fault.
    """


def spell_event(receiver: int, event: Event) -> str:
    """An event as people read it: ``chat/1.0 -> client/2  forward(turn=0, ...)``."""
    sender, (kind, args) = event
    return f"{names.spell(sender)} -> {names.spell(receiver)}  {messages.spell(kind, args)}"


def canonical(logs: Logs) -> Logs:
    """The logs with those of counting actors sorted stably by sender (TRACE-8).

    Up to `disconnect`, what is left is the same for every legal schedule of a serially
    driven run; after it, chats hear `leave` in any order (TRACE-9).
    """
    return {
        actor: sorted(log, key=lambda event: event[0])
        if names.class_of(actor) in names.COUNTING
        else log
        for actor, log in sorted(logs.items())
    }
