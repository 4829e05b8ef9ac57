"""Signed certificates: the DSSE envelope, and Ed25519 keys in PEM files (LEVEL-21).

The signature covers the payload together with its type, each with its length before it (DSSE's
*pre-authentication encoding*), so that nobody can take a signature for one of something else.
https://github.com/secure-systems-lab/dsse
"""

import base64
import binascii
import hashlib
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from pydantic import BaseModel, ConfigDict, Field

from dramaturg import files, meant
from dramaturg.results import ResultsError

PAYLOAD_TYPE = "application/vnd.in-toto+json"

NEW_KEY = "openssl genpkey -algorithm ed25519 -out key.pem"
PUBLIC_KEY = "openssl pkey -in key.pem -pubout -out public.pem"

_URL_SAFE = str.maketrans("-_", "+/")


class CertificateError(ResultsError):
    """A certificate or a key that cannot be used: says which file, and why."""


MOST_SIGNATURES = 20
"""The most signatures of one file: each is checked against the whole content, for each trusted
key."""

MAX_KEY = 64 * 1024
"""Bytes of a key's file."""


class _Part(BaseModel):
    # in-toto and DSSE: fields that a reader does not know are ignored.
    model_config = ConfigDict(extra="ignore", populate_by_name=True)


class Signature(_Part):
    keyid: str = ""
    """A hint, and not signed itself: nothing is decided by it."""
    sig: str


class Envelope(_Part):
    """The outermost object of a signed file."""

    payload: str
    payload_type: str = Field(alias="payloadType")
    signatures: list[Signature] = Field(min_length=1, max_length=MOST_SIGNATURES)

    @property
    def content(self) -> bytes:
        """The payload. Raises ValueError if it is no base64."""
        return _decoded(self.payload)

    def to_json(self) -> str:
        return self.model_dump_json(by_alias=True, indent=2) + "\n"

    def signed_by(self, key: Ed25519PublicKey) -> bool:
        """True if one of the signatures is this key's, of this very payload."""
        signed = encoding(self.payload_type, self.content)
        return any(self._holds(signature, key, signed) for signature in self.signatures)

    def is_forged(self, key: Ed25519PublicKey) -> bool:
        """True if one of the signatures claims to be this key's, and is not of this payload."""
        signed, name = encoding(self.payload_type, self.content), key_id(key)
        # In capitals or with a space it claims the same to whoever reads it.
        claim = [each for each in self.signatures if each.keyid.strip().casefold() == name]
        return not all(self._holds(each, key, signed) for each in claim)

    def of(self, keys: Iterable[Ed25519PublicKey]) -> "Envelope":
        """The content with one signature of each of ``keys`` that has signed it, and nothing of
        what anybody can add to a copy."""
        signed, right = encoding(self.payload_type, self.content), []
        for key in keys:
            made = (_plain(each.sig) for each in self.signatures if self._holds(each, key, signed))
            right += [Signature(keyid=key_id(key), sig=sig) for sig in islice(made, 1)]
        return Envelope(
            payload=_plain(self.payload), payload_type=self.payload_type, signatures=right
        )

    def _holds(self, signature: Signature, key: Ed25519PublicKey, signed: bytes) -> bool:
        try:
            key.verify(_decoded(signature.sig), signed)
        except (InvalidSignature, ValueError):
            return False
        return True


def encoding(payload_type: str, payload: bytes) -> bytes:
    """The bytes that are signed: DSSE's ``PAE(type, payload)``."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def sign(payload: bytes, key: Ed25519PrivateKey) -> Envelope:
    """The payload in an envelope with one signature."""
    signature = key.sign(encoding(PAYLOAD_TYPE, payload))
    return Envelope(
        payload=base64.b64encode(payload).decode(),
        payload_type=PAYLOAD_TYPE,
        signatures=[
            Signature(keyid=key_id(key.public_key()), sig=base64.b64encode(signature).decode())
        ],
    )


def key_id(key: Ed25519PublicKey) -> str:
    """SHA-256 of the public key as DER, as ``openssl pkey -pubin -outform DER`` writes it."""
    encoded = key.public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return hashlib.sha256(encoded).hexdigest()


def private_key(file: Path, passphrase: Callable[[], str] | None = None) -> Ed25519PrivateKey:
    """The key in a PEM file; ``passphrase`` is asked if it is behind one. Raises
    CertificateError with the command that makes one."""
    text = _read(file)
    try:
        try:
            key = serialization.load_pem_private_key(text, password=None)
        except TypeError:
            if passphrase is None:
                raise CertificateError(
                    f"{file} is behind a passphrase, and nobody can be asked"
                ) from None
            key = serialization.load_pem_private_key(text, password=passphrase().encode())
    except (ValueError, UnsupportedAlgorithm):
        raise CertificateError(
            f"{file} holds no private key in PEM, or has another passphrase; make one: {NEW_KEY}"
        ) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise CertificateError(f"{file} is no Ed25519 key; make one: {NEW_KEY}")
    return key


def public_key(file: Path) -> Ed25519PublicKey:
    """The key in a PEM file. Raises CertificateError with the command that makes one."""
    try:
        key = serialization.load_pem_public_key(_read(file))
    except (ValueError, UnsupportedAlgorithm):
        raise CertificateError(
            f"{file} holds no public key in PEM; {PUBLIC_KEY} takes it from the private one"
        ) from None
    if not isinstance(key, Ed25519PublicKey):
        raise CertificateError(f"{file} is no Ed25519 key")
    return key


def _read(file: Path) -> bytes:
    try:
        with files.opened(file) as stream:
            return stream.read(MAX_KEY)
    except OSError as error:
        raise CertificateError(f"{file}: {error.strerror}{meant.path_hint(file)}") from None


def _plain(text: str) -> str:
    """The same bytes, spelt in the one way in which :func:`sign` spells them."""
    return base64.b64encode(_decoded(text)).decode()


def _decoded(text: str) -> bytes:
    """Either alphabet, as DSSE wants readers to accept. Raises ValueError."""
    try:
        return base64.b64decode(text.translate(_URL_SAFE), validate=True)
    except binascii.Error as error:
        raise ValueError(f"no base64: {error}") from None
