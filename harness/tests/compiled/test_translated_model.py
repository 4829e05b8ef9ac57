"""The translated model does what the model does: for every kind of message, at the edges of every
argument, interpreted and as machine code."""

import dataclasses
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compiled_kit import compiled, imported, module

from dramaturg.model import workload as workloads
from dramaturg.model.actor import Actor
from dramaturg.model.chatapp import Parameters
from dramaturg.model.messages import ARITY, KINDS
from dramaturg.trace.replay.steps.players import Compiled, Interpreted, Player, TooWide

EDGES = (0, 1, 2, 2**31 - 1, 2**31, 2**32 - 1)
"""Values of an argument of 32 bits."""

WIDE = (2**32, 2**63 - 1, 2**63, 2**64 - 1)
"""Values of one that has all 64 bits, as payloads and wide values have (PING-7)."""

SMALL: dict[str, Any] = {
    "chatapp": Parameters(
        clients=5, directories=2, turns=3, compute=10, post=45, leave=20, invite=25, befriend=60,
        fib_n=3,
    ),
    **{
        name: workloads.MICRO[name].parameters(**values)
        for name, values in {
            "pingpong": {"rounds": 4, "shift": 32},
            "big": {"peers": 4, "rounds": 2},
            "bang": {"senders": 3, "messages": 4, "windows": 2, "window": 50},
            "web": {"browsers": 4, "workers": 2, "requests": 2, "fib_n": 3},
            "count": {"adders": 3, "adds": 4},
            "chain": {"length": 6},
            "fanout": {"runners": 3, "tasks": 4, "window": 2},
            "sleepers": {"sleepers": 3, "naps": 2, "delay": 1},
            "mergesort": {"length": 9, "leaf": 1, "seed": 42},
            "broker": {"employees": 3, "tasks": 6, "size": 4},
            "openweb": {"servers": 2, "requests": 5, "gap": 1, "seed": 42, "fib_n": 3},
        }.items()
    },
}  # fmt: skip

ENDLESS = {"befriend"}
"""A directory of one client never ends with these."""

ANY_WIDE = {"forward", "post", "ping", "pong", "stop", "bump", "bang", "answer", "add", "finish"}
"""Messages of which the last argument may have 64 bits."""


