"""A receipt of a replayed run must say what the model's actors reported in it, field by field."""

from typing import Any

import pytest
from model_session import ModelSession

from dramaturg.model import accounts, receipt_names
from dramaturg.model.workload import workload_of
from dramaturg.trace.events import Message
from dramaturg.trace.replay import receipts
from dramaturg.v2 import benchmarks_pb2

CHATAPP = benchmarks_pb2.Benchmark(
    chatapp=benchmarks_pb2.ChatAppParameters(
        clients=12, directories=2, turns=3, compute=20, post=30, leave=20, invite=20, befriend=50,
        selection=benchmarks_pb2.SELECTION_CUMULATIVE, fib_n=5, history=True, seed=42,
    )
)  # fmt: skip
MICRO = [
    benchmarks_pb2.Benchmark(pingpong=benchmarks_pb2.PingPongParameters(windows=2, window=300)),
    benchmarks_pb2.Benchmark(pingpong=benchmarks_pb2.PingPongParameters(rounds=5)),
    benchmarks_pb2.Benchmark(big=benchmarks_pb2.BigParameters(peers=3, windows=2, window=300)),
    benchmarks_pb2.Benchmark(web=benchmarks_pb2.WebParameters(browsers=2, workers=2, requests=3)),
    benchmarks_pb2.Benchmark(mergesort=benchmarks_pb2.MergesortParameters(length=9, leaf=2)),
    benchmarks_pb2.Benchmark(broker=benchmarks_pb2.BrokerParameters(employees=2, tasks=5, size=4)),
]
SALT = 7


def run(benchmark: benchmarks_pb2.Benchmark) -> tuple[Any, list[Message]]:
    """The honest receipt of a run, and what was reported to control in it."""
    session = ModelSession()
    session.prepare(benchmark)
    session.run(SALT)
    return session.teardown(), session.reported


def problems(receipt: Any, control: list[Message], benchmark: Any) -> list[str]:
    return receipts.problems([receipt], control, benchmark, SALT)


def named(benchmark: benchmarks_pb2.Benchmark) -> str:
    parameters = workload_of(benchmark).parameters
    form = "-windowed" if getattr(parameters, "windows", 0) else ""
    return f"{benchmark.WhichOneof('parameters')}{form}"


@pytest.mark.parametrize("benchmark", [CHATAPP, *MICRO], ids=named)
def test_an_honest_receipt_is_accepted(benchmark: benchmarks_pb2.Benchmark) -> None:
    receipt, control = run(benchmark)
    assert problems(receipt, control, benchmark) == []


def test_naps_take_their_time_whoever_watches() -> None:
    """A clock of processor time stands still while all sleep."""
    benchmark = benchmarks_pb2.Benchmark(
        sleepers=benchmarks_pb2.SleepersParameters(sleepers=2, naps=3, delay=20)
    )
    receipt, control = run(benchmark)
    receipt.run_nanos = 60_000_000
    assert problems(receipt, control, benchmark) == []
    receipt.run_nanos -= 1
    said, shortest = problems(receipt, control, benchmark)
    assert said.startswith("run_nanos is 59999999, expected at least 60000000")
    assert "SLEEP-3" in said
    assert "SLEEP-5" in shortest


@pytest.mark.parametrize("field", accounts.CHATAPP)
@pytest.mark.parametrize("by", [1, -1])
def test_a_field_of_chatapps_that_is_off_by_one_is_named_with_its_requirement(
    field: str, by: int
) -> None:
    receipt, control = run(CHATAPP)
    was = getattr(receipt.chatapp, field)
    by = by if was + by >= 0 else 2
    setattr(receipt.chatapp, field, was + by)
    found = problems(receipt, control, CHATAPP)
    assert found[0] == f"{field} is {was + by}, expected {was} ({accounts.CHATAPP[field]})"


def test_every_turn_has_its_time() -> None:
    receipt, control = run(CHATAPP)
    receipt.chatapp.turn_nanos.pop()
    assert problems(receipt, control, CHATAPP) == ["turn_nanos has 2 entries, expected 3 (CHAT-55)"]


@pytest.mark.parametrize("benchmark", MICRO, ids=named)
def test_a_field_of_a_micro_benchmarks_that_is_off_by_one_is_named_once(
    benchmark: benchmarks_pb2.Benchmark,
) -> None:
    name = str(benchmark.WhichOneof("parameters"))
    shortest = ["shortest_nanos"] if name == "sleepers" else []
    for field in (*receipt_names.ARGUMENTS[name], *shortest):
        receipt, control = run(benchmark)
        claimed = receipt_names.own(receipt)
        setattr(claimed, field, getattr(claimed, field) + 1)
        found = problems(receipt, control, benchmark)
        assert any(accounts.REQUIREMENTS[name] in problem for problem in found)
        assert len([p for p in found if p.startswith(f"{field} is")]) <= 1


def test_both_ends_of_a_windowed_form_may_not_be_wrong_alike() -> None:
    """Such a receipt agrees with itself: only the run can tell its sums."""
    benchmark = benchmarks_pb2.Benchmark(
        big=benchmarks_pb2.BigParameters(peers=3, windows=2, window=300)
    )
    receipt, control = run(benchmark)
    said = receipt_names.own(receipt)
    sum_of_all = said.given
    said.given, said.taken = sum_of_all + 1, sum_of_all + 1
    assert problems(receipt, [], benchmark) == []
    assert problems(receipt, control, benchmark) == [
        f"{end} is {sum_of_all + 1}, expected {sum_of_all} (BIG-3)" for end in ("given", "taken")
    ]


@pytest.mark.parametrize("benchmark", MICRO, ids=named)
def test_where_nobody_is_watched_the_parameters_say_what_must_be(
    benchmark: benchmarks_pb2.Benchmark,
) -> None:
    receipt, _ = run(benchmark)
    assert problems(receipt, [], benchmark) == []
    name = str(benchmark.WhichOneof("parameters"))
    receipt.done.arguments[0] += 1
    assert any(accounts.REQUIREMENTS[name] in said for said in problems(receipt, [], benchmark))


def test_windows_are_those_that_were_reported() -> None:
    benchmark = MICRO[0]
    receipt, control = run(benchmark)
    windows = list(receipt.done.windows)
    receipt.done.windows[0] += 1
    said = f"windows are {[windows[0] + 1, windows[1]]}, expected {windows} (WIN-3)"
    assert said in problems(receipt, control, benchmark)


@pytest.mark.parametrize("benchmark", [CHATAPP, MICRO[1]], ids=named)
def test_a_receipt_of_another_benchmark_or_of_none_is_no_receipt(
    benchmark: benchmarks_pb2.Benchmark,
) -> None:
    _, control = run(benchmark)
    other = receipt_names.made("chain", (1, 2))
    name = benchmark.WhichOneof("parameters")
    for receipt, kind in ((other, "chain"), (benchmarks_pb2.Receipt(), "no benchmark")):
        said = f"it is the receipt of {kind}, expected {name} (CTRL-8)"
        assert problems(receipt, control, benchmark) == [said]


@pytest.mark.parametrize("benchmark", [CHATAPP, *MICRO], ids=named)
def test_whoever_has_not_ended_is_alive(benchmark: benchmarks_pb2.Benchmark) -> None:
    receipt, control = run(benchmark)
    receipt.alive = 1
    assert problems(receipt, control, benchmark) == ["alive is 1, expected 0 (CTRL-8)"]
