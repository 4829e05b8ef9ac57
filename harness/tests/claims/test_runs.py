"""The results that count, and the parts of them that a recorded run keeps."""

import json
from pathlib import Path
from typing import Any

import pytest
from claims_kit import MACHINE, RAN, SETUP, claims, judged, row, run, several, verdict
from compared_kit import SLOW, WILD, write
from report_records import audit, audited, sample, unit, write_samples

from dramaturg.claims import claim_verdicts, runs
from dramaturg.claims.catalogue import ClaimsError, Redefinition
from dramaturg.claims.condensed import condensed
from dramaturg.claims.decide import Verdict
from dramaturg.claims.runs import Run
from dramaturg.outcomes import Outcome

PART = {"kind": "ratio", "of": "quick", "to": "slow", "above": 1}
KNOWN = claims(PART)
DIGESTS = sorted(KNOWN.digests())
ROWS = (row("quick", 2), row("slow"))

INSIDE = MACHINE.model_copy(
    update={"processor": "UML", "cores": 1, "memory_gib": 8, "kernel": "6.1.176", "netem": True}
)

CALLED = {"benchmark": "broker", "scenario": "counted", "scale": "tiny", "parameters": {"size": 64}}


def known_at(revision: str) -> tuple[str, list[str]]:
    return "c0", DIGESTS


def environment(**changes: Any) -> dict[str, Any]:
    said = {
        "cpu": {"model": "AMD EPYC", "cores": 2, "pinned_to": [0, 1]},
        "memory": {"total": 24 << 30},
        "virtualised": "kvm",
        "kernel": {"release": "6.1"},
        "network": [{"name": "netem", "available": False}],
        "packages": {"dramaturg": "0.1.0"},
        "source": {"revision": "abc", "dirty": False},
        "implementations": {
            name: {
                "build": f"{name}-build", "runtime": name.title(), "runtime_version": "1.2",
                "schedulers": 2,
            }
            for name in ("quick", "slow")
        },
    }  # fmt: skip
    return said | changes


def planned(*names: str) -> dict[str, Any]:
    scenario = {key: value for key, value in CALLED.items() if key != "scenario"}
    units = [
        {
            "implementation": name,
            "scenario": scenario | {"name": "counted"},
            "network": {"nodes": 1, "bandwidth": None, "delay": None, "loss": None},
            "invocations": 3,
        }
        for name in names
    ]
    return {"suites": ["broker"], "units": units}


def results(
    folder: Path, *, complete: bool = True, uncertified: bool = False, **changes: Any
) -> Path:
    """Three invocations with two iterations each, of two implementations."""
    records: list[Any] = []
    for invocation in range(3):
        for name, nanos in (("quick", 10), ("slow", 20)):
            of = CALLED | {"invocation": invocation, "certified": not uncertified}
            samples = [
                sample(name, **of, iteration=i, run_nanos=nanos * 1_000_000 + i, messages=500)
                for i in range(3)
            ]
            records += audited(*samples, warmup=1)
    plan = planned("quick", "slow")
    write_samples(folder, *records, complete=complete, plan=plan, uncertified=uncertified)
    (folder / "environment.json").write_text(json.dumps(environment(**changes)))
    return folder


def test_a_run_keeps_one_median_for_each_invocation_without_warm_up(tmp_path: Path) -> None:
    made = condensed(results(tmp_path), known_at)
    assert [each.implementation for each in made.rows] == ["quick", "slow"]
    quick = made.rows[0]
    assert quick.certified and quick.planned == 3 and quick.cores == 2
    assert [each.number for each in quick.invocations] == [0, 1, 2]
    assert {each.iterations for each in quick.invocations} == {2}
    assert quick.invocations[0].run_nanos == 10_000_001.5
    assert quick.invocations[0].rate == pytest.approx(50_000, rel=1e-3)
    assert made.implementations["quick"].version == "1.2"
    assert (made.written, made.claims) == (DIGESTS, "c0")
    assert made.machine.kernel == "6.1" and made.harness == "0.1.0"


