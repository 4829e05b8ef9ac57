"""A performance is judged by everything that its level asks for."""

import contextlib
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from model_session import ModelSession, cluster

from dramaturg.cases.cases import Case, load_all, load_file, salt_of
from dramaturg.conformance import case_run as performing
from dramaturg.conformance import standstill, world
from dramaturg.conformance.case_run import perform
from dramaturg.conformance.cluster import Cluster
from dramaturg.conformance.result import Result
from dramaturg.conformance.world import Performance
from dramaturg.errors import Late
from dramaturg.implementation.manifest import find
from dramaturg.model import names
from dramaturg.model.receipt_names import own
from dramaturg.outcomes import Outcome
from dramaturg.trace import golden_traces
from dramaturg.trace.events import Logs
from dramaturg.trace.partial import message_counts
from dramaturg.trace.replay import turn_order
from dramaturg.v2 import benchmarks_pb2, case_pb2
from dramaturg.v2 import trace_pb2 as kind

CASES = {case.name: case for case in load_all()}
SERIAL = [case for case in CASES.values() if case.drive == "serial"]
REFERENCE = find("reference")
PINGPONG = benchmarks_pb2.Benchmark(pingpong=benchmarks_pb2.PingPongParameters(rounds=2, shift=0))
PING, PONG = names.name(names.PING), names.name(names.PONG)


def performed(case: Case, keep: Path | None = None, **spoiled: Any) -> Result:
    return perform(case, REFERENCE, cluster(**spoiled), keep=keep)


def failed(case: Case, keep: Path | None = None, **spoiled: Any) -> str:
    result = performed(case, keep, **spoiled)
    assert result.outcome is Outcome.FAIL, result
    return result.message


@pytest.mark.parametrize(
    "case",
    [c for c in CASES.values() if c.drive in ("serial", "script") and not c.message.large],
    ids=lambda c: c.name,
)
def test_the_model_passes_every_case_that_has_one_schedule(case: Case) -> None:
    result = performed(case)
    assert (result.outcome, result.message) == (Outcome.PASS, "")


def test_a_run_that_replays_and_is_not_the_golden_one_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other.trace"
    text = golden_traces.file_of("set-up-only").read_text()
    other.write_text(text.replace("befriend(friend=3)", "befriend(friend=2)", 1))
    assert other.read_text() != text
    monkeypatch.setattr(performing.golden_traces, "file_of", lambda name: other)
    assert "differs from the golden trace" in failed(CASES["set-up-only"])


def test_a_search_that_did_not_reach_what_it_is_for_is_not_run() -> None:
    message = case_pb2.Case()
    message.CopyFrom(CASES["search-acts"].message)
    message.search.limits.chatapp.history = False
    message.search.examples = 5
    result = performed(Case("chatapp", message))
    assert result.outcome is Outcome.NOT_RUN
    assert "no history" in result.message


def test_a_script_that_did_not_reach_what_it_is_for_is_not_run(tmp_path: Path) -> None:
    file = tmp_path / "script.yaml"
    file.write_text(
        "benchmark: chatapp\ncases:\n  - {name: x, purpose: y, level: 2, exercises: [FEATURE_POST],"
        " script: {benchmark: {chatapp: {clients: 2, directories: 1, turns: 1, selection:"
        " SELECTION_CASCADE}}, steps: [{turn: {}}]}}\n"
    )
    (case,) = load_file(file)
    result = performed(case)
    assert result.outcome is Outcome.NOT_RUN
    assert "no post" in result.message


def test_a_step_is_called_for_as_often_as_it_says() -> None:
    message = case_pb2.Case()
    message.CopyFrom(CASES["hundreds-of-friends"].message)
    del message.script.steps[:]
    message.script.steps.add(act={"client": 0}, times=5)
    message.script.steps.add(turn={})
    del message.exercises[:]
    session = ModelSession()
    result = perform(Case("chatapp", message), REFERENCE, Cluster([session]))
    assert result.outcome is Outcome.PASS
    asked = [number for _, (number, _) in session.log.logs[names.name(names.POKER)]]
    assert asked.count(kind.MESSAGE_KIND_POKER_ACT) == 5
    assert asked.count(kind.MESSAGE_KIND_POKER_TURN) == 1


