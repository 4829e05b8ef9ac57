"""What a search calls for: acts and turns that fit the world as it is by then.

An act with arguments at random seldom does anything. So each situation here looks at
the model's world, played along act by act, and picks among the acts that bring it
about. Where turns let clients act at once, an implementation's world may by then be
another one than the model's; the act is then a legal one all the same.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dramaturg.model import chatapp, names
from dramaturg.model.messages import Choice
from dramaturg.model.stage import Stage
from dramaturg.v1 import case_pb2, control_pb2

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

    def act(self, choice: Choice, k: int = 0) -> case_pb2.Cue:
        return _act(self.client.number, choice, self.index, k)


def _act(client: int, choice: Choice, index: int = 0, k: int = 0) -> case_pb2.Cue:
    request = control_pb2.ActRequest(client=client, choice=int(choice), index=index, k=k)  # type: ignore[arg-type]
    return case_pb2.Cue(act=request)


def _clients(stage: Stage) -> list[chatapp.Client]:
    return [actor for actor in stage.actors.values() if isinstance(actor, chatapp.Client)]


def _entries(stage: Stage) -> Iterator[Entry]:
    for client in _clients(stage):
        for index, name in enumerate(client.chats):
            chat = stage.actors[name]
            assert isinstance(chat, chatapp.Chat)
            yield Entry(client, index, chat)


def _guests(entry: Entry) -> Iterator[tuple[int, bool]]:
    """Places among the friends of whose entry it is; and whether the friend is a member."""
    for k, friend in enumerate(entry.client.friends):
        yield k, names.index_of(friend) in entry.chat.members


def _each(choice: Choice) -> Callable[[Stage], Iterator[case_pb2.Cue]]:
    return lambda stage: (_act(client.number, choice) for client in _clients(stage))


def _invite(stage: Stage) -> Iterator[case_pb2.Cue]:
    for client in _clients(stage):
        for k in (*range(len(client.friends) + 1), BEYOND):
            yield _act(client.number, Choice.INVITE, k=k)


def _post(stage: Stage) -> Iterator[case_pb2.Cue]:
    return (entry.act(Choice.POST) for entry in _entries(stage))


def _lone_post(stage: Stage) -> Iterator[case_pb2.Cue]:
    return (entry.act(Choice.POST) for entry in _entries(stage) if entry.alone)


def _leave(stage: Stage) -> Iterator[case_pb2.Cue]:
    return (entry.act(Choice.LEAVE) for entry in _entries(stage))


def _last_leaves(stage: Stage) -> Iterator[case_pb2.Cue]:
    return (entry.act(Choice.LEAVE) for entry in _entries(stage) if entry.alone)


def _join(stage: Stage) -> Iterator[case_pb2.Cue]:
    for entry in _entries(stage):
        for k, _ in _guests(entry):
            yield entry.act(Choice.JOIN, k)


def _join_late(stage: Stage) -> Iterator[case_pb2.Cue]:
    for entry in _entries(stage):
        for k, member in _guests(entry):
            if entry.chat.history and not member:
                yield entry.act(Choice.JOIN, k)


def _join_again(stage: Stage) -> Iterator[case_pb2.Cue]:
    for entry in _entries(stage):
        for k, member in _guests(entry):
            if member:
                yield entry.act(Choice.JOIN, k)


def _empty_handed(stage: Stage) -> Iterator[case_pb2.Cue]:
    for client in _clients(stage):
        for index in (len(client.chats), BEYOND):
            for choice in (Choice.POST, Choice.LEAVE, Choice.JOIN):
                yield _act(client.number, choice, index)
        if client.chats:
            yield _act(client.number, Choice.JOIN, k=len(client.friends))
        if not client.friends:
            yield _act(client.number, Choice.INVITE, k=1)


def _turn(stage: Stage) -> Iterator[case_pb2.Cue]:
    yield case_pb2.Cue(turn=control_pb2.TurnRequest())


SITUATIONS: dict[str, Callable[[Stage], Iterator[case_pb2.Cue]]] = {
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
"""By name. The first ones are what a failure is shortened to, if it can be."""


def cue(situation: str, pick: int, stage: Stage) -> case_pb2.Cue | None:
    """One of the cues that bring the situation about; None if none does."""
    options = list(SITUATIONS[situation](stage))
    return options[pick % len(options)] if options else None
