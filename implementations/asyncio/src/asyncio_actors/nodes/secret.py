"""The handshake by which two nodes make sure of each other (DIST-6).

Both prove that they know the secret of this world, and neither sends it. The one that was
connected to speaks first:

    listener   ->  a challenge
    connector  ->  its index, a challenge, HMAC(secret, "connector" and all of these)
    listener   ->  HMAC(secret, "listener" and all of these)

Both indices are under both codes, so that no answer serves in another place, and every
challenge is new, so that none serves twice. Until the end of it nothing is read but these
bytes, whose number is fixed.
"""

import hmac
import secrets
import struct
from asyncio import IncompleteReadError, StreamReader, StreamWriter

CHALLENGE = 32
"""Bytes."""

CODE = 32
"""Bytes of a code: HMAC with SHA-256."""

_INDEX = struct.Struct("!H")


class Stranger(Exception):
    """The other end does not know this world's secret."""


class Handshake:
    """The handshake by which one node knows the others."""

    def __init__(self, here: int, secret: str) -> None:
        self._here = here
        self._secret = secret.encode()

    async def connected(self, there: int, reader: StreamReader, writer: StreamWriter) -> None:
        """As the one that has connected to node ``there``. Raises Stranger."""
        try:
            asked = await reader.readexactly(CHALLENGE)
        except (IncompleteReadError, ConnectionError) as error:
            raise Stranger(
                "it closed the connection without a challenge: too many connections to it have not"
                " proved yet that they know the secret?"
            ) from error
        try:
            challenge = secrets.token_bytes(CHALLENGE)
            said = self._said(self._here, there, asked, challenge)
            proof = self._code(b"connector", said)
            writer.write(_INDEX.pack(self._here) + challenge + proof)
            answer = await reader.readexactly(CODE)
        except (IncompleteReadError, ConnectionError) as error:
            raise Stranger("it refused the connection: not the same secret?") from error
        if not hmac.compare_digest(answer, self._code(b"listener", said)):
            raise Stranger("it does not know the secret")

    async def accepted(self, reader: StreamReader, writer: StreamWriter) -> tuple[int, bytes]:
        """As the one that was connected to: which node that was, and what it must be answered
        once it may send. Raises Stranger."""
        asked = secrets.token_bytes(CHALLENGE)
        writer.write(asked)
        try:
            (there,) = _INDEX.unpack(await reader.readexactly(_INDEX.size))
            challenge = await reader.readexactly(CHALLENGE)
            proof = await reader.readexactly(CODE)
        except (IncompleteReadError, ConnectionError) as error:
            raise Stranger("it went away") from error
        said = self._said(there, self._here, asked, challenge)
        if not hmac.compare_digest(proof, self._code(b"connector", said)):
            raise Stranger("it does not know the secret")
        return there, self._code(b"listener", said)

    def _said(self, connector: int, listener: int, asked: bytes, challenge: bytes) -> bytes:
        return _INDEX.pack(connector) + _INDEX.pack(listener) + asked + challenge

    def _code(self, role: bytes, said: bytes) -> bytes:
        return hmac.digest(self._secret, role + said, "sha256")
