"""Golden traces are the model's, and differences are found."""

from dramaturg import paths
from dramaturg.conformance.cases import load_all, serial_play
from dramaturg.model.simulation import Simulation
from dramaturg.trace import golden


def test_the_committed_golden_traces_are_what_the_model_does() -> None:
    serial = [case for case in load_all() if case.drive == "serial"]
    assert {golden.file_of(case.name) for case in serial} == set(paths.GOLDEN.glob("*.trace"))
    for case in serial:
        simulation = Simulation(serial_play(case.message.serial)).perform()
        assert golden.text(simulation.logs) == golden.file_of(case.name).read_text(), case.name


def test_the_first_differing_line_is_named_with_its_actor() -> None:
    case = next(case for case in load_all() if case.name == "late-joiner-hears-history")
    logs = Simulation(serial_play(case.message.serial)).perform().logs
    text = golden.text(logs)
    assert golden.difference(logs, text) == ""
    changed = text.replace("post(turn=2", "post(turn=3")
    said = golden.difference(logs, changed)
    assert said.startswith("chat/0.0, line ")
    assert "expected client/0  post(turn=3" in said
    assert golden.difference(logs, text + "extra\n").endswith("expected extra, got the end")