def test_what_was_kept_is_read_again_as_it_was(tmp_path: Path) -> None:
    made = condensed(results(tmp_path / "20260101"), known_at)
    file = runs.keep(made, tmp_path / "runs")
    assert file.name == "20260101.json"
    assert runs.recorded(tmp_path / "runs") == [made]
    assert runs.keep(made, tmp_path / "runs") == file
    other = made.model_copy(update={"digest": "other"})
    with pytest.raises(ClaimsError, match="another run has this name"):
        runs.keep(other, tmp_path / "runs")


def test_rows_that_were_confined_to_fewer_cores_are_others(tmp_path: Path) -> None:
    records: list[Any] = []
    for cores in ([0], [0, 1]):
        of = {**CALLED, "cores": cores}
        timed = [sample("quick", **of, run_nanos=10**7 * len(cores), messages=5)]
        end = unit("quick", **of, samples=1, audits=1, certified=True)
        watched = audit("quick", **of)
        records += [*timed, watched, end]
    plan = planned("quick")
    plan["units"] = [{**plan["units"][0], "cores": cores} for cores in ([0], [0, 1])]
    write_samples(tmp_path, *records, plan=plan)
    (tmp_path / "environment.json").write_text(json.dumps(environment()))
    made = condensed(tmp_path, known_at)
    assert [(row.cores, row.planned, row.certified) for row in made.rows] == [
        (1, 3, True), (2, 3, True),
    ]  # fmt: skip
    assert [row.invocations[0].run_nanos for row in made.rows] == [1e7, 2e7]


def test_cores_are_those_that_it_could_use(tmp_path: Path) -> None:
    cpu = {"model": "AMD EPYC", "cores": 2, "pinned_to": [0]}
    made = condensed(results(tmp_path, cpu=cpu), known_at)
    assert {each.cores for each in made.rows} == {1}
    assert made.machine.cores == 2


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"complete": False}, "are interrupted"),
        ({"uncertified": True}, "timed with --uncertified"),
        ({"cpu": None}, "does not say what a verdict needs"),
        ({"packages": {}}, "does not say what a verdict needs"),
        ({"network": None}, "does not say what a verdict needs"),
    ],
)
def test_results_that_cannot_count_are_an_error_that_names_the_folder(
    changes: dict[str, Any], says: str, tmp_path: Path
) -> None:
    with pytest.raises(ClaimsError, match=says) as raised:
        condensed(results(tmp_path, **changes), known_at)
    assert str(raised.value).startswith(str(tmp_path))


def test_results_without_an_environment_cannot_count(tmp_path: Path) -> None:
    (results(tmp_path) / "environment.json").unlink()
    with pytest.raises(ClaimsError, match=r"environment\.json"):
        condensed(tmp_path, known_at)


def test_a_folder_of_cases_alone_has_nothing_timed(tmp_path: Path) -> None:
    (results(tmp_path) / "timings.jsonl").unlink()
    with pytest.raises(ClaimsError, match="its timings are absent"):
        condensed(tmp_path, known_at)


def test_a_row_of_which_an_invocation_failed_does_not_count(tmp_path: Path) -> None:
    crash = {**CALLED, "invocation": 1, "outcome": Outcome.CRASH, "message": "it fell over"}
    good = sample("quick", **CALLED, run_nanos=1, messages=5)
    write_samples(tmp_path, *audited(good), unit("quick", **crash), plan=planned("quick"))
    (tmp_path / "environment.json").write_text(json.dumps(environment()))
    [only] = condensed(tmp_path, known_at).rows
    assert (only.certified, only.why_not, only.crashed) == (False, "it fell over", 1)


def test_who_only_crashed_is_a_row_as_well(tmp_path: Path) -> None:
    crash = {**CALLED, "outcome": Outcome.CRASH, "message": "it fell over"}
    units = [unit("quick", **crash, invocation=number) for number in range(3)]
    write_samples(tmp_path, *units, plan=planned("quick"))
    (tmp_path / "environment.json").write_text(json.dumps(environment()))
    [only] = condensed(tmp_path, known_at).rows
    assert (only.crashed, only.invocations) == (3, [])


