"""The report says how long a run that is too short to be precise would have to be, and why."""

from report_records import sample

from dramaturg.records import LedgerRecord
from dramaturg.report.enough import enough

MILLI = 1_000_000
SEEN = {
    "prepare_nanos": 1, "teardown_nanos": [1], "round_trip_nanos": 1, "waited_nanos": [0, 0, 0],
    "forgiven_nanos": 0, "too_short": True, "cpu_seconds": [], "peak_memory": [],
    "held_memory": [], "source": "", "probe_nanos": None, "probe_share": None,
}  # fmt: skip


def _sample(benchmark: str, ran: int, beside: int, tolerance: int, **rest: object):  # type: ignore[no-untyped-def]
    more = {"parameters": rest.pop("parameters")} if "parameters" in rest else {}
    seen = SEEN | {"run_nanos": ran + beside, "tolerance_nanos": tolerance} | rest
    return sample(benchmark=benchmark, run_nanos=ran, ledger=LedgerRecord(**seen), **more)


def test_of_an_honest_run_of_2900_ms_the_tolerance_and_the_size_are_said() -> None:
    said = enough([_sample("pingpong", 2900 * MILLI, MILLI, 290 * MILLI)])
    assert said == (
        "2.900 s, and 20 times the tolerance, 290.0 ms, is 5.800 s: about 2 times the rounds would"
        " do"
    )


def test_where_more_lay_beside_it_that_is_said() -> None:
    said = enough([_sample("chain", 100 * MILLI, 50 * MILLI, MILLI)])
    assert "20 times the time beside it, 50.00 ms, is 1.000 s: about 10 times the length" in said


def test_a_windowed_form_grows_by_its_window() -> None:
    said = enough([_sample("bang", 100 * MILLI, 0, 10 * MILLI, parameters={"windows": 2})])
    assert said.endswith("about 2 times the window would do")


def test_what_was_forgiven_would_not_go_with_another_size() -> None:
    said = enough([_sample("big", 1000 * MILLI, 0, MILLI, forgiven_nanos=5)])
    assert said == "waits were forgiven in 1 iteration, by a busy machine"


def test_what_is_long_enough_needs_no_size() -> None:
    assert enough([_sample("big", 1000 * MILLI, 0, MILLI, too_short=False)]) == ""
