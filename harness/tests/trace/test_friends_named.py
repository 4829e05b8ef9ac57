"""A list of friends in another order is asked for by the requirement on that list (CHAT-16)."""

from explained_kit import CHAT, HOST, asked, explained

from dramaturg.model import names
from dramaturg.model.chatapp import Parameters
from dramaturg.model.messages import Choice
from dramaturg.model.workload import ChatAppWorkload
from dramaturg.trace.events import Logs
from dramaturg.v2 import trace_pb2 as kind

JOIN = kind.MESSAGE_KIND_CHAT_JOIN


def _inviting() -> ChatAppWorkload:
    parameters = Parameters(
        clients=5, directories=1, turns=1, compute=0, post=0, leave=0, invite=0, befriend=100
    )
    return ChatAppWorkload(parameters).prepare().act(0, Choice.INVITE, k=3)


def _joins(logs: Logs) -> list[int]:
    return [place for place, (_, (number, _)) in enumerate(logs[CHAT]) if number == JOIN]


def test_another_friend_than_the_models_is_asked_for_by_the_order_of_friends() -> None:
    def turned(logs: Logs) -> None:
        [first, *_, last] = [at for at in _joins(logs) if logs[CHAT][at][0] == HOST]
        one, other = logs[CHAT][first], logs[CHAT][last]
        assert one != other
        logs[CHAT][first], logs[CHAT][last] = other, one

    found = explained(turned, _inviting())
    assert asked(found)[-1] == "CHAT-16"
    assert "CHAT-26" in asked(found)
    assert found.note.startswith("client/0 has both as friends: its list is in another order")


def test_somebody_who_is_no_friend_is_not_put_down_to_the_order_of_friends() -> None:
    def strange(logs: Logs) -> None:
        at = _joins(logs)[-1]
        sender, (number, args) = logs[CHAT][at]
        logs[CHAT][at] = sender, (number, (args[0], 99))

    found = explained(strange, _inviting())
    assert "CHAT-16" not in asked(found)
    assert names.spell(HOST) == "client/0"
