"""The agent on each host of a benchmark: it owns the nodes there, and ends with its input.

Started through ssh or srun, it speaks over its pipes alone (frames.py). At the end of its input, or
when nothing has come for ``talk.SILENCE`` seconds, it ends all that it started, and itself.

A process is started by the thread that lives as long as the agent: the kernel ends it when its
starter ends. So what starts and ends nodes is performed one after the other, and everything else by
a thread of its own.
"""

import contextlib
import os
import queue
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from typing import Any

from dramaturg.cluster import host_facts
from dramaturg.control import starting
from dramaturg.control.session import Session
from dramaturg.control.transport import RESPONSES, STREAMS, Lost, Overdue, Refused, Stamps, TooLong
from dramaturg.errors import ControlError
from dramaturg.hosts import interfaces, link_probe, sent_builds, shaping, talk
from dramaturg.hosts.interfaces import Interface
from dramaturg.hosts.link_probe import Echo
from dramaturg.hosts.sent_builds import SentBuild
from dramaturg.hosts.talk import Talk
from dramaturg.implementation import toolchain
from dramaturg.machine import environment, floors, interference
from dramaturg.processes import consumption, descent, fence, interrupts
from dramaturg.processes.cores import Cores
from dramaturg.processes.supervised import Supervised
from dramaturg.v2 import control_pb2

_PATIENCE = 8.0
"""Seconds in which all that was started has to have ended."""

_STDERR = 65_536
"""Bytes of what a node wrote to standard error that come back."""

_SWITCH = 0.0001
"""Seconds after which a thread gives way to one that reads an answer, and stamps it."""

ENDS, BEGINS = "end", "start"

Drive = Callable[["Agent", dict[str, Any]], Any]
"""The further work that node 0's host is asked for."""


@dataclass
class _Node:
    """One that runs here."""

    session: Session
    stack: contextlib.ExitStack
    stderr: Path


