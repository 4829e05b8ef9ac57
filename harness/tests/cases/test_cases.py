"""Case files: sound, valid, and refused with a reason when they are not."""

from pathlib import Path

import pytest

from dramaturg.cases.cases import (
    Case,
    CaseError,
    load_all,
    load_file,
    salt_of,
    serial_workload,
    steps_of,
)
from dramaturg.model import names
from dramaturg.model.workload import MICRO
from dramaturg.v2 import case_pb2

CASE = """
benchmark: chatapp
cases:
  - name: x
    purpose: y
    level: 1
    serial:
      benchmark: {chatapp: {clients: 4, directories: 1, turns: 1, befriend: 50, selection: SELECTION_CUMULATIVE, fib_n: 1, seed: 42}}
"""  # noqa: E501


def test_all_cases_load_and_have_a_purpose() -> None:
    assert len(load_all()) > 30
    assert all(case.message.purpose.endswith(".") for case in load_all())


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("purpose: y", "purpos: y"), "purpos"),
        (("level: 1", "level: 2"), "level 2 is that of scripts and searches"),
        (("level: 1", "level: 5"), "level is 5"),
        (("clients: 4", "clients: 0"), "clients is 0"),
        (("befriend: 50", "befriend: 500"), "befriend is 500"),
        (("SELECTION_CUMULATIVE", "SELECTION_BEST"), "SELECTION_BEST"),
        (("serial:", "serially:"), "serially"),
        (("  - name: x", "  - nam x"), "x.yaml"),
        (("cases:", "cases: 3\nmore:"), "x.yaml"),
        (("purpose: y", 'purpose: ""'), "must be set"),
    ],
)
def test_a_broken_case_file_is_refused_with_the_fault(
    tmp_path: Path, change: tuple[str, str], complaint: str
) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(CASE.replace(*change))
    with pytest.raises(CaseError, match=complaint):
        load_file(file)


SCRIPT = """
benchmark: pingpong
cases:
  - name: x
    purpose: y
    level: 2
    script:
      benchmark: {pingpong: {rounds: 4}}
      steps: [{run: {}, times: 2}]
"""


def test_what_is_not_for_its_benchmark_or_step_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(SCRIPT)
    with pytest.raises(CaseError, match=r"step 0: times is 2; it must be in 0\.\.131072, 0 of run"):
        load_file(file)
    unwatched = CASE.replace("level: 1", "level: 3").replace("serial:", "concurrent:")
    file.write_text(unwatched + "      unwatched: true\n")
    with pytest.raises(CaseError, match="unwatched is not for chatapp"):
        load_file(file)


@pytest.mark.parametrize(
    ("head", "complaint"),
    [
        ("", "benchmark, beside cases, is ''; it must be that of the cases: control, "),
        ("benchmark: pingpogn", "benchmark, beside cases, is 'pingpogn'; it must be"),
        ("benchmark: bang", "case 'x': its benchmark is pingpong, and that of its file bang"),
    ],
)
def test_a_file_that_is_of_no_benchmark_or_of_another_one_is_refused(
    tmp_path: Path, head: str, complaint: str
) -> None:
    """Nothing would be planned of it, and nobody said why."""
    file = tmp_path / "x.yaml"
    searched = "search: {limits: {pingpong: {rounds: 9}}, examples: 1}"
    for cases in (SCRIPT, f"{SCRIPT[: SCRIPT.index('script:')]}{searched}"):
        file.write_text(cases.replace("benchmark: pingpong\n", f"{head}\n", 1))
        with pytest.raises(CaseError, match=complaint):
            load_file(file)


def test_every_benchmark_has_a_large_case_at_level_3() -> None:
    large = {case.benchmark for case in load_all() if case.message.large and case.level == 3}
    assert large == {"chatapp", *MICRO}


def test_a_case_file_that_is_right_loads(tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(CASE)
    assert [case.path for case in load_file(file)] == ["1-serial/chatapp/x"]


def with_watches(folder: Path, *rows: str) -> Path:
    """The case with what it watches: each row class, and what else is not 0 in it."""
    file = folder / "x.yaml"
    spelled = ", ".join(
        f"{{modulus: 1, last: 4294967295, events: 4294967295, {row}}}" for row in rows
    )
    file.write_text(f"{CASE}      watches: [{spelled}]\n")
    return file


def test_a_serial_case_may_watch_a_part(tmp_path: Path) -> None:
    (case,) = load_file(with_watches(tmp_path, "class: 4", "class: 5, from: 3"))
    assert [getattr(row, "class") for row in case.message.serial.watches] == [4, 5]


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        ([f"class: {names.POKER}"], "the log of a counting class is not the same in every run"),
        ([f"class: {names.ACCUMULATOR}", "class: 4"], "the log of a counting class"),
        (["class: 4, remainder: 1"], "remainder is 1, modulus 1: nobody can fit it"),
        (["class: 4"] * 5, "there are 5 watches of class client; there may be 4"),
        (["class: 0", "class: 4"], "a watch of class 0 is everybody, and the only one"),
        (["class: 4, until: 3"], "until"),
    ],
)
def test_a_case_that_watches_what_cannot_be_compared_is_refused(
    tmp_path: Path, rows: list[str], complaint: str
) -> None:
    with pytest.raises(CaseError, match=complaint):
        load_file(with_watches(tmp_path, *rows))


def test_a_salt_is_never_0_and_stays_what_it_was() -> None:
    """Written down once: golden cases have 0, and a verdict must be one that can be repeated."""
    case = Case("chain", case_pb2.Case(name="long", level=3, concurrent=case_pb2.Concurrent()))
    assert [salt_of(case, repeat) for repeat in range(3)] == [1932445963, 69859741, 2636163111]


def test_every_case_and_repeat_has_a_salt_of_its_own() -> None:
    salts = [salt_of(case, repeat) for case in load_all() for repeat in range(5)]
    assert all(0 < salt < 2**32 for salt in salts)
    assert len(set(salts)) == len(salts)


def test_serial_cases_run_with_the_salt_0() -> None:
    for case in load_all():
        if case.drive == "serial":
            steps = steps_of(case.message.serial)
            assert {step.run.salt for step in steps} <= {0}
            assert serial_workload(case.message.serial).script


def test_a_serial_chatapp_lets_everybody_act_in_order_round_by_round() -> None:
    (case,) = [case for case in load_all() if case.name == "watched-clients"]
    steps = steps_of(case.message.serial)
    clients = case.message.serial.benchmark.chatapp.clients
    rounds = case.message.serial.rounds
    assert [step.act.client for step in steps] == [*range(clients)] * rounds
