"""The nodes of a world and the connections between them: streams of asyncio (spec/distributed.md).

Each node listens at its own place in `peers`. Node 0 connects to all others; in a mesh each
node to those with a higher index, which are prepared already (DIST-2). So a connection is made
in set-up, by the later of its two ends, and none is made again.
"""

import asyncio
import socket
from collections.abc import Callable, Sequence
from typing import Any

from asyncio_actors.benchmarks.mailbox import Address, Mailbox, Message
from asyncio_actors.benchmarks.messages import ADDRESS, BEHAVIOUR_OF, KIND_OF
from asyncio_actors.benchmarks.names import spell
from asyncio_actors.nodes import frames
from asyncio_actors.nodes.placement import home
from asyncio_actors.nodes.secret import Handshake, Stranger

PATIENCE = 30.0
"""Seconds within which a connection is made, and within which who connects has to be known."""

UNKNOWN = 64
"""Connections at a time of which it is not known yet who they are from; more are refused."""

PIECE = 65_536
"""Bytes that are read at once, at most."""

NOBODY = 0
"""The name of nobody, where an address can be None."""


class Link:
    """The way to another node: nowhere, until there is a connection."""

    __slots__ = ("addresses", "node", "reading", "writer")

    def __init__(self, node: int) -> None:
        self.node = node
        self.writer: asyncio.StreamWriter | None = None
        self.reading: asyncio.Task[None] | None = None
        self.addresses: dict[int, RemoteAddress] = {}

    def write(self, frame: bytes) -> None:
        """Send a frame behind all others: at once, or from a buffer without a bound (DIST-3)."""
        if self.writer is None:
            raise ConnectionError(f"node {self.node} is not connected")
        self.writer.write(frame)


class RemoteAddress(Address[Any]):
    """The address of an actor on another node."""

    __slots__ = ("_link",)

    def __init__(self, name: int, link: Link) -> None:
        super().__init__(name)
        self._link = link

    def put(self, message: Message) -> None:
        behaviour, sender, arguments = message
        kind = KIND_OF[behaviour]
        if ADDRESS in kind.sends:
            arguments = tuple(
                (each.name if each else NOBODY) if sent == ADDRESS else each
                for sent, each in zip(kind.sends, arguments, strict=True)
            )
        self._link.write(frames.message(kind.number, self.name, sender.name, arguments))

    def bear(self, maker: Address[Any], seed: int) -> None:
        self._link.write(frames.message(frames.BIRTH, self.name, maker.name, (seed,)))


