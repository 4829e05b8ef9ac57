"""The compiled token game says *conforms* of just those logs of which the plain one does.

Of whole runs and of parts, honest ones and every single-event mutation: as machine code, and
interpreted, where a wrong game is seen that nobody has compiled.
"""

import random
from collections.abc import Iterator

import pytest
from compiled_kit import compiled, imported
from quick_kit import RUNS, Run, in_columns, mutations, run_of, some_watches, watched_of

from dramaturg.compiled import loading
from dramaturg.model import big, chatapp, names
from dramaturg.model.simulation import AtRandom, Simulation
from dramaturg.model.workload import MICRO, MicroWorkload
from dramaturg.trace.events import Logs
from dramaturg.trace.partial import quick_part
from dramaturg.trace.partial.part_replay import PartVerdict, replay_part
from dramaturg.trace.partial.watched_replay import replay_watched
from dramaturg.trace.replay import quick_game
from dramaturg.trace.replay.token_game import replay
from dramaturg.trace.watches import EVERYBODY, Watches, watch
from dramaturg.v2 import trace_pb2 as kind

SOME = 9
"""Of so many mutations one is tried where the game is interpreted."""

FEW = 60
"""Events of a part of which all are removed, one at a time: what outsiders had to say is missing
where few watched actors would miss it."""

WINDOWED: dict[str, Run] = {
    f"{name} windowed": MicroWorkload(MICRO[name], MICRO[name].parameters(**values)).run(7)
    for name, values in {
        "pingpong": {"rounds": 0, "windows": 3, "window": 1},
        "big": {"peers": 4, "rounds": 0, "windows": 2, "window": 1},
        "bang": {"senders": 3, "messages": 2, "windows": 2, "window": 1},
    }.items()
}


