"""A receipt against the run that it speaks of (CHAT-50 and following, PING-3).

Durations are checked only for impossible values: those of a world that is watched, or driven act by
act, mean nothing else. Timed runs check theirs.
"""

from collections.abc import Sequence

from dramaturg.model import accounts, receipt_names
from dramaturg.model.fold import add
from dramaturg.model.workload import MicroWorkload, workload_of
from dramaturg.trace.events import Message
from dramaturg.v2 import benchmarks_pb2
from dramaturg.v2 import trace_pb2 as kind


def problems(
    receipts: Sequence[benchmarks_pb2.Receipt],
    control: Sequence[Message],
    benchmark: benchmarks_pb2.Benchmark,
    salt: int,
) -> list[str]:
    """Return the differences between the receipts, one of each node, and the reports of the model's
    actors to control in the same run (none are known if nobody is watched), and leaks."""
    name = str(benchmark.WhichOneof("parameters"))
    found = accounts.kinds(name, [receipt_names.benchmark_of(each) for each in receipts])
    if found:
        return found
    if name == "chatapp":
        found = _chatapp(receipts[0], control)
    else:
        found = _micro(name, receipts[0], control, benchmark, salt)
    found += accounts.elsewhere([receipt.run_nanos for receipt in receipts])
    return found + accounts.living([receipt.alive for receipt in receipts])


def _micro(
    name: str,
    receipt: benchmarks_pb2.Receipt,
    control: Sequence[Message],
    benchmark: benchmarks_pb2.Benchmark,
    salt: int,
) -> list[str]:
    workload = workload_of(benchmark)
    assert isinstance(workload, MicroWorkload)
    found = accounts.problems(name, workload.parameters, salt, receipt)
    found += accounts.durations(name, workload.parameters, receipt)
    windows = [args[1] for number, args in control if number == kind.MESSAGE_KIND_CONTROL_WINDOW]
    if windows and list(receipt.done.windows) != windows:
        found.append(f"windows are {list(receipt.done.windows)}, expected {windows} (WIN-3)")
    return found or (_reported(name, receipt, control) if control else [])


def _reported(name: str, receipt: benchmarks_pb2.Receipt, control: Sequence[Message]) -> list[str]:
    """Return the differences from the lead's `done`: nobody else knows the sums of the windowed
    forms."""
    done = next(args for number, args in control if number == kind.MESSAGE_KIND_CONTROL_DONE)
    repeated = zip(receipt_names.ARGUMENTS[name], receipt.done.arguments, done, strict=True)
    return [
        f"{field} is {said}, expected {value} ({accounts.REQUIREMENTS[name]})"
        for field, said, value in repeated
        if said != value
    ]


def _chatapp(receipt: benchmarks_pb2.Receipt, control: Sequence[Message]) -> list[str]:
    finished = next(
        args for number, args in control if number == kind.MESSAGE_KIND_CONTROL_FINISHED
    )
    confirmed = [args for number, args in control if number == kind.MESSAGE_KIND_CONTROL_CONFIRMED]
    lcg, computes, posts, leaves, invites, nones, deliveries, joins = finished
    values, stops, announced, consumed = (
        sum(args[place] for args in confirmed) for place in range(1, 5)
    )
    expected = {
        "computes": computes, "posts": posts, "leaves": leaves, "invites": invites,
        "nones": nones, "joins": joins, "deliveries": deliveries, "lcg_checksum": lcg,
        "fib_sum": values, "confirms": len(confirmed), "stops": stops,
        "announced": add(0, announced), "consumed": add(0, consumed),
    }  # fmt: skip
    found = accounts.chatapp_differences(receipt.chatapp, expected)
    found += accounts.chatapp_ends(receipt.chatapp)
    if len(receipt.chatapp.turn_nanos) != len(confirmed):
        found.append(
            f"turn_nanos has {len(receipt.chatapp.turn_nanos)} entries, expected {len(confirmed)}"
            " (CHAT-55)"
        )
    return found