# --- nobody is watched ---


def unwatched() -> Case:
    message = case_pb2.Case()
    message.CopyFrom(CASES["pingpong-unwatched"].message)
    message.concurrent.benchmark.pingpong.rounds = 7
    return Case("pingpong", message)


def test_where_nobody_is_watched_the_receipt_is_judged() -> None:
    def lie(receipt: Any) -> None:
        own(receipt).sum ^= 1

    assert performed(unwatched()).outcome is Outcome.PASS
    assert "the receipt is wrong: sum is" in failed(unwatched(), receipt=lie)


@pytest.mark.parametrize("what", ["logs", "counts"])
def test_where_nobody_is_watched_there_is_no_log_and_no_count(what: str) -> None:
    event = (names.name(names.CONTROL), (kind.MESSAGE_KIND_PING_START, (7, 0)))

    def log(logs: Logs) -> None:
        logs[PING] = [event]

    def count(counts: dict[int, int]) -> None:
        counts[PING] = 8

    said = failed(unwatched(), **{what: log if what == "logs" else count})
    assert said == f"ping/0 has a {what.removesuffix('s')}, and nobody watches it (TRACE-15)"


# --- what is watched in part ---
WATCHED, TOO_LATE = CASES["watched-pingpong"], CASES["watched-pingpong-too-late"]


def count_what_is_logged(counts: dict[int, int]) -> None:
    """Ping is watched from 95 on, pong has 5 events from 7 on."""
    counts[PONG] = 12


def forget(actor: int) -> Callable[[dict[int, int]], None]:
    return lambda counts: counts.pop(actor, None) and None


def test_whoever_counts_no_further_than_it_logs_is_refused() -> None:
    """The log alone would not tell: 12 messages and 100 leave the same five events."""
    said = "pong/0 is said to have taken 12 messages, expected 100 (TRACE-17)"
    assert failed(WATCHED, counts=count_what_is_logged) == said


def test_whoever_took_nothing_of_its_slice_is_counted_all_the_same() -> None:
    (row,) = {getattr(row, "class") for row in TOO_LATE.message.serial.watches} & {names.PING}
    said = failed(TOO_LATE, counts=forget(names.name(row)))
    assert said == f"ping/0 {message_counts.UNCOUNTED}"


def test_a_watched_actor_that_was_never_made_is_named() -> None:
    other = names.name(names.PONG, 0) | 1
    said = failed(WATCHED, counts=lambda counts: counts.update({other: 0}))
    assert "has a count and was never made (TRACE-17)" in said


def test_another_slice_than_was_asked_for_differs_from_the_models() -> None:
    def begin_one_too_soon(logs: Logs) -> None:
        if logs.get(PONG):
            sender, (number, args) = logs[PONG][0]
            logs[PONG] = [(sender, (number, (args[0] + 1, args[1]))), *logs[PONG][:-1]]

    assert "differs from the golden trace" in failed(WATCHED, logs=begin_one_too_soon)


@pytest.mark.parametrize(
    ("name", "field"), [("watched-pingpong", "sum"), ("watched-chain", "digest")]
)
def test_the_receipt_of_a_run_that_is_watched_in_part_is_judged_too(name: str, field: str) -> None:
    def lie(receipt: Any) -> None:
        said = own(receipt)
        setattr(said, field, getattr(said, field) ^ 1)

    assert f"the receipt is wrong: {field} is" in failed(CASES[name], receipt=lie)


def test_a_chatapp_that_is_watched_in_part_has_the_one_schedules_receipt() -> None:
    def deliver_one_more(receipt: Any) -> None:
        receipt.chatapp.deliveries += 1
        receipt.chatapp.stops += 1

    said = failed(CASES["watched-clients"], receipt=deliver_one_more)
    assert "deliveries is" in said
    assert "stops is" in said


