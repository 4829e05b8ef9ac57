"""Receipts against what they must say. A micro-benchmark's against its parameters and the
salt, which tell everything.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from dramaturg.model import receipt_names, windows
from dramaturg.model.workload import MICRO
from dramaturg.v2 import benchmarks_pb2

REQUIREMENTS: dict[str, str] = {name: micro.model.RECEIPT for name, micro in MICRO.items()}
"""The requirement of each chapter on its receipt."""

CHATAPP = {
    "computes": "CHAT-50", "posts": "CHAT-50", "leaves": "CHAT-50", "invites": "CHAT-50",
    "nones": "CHAT-50", "joins": "CHAT-51", "lcg_checksum": "CHAT-52", "fib_sum": "CHAT-53",
    "deliveries": "CHAT-54", "confirms": "CHAT-55", "stops": "CHAT-58", "announced": "CHAT-59",
    "consumed": "CHAT-59",
}  # fmt: skip
"""The requirement on each field of ChatApp's receipt."""

FASTEST = 10
"""Nanoseconds of each unit that the windowed forms count, at least: two messages of their own.
Nobody does more than that, and no sum is computed for a claim that says so."""

COUNTED: dict[str, str] = {
    name: micro.model.COUNTED for name, micro in MICRO.items() if micro.windowed
}
"""The count that falls into windows, of each windowed form."""


def kinds(benchmark: str, found: Sequence[str | None]) -> list[str]:
    """Check that the receipts, one of each node, are of this benchmark: node 0's is of the whole
    run, the others' are of none (DIST-4)."""
    for node, kind in enumerate(found):
        expected = benchmark if node == 0 else None
        if kind != expected:
            where = f"node {node}: " if len(found) > 1 else ""
            return [
                f"{where}it is the receipt of {kind or 'no benchmark'},"
                f" expected {expected or 'none'} ({'DIST-4' if node else 'CTRL-8'})"
            ]
    return []


def elsewhere(run_nanos: Sequence[int]) -> list[str]:
    """Durations of the run that nodes other than 0 claim: node 0's receipt has it (DIST-4)."""
    return [
        f"node {node}: run_nanos is {said}, expected 0: node 0 says how long the run took (DIST-4)"
        for node, said in enumerate(run_nanos)
        if node and said
    ]


def living(alive: Sequence[int]) -> list[str]:
    """Report actors that live on after Teardown, on any node."""
    return [
        (f"node {node}: " if len(alive) > 1 else "") + f"alive is {count}, expected 0 (CTRL-8)"
        for node, count in enumerate(alive)
        if count
    ]


def problems(
    benchmark: str, parameters: Any, salt: int, receipt: benchmarks_pb2.Receipt
) -> list[str]:
    """Return the differences between this receipt of the benchmark and what it must say."""
    if found := receipt_names.strange(benchmark, receipt.done):
        return found
    counts = receipt_names.counts(benchmark, receipt)
    requirement = REQUIREMENTS[benchmark]
    windowed = benchmark in COUNTED and parameters.windows
    most = parameters.windows * parameters.window * 1_000_000 // FASTEST if windowed else 0
    if windowed and counts[COUNTED[benchmark]] > most:
        field = COUNTED[benchmark]
        return [f"{field} is {counts[field]}, expected at most {most} in such windows (WIN-4)"]
    found = [
        f"{field} is {counts[field]}, expected {value} ({requirement})"
        for field, value in MICRO[benchmark].receipt(parameters, salt, counts).items()
        if counts[field] != value
    ]
    if benchmark in COUNTED:
        total, rest = counts[COUNTED[benchmark]], MICRO[benchmark].model.rest(parameters)
        lasted = counts["window_nanos"]
        found += windows.problems(parameters, counts["windows"], lasted, total, rest)
    return found


def durations(benchmark: str, parameters: Any, receipt: Any) -> list[str]:
    """Return the impossible durations of a micro-benchmark, whoever was watched."""
    found = []
    lasted = sum(receipt.done.window_nanos)
    if lasted > receipt.run_nanos:
        found.append(
            f"the windows lasted {lasted} ns, expected at most run_nanos,"
            f" {receipt.run_nanos} (WIN-3)"
        )
    model = MICRO[benchmark].model
    if hasattr(model, "durations"):
        found += model.durations(parameters, receipt)
    return found


def chatapp_differences(claimed: object, expected: Mapping[str, int]) -> list[str]:
    """Return the differences between ChatApp's receipt and these facts, with the requirements."""
    return [
        f"{field} is {getattr(claimed, field)}, expected {value} ({CHATAPP[field]})"
        for field, value in expected.items()
        if getattr(claimed, field) != value
    ]


def chatapp_ends(claimed: Any) -> list[str]:
    """Return the disagreements of the two ends of deliveries: nobody else knows them, since
    deliveries are the schedule's own."""
    found = []
    if claimed.stops != claimed.deliveries + claimed.joins:
        found.append(
            f"stops is {claimed.stops}, expected {claimed.deliveries + claimed.joins}, which is"
            " deliveries and joins (CHAT-58)"
        )
    if claimed.announced != claimed.consumed:
        found.append(
            f"announced is {claimed.announced} and consumed {claimed.consumed}, which must be"
            " equal (CHAT-59)"
        )
    return found
