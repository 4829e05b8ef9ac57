"""Slices of ChatApp's actors."""

from dramaturg.model import chatapp, names
from dramaturg.model.chatapp import LOGOUT
from dramaturg.model.fibonacci import fibonacci
from dramaturg.model.messages import Choice
from dramaturg.trace.events import Message
from dramaturg.trace.parts.outside import FREE
from dramaturg.trace.parts.reader import NEVER, Numbered, Reader
from dramaturg.trace.parts.script import script
from dramaturg.v2 import trace_pb2 as kind


class ChatAppSlices(Reader):
    """Turns follow each other in what is fixed; the rest is held against each client's choice."""

    def __init__(self, parameters: chatapp.Parameters, salt: int) -> None:
        super().__init__(parameters, salt)
        self.script = script(parameters)

    def read(self, receiver: int, place: int, sender: int, message: Message) -> object:
        match names.class_of(receiver):
            case names.CLIENT:
                return self._client(names.index_of(receiver), place, sender, message)
            case names.CHAT:
                return self._chat(receiver, sender, message)
            case names.ACCUMULATOR:
                return self._accumulator(names.index_of(receiver), sender, message)
            case names.DIRECTORY if message[0] == kind.MESSAGE_KIND_DIRECTORY_POKE:
                number, turns = message[0], self.parameters.turns
                return Numbered((number,), message[1][0], lambda n: (number, (n, self.salt)), turns)
        return FREE

    def _client(self, client: int, place: int, sender: int, message: Message) -> object:
        number, args = message
        directory = chatapp.directory_name(self.script.directory_of(client))
        match number:
            case kind.MESSAGE_KIND_CLIENT_ACT:
                if sender != directory:
                    return NEVER
                drawing = int(Choice.DRAW), 0, 0, self.salt
                turns = self.parameters.turns
                return Numbered((number,), args[0], lambda n: (number, (n, *drawing)), turns)
            case kind.MESSAGE_KIND_CLIENT_BEFRIEND:
                friends = self.script.friends(client)
                if sender != directory or place >= len(friends):
                    return NEVER
                return Numbered((number,), place, lambda n: (number, (friends[n],)), len(friends))
            case kind.MESSAGE_KIND_CLIENT_FORWARD:
                return self._post(args[2] >> 32, client, args[0], args[1], args[2])
            case kind.MESSAGE_KIND_CLIENT_ACCEPTED:
                if not self._looked_at(client):
                    return FREE
                made, _ = self.script.invitations(client).get(sender, (None, 0))
                return FREE if made == args[0] and args[1] in (1, 2) else NEVER
            case kind.MESSAGE_KIND_CLIENT_LEFT:
                return FREE if self._leaves(client, args[0]) else NEVER
        return FREE if sender == directory else NEVER

    def _looked_at(self, client: int) -> bool:
        return self.script.chooses(self.script.directory_of(client))

    def _post(self, poster: int, client: int, turn: int, level: int, payload: int) -> object:
        """A post that comes to this client."""
        p = self.parameters
        if poster >= p.clients or turn >= p.turns or level not in (1, 2):
            return NEVER
        if self.script.directory_of(poster) != self.script.directory_of(client):
            return NEVER
        if not self._looked_at(client):
            return FREE
        diary = self.script.diary(poster)
        before = diary.posts[turn] + (diary.picks[turn] == Choice.POST)
        if level == 1 and diary.picks[turn] != Choice.POST:
            return NEVER
        if level == 2:
            before = diary.posts[-1]
        return FREE if (payload - self.salt) & 0xFFFFFFFF < before else NEVER

    def _leaves(self, client: int, turn: int) -> bool:
        if turn == LOGOUT or not self._looked_at(client):
            return True
        return turn < self.parameters.turns and self.script.diary(client).picks[turn] == (
            Choice.LEAVE
        )

    def _chat(self, chat: int, sender: int, message: Message) -> object:
        number, args = message
        client = names.index_of(sender)
        if not self.among(sender, names.CLIENT, self.parameters.clients):
            return NEVER
        if number == kind.MESSAGE_KIND_CHAT_LEAVE:
            return FREE if self._leaves(client, args[0]) else NEVER
        if number == kind.MESSAGE_KIND_CHAT_POST:
            if args[1] >> 32 != client:
                return NEVER
            return self._post(client, names.index_of(chat), args[0], 1, args[1])
        made = self.script.made(chat)
        if made is None or client != names.index_of(chat):
            return NEVER
        guests = self.script.diary(client).guests[made]
        return FREE if args[0] == made and args[1] in guests else NEVER

    def _accumulator(self, turn: int, sender: int, message: Message) -> object:
        client, args = names.index_of(sender), message[1]
        if names.class_of(sender) != names.CLIENT or args[0] > 0:
            return FREE
        if client >= self.parameters.clients:
            return NEVER
        diary = self.script.diary(client)
        said: Message = kind.MESSAGE_KIND_ACCUMULATOR_STOP, (0, 0)
        if diary.picks[turn] == Choice.COMPUTE:
            said = said[0], (0, fibonacci(self.parameters.fib_n))
        elif turn in diary.guests:
            said = kind.MESSAGE_KIND_ACCUMULATOR_BUMP, (0, len(diary.guests[turn]), 0)
        return Numbered((sender,), 0, lambda n: said, 1)