@pytest.fixture(scope="module", params=["interpreted", "compiled"])
def one_of(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[int]:
    """Plays by that game. Of so many mutations one is tried."""
    if request.param == "compiled":
        if not compiled():
            pytest.skip("the model is not compiled here: make setup says why")
        yield 1
        return
    with (
        imported(tmp_path_factory.mktemp("translated")) as package,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(loading, "package", lambda: package)
        yield SOME


def performed(workload: Run, seed: int) -> Logs:
    return Simulation(workload, AtRandom(random.Random(seed).randrange)).perform().logs


@pytest.mark.parametrize("name", [*RUNS, *WINDOWED])
def test_a_run_conforms_by_both_with_the_same_findings(name: str, one_of: int) -> None:
    workload = {**RUNS, **WINDOWED}[name]
    for seed in range(3):
        logs = performed(workload, seed)
        plain = replay(workload, logs)
        quick = quick_game.conforming(workload, in_columns(logs))
        assert plain.conforms
        assert quick is not None
        assert quick[0] == plain
        assert quick[1] == len({(a, sender) for a, log in logs.items() for sender, _ in log})


@pytest.mark.parametrize("name", RUNS)
def test_of_every_single_mutation_both_say_the_same(name: str, one_of: int) -> None:
    workload, logs = run_of(name)
    conforming = 0
    for number, (how, changed) in enumerate(mutations(logs)):
        if number % one_of:
            continue
        plain = replay(workload, changed)
        quick = quick_game.conforming(workload, in_columns(changed))
        assert (quick is not None) == plain.conforms, f"{how}, mutation {number}"
        conforming += plain.conforms
        assert quick is None or quick[0] == plain
    print(f"{name}: {conforming} of {number + 1} conform")


@pytest.mark.parametrize("name", ["chatapp", "web"])
def test_a_log_that_lacks_its_end_or_all_of_an_actor_does_not_conform(
    name: str, one_of: int
) -> None:
    workload, logs = run_of(name)
    for actor, log in logs.items():
        for kept in ([], log[: len(log) // 2]):
            lacks = {**logs, actor: kept}
            assert not replay(workload, lacks).conforms
            assert quick_game.conforming(workload, in_columns(lacks)) is None


def test_what_is_said_must_be_what_was_logged(one_of: int) -> None:
    """Also where no other message would show it."""
    sender, receiver = big.peer_name(0), big.peer_name(1)
    ping, pong = kind.MESSAGE_KIND_PEER_PING, kind.MESSAGE_KIND_PEER_PONG
    logs = in_columns({receiver: [(sender, (ping, (1, 2)))] * 2})
    machine = loading.machine(RUNS["big"].parameters)
    assert machine is not None

    def fits(*said: tuple[int, int, int, list[int]]) -> bool:
        game = machine.game.Game(*[lambda *args: 0] * 4)
        game.lay(*quick_game.laid(logs.columns()))
        for each in said:
            game.say(*each)
        return bool(game.fits)

    right = sender, receiver, ping, [1, 2]
    assert fits(right, right)
    assert not fits(right, right, right)
    assert not fits((sender, receiver, pong, [1, 2]))
    assert not fits((sender, receiver, ping, [1, 3]))
    assert not fits((sender, receiver, ping, [1]))
    assert not fits(right, (receiver, receiver, ping, [1, 2]))
    assert not fits(right, (sender, sender, ping, [1, 2]))


def closed(of: int, number: int) -> Watches:
    """A directory with its clients and their chats."""
    return [
        watch(names.DIRECTORY, first=number, last=number),
        watch(names.CLIENT, modulus=of, remainder=number),
        watch(names.CHAT, modulus=of, remainder=number),
    ]


def parts() -> Iterator[tuple[Logs, Watches]]:
    """Of ChatApp: parts as audits watch them, and any others."""
    for seed in range(3):
        logs = performed(RUNS["chatapp"], seed)
        yield logs, closed(2, seed % 2)
        for each in range(4):
            yield logs, some_watches(logs, random.Random(10 * seed + each))


def counts_of(logs: Logs) -> dict[int, int]:
    return {actor: len(log) for actor, log in logs.items()}


def test_of_a_part_of_chatapp_both_find_the_same(one_of: int) -> None:
    workload, played = RUNS["chatapp"], 0
    for logs, watches in parts():
        part, taken = watched_of(logs, watches), counts_of(logs)
        plain = replay_part(workload, watches, part, taken)
        assert plain.conforms
        assert replay_watched(workload, watches, in_columns(part), taken) == plain
        played += is_quick(watches, part, taken)
    assert played > 3, "nearly all were left to the plain one"


def is_quick(watches: Watches, part: Logs, taken: dict[int, int]) -> bool:
    """Whether it is not left to the plain game."""
    return quick_part.conforming(RUNS["chatapp"], watches, in_columns(part), taken) is not None


def test_of_every_single_mutation_of_a_part_both_say_the_same(one_of: int) -> None:
    workload, refused, number = RUNS["chatapp"], 0, 0
    for logs, watches in parts():
        part, taken = watched_of(logs, watches), counts_of(logs)
        few = sum(map(len, part.values())) < FEW
        for how, changed in mutations(part):
            number += 1
            if number % (3 * one_of) and not (few and how == "removed"):
                continue
            plain = replay_part(workload, watches, changed, taken)
            quick = replay_watched(workload, watches, in_columns(changed), taken)
            assert quick.conforms == plain.conforms, f"{how}, mutation {number}"
            assert amounts(quick) == amounts(plain)
            refused += not plain.conforms
    assert refused


def amounts(verdict: PartVerdict) -> tuple[object, ...]:
    return (
        verdict.events, verdict.decided, verdict.bounded, verdict.pairs, verdict.born,
        verdict.open, verdict.miscounted, [each.headline() for each in verdict.divergences],
    )  # fmt: skip


def test_what_does_not_conform_is_explained_by_the_plain_one(one_of: int) -> None:
    workload, logs = run_of("chatapp")
    client = chatapp.client_name(1)
    lacks = {**logs, client: logs[client][:-2]}
    plain = replay_watched(workload, EVERYBODY, lacks)
    assert plain.divergences
    quick = replay_watched(workload, EVERYBODY, in_columns(lacks))
    assert amounts(quick) == amounts(plain)
    assert quick.taken == plain.taken


def test_where_nothing_is_compiled_the_plain_one_replays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "package", lambda: "")
    workload, logs = run_of("chatapp")
    assert quick_game.conforming(workload, in_columns(logs)) is None
    assert replay_watched(workload, EVERYBODY, in_columns(logs)).conforms
