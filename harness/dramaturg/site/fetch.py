"""Fetches the file at an address, with bounds on time and size: the only module of the site that
uses a network. Nothing but ``http`` and ``https``, and nothing that leads to where only this
machine gets."""

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
"""The largest file there, in bytes."""

AT_ONCE = 8

_PIECE = 64 * 1024
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


_PRIVATE = "is an address of this machine's own network"


class Unreachable(Exception):
    """Nothing that could be used lies there; says why."""


@dataclass(frozen=True, slots=True)
class _Answer:
    content: bytes = b""
    problem: str = ""


def fetched(
    addresses: Sequence[str], seconds: float = SECONDS, most: int = MAX_BYTES
) -> list[bytes | Unreachable]:
    """Fetches the file at each of them, in their order; some at once, each with all of its
    time."""
    found: list[bytes | Unreachable] = []
    for start in range(0, len(addresses), AT_ONCE):
        found += _together(addresses[start : start + AT_ONCE], seconds, most)
    return found


def is_address(text: str) -> bool:
    """True if this is meant to be fetched, and not a path."""
    return _SCHEME.match(text) is not None


def problem_of(address: str) -> str:
    """Return the reason why it is no address that is fetched; empty if it is one."""
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
    listed = urlsplit(address).hostname or ""
    places = _Places(listed)
    for handler in (
        urllib.request.ProxyHandler(),
        _Http(places),
        _Https(places),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
        _Redirections(listed),
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

    def __init__(self, listed: str) -> None:
        self._listed = listed.lower()

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
        # Behind a proxy nobody connects from here: what the proxy will look up cannot be known.
        if not problem and urllib.request.getproxies():
            host = (urlsplit(newurl).hostname or "").lower()
            problem = _PRIVATE if host != self._listed and _is_private(newurl) else ""
        if problem:
            raise urllib.error.URLError(f"leads on to one that {problem}")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


class _Places:
    """The targets of the names of one chain of redirections: each is looked up once, and that
    result is checked and connected to. A name may change its meaning in between."""

    def __init__(self, listed: str) -> None:
        self._listed = listed.lower()
        """The host that the user's list names. It may be in their own network, and no other."""
        self._found: dict[str, list[tuple[int, tuple[Any, ...]]]] = {}

    def connect(
        self, address: tuple[str, int], timeout: float, source: tuple[str, int] | None = None
    ) -> socket.socket:
        """As ``socket.create_connection``. Raises OSError."""
        host, port = address
        problem: OSError = OSError(f"{host} has no address")
        for family, where in self._looked_up(host.lower(), port):
            connection = socket.socket(family, socket.SOCK_STREAM)
            try:
                connection.settimeout(timeout)
                connection.connect((where[0], port, *where[2:]))
            except OSError as error:
                connection.close()
                problem = error
            else:
                return connection
        raise problem

    def _looked_up(self, host: str, port: int) -> list[tuple[int, tuple[Any, ...]]]:
        if host not in self._found:
            said = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            self._found[host] = [(each[0], each[4]) for each in said]
        found = self._found[host]
        if host != self._listed and not all(_is_public(str(where[0])) for _, where in found):
            raise OSError(f"leads on to one that {_PRIVATE}")
        return found


class _Http(urllib.request.HTTPHandler):
    """Connects to what was looked up and checked."""

    def __init__(self, places: _Places) -> None:
        super().__init__()
        self._places = places

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        def made(host: str, **more: Any) -> http.client.HTTPConnection:
            return _held(http.client.HTTPConnection(host, **more), req, self._places)

        return self.do_open(made, req)


class _Https(urllib.request.HTTPSHandler):
    """As _Http; the certificate must be of the name."""

    def __init__(self, places: _Places) -> None:
        super().__init__()
        self._places = places

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        def made(host: str, **more: Any) -> http.client.HTTPConnection:
            return _held(http.client.HTTPSConnection(host, **more), req, self._places)

        return self.do_open(made, req)


def _held(
    connection: http.client.HTTPConnection, req: urllib.request.Request, places: _Places
) -> http.client.HTTPConnection:
    if not _goes_by_proxy(req):
        connection._create_connection = places.connect  # type: ignore[attr-defined]
    return connection


def _goes_by_proxy(req: urllib.request.Request) -> bool:
    return req.has_proxy() or getattr(req, "_tunnel_host", None) is not None


def _is_private(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    try:
        found = [str(where[4][0]) for where in socket.getaddrinfo(host, None)]
    except OSError:
        return False  # Only a proxy can know it, and that one has a network of its own.
    return not all(map(_is_public, found))


_TRANSLATED = [ipaddress.IPv6Network(each) for each in ("64:ff9b::/96", "::/96", "::ffff:0:0:0/96")]
"""Networks in which the last 32 bits are an address of IPv4."""

_INNER = [ipaddress.ip_network(each) for each in ("64:ff9b:1::/48", "fec0::/10", "192.88.99.0/24")]
"""Networks of a site's own, though Python takes them for global."""


def _is_public(text: str) -> bool:
    """True if anybody on the Internet would get there as well, also through tunnels that carry IPv4
    within IPv6."""
    found = ipaddress.ip_address(text.partition("%")[0])
    inside = _carried(found) if isinstance(found, ipaddress.IPv6Address) else []
    if inside:
        return all(_is_public(str(each)) for each in inside)
    inner = any(found in network for network in _INNER if network.version == found.version)
    return found.is_global and not found.is_multicast and not inner


def _carried(found: ipaddress.IPv6Address) -> list[ipaddress.IPv4Address]:
    last = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
    if any(found in network for network in _TRANSLATED) and int(found) > 1:
        return [last]
    if int(found) >> 32 & 0xFDFFFFFF == 0x00005EFE:  # ISATAP
        return [last]
    carried = [found.ipv4_mapped, found.sixtofour, *(found.teredo or ())]
    return [each for each in carried if each is not None]
