"""A micro-benchmark's receipt must have the sums of its messages, whatever the schedule and the
salt; a receipt that says otherwise is refused."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from micro_kit import WORLDS, claimed, counts, fields, performed, worlds

from dramaturg.model import accounts, receipt_names
from dramaturg.model.workload import MICRO
from dramaturg.v2 import benchmarks_pb2

SALT = st.integers(0, 2**32 - 1)
SMALL = st.integers(1, 5)

SIZES: dict[str, dict[str, st.SearchStrategy[int]]] = {
    "pingpong": {"rounds": st.integers(1, 20)},
    "big": {"peers": st.integers(2, 5), "rounds": st.integers(1, 7)},
    "bang": {"senders": SMALL, "messages": st.integers(1, 8)},
    "web": {"browsers": SMALL, "workers": SMALL, "requests": SMALL, "fib_n": st.integers(0, 12)},
    "count": {"adders": SMALL, "adds": st.integers(1, 8)},
    "chain": {"length": st.integers(1, 30)},
    "fanout": {"runners": SMALL, "tasks": st.integers(1, 8), "window": st.integers(0, 9)},
    "sleepers": {"sleepers": SMALL, "naps": SMALL, "delay": st.integers(0, 60_000)},
    "mergesort": {
        "length": st.integers(1, 30), "leaf": st.integers(1, 9), "seed": st.integers(0, 65535),
    },
    "broker": {
        "employees": SMALL, "tasks": st.integers(1, 300), "size": st.integers(4, 20),
    },
    "openweb": {
        "servers": SMALL, "requests": st.integers(1, 8), "gap": st.integers(1, 1_000_000),
        "seed": st.integers(0, 65535), "fib_n": st.integers(0, 12),
    },
}  # fmt: skip
WINDOWS = {"windows": st.integers(1, 4), "window": st.integers(1, 60_000)}
WINDOWED: dict[str, dict[str, st.SearchStrategy[int]]] = {
    "pingpong": {"rounds": st.just(0)} | WINDOWS,
    "big": {"peers": st.integers(2, 5), "rounds": st.just(0)} | WINDOWS,
    "bang": {"senders": SMALL, "messages": SMALL} | WINDOWS,
}
FORMS = [*((name, SIZES[name]) for name in SIZES), *((name, WINDOWED[name]) for name in WINDOWED)]


@pytest.mark.parametrize(
    ("name", "sizes"), FORMS, ids=[*SIZES, *(f"{name}-windowed" for name in WINDOWED)]
)
def test_a_receipt_is_what_the_messages_come_to(
    name: str, sizes: dict[str, st.SearchStrategy[int]]
) -> None:
    @settings(deadline=None, max_examples=40)
    @given(st.fixed_dictionaries(sizes), SALT, st.integers(0, 2**16))
    def holds(values: dict[str, int], salt: int, seed: int) -> None:
        workload, simulation = performed(name, values, seed, salt)
        made = counts(claimed(name, simulation))
        expected = workload.micro.receipt(workload.parameters, salt, made)
        assert expected.items() <= made.items()

    holds()


@pytest.mark.parametrize("name", SIZES)
def test_of_a_counted_form_every_field_is_known_beforehand(name: str) -> None:
    values = next(values for other, values in WORLDS if other == name)
    known = MICRO[name].receipt(MICRO[name].parameters(**values), 7, {})
    assert known.keys() == set(fields(name))


@pytest.mark.parametrize(("peers", "rounds"), [(3, 2), (3, 3), (3, 4), (2, 9), (6, 5)])
def test_many_rounds_of_few_peers_come_to_what_few_rounds_of_many_do(
    peers: int, rounds: int
) -> None:
    """Two ways to sum the answers of big: by rounds and by pairs."""
    _, simulation = performed("big", {"peers": peers, "rounds": rounds}, 1, salt=99)
    known = MICRO["big"].receipt(MICRO["big"].parameters(peers=peers, rounds=rounds), 99, {})
    assert known.items() <= counts(claimed("big", simulation)).items()


@pytest.mark.parametrize("name", SIZES)
def test_another_salt_makes_another_receipt(name: str) -> None:
    values = next(values for other, values in WORLDS if other == name)
    parameters = MICRO[name].parameters(**values)
    # If there are a power of two of indices, a salt's lowest bits only change who has which value.
    salts = [number * 0x9E3779B1 % 2**32 for number in range(50)]
    made = [MICRO[name].receipt(parameters, salt, {}) for salt in salts]
    assert len({tuple(each.values()) for each in made}) == 50


@worlds
def test_an_honest_receipt_is_accepted(name: str, values: dict[str, int]) -> None:
    for seed in range(5):
        workload, simulation = performed(name, values, seed, salt=seed)
        receipt = claimed(name, simulation)
        assert accounts.problems(name, workload.parameters, seed, receipt) == []


@worlds
@pytest.mark.parametrize("by", [1, -1])
def test_a_receipt_that_is_off_by_one_is_refused(
    name: str, values: dict[str, int], by: int
) -> None:
    workload, simulation = performed(name, values, 1, salt=17)
    for field in fields(name):
        receipt = claimed(name, simulation)
        said = receipt_names.own(receipt)
        setattr(said, field, getattr(said, field) + by)
        assert accounts.problems(name, workload.parameters, 17, receipt)


@worlds
def test_the_last_runs_receipt_is_not_this_ones(name: str, values: dict[str, int]) -> None:
    workload, simulation = performed(name, values, 1, salt=17)
    found = accounts.problems(name, workload.parameters, 18, claimed(name, simulation))
    # The sums of a windowed big and bang are known only to be the same at both ends.
    if not values.get("windows") or name == "pingpong":
        assert any(accounts.REQUIREMENTS[name] in problem for problem in found)


SPOILED: list[tuple[Callable[[Any], Any], str]] = [
    (lambda r: r.windows.__setitem__(0, r.windows[0] + 1), "which is not the total"),
    (lambda r: r.windows.pop(), "there are 2 windows and 3 durations, expected 3"),
    (lambda r: r.window_nanos.pop(), "there are 3 windows and 2 durations, expected 3"),
    (lambda r: r.window_nanos.__setitem__(1, 999_999), "window 1 lasted 999999 ns"),
]


@pytest.mark.parametrize(("name", "values"), [w for w in WORLDS if "windows" in w[1]])
@pytest.mark.parametrize(("spoil", "complaint"), SPOILED, ids=[said for _, said in SPOILED])
def test_windows_must_add_up_and_last_as_long_as_asked(
    name: str, values: dict[str, int], spoil: Callable[[Any], Any], complaint: str
) -> None:
    workload, simulation = performed(name, values, 1)
    receipt = claimed(name, simulation)
    spoil(receipt.done)
    found = accounts.problems(name, workload.parameters, 0, receipt)
    assert any(complaint in problem for problem in found)


@pytest.mark.parametrize(("name", "field"), accounts.COUNTED.items())
def test_more_in_a_window_than_can_be_is_refused_without_a_sum(name: str, field: str) -> None:
    """Ping-pong's sum would take for ever: a claim must not."""
    values = next(v for other, v in WORLDS if other == name and "windows" in v)
    workload, simulation = performed(name, values, 1)
    receipt = claimed(name, simulation)
    setattr(receipt_names.own(receipt), field, 2**63)
    (found,) = accounts.problems(name, workload.parameters, 0, receipt)
    assert found == f"{field} is {2**63}, expected at most 300000 in such windows (WIN-4)"


