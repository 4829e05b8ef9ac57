"""Samples that enter a figure, samples that do not, and the words on these."""

import pytest
from report_records import audit, audited, sample, unit, write_samples

from dramaturg.outcomes import Outcome
from dramaturg.records import LedgerRecord
from dramaturg.report import formatting
from dramaturg.report.report_files import summarise

MILLISECOND = 1_000_000
LOCAL, EMULATED = {"kind": "local"}, {"kind": "mininet", "nodes": 2}


def invocations(count=6, iterations=4, **values):
    """Samples of ``count`` invocations around 100 ms."""
    return [
        sample(
            invocation=invocation,
            iteration=iteration,
            run_nanos=(100 + invocation + iteration) * MILLISECOND,
            **values,
        )
        for invocation in range(count)
        for iteration in range(iterations)
    ]


def only_row(summary):
    [group] = summary.groups
    [row] = group.implementations
    return row


def test_invalid_samples_are_listed_and_not_summarised(tmp_path):
    wrong = sample(iteration=9, valid=False, problems=["joins: 1, expected 2"], run_nanos=1)
    write_samples(tmp_path, *invocations(), wrong)
    row = only_row(summarise(tmp_path))
    assert len(row.samples) == 24
    assert row.run.low >= 100 * MILLISECOND
    [listed] = row.invalid
    assert (listed.invocation, listed.iteration) == (0, 9)
    assert listed.problems == ["joins: 1, expected 2"]


def test_invalid_samples_alone_give_no_figure_at_all(tmp_path):
    write_samples(tmp_path, sample(valid=False, problems=["wrong"]))
    row = only_row(summarise(tmp_path))
    figures = (row.run, row.iteration, row.mean, row.rate, row.turn, row.qos, row.cpu_seconds)
    assert figures == (None,) * 7
    assert len(row.invalid) == 1


def test_warm_up_is_counted_and_not_summarised(tmp_path):
    slow = sample(iteration=9, warmup=True, run_nanos=9_000 * MILLISECOND)
    write_samples(tmp_path, *invocations(), slow)
    row = only_row(summarise(tmp_path))
    assert row.warmup == 1
    assert row.run.high < 200 * MILLISECOND


def test_a_unit_says_where_warm_up_ended_and_by_which_rule(tmp_path):
    samples = invocations(count=1)
    write_samples(tmp_path, *samples, unit(samples=4, warmup=1, warmup_rule="by eye"))
    row = only_row(summarise(tmp_path))
    assert (row.warmup, len(row.samples)) == (1, 3)
    assert row.warmup_rules == ["by eye"]


def test_an_invocation_that_was_cut_short_is_left_out_and_said_so(tmp_path):
    ended = [sample(invocation=0, iteration=iteration) for iteration in range(5)]
    torn = [sample(invocation=1, iteration=iteration) for iteration in range(2)]
    write_samples(tmp_path, *ended, unit(samples=5), *torn, complete=False)
    summary = summarise(tmp_path)
    row = only_row(summary)
    assert (len(row.samples), row.undecided) == (5, 2)
    assert any("cut short" in warning for warning in summary.warnings)


@pytest.mark.parametrize(
    "other",
    [
        {"scenario": "sequential"},
        {"scale": "full"},
        {"network": EMULATED},
        {"parameters": {"clients": 7}},
        {"benchmark": "pingpong"},
    ],
)
def test_what_must_not_be_compared_is_never_in_one_group(tmp_path, other):
    write_samples(tmp_path, sample(), sample("caf", **other))
    groups = summarise(tmp_path).groups
    assert [len(group.implementations) for group in groups] == [1, 1]


def test_two_builds_of_one_implementation_are_two_rows(tmp_path):
    write_samples(tmp_path, sample(build="old"), sample(build="new"))
    [group] = summarise(tmp_path).groups
    assert [row.build for row in group.implementations] == ["new", "old"]


def test_a_sweep_names_what_it_varies_in_order_of_value(tmp_path):
    sweep = [sample(parameters={"clients": clients, "turns": 8}) for clients in (128, 16, 32)]
    write_samples(tmp_path, *sweep)
    varied = [group.varied for group in summarise(tmp_path).groups]
    assert varied == [{"clients": 16}, {"clients": 32}, {"clients": 128}]


def test_interleaving_does_not_show_in_the_order_of_rows(tmp_path):
    write_samples(tmp_path, sample("erlang"), sample("akka"), sample("caf"))
    [group] = summarise(tmp_path).groups
    assert [row.implementation for row in group.implementations] == ["akka", "caf", "erlang"]


