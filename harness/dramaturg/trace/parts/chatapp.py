"""ChatApp's outsiders.

What poker and directories say is fixed. What clients, chats and accumulators say to watched
actors is held against the facts of spec/chatapp.md, and against what watched actors sent.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import ClassVar

from dramaturg.model import chatapp, names
from dramaturg.model.actor import Actor
from dramaturg.model.chatapp import LOGOUT, Parameters
from dramaturg.model.fibonacci import fibonacci
from dramaturg.model.messages import Choice
from dramaturg.trace.events import Logs, Message
from dramaturg.trace.parts.outside import FREE, WAIT, Inside, Open, Outside, Wrong
from dramaturg.trace.parts.posts import Posts
from dramaturg.trace.parts.script import CHOICES, Script, script
from dramaturg.trace.parts.seen import ACCEPTED, FORWARD, LEFT, Seen
from dramaturg.v2 import trace_pb2 as kind

_POKER = names.name(names.POKER)
_STOP, _BUMP = kind.MESSAGE_KIND_ACCUMULATOR_STOP, kind.MESSAGE_KIND_ACCUMULATOR_BUMP
_POST, _JOIN = kind.MESSAGE_KIND_CHAT_POST, kind.MESSAGE_KIND_CHAT_JOIN
_LEAVE = kind.MESSAGE_KIND_CHAT_LEAVE
_ACT, _LOGOUT = kind.MESSAGE_KIND_CLIENT_ACT, kind.MESSAGE_KIND_CLIENT_LOGOUT
_SETTLE = kind.MESSAGE_KIND_CLIENT_SETTLE
_POKE, _DISCONNECT = kind.MESSAGE_KIND_DIRECTORY_POKE, kind.MESSAGE_KIND_DIRECTORY_DISCONNECT
_SETTLED, _REPORT = kind.MESSAGE_KIND_DIRECTORY_SETTLED, kind.MESSAGE_KIND_DIRECTORY_LEFT
_ALL_SETTLED = kind.MESSAGE_KIND_POKER_SETTLED
_CONFIRM, _FINISHED = kind.MESSAGE_KIND_POKER_CONFIRM, kind.MESSAGE_KIND_POKER_FINISHED

_DELIVERIES = 6
"""The place of `deliveries` among a client's sums, the one that is no fact."""