def test_a_counted_form_has_no_windows() -> None:
    workload, simulation = performed("pingpong", {"rounds": 3}, 1)
    receipt = claimed("pingpong", simulation)
    receipt.done.windows.append(3)
    (found,) = accounts.problems("pingpong", workload.parameters, 0, receipt)
    assert found == "there are 1 windows and 0 durations, expected 0 (WIN-3)"


@worlds
@pytest.mark.parametrize("by", [1, -1])
def test_arguments_are_as_many_as_the_leads(name: str, values: dict[str, int], by: int) -> None:
    """A zero behind them, or one that is left out, changes no number that has a name."""
    workload, simulation = performed(name, values, 1, salt=17)
    receipt = claimed(name, simulation)
    names, had = receipt_names.ARGUMENTS[name], list(receipt.done.arguments)
    receipt.done.arguments[:] = [*had, 0] if by > 0 else had[:-1]
    (found,) = accounts.problems(name, workload.parameters, 17, receipt)
    assert found == (
        f"the receipt repeats {len(names) + by} arguments of `done`, expected {len(names)}:"
        f" {', '.join(names)} (CTRL-8)"
    )


@worlds
def test_what_is_another_benchmarks_is_not_in_a_receipt(name: str, values: dict[str, int]) -> None:
    workload, simulation = performed(name, values, 1, salt=17)
    for field in ("windows", "window_nanos", "latency", "lateness", "shortest_nanos"):
        receipt = claimed(name, simulation)
        if field in receipt_names.fields_of(name):
            continue
        if field == "shortest_nanos":
            receipt.done.shortest_nanos = 1
        else:
            getattr(receipt.done, field).append(0)
        (found,) = accounts.problems(name, workload.parameters, 17, receipt)
        assert found.startswith(f"the receipt has {field}, which {name} has not; only ")


