"""The numbers of messages that go between nodes, and that stay on theirs (MEAS-62)."""

from dramaturg.model import chatapp, names, placement
from dramaturg.model.chatapp import Selection
from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import MICRO, ChatAppWorkload, MicroWorkload
from dramaturg.trace import traffic


def test_messages_of_ping_pong_all_cross_and_those_of_control_count_nowhere() -> None:
    micro = MICRO["pingpong"]
    p = micro.parameters(rounds=7)
    logs = Simulation(MicroWorkload(micro, p).run(salt=42)).perform().logs
    heard = sum(
        names.class_of(sender) != names.CONTROL for log in logs.values() for sender, _ in log
    )
    assert traffic.counted(logs, 2, p) == (heard, 0)
    assert traffic.counted(logs, 1, p) == (0, heard)


def test_of_chatapp_each_message_is_counted_where_its_two_actors_live() -> None:
    p = chatapp.Parameters(13, 4, 40, 10, 50, 10, 30, 50, Selection.CUMULATIVE, 3)
    logs = Simulation(ChatAppWorkload(p).prepare().run(salt=42).disconnect()).perform().logs
    pairs = [
        (placement.node_of(sender, 3, p), placement.node_of(receiver, 3, p))
        for receiver, log in logs.items()
        for sender, _ in log
        if names.class_of(sender) != names.CONTROL
    ]
    crossed = sum(one != other for one, other in pairs)
    assert 0 < crossed < len(pairs)
    assert traffic.counted(logs, 3, p) == (crossed, len(pairs) - crossed)
