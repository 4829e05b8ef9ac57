"""The argument of ``--cluster``: which hosts, and who starts what on them (docs/cluster.md)."""

import ipaddress
import re
import socket
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from dramaturg import files, meant
from dramaturg.errors import ClusterError

MOST = 10_000
"""Workers: above that it is a slip."""

MOST_LOCAL = 64
"""Processes of one machine, for trying: each takes 100 MB."""

FORMS = "local:N, tcp://HOST:PORT, tls://HOST:PORT, ssh:HOSTS.yaml or slurm:N"

_SCHEMES = ("local", "tcp", "tls", "ssh", "slurm")


@dataclass(frozen=True, slots=True)
class Local:
    """So many worker processes of this machine."""

    workers: int


@dataclass(frozen=True, slots=True)
class Scheduler:
    """Somebody else started a scheduler of Dask, and workers."""

    address: str
    encrypted: bool


@dataclass(frozen=True, slots=True)
class Ssh:
    """A worker on each of the hosts of this file."""

    file: Path


@dataclass(frozen=True, slots=True)
class Slurm:
    """A worker on each of so many nodes of Slurm."""

    nodes: int


Address = Local | Scheduler | Ssh | Slurm


def parse(text: str) -> Address:
    """Read which hosts are meant. Raises ClusterError, before anything is started or connected
    to."""
    scheme, colon, rest = text.partition(":")
    if not colon or scheme not in _SCHEMES:
        near = meant.hint(scheme, _SCHEMES) or ";"
        raise ClusterError(f"--cluster {_cited(text)}: no such form{near} it takes {FORMS}")
    match scheme:
        case "local":
            return Local(_number(text, rest, "processes of this machine", MOST_LOCAL))
        case "slurm":
            return Slurm(_number(text, rest, "nodes", MOST))
        case "ssh":
            if not rest:
                raise ClusterError(
                    f"--cluster {text}: expected a file behind it, as ssh:HOSTS.yaml"
                )
            return Ssh(file_of(rest))
        case _:
            return _scheduler(text, scheme)


def file_of(named: str) -> Path:
    """The file behind ``ssh:``, where no shell puts a home for ``~``. Raises ClusterError."""
    try:
        return Path(named).expanduser()
    except RuntimeError as error:
        raise ClusterError(f"{files.brief(named)}: {error}") from None


def _cited(text: str) -> str:
    return files.brief(repr(text))


def _number(text: str, said: str, of: str, most: int) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", said) or not 1 <= int(said) <= most:
        raise ClusterError(
            f"--cluster {_cited(text)}: expected a number of {of} behind the colon, 1 to {most}"
        )
    return int(said)


def _scheduler(text: str, scheme: str) -> Scheduler:
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or not port or parts.path or parts.query or parts.fragment or parts.username:
        raise ClusterError(f"--cluster {_cited(text)}: expected {scheme}://HOST:PORT")
    if scheme == "tcp" and not is_loopback(host):
        raise ClusterError(
            f"--cluster {_cited(text)}: whoever reaches a scheduler without TLS runs programs as"
            f" you, so tcp:// is for loopback alone; start it with TLS and take tls://{host}:{port}"
        )
    place = f"[{host}]" if ":" in host else host
    return Scheduler(f"{scheme}://{place}:{port}", scheme == "tls")


def is_loopback(host: str) -> bool:
    """True if every address of this name is this machine's loopback device. Raises ClusterError for
    a name that stands for nothing."""
    try:
        found = {each[4][0] for each in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)}
    except (OSError, UnicodeError):
        raise ClusterError(f"--cluster: no host is called {_cited(host)}") from None
    return all(ipaddress.ip_address(str(each).partition("%")[0]).is_loopback for each in found)


def own_address(host: str) -> str:
    """The address from which this machine speaks to ``host``. Raises ClusterError."""
    try:
        family, kind, _, _, place = socket.getaddrinfo(host, 9, type=socket.SOCK_DGRAM)[0]
        with socket.socket(family, kind) as probe:
            probe.connect(place)  # A datagram socket sends nothing here.
            return str(probe.getsockname()[0])
    except OSError as error:
        raise ClusterError(f"{host} cannot be reached from here: {error.strerror}") from None
