"""Running implementations, one of each, started when first needed and again after a failure."""

import contextlib
from pathlib import Path

from dramaturg.control import build, session, toolchain
from dramaturg.control.errors import ControlError
from dramaturg.control.manifest import Implementation
from dramaturg.control.session import Session


class Pool:
    """Sessions by implementation. Close it to end them all."""

    def __init__(self, stderr: Path | None = None, connect: str | None = None) -> None:
        self._stderr = stderr
        self._connect = connect
        self._sessions: dict[str, tuple[Session, contextlib.ExitStack]] = {}
        self._refused: dict[str, ControlError] = {}
        self._attached = False

    def get(self, implementation: Implementation) -> Session:
        """A session that is up. Raises ToolchainMissing, BuildFailed, Crashed or Late;
        the first two again at once whenever asked again."""
        name = implementation.name
        if name in self._sessions:
            return self._sessions[name][0]
        if self._connect is None:
            self._require(implementation)
        stack = contextlib.ExitStack()
        if self._connect is not None:
            opened = self._attach(implementation, stack, self._connect)
        else:
            stderr = self._stderr / f"{name}.log" if self._stderr else None
            if stderr is not None:
                stderr.parent.mkdir(parents=True, exist_ok=True)
            opened = stack.enter_context(session.start(implementation, stderr=stderr))
        self._attached = True
        self._sessions[name] = opened, stack
        return opened

    def _attach(
        self, implementation: Implementation, stack: contextlib.ExitStack, address: str
    ) -> Session:
        """Nobody there is a reason to give up at once; whoever went away may come back."""
        name = implementation.name
        if name in self._refused:
            raise self._refused[name]
        try:
            return stack.enter_context(session.connect(name, address))
        except ControlError as error:
            if not self._attached:
                self._refused[name] = error
            raise

    def drop(self, implementation: Implementation) -> None:
        """End the session, if there is one: it is spent, or not to be trusted."""
        if implementation.name in self._sessions:
            self._sessions.pop(implementation.name)[1].close()

    def close(self) -> None:
        """End all sessions."""
        while self._sessions:
            self._sessions.popitem()[1][1].close()

    def _require(self, implementation: Implementation) -> None:
        name = implementation.name
        if name in self._refused:
            raise self._refused[name]
        try:
            toolchain.require(implementation)
            build.build(implementation)
        except ControlError as error:
            self._refused[name] = error
            raise
