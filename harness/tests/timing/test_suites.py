"""Suites say what is run together; plans say in which order."""

import re
from pathlib import Path

import pytest

from dramaturg import paths
from dramaturg.machine import environment
from dramaturg.timing.planning import suites, timing_plan
from dramaturg.timing.planning.suites import SuiteError

SUITE = {"suite": "test", "benchmarks": [{"benchmark": "pingpong"}]}


@pytest.mark.parametrize("name", suites.available())
def test_every_suite_that_comes_along_can_be_planned(name: str) -> None:
    suite = suites.load(name)
    assert suite.suite == name
    assert timing_plan.make([suite], ["one", "other"], seed=1, cores=[0, 1]).order()


def test_networks_are_in_thesis_and_tiny_alone() -> None:
    """Whoever has neither root nor Mininet can run the others as they are."""
    with_nodes = {
        name
        for name in suites.available()
        for _, entry in suites.load(name).named()
        if not all(at.network.local for _, at in entry.points())
    }
    assert with_nodes == {"thesis", "tiny", "chatapp-nodes", "broker-nodes"}


@pytest.mark.parametrize(
    ("name", "small"), [("chatapp-nodes", {"N1", "N2"}), ("broker-nodes", {"B1"})]
)
def test_suites_over_nodes_have_asyncio_at_small_scale_alone(name: str, small: set[str]) -> None:
    made = timing_plan.make([suites.load(name)], [], seed=1)
    there = {
        who: {each.entry.rpartition("/")[2] for unit in made.units if unit.implementation == who
              for each in unit.points}
        for who in ("asyncio", "erlang")
    }  # fmt: skip
    assert there["asyncio"] == small
    assert there["erlang"] >= small | {f"{entry}-full" for entry in small}
    full = [unit for unit in made.units if unit.points[0].entry.endswith("-full")]
    assert {unit.network.nodes for unit in full} == {1, 4}


def test_smoke_has_one_entry_of_each_suite_three_times() -> None:
    smoke = suites.load("smoke")
    assert smoke.invocations == 3
    there = {entry.benchmark for entry in smoke.benchmarks}
    # These are of no study; and not all implementations have what openload times.
    no_source = ("smoke", "first", "tiny", "compare", "openload")
    no_source += ("chatapp-nodes", "broker-nodes")
    others = {name for name in suites.available() if name not in no_source}
    for name in others:
        assert there & {entry.benchmark for entry in suites.load(name).benchmarks}, name
    assert len(smoke.benchmarks) == len(others)


