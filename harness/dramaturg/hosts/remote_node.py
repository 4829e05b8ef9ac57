"""A node on another host, as a session: its calls go to the agent of that host.

Durations are that host's own, by its clock; moments are ours, of when we asked. So no two hosts'
clocks are ever compared: a call is held to have begun when it was sent from here, and to have taken
as long as it took there.
"""

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from time import monotonic_ns
from typing import Any

from google.protobuf.message import Message

from dramaturg import errors
from dramaturg.control.session import Session
from dramaturg.control.transport import (
    RESPONSES,
    Later,
    Lost,
    Overdue,
    Refused,
    Stamps,
    TooLong,
)
from dramaturg.errors import ControlError, HarnessFault
from dramaturg.hosts import talk
from dramaturg.hosts.frames import Frame
from dramaturg.hosts.talk import Talk
from dramaturg.implementation.manifest import Implementation
from dramaturg.processes.consumption import Consumption, Moment, Used
from dramaturg.processes.cores import Cores
from dramaturg.processes.starvation import Wanted
from dramaturg.processes.supervised import Supervised

_WAY = 15.0
"""Seconds beside the time for a call, there and back."""

_LOOK = 15.0
"""Seconds for a look at a process."""

_THREADS = 40
"""Bits of the number of a thread, above which stands its node's: hosts give out the same ones."""

_TAKEN = 1 << (_THREADS - 1)
"""Stands in the place of a thread's number, and is no thread's."""


class Peer:
    """The agent of another host, by way of whoever started us both."""

    def __init__(self, talk: Talk, host: int, name: str, *, same_machine: bool) -> None:
        self.host, self.name, self.same_machine = host, name, same_machine
        self._talk = talk

    def ask(
        self, words: Mapping[str, Any], content: bytes = b"", seconds: float = _LOOK
    ) -> Iterator[Frame]:
        """As ``Talk.ask``."""
        return self._talk.ask({**words, "to": self.host}, content, seconds)

    def one(
        self, words: Mapping[str, Any], content: bytes = b"", seconds: float = _LOOK
    ) -> dict[str, Any]:
        """As ``Talk.one``. Raises HarnessFault that names the host."""
        return self.asked(words, content, seconds)()

    def asked(
        self, words: Mapping[str, Any], content: bytes = b"", seconds: float = _LOOK
    ) -> Callable[[], dict[str, Any]]:
        """Ask, and return what waits for the answer, and raises as ``one``."""
        with self._named():
            answers = self.ask(words, content, seconds)

        def answer() -> dict[str, Any]:
            with self._named():
                ((said, _),) = answers
            return said

        return answer

    @contextlib.contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except (talk.Lost, talk.Refused) as error:
            raise HarnessFault(f"host {self.name}: {error}") from None


class _Wire:
    """Calls, carried by an agent."""

    def __init__(self, peer: Peer, node: int) -> None:
        self._peer, self._node = peer, node

    def call(
        self, method: str, request: Message, seconds: float, stamps: Stamps
    ) -> Iterator[Message]:
        """As Wire has it."""
        for content in self._contents(method, request, seconds, stamps):
            yield RESPONSES[method].FromString(content)

    def hold(self, method: str, request: Message, seconds: float, stamps: Stamps) -> Later:
        """As Wire has it."""
        contents = list(self._contents(method, request, seconds, stamps))
        return lambda: (RESPONSES[method].FromString(each) for each in contents)

    def leave_unread(self, method: str, request: Message, seconds: float) -> None:
        """As Wire has it. An agent reads everything: nobody asks for this over hosts."""
        raise HarnessFault("the trace of a node on another host cannot be left unread")

    def close(self) -> None:
        """As Wire has it."""

    def _contents(
        self, method: str, request: Message, seconds: float, stamps: Stamps
    ) -> Iterator[bytes]:
        words = {"op": "call", "node": self._node, "method": method, "seconds": seconds}
        stamps.sent = stamps.came = monotonic_ns()
        try:
            answers = self._peer.ask(words, request.SerializeToString(), seconds + _WAY)
            if stamps.meanwhile is not None:
                stamps.meanwhile()
            for said, content in answers:
                if said.get("more"):
                    yield content
                else:
                    stamps.came = stamps.sent + int(said["nanos"])
        except talk.Lost as error:
            raise Lost(f"host {self._peer.name}: {error}") from None
        except talk.Refused as error:
            raise _carried(error) from None


def _carried(error: talk.Refused) -> Exception:
    """Return the error that it was there."""
    match error.kind:
        case "Overdue":
            return Overdue()
        case "TooLong":
            return TooLong(str(error))
        case "Refused":
            code, _, details = str(error).partition(": ")
            return Refused(code, details)
        case _:
            return Lost(str(error))


def _as_there(peer: Peer, error: talk.Refused) -> ControlError:
    """An error of the harness there, as that error here."""
    kind = getattr(errors, error.kind, HarnessFault)
    text = f"{error} (on host {peer.name})"
    if not issubclass(kind, ControlError) or kind is errors.CallFailed:
        return HarnessFault(text)
    return kind(text)


