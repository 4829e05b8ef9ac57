"""A chat that nobody watches, as one watched client sees it.

The chat takes the client's messages in order, and its own messages to the client come in order
(ACT-5). So the chat's answers to the client itself are exact: each post comes back once for each
time that the client is a member by then, each `leave` is answered, and a client that joins gets the
whole history first. Posts of others in between are only bounded.
"""

from collections import deque

from dramaturg.trace.events import Message
from dramaturg.v2 import trace_pb2 as kind

FORWARD, ACCEPTED = kind.MESSAGE_KIND_CLIENT_FORWARD, kind.MESSAGE_KIND_CLIENT_ACCEPTED
LEFT = kind.MESSAGE_KIND_CLIENT_LEFT


class Seen:
    """The messages between a watched client and a chat, from the client's side."""

    __slots__ = (
        "client", "keeps", "members", "due", "copies", "copy", "replaying", "found", "history",
        "last", "accepted",
    )  # fmt: skip

    def __init__(self, client: int, creator: bool, history: bool) -> None:
        self.client = client
        self.keeps = history
        self.members = int(creator)
        """How often the client is a member, as of the last message from the chat."""
        self.due: deque[Message] = deque()
        """The chat's answers to the client's own posts and leaves, in order."""
        self.copies = 0
        self.copy: Message | None = None
        """The `forward` that comes so many times more before anything else."""
        self.replaying: int | None = None
        """The turn of the join whose history is coming."""
        self.found: list[int] = []
        """The payloads of that history that have come."""
        self.history: list[int] | None = [] if history and creator else None
        """All payloads of the chat so far; None if the client has not been there always."""
        self.last: dict[int, int] = {}
        """For each other client, the turn of its last post."""
        self.accepted = 0

    def sent(self, number: int, turn: int, payload: int) -> None:
        """The client has sent a `post`, or a `leave`."""
        if number == kind.MESSAGE_KIND_CHAT_POST:
            self.due.append((FORWARD, (turn, 1, payload)))
        else:
            self.due.append((LEFT, (turn,)))

    def next(self) -> Message | None:
        """The message that has to come next, if it is known."""
        if self.copies:
            return self.copy
        if self.replaying is not None:
            if self.history is not None and len(self.found) < len(self.history):
                return FORWARD, (self.replaying, 2, self.history[len(self.found)])
            return ACCEPTED, (self.replaying, 2)
        return self.due[0] if self.due else None

    def posted(self, message: Message) -> None:
        """A `forward` of a new post: it comes to each member."""
        self.copy, self.copies = message, self.members - 1
        if self.history is not None:
            self.history.append(message[1][2])

    def joined(self) -> None:
        """The client has become a member, perhaps once more."""
        self.members += 1
        self.accepted += 1
        if self.history is None and self.keeps:
            self.history = self.found
        self.replaying, self.found = None, []

    def left(self) -> None:
        """The client is a member once less; a client that is none does not see posts."""
        self.members -= 1
        if self.members == 0:
            self.history = None
