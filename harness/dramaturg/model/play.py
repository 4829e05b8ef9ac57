"""A play: who is on stage at first, and what the control port says to whom.

One for each benchmark. The script is a list of lines, each a message from
``control`` to the lead actor; the next line is spoken when the lead has reported
back to ``control`` on the last one (ACT-7).
"""

from dataclasses import dataclass, field
from typing import Protocol

from dramaturg.model import chatapp, names, pingpong
from dramaturg.model.actor import Actor
from dramaturg.model.messages import Choice
from dramaturg.v1 import trace_pb2 as kind

Line = tuple[int, tuple[int, ...]]


class Play(Protocol):
    """What the stage and the replay need to know of a benchmark."""

    script: list[Line]

    @property
    def lead(self) -> int:
        """The actor to which control speaks."""
        ...

    def cast(self) -> list[Actor]:
        """Fresh actors, those that exist before the first message."""
        ...

    def reports(self, line: Line) -> int:
        """How many reports to control complete this line."""
        ...


@dataclass
class ChatAppPlay:
    """ChatApp: prepare, then acts and turns and a disconnect, or one run."""

    parameters: chatapp.Parameters
    script: list[Line] = field(default_factory=list)

    @property
    def lead(self) -> int:
        return names.name(names.POKER)

    def cast(self) -> list[Actor]:
        return [chatapp.Poker(self.parameters)]

    def reports(self, line: Line) -> int:
        if line[0] == kind.MESSAGE_KIND_POKER_RUN:
            return self.parameters.turns + 1
        return 1

    def prepare(self) -> "ChatAppPlay":
        self.script.append((kind.MESSAGE_KIND_POKER_PREPARE, ()))
        return self

    def act(
        self, client: int, choice: Choice = Choice.DRAW, index: int = 0, k: int = 0
    ) -> "ChatAppPlay":
        self.script.append((kind.MESSAGE_KIND_POKER_ACT, (client, int(choice), index, k)))
        return self

    def turn(self) -> "ChatAppPlay":
        self.script.append((kind.MESSAGE_KIND_POKER_TURN, ()))
        return self

    def run(self) -> "ChatAppPlay":
        self.script.append((kind.MESSAGE_KIND_POKER_RUN, ()))
        return self

    def disconnect(self) -> "ChatAppPlay":
        self.script.append((kind.MESSAGE_KIND_POKER_DISCONNECT, ()))
        return self


@dataclass
class PingPongPlay:
    """Ping-pong: one line, `start`."""

    parameters: pingpong.Parameters
    script: list[Line] = field(default_factory=list)

    @property
    def lead(self) -> int:
        return names.name(names.PING)

    def cast(self) -> list[Actor]:
        pong = pingpong.Pong(names.name(names.PONG))
        return [pingpong.Ping(self.lead, pong.name), pong]

    def reports(self, line: Line) -> int:
        return 1

    def run(self) -> "PingPongPlay":
        self.script.append((kind.MESSAGE_KIND_PING_START, (self.parameters.rounds,)))
        return self
