"""The facts known about ChatApp's outsiders so far, whichever actor takes their messages."""

from dramaturg.model import chatapp, names
from dramaturg.model.messages import Choice
from dramaturg.trace.partial.basis.outsiders import FREE, WAIT, Inside, Wrong
from dramaturg.trace.partial.chatapp.posts import Posts
from dramaturg.trace.partial.chatapp.script import Script, script


class Known:
    """The script, how far the run has come, and where acts of outsiders were seen to lead."""

    def __init__(self, parameters: chatapp.Parameters, salt: int, inside: Inside) -> None:
        self.parameters = parameters
        self.script: Script = script(parameters)
        self.led = inside.whole(names.name(names.POKER))
        """Whether the poker is watched."""
        self.directories = [
            inside.whole(chatapp.directory_name(index)) for index in range(parameters.directories)
        ]
        """For each directory, whether it is watched."""
        self.begun = False
        """Whether everybody has settled, as far as watched actors show."""
        self.ending = False
        self.acted: dict[int, int] = {}
        """For an outsider that a watched directory, or poker, told to act: the acts that it was
        told."""
        self.out: set[int] = set()
        """Outsiders that a watched directory has told to log out."""
        self.heard: dict[tuple[int, int], tuple[int, int]] = {}
        """Posts of watched clients to outsiders, by client and turn: the chat and payload."""
        self.did: dict[tuple[int, int], int] = {}
        """Where an outsider's act of a turn was seen to lead."""
        self._salt = salt
        self._inside = inside
        self._posts: dict[int, Posts] = {}

    def watches(self, client: int) -> bool:
        """True if the client with this index is watched."""
        return self._inside.whole(chatapp.client_name(client))

    def told_to_act(self, client: int, turn: int) -> bool:
        """True if an outsider can have acted in this turn by now."""
        if self.led or self.directories[self.script.directory_of(client)]:
            return turn < self.acted.get(client, 0)
        return self.begun

    def logged_out(self, client: int) -> bool:
        """True if an outsider has been told to log out."""
        if self.directories[self.script.directory_of(client)]:
            return client in self.out
        return self.ending

    def can_know(self, chat: int, client: int) -> bool:
        """True if it is a chat into which this client ever came."""
        host = names.index_of(chat)
        if host >= self.parameters.clients:
            return False
        if self.script.directory_of(host) != self.script.directory_of(client):
            return False
        if not self.script.chooses(self.script.directory_of(host)):
            return True
        known = host == client or chat in self.script.invitations(client)
        return known and self.script.made(chat) is not None

    def posted(self, poster: int, chat: int, turn: int, payload: int) -> object | None:
        """Check that this client can have posted this to this chat by now."""
        if not self.can_know(chat, poster) or turn >= self.parameters.turns:
            return Wrong(None)
        if self.watches(poster):
            heard = self.heard.get((poster, turn))
            if heard is None:
                return WAIT
            return None if heard == (chat, payload) else Wrong(None)
        if self.script.diary(poster).picks[turn] != Choice.POST:
            return Wrong(None)
        number = (payload - self._salt) & 0xFFFFFFFF
        if self.did.get((poster, turn), chat) != chat:
            return Wrong(None)
        if not self.told_to_act(poster, turn):
            return WAIT
        if not self._posts_of(poster).fits(turn, number):
            return Wrong(None)
        self.did[poster, turn] = chat
        return FREE

    def _posts_of(self, client: int) -> Posts:
        posts = self._posts.get(client)
        if posts is None:
            posts = self._posts[client] = Posts(self.script.diary(client))
        return posts
