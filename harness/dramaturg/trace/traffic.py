"""The logged messages that went from one node to another, and those that stayed on theirs
(MEAS-62)."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from dramaturg.model import names, placement
from dramaturg.trace.columns.array_logs import ArrayLogs
from dramaturg.trace.events import AnyLogs


def counted(logs: AnyLogs, nodes: int, parameters: Any) -> tuple[int, int]:
    """Count the messages that were sent from another node, and those from the receiver's own.
    Messages of control to the lead are in neither."""
    between = within = 0
    homes: dict[int, int] = {}

    def home(actor: int) -> int:
        found = homes.get(actor)
        if found is None:
            found = homes[actor] = placement.node_of(actor, nodes, parameters)
        return found

    for receiver, sender, many in _pairs(logs):
        if names.class_of(sender) == names.CONTROL:
            continue
        if home(sender) == home(receiver):
            within += many
        else:
            between += many
    return between, within


def _pairs(logs: AnyLogs) -> Iterator[tuple[int, int, int]]:
    """Receivers, senders, and how many messages each took of each."""
    if isinstance(logs, ArrayLogs):
        yield from logs.pairs()
        return
    for receiver, log in logs.items():
        for sender, many in Counter(sender for sender, _ in log).items():
            yield receiver, sender, many