class Agent:
    """Answers what comes in, until nothing comes any more."""

    def __init__(self, drive: Drive, incoming: int, outgoing: int) -> None:
        self._drive = drive
        self._main: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._nodes: dict[int, _Node] = {}
        self._echoes: list[Echo] = []
        self._interface: Interface | None = None
        self._limit = contextlib.ExitStack()
        self._classes = ""
        self._builds: dict[str, SentBuild] = {}
        self._waited, self._waits = 0, threading.Lock()
        self._scratch = tempfile.TemporaryDirectory(prefix="dramaturg-host-")
        fence.guard(Path(self._scratch.name))
        self.talk = Talk("the harness", incoming, outgoing, self._asked, "d")

    def serve(self) -> None:
        """Until the end. Raises KeyboardInterrupt when this has to end."""
        self.talk.start()
        threading.Thread(target=self._watch, daemon=True).start()
        while True:
            self._main.get()()

    def close(self) -> None:
        """End all that runs here."""
        with interrupts.held():
            for node in list(self._nodes):
                with contextlib.suppress(Exception):
                    self._nodes.pop(node).stack.close()
            for each in self._echoes:
                each.close()
            self.limit(None)
            self._scratch.cleanup()

    def _watch(self) -> None:
        """The other side is there, or this ends."""
        while not self.talk.over.wait(1.0):
            if time.monotonic() - self.talk.heard > talk.SILENCE:
                break
        threading.Thread(target=_insist, daemon=True).start()
        os.kill(os.getpid(), signal.SIGTERM)

    def _asked(self, words: dict[str, Any], content: bytes) -> None:
        what = str(words.get("op"))
        perform = getattr(self, f"_op_{what}", None)

        def answer() -> None:
            reply = _Reply(self.talk, str(words.get("id", "")))
            try:
                if perform is None:
                    raise HarnessFaultHere(f"an agent knows no {what}")
                perform(words, content, reply)
            except Exception as error:
                reply.refuse(error)

        if what in (BEGINS, ENDS, "drive", "build"):
            self._main.put(answer)
        else:
            threading.Thread(target=answer, daemon=True).start()

    # The operations that it may be asked for, by the names of the methods.

    def _op_facts(self, words: dict[str, Any], content: bytes, reply: "_Reply") -> None:
        """Take the variables that decide what is built; answer with the facts of this host."""
        os.environ.update({str(name): str(value) for name, value in words["variables"].items()})
        reply.end(
            **host_facts.here(),
            cost=floors.calibrate().to_dict(),
            identity=environment.identity(),
            pinned_to=environment.pinned_to() or [],
        )

    def _op_place(self, words: dict[str, Any], content: bytes, reply: "_Reply") -> None:
        """Take the address at which nodes of this host are."""
        self._interface = interfaces.found(words.get("interface"), words.get("address"))
        reply.end(
            address=self._interface.address,
            interface=self._interface.name,
            counted=self._interface.is_counted,
            shared=interfaces.carries_control(self._interface),
        )

    def _op_have(self, words: dict[str, Any], content: bytes, reply: "_Reply") -> None:
        sent = SentBuild.model_validate(words["sent"])
        reply.end(have=sent_builds.is_there(sent))

    def _op_build(self, words: dict[str, Any], content: bytes, reply: "_Reply") -> None:
        """A build, with its files if they are not here yet; with which tools it would run."""
        sent = SentBuild.model_validate(words["sent"])
        if content:
            sent_builds.unpack(sent, content)
        implementation = sent_builds.found(sent)
        self._builds[implementation.name] = sent
        said = {each.tool: each.version for each in toolchain.require(implementation)}
        reply.end(tools=said)

    def _op_echo(self, words: dict[str, Any], content: bytes, reply: "_Reply") -> None:
        echo = Echo(self.interface.address)
        self._echoes.append(echo)
        reply.end(udp=echo.udp, tcp=echo.tcp)

    def _op_quiet(self, words: dict[str, Any], content: bytes, reply: "_Reply") -> None:
        while self._echoes:
            self._echoes.pop().close()
        reply.end()

    def _op_measure(self, words: dict[str, Any], content: bytes, reply: "_Reply") -> None:
        whence = self.interface.address
        seen = link_probe.measure(whence, words["address"], words["udp"], words["tcp"])
        reply.end(**seen.to_dict())

    def _op_limit(self, words: dict[str, Any], content: bytes, reply: "_Reply") -> None:
        self.limit(words["bandwidth"])
        reply.end()

    def _op_limited(self, words: dict[str, Any], content: bytes, reply: "_Reply") -> None:
        reply.end(limited=self.keeps_limit())

    def _op_ping(self, words: dict[str, Any], content: bytes, reply: "_Reply") -> None:
        reply.end()

    def _op_port(self, words: dict[str, Any], content: bytes, reply: "_Reply") -> None:
        reply.end(port=link_probe.free_port(self.interface.address))

    def _op_counters(self, words: dict[str, Any], content: bytes, reply: "_Reply") -> None:
        reply.end(**self.counters())

    def _op_down(self, words: dict[str, Any], content: bytes, reply: "_Reply") -> None:
        reply.end(down=self.interface.is_down)

    def _op_drive(self, words: dict[str, Any], content: bytes, reply: "_Reply") -> None:
        reply.end(drove=self._drive(self, words))

    def _op_start(self, words: dict[str, Any], content: bytes, reply: "_Reply") -> None:
        node, name = int(words["node"]), str(words["name"])
        if node in self._nodes:
            raise HarnessFaultHere(f"node {node} runs already")
        sent = self._builds[name]
        implementation = sent_builds.found(sent)
        stderr = Path(self._scratch.name) / f"{node}.log"
        stderr.unlink(missing_ok=True)
        with contextlib.ExitStack() as stack:
            session = stack.enter_context(
                starting.start(
                    implementation,
                    stderr=stderr,
                    environment=dict(words["environment"]),
                    cores=list(words["cores"]),
                    built=sent.built,
                )
            )
            self._nodes[node] = _Node(session, stack.pop_all(), stderr)
        assert session.process is not None
        reply.end(pid=session.process.pid, source=session.process.consumption.source)

    def _op_end(self, words: dict[str, Any], content: bytes, reply: "_Reply") -> None:
        node = self._nodes.pop(int(words["node"]), None)
        if node is None:
            reply.end()
            return
        node.stack.close()
        with contextlib.suppress(OSError):
            reply.part(node.stderr.read_bytes()[-_STDERR:])
        reply.end()

    def _op_call(self, words: dict[str, Any], content: bytes, reply: "_Reply") -> None:
        """A call of control.proto; how long it took is this host's to say, by its own clock."""
        method = str(words["method"])
        if method not in RESPONSES:
            raise HarnessFaultHere(f"there is no call {method}")
        request = getattr(control_pb2, f"{method}Request").FromString(content)
        wire, stamps = self._session(words)._wire, Stamps()
        seconds = float(words["seconds"])
        try:
            if method in STREAMS:
                # All of it, before anything of it is decoded and sent.
                answers = wire.hold(method, request, seconds, stamps)()
            else:
                answers = wire.call(method, request, seconds, stamps)
            for message in answers:
                reply.part(message.SerializeToString())
        finally:
            with self._waits:  # This thread ends with the call, and its count with it.
                self._waited += consumption.own_wait()
        reply.end(nanos=stamps.nanos)

    def _op_end_input(self, words: dict[str, Any], content: bytes, reply: "_Reply") -> None:
        self._session(words).end_input()
        reply.end()

    def _op_look(self, words: dict[str, Any], content: bytes, reply: "_Reply") -> None:
        reply.end(**asdict(self._process(words).consumption.look()))

    def _op_moment(self, words: dict[str, Any], content: bytes, reply: "_Reply") -> None:
        """Also what the host of this host, and a quota, kept from it, for how long its cores were
        busy, and how long threads of the agent waited: as thread 0 those that made a call and have
        ended."""
        first = interference.busy()
        moment = self._process(words).consumption.moment()
        own = {**consumption.waits_of(os.getpid()), 0: self._waited}
        reply.end(
            waits=list(moment.waits.items()),
            own=list(own.items()),
            cpu=moment.cpu,
            cores=astuple(Cores(first, interference.busy(), interference.taken())),
        )

    def _op_cpu(self, words: dict[str, Any], content: bytes, reply: "_Reply") -> None:
        reply.end(cpu=self._process(words).consumption.cpu())

    def _op_strays(self, words: dict[str, Any], content: bytes, reply: "_Reply") -> None:
        reply.end(strays=self._session(words).strays())

    def _op_state(self, words: dict[str, Any], content: bytes, reply: "_Reply") -> None:
        """Answer whether it runs or is stopped, and what it wanted of the cores."""
        process = self._process(words)
        if words.get("soon"):
            process.describe_end_soon()
        reply.end(
            status=process.status,
            end=process.describe_end(),
            stopped=descent.stopped({process.pid, *process.consumption.pids()}),
            wanted=asdict(process.wanted()),
            stderr=self._session(words).stderr_tail(),
        )

    def _op_kill(self, words: dict[str, Any], content: bytes, reply: "_Reply") -> None:
        self._process(words).kill()
        reply.end()

    @property
    def interface(self) -> Interface:
        """The interface of its nodes."""
        if self._interface is None:
            raise HarnessFaultHere("this host was not told where its nodes are")
        return self._interface

    def counters(self) -> dict[str, int]:
        """Return what crossed its interface so far, and how much of it was control's at least."""
        talk = self.talk
        # First, since what is counted here has to have crossed by the time of the others.
        control = {"control_sent": talk.sent_bytes, "control_received": talk.received_bytes}
        return asdict(self.interface.crossed()) | control

    def limit(self, bandwidth: float | None) -> None:
        """Give the link of its nodes this bandwidth, in Mbit/s; None: leave it as it is. Raises
        shaping.Unshapeable."""
        self._limit.close()
        if bandwidth is None:
            if self._classes and shaping.of_ours(shaping.classes(self.interface)):
                name = self.interface.name
                raise shaping.Unshapeable(
                    f"{name} stays limited, since tc could not remove it; do it yourself: tc qdisc"
                    f" del dev {name} root"
                )
        else:
            self._classes = self._limit.enter_context(shaping.limited(self.interface, bandwidth))

    def keeps_limit(self) -> bool:
        """True if nobody has changed the limit that was given. Raises shaping.Unshapeable."""
        return shaping.classes(self.interface) == self._classes

    @property
    def builds(self) -> dict[str, SentBuild]:
        """The builds that were sent here, by the names of implementations."""
        return self._builds

    def _session(self, words: dict[str, Any]) -> Session:
        node = self._nodes.get(int(words["node"]))
        if node is None:
            raise HarnessFaultHere(f"node {words['node']} does not run here")
        return node.session

    def _process(self, words: dict[str, Any]) -> Supervised:
        process = self._session(words).process
        assert process is not None
        return process


