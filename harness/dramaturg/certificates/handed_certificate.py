"""A certificate that somebody has handed over, with reviews, read in a process with limits."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from dramaturg.certificates import envelope, reviews, statement, trust
from dramaturg.certificates.reviews import Reviewed
from dramaturg.certificates.signed_file import Difference, unseal
from dramaturg.certificates.statement import Statement
from dramaturg.processes import confined
from dramaturg.processes.confined import Limits

_READER = f"{__name__}:read"


class Handed(BaseModel):
    """A certificate as it was read. If it is ``forged``, nothing may be run because of it."""

    text: bytes
    """The bytes of the statement."""
    signature: str
    signer: str
    forged: Difference | None
    claimed: Statement | None
    """None of what is forged."""
    shown: list[Reviewed]
    """The reviews."""


def opened(
    file: Path, key: Path | None, trusted: Path | None, beside: Sequence[Path] = ()
) -> Handed:
    """The certificate in ``file`` and the reviews ``beside`` it. Raises CertificateError, or its
    base ResultsError, for what is none or takes more than it may."""
    given = {
        "file": str(file),
        "key": str(key) if key else None,
        "trusted": str(trusted) if trusted else None,
        "beside": [str(each) for each in beside],
    }
    found = confined.read(_READER, file, given, Limits.of(file, *beside))
    return Handed.model_validate(found | {"text": confined.unpacked(found["text"])})


def read(given: dict[str, Any]) -> dict[str, Any]:
    """Read a :class:`Handed`, in the process with limits."""
    file = Path(given["file"])
    key = envelope.public_key(Path(given["key"])) if given["key"] else None
    listed = Path(given["trusted"]) if given["trusted"] else None
    keys = trust.alone(key) if key else trust.of_user(listed)
    found = unseal(file, key, () if key else keys)
    claimed: Statement | None = None
    beside = [Path(each) for each in given["beside"]]
    if found.forged is not None:
        shown = [reviews.beside_nothing(each) for each in beside]
    else:
        claimed = statement.parse(found.text, file)
        builds = {subject.name: [subject.digest.sha256] for subject in claimed.subject}
        shown = [reviews.reviewed(each, builds, keys) for each in beside]
    forged = found.forged
    return {
        "text": confined.packed(found.text),
        "signature": found.signature,
        "signer": found.signer,
        "forged": {name: getattr(forged, name) for name in ("what", "certificate", "here")}
        if forged
        else None,
        "claimed": claimed.model_dump(mode="json", by_alias=True) if claimed else None,
        "shown": [each.model_dump(mode="json") for each in shown],
    }