def not_measured(*rows: Any, **rest: Any) -> str:
    found = judged(KNOWN, *rows, **rest)
    assert found.verdict is Verdict.NOT_MEASURED
    assert found.figures == []
    return found.reason


def test_an_uncertified_row_decides_nothing() -> None:
    quick = row("quick", 2, certified=False, why_not="not certified")
    assert "not certified" in not_measured(quick, row("slow"))


def test_a_row_with_fewer_invocations_than_planned_decides_nothing() -> None:
    assert "10 of 12 invocations" in not_measured(row("quick", 2, planned=12), row("slow"))


@pytest.mark.parametrize("version", ["0.9", "2.0.1", "2", "none", ""])
def test_a_version_out_of_bounds_is_another_system(version: str) -> None:
    ran = RAN | {"quick": RAN["quick"].model_copy(update={"version": version})}
    assert "the claim is of >=1,<2" in not_measured(*ROWS, implementations=ran)


@pytest.mark.parametrize("version", ["1", "1.99", "1.2.3-abc [release]", "v1.0+2"])
def test_what_stands_beside_a_versions_numbers_does_not_count(version: str) -> None:
    ran = RAN | {"quick": RAN["quick"].model_copy(update={"version": version})}
    assert judged(KNOWN, *ROWS, implementations=ran).verdict is Verdict.CONFIRMED


def test_a_predicate_that_is_younger_than_the_run_is_not_decided_by_it() -> None:
    assert "before this predicate was written" in not_measured(*ROWS, written=[])
    moved = claims(PART | {"above": 1.5})
    [found] = verdict(moved, run(KNOWN, *ROWS)).predicates
    assert "before this predicate was written" in found.reason


def test_where_nobody_knows_when_it_was_written_the_verdict_says_so() -> None:
    found = judged(KNOWN, *ROWS, written=None)
    assert found.verdict is Verdict.CONFIRMED
    assert found.notes == ["whether it was written before 20260101-000000 is not known"]


@pytest.mark.parametrize(
    ("since", "started", "noted"),
    [
        ("2026-01-01T12:00:00Z", "2026-01-01T11:59:59+00:00", True),
        ("2026-01-01T12:00:00Z", "2026-01-01T12:59:59+01:00", True),
        ("2026-01-01T12:00:00Z", "2026-01-01T11:59:59", True),
        ("2026-01-01T12:00:00Z", "2026-01-01T12:00:00+00:00", False),
        ("2026-01-01T12:00:00Z", "2026-01-01T12:00:00", False),
    ],
)
def test_a_run_from_before_a_benchmark_was_redefined_says_so(
    since: str, started: str, noted: bool
) -> None:
    said = {"benchmark": "broker", "since": since, "says": "it was shorter (X-1)"}
    known = KNOWN.model_copy(update={"redefined": [Redefinition.model_validate(said)]})
    found = judged(known, *ROWS, started=started)
    assert found.verdict is Verdict.CONFIRMED
    of = "20260101-000000 is of an earlier broker: it was shorter (X-1)"
    assert found.notes == ([of] if noted else [])


def test_a_redefinition_of_another_benchmark_says_nothing() -> None:
    said = {"benchmark": "openweb", "since": "2030-01-01T00:00:00Z", "says": "longer"}
    known = KNOWN.model_copy(update={"redefined": [Redefinition.model_validate(said)]})
    assert judged(known, *ROWS).notes == []


def test_a_recorded_run_has_to_say_when_it_was_written(tmp_path: Path) -> None:
    with pytest.raises(ClaimsError, match="cannot be recorded"):
        runs.keep(run(None, written=None), tmp_path)
    (tmp_path / "x.json").write_text(run(None, written=None).text())
    with pytest.raises(ClaimsError, match="which claims were written before it"):
        runs.recorded(tmp_path)


