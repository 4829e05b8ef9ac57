"""Slices of ChatApp's actors."""

from dramaturg.model import chatapp, names
from dramaturg.model.chatapp import LOGOUT
from dramaturg.model.fibonacci import fibonacci
from dramaturg.model.fold import MASK
from dramaturg.model.messages import Choice
from dramaturg.trace.events import Message
from dramaturg.trace.partial.basis.outsiders import FREE
from dramaturg.trace.partial.basis.reader import NEVER, Numbered, Reader, once
from dramaturg.trace.partial.chatapp.leads import confirmation, sums
from dramaturg.trace.partial.chatapp.script import script
from dramaturg.v2 import trace_pb2 as kind


class ChatAppSlices(Reader):
    """Turns follow each other in what is fixed; the rest is held against each client's choice."""

    def __init__(self, parameters: chatapp.Parameters, salt: int) -> None:
        super().__init__(parameters, salt)
        self.script = script(parameters)
        self._levels = (1, 2) if parameters.history else (1,)
        """Above 0: what is forwarded, and what is replayed."""

    def read(self, receiver: int, place: int, sender: int, message: Message) -> object:
        index = names.index_of(receiver)
        match names.class_of(receiver):
            case names.POKER:
                return self._poker(sender, message)
            case names.DIRECTORY:
                return self._directory(index, place, sender, message)
            case names.CLIENT:
                return self._client(index, place, sender, message)
            case names.CHAT:
                return self._chat(receiver, sender, message)
        return self._accumulator(index, sender, message)

    def _looked_at(self, client: int) -> bool:
        return self.script.chooses(self.script.directory_of(client))

    # --- the poker, and directories ---

    def _poker(self, sender: int, message: Message) -> object:
        number, said = message
        index = names.index_of(sender)
        match number:
            case kind.MESSAGE_KIND_POKER_CONFIRM:
                expected = confirmation(self.script, index, said)
            case kind.MESSAGE_KIND_POKER_FINISHED if self.script.chooses(index):
                expected = sums(self.script, self.script.clients(index), said)
            case _:
                return once(sender, message, decided=not said)
        return once(sender, (number, expected), decided=False)

    def _directory(self, index: int, place: int, sender: int, message: Message) -> object:
        number, said = message
        clients = self.script.clients(index)
        logins = len(clients)
        befriends = int(self.parameters.befriend > 0)
        match number:
            case kind.MESSAGE_KIND_DIRECTORY_LOGIN:
                return Numbered((number,), place, lambda n: (number, (clients[n],)), logins)
            case kind.MESSAGE_KIND_DIRECTORY_BEFRIEND:
                return once(sender, message) if befriends and place == logins else NEVER
            case kind.MESSAGE_KIND_DIRECTORY_SETTLE:
                return once(sender, message) if place == logins + befriends else NEVER
            case kind.MESSAGE_KIND_DIRECTORY_POKE:
                turns = self.parameters.turns
                return Numbered((number,), said[0], lambda n: (number, (n, self.salt)), turns)
            case kind.MESSAGE_KIND_DIRECTORY_DISCONNECT:
                return once(sender, message)
            case kind.MESSAGE_KIND_DIRECTORY_SETTLED if names.index_of(sender) in clients:
                return once(sender, message)
            case kind.MESSAGE_KIND_DIRECTORY_LEFT if names.index_of(sender) in clients:
                if self.script.chooses(index):
                    message = number, sums(self.script, [names.index_of(sender)], said)
                return once(sender, message, decided=False)
        return NEVER

    # --- clients and chats ---

    def _client(self, client: int, place: int, sender: int, message: Message) -> object:
        number, args = message
        directory = chatapp.directory_name(self.script.directory_of(client))
        if names.class_of(sender) == names.CHAT:
            return self._answered(client, sender, message)
        if sender != directory:
            return NEVER
        match number:
            case kind.MESSAGE_KIND_CLIENT_ACT:
                drawing = int(Choice.DRAW), 0, 0, self.salt
                turns = self.parameters.turns
                return Numbered((number,), args[0], lambda n: (number, (n, *drawing)), turns)
            case kind.MESSAGE_KIND_CLIENT_BEFRIEND:
                friends = self.script.friends(client)
                if place >= len(friends):
                    return NEVER
                return Numbered((number,), place, lambda n: (number, (friends[n],)), len(friends))
        return once(sender, message)

    def _answered(self, client: int, chat: int, message: Message) -> object:
        """Reads a chat's message to this client."""
        number, args = message
        if not self._member(chat, client):
            return NEVER
        match number:
            case kind.MESSAGE_KIND_CLIENT_FORWARD:
                return self._post(args[2] >> 32, chat, *args)
            case kind.MESSAGE_KIND_CLIENT_ACCEPTED:
                turn, level = args
                if turn >= self.parameters.turns or level not in self._levels:
                    return NEVER
                if not self._looked_at(client):
                    return FREE
                guests = self.script.diary(names.index_of(chat)).guests.get(turn, ())
                return FREE if turn == self.script.made(chat) and client in guests else NEVER
        return FREE if self._leaves(client, args[0]) else NEVER

    def _member(self, chat: int, client: int) -> bool:
        """True if this is a chat in which that client ever is."""
        host = names.index_of(chat)
        if max(host, client) >= self.parameters.clients:
            return False
        if self.script.directory_of(host) != self.script.directory_of(client):
            return False
        if not self._looked_at(client):
            return True
        made = self.script.made(chat)
        return made is not None and (client in (host, *self.script.diary(host).guests[made]))

    def _post(self, poster: int, chat: int, turn: int, level: int, payload: int) -> object:
        """A post in this chat."""
        p = self.parameters
        if turn >= p.turns or not self._member(chat, poster):
            return NEVER
        if not self._looked_at(poster):
            return FREE if level in self._levels else NEVER
        diary = self.script.diary(poster)
        if level == 1 and diary.picks[turn] == Choice.POST:
            most = diary.posts[turn + 1]
        elif level == 2 and level in self._levels and turn == self.script.made(chat):
            most = diary.posts[-1]
        else:
            return NEVER
        return FREE if (payload - self.salt) & MASK < most else NEVER

    def _leaves(self, client: int, turn: int) -> bool:
        if turn == LOGOUT:
            return True
        if turn >= self.parameters.turns:
            return False
        return not self._looked_at(client) or (
            self.script.diary(client).picks[turn] == Choice.LEAVE
        )

    def _chat(self, chat: int, sender: int, message: Message) -> object:
        number, args = message
        client = names.index_of(sender)
        if not self._member(chat, client):
            return NEVER
        if number == kind.MESSAGE_KIND_CHAT_LEAVE:
            return FREE if self._leaves(client, args[0]) else NEVER
        if number == kind.MESSAGE_KIND_CHAT_POST:
            turn, payload = args
            return self._post(client, chat, turn, 1, payload) if payload >> 32 == client else NEVER
        made = self.script.made(chat)
        if made is None or client != names.index_of(chat):
            return NEVER
        guests = self.script.diary(client).guests[made]
        return FREE if args[0] == made and args[1] in guests else NEVER

    # --- accumulators ---

    def _accumulator(self, turn: int, sender: int, message: Message) -> object:
        number, (level, *rest) = message
        if names.class_of(sender) == names.CHAT:
            return self._announced(turn, sender, message)
        if level > 0:
            taken = number == kind.MESSAGE_KIND_ACCUMULATOR_STOP and level in self._levels
            return FREE if taken and rest[0] <= MASK else NEVER
        diary = self.script.diary(names.index_of(sender))
        said: Message = kind.MESSAGE_KIND_ACCUMULATOR_STOP, (0, 0)
        if diary.picks[turn] == Choice.COMPUTE:
            said = said[0], (0, fibonacci(self.parameters.fib_n))
        elif turn in diary.guests:
            said = kind.MESSAGE_KIND_ACCUMULATOR_BUMP, (0, len(diary.guests[turn]), 0)
        return Numbered((sender,), 0, lambda n: said, 1)

    def _announced(self, turn: int, chat: int, message: Message) -> object:
        """Reads a chat's announcement of what it has forwarded to its members, or replayed to a
        new one."""
        p, host, (level, n, announced) = self.parameters, names.index_of(chat), message[1]
        if host >= p.clients or announced > MASK or level > int(p.history):
            return NEVER
        if not self._looked_at(host):
            return FREE
        made = self.script.made(chat)
        if made is None:
            return NEVER
        members = 1 + len(self.script.diary(host).guests[made])
        if level == 0:
            return FREE if 1 <= n <= members else NEVER
        return FREE if turn == made and 2 <= n <= 1 + members * p.turns else NEVER