class HarnessFaultHere(Exception):
    """Something was asked that cannot be, by us."""


class _Reply:
    """The answers to one question."""

    def __init__(self, talk: Talk, number: str) -> None:
        self._talk, self._number = talk, number

    def part(self, content: bytes) -> None:
        self._talk.tell({"re": self._number, "more": True}, content)

    def end(self, **words: Any) -> None:
        self._talk.tell({"re": self._number, **words})

    def refuse(self, error: Exception) -> None:
        said: dict[str, Any] = {"refused": str(error), "kind": type(error).__name__}
        match error:
            case Refused(code=code, details=details):
                said |= {"kind": "Refused", "code": code, "details": details}
            case Overdue() | Lost() | TooLong():
                pass
            case ControlError():
                said |= {"breaks": error.breaks, "said": error.said}
        self._talk.tell({"re": self._number, **said})


def _insist() -> None:
    """Something holds it: past everything that cleans up. The kernel ends what it started."""
    threading.Event().wait(_PATIENCE)
    os._exit(1)


def run(drive: Drive) -> None:
    """Be the agent of this host, to the end of its input."""
    for number in (signal.SIGINT, signal.SIGHUP):
        # A terminal sends these to whoever started this, who ends this by its input.
        signal.signal(number, signal.SIG_IGN)
    interrupts.install()
    sys.setswitchinterval(_SWITCH)
    outgoing = os.dup(1)
    os.dup2(2, 1)  # Output of a library is no frame.
    agent = Agent(drive, sys.stdin.fileno(), outgoing)
    with contextlib.suppress(KeyboardInterrupt):
        agent.serve()
    agent.close()
    # No thread of a library keeps this from ending.
    os._exit(0)
