"""The order of calls (spec/control.md, CTRL-2 and CTRL-3), as a state machine.

Implementations do not look for calls out of order, because none is ever made: a caller that would
make one is stopped here, and that is the harness's own fault.
"""

import threading
from enum import Enum
from typing import cast

from google.protobuf.message import Message

from dramaturg.errors import HarnessFault
from dramaturg.model import chatapp, facts, placement, ranges
from dramaturg.trace import watches
from dramaturg.v2 import benchmarks_pb2, control_pb2, trace_pb2


class State(Enum):
    """The state of a session."""

    IDLE = "no world was prepared"
    PREPARED = "the world is prepared"
    DRIVEN = "the world was driven by Act and Turn"
    RUN = "the world was Run"
    TORN_DOWN = "the world was torn down"
    FAILED = "a call has failed"
    ENDED = "its input has ended"


_WORLD = (State.PREPARED, State.DRIVEN, State.RUN)
_ANY = (State.IDLE, *_WORLD, State.TORN_DOWN)

_TRACE, _END = "Trace", "the end of input"

_TRACED = ("Act", "Turn", "Run")
"""Calls that Trace may overtake."""

_ALLOWED: dict[str, tuple[State, ...]] = {
    "Describe": _ANY,
    "Prepare": (State.IDLE, State.TORN_DOWN),
    "Act": (State.PREPARED, State.DRIVEN),
    "Turn": (State.PREPARED, State.DRIVEN),
    "Run": (State.PREPARED,),
    # Also when a call is overdue: the log may say why.
    _TRACE: (*_WORLD, State.TORN_DOWN, State.FAILED),
    "Teardown": _WORLD,
    _END: (*_ANY, State.FAILED),
}

_THEN = {
    "Prepare": State.PREPARED,
    "Act": State.DRIVEN,
    "Turn": State.DRIVEN,
    "Run": State.RUN,
    "Teardown": State.TORN_DOWN,
    _END: State.ENDED,
}


class Lifecycle:
    """The calls that may be made next. Raises HarnessFault for any other."""

    def __init__(self) -> None:
        self.state = State.IDLE
        self._under_way = ""
        self._open: list[str] = []
        self._answered = ""
        self._benchmark = ""
        self._clients = 0
        self._node = 0
        self._lock = threading.Lock()

    def call(self, method: str, request: Message | None = None) -> None:
        """This call is about to be made."""
        with self._lock:
            if self.state not in _ALLOWED[method]:
                raise _out_of_order(method, self.state.value)
            if self._under_way and not self._may_overtake(method):
                raise _out_of_order(method, f"{self._under_way} is under way")
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
            if method not in (_TRACE, _END):
                self._under_way = method
            if method != _END:
                self._open.append(method)
            self.state = _THEN.get(method, self.state)

    @property
    def is_overtaken(self) -> bool:
        """True if a call is under way that Trace may overtake."""
        return self._under_way in _TRACED

    @property
    def unanswered(self) -> list[str]:
        """Calls that were made and never answered, in their order."""
        with self._lock:
            return list(self._open)

    @property
    def latest(self) -> str:
        """The call that was under way last, in words: ``Run was under way``."""
        with self._lock:
            if self._open:
                return f"{' and '.join(self._open)} {_were(self._open)} under way"
            return f"{self._answered} had been answered" if self._answered else "nothing was asked"

    @property
    def is_free(self) -> bool:
        """True if Prepare may be called."""
        with self._lock:
            return self.state in _ALLOWED["Prepare"] and not self._under_way

    def answered(self, method: str) -> None:
        """The call was answered, all of it."""
        with self._lock:
            if self._under_way == method:
                self._under_way = ""
            if method in self._open:
                self._open.remove(method)
            self._answered = method

    def failed(self) -> None:
        """A call was answered with an error, is overdue or was given up: the process is to be
        ended."""
        with self._lock:
            self._under_way = ""
            if self.state is not State.ENDED:
                self.state = State.FAILED

    def _may_overtake(self, method: str) -> bool:
        return method == _END or (method == _TRACE and self._under_way in _TRACED)

    def _problems(self, request: Message | None) -> list[str]:
        match request:
            case control_pb2.DescribeRequest():
                return [problem for probe in request.probes for problem in _of_probe(probe)]
            case control_pb2.PrepareRequest():
                return _of_prepare(request)
            case control_pb2.ActRequest():
                return self._of_act(request)
            case control_pb2.TurnRequest():
                return self._only_in_chatapp()
            case control_pb2.RunRequest() if self._node:
                return [f"node is {self._node}; only node 0 is Run"]
            case control_pb2.TeardownRequest() if self._was_not_run():
                return [f"the benchmark is {self._benchmark}, and it was not Run"]
        return []

    def _was_not_run(self) -> bool:
        """Its lead has reported nothing then, and there is no receipt."""
        return self._benchmark != "chatapp" and not self._node and self.state is not State.RUN

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


def _were(several: list[str]) -> str:
    return "was" if len(several) == 1 else "were"


def _out_of_order(method: str, why_not: str) -> HarnessFault:
    return HarnessFault(
        f"the harness was about to call {method} although {why_not} (spec/control.md, CTRL-2)"
    )


def _of(message: Message) -> list[str]:
    return ranges.problems(message, message)


def _of_probe(probe: control_pb2.Probe) -> list[str]:
    asked = probe.WhichOneof("probe")
    return ["a probe asks for nothing"] if asked is None else _of(getattr(probe, asked))


def _of_prepare(request: control_pb2.PrepareRequest) -> list[str]:
    name = request.benchmark.WhichOneof("parameters")
    if name is None:
        return ["no benchmark is set"]
    found = _of_parameters(request.benchmark, name)
    found += watches.problems(request.watches)
    nodes = len(request.peers)
    if nodes and not 2 <= nodes <= placement.most(name, getattr(request.benchmark, name)):
        found.append(f"there are {nodes} peers, and {name} cannot have as many nodes")
    if request.node >= max(1, nodes):
        found.append(f"node is {request.node}; there are {nodes} peers")
    if bool(request.secret) != bool(nodes):
        found.append("secret must be set where there are peers, and nowhere else")
    first: dict[tuple[str, int], int] = {}
    for number, peer in enumerate(request.peers):
        found += [f"peer {number}: {problem}" for problem in _of(peer)]
        same = first.setdefault((peer.host, peer.port), number)
        if same != number:
            found.append(
                f"peers {same} and {number} have one address, {peer.host}:{peer.port}; each node"
                " listens at its own"
            )
    return found


def _of_parameters(benchmark: benchmarks_pb2.Benchmark, name: str) -> list[str]:
    if name != "chatapp":
        return _of(getattr(benchmark, name))
    # The message has the fields of the model's parameters, by the same names.
    return facts.problems(cast("chatapp.Parameters", benchmark.chatapp))
