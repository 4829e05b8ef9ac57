"""Generates the steps of a search: acts and turns that fit the world as it is by then.

An act with arguments at random seldom does anything. So each situation here looks at
the model's world, performed beside it act by act, and picks among the acts that bring it
about. If turns let clients act at once, an implementation's world may by then differ from the
model's; the act is then a legal one all the same.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dramaturg.model import chatapp, names
from dramaturg.model.messages import Choice
from dramaturg.model.simulation import Simulation
from dramaturg.v2 import case_pb2, control_pb2

BEYOND = 2**32 - 1
"""A place that no list has."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A client's entry of a chat: who, where in its list, and the chat."""

    client: chatapp.Client
    index: int
    chat: chatapp.Chat

    @property
    def alone(self) -> bool:
        return self.chat.members == [self.client.number]

    def act(self, choice: Choice, k: int = 0) -> case_pb2.Step:
        return _act(self.client.number, choice, self.index, k)


def _act(client: int, choice: Choice, index: int = 0, k: int = 0) -> case_pb2.Step:
    request = control_pb2.ActRequest(client=client, choice=int(choice), index=index, k=k)  # type: ignore[arg-type]
    return case_pb2.Step(act=request)


def _clients(simulation: Simulation) -> list[chatapp.Client]:
    return [actor for actor in simulation.actors.values() if isinstance(actor, chatapp.Client)]


def _entries(simulation: Simulation) -> Iterator[Entry]:
    for client in _clients(simulation):
        for index, name in enumerate(client.chats):
            chat = simulation.actors[name]
            assert isinstance(chat, chatapp.Chat)
            yield Entry(client, index, chat)


def _guests(entry: Entry) -> Iterator[tuple[int, bool]]:
    """Places among the friends of whose entry it is; and whether the friend is a member."""
    for k, friend in enumerate(entry.client.friends):
        yield k, names.index_of(friend) in entry.chat.members


def _each(choice: Choice) -> Callable[[Simulation], Iterator[case_pb2.Step]]:
    return lambda simulation: (_act(client.number, choice) for client in _clients(simulation))


def _invite(simulation: Simulation) -> Iterator[case_pb2.Step]:
    for client in _clients(simulation):
        for k in (*range(len(client.friends) + 1), BEYOND):
            yield _act(client.number, Choice.INVITE, k=k)


def _post(simulation: Simulation) -> Iterator[case_pb2.Step]:
    return (entry.act(Choice.POST) for entry in _entries(simulation))


def _lone_post(simulation: Simulation) -> Iterator[case_pb2.Step]:
    return (entry.act(Choice.POST) for entry in _entries(simulation) if entry.alone)


def _leave(simulation: Simulation) -> Iterator[case_pb2.Step]:
    return (entry.act(Choice.LEAVE) for entry in _entries(simulation))


def _last_leaves(simulation: Simulation) -> Iterator[case_pb2.Step]:
    return (entry.act(Choice.LEAVE) for entry in _entries(simulation) if entry.alone)


def _join(simulation: Simulation) -> Iterator[case_pb2.Step]:
    for entry in _entries(simulation):
        for k, _ in _guests(entry):
            yield entry.act(Choice.JOIN, k)


def _join_late(simulation: Simulation) -> Iterator[case_pb2.Step]:
    for entry in _entries(simulation):
        for k, member in _guests(entry):
            if entry.chat.history and not member:
                yield entry.act(Choice.JOIN, k)


def _join_again(simulation: Simulation) -> Iterator[case_pb2.Step]:
    for entry in _entries(simulation):
        for k, member in _guests(entry):
            if member:
                yield entry.act(Choice.JOIN, k)


def _empty_handed(simulation: Simulation) -> Iterator[case_pb2.Step]:
    for client in _clients(simulation):
        for index in (len(client.chats), BEYOND):
            for choice in (Choice.POST, Choice.LEAVE, Choice.JOIN):
                yield _act(client.number, choice, index)
        if client.chats:
            yield _act(client.number, Choice.JOIN, k=len(client.friends))
        if not client.friends:
            yield _act(client.number, Choice.INVITE, k=1)


def _turn(simulation: Simulation) -> Iterator[case_pb2.Step]:
    yield case_pb2.Step(turn=control_pb2.TurnRequest())


SITUATIONS: dict[str, Callable[[Simulation], Iterator[case_pb2.Step]]] = {
    "drawn act": _each(Choice.DRAW),
    "invite": _invite,
    "post": _post,
    "join a chat with a history": _join_late,
    "join a chat again": _join_again,
    "post by the only member": _lone_post,
    "leave of the last member": _last_leaves,
    "leave": _leave,
    "join": _join,
    "nothing there to act on": _empty_handed,
    "none": _each(Choice.NONE),
    "compute": _each(Choice.COMPUTE),
    "turn": _turn,
}
"""Situations by name. A failure is shortened to the first ones, if it can be."""


def step(situation: str, pick: int, simulation: Simulation) -> case_pb2.Step | None:
    """One of the steps that bring the situation about; None if none does."""
    options = list(SITUATIONS[situation](simulation))
    return options[pick % len(options)] if options else None