def test_too_few_samples_have_a_median_and_no_interval(tmp_path):
    write_samples(tmp_path, sample())
    summary = summarise(tmp_path)
    run = only_row(summary).run
    assert (run.value, run.low, run.high) == (100 * MILLISECOND, None, None)
    assert any("no interval" in warning.lower() for warning in summary.warnings)


def test_rates_are_summarised_by_their_harmonic_mean(tmp_path):
    write_samples(
        tmp_path,
        sample(messages=1000, run_nanos=1_000_000_000),
        sample(messages=1000, run_nanos=3_000_000_000, iteration=1),
    )
    summary = summarise(tmp_path)
    assert only_row(summary).rate == pytest.approx(500)
    assert "Messages a second are harmonic means" in summary.method


def test_an_outlier_is_flagged_and_stays_in(tmp_path):
    far = sample(iteration=9, run_nanos=900 * MILLISECOND)
    write_samples(tmp_path, *invocations(), far)
    row = only_row(summarise(tmp_path))
    assert [entry.run_nanos for entry in row.samples if entry.outlier] == [far.run_nanos]
    assert row.mean > 120 * MILLISECOND


def test_turns_of_uneven_number_give_no_quality_of_service(tmp_path):
    write_samples(tmp_path, sample(turn_nanos=[1, 2, 3]), sample(turn_nanos=[1, 2], iteration=1))
    row = only_row(summarise(tmp_path))
    assert row.qos is None
    assert row.turn == 2


def test_uncertified_samples_are_marked_and_warned_of(tmp_path):
    write_samples(tmp_path, sample("caf", certified=False), *audited(sample()))
    summary = summarise(tmp_path)
    [group] = summary.groups
    assert {row.implementation: row.certified for row in group.implementations} == {
        "caf": False,
        "erlang": True,
    }
    assert any("without a certificate" in text and "caf" in text for text in summary.warnings)


def test_a_wide_interval_is_warned_of(tmp_path):
    samples = [sample(invocation=n, run_nanos=(100 + 40 * n) * MILLISECOND) for n in range(6)]
    write_samples(tmp_path, *samples)
    assert any(text.startswith("Wide intervals") for text in summarise(tmp_path).warnings)


def test_a_unit_that_could_not_be_timed_stays_visible(tmp_path):
    missing = unit("pony", invocation=None, outcome=Outcome.TOOLCHAIN_MISSING, message="no ponyc")
    write_samples(tmp_path, sample(), unit(samples=1), missing)
    summary = summarise(tmp_path)
    [found] = summary.units
    assert (found.implementation, found.message) == ("pony", "no ponyc")
    assert "pony" in [verdict.implementation for verdict in summary.implementations]


def test_only_chains_first_iterations_tell_what_an_actor_takes(tmp_path):
    chain = {"benchmark": "chain", "scenario": "counted", "parameters": {"length": 1000}}
    samples = [
        sample(invocation=number, iteration=iteration, turn_nanos=[], **chain, grown_memory=grown)
        for number in range(3)
        for iteration, grown in ((0, 500_000 + number * 1000), (1, None))
    ]
    write_samples(tmp_path, *samples)
    assert only_row(summarise(tmp_path)).bytes_per_actor == 501


def test_actors_that_take_nothing_were_not_measured(tmp_path):
    chain = {"benchmark": "chain", "scenario": "counted", "parameters": {"length": 1000}}
    samples = [
        sample(invocation=number, turn_nanos=[], **chain, grown_memory=grown)
        for number, grown in enumerate((0, -5000, None))
    ]
    write_samples(tmp_path, *samples)
    assert only_row(summarise(tmp_path)).bytes_per_actor is None
    assert formatting.bytes_per_actor(None) == "not measured"
    samples.append(sample(invocation=3, turn_nanos=[], **chain, grown_memory=7000))
    write_samples(tmp_path, *samples)
    assert only_row(summarise(tmp_path)).bytes_per_actor == 7


def test_what_is_no_chain_has_no_bytes_per_actor(tmp_path):
    write_samples(tmp_path, *invocations(grown_memory=1000))
    assert only_row(summarise(tmp_path)).bytes_per_actor is None


def test_an_iteration_is_its_set_up_its_run_and_its_tear_down(tmp_path):
    samples = [
        sample(iteration=n, setup_nanos=40 + n, run_nanos=700, teardown_nanos=5) for n in range(3)
    ]
    write_samples(tmp_path, *samples)
    row = only_row(summarise(tmp_path))
    assert (row.setup, row.run.value, row.teardown, row.iteration.value) == (41, 700, 5, 746)
    assert [entry.iteration_nanos for entry in row.samples] == [745, 746, 747]


