"""The logged messages that went from one node to another, and those that stayed on theirs
(MEAS-62)."""

from collections import Counter
from typing import Any

from dramaturg.model import names, placement
from dramaturg.trace.events import AnyLogs


def counted(logs: AnyLogs, nodes: int, parameters: Any) -> tuple[int, int]:
    """Count the messages that were sent from another node, and those from the receiver's own.
    Messages of control to the lead are in neither."""
    between = within = 0
    homes: dict[int, int] = {}
    for receiver, log in logs.items():
        there = placement.node_of(receiver, nodes, parameters)
        for sender, many in Counter(sender for sender, _ in log).items():
            if names.class_of(sender) == names.CONTROL:
                continue
            home = homes.get(sender)
            if home is None:
                home = homes[sender] = placement.node_of(sender, nodes, parameters)
            if home == there:
                within += many
            else:
                between += many
    return between, within