def test_a_suite_file_anywhere_can_be_named(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("suite: mine\nbenchmarks: [{benchmark: pingpong, scale: tiny}]\n")
    assert suites.load(str(file)).suite == "mine"


def test_the_suites_that_the_document_shows_can_be_planned(tmp_path: Path) -> None:
    text = (paths.ROOT / "docs" / "suites.md").read_text()
    shown = re.findall(r"^```yaml\n(suite: .*?)^```", text, re.MULTILINE | re.DOTALL)
    assert shown
    for number, content in enumerate(shown):
        file = tmp_path / f"{number}.yaml"
        file.write_text(content)
        assert timing_plan.make([suites.load(str(file))], ["one"], seed=1).units


def test_an_unknown_suite_is_refused_with_those_there_are() -> None:
    said = "no suite is called 'big'; there are: akka-actr, broker, broker-nodes, chatapp,"
    with pytest.raises(SuiteError, match=said):
        suites.load("big")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("suite: x\nbenchmarks: []\n", "benchmarks: List should have at least 1"),
        ("suite: x\nbenchmarks: [{benchmark: chess}]\n", r"benchmarks\.0: no benchmark .*'chess'"),
        (
            "suite: x\nrepeat: 3\nbenchmarks: [{benchmark: pingpong}]\n",
            "repeat: no such key; keys are: suite, ",
        ),
        (
            "suite: x\nbenchmarks: [{benchmark: big, often: 3}]\n",
            "often: no such key; .*, scenario,",
        ),
        (
            "suite: x\nbenchmarks: [{benchmark: big, network: {nodes: 2, hops: 1}}]\n",
            "hops: no such key; keys are: nodes, bandwidth, delay, loss",
        ),
        ("suite: x\nsuite: y\nbenchmarks: [{benchmark: big}]\n", "line 2: suite is there twice"),
        (
            "suite: x\nbenchmarks: [{benchmark: big, sweep: {nodes: [2], nodes: [4]}}]\n",
            "line 2: nodes is there twice",
        ),
        (
            "suite: x\ninvocations: true\nbenchmarks: [{benchmark: big}]\n",
            "invocations: .* integer",
        ),
        ("suite: x\nbenchmarks: [{benchmark: big, cores: '1'}]\n", "cores: .* integer"),
        ("suite: x\ninvocations: 1000000000\nbenchmarks: [{benchmark: big}]\n", "invocations: "),
        ("suite: x\niterations: 1000000000\nbenchmarks: [{benchmark: big}]\n", "iterations: "),
        ("suite: x\ntimeout: .inf\nbenchmarks: [{benchmark: big}]\n", "timeout: .* 604800"),
        ("suite: x\ntimeout: .nan\nbenchmarks: [{benchmark: big}]\n", "timeout: "),
        (
            "suite: x\niterations: 3\nbenchmarks: [{benchmark: big, warmup: 3}]\n",
            "x/1: 3 of 3 iterations are warm-up, so none would count",
        ),
        ("suite: ''\nbenchmarks: [{benchmark: big}]\n", "must be 1 to 80 characters"),
        ('suite: "a\\nb"\nbenchmarks: [{benchmark: big}]\n', "must be 1 to 80 characters"),
        (f"suite: {'n' * 81}\nbenchmarks: [{{benchmark: big}}]\n", "must be 1 to 80 characters"),
        (
            "suite: x\nbenchmarks: [{benchmark: pingpong, network: {nodes: 3}}]\n",
            r"must be in 2\.\.2",
        ),
        (
            "suite: x\nbenchmarks: [{benchmark: chatapp, scenario: default, scale: small,"
            " network: {nodes: 17}}]\n",
            "nodes is 17; it must be in 2..16, as many as the smallest directory has clients",
        ),
        ("suite: x\nbenchmarks: [{benchmark: chain, network: {nodes: 2}}]\n", "runs on 1 node"),
        ("suite: x\nbenchmarks: [{benchmark: pingpong, network: {delay: 3}}]\n", "needs nodes: 2"),
        ("suite: [\n", "while parsing"),
        ("- pingpong\n", "a suite is a mapping"),
    ],
)
def test_a_wrong_suite_file_is_refused_in_one_line(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text(text)
    with pytest.raises(SuiteError, match=says) as caught:
        suites.load(str(file))
    assert str(file) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_an_entry_leaves_out_is_as_the_suite_says() -> None:
    content = SUITE | {"invocations": 2, "iterations": 9, "warmup": 3}
    content["benchmarks"] = [{"benchmark": "pingpong"}, {"benchmark": "chatapp", "warmup": 0}]
    units = timing_plan.make([suites.checked(content)], ["one"], seed=1).units
    assert [(unit.invocations, unit.iterations, unit.warmup) for unit in units] == [
        (2, 9, 3),
        (2, 9, 0),
    ]


def test_each_round_invokes_every_unit_once_and_shuffles_the_implementations() -> None:
    content = SUITE | {"invocations": 6}
    names = ["akka", "caf", "erlang", "pony"]
    order = timing_plan.make([suites.checked(content)], names, seed=3).order()
    rounds = [[unit.implementation for unit, _ in order[i : i + 4]] for i in range(0, 28, 4)]
    assert all(sorted(one) == names for one in rounds)
    assert len({tuple(one) for one in rounds}) > 1
    # The last round is the audit's.
    assert [number for _, number in order] == [number for number in range(7) for _ in range(4)]


def test_a_suite_or_an_entry_names_its_cast_unless_somebody_asks_for_another() -> None:
    content = SUITE | {"implementations": ["caf", "pony"]}
    content["benchmarks"] = [
        {"name": "all", "benchmark": "pingpong"},
        {"name": "caf-alone", "benchmark": "big", "implementations": ["caf"]},
        {"name": "both-schedulers", "benchmark": "bang", "implementations": ["caf"],
         "sweep": {"variant": ["plain", "sharing"]}},
    ]  # fmt: skip
    suite = suites.checked(content)

    def cast(**asked: bool) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for unit in timing_plan.make([suite], ["go", "akka"], seed=1, **asked).units:
            found.setdefault(unit.scenario.benchmark, []).append(unit.implementation)
        return found

    assert cast(asked=False) == {
        "pingpong": ["caf", "pony"],
        "big": ["caf"],
        "bang": ["caf", "caf+sharing"],
    }
    assert cast(asked=True) == {
        "pingpong": ["go", "akka"],
        "big": ["go", "akka"],
        "bang": ["go", "akka", "go+sharing", "akka+sharing"],
    }


@pytest.mark.parametrize("where", ["suite", "entry"])
def test_a_cast_of_nobody_is_refused(where: str) -> None:
    entry = {"benchmark": "pingpong"} | ({"implementations": []} if where == "entry" else {})
    content = {"suite": "test", "benchmarks": [entry]}
    content |= {"implementations": []} if where == "suite" else {}
    with pytest.raises(SuiteError, match=r"mine.yaml: .*implementations: "):
        suites.checked(content, "mine.yaml")


def test_the_same_seed_gives_the_same_order() -> None:
    suite = suites.checked(SUITE)
    orders = [timing_plan.make([suite], ["a", "b", "c"], seed=5).order() for _ in range(2)]
    assert orders[0] == orders[1]


def test_a_plan_survives_the_header_of_the_results() -> None:
    made = timing_plan.make([suites.load("first")], ["erlang"], seed=5)
    assert timing_plan.Plan.model_validate_json(made.model_dump_json()) == made


def test_what_two_suites_have_in_common_is_run_once() -> None:
    suite = suites.load("tiny")
    assert len(timing_plan.make([suite, suite], ["one"], seed=1).units) == len(suite.benchmarks)


def test_two_suites_of_one_name_are_refused() -> None:
    """Their curves would be one."""
    one, other = (
        suites.checked({"suite": "mine", "benchmarks": [{"benchmark": benchmark}]})
        for benchmark in ("pingpong", "big")
    )
    with pytest.raises(suites.SuiteError, match="two suites are called mine"):
        timing_plan.make([one, other], ["one"], seed=1)


@pytest.mark.parametrize("cores", [1, 2, 16])
def test_what_is_so_much_for_each_core_grows_with_the_machine(
    monkeypatch: pytest.MonkeyPatch, cores: int
) -> None:
    monkeypatch.setattr(environment, "pinned_to", lambda: list(range(cores)))
    monkeypatch.setattr(environment.quota, "cores", lambda: None)
    (chatapp,) = suites.load("first").benchmarks
    assert chatapp.made.parameters["turns"] == 3 * cores
    assert chatapp.model_copy(update={"cores": 1}).made.parameters["turns"] == 3
    usual = chatapp.model_copy(update={"for_each_core": {"turns": 2}}).made
    assert usual.name == ("mixed" if cores == 2 else "custom"), (
        "what is the scenario bears its name"
    )


def test_a_quota_leaves_a_part_of_the_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "pinned_to", lambda: list(range(8)))
    for share, many in ((0.5, 1), (2.5, 2), (64.0, 8), (None, 8)):
        monkeypatch.setattr(environment.quota, "cores", lambda share=share: share)
        assert environment.usable_cores() == many


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        ("for_each_core: {turn: 2}", "did you mean 'turns'"),
        ("for_each_core: {turns: 0}", "greater than or equal to 1"),
        ("for_each_core: {turns: 2}, parameters: {turns: 3}", "in parameters and in for_each_core"),
        ("for_each_core: {turns: 2}, sweep: {turns: [1, 2]}", "turns"),
    ],
)
def test_for_each_core_takes_what_there_is_once(tmp_path: Path, entry: str, complaint: str) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(f"suite: mine\nbenchmarks: [{{benchmark: chatapp, scale: small, {entry}}}]\n")
    with pytest.raises(SuiteError, match=complaint):
        suites.load(str(file))
