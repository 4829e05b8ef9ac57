"""Honest receipts, made by performing the model; and sessions that say what they are told."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from dramaturg.model import chatapp
from dramaturg.model.fibonacci import fibonacci
from dramaturg.model.workload import MICRO, ChatAppWorkload
from dramaturg.model.simulation import Simulation
from dramaturg.timing.scenarios import Scenario
from dramaturg.v2 import benchmarks_pb2, control_pb2
from dramaturg.v2 import trace_pb2 as kind

MILLISECOND = 1_000_000

Receipt = benchmarks_pb2.Receipt


def honest(of: Scenario, run_nanos: int = 20 * MILLISECOND) -> Receipt:
    """What a right implementation hands over, on one node."""
    receipt = Receipt(run_nanos=run_nanos, iteration_nanos=run_nanos + MILLISECOND)
    if of.benchmark in MICRO:
        counts = getattr(receipt, of.benchmark)
        for field, value in MICRO[of.benchmark].model.receipt(of.micro).items():
            setattr(counts, field, value)
        return receipt
    sums = _performed(of.chatapp)
    names = ("computes", "posts", "leaves", "invites", "nones", "deliveries", "joins")
    counts = dict(zip(("lcg_checksum", *names), sums, strict=True))
    turns = of.parameters["turns"]
    receipt.chatapp.CopyFrom(
        benchmarks_pb2.ChatAppReceipt(
            **counts,
            fib_sum=counts["computes"] * fibonacci(of.parameters["fib_n"]),
            confirms=turns,
            turn_nanos=[run_nanos // 2 + turn for turn in range(turns)],
        )
    )
    return receipt


def _performed(parameters: chatapp.Parameters) -> tuple[int, ...]:
    control = Simulation(ChatAppWorkload(parameters).prepare().run()).perform().control
    return next(args for kind_, args in control if kind_ == kind.MESSAGE_KIND_CONTROL_FINISHED)


class FakeSession:
    """Hands over receipts, each after the time that it claims."""

    process = None

    def __init__(self, receipts: Callable[[Scenario], Sequence[Receipt]], of: Scenario) -> None:
        self.receipts = list(receipts(of))
        self.calls: list[str] = []

    def describe(self) -> control_pb2.DescribeResponse:
        return control_pb2.DescribeResponse(name="fake", runtime="fake", runtime_version="1")

    def prepare(self, benchmark: Any, trace: bool, **rest: Any) -> control_pb2.PrepareResponse:
        assert not trace
        self.calls.append("prepare")
        return control_pb2.PrepareResponse()

    def run(self, iterations: int, *, on_receipt: Any = None, **rest: Any) -> list[Receipt]:
        self.calls.append("run")
        given, self.receipts = self.receipts[:iterations], self.receipts[iterations:]
        for receipt in given:
            time.sleep(0.03)
            if on_receipt:
                on_receipt(receipt)
        return given

    def teardown(self) -> Receipt | None:
        self.calls.append("teardown")
        return None

    def shutdown(self) -> None:
        self.calls.append("shutdown")
