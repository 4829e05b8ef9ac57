"""The order of calls (spec/control.md), as a state machine.

Implementations do not look for calls out of order, because none is ever made: who
would make one is stopped here, and that is the harness's own fault.
"""

from enum import Enum

from google.protobuf.message import Message

from dramaturg.control.errors import HarnessFault
from dramaturg.model import ranges
from dramaturg.trace import watches
from dramaturg.v2 import control_pb2, trace_pb2


class State(Enum):
    """Where a session stands."""

    IDLE = "no world was prepared"
    PREPARED = "the world is prepared"
    DRIVEN = "the world was driven by Act and Turn"
    RUN = "the world was Run"
    TORN_DOWN = "the world was torn down"
    FAILED = "a call has failed"
    ENDED = "its input has ended"


_WORLD = (State.PREPARED, State.DRIVEN, State.RUN)
_ANY = (State.IDLE, *_WORLD, State.TORN_DOWN)

_ALLOWED: dict[str, tuple[State, ...]] = {
    "Describe": _ANY,
    "Prepare": (State.IDLE, State.TORN_DOWN),
    "Act": (State.PREPARED, State.DRIVEN),
    "Turn": (State.PREPARED, State.DRIVEN),
    "Run": (State.PREPARED,),
    # Also when a call is overdue: the log may say why.
    "Trace": (*_WORLD, State.TORN_DOWN, State.FAILED),
    "Teardown": _WORLD,
    "the end of input": (*_ANY, State.FAILED),
}

_THEN = {
    "Prepare": State.PREPARED,
    "Act": State.DRIVEN,
    "Turn": State.DRIVEN,
    "Run": State.RUN,
    "Teardown": State.TORN_DOWN,
    "the end of input": State.ENDED,
}


class Lifecycle:
    """What may be called next. Raises HarnessFault for what may not."""

    def __init__(self) -> None:
        self.state = State.IDLE
        self._benchmark = ""
        self._clients = 0
        self._node = 0

    def call(self, method: str, request: Message | None = None) -> None:
        """This call is about to be made."""
        if self.state not in _ALLOWED[method]:
            raise HarnessFault(
                f"the harness was about to call {method} although {self.state.value}"
                " (spec/control.md, CTRL-2)"
            )
        problems = self._problems(request)
        if problems:
            raise HarnessFault(
                f"the harness was about to call {method} with what may not be sent:"
                f" {'; '.join(problems)} (spec/control.md, CTRL-3)"
            )
        if isinstance(request, control_pb2.PrepareRequest):
            self._benchmark = str(request.benchmark.WhichOneof("parameters"))
            self._clients = request.benchmark.chatapp.clients
            self._node = request.node
        self.state = _THEN.get(method, self.state)

    def failed(self) -> None:
        """A call was answered with an error, or is overdue: the process is to be ended."""
        self.state = State.FAILED

    def _problems(self, request: Message | None) -> list[str]:
        match request:
            case control_pb2.DescribeRequest():
                return [
                    problem
                    for probe in request.probes
                    for problem in _of(getattr(probe, str(probe.WhichOneof("probe"))))
                ]
            case control_pb2.PrepareRequest():
                return _of_prepare(request)
            case control_pb2.ActRequest():
                return self._of_act(request)
            case control_pb2.TurnRequest():
                return self._only_in_chatapp()
            case control_pb2.RunRequest() if self._node:
                return [f"node is {self._node}; only node 0 is Run"]
        return []

    def _of_act(self, request: control_pb2.ActRequest) -> list[str]:
        found = self._only_in_chatapp()
        if not found and request.client >= self._clients:
            found.append(f"client is {request.client}; it must be in 0..{self._clients - 1}")
        if int(request.choice) not in trace_pb2.Choice.values():
            found.append(f"choice is {request.choice}; it must be in 0..6")
        return found

    def _only_in_chatapp(self) -> list[str]:
        if self._benchmark == "chatapp":
            return []
        return [f"the benchmark is {self._benchmark}, which has neither acts nor turns"]


def _of(message: Message) -> list[str]:
    return ranges.problems(message, message)


def _of_prepare(request: control_pb2.PrepareRequest) -> list[str]:
    name = request.benchmark.WhichOneof("parameters")
    if name is None:
        return ["no benchmark is set"]
    found = _of(getattr(request.benchmark, name))
    for number, watch in enumerate(request.watches):
        found += [f"watch {number}: {problem}" for problem in _of(watch)]
    found += watches.problems(request.watches)
    nodes = len(request.peers)
    if request.node >= max(1, nodes):
        found.append(f"node is {request.node}; there are {nodes} peers")
    if bool(request.secret) != (nodes > 1):
        found.append("secret must be set where there are peers, and nowhere else")
    for number, peer in enumerate(request.peers):
        found += [f"peer {number}: {problem}" for problem in _of(peer)]
    return found