@pytest.fixture(scope="module", params=["interpreted", "compiled"])
def package(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    if request.param == "compiled":
        if not compiled():
            pytest.skip("the model is not compiled here: make setup says why")
        yield compiled()
        return
    with imported(tmp_path_factory.mktemp("translated")) as name:
        yield name


class _Heard:
    """The actions of an actor, with numbers as they are on the wire."""

    def __init__(self) -> None:
        self.reports: list[Any] = []
        self.born: list[int] = []
        self.ended = 0
        self.ways = self.reports.append, self._enter, self._leave, self._flush

    def _enter(self, actor: Any) -> None:
        self.born.append(int(actor.name))

    def _leave(self) -> None:
        self.ended += 1

    def _flush(self) -> None:
        raise AssertionError("so much is not sent upon a message")


def _upon(player: Player, heard: _Heard, actor: Any, kind: int, args: tuple[int, ...]) -> Any:
    """Return what it sends and does upon a message, or that it fails."""
    sender, failed = np.array([0x0400000100000000], np.uint64), False
    words = np.array(args, np.uint64)
    try:
        player.take(actor, sender, np.array([kind]), words, 1 << 20)
    except Exception:
        failed = True
    try:
        out, _ = player.drained()
    except TooWide:
        return "too wide"
    # An actor that fails is refused, whatever it had sent by then.
    return "failed" if failed else (out.tolist(), heard.reports, heard.born, heard.ended)


def _actors(name: str) -> list[Actor]:
    """One of each class of this benchmark, as the model spawns them."""
    parameters = SMALL[name]
    model = type(parameters).__module__.rpartition(".")[2]
    module = __import__(f"dramaturg.model.{model}", fromlist=["initial"])
    found: dict[int, Actor] = {}
    for actor in module.initial(parameters):
        found.setdefault(actor.actor_class, actor)
    return list(found.values())


def _twins(package: str, name: str, which: type[Actor], values: list[Any]) -> tuple[Any, Any]:
    parameters = SMALL[name]
    own = module(package, which.__module__.rpartition(".")[2])
    fields = {each.name: getattr(parameters, each.name) for each in dataclasses.fields(parameters)}
    twin = own.Parameters(**fields)
    return which(*(values)), getattr(own, which.__name__)(
        *(twin if value is parameters else value for value in values)
    )


def _behaviours() -> list[tuple[str, type[Actor], list[Any]]]:
    """Each class of actors, with what it is made from."""
    from dramaturg.model import (
        bang,
        big,
        broker,
        chain,
        chatapp,
        count,
        fanout,
        mergesort,
        openweb,
        pingpong,
        sleepers,
        web,
    )

    p = SMALL
    return [
        ("chatapp", chatapp.Poker, [p["chatapp"]]),
        ("chatapp", chatapp.Directory, [1, 65535, p["chatapp"]]),
        ("chatapp", chatapp.Client, [3, chatapp.directory_name(1), 65535, p["chatapp"]]),
        ("chatapp", chatapp.Chat, [chatapp.chat_name(1, 2), 1, True]),
        ("chatapp", chatapp.Accumulator, [2, 2**31]),
        ("pingpong", pingpong.Ping, [10 << 56, 11 << 56, p["pingpong"]]),
        ("pingpong", pingpong.Pong, [11 << 56, p["pingpong"]]),
        ("big", big.Coordinator, [p["big"]]),
        ("big", big.Peer, [3, p["big"]]),
        ("bang", bang.Receiver, [p["bang"]]),
        ("bang", bang.Sender, [2, p["bang"]]),
        ("web", web.Dispatcher, [p["web"]]),
        ("web", web.Worker, [1, p["web"]]),
        ("web", web.Browser, [1, p["web"]]),
        ("count", count.Tally, [p["count"]]),
        ("count", count.Adder, [1, p["count"]]),
        ("count", count.Counter, [p["count"]]),
        ("chain", chain.Link, [0]),
        ("chain", chain.Link, [2**32 - 1]),
        ("fanout", fanout.Master, [p["fanout"]]),
        ("fanout", fanout.Runner, [1, p["fanout"]]),
        ("sleepers", sleepers.Alarm, [p["sleepers"]]),
        ("sleepers", sleepers.Sleeper, [1, p["sleepers"]]),
        ("mergesort", mergesort.Sorter, [1, p["mergesort"]]),
        ("broker", broker.Employer, [p["broker"]]),
        ("broker", broker.Router, [p["broker"]]),
        ("broker", broker.Employee, [1, p["broker"]]),
        ("openweb", openweb.Source, [p["openweb"]]),
        ("openweb", openweb.Balancer, [p["openweb"]]),
        ("openweb", openweb.Server, [1, p["openweb"]]),
    ]


def _arguments(label: str, arity: int, interpreted: bool) -> list[tuple[int, ...]]:
    """Every edge in every place, the others small; and all at the upper edge."""
    found = [(1,) * arity, (EDGES[-1],) * arity]
    for place, edge in itertools.product(range(arity), EDGES):
        found.append((1,) * place + (edge,) + (1,) * (arity - place - 1))
    if label in ANY_WIDE and not interpreted:
        # Not interpreted: there numbers do not wrap, and do not fit into what is sent.
        found += [(1,) * (arity - 1) + (edge,) for edge in WIDE]
    return found


@pytest.mark.parametrize("behaviour", _behaviours(), ids=lambda each: each[1].__name__)
def test_every_message_has_the_same_effect_at_the_edges_of_its_arguments(
    behaviour: tuple[str, type[Actor], list[Any]], package: str
) -> None:
    name, which, values = behaviour
    engine = module(package, "engine")
    kinds = [kind for kind in KINDS.values() if kind.receiver_class == which.actor_class]
    assert kinds
    interpreted = package != compiled()
    for kind in kinds:
        if kind.label in ENDLESS and which.__name__ == "Directory":
            continue
        for args in _arguments(kind.label, ARITY[kind.number], interpreted):
            plain, twin = _twins(package, name, which, values)
            one, other = _Heard(), _Heard()
            for _ in range(3):  # The effects of a message show upon the next one.
                expected = _upon(Interpreted(*one.ways), one, plain, kind.number, args)
                if expected == "too wide":
                    # A number below 0: no run of the model comes so far, and it is refused.
                    break
                if interpreted and expected != "failed" and any(n >> 63 for n in expected[0]):
                    # Not compiled, numbers do not wrap: this one does not fit into what is sent.
                    break
                said = _upon(Compiled(engine, *other.ways), other, twin, kind.number, args)
                assert said == expected, f"{which.__name__}.{kind.label}{args}"
                if expected == "failed":
                    break


def test_a_message_of_another_actor_fails(package: str) -> None:
    engine, heard = module(package, "engine"), _Heard()
    twin = module(package, "chain").Link(0)
    foreign = next(number for number in KINDS if KINDS[number].receiver_class == 2)
    said = _upon(Compiled(engine, *heard.ways), heard, twin, foreign, (1,) * ARITY[foreign])
    assert said == "failed"


def test_all_benchmarks_are_translated(tmp_path: Path) -> None:
    from dramaturg.compiled import translation

    assert set(translation.MODELS) == {"chatapp", *workloads.MICRO}
