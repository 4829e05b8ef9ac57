"""The signers that count: the list of keys that a user keeps (LEVEL-28).

Nothing in a certificate adds to it. A signature has no date that its reader could trust, so
a key that has expired or was replaced says nothing of what it signed before, either.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from dramaturg import files, meant, ownership, paths
from dramaturg.certificates import envelope
from dramaturg.certificates.envelope import CertificateError

FILE_NAME = "trusted.toml"


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1, max_length=100)
    key: str
    """A PEM file, relative to the list."""
    expires: date
    """The first day on which it counts no more."""
    replaced_by: str = ""
    """The name of the entry that has taken its place; it counts no more."""


class _List(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    keys: list[_Entry] = []


@dataclass(frozen=True, slots=True)
class Trusted:
    """A key of the list, and whether its word counts today."""

    name: str
    key: Ed25519PublicKey
    void: str = ""
    """The reason why it counts no more; empty while it does."""


def alone(key: Ed25519PublicKey) -> list[Trusted]:
    """The list of a user who gives the one key that counts."""
    return [Trusted("the key that was given", key)]


def usual_file() -> Path:
    """``$XDG_CONFIG_HOME/dramaturg/trusted.toml``, which need not be there."""
    return paths.of_user("XDG_CONFIG_HOME", ".config") / FILE_NAME


def of_user(file: Path | None) -> list[Trusted]:
    """Today's keys of the list that is given, or of the usual one, if it is there."""
    if file is None and not usual_file().exists():
        return []
    return load(file or usual_file(), date.today())


def load(file: Path, today: date) -> list[Trusted]:
    """The keys of the list. Raises CertificateError that names the file and the entry."""
    try:
        _only_its_owners(file)
        entries = _List.model_validate(files.read_toml(file)).keys
    except ValidationError as error:
        said = files.brief("; ".join(_spell(problem) for problem in error.errors()))
        raise CertificateError(f"{file}: {said}; see SECURITY.md") from None
    except ValueError as error:  # Unreadable is one.
        raise CertificateError(f"{file}: {files.brief(error)}; see SECURITY.md") from None
    names = [entry.name for entry in entries]
    for name in names:
        if names.count(name) > 1:
            raise CertificateError(f"{file}: there are two keys called {name!r}")
    keys = [_trusted(file, entry, names, today) for entry in entries]
    for number, each in enumerate(keys):
        for other in keys[:number]:
            if envelope.key_id(each.key) == envelope.key_id(other.key):
                raise CertificateError(f"{file}: {each.name!r} and {other.name!r} are one key")
    return keys


def _trusted(file: Path, entry: _Entry, names: Sequence[str], today: date) -> Trusted:
    pem = file.parent / entry.key
    _only_its_owners(pem)
    void = ""
    if entry.replaced_by:
        if entry.replaced_by == entry.name or entry.replaced_by not in names:
            raise CertificateError(
                f"{file}: {entry.name!r} is replaced by {entry.replaced_by!r}, which is no other"
                " key of the list"
            )
        void = f"was replaced by {entry.replaced_by}"
    elif entry.expires <= today:
        void = f"expired on {entry.expires}"
    return Trusted(entry.name, envelope.public_key(pem), void)


def _only_its_owners(file: Path) -> None:
    """Raises CertificateError for a file that another user may write or exchange."""
    try:
        ownership.require(file)
    except ownership.Exchangeable as error:
        raise CertificateError(str(error)) from None


def _spell(problem: ErrorDetails) -> str:
    if problem["type"] == "extra_forbidden":
        keys = meant.keys_at(_List, problem["loc"])
        near = meant.hint(str(problem["loc"][-1]), keys) or ";"
        return (
            f"{'.'.join(map(str, problem['loc']))}: no such key{near} keys are: {', '.join(keys)}"
        )
    return f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}"
