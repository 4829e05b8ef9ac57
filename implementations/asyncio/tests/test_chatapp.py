"""The history that a chat keeps (spec/chatapp.md)."""

from types import SimpleNamespace
from typing import Any

from asyncio_actors.benchmarks import table
from asyncio_actors.benchmarks.chatapp import Accumulator, Chat, Client
from asyncio_actors.benchmarks.fold import add, payload_digest
from asyncio_actors.benchmarks.names import name
from asyncio_actors.control.log import Log


class Hearer:
    """Whoever is sent something: keeps what it is to do, and with which numbers."""

    def __init__(self) -> None:
        self.heard: list[tuple[Any, ...]] = []

    def put(self, letter: tuple[Any, Any, tuple[Any, ...]]) -> None:
        behaviour, _, arguments = letter
        numbers = [each for each in arguments if isinstance(each, int)]
        self.heard.append((behaviour, *numbers))


def chat_of(hearer: Any, history: bool) -> Chat:
    system: Any = SimpleNamespace(log=Log([]))
    address: Any = SimpleNamespace(name=name(table.CHAT))
    return Chat(system, address, hearer, history)


def test_the_sum_of_a_history_is_kept_post_by_post() -> None:
    hearer: Any = Hearer()
    chat = chat_of(hearer, history=True)
    for payload in (3, 4):
        chat.post(hearer, 0, payload, hearer)
    assert chat._digests == add(payload_digest(3), payload_digest(4))


def test_without_a_history_there_is_no_sum() -> None:
    hearer: Any = Hearer()
    chat = chat_of(hearer, history=False)
    chat.post(hearer, 0, 3, hearer)
    assert chat._digests == 0


def test_what_a_join_announces_is_the_sum_that_was_kept_and_none_is_made() -> None:
    hearer: Any = Hearer()
    chat = chat_of(hearer, history=True)
    chat._history, chat._digests = [3], 42
    chat.join(hearer, 5, 0, hearer, hearer)
    assert hearer.heard == [
        (Accumulator.bump, 1, 2, 42),
        (Client.forward, 5, 2, 3),
        (Client.accepted, 5, 2),
    ]
