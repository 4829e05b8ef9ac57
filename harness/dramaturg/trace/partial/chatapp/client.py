"""The messages that watched clients take from outsiders: from their directory, and answers and
forwards of chats (CHAT-37 and after)."""

from collections.abc import Iterator

from dramaturg.model import chatapp, names
from dramaturg.trace.events import Message
from dramaturg.trace.partial.basis.outsiders import FREE, WAIT, Outside, Wrong
from dramaturg.trace.partial.chatapp.known import Known
from dramaturg.trace.partial.chatapp.seen_chat import ACCEPTED, FORWARD, LEFT, Seen
from dramaturg.trace.partial.chatapp.taker import Taker


class ToClient(Taker):
    """Each chat that nobody watches, as each watched client sees it."""

    def __init__(self, outside: Outside, known: Known) -> None:
        super().__init__(outside, known)
        self.seen: dict[int, dict[int, Seen]] = {}
        self._joins: dict[tuple[int, int], int] = {}
        """Invitations that watched hosts sent, by chat and guest."""
        self._outside_chats: dict[int, bool] = {}

    def see(self, client: int, chat: int, creator: bool = False) -> Seen:
        """The messages between the two so far."""
        mine = self.seen.setdefault(client, {})
        if chat not in mine:
            mine[chat] = Seen(names.index_of(client), creator, self.known.parameters.history)
        return mine[chat]

    def invited(self, chat: int, guest: int) -> None:
        """A watched host has sent the chat a `join` of this client."""
        self._joins[chat, guest] = self._joins.get((chat, guest), 0) + 1

    def judge(self, receiver: int, sender: int, message: Message) -> object | None:
        index = names.index_of(receiver)
        if names.class_of(sender) != names.CHAT:
            if sender != chatapp.directory_name(self.script.directory_of(index)):
                return Wrong(None)
            return self.led(receiver, sender, message)
        if not self.known.can_know(sender, index):
            return Wrong(None)
        seen = self.see(receiver, sender)
        expected = seen.next()
        if seen.copies:
            if message != expected:
                return Wrong(expected)
            seen.copies -= 1
            return None
        if message[0] == ACCEPTED:
            return self._accepted(seen, sender, index, message)
        if message[0] == LEFT:
            if seen.replaying is not None or message != expected:
                return Wrong(expected)
            seen.due.popleft()
            seen.left()
            return None
        if message[0] != FORWARD:
            return Wrong(expected)
        if message[1][1] == 2:
            return self._replayed(seen, sender, index, message)
        return self._forwarded(seen, sender, index, message)

    def _invites(self, chat: int, client: int, seen: Seen, turn: int) -> object | None:
        """Check that one more `accepted` of this turn can come from this chat."""
        host = names.index_of(chat)
        if self.known.watches(host):
            return None if self._joins.get((chat, client), 0) > seen.accepted else WAIT
        if not self.script.chooses(self.script.directory_of(host)):
            return FREE
        made, count = self.script.invitations(client).get(chat, (turn, 0))
        if seen.accepted >= count:
            return Wrong(seen.next())
        if made != turn:
            return Wrong((ACCEPTED, (made, 2 if seen.replaying is not None else 1)))
        return None if self.known.told_to_act(host, turn) else WAIT

    def _accepted(self, seen: Seen, chat: int, client: int, message: Message) -> object | None:
        turn, level = message[1]
        if seen.replaying is not None and message != seen.next():
            return Wrong(seen.next())
        if seen.replaying is None and level != 1:
            return Wrong((ACCEPTED, (turn, 1)))
        if seen.replaying is None and seen.history:
            return Wrong((FORWARD, (turn, 2, seen.history[0])))
        found = self._invites(chat, client, seen, turn)
        if found is WAIT or isinstance(found, Wrong):
            return found
        seen.joined()
        return found

    def _replayed(self, seen: Seen, chat: int, client: int, message: Message) -> object | None:
        turn, _, payload = message[1]
        if not self.known.parameters.history:
            return Wrong(seen.next())
        if seen.replaying is None:
            if seen.history == []:
                return Wrong(seen.next())
            found = self._invites(chat, client, seen, turn)
            if found is WAIT or isinstance(found, Wrong):
                return found
        elif turn != seen.replaying:
            return Wrong(seen.next())
        known = seen.history
        at = len(seen.found)
        if known is not None and at == len(known):
            return Wrong(seen.next())
        if known is not None and payload != known[at]:
            return Wrong((FORWARD, (turn, 2, known[at])))
        if not self._may_post(payload >> 32, chat):
            return Wrong(None)
        seen.replaying = turn
        seen.found.append(payload)
        return FREE if known is None else None

    def _may_post(self, poster: int, chat: int) -> bool:
        """True if this client ever posts, and ever was in this chat."""
        return self.known.can_know(chat, poster) and self.script.diary(poster).posts[-1] > 0

    def _forwarded(self, seen: Seen, chat: int, client: int, message: Message) -> object | None:
        turn, level, payload = message[1]
        poster = payload >> 32
        expected = seen.next()
        if seen.replaying is not None or level != 1 or seen.members == 0:
            return Wrong(expected)
        if poster == client:
            if message != expected:
                return Wrong(expected)
            seen.due.popleft()
            seen.posted(message)
            return None
        if seen.last.get(poster, -1) >= turn or self.known.ending:
            return Wrong(expected)
        found = self.known.posted(poster, chat, turn, payload)
        if found is FREE or found is None:
            seen.last[poster] = turn
            seen.posted(message)
        return Wrong(expected) if isinstance(found, Wrong) else found

    def missing(self, receiver: int) -> Iterator[tuple[int, Message | None]]:
        for chat, seen in self.seen.get(receiver, {}).items():
            expected = seen.next()
            if expected is not None:
                yield chat, expected

    def overdue(self, receiver: int) -> Iterator[tuple[int, Message]]:
        client = names.index_of(receiver)
        if not self._has_chats_outside(self.script.directory_of(client)):
            return
        for chat, (turn, count) in self.script.invitations(client).items():
            if self.outside.inside.whole(chat):
                continue
            mine = self.seen.get(receiver, {}).get(chat)
            if (mine.accepted if mine else 0) < count:
                yield chat, (ACCEPTED, (turn, 1))

    def _has_chats_outside(self, directory: int) -> bool:
        """True if its clients are invited into chats that nobody watches, and it is known which."""
        known = self._outside_chats.get(directory)
        if known is None:
            hosts, inside = self.script.clients(directory), self.outside.inside
            watched = all(inside.whole(chatapp.chat_name(host, 0)) for host in hosts)
            known = self._outside_chats[directory] = not watched and self.script.chooses(directory)
        return known