class Nodes:
    """This node and the others, for one world. Actors are named by their addresses here, and by
    their names on the way."""

    def __init__(
        self,
        here: int,
        peers: Sequence[tuple[str, int]],
        secret: str,
        fail: Callable[[str], None],
        directories: int = 1,
    ) -> None:
        self.here = here
        self._directories = directories
        self.born: Callable[[int, Address[Any], int], None] | None = None
        """Brings to life whom an actor of another node has made."""
        self._peers = peers
        self._handshake = Handshake(here, secret)
        self._fail = fail
        self._links = [Link(node) for node in range(len(peers))]
        self._residents: dict[int, Mailbox[Any]] = {}
        self._server: asyncio.Server | None = None
        self._unknown: set[asyncio.Task[None]] = set()

    def address(self, actor: int) -> Address[Any] | None:
        """Return the address of an actor of this name, if it lives on another node."""
        node = self._home(actor)
        return None if node == self.here else self._remote(actor, self._links[node])

    def lives_here(self, mailbox: Mailbox[Any]) -> None:
        """Messages for this actor are put into its mailbox."""
        self._residents[mailbox.name] = mailbox

    async def join(self, mesh: bool) -> None:
        """Listen, and connect to those who are there already. An error is a failure."""
        host, port = self._peers[self.here]
        try:
            self._server = await asyncio.start_server(self._accept, host, port)
        except OSError as error:
            self._fail(f"{self._spell(self.here)} cannot listen: {error}")
            return
        if mesh or self.here == 0:
            for link in self._links[self.here + 1 :]:
                await self._connect(link)

    def tell(self, reason: str) -> None:
        """On another node than 0: tell node 0, where the run is driven, what has failed here."""
        lead = self._links[0]
        if lead.writer and not lead.writer.is_closing():
            lead.write(frames.failure(reason))

    def leave(self) -> None:
        """Close everything: the world has ended."""
        if self._server:
            self._server.close()
        for link in self._links:
            if link.reading:
                link.reading.cancel()
            if link.writer:
                link.writer.close()
        for task in self._unknown:
            task.cancel()

    async def _connect(self, link: Link) -> None:
        host, port = self._peers[link.node]
        writer: asyncio.StreamWriter | None = None
        try:
            async with asyncio.timeout(PATIENCE):
                reader, writer = await asyncio.open_connection(host, port)
                await self._handshake.connected(link.node, reader, writer)
        except TimeoutError:
            problem = f"does not answer within {PATIENCE:g} s"
        except (OSError, Stranger) as error:
            problem = f"cannot be connected to: {error}"
        else:
            self._use(link, reader, writer)
            return
        if writer:
            writer.close()
        self._fail(f"{self._spell(link.node)} {problem}")

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Whoever connects. Nobody hears of it who is refused: nothing depends on a stranger."""
        task = asyncio.current_task()
        if task is None or len(self._unknown) >= UNKNOWN:
            writer.close()
            return
        self._unknown.add(task)
        known = False
        try:
            async with asyncio.timeout(PATIENCE):
                node, proof = await self._handshake.accepted(reader, writer)
            known = node < self.here and not self._links[node].writer
        except (TimeoutError, Stranger):
            pass
        finally:
            self._unknown.discard(task)
            if not known:
                writer.close()
        if not known:
            return
        self._use(self._links[node], reader, writer)
        writer.write(proof)

    def _use(self, link: Link, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _keep_alive(writer)
        link.writer = writer
        link.reading = asyncio.get_running_loop().create_task(self._read(link, reader))

    async def _read(self, link: Link, reader: asyncio.StreamReader) -> None:
        decoder = frames.Decoder()
        try:
            while data := await reader.read(PIECE):
                for frame in decoder.feed(data):
                    self._deliver(link, frame)
            self._lost(link, "is lost: it closed the connection")
        except OSError as error:
            self._lost(link, f"is lost: {error}")
        except frames.Failure as failure:
            self._fail(str(failure))
        except frames.WrongFrame as error:
            self._report(f"{self._spell(link.node)} sent {error}")

    def _deliver(self, link: Link, frame: frames.Frame) -> None:
        kind, receiver, sender, arguments = frame
        if kind == frames.BIRTH:
            if self._home(receiver) != self.here or receiver in self._residents or not self.born:
                raise frames.WrongFrame(f"the birth of {spell(receiver)}, who is not born here")
            self.born(receiver, self._remote(sender, link), *arguments)
            return
        behaviour = BEHAVIOUR_OF[kind]
        sends = KIND_OF[behaviour].sends
        if ADDRESS in sends:
            arguments = tuple(
                self._known(each) if sent == ADDRESS else each
                for sent, each in zip(sends, arguments, strict=True)
            )
        self._resident(receiver).put((behaviour, self._remote(sender, link), arguments))

    def _home(self, actor: int) -> int:
        return home(actor, len(self._peers), self._directories)

    def _resident(self, actor: int) -> Mailbox[Any]:
        mailbox = self._residents.get(actor)
        if mailbox is None:
            raise frames.WrongFrame(f"a message for {spell(actor)}, which does not live here")
        return mailbox

    def _known(self, actor: int) -> Address[Any] | None:
        """Return the actor of an address in a message: one that lives here has been born by now."""
        return (self.address(actor) or self._resident(actor)) if actor else None

    def _remote(self, actor: int, link: Link) -> RemoteAddress:
        address = link.addresses.get(actor)
        if address is None:
            address = link.addresses[actor] = RemoteAddress(actor, link)
        return address

    def _lost(self, link: Link, how: str) -> None:
        reason = f"{self._spell(link.node)} {how}"
        # With node 0 there is nobody to tell, and nobody who waits.
        if self.here == 0 or link.node:
            self._report(reason)

    def _report(self, reason: str) -> None:
        if self.here == 0:
            self._fail(reason)
        else:
            self.tell(f"{reason} (seen by node {self.here})")

    def _spell(self, node: int) -> str:
        host, port = self._peers[node]
        return f"node {node} ({host}:{port})"


def _keep_alive(writer: asyncio.StreamWriter) -> None:
    """Have the kernel find out about a host that has vanished. It answers for a process that is
    slow, so no slow one is taken for dead."""
    connection: socket.socket = writer.get_extra_info("socket")
    for level, option, value in (
        (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
        (socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 10),
        (socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 5),
        (socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 6),
        (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 40_000),
    ):
        connection.setsockopt(level, option, value)