def test_the_receipt_of_a_benchmark_is_of_one_that_there_is() -> None:
    """An implementation's word for it is not printed unless it is a name."""
    for name in ("", "chatapp", "ping", "\x1b[2J" * 1000):
        receipt = receipt_names.made(name, (1, 2))
        assert receipt_names.benchmark_of(receipt) == receipt_names.UNKNOWN
        assert receipt_names.counts_of(receipt) == {}
        (found,) = accounts.kinds("pingpong", [receipt_names.benchmark_of(receipt)])
        assert found == f"it is the receipt of {receipt_names.UNKNOWN}, expected pingpong (CTRL-8)"


def test_what_a_receipt_counts_is_named_also_where_it_counts_too_little() -> None:
    short = receipt_names.made("web", (7,))
    assert receipt_names.counts_of(short) == {"answers": 7, "sum": 0, "workers_used": 0}
    assert receipt_names.counts("big", short)["pongs"] == 0


@pytest.mark.parametrize("benchmark", benchmarks_pb2.Benchmark.DESCRIPTOR.fields_by_name)
def test_every_benchmarks_receipt_says_by_which_requirement_it_is_judged(benchmark: str) -> None:
    if benchmark == "chatapp":
        judged = set(receipt_names.fields_of(benchmark)) - {"turn_nanos"}
        assert accounts.CHATAPP.keys() == judged
    else:
        assert accounts.REQUIREMENTS[benchmark]


@pytest.mark.parametrize(
    ("found", "says"),
    [
        (["big"], ""),
        (["big", None, None], ""),
        (["bang"], "it is the receipt of bang, expected big (CTRL-8)"),
        ([None], "it is the receipt of no benchmark, expected big (CTRL-8)"),
        ([None, "big"], "node 0: it is the receipt of no benchmark, expected big (CTRL-8)"),
        (["big", "big"], "node 1: it is the receipt of big, expected none (DIST-4)"),
    ],
)
def test_the_receipt_of_a_run_is_node_0s_alone(found: list[str | None], says: str) -> None:
    assert accounts.kinds("big", found) == ([says] if says else [])


def test_whoever_lives_on_is_counted_with_their_node() -> None:
    assert accounts.living([0]) == []
    assert accounts.living([1]) == ["alive is 1, expected 0 (CTRL-8)"]
    assert accounts.living([0, 0, 2]) == ["node 2: alive is 2, expected 0 (CTRL-8)"]


def test_only_node_0_says_how_long_the_run_took() -> None:
    assert accounts.elsewhere([7, 0, 0]) == []
    [found] = accounts.elsewhere([7, 0, 1])
    assert found.startswith("node 2: run_nanos is 1, expected 0") and found.endswith("(DIST-4)")