def test_what_cannot_be_replayed_is_not_kept_as_a_run(tmp_path: Path) -> None:
    leak = {"receipt": lambda receipt: setattr(receipt, "alive", 3)}
    whole = performed(CASES["pingpong-one-round"], tmp_path, **leak)
    part = performed(WATCHED, tmp_path, **leak)
    assert (whole.outcome, part.outcome) == (Outcome.FAIL, Outcome.FAIL)
    assert whole.run is not None
    assert part.run is None


# --- what is watched as a whole ---
def test_everybody_who_was_born_has_a_count() -> None:
    case = CASES["pingpong-one-round"]
    said = failed(case, logs=forget(PONG), counts=forget(PONG))  # type: ignore[arg-type]
    assert "pong/0 ended without ping(" in said
    assert failed(case, counts=forget(PONG)) == f"pong/0 {message_counts.UNCOUNTED}"
    said = failed(case, counts=lambda counts: counts.update({names.name(names.WORKER): 0}))
    assert said == "worker/0 has a count and was never made (TRACE-17)"


def test_a_run_that_replays_is_held_against_its_counts_all_the_same() -> None:
    said = failed(CASES["pingpong-one-round"], counts=lambda counts: counts.update({PONG: 2}))
    assert said == "pong/0 took 2 messages, so its log must have 2 events; it has 1 (TRACE-2)"


def test_an_actor_that_took_nothing_and_has_no_count_is_missed() -> None:
    """One of three workers is enough: the others take nothing but `stop`, in the end."""
    case = concurrent(WEB)
    idle = names.name(names.WORKER, 2)
    assert performed(case).outcome is Outcome.PASS
    said = failed(case, counts=forget(idle), logs=forget(idle))  # type: ignore[arg-type]
    assert "worker/2" in said


def concurrent(benchmark: benchmarks_pb2.Benchmark, repeats: int = 1) -> Case:
    message = case_pb2.Case(
        name="made-up",
        level=3,
        concurrent=case_pb2.Concurrent(benchmark=benchmark, repeats=repeats),
    )
    return Case(str(benchmark.WhichOneof("parameters")), message)


BIG = benchmarks_pb2.Benchmark(big=benchmarks_pb2.BigParameters(peers=3, windows=4, window=300))
BANG = benchmarks_pb2.Benchmark(
    bang=benchmarks_pb2.BangParameters(senders=3, messages=2, windows=4, window=300)
)


@pytest.mark.parametrize("benchmark", [BIG, BANG], ids=["big", "bang"])
def test_sums_that_only_the_run_itself_knows_are_held_against_it(
    benchmark: benchmarks_pb2.Benchmark,
) -> None:
    """Both ends say the same, and neither what it was."""

    def agree_on_another(receipt: Any) -> None:
        said = own(receipt)
        said.given = said.taken = said.taken ^ 5

    assert performed(concurrent(benchmark)).outcome is Outcome.PASS
    said = failed(concurrent(benchmark), receipt=agree_on_another)
    assert "the receipt is wrong: given is" in said
    assert "taken is" in said


def test_marks_are_judged_before_the_receipt() -> None:
    said = failed(concurrent(BIG), marks=list.pop, receipt=lambda r: r.Clear())
    assert said == "the last mark says 3, expected one that says 4 before the run ended (CTRL-6)"


WEB = benchmarks_pb2.Benchmark(web=benchmarks_pb2.WebParameters(browsers=1, workers=3, requests=1))
BROKER = benchmarks_pb2.Benchmark(
    broker=benchmarks_pb2.BrokerParameters(employees=2, tasks=5, size=4)
)
CHATAPP = benchmarks_pb2.Benchmark(
    chatapp=benchmarks_pb2.ChatAppParameters(
        clients=2, directories=1, turns=2, selection=benchmarks_pb2.SELECTION_CASCADE
    )
)


