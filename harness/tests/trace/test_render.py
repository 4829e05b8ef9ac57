"""The report on the terminal says what to do about it, in the room that a terminal has."""

import pytest

from dramaturg import requirements
from dramaturg.model.chatapp import Parameters
from dramaturg.model.messages import Choice
from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import ChatAppWorkload
from dramaturg.trace.explanation.departure import Explanation, explain
from dramaturg.trace.explanation.diagram import WIDTH, diagram
from dramaturg.trace.explanation.message_sequence import Cut, Sequence, Status, Step
from dramaturg.trace.explanation.render import render
from dramaturg.trace.replay.token_game import replay
from dramaturg.v2 import trace_pb2 as kind


@pytest.fixture(scope="module")
def lost() -> Explanation:
    """The last forward of a scripted run is lost."""
    parameters = Parameters(
        clients=2, directories=1, turns=1, compute=0, post=0, leave=0, invite=0, befriend=50
    )
    workload = ChatAppWorkload(parameters).prepare().act(0, Choice.INVITE, k=1).act(0, Choice.POST)
    logs = Simulation(workload).perform().logs
    client = next(
        actor
        for actor, log in logs.items()
        if log[-1][1][0] == kind.MESSAGE_KIND_CLIENT_FORWARD and actor >> 24 & 1
    )
    del logs[client][-1]
    explanation = explain(workload, logs, replay(workload, logs))
    assert explanation is not None
    return explanation


def words(text: str) -> str:
    return " ".join(text.split())


def test_the_requirement_is_quoted_in_full_with_its_chapter(lost: Explanation) -> None:
    text = render(lost)
    for name in ("CHAT-37", "ACT-5"):
        assert f"{name}, {requirements.load()[name].file}" in text
        assert words(requirements.load()[name].text) in words(text)


def test_it_says_upon_what_the_message_had_to_be_sent(lost: Explanation) -> None:
    assert (
        "upon event 1 of chat/0.0's log, client/0 -> chat/0.0 post(turn=1, payload=0)"
    ) in words(render(lost))


def test_the_command_comes_last(lost: Explanation) -> None:
    assert render(lost, "./dramaturg replay x.run").endswith("replay     ./dramaturg replay x.run")


def test_the_drawing_is_what_it_was(lost: Explanation) -> None:
    drawn = """\
    control     poker/0     directory/0    client/0     chat/0.0     client/1     accumulator/1
       ├──────────▶│ act(client=0, choice=2, index=0, k=0)  │            │              │
       │           ├────────────▶│ act(turn=1, client=0, choice=2, index=0, k=0)        │
       │           │             ├────────────▶│ act(turn=1, choice=2, index=0, k=0, salt=0)
       │           │             │             ├───────────▶│ post(turn=1, payload=0)   │
       │           │  bump(level=0, n=2, digest=2027789922) ├──────────────────────────▶│
       │           │             │             │◀───────────┤ forward(turn=1, level=1, payload=0)
       │        forward(turn=1, level=1, payload=0)  ✗ lost ├─ ─ ─ ─ ─ ─✗│              │"""
    assert "\n".join(diagram(lost.sequence)) == drawn


def long_one(actors: int, message: str = "ping(round=0)") -> Sequence:
    return [Step(f"peer/{n}", f"peer/{n + 1}", message, Status.TAKEN) for n in range(actors - 1)]


@pytest.mark.parametrize("actors", range(2, 16))
@pytest.mark.parametrize("letters", [5, 40, 93, 200])
@pytest.mark.parametrize("width", [60, 80, WIDTH])
def test_no_line_is_wider_than_the_terminal(actors: int, letters: int, width: int) -> None:
    last = Step("peer/1", "peer/0", "x" * letters, Status.LOST)
    drawn = diagram([*long_one(actors, "x" * letters), Cut(3), last], width)
    assert max(map(len, drawn)) <= width
    assert any("⋮ 3 more" in line for line in drawn)
    assert any("✗ lost" in line for line in drawn)


def test_more_actors_than_fit_are_listed_with_their_numbers() -> None:
    drawn = diagram([*long_one(15), Cut(4), Step("peer/14", "peer/0", "pong()", Status.ACTUAL)])
    assert drawn[0].split() == ["1", "peer/0", "->", "peer/1", "ping(round=0)"]
    assert drawn[-1].split() == ["19", "peer/14", "->", "peer/0", "pong()", "✗", "taken"]


@pytest.mark.parametrize("status", [s for s in Status if s is not Status.TAKEN])
def test_what_became_of_a_message_is_said_also_where_it_is_cut(status: Status) -> None:
    drawn = diagram([Step("client/0", "directory/0", "left(" + "x" * 200, status)])
    said = {"pending": "not taken", "lost": "✗ lost", "expected": "(expected)", "actual": "✗ taken"}
    assert any("..." in line and said[status] in line for line in drawn)


def test_what_an_actor_sends_itself_is_drawn_at_its_own_line() -> None:
    step = Step("ping/0", "ping/0", "tick(number=0)", Status.TAKEN)
    assert diagram([Step("control", "ping/0", "start()", Status.TAKEN), step])[-1].endswith(
        "├⟲ tick(number=0)"
    )


def test_arrows_point_to_who_takes() -> None:
    there = Step("ping/0", "pong/0", "ping(left=1)", Status.TAKEN)
    back = Step("pong/0", "ping/0", "pong(left=1)", Status.TAKEN)
    _, first, second = diagram([there, back])
    assert first.strip().startswith("├") and first.strip().endswith("▶│")
    assert second.strip().startswith("│◀") and second.strip().endswith("┤")