class _Consumption(Consumption):
    """The consumption of a node on another host, counted there."""

    def __init__(self, peer: Peer, node: int, source: str) -> None:
        self._peer, self._node, self._said = peer, node, source

    @property
    def source(self) -> str:
        return self._said

    @property
    def prefix(self) -> Sequence[str]:
        return ()

    def look(self) -> Used:
        said = self._asked("look")
        return Used(**{name: said[name] for name in Used.__slots__})

    def moment(self) -> Moment:
        return self.asked_moment()()

    def asked_moment(self) -> Callable[[], Moment]:
        answer = self._ask("moment")
        return lambda: self._moment(answer())

    def _moment(self, said: Mapping[str, Any]) -> Moment:
        """The agent's threads wait as the harness's own do. The time that the host of that host,
        or a quota, kept from it is a wait of a thread of its own; our own machine's is counted
        already. Both are the same for all nodes of a host, so they have its number."""
        of, here = (self._node + 1) << _THREADS, -((self._peer.host + 1) << _THREADS)
        waits = {of + int(thread): int(waited) for thread, waited in said["waits"]}
        waits |= {here - int(thread): int(waited) for thread, waited in said["own"]}
        cores: tuple[Cores, ...] = ()
        if not self._peer.same_machine:
            first, last, taken = said["cores"]
            waits[here - _TAKEN] = int(taken)
            cores = (Cores(first, last, int(taken)),)
        return Moment(waits, int(said["cpu"]), cores)

    def cpu(self) -> int:
        return self.asked_cpu()()

    def asked_cpu(self) -> Callable[[], int]:
        answer = self._ask("cpu")
        return lambda: int(answer()["cpu"])

    def strays(self) -> list[str]:
        return [f"host {self._peer.name}: {each}" for each in self._asked("strays")["strays"]]

    def pids(self) -> set[int]:
        """None of this host's."""
        return set()

    def everybody(self) -> set[int]:
        return set()

    def kill(self) -> None:
        self._asked("kill")

    def close(self) -> None:
        """Its agent does."""

    def _asked(self, what: str) -> dict[str, Any]:
        return self._ask(what)()

    def _ask(self, what: str) -> Callable[[], dict[str, Any]]:
        return self._peer.asked({"op": what, "node": self._node})


class _Process(Supervised):
    """A process of another host, looked at through its agent."""

    def __init__(self, peer: Peer, node: int, source: str) -> None:
        self._peer, self._node = peer, node
        self.consumption = _Consumption(peer, node, source)

    @property
    def pid(self) -> int:
        """None of this host's."""
        return -1

    @property
    def status(self) -> int | None:
        found = self._state()["status"]
        return None if found is None else int(found)

    def wait(self, timeout: float) -> int | None:
        return self.status

    def describe_end(self) -> str:
        return self._end(soon=False)

    def describe_end_soon(self) -> str:
        return self._end(soon=True)

    def _end(self, *, soon: bool) -> str:
        try:
            return f"{self._state(soon=soon)['end']} on host {self._peer.name}"
        except HarnessFault as error:
            return f"is on a host that does not answer ({error})"

    def wanted(self) -> Wanted:
        return Wanted(**self._state()["wanted"])

    def halted(self) -> int:
        # If a host does not answer, the one that started its agent reports it.
        with contextlib.suppress(HarnessFault):
            return int(self._state()["stopped"])
        return 0

    @contextlib.contextmanager
    def stopped(self) -> Iterator[None]:
        """Only what shares this machine's cores is stopped between iterations."""
        yield

    def kill(self) -> None:
        with contextlib.suppress(HarnessFault):
            self._peer.one({"op": "kill", "node": self._node})

    def end(self) -> None:
        """Its agent does."""

    def _state(self, *, soon: bool = False) -> dict[str, Any]:
        return self._peer.one({"op": "state", "node": self._node, "soon": soon})


class RemoteSession(Session):
    """A node that an agent started."""

    def __init__(self, implementation: Implementation, peer: Peer, node: int, source: str) -> None:
        process = _Process(peer, node, source)
        timeout = implementation.manifest.run.call_timeout
        super().__init__(implementation.name, _Wire(peer, node), timeout, process)
        self._peer, self._node = peer, node

    def end_input(self) -> None:
        """As Session has it, there."""
        self._lifecycle.call("the end of input")
        _on(self._peer, {"op": "end_input", "node": self._node})

    def stderr_tail(self) -> str:
        with contextlib.suppress(HarnessFault):
            return str(self._peer.one({"op": "state", "node": self._node})["stderr"])
        return ""


def _on(peer: Peer, words: Mapping[str, Any], seconds: float = _LOOK) -> list[Frame]:
    """Ask, and raise what was raised there."""
    try:
        return list(peer.ask(words, seconds=seconds))
    except talk.Lost as error:
        raise HarnessFault(f"host {peer.name}: {error}") from None
    except talk.Refused as error:
        raise _as_there(peer, error) from None


@contextlib.contextmanager
def started(
    peer: Peer,
    node: int,
    implementation: Implementation,
    *,
    environment: Mapping[str, str],
    cores: Sequence[int],
    stderr: Callable[[bytes], None],
) -> Iterator[RemoteSession]:
    """Start a node there; leaving ends it. ``stderr`` gets the end of what it wrote to standard
    error. Raises as ``starting.start``."""
    words = {
        "op": "start",
        "node": node,
        "name": implementation.name,
        "environment": dict(environment),
        "cores": list(cores),
    }
    ((said, _),) = _on(peer, words, implementation.manifest.run.start_timeout + _WAY)
    try:
        yield RemoteSession(implementation, peer, node, str(said["source"]))
    finally:
        with contextlib.suppress(ControlError):
            for _, content in _on(peer, {"op": "end", "node": node}):
                if content:
                    stderr(content)


def kept_in(file: Path) -> Callable[[bytes], None]:
    """Appends to a file of this host."""

    def keep(content: bytes) -> None:
        with contextlib.suppress(OSError), file.open("ab") as stream:
            stream.write(content)

    return keep