@pytest.mark.parametrize(
    "changes",
    [
        {"called": {**row("quick").called, "scale": "small"}},
        {"called": {**row("quick").called, "parameters": {"size": 4}}},
        {"cores": 1},
        {"network": {"kind": "mininet", "nodes": 2}},
    ],
)
def test_another_setup_is_another_row(changes: dict[str, Any]) -> None:
    assert "no run has quick" in not_measured(row("quick", 2, **changes), row("slow"))


def test_a_loopback_device_is_no_network() -> None:
    known = claims(PART | {"setup": {"benchmark": "bang", "nodes": 2}})
    place = {"called": known.place(known.claims["X1"], known.claims["X1"].predicates[0],
                                   known.claims["X1"].predicates[0].of).called}  # fmt: skip
    for kind, expected in (("mininet", Verdict.CONFIRMED), ("loopback", Verdict.NOT_MEASURED)):
        network = {"kind": kind, "nodes": 2, "kernel": "6.1"}
        rows = [
            row(name, speed, network=network, **place)
            for name, speed in (("quick", 2), ("slow", 1))
        ]
        assert judged(known, *rows).verdict is expected


def test_what_did_not_run_in_turns_is_not_compared() -> None:
    apart = [run(KNOWN, ROWS[0], digest="d1"), run(KNOWN, ROWS[1], digest="d2")]
    [found] = verdict(KNOWN, *apart).predicates
    assert "never in one run" in found.reason


def test_all_runs_of_a_predicate_count_and_each_look_is_paid() -> None:
    again = run(KNOWN, row("quick", 2, seed=2), row("slow", seed=2), digest="d2", name="later")
    one, two = verdict(KNOWN, run(KNOWN, *ROWS)), verdict(KNOWN, run(KNOWN, *ROWS), again)
    assert (one.predicates[0].figures[0].rounds, two.predicates[0].figures[0].rounds) == (10, 20)
    assert (one.predicates[0].level, two.predicates[0].level) == (0.025, 0.0125)
    assert two.predicates[0].runs == ["20260101-000000", "later"]


def test_a_run_of_other_builds_is_looked_at_and_not_counted() -> None:
    newer = RAN | {"quick": RAN["quick"].model_copy(update={"build": "newer"})}
    later = run(KNOWN, *ROWS, digest="d2", name="later", implementations=newer)
    [found] = verdict(KNOWN, run(KNOWN, *ROWS), later).predicates
    assert (found.figures[0].rounds, found.level) == (10, 0.0125)
    assert "20260101-000000 is of another build" in found.notes[0]


def test_a_run_of_another_harness_is_looked_at_and_not_counted() -> None:
    later = run(KNOWN, *ROWS, digest="d2", name="later", rooms="other rooms")
    [found] = verdict(KNOWN, run(KNOWN, *ROWS), later).predicates
    assert (found.figures[0].rounds, found.level) == (10, 0.0125)
    assert "20260101-000000 is of another build, network or harness" in found.notes[0]


def test_a_run_that_was_resumed_is_of_the_revision_at_which_it_was_begun(tmp_path: Path) -> None:
    folder = results(tmp_path, source={"revision": "later", "dirty": False})
    file = folder / "timings.jsonl"
    header, *records = file.read_text().splitlines()
    begun = json.loads(header) | {"source": {"revision": "first", "dirty": False}}
    file.write_text("\n".join([json.dumps(begun), *records, ""]))
    asked: list[str] = []

    def claims_at(revision: str) -> tuple[str, list[str]]:
        asked.append(revision)
        return known_at(revision)

    assert condensed(folder, claims_at).revision == "first"
    assert asked == ["first"]


def test_a_comparison_decides_nothing(tmp_path: Path) -> None:
    write(tmp_path, SLOW[:10], WILD)
    (tmp_path / "environment.json").write_text(json.dumps(environment()))
    with pytest.raises(ClaimsError, match="is a comparison, which runs more"):
        condensed(tmp_path, known_at)


def test_two_invocations_are_too_few() -> None:
    assert "too few" in not_measured(row("quick", 2, n=2), row("slow", n=2))


