"""Who says what: of each kind of message the classes of its senders (the chapters).

The receiver's class is in the kind. Of whom a class has how many in a run, the parameters say.
"""

from typing import Any

from dramaturg.model import names
from dramaturg.v2 import trace_pb2 as kind

SENDERS: dict[int, tuple[int, ...]] = {
    kind.MESSAGE_KIND_POKER_PREPARE: (names.CONTROL,),
    kind.MESSAGE_KIND_POKER_SETTLED: (names.DIRECTORY,),
    kind.MESSAGE_KIND_POKER_ACT: (names.CONTROL,),
    kind.MESSAGE_KIND_POKER_TURN: (names.CONTROL,),
    kind.MESSAGE_KIND_POKER_RUN: (names.CONTROL,),
    kind.MESSAGE_KIND_POKER_CONFIRM: (names.ACCUMULATOR,),
    kind.MESSAGE_KIND_POKER_DISCONNECT: (names.CONTROL,),
    kind.MESSAGE_KIND_POKER_FINISHED: (names.DIRECTORY,),
    kind.MESSAGE_KIND_DIRECTORY_LOGIN: (names.POKER,),
    kind.MESSAGE_KIND_DIRECTORY_BEFRIEND: (names.POKER,),
    kind.MESSAGE_KIND_DIRECTORY_SETTLE: (names.POKER,),
    kind.MESSAGE_KIND_DIRECTORY_SETTLED: (names.CLIENT,),
    kind.MESSAGE_KIND_DIRECTORY_POKE: (names.POKER,),
    kind.MESSAGE_KIND_DIRECTORY_ACT: (names.POKER,),
    kind.MESSAGE_KIND_DIRECTORY_DISCONNECT: (names.POKER,),
    kind.MESSAGE_KIND_DIRECTORY_LEFT: (names.CLIENT,),
    kind.MESSAGE_KIND_CLIENT_BEFRIEND: (names.DIRECTORY,),
    kind.MESSAGE_KIND_CLIENT_SETTLE: (names.DIRECTORY,),
    kind.MESSAGE_KIND_CLIENT_ACT: (names.DIRECTORY,),
    kind.MESSAGE_KIND_CLIENT_FORWARD: (names.CHAT,),
    kind.MESSAGE_KIND_CLIENT_ACCEPTED: (names.CHAT,),
    kind.MESSAGE_KIND_CLIENT_LEFT: (names.CHAT,),
    kind.MESSAGE_KIND_CLIENT_LOGOUT: (names.DIRECTORY,),
    kind.MESSAGE_KIND_CHAT_POST: (names.CLIENT,),
    kind.MESSAGE_KIND_CHAT_JOIN: (names.CLIENT,),
    kind.MESSAGE_KIND_CHAT_LEAVE: (names.CLIENT,),
    kind.MESSAGE_KIND_ACCUMULATOR_STOP: (names.CLIENT,),
    kind.MESSAGE_KIND_ACCUMULATOR_BUMP: (names.CLIENT, names.CHAT),
    kind.MESSAGE_KIND_PING_START: (names.CONTROL,),
    kind.MESSAGE_KIND_PING_PONG: (names.PONG,),
    kind.MESSAGE_KIND_PING_TICK: (names.PING,),
    kind.MESSAGE_KIND_PONG_PING: (names.PING,),
    kind.MESSAGE_KIND_COORDINATOR_START: (names.CONTROL,),
    kind.MESSAGE_KIND_COORDINATOR_FINISHED: (names.PEER,),
    kind.MESSAGE_KIND_COORDINATOR_TICK: (names.COORDINATOR,),
    kind.MESSAGE_KIND_COORDINATOR_MARKED: (names.PEER,),
    kind.MESSAGE_KIND_COORDINATOR_IDLE: (names.PEER,),
    kind.MESSAGE_KIND_PEER_GO: (names.COORDINATOR,),
    kind.MESSAGE_KIND_PEER_PING: (names.PEER,),
    kind.MESSAGE_KIND_PEER_PONG: (names.PEER,),
    kind.MESSAGE_KIND_PEER_MARK: (names.COORDINATOR,),
    kind.MESSAGE_KIND_PEER_STOP: (names.COORDINATOR,),
    kind.MESSAGE_KIND_RECEIVER_START: (names.CONTROL,),
    kind.MESSAGE_KIND_RECEIVER_BANG: (names.SENDER,),
    kind.MESSAGE_KIND_RECEIVER_FINISHED: (names.SENDER,),
    kind.MESSAGE_KIND_RECEIVER_TICK: (names.RECEIVER,),
    kind.MESSAGE_KIND_SENDER_GO: (names.RECEIVER,),
    kind.MESSAGE_KIND_SENDER_ANSWER: (names.RECEIVER,),
    kind.MESSAGE_KIND_SENDER_STOP: (names.RECEIVER,),
    kind.MESSAGE_KIND_DISPATCHER_START: (names.CONTROL,),
    kind.MESSAGE_KIND_DISPATCHER_REQUEST: (names.BROWSER,),
    kind.MESSAGE_KIND_DISPATCHER_IDLE: (names.WORKER,),
    kind.MESSAGE_KIND_DISPATCHER_FINISHED: (names.BROWSER,),
    kind.MESSAGE_KIND_DISPATCHER_DISCONNECT: (names.CONTROL,),
    kind.MESSAGE_KIND_WORKER_WORK: (names.DISPATCHER,),
    kind.MESSAGE_KIND_WORKER_STOP: (names.DISPATCHER,),
    kind.MESSAGE_KIND_BROWSER_GO: (names.DISPATCHER,),
    kind.MESSAGE_KIND_BROWSER_ANSWER: (names.WORKER,),
    kind.MESSAGE_KIND_TALLY_START: (names.CONTROL,),
    kind.MESSAGE_KIND_TALLY_COUNTED: (names.ADDER,),
    kind.MESSAGE_KIND_ADDER_GO: (names.TALLY,),
    kind.MESSAGE_KIND_ADDER_TOTAL: (names.COUNTER,),
    kind.MESSAGE_KIND_COUNTER_ADD: (names.ADDER,),
    kind.MESSAGE_KIND_COUNTER_GET_AND_RESET: (names.ADDER,),
    kind.MESSAGE_KIND_LINK_GROW: (names.CONTROL, names.LINK),
    kind.MESSAGE_KIND_LINK_FINISH: (names.LINK,),
    kind.MESSAGE_KIND_MASTER_START: (names.CONTROL,),
    kind.MESSAGE_KIND_MASTER_COMPLETED: (names.RUNNER,),
    kind.MESSAGE_KIND_RUNNER_TASK: (names.MASTER,),
    kind.MESSAGE_KIND_ALARM_START: (names.CONTROL,),
    kind.MESSAGE_KIND_ALARM_AWAKE: (names.SLEEPER,),
    kind.MESSAGE_KIND_SLEEPER_SLEEP: (names.ALARM,),
    kind.MESSAGE_KIND_SLEEPER_WAKE: (names.SLEEPER,),
    kind.MESSAGE_KIND_SORTER_SORT: (names.CONTROL, names.SORTER),
    kind.MESSAGE_KIND_SORTER_SORTED: (names.SORTER,),
    kind.MESSAGE_KIND_EMPLOYER_START: (names.CONTROL,),
    kind.MESSAGE_KIND_EMPLOYER_REQUEST: (names.ROUTER,),
    kind.MESSAGE_KIND_EMPLOYER_DISCONNECT: (names.CONTROL,),
    kind.MESSAGE_KIND_ROUTER_REQUEST: (names.EMPLOYEE,),
    kind.MESSAGE_KIND_ROUTER_TASK: (names.EMPLOYER,),
    kind.MESSAGE_KIND_ROUTER_DISMISS: (names.EMPLOYER,),
    kind.MESSAGE_KIND_EMPLOYEE_GO: (names.EMPLOYER,),
    kind.MESSAGE_KIND_EMPLOYEE_TASK: (names.ROUTER,),
    kind.MESSAGE_KIND_EMPLOYEE_DISMISS: (names.ROUTER,),
    kind.MESSAGE_KIND_SOURCE_START: (names.CONTROL,),
    kind.MESSAGE_KIND_SOURCE_ARRIVE: (names.SOURCE,),
    kind.MESSAGE_KIND_SOURCE_ANSWER: (names.SERVER,),
    kind.MESSAGE_KIND_SOURCE_DRAINED: (names.BALANCER,),
    kind.MESSAGE_KIND_SOURCE_DISCONNECT: (names.CONTROL,),
    kind.MESSAGE_KIND_BALANCER_REQUEST: (names.SOURCE,),
    kind.MESSAGE_KIND_BALANCER_IDLE: (names.SERVER,),
    kind.MESSAGE_KIND_BALANCER_CLOSE: (names.SOURCE,),
    kind.MESSAGE_KIND_SERVER_WORK: (names.BALANCER,),
    kind.MESSAGE_KIND_SERVER_STOP: (names.BALANCER,),
}
"""By the message's kind."""

