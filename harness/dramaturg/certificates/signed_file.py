"""A file that somebody may have signed, opened: its text, and what is known of the signature."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from dramaturg.certificates import envelope, intoto
from dramaturg.certificates.envelope import Envelope
from dramaturg.certificates.trust import Trusted
from dramaturg.visible import line


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that the certificate says otherwise than it is here."""

    what: str
    certificate: str
    here: str


@dataclass(frozen=True, slots=True)
class Opened:
    """A certificate's text and what is known of its signature. The text is not to be
    trusted, nor anything run because of it, if ``forged``."""

    file: Path
    text: bytes
    signature: str
    signer: str = ""
    forged: Difference | None = None


def unseal(
    file: Path, key: Ed25519PublicKey | None = None, trusted: Sequence[Trusted] = ()
) -> Opened:
    """Read the file and check its signature: by ``key`` if there is one, else by whoever of
    ``trusted`` has signed it.

    Raises CertificateError for what is no certificate at all.
    """
    text, sealed = intoto.read(file)
    if key is None:
        return _by_one_of(trusted, file, text, sealed)
    asked = f"a signature by {_short(envelope.key_id(key))}"
    if sealed is None:
        return Opened(file, text, "none", forged=Difference("signature", "none", asked))
    if sealed.is_forged(key) or not sealed.signed_by(key):
        said = ", ".join(_short(each.keyid) for each in sealed.signatures)
        claimed = f"one that claims to be by {said}, and is not the key's of this content"
        return Opened(file, text, "wrong", forged=Difference("signature", claimed, asked))
    name = _short(envelope.key_id(key))
    return Opened(file, text, f"right, by {name}", name)


def _by_one_of(
    trusted: Sequence[Trusted], file: Path, text: bytes, sealed: Envelope | None
) -> Opened:
    if sealed is None:
        return Opened(file, text, "none")
    # All keys are looked at first: a right signature excuses no other one.
    for each in trusted:
        if sealed.is_forged(each.key):
            claimed = (
                f"one that claims to be by {_named(each)}, and is not the key's of this content"
            )
            asked = "a signature by whom it names"
            return Opened(file, text, "wrong", forged=Difference("signature", claimed, asked))
    void = ""
    for each in trusted:
        if sealed.signed_by(each.key):
            if not each.void:
                return Opened(file, text, f"right, by {_named(each)}", each.name)
            void = void or f"right, by {_named(each)}; but that key {each.void}"
    said = ", ".join(_short(signature.keyid) for signature in sealed.signatures)
    unchecked = f"not checked (claims to be by {said}); --key PUBLIC.pem or a trusted key checks it"
    return Opened(file, text, void or unchecked)


def _named(each: Trusted) -> str:
    return f"{line(each.name)}, {_short(envelope.key_id(each.key))}"


def _short(keyid: str) -> str:
    """Shortens a key's identifier, since the author of an envelope can write anything there."""
    return f"key {line(keyid[:16])}" if keyid else "an unnamed key"
