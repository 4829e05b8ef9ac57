"""What lies at an address, with bounds on time and size: the one file of the site that has a
network. Nothing but ``http`` and ``https``, and nothing that leads to where only this machine
gets."""

import http.client
import ipaddress
import re
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, Any
from urllib.parse import urlsplit

from dramaturg import files

SECONDS = 30.0
"""For each address, redirections and all."""

MAX_BYTES = 16 * 1024 * 1024
"""Of what lies there."""

AT_ONCE = 8

_PIECE = 64 * 1024
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


class Unreachable(Exception):
    """Nothing that could be used lies there; says why."""


@dataclass(frozen=True, slots=True)
class _Answer:
    content: bytes = b""
    problem: str = ""


def fetched(
    addresses: Sequence[str], seconds: float = SECONDS, most: int = MAX_BYTES
) -> list[bytes | Unreachable]:
    """What lies at each of them, in their order; some at once, each with all of its time."""
    found: list[bytes | Unreachable] = []
    for start in range(0, len(addresses), AT_ONCE):
        found += _together(addresses[start : start + AT_ONCE], seconds, most)
    return found


def is_address(text: str) -> bool:
    """Whether this is meant to be fetched, and not a path."""
    return _SCHEME.match(text) is not None


def problem_of(address: str) -> str:
    """Why it is no address that is fetched; empty if it is one."""
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        return f"is no address: {files.brief(error)}"
    if parts.scheme not in ("http", "https"):
        return "begins with neither https:// nor http://; a file is named by its path"
    if not host:
        return "names no host"
    if parts.username is not None or parts.password is not None:
        return "has a name or a password in it, which the site would show: leave it out"
    return ""


def _together(addresses: Sequence[str], seconds: float, most: int) -> list[bytes | Unreachable]:
    """A server that answers a byte at a time never ends a call by itself: whoever is not done in
    time is left behind, in a thread that ends with this process."""
    answers: dict[int, _Answer] = {}

    def ask(place: int, address: str, ends: float) -> None:
        answers[place] = _ask(address, ends, most)

    ends = time.monotonic() + seconds
    threads = [
        threading.Thread(target=ask, args=(place, address, ends), daemon=True)
        for place, address in enumerate(addresses)
    ]
    for thread in threads:
        thread.start()
    found: list[bytes | Unreachable] = []
    for place, thread in enumerate(threads):
        thread.join(max(0.0, ends - time.monotonic()))
        answer = answers.get(place, _Answer(problem=f"took longer than {seconds:g} s"))
        found.append(Unreachable(answer.problem) if answer.problem else answer.content)
    return found


def _ask(address: str, ends: float, most: int) -> _Answer:
    problem = problem_of(address)
    if problem:
        return _Answer(problem=problem)
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
        _Redirections(),
    ):
        opener.add_handler(handler)
    request = urllib.request.Request(address, headers={"User-Agent": "dramaturg-site"})
    try:
        with opener.open(request, timeout=max(0.1, ends - time.monotonic())) as answer:
            return _body(answer, ends, most)
    except urllib.error.HTTPError as error:
        return _Answer(problem=f"answers {error.code} {files.brief(error.reason)}")
    except urllib.error.URLError as error:
        return _Answer(problem=_told(error.reason))
    except (OSError, http.client.HTTPException, ValueError) as error:
        return _Answer(problem=_told(error))


def _told(error: object) -> str:
    said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return files.brief(said) or type(error).__name__


def _body(answer: Any, ends: float, most: int) -> _Answer:
    pieces: list[bytes] = []
    length = 0
    while True:
        if time.monotonic() > ends:
            return _Answer(problem="took too long")
        piece = answer.read(_PIECE)
        if not piece:
            return _Answer(b"".join(pieces))
        length += len(piece)
        if length > most:
            return _Answer(problem=f"is longer than {most:,} bytes")
        pieces.append(piece)


class _Redirections(urllib.request.HTTPRedirectHandler):
    """A stranger's server says where to look next: never in the clear after https, and never
    where this machine gets and the stranger does not."""

    max_redirections = 5

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        problem = problem_of(newurl)
        if not problem and req.type == "https" and not newurl.startswith("https:"):
            problem = "is in the clear, after https"
        if not problem and _is_private(newurl) and not _is_private(req.full_url):
            problem = "is an address of this machine's own network"
        if problem:
            raise urllib.error.URLError(f"leads on to one that {problem}")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _is_private(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    try:
        found = [str(where[4][0]) for where in socket.getaddrinfo(host, None)]
    except OSError:
        return False  # Only a proxy can know it, and that one has a network of its own.
    return any(not ipaddress.ip_address(each.partition("%")[0]).is_global for each in found)