def test_runs_of_two_versions_of_the_harness_are_an_error_that_names_both() -> None:
    other = run(KNOWN, *ROWS, name="later", digest="d2", harness="0.2.0")
    with pytest.raises(ClaimsError, match="two versions of the harness") as raised:
        runs.together([run(KNOWN, *ROWS), other])
    assert "20260101-000000" in str(raised.value) and "later" in str(raised.value)


@pytest.mark.parametrize(
    "changes", [{"processor": "Xeon"}, {"kernel": "6.2"}, {"cores": 4}, {"memory_gib": 48}]
)
def test_of_two_machines_the_last_that_has_all_decides_and_the_other_is_a_look(
    changes: dict[str, Any],
) -> None:
    elsewhere = MACHINE.model_copy(update=changes)
    cores = elsewhere.cores
    here = run(KNOWN, *ROWS)
    slow_there = run(
        KNOWN,
        row("quick", 0.5, cores=cores, seed=2),
        row("slow", cores=cores, seed=2),
        name="later",
        digest="d2",
        started="2026-02-01T00:00:00+00:00",
        machine=elsewhere,
    )
    found = verdict(KNOWN, *runs.together([slow_there, here]))
    [part] = found.predicates
    assert part.verdict is Verdict.REFUTED and part.runs == ["later"]
    assert f"{here.name} is of another machine or kernel" in part.notes[0]
    [once] = verdict(KNOWN, slow_there).predicates
    assert part.level is not None and once.level is not None
    assert part.level == pytest.approx(once.level / 2)
    # Half of it decides nothing.
    half = slow_there.model_copy(update={"rows": slow_there.rows[:1]})
    [part] = verdict(KNOWN, here, half).predicates
    assert part.verdict is Verdict.CONFIRMED and part.runs == [here.name]


def test_two_machines_do_not_decide_what_neither_has() -> None:
    elsewhere = MACHINE.model_copy(update={"kernel": "6.2"})
    other = run(KNOWN, ROWS[1], name="later", digest="d2", machine=elsewhere)
    [part] = verdict(KNOWN, run(KNOWN, ROWS[0]), other).predicates
    assert part.verdict is Verdict.NOT_MEASURED and part.reason.startswith("no run has")


def test_beside_a_machine_may_stand_its_user_mode_linux_and_decides_what_needs_netem() -> None:
    claim = {"study": "a study", "says": "It is so.", "setup": SETUP}
    claim["predicates"] = [PART | {"says": "It is so."}]
    known = several({"X1": claim | {"needs": {"netem": True}}, "X2": claim})
    outside = run(known, row("quick", 0.5), row("slow"))
    inside = run(
        known,
        row("quick", 3.0, cores=1, seed=2),
        row("slow", cores=1, seed=2),
        name="inside",
        digest="d2",
        machine=INSIDE,
    )
    both = runs.together([outside, inside])
    found = {claim.id: claim for claim in claim_verdicts.judge(known, both).claims}
    assert found["X1"].verdict is Verdict.CONFIRMED
    assert found["X1"].predicates[0].runs == ["inside"]
    assert "inside User-Mode Linux" in found["X1"].predicates[0].notes
    assert found["X2"].verdict is Verdict.REFUTED
    assert found["X2"].predicates[0].runs == [outside.name]
    alone = claim_verdicts.judge(known, [run(known)]).claims[0]
    assert alone.verdict is Verdict.NOT_HERE and "--kernel uml" in alone.predicates[0].reason


def test_the_same_results_twice_are_an_error() -> None:
    with pytest.raises(ClaimsError, match="the same results"):
        runs.together([run(KNOWN, *ROWS), run(KNOWN, *ROWS, name="copy")])


def test_a_copy_of_a_part_under_another_digest_is_the_same_results() -> None:
    """A second look at the same figures made a verdict of F4."""
    more = row("third")
    copy = run(KNOWN, ROWS[0], more, name="copy", digest="d1", started="2026-01-02T00:00:00+00:00")
    with pytest.raises(ClaimsError, match="the same results"):
        runs.together([run(KNOWN, *ROWS), copy])


