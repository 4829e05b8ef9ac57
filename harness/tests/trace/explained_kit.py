"""A small run, changed, and what is said of it."""

from collections.abc import Callable

from dramaturg.model import names
from dramaturg.model.chatapp import Parameters
from dramaturg.model.messages import Choice
from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import ChatAppWorkload, MicroWorkload
from dramaturg.trace.events import Logs
from dramaturg.trace.explanation.departure import Explanation, explain
from dramaturg.trace.explanation.message_sequence import Step
from dramaturg.trace.replay.token_game import replay
from dramaturg.v2 import trace_pb2 as kind

POKER, DIRECTORY = names.name(names.POKER), names.name(names.DIRECTORY)
HOST, GUEST = names.name(names.CLIENT, 0), names.name(names.CLIENT, 1)
CHAT = names.name(names.CHAT)
FORWARD, POST = kind.MESSAGE_KIND_CLIENT_FORWARD, kind.MESSAGE_KIND_CHAT_POST
BANG = kind.MESSAGE_KIND_RECEIVER_BANG


def scripted() -> tuple[ChatAppWorkload, Logs]:
    """Client 0 invites client 1 into chat/0.0 and posts there twice."""
    parameters = Parameters(
        clients=2, directories=1, turns=1, compute=0, post=0, leave=0, invite=0, befriend=50
    )
    workload = ChatAppWorkload(parameters).prepare().act(0, Choice.INVITE, k=1)
    workload.act(0, Choice.POST).act(0, Choice.POST)
    return workload, Simulation(workload).perform().logs


def explained(
    change: Callable[[Logs], None], workload: ChatAppWorkload | MicroWorkload | None = None
) -> Explanation:
    """Return the explanation of the scripted run, or of this workload's, once its logs are
    changed."""
    if workload is None:
        workload, logs = scripted()
    else:
        logs = Simulation(workload).perform().logs
    change(logs)
    explanation = explain(workload, logs, replay(workload, logs))
    assert explanation is not None
    return explanation


def place(logs: Logs, actor: int, number: int, nth: int = 0) -> int:
    """Return the place at which the actor took its nth message of this kind."""
    return [p for p, (_, (its, _)) in enumerate(logs[actor]) if its == number][nth]


def asked(explanation: Explanation) -> list[str]:
    return [requirement.id for requirement in explanation.requirements]


def drawn(explanation: Explanation) -> list[tuple[str, str, str, str]]:
    return [
        (entry.source, entry.target, entry.message.partition("(")[0], str(entry.status))
        for entry in explanation.sequence
        if isinstance(entry, Step)
    ]


def lose_the_last_forward(logs: Logs) -> None:
    del logs[GUEST][place(logs, GUEST, FORWARD, 1) :]


def take_the_invitation_first(logs: Logs) -> None:
    logs[GUEST].insert(0, logs[GUEST].pop(place(logs, GUEST, kind.MESSAGE_KIND_CLIENT_ACCEPTED)))
