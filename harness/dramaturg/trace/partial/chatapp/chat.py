"""The messages that watched chats take from unobserved clients: posts, leaves, and the host's
invitations."""

from collections.abc import Iterator

from dramaturg.model import chatapp, names
from dramaturg.model.chatapp import LOGOUT
from dramaturg.model.messages import Choice
from dramaturg.trace.events import Message
from dramaturg.trace.partial.basis.outsiders import FREE, WAIT, Outside, Wrong
from dramaturg.trace.partial.chatapp.known import Known
from dramaturg.trace.partial.chatapp.taker import Taker
from dramaturg.v2 import trace_pb2 as kind

_POST, _JOIN = kind.MESSAGE_KIND_CHAT_POST, kind.MESSAGE_KIND_CHAT_JOIN
_LEAVE = kind.MESSAGE_KIND_CHAT_LEAVE


class ToChat(Taker):
    """Judges messages to watched chats, and keeps the members of each, as far as they are
    outsiders."""

    def __init__(self, outside: Outside, known: Known) -> None:
        super().__init__(outside, known)
        self._members: dict[int, dict[int, int]] = {}
        """For each watched chat, how often outsiders are members."""
        self._invited: dict[int, int] = {}
        """Joins that a watched chat has taken from its host, who is an outsider."""
        self._last: dict[tuple[int, int], int] = {}
        """For each chat and outsider, the turn of its last message."""

    def enter(self, chat: int) -> None:
        """It is born with its host as a member."""
        self._members[chat] = {names.index_of(chat): 1}

    def accepted(self, chat: int, client: int) -> None:
        """The chat has told an outsider that it is a member."""
        members = self._members[chat]
        members[client] = members.get(client, 0) + 1

    def judge(self, receiver: int, sender: int, message: Message) -> object | None:
        chat, (number, args) = receiver, message
        client, host = names.index_of(sender), names.index_of(chat)
        if sender != chatapp.client_name(client) or not self.known.can_know(chat, client):
            return Wrong(None)
        if client == host:
            due = self._due_join(chat, host)
            if due is not None:
                if message != due:
                    return Wrong(due)
                if not self.known.told_to_act(host, args[0]):
                    return WAIT
                self._invited[chat] = self._invited.get(chat, 0) + 1
                return None
        if number == _JOIN or not self._members[chat].get(client):
            return Wrong(None)
        turn = args[0]
        if turn <= self._last.get((chat, client), -1) and turn != LOGOUT:
            return Wrong(None)
        if number == _POST:
            if args[1] >> 32 != client or self.known.ending:
                return Wrong(None)
            found = self.known.posted(client, chat, turn, args[1])
        else:
            found = self._leaves(client, chat, turn)
        if found is FREE or found is None:
            self._last[chat, client] = turn
            if number == _LEAVE:
                self._members[chat][client] -= 1
        return found

    def _due_join(self, chat: int, host: int) -> Message | None:
        """The host's first messages: its invitations."""
        diary, made = self.script.diary(host), self.script.made(chat)
        if made is None:
            return None
        guests, taken = diary.guests[made], self._invited.get(chat, 0)
        return (_JOIN, (made, guests[taken])) if taken < len(guests) else None

    def _leaves(self, client: int, chat: int, turn: int) -> object | None:
        known = self.known
        if turn == LOGOUT:
            return None if known.logged_out(client) else WAIT
        if turn >= known.parameters.turns or known.ending:
            return Wrong(None)
        if self.script.diary(client).picks[turn] != Choice.LEAVE:
            return Wrong(None)
        if known.did.get((client, turn), 0):
            return Wrong(None)
        if not known.told_to_act(client, turn):
            return WAIT
        known.did[client, turn] = chat
        return FREE

    def missing(self, receiver: int) -> Iterator[tuple[int, Message | None]]:
        host = names.index_of(receiver)
        if not self.known.watches(host):
            due = self._due_join(receiver, host)
            if due is not None:
                yield chatapp.client_name(host), due

    def overdue(self, receiver: int) -> Iterator[tuple[int, Message]]:
        if not self.outside.ends:
            return
        for client, count in self._members[receiver].items():
            if count and not self.known.watches(client):
                yield chatapp.client_name(client), (_LEAVE, (LOGOUT,))