TO_ITSELF = frozenset({
    kind.MESSAGE_KIND_PING_TICK, kind.MESSAGE_KIND_COORDINATOR_TICK,
    kind.MESSAGE_KIND_RECEIVER_TICK, kind.MESSAGE_KIND_SLEEPER_WAKE,
    kind.MESSAGE_KIND_SOURCE_ARRIVE,
})  # fmt: skip
"""What an actor says to itself alone; nothing else is said to oneself."""

_MANY = {
    names.DIRECTORY: "directories", names.CLIENT: "clients", names.ACCUMULATOR: "turns",
    names.PEER: "peers", names.SENDER: "senders", names.WORKER: "workers",
    names.BROWSER: "browsers", names.ADDER: "adders", names.LINK: "length",
    names.RUNNER: "runners", names.SLEEPER: "sleepers", names.EMPLOYEE: "employees",
    names.SERVER: "servers",
}  # fmt: skip
"""The parameter that says how many there are of a class; of the others there is one."""

_UNNUMBERED = (names.CHAT, names.SORTER)
"""Classes of which no parameter says how many there are."""


def can_say(parameters: Any, sender: int, receiver: int, number: int) -> bool:
    """Whether a message of this kind can come to the receiver from that sender: by its class,
    if there is such an actor."""
    actor_class, index = names.class_of(sender), names.index_of(sender)
    if actor_class not in SENDERS[number] or (sender == receiver) != (number in TO_ITSELF):
        return False
    if actor_class in _UNNUMBERED:
        return True
    many = getattr(parameters, _MANY[actor_class]) if actor_class in _MANY else 1
    return index < many and sender == names.name(actor_class, index)
