"""Receipts against what they must say. A micro-benchmark's against its parameters, which tell
everything: one receipt for each node, in the order of the nodes; one alone of a local run.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from dramaturg.model import places, windows
from dramaturg.model.play import PIECES

REQUIREMENTS = {
    "pingpong": "PING-3", "big": "BIG-3", "bang": "BANG-3", "web": "WEB-4", "count": "COUNT-4",
    "chain": "CHAIN-3", "fanout": "FANOUT-3", "sleepers": "SLEEP-3", "mergesort": "SORT-4",
    "broker": "BROKER-4",
}  # fmt: skip
"""Where each chapter says what its receipt must be."""

CHATAPP = {
    "computes": "CHAT-50", "posts": "CHAT-50", "leaves": "CHAT-50", "invites": "CHAT-50",
    "nones": "CHAT-50", "joins": "CHAT-51", "lcg_checksum": "CHAT-52", "fib_sum": "CHAT-53",
    "deliveries": "CHAT-54", "confirms": "CHAT-55",
}  # fmt: skip
"""Which requirement says what each field of ChatApp's receipt must be."""

_TOTALS = {
    "pingpong": ("pings", "pongs"),
    "big": ("pings", "pongs"),
    "bang": ("answers", "bangs"),
}
"""Of the windowed forms: two counts that are equal over all nodes; the second is the one that
falls into windows."""


def problems(benchmark: str, parameters: Any, claimed: Sequence[Any]) -> list[str]:
    """What these receipts say otherwise than they must. ``claimed``: the benchmark's own
    messages."""
    nodes = len(claimed)
    if nodes == 1:
        shares, requirement = (
            [PIECES[benchmark].model.receipt(parameters)],
            REQUIREMENTS[benchmark],
        )
    else:
        shares, requirement = places.shares(benchmark, parameters, nodes), "DIST-4"
    found = []
    for node, (receipt, share) in enumerate(zip(claimed, shares, strict=True)):
        where = f"node {node}: " if nodes > 1 else ""
        found += [
            f"{where}{field} is {getattr(receipt, field)}, expected {value} ({requirement})"
            for field, value in share.items()
            if getattr(receipt, field) != value
        ]
    if benchmark in _TOTALS:
        found += _windows(benchmark, parameters, claimed)
    return found


def chatapp_differences(claimed: object, expected: Mapping[str, int]) -> list[str]:
    """Where ChatApp's receipt says otherwise than these facts, and who says so."""
    return [
        f"{field} is {getattr(claimed, field)}, expected {value} ({CHATAPP[field]})"
        for field, value in expected.items()
        if getattr(claimed, field) != value
    ]


def _windows(benchmark: str, parameters: Any, claimed: Sequence[Any]) -> list[str]:
    other, counted = (
        sum(getattr(receipt, field) for receipt in claimed) for field in _TOTALS[benchmark]
    )
    found = []
    if parameters.windows and other != counted:
        first, second = _TOTALS[benchmark]
        found.append(f"{first} are {other} and {second} {counted}, which must be equal (WIN-4)")
    lead = claimed[0]
    rest = PIECES[benchmark].model.rest(parameters)
    found += windows.problems(parameters, lead.windows, lead.window_nanos, counted, rest)
    for node, receipt in enumerate(claimed[1:], start=1):
        if receipt.windows or receipt.window_nanos:
            found.append(f"node {node}: has windows, which are node 0's (DIST-4)")
    return found