class ChatApp(Outside):
    """Whoever of ChatApp nobody watches."""

    OPEN: ClassVar = (
        Open(names.POKER, names.ACCUMULATOR, "the sums of a turn, but `value`; when it is done"),
        Open(names.POKER, names.DIRECTORY, "the deliveries in the sums of its clients"),
        Open(names.DIRECTORY, names.CLIENT, "its deliveries"),
        Open(names.CLIENT, names.CHAT, "what other clients post, and when one is accepted"),
        Open(names.CHAT, names.CLIENT, "which of its chats a client posts to or leaves"),
        Open(names.ACCUMULATOR, names.CLIENT, "which posts find a chat, and all deliveries"),
        Open(names.ACCUMULATOR, names.CHAT, "members and history of a chat"),
    )

    DEAF: ClassVar = frozenset({names.ACCUMULATOR})

    def __init__(self, parameters: Parameters, salt: int, inside: Inside, logs: Logs) -> None:
        super().__init__(parameters, salt, inside, logs)
        self.script: Script = script(parameters)
        self._led = inside.whole(_POKER)
        self._directories = [
            inside.whole(chatapp.directory_name(index)) for index in range(parameters.directories)
        ]
        self._unsettled = 0
        """Watched actors that have to settle before anybody may be poked."""
        self._begun = False
        self._ending = False
        self._acted: dict[int, int] = {}
        """Of an outsider that a watched directory, or poker, told: the acts it was told of."""
        self._under: dict[int, list[int]] = {}
        """Watched clients of each directory that nobody watches."""
        self._settling: dict[int, int] = {}
        self._seen: dict[int, dict[int, Seen]] = {}
        self._joins: dict[tuple[int, int], int] = {}
        """Invitations that watched hosts sent, by chat and guest."""
        self._heard: dict[tuple[int, int], tuple[int, int]] = {}
        """Posts of watched clients to outsiders, by client and turn: the chat and payload."""
        self._posts: dict[int, Posts] = {}
        self._did: dict[tuple[int, int], int] = {}
        """Where an outsider's act of a turn was seen to lead."""
        self._units: set[tuple[int, int]] = set()
        """Outsiders and turns of which an accumulator has heard at level 0."""
        self._members: dict[int, dict[int, int]] = {}
        """Of each watched chat how often outsiders are members."""
        self._outside_chats: dict[int, bool] = {}
        self._invited: dict[int, int] = {}
        """Joins that a watched chat has taken from its host, who is an outsider."""
        self._last: dict[tuple[int, int], int] = {}
        self._waiting: dict[int, set[int]] = {}
        """Who waits for something that the client does or is told."""
        self._out: set[int] = set()
        """Outsiders that a watched directory has told to log out."""
        self._confirmed: set[int] = set()
        self._reported: set[int] = set()
        self._accumulators: dict[int, chatapp.Accumulator] = {}
        self._chats = {actor for actor in logs if names.class_of(actor) == names.CHAT}

    # --- births ---

    def births(self) -> Iterable[Actor]:
        p, inside = self.parameters, self.inside
        if self._led:
            yield chatapp.Poker(p)
        for index, watched in enumerate(self._directories):
            if watched:
                self._unsettled += 1
                if not self._led:
                    yield chatapp.Directory(index, self.script.seeds[index], p)
        for client in inside.of_class(names.CLIENT, p.clients):
            if inside.whole(chatapp.client_name(client)):
                directory = self.script.directory_of(client)
                if not self._directories[directory]:
                    self._unsettled += 1
                    self._under.setdefault(directory, []).append(client)
                    name = chatapp.directory_name(directory)
                    seed = self.script.seed(client)
                    yield chatapp.Client(client, name, seed, p)
        for host in inside.of_class(names.CHAT, p.clients):
            # Who is watched makes its own.
            if not inside.whole(chatapp.client_name(host)):
                for number in range(len(self.script.diary(host).turns)):
                    chat = chatapp.chat_name(host, number)
                    if inside.whole(chat):
                        yield chatapp.Chat(chat, host, p.history)
        if not self._led:
            for turn in inside.of_class(names.ACCUMULATOR, p.turns):
                if inside.whole(chatapp.accumulator_name(turn)):
                    yield chatapp.Accumulator(turn, p.clients)
            if self._unsettled == 0:
                self._begin()

    def enter(self, actor: Actor) -> None:
        match actor.actor_class:
            case names.POKER:
                self._enter_poker()
            case names.DIRECTORY:
                self._enter_directory(names.index_of(actor.name))
            case names.CLIENT:
                self._enter_client(names.index_of(actor.name))
            case names.CHAT:
                host = names.index_of(actor.name)
                self._members[actor.name] = {host: 1}
            case names.ACCUMULATOR:
                assert isinstance(actor, chatapp.Accumulator)
                self._accumulators[actor.name] = actor

    def _enter_poker(self) -> None:
        for index, watched in enumerate(self._directories):
            if not watched:
                name = chatapp.directory_name(index)
                self.lane(name, _POKER, _ALL_SETTLED, lambda n: (_ALL_SETTLED, ()), 1, 0)

    def _enter_directory(self, index: int) -> None:
        p, name = self.parameters, chatapp.directory_name(index)
        if not self._led:
            for client in self.script.clients(index):
                self.send(_POKER, name, kind.MESSAGE_KIND_DIRECTORY_LOGIN, client)
            if p.befriend > 0:
                self.send(_POKER, name, kind.MESSAGE_KIND_DIRECTORY_BEFRIEND)
            self.send(_POKER, name, kind.MESSAGE_KIND_DIRECTORY_SETTLE)
            self.lane(_POKER, name, _POKE, lambda n: (_POKE, (n, self.salt)), p.turns, 0)
        for client in self.script.clients(index):
            sender = chatapp.client_name(client)
            if not self.inside.whole(sender):
                self.lane(sender, name, _SETTLED, lambda n: (_SETTLED, ()), 1, 0)

    def _enter_client(self, client: int) -> None:
        name, directory = chatapp.client_name(client), self.script.directory_of(client)
        if self._directories[directory]:
            return
        sender = chatapp.directory_name(directory)
        for friend in self.script.friends(client):
            self.send(sender, name, kind.MESSAGE_KIND_CLIENT_BEFRIEND, friend)
        self.send(sender, name, _SETTLE)
        drawing = int(Choice.DRAW), 0, 0, self.salt
        turns = self.parameters.turns
        self.lane(sender, name, _ACT, lambda n: (_ACT, (n, *drawing)), turns, 0)

    def spawned(self, actor: Actor) -> None:
        if actor.actor_class == names.CHAT:
            host = chatapp.client_name(names.index_of(actor.name))
            self._see(host, actor.name, creator=True)

    def _see(self, client: int, chat: int, creator: bool = False) -> Seen:
        mine = self._seen.setdefault(client, {})
        if chat not in mine:
            mine[chat] = Seen(names.index_of(client), creator, self.parameters.history)
        return mine[chat]

    # --- what outsiders hear ---

    def hear(self, sender: int, receiver: int, kind_: int, args: tuple[int, ...]) -> None:
        match receiver >> 56:
            case names.CHAT:
                self._told_chat(sender, receiver, kind_, args)
            case names.CLIENT:
                self._told_client(sender, names.index_of(receiver), kind_, args)
            case names.DIRECTORY:
                self._told_directory(sender, names.index_of(receiver), kind_, args)
            case names.POKER:
                if kind_ == _ALL_SETTLED:
                    self._settle()

    def _settle(self) -> None:
        self._unsettled -= 1
        if self._unsettled == 0 and not self._led:
            self._begin()

    def _begin(self) -> None:
        """Everybody has settled: all turns are under way at once."""
        self._begun = True
        turns = self.parameters.turns
        for receiver, lanes in self.lanes.items():
            for (_, key), lane in lanes.items():
                if key in (_POKE, _ACT):
                    lane.released = turns
                    self.wake(receiver)
        for actor in (*self._accumulators, *self._chats):
            self.wake(actor)

    def _told_chat(self, sender: int, chat: int, kind_: int, args: tuple[int, ...]) -> None:
        if kind_ == _JOIN:
            guest = chatapp.client_name(args[1])
            self._joins[chat, args[1]] = self._joins.get((chat, args[1]), 0) + 1
            self.wake(guest)
            return
        self._see(sender, chat).sent(kind_, args[0], args[-1])
        if kind_ == _POST:
            self._heard[names.index_of(sender), args[0]] = chat, args[1]
            self._wake_for(names.index_of(sender))

    def _told_client(self, sender: int, client: int, kind_: int, args: tuple[int, ...]) -> None:
        if kind_ == ACCEPTED:
            members = self._members[sender]
            members[client] = members.get(client, 0) + 1
        elif kind_ == _SETTLE:
            self.release(chatapp.client_name(client), sender, _SETTLED)
        elif kind_ == _ACT:
            self._act(client, args[0])
        elif kind_ == _LOGOUT:
            self._ending = True
            self._out.add(client)
            self._wake_all()

    def _logged_out(self, client: int) -> bool:
        """Whether an outsider has been told to log out."""
        if self._directories[self.script.directory_of(client)]:
            return client in self._out
        return self._ending

    def _act(self, client: int, turn: int) -> None:
        self._acted[client] = turn + 1
        self._wake_for(client)

    def _wake_for(self, client: int) -> None:
        """Whoever waits for this outsider."""
        for receiver in self._waiting.pop(client, ()):
            self.wake(receiver)

    def _told_directory(
        self, sender: int, directory: int, kind_: int, args: tuple[int, ...]
    ) -> None:
        """By a watched client, or by the poker."""
        name, under = chatapp.directory_name(directory), self._under.get(directory, [])
        if kind_ in (_SETTLED, kind.MESSAGE_KIND_DIRECTORY_SETTLE):
            due = self._settling.setdefault(directory, len(under) + 1) - 1
            self._settling[directory] = due
            if due == 0:
                self.release(name, _POKER, _ALL_SETTLED)
            if kind_ == _SETTLED:
                self._settle()
        elif kind_ == _POKE:
            for client in under:
                self.release(name, chatapp.client_name(client), _ACT)
            for client in self.script.clients(directory):
                if client not in under:
                    self._act(client, args[0])
        elif kind_ == _DISCONNECT:
            self._ending = True
            for client in under:
                self.send(name, chatapp.client_name(client), _LOGOUT)
            self._wake_all()

    def _wake_all(self) -> None:
        self.wake(_POKER)
        for actor in (*self._chats, *self._seen):
            self.wake(actor)
        for index in range(self.parameters.directories):
            self.wake(chatapp.directory_name(index))

    def quiet(self, clear: bool) -> bool:
        """`disconnect` follows all that is no farewell."""
        if self._led or self._ending or not clear or not self.ends or not self._begun:
            return False
        if any(self._outstanding()):
            return False
        self._ending = True
        for index, watched in enumerate(self._directories):
            name = chatapp.directory_name(index)
            if watched:
                self.send(_POKER, name, _DISCONNECT)
            for client in self._under.get(index, []):
                self.send(name, chatapp.client_name(client), _LOGOUT)
        self._wake_all()
        return True

    def _outstanding(self) -> Iterator[bool]:
        """What outsiders had to say before the end, and have not been heard to say."""
        for lanes in self.lanes.values():
            yield any(lane.taken < lane.length for lane in lanes.values())
        for mine in self._seen.values():
            yield any(seen.next() is not None for seen in mine.values())

    # --- what outsiders say ---

    def judge(self, receiver: int, sender: int, message: Message) -> object | None:
        found = self._judge(receiver, sender, message)
        if found is WAIT:
            # For whom: the client that says, posts or invites.
            says = message[1][2] >> 32 if message[0] == FORWARD else names.index_of(sender)
            self._waiting.setdefault(says, set()).add(receiver)
        return found

    def _judge(self, receiver: int, sender: int, message: Message) -> object | None:
        match receiver >> 56:
            case names.POKER:
                return self._to_poker(sender, message)
            case names.DIRECTORY:
                return self._to_directory(receiver, sender, message)
            case names.CLIENT if names.class_of(sender) == names.CHAT:
                return self._to_client(receiver, sender, message)
            case names.CLIENT:
                return self._to_client_from_directory(receiver, sender, message)
            case names.CHAT:
                return self._to_chat(receiver, sender, message)
            case names.ACCUMULATOR:
                return self._to_accumulator(receiver, sender, message)
        return super().judge(receiver, sender, message)

    def _to_poker(self, sender: int, message: Message) -> object | None:
        index = names.index_of(sender)
        if message[0] == _CONFIRM:
            if sender != chatapp.accumulator_name(index) or index >= self.parameters.turns:
                return Wrong(None)
            if index in self._confirmed:
                return Wrong(None)
            expected = self._confirm(index, message[1])
            if message != expected:
                return Wrong(expected)
            self._confirmed.add(index)
            return FREE
        if message[0] == _FINISHED:
            if sender != chatapp.directory_name(index) or index >= self.parameters.directories:
                return Wrong(None)
            if self._directories[index] or sender in self._reported:
                return Wrong(None)
            expected = _FINISHED, self._sums(self.script.clients(index), message[1])
            return self._reports(sender, expected, message)
        return super().judge(_POKER, sender, message)

    def _confirm(self, turn: int, said: tuple[int, ...]) -> Message:
        """What its `confirm` can say, as near to what it says as that may be."""
        value, least = self._turn_facts[turn]
        stops = max(said[2], least)
        return _CONFIRM, (turn, value, stops, said[3], said[3])

    @cached_property
    def _turn_facts(self) -> list[tuple[int, int]]:
        """Of each turn what its computes come to, and how many are accepted: so many `stop`s
        above level 0 there are at least."""
        picks, guests = self.script.everybody
        computes, accepted = (picks == Choice.COMPUTE).sum(axis=1), guests.sum(axis=1)
        value = fibonacci(self.parameters.fib_n)
        return [(int(c) * value, int(a)) for c, a in zip(computes, accepted, strict=True)]

    def _reports(
        self, sender: int, expected: Message, message: Message, client: int | None = None
    ) -> object | None:
        if not (self._ending if client is None else self._logged_out(client)):
            return WAIT
        if message != expected:
            return Wrong(expected)
        self._reported.add(sender)
        return FREE

    def _sums(self, clients: Iterable[int], said: tuple[int, ...]) -> tuple[int, ...]:
        """What these clients report, together; deliveries as they are said."""
        sums = [0] * len(said)
        for client in clients:
            diary = self.script.diary(client)
            picks = [diary.picks.count(choice) for choice in CHOICES]
            joins = sum(count for _, count in self.script.invitations(client).values())
            sums = [
                sum + mine for sum, mine in zip(sums, (diary.lcg, *picks, 0, joins), strict=True)
            ]
        sums[_DELIVERIES] = said[_DELIVERIES]
        return tuple(sums)

    def _to_directory(self, directory: int, sender: int, message: Message) -> object | None:
        client = names.index_of(sender)
        if sender == _POKER:
            return self._farewell(directory, sender, message)
        if message[0] != _REPORT or names.class_of(sender) != names.CLIENT:
            return super().judge(directory, sender, message)
        mine = self.script.clients(names.index_of(directory))
        if sender != chatapp.client_name(client) or client not in mine or sender in self._reported:
            return Wrong(None)
        expected = _REPORT, self._sums([client], message[1])
        return self._reports(sender, expected, message, client)

    def _farewell(self, receiver: int, sender: int, message: Message) -> object | None:
        """From who tells it everything: what ends the iteration is sent when all is at rest."""
        if message[0] in (_DISCONNECT, _LOGOUT):
            due = self.next_from(sender, receiver)
            return WAIT if due is None and not self._ending else Wrong(due)
        return super().judge(receiver, sender, message)

    def _to_client_from_directory(
        self, client: int, sender: int, message: Message
    ) -> object | None:
        directory = self.script.directory_of(names.index_of(client))
        if sender != chatapp.directory_name(directory):
            return Wrong(None)
        return self._farewell(client, sender, message)

    # A watched client, and a chat.

    def _to_client(self, client: int, chat: int, message: Message) -> object | None:
        number, args = message
        index = names.index_of(client)
        if not self._can_know(chat, index):
            return Wrong(None)
        seen = self._see(client, chat)
        expected = seen.next()
        if seen.copies:
            if message != expected:
                return Wrong(expected)
            seen.copies -= 1
            return None
        if number == ACCEPTED:
            return self._accepted(seen, chat, index, message)
        if number == LEFT:
            if seen.replaying is not None or message != expected:
                return Wrong(expected)
            seen.due.popleft()
            seen.left()
            return None
        if number != FORWARD:
            return Wrong(expected)
        if args[1] == 2:
            return self._replayed(seen, chat, index, message)
        return self._forwarded(seen, chat, index, message)

    def _can_know(self, chat: int, client: int) -> bool:
        """Whether it is a chat into which this client ever came."""
        host = names.index_of(chat)
        if host >= self.parameters.clients:
            return False
        if self.script.directory_of(host) != self.script.directory_of(client):
            return False
        if not self.script.chooses(self.script.directory_of(host)):
            return True
        known = host == client or chat in self.script.invitations(client)
        return known and self.script.made(chat) is not None

    def _told_to_act(self, client: int, turn: int) -> bool:
        """Whether an outsider can have acted in this turn by now."""
        if self._led or self._directories[self.script.directory_of(client)]:
            return turn < self._acted.get(client, 0)
        return self._begun

    def _invites(self, chat: int, client: int, seen: Seen, turn: int) -> object | None:
        """Whether one more `accepted` of this turn can come from this chat."""
        host = names.index_of(chat)
        if self.inside.whole(chatapp.client_name(host)):
            return None if self._joins.get((chat, client), 0) > seen.accepted else WAIT
        if not self.script.chooses(self.script.directory_of(host)):
            return FREE
        made, count = self.script.invitations(client).get(chat, (turn, 0))
        if seen.accepted >= count:
            return Wrong(seen.next())
        if made != turn:
            return Wrong((ACCEPTED, (made, 2 if seen.replaying is not None else 1)))
        return None if self._told_to_act(host, turn) else WAIT

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
        if not self.parameters.history:
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
        poster = payload >> 32
        if not self._may_post(poster, chat):
            return Wrong(None)
        seen.replaying = turn
        seen.found.append(payload)
        return FREE if known is None else None

    def _may_post(self, poster: int, chat: int) -> bool:
        """Whether this client ever posts, and ever was in this chat."""
        return self._can_know(chat, poster) and self.script.diary(poster).posts[-1] > 0

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
        if seen.last.get(poster, -1) >= turn or self._ending:
            return Wrong(expected)
        found = self._posted(poster, chat, turn, payload)
        if found is FREE or found is None:
            seen.last[poster] = turn
            seen.posted(message)
        return Wrong(expected) if isinstance(found, Wrong) else found

    def _posted(self, poster: int, chat: int, turn: int, payload: int) -> object | None:
        """Whether this client can have posted this to this chat by now."""
        if not self._can_know(chat, poster) or turn >= self.parameters.turns:
            return Wrong(None)
        if self.inside.whole(chatapp.client_name(poster)):
            heard = self._heard.get((poster, turn))
            if heard is None:
                return WAIT
            return None if heard == (chat, payload) else Wrong(None)
        if self.script.diary(poster).picks[turn] != Choice.POST:
            return Wrong(None)
        number = (payload - self.salt) & 0xFFFFFFFF
        if self._did.get((poster, turn), chat) != chat:
            return Wrong(None)
        if not self._told_to_act(poster, turn):
            return WAIT
        if not self._posts_of(poster).fits(turn, number):
            return Wrong(None)
        self._did[poster, turn] = chat
        return FREE

    def _posts_of(self, client: int) -> Posts:
        posts = self._posts.get(client)
        if posts is None:
            posts = self._posts[client] = Posts(self.script.diary(client))
        return posts

    # A watched chat, and a client.

    def _to_chat(self, chat: int, sender: int, message: Message) -> object | None:
        number, args = message
        client, host = names.index_of(sender), names.index_of(chat)
        if sender != chatapp.client_name(client) or not self._can_know(chat, client):
            return Wrong(None)
        if client == host:
            due = self._due_join(chat, host)
            if due is not None:
                if message != due:
                    return Wrong(due)
                if not self._told_to_act(host, args[0]):
                    return WAIT
                self._invited[chat] = self._invited.get(chat, 0) + 1
                return None
        if number == _JOIN or not self._members[chat].get(client):
            return Wrong(None)
        turn = args[0]
        if turn <= self._last.get((chat, client), -1) and turn != LOGOUT:
            return Wrong(None)
        if number == _POST:
            if args[1] >> 32 != client or self._ending:
                return Wrong(None)
            found = self._posted(client, chat, turn, args[1])
        else:
            found = self._leaves(client, chat, turn)
        if found is FREE or found is None:
            self._last[chat, client] = turn
            if number == _LEAVE:
                self._members[chat][client] -= 1
        return found

    def _due_join(self, chat: int, host: int) -> Message | None:
        """What the host says first: whom it invites."""
        diary, made = self.script.diary(host), self.script.made(chat)
        if made is None:
            return None
        guests, taken = diary.guests[made], self._invited.get(chat, 0)
        return (_JOIN, (made, guests[taken])) if taken < len(guests) else None

    def _leaves(self, client: int, chat: int, turn: int) -> object | None:
        if turn == LOGOUT:
            return None if self._logged_out(client) else WAIT
        if turn >= self.parameters.turns or self._ending:
            return Wrong(None)
        if self.script.diary(client).picks[turn] != Choice.LEAVE:
            return Wrong(None)
        if self._did.get((client, turn), 0):
            return Wrong(None)
        if not self._told_to_act(client, turn):
            return WAIT
        self._did[client, turn] = chat
        return FREE

    # A watched accumulator, and clients and chats.

    def _to_accumulator(self, accumulator: int, sender: int, message: Message) -> object | None:
        turn = names.index_of(accumulator)
        match names.class_of(sender):
            case names.CLIENT:
                return self._unit(turn, accumulator, sender, message)
            case names.CHAT:
                return self._announced(turn, sender, message)
        return Wrong(None)

    def _unit(self, turn: int, accumulator: int, sender: int, message: Message) -> object | None:
        client = names.index_of(sender)
        if sender != chatapp.client_name(client) or client >= self.parameters.clients:
            return Wrong(None)
        if message[1][0] > 0:
            if message[0] != _STOP or message[1][0] > 2:
                return Wrong(None)
            return FREE if self._begun or self._led else WAIT
        expected, sure = self._first_unit(client, turn)
        if (client, turn) in self._units or (not sure and (client, turn) in self._did):
            return Wrong(None)
        if message != expected:
            return Wrong(expected)
        if not self._told_to_act(client, turn):
            return WAIT
        self._units.add((client, turn))
        if not sure:
            self._did[client, turn] = accumulator
        return None if sure else FREE

    def _first_unit(self, client: int, turn: int) -> tuple[Message, bool]:
        """What a client itself tells the accumulator at level 0, and whether it must."""
        choice, guests = self.script.choice(client, turn)
        if choice == Choice.COMPUTE:
            return (_STOP, (0, fibonacci(self.parameters.fib_n))), True
        if guests:
            return (_BUMP, (0, guests, 0)), True
        return (_STOP, (0, 0)), choice != Choice.POST

    def _announced(self, turn: int, chat: int, message: Message) -> object | None:
        made = self.script.made(chat)
        if message[0] != _BUMP or made is None or message[1][1] == 0:
            return Wrong(None)
        if message[1][0] == 1 and (made != turn or not self.parameters.history):
            return Wrong(None)
        if message[1][0] > 1:
            return Wrong(None)
        return FREE if self._begun or self._led else WAIT

    # --- what never came ---

    def missing(self, receiver: int) -> Iterator[tuple[int, Message | None]]:
        yield from super().missing(receiver)
        match receiver >> 56:
            case names.CLIENT:
                for chat, seen in self._seen.get(receiver, {}).items():
                    expected = seen.next()
                    if expected is not None:
                        yield chat, expected
            case names.CHAT:
                host = names.index_of(receiver)
                if not self.inside.whole(chatapp.client_name(host)):
                    due = self._due_join(receiver, host)
                    if due is not None:
                        yield chatapp.client_name(host), due
            case names.ACCUMULATOR:
                yield from self._missing_units(receiver)

    def _missing_units(self, accumulator: int) -> Iterator[tuple[int, Message | None]]:
        actor, turn = self._accumulators[accumulator], names.index_of(accumulator)
        if actor.consumed == actor.expected:
            return
        for client in range(self.parameters.clients):
            sender = chatapp.client_name(client)
            if not self.inside.whole(sender) and (client, turn) not in self._units:
                expected, sure = self._first_unit(client, turn)
                if sure:
                    yield sender, expected
                    return
        yield names.NOBODY, None

    def amiss(self, receiver: int) -> int | None:
        """Of an accumulator: what each chat announced must be what its members took."""
        actor = self._accumulators.get(receiver)
        if actor is None or actor.consumed != actor.expected:
            return None
        log = self.logs.get(receiver, [])
        taken = Counter(args[1] for _, (number, args) in log if number == _STOP and args[0] == 1)
        bumps = Counter(args[1:] for _, (number, args) in log if number == _BUMP and args[0] == 0)
        posts = {args: n for args, n in bumps.items() if args[1]}
        taken.pop(0, None)
        # If two posts have one digest, what belongs to which is not known; the sum still is.
        exact = len(taken) == sum(posts.values())
        explained = {(n, n * digest & 0xFFFFFFFF) for digest, n in taken.items()}
        if actor.announced == actor.taken and (not exact or explained == posts.keys()):
            return None
        for place, (_, (number, args)) in enumerate(log):
            if number == _STOP and args[0] == 1 and args[1]:
                count = taken[args[1]]
                if (count, count * args[1] & 0xFFFFFFFF) not in posts:
                    return place
        return len(log) - 1

    def overdue(self, receiver: int) -> Iterator[tuple[int, Message]]:
        yield from super().overdue(receiver)
        index = names.index_of(receiver)
        match receiver >> 56:
            case names.CLIENT if self._has_chats_outside(self.script.directory_of(index)):
                for chat, (turn, count) in self.script.invitations(index).items():
                    if self.inside.whole(chat):
                        continue
                    mine = self._seen.get(receiver, {}).get(chat)
                    if (mine.accepted if mine else 0) < count:
                        yield chat, (ACCEPTED, (turn, 1))
            case names.CHAT if self.ends:
                for client, count in self._members[receiver].items():
                    if count and not self.inside.whole(chatapp.client_name(client)):
                        yield chatapp.client_name(client), (_LEAVE, (LOGOUT,))
            case names.DIRECTORY if self.ends:
                for client in self.script.clients(index):
                    sender = chatapp.client_name(client)
                    if not self.inside.whole(sender) and sender not in self._reported:
                        yield sender, (_REPORT, self._sums([client], (0,) * 8))
            case names.POKER:
                yield from self._unreported()

    def _has_chats_outside(self, directory: int) -> bool:
        """Whether its clients are invited into chats that nobody watches, and it is known which."""
        known = self._outside_chats.get(directory)
        if known is None:
            hosts = self.script.clients(directory)
            inside = all(self.inside.whole(chatapp.chat_name(host, 0)) for host in hosts)
            known = self._outside_chats[directory] = not inside and self.script.chooses(directory)
        return known

    def _unreported(self) -> Iterator[tuple[int, Message]]:
        for turn in range(self.parameters.turns):
            sender = chatapp.accumulator_name(turn)
            if not self.inside.whole(sender) and turn not in self._confirmed:
                yield sender, self._confirm(turn, (turn, 0, 0, 0, 0))
        for index, watched in enumerate(self._directories):
            sender = chatapp.directory_name(index)
            if self.ends and not watched and sender not in self._reported:
                sums = self._sums(self.script.clients(index), (0,) * 8)
                yield sender, (_FINISHED, sums)