def test_a_remark_on_a_run_stands_at_what_rests_on_it() -> None:
    found = judged(KNOWN, *ROWS, remark="measured beside a build")
    assert "20260101-000000: measured beside a build" in found.notes


def test_a_run_that_was_started_at_no_time_is_refused() -> None:
    with pytest.raises(ValueError, match="started"):
        run(KNOWN, *ROWS, started="yesterday")


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"version": 2}', "\x00", '{"rows": 3}'])
def test_a_file_that_is_no_recorded_run_is_an_error_that_names_it(
    text: str, tmp_path: Path
) -> None:
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(ClaimsError, match=r"x\.json is no recorded run"):
        runs.recorded(tmp_path)


@pytest.mark.parametrize(
    ("needs", "says"),
    [
        ({"cores": 128}, "needs 128 cores, and here are 2"),
        ({"machine": "E5-2690"}, "its figure is of E5-2690, and here is AMD EPYC"),
    ],
)
def test_what_this_machine_lacks_it_does_not_decide(needs: dict[str, Any], says: str) -> None:
    for known in (claims(PART | {"needs": needs}), claims(PART, needs=needs)):
        found = judged(known, *ROWS)
        assert (found.verdict, found.reason) == (Verdict.NOT_HERE, says)


def test_a_cause_needs_what_it_says_itself_and_not_what_its_claim_needs() -> None:
    for own, expected in (({}, Verdict.CONFIRMED), ({"cores": 128}, Verdict.NOT_HERE)):
        cause = {"says": "So.", "of": "quick", "to": "slow", "above": 1, "needs": own}
        known = claims(PART, needs={"cores": 64}, explained_by=[cause])
        found = verdict(known, run(known, *ROWS))
        assert [each.verdict for each in found.predicates] == [Verdict.NOT_HERE]
        assert [each.verdict for each in found.explanations] == [expected]


def test_a_system_that_is_refused_decides_nothing_whatever_was_measured() -> None:
    wrong = {"implementation": "quick", "refused": "it does not compute"}
    systems = {"quick": wrong, "slow": {"implementation": "slow"}}
    known = several({"X1": claims(PART).claims["X1"].model_dump()}, systems=systems)
    found = judged(known, *ROWS)
    assert (found.verdict, found.reason) == (Verdict.NOT_HERE, "it does not compute")


def test_without_netem_nothing_is_decided_of_delays_unless_it_was_measured() -> None:
    known = claims(PART | {"needs": {"netem": True}})
    assert judged(known, *ROWS).verdict is Verdict.CONFIRMED
    found = judged(known, ROWS[0])
    assert found.verdict is Verdict.NOT_HERE
    assert "netem" in found.reason


def test_what_a_study_had_and_nobody_else_has_is_not_decidable() -> None:
    known = claims(PART | {"to": "gone"})
    found = judged(known, *ROWS)
    assert (found.verdict, found.reason) == (Verdict.NOT_HERE, "it was never ported")


def test_a_claim_without_a_figure_is_no_claim() -> None:
    known = claims(no_claim="an outlook")
    found = verdict(known, run(known, *ROWS))
    assert (found.verdict, found.reason) == (Verdict.NO_CLAIM, "an outlook")
    assert isinstance(run(None), Run)


def test_a_run_of_something_else_is_not_the_last_that_has_all() -> None:
    elsewhere = MACHINE.model_copy(update={"kernel": "6.2"})
    first = run(KNOWN, row("quick", 0.5, seed=2), row("slow", seed=2), name="first", digest="d1")
    here = run(
        KNOWN, *ROWS, name="here", digest="d2", started="2026-02-01T00:00:00+00:00",
        machine=elsewhere,
    )  # fmt: skip
    aside = run(KNOWN, row("third"), name="aside", digest="d3", started="2026-03-01T00:00:00+00:00")
    [part] = verdict(KNOWN, *runs.together([first, here, aside])).predicates
    assert part.verdict is Verdict.CONFIRMED and part.runs[-1] == "here"
    assert any("first is of another machine or kernel" in note for note in part.notes)
