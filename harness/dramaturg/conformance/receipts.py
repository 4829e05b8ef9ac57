"""A receipt against the run that it speaks of (CHAT-50 and following, PING-3).

Durations are not looked at: a world that is traced, or driven act by act, has none
that mean anything. Timed runs check theirs.
"""

from collections.abc import Sequence
from typing import Any

from dramaturg.conformance.cases import play_of
from dramaturg.model import accounts
from dramaturg.model.play import MicroPlay
from dramaturg.trace.replay import Verdict
from dramaturg.v1 import benchmarks_pb2
from dramaturg.v1 import trace_pb2 as kind


def problems(
    receipts: Sequence[benchmarks_pb2.Receipt],
    verdict: Verdict,
    benchmark: benchmarks_pb2.Benchmark,
) -> list[str]:
    """What the receipts, one of each node, say otherwise than the replayed run, and what
    they leak."""
    name = benchmark.WhichOneof("parameters")
    for receipt in receipts:
        if receipt.WhichOneof("receipt") != name:
            return [f"it is one of {receipt.WhichOneof('receipt')}, the benchmark was {name}"]
    if name == "chatapp":
        found = _chatapp(receipts[0], verdict)
    else:
        found = _micro([getattr(receipt, str(name)) for receipt in receipts], verdict, benchmark)
    alive = sum(receipt.alive for receipt in receipts)
    if alive:
        requirement = "CHAT-57" if name == "chatapp" else accounts.REQUIREMENTS[str(name)]
        found.append(f"{alive} actors are alive after tear-down, expected none ({requirement})")
    return found


def _micro(
    claimed: Sequence[Any], verdict: Verdict, benchmark: benchmarks_pb2.Benchmark
) -> list[str]:
    play = play_of(benchmark)
    assert isinstance(play, MicroPlay)
    found = accounts.problems(str(benchmark.WhichOneof("parameters")), play.parameters, claimed)
    windows = [
        args[1] for number, args in verdict.control if number == kind.MESSAGE_KIND_CONTROL_WINDOW
    ]
    if windows and list(claimed[0].windows) != windows:
        found.append(f"windows are {list(claimed[0].windows)}, expected {windows} (WIN-3)")
    return found


def _chatapp(receipt: benchmarks_pb2.Receipt, verdict: Verdict) -> list[str]:
    finished = next(
        args for number, args in verdict.control if number == kind.MESSAGE_KIND_CONTROL_FINISHED
    )
    confirmed = [
        args for number, args in verdict.control if number == kind.MESSAGE_KIND_CONTROL_CONFIRMED
    ]
    lcg, computes, posts, leaves, invites, nones, deliveries, joins = finished
    expected = {
        "computes": computes, "posts": posts, "leaves": leaves, "invites": invites,
        "nones": nones, "joins": joins, "deliveries": deliveries, "lcg_checksum": lcg,
        "fib_sum": sum(value for _, value in confirmed), "confirms": len(confirmed),
    }  # fmt: skip
    found = accounts.chatapp_differences(receipt.chatapp, expected)
    if len(receipt.chatapp.turn_nanos) != len(confirmed):
        found.append(
            f"turn_nanos has {len(receipt.chatapp.turn_nanos)} entries, expected {len(confirmed)}"
            " (CHAT-55)"
        )
    return found
