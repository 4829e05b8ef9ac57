"""The homes of ChatApp's actors, which are made while it runs (spec/distributed.md)."""

from dataclasses import replace

import pytest

from dramaturg.model import chatapp, names, placement
from dramaturg.model.chatapp import Selection
from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import ChatAppWorkload

FEW = chatapp.Parameters(13, 4, 6, 10, 50, 10, 30, 50, Selection.CUMULATIVE, 3)


@pytest.mark.parametrize(("clients", "directories"), [(3, 1), (7, 2), (11, 3), (64, 5), (12, 12)])
def test_each_directory_has_a_client_on_each_node(clients: int, directories: int) -> None:
    p = replace(FEW, clients=clients, directories=directories)
    most = placement.most("chatapp", p)
    assert most == clients // directories
    for nodes in range(1, most + 1):
        for directory in range(directories):
            own = range(directory, clients, directories)
            homes = {placement.node_of(names.name(names.CLIENT, c), nodes, p) for c in own}
            assert homes == set(range(nodes))


def test_with_one_node_more_a_directory_lacks_one() -> None:
    p = replace(FEW, clients=11, directories=3)
    own = range(2, 11, 3)
    homes = {placement.node_of(names.name(names.CLIENT, c), 4, p) for c in own}
    assert placement.most("chatapp", p) == 3 and len(homes) == 3


def test_what_friends_say_to_each_other_crosses() -> None:
    """Some messages cross of each kind that goes from one client's chat to another client, and a
    chat has its maker's node."""
    done = Simulation(ChatAppWorkload(FEW).prepare().run(1).disconnect()).perform()
    crossed = set()
    for receiver, log in done.logs.items():
        there = placement.node_of(receiver, 3, FEW)
        for sender, (number, _) in log:
            if sender != names.name(names.CONTROL):
                here = placement.node_of(sender, 3, FEW)
                if here != there:
                    crossed.add((names.class_of(sender), names.class_of(receiver)))
                if number == names.CHAT:
                    assert here == there
    assert {
        (names.CLIENT, names.CHAT),
        (names.CHAT, names.CLIENT),
        (names.CHAT, names.ACCUMULATOR),
        (names.DIRECTORY, names.CLIENT),
        (names.CLIENT, names.DIRECTORY),
        (names.POKER, names.DIRECTORY),
    } <= crossed