def test_what_outlives_iterations_is_a_figure_of_its_own_and_part_of_no_other(tmp_path):
    """Built in the first iteration, which is warm-up; two processes built more in the next."""
    built = {0: (800, 0), 1: (500, 400), 2: (600, 400)}
    samples = [
        sample(invocation=n, iteration=i, runtime_nanos=nanos, warmup=i == 0, setup_nanos=1,
               run_nanos=2, teardown_nanos=3)
        for n, each in built.items() for i, nanos in enumerate(each)
    ]  # fmt: skip
    wrong = sample(invocation=3, runtime_nanos=10**12, valid=False, problems=["wrong"])
    write_samples(tmp_path, *samples, wrong)
    row = only_row(summarise(tmp_path))
    assert row.runtime == 900
    assert row.iteration.value == 6


def test_every_sample_names_the_salt_that_it_can_be_checked_with(tmp_path):
    wrong = sample(iteration=1, salt=8, valid=False, problems=["wrong"])
    write_samples(tmp_path, sample(salt=7), wrong)
    row = only_row(summarise(tmp_path))
    assert [entry.salt for entry in (*row.samples, *row.invalid)] == [7, 8]


SEEN = {
    "prepare_nanos": 1, "run_nanos": 1, "teardown_nanos": [1], "round_trip_nanos": 1,
    "tolerance_nanos": 1, "waited_nanos": [0, 0, 0], "cpu_seconds": [0.1],
    "peak_memory": [1], "held_memory": [1], "source": "cgroup v2", "probe_nanos": None,
    "probe_share": None, "forgiven_nanos": 0, "too_short": False,
}  # fmt: skip


@pytest.mark.parametrize(
    ("shares", "marked"), [([0.99, 0.95, 0.91], ""), ([0.95, 0.89, 0.91], "0.89"), ([None], "")]
)
def test_computes_that_were_cheaper_than_a_probe_are_marked(tmp_path, shares, marked):
    ledgers = [LedgerRecord(**SEEN | {"probe_share": share}) for share in shares]
    samples = [sample(iteration=number, ledger=of) for number, of in enumerate(ledgers)]
    write_samples(tmp_path, *samples, unit(samples=len(samples)))
    summary = summarise(tmp_path)
    assert only_row(summary).probe_share == min(shares)
    said = [text for text in summary.warnings if "take as a probe" in text]
    assert [marked in text for text in said] == ([True] if marked else [])


@pytest.mark.parametrize(
    ("times", "marked"), [(0.9, ""), (6.0, ""), (19.9, ""), (21.0, "21 times")]
)
def test_what_is_many_times_as_fast_as_its_audit_is_marked(tmp_path, times, marked):
    """It plays only the actors that are watched, and is right in all of them."""
    samples = [sample(iteration=number) for number in range(3)]
    samples.append(sample(iteration=3, valid=False, run_nanos=1, problems=["too fast"]))
    run_nanos = int(samples[0].run_nanos * times)
    audits = [
        audit(run_nanos=run_nanos),
        audit(depth="crossing", iteration=2, run_nanos=samples[0].run_nanos),
    ]
    write_samples(tmp_path, *samples, *audits, unit(samples=4, audits=2))
    summary = summarise(tmp_path)
    assert only_row(summary).audit.slowdown == pytest.approx(times, rel=1e-6)
    said = [text for text in summary.warnings if "iterations that were audited" in text]
    assert [marked in text for text in said] == ([True] if marked else [])


@pytest.mark.parametrize(
    ("times", "marked"),
    [(1.0, ""), (0.76, ""), (1.3, ""), (0.7, "0.70 times as many"), (1.4, "1.40 times as many")],
)
def test_what_has_other_messages_than_its_audit_is_marked(tmp_path, times, marked):
    """It forwards less between actors that nobody watches, and counts what it forwarded."""
    samples = [sample(iteration=number, messages=int(1000 * times)) for number in range(3)]
    audits = [audit(messages=1000), audit(depth="crossing", iteration=2, messages=1)]
    write_samples(tmp_path, *samples, *audits, unit(samples=3, audits=2))
    summary = summarise(tmp_path)
    assert only_row(summary).audit.volume == pytest.approx(times)
    said = [text for text in summary.warnings if "(MEAS-33)" in text]
    assert [marked in text for text in said] == ([True] if marked else [])


def test_what_was_too_short_to_vouch_for_is_counted_and_marked(tmp_path):
    short = [LedgerRecord(**SEEN | {"too_short": number == 1}) for number in range(3)]
    samples = [sample(iteration=number, ledger=of) for number, of in enumerate(short)]
    write_samples(tmp_path, *samples, unit(samples=3))
    summary = summarise(tmp_path)
    row = only_row(summary)
    assert row.too_short == 1
    assert [each.too_short for each in row.samples] == [False, True, False]
    [said] = [text for text in summary.warnings if "Too short to be precise" in text]
    assert "(1 of 3: " in said
