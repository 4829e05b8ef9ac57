"""Remembers verifications on this machine: that a certificate's cases ran here again.

Kept in the user's cache, as certified builds are (``implementation/certification_cache.py``), and
never beside the certificate: a file that is handed over says nothing of what happened here. Whoever
runs as the user can write here (SECURITY.md).
"""

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from dramaturg import files, paths
from dramaturg.outcomes import Outcome


class Again(BaseModel):
    """One subject, when its cases were run again on this machine."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    outcome: Outcome
    """*pass*, or *fail* of one that does not hold here."""
    cases: int
    passed: int
    when: float = Field(ge=0, le=253_402_300_799)
    """Seconds since 1970."""
    harness: str
    """Its version."""


class _Remembered(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    subjects: dict[str, Again]


def digest(text: bytes) -> str:
    """SHA-256 of a statement: the same signed and not signed."""
    return hashlib.sha256(text).hexdigest()


def remember(text: bytes, again: Mapping[str, Again]) -> None:
    """Remembers the results for subjects of the statement ``text``, and keeps those for the
    others. If the user has no cache and none can be made, nothing is remembered. Raises OSError
    that names the file, if what it says otherwise cannot be replaced."""
    if not again:
        return
    subjects = {**known(text), **again}
    file = _file(text)
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError:
        return
    content = _Remembered(subjects=subjects).model_dump(mode="json")
    try:
        files.write_text(file, json.dumps(content, indent=2) + "\n")
    except OSError as error:
        if not files.is_unwritable(error) or known(text):
            raise


def known(text: bytes) -> dict[str, Again]:
    """The remembered results for the statement ``text``, by subject; none if they cannot be
    read."""
    file = _file(text)
    if not os.access(file, os.R_OK):  # Nobody meant another of the hundreds that may lie beside it.
        return {}
    try:
        return _Remembered.model_validate_json(files.read_text(file)).subjects
    except (files.Unreadable, ValidationError, RecursionError):
        return {}


def _file(text: bytes) -> Path:
    return paths.cache() / "verified" / f"{digest(text)}.json"
