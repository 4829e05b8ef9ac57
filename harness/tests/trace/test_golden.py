"""Golden traces are the model's, and differences are found."""

import pytest

from dramaturg import paths
from dramaturg.cases.cases import Case, golden_of, load_all, serial_workload
from dramaturg.model.simulation import Simulation
from dramaturg.trace import golden_traces
from dramaturg.trace.watches import Watched

SERIAL = [case for case in load_all() if case.drive == "serial"]
WATCHED = [case for case in SERIAL if case.message.serial.watches]


def test_the_committed_golden_traces_are_what_the_model_does() -> None:
    serial = [case for case in SERIAL if not case.message.serial.watches]
    assert {golden_traces.file_of(case.name) for case in serial} == set(
        paths.GOLDEN.glob("*.trace")
    )
    for case in serial:
        simulation = Simulation(serial_workload(case.message.serial)).perform()
        assert (
            golden_traces.text(simulation.logs) == golden_traces.file_of(case.name).read_text()
        ), case.name


def test_the_first_differing_line_is_named_with_its_actor() -> None:
    case = next(case for case in load_all() if case.name == "late-joiner-hears-history")
    logs = Simulation(serial_workload(case.message.serial)).perform().logs
    text = golden_traces.text(logs)
    assert golden_traces.difference(logs, text) == ""
    changed = text.replace("post(turn=2", "post(turn=3")
    said = golden_traces.difference(logs, changed)
    assert said.startswith("chat/0.0, line ")
    assert "expected client/0  post(turn=3" in said
    assert golden_traces.difference(logs, text + "extra\n").endswith("expected extra, got the end")


@pytest.mark.parametrize("case", WATCHED, ids=lambda case: case.name)
def test_a_case_that_watches_a_part_has_that_part_of_the_models_logs(case: Case) -> None:
    assert not golden_traces.file_of(case.name).exists()
    whole = Simulation(serial_workload(case.message.serial)).perform().logs
    rows = case.message.serial.watches
    part = {}
    for actor, log in whole.items():
        wanted = Watched(rows).slice_of(actor)
        if wanted is not None:
            part[actor] = wanted.of(log)
    assert golden_of(case) == golden_traces.text({actor: log for actor, log in part.items() if log})
    assert golden_of(case) != golden_traces.text(whole)