@pytest.mark.parametrize("benchmark", [WEB, BROKER, CHATAPP], ids=["web", "broker", "chatapp"])
def test_whoever_lets_everybody_go_before_teardown_is_named(
    benchmark: benchmarks_pb2.Benchmark,
) -> None:
    """No log shows afterwards when it was (CTRL-16)."""
    assert performed(concurrent(benchmark)).outcome is Outcome.PASS
    said = failed(concurrent(benchmark), hasty=True)
    assert said.endswith("before Teardown was called (CTRL-16)")


def test_each_repeat_has_a_salt_of_its_own_and_serial_cases_have_none() -> None:
    case = concurrent(benchmarks_pb2.Benchmark(chain=benchmarks_pb2.ChainParameters(length=3)), 4)
    session = ModelSession()
    assert perform(case, REFERENCE, Cluster([session])).outcome is Outcome.PASS  # type: ignore
    assert session.salts == [salt_of(case, repeat) for repeat in range(4)]
    assert len(set(session.salts)) == 4
    serial = ModelSession()
    perform(CASES["pingpong-one-round"], REFERENCE, Cluster([serial]))  # type: ignore[list-item]
    assert serial.salts == [0]


def test_a_receipt_that_ignores_the_salt_is_wrong() -> None:
    chain = benchmarks_pb2.Benchmark(chain=benchmarks_pb2.ChainParameters(length=3))

    def without_salt(receipt: Any) -> None:
        session = ModelSession()
        session.prepare(chain)
        session.run(0)
        own(receipt).digest = own(session.teardown()).digest

    assert "digest is" in failed(concurrent(chain), receipt=without_salt)


def test_a_case_is_traced_before_its_run_and_on_both_sides_of_its_teardown() -> None:
    session = ModelSession()
    perform(CASES["pingpong-one-round"], REFERENCE, Cluster([session]))  # type: ignore[list-item]
    assert [call for n, call in enumerate(session.calls) if call != session.calls[n - 1]] == [
        "prepare", "trace", "run", "trace", "teardown", "trace",
    ]  # fmt: skip


def test_latencies_are_held_against_the_order_of_what_was_logged() -> None:
    """Its first request was answered behind its last arrival, and is said to have waited not."""

    def hide(receipt: Any) -> None:
        receipt.done.latency[:] = receipt.done.lateness[:] = [20]

    said = failed(CASES["openweb-one-server"], receipt=hide)
    assert "(OPEN-12)" in said


def test_turns_are_held_against_the_order_of_what_was_logged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[tuple[int, int]] = []

    def problems(logs: Any, turn_nanos: Any) -> list[str]:
        seen.append((len(logs[names.name(names.POKER)]), len(turn_nanos)))
        return ["a turn (MEAS-2)"]

    monkeypatch.setattr(turn_order, "problems", problems)
    assert "the receipt is wrong: a turn (MEAS-2)" in failed(CASES["two-clients-one-directory"])
    assert seen
    assert min(seen[0]) > 0


def test_a_call_that_is_late_and_a_world_that_stands_are_judged_one_after_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Both look at the same logs: one in the thread of the call, one beside it."""
    performance = Performance(CASES["pingpong-one-round"], cluster(), PINGPONG, 1.0)
    under_way, seen = [0], []

    def judged(*_: object) -> bool:
        under_way[0] += 1
        seen.append(under_way[0])
        time.sleep(0.05)
        under_way[0] -= 1
        return False

    monkeypatch.setattr(performance, "_comes_to_rest", judged)

    def stand() -> None:
        with contextlib.suppress(standstill.Moved):
            performance._wrong(1.0, lambda: False)

    stands = threading.Thread(target=stand)
    stands.start()
    performance._explain(Late("Run was not answered"))
    stands.join()
    assert seen == [1, 1]


def test_an_actor_in_two_places_is_named_before_anything_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    performance = Performance(CASES["pingpong-one-round"], cluster(), PINGPONG, 1.0)
    monkeypatch.setattr(performance.cluster, "misplaced", lambda parameters: "it was logged there")
    monkeypatch.setattr(performance, "_comes_to_rest", lambda: True)
    with pytest.raises(world.Failed, match="it was logged there"):
        performance._explain(Late("Run was not answered"))
