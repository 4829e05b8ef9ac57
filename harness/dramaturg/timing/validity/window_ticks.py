"""Ticks in a lead's log against the windows of its receipt (WIN-2).

Nobody knows before a windowed run how much falls into a window. But the place of a `tick` in the
log of the actor that counts says how much had been counted by then, also in a slice.
"""

from itertools import accumulate

from dramaturg.model import accounts, messages, names
from dramaturg.model.workload import MICRO
from dramaturg.timing.planning.scenarios import Scenario
from dramaturg.trace.events import AnyLogs
from dramaturg.trace.watches import Watched, Watches
from dramaturg.v2 import benchmarks_pb2


def problem(
    scenario: Scenario, watches: Watches, logs: AnyLogs, receipt: benchmarks_pb2.Receipt
) -> str:
    """Name the window of the receipt that differs from the log's; empty if none."""
    if not scenario.parameters.get("windows"):
        return ""
    model = MICRO[scenario.benchmark].model
    if not model.LEAD_COUNTS:
        return ""
    lead, tick = model.LEAD, model.TICK
    wanted = Watched(watches).slice_of(lead)
    claimed = list(accumulate(receipt.done.windows))
    for place, (_, (number, args)) in enumerate(logs.get(lead, ()), wanted.begin if wanted else 0):
        if number != tick or args[0] >= len(claimed):
            continue
        # Before it came `start`, and the ticks before.
        counted = place - 1 - args[0]
        if counted != claimed[args[0]]:
            return (
                f"{names.spell(lead)} took {messages.spell(tick, args)} after {counted}"
                f" {accounts.COUNTED[scenario.benchmark]}; by the receipt there were"
                f" {claimed[args[0]]} up to then (WIN-2)"
            )
    return ""
