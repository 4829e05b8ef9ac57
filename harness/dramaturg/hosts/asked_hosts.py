"""The value of ``--hosts``: the hosts that nodes are on, and the program that starts something
there."""

import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from dramaturg import files, meant
from dramaturg.cluster import cluster_address, hosts_file
from dramaturg.cluster.hosts_file import HostsFile
from dramaturg.errors import ClusterError

MOST, MOST_LOCAL = 99, 16
"""As many as a network may have nodes; and processes of one machine, for trying."""

FORMS = "ssh:HOSTS.yaml, slurm:N or local:N"

_SCHEMES = ("ssh", "slurm", "local")
_SEE = "see docs/cluster.md"


@dataclass(frozen=True, slots=True)
class Asked:
    """The request, read and found possible as far as this machine can tell."""

    text: str
    scheme: str
    number: int
    """Number of hosts."""
    nodes: int
    """Number of nodes that may be on them, all in all."""
    file: Path | None = None
    hosts: HostsFile | None = None
    shared: bool = False
    """True if several of Slurm's nodes may be one machine."""


def parse(text: str) -> Asked:
    """Raises ClusterError; starts nothing, and connects to nobody."""
    scheme, colon, rest = text.partition(":")
    if not colon or scheme not in _SCHEMES:
        near = meant.hint(scheme, _SCHEMES) or ";"
        raise ClusterError(
            f"--hosts {files.brief(repr(text))}: no such form{near} it takes {FORMS}"
        )
    if scheme == "ssh":
        return _of_file(text, rest)
    return _numbered(text, scheme, rest)


def _of_file(text: str, named: str) -> Asked:
    if not named:
        raise ClusterError(f"--hosts {text}: expected a file behind it, as ssh:HOSTS.yaml")
    _require("ssh", "openssh-client")
    file = cluster_address.file_of(named)
    hosts = hosts_file.read(file)
    if len(hosts.hosts) > MOST:
        raise ClusterError(f"{named}: {len(hosts.hosts)} hosts; nodes can be on {MOST} at most")
    return Asked(
        text, "ssh", len(hosts.hosts), sum(each.nodes for each in hosts.hosts), file, hosts
    )


def _numbered(text: str, scheme: str, rest: str) -> Asked:
    number, comma, more = rest.partition(",")
    most = MOST_LOCAL if scheme == "local" else MOST
    if not re.fullmatch(r"[0-9]{1,9}", number) or not 1 <= int(number) <= most:
        raise ClusterError(
            f"--hosts {files.brief(repr(text))}: expected a number of hosts behind the colon, 1 to"
            f" {most}"
        )
    shared = scheme == "slurm" and more == "shared"
    if comma and not shared:
        raise ClusterError(
            f"--hosts {files.brief(repr(text))}: behind the comma only slurm:N,shared is known"
        )
    asked = int(number)
    if scheme == "slurm":
        for program in ("srun", "salloc", "scontrol"):
            _require(program, "slurm-client")
        has = os.environ.get("SLURM_JOB_NUM_NODES", "")
        if has.isdigit() and int(has) < asked:
            raise ClusterError(
                f"--hosts {text}: this allocation (job {os.environ.get('SLURM_JOB_ID')}) has {has}"
                " nodes; ask for no more than these"
            )
    return Asked(text, scheme, asked, asked, shared=shared or scheme == "local")


def _require(program: str, package: str) -> None:
    if shutil.which(program) is None:
        raise ClusterError(f"{program} is not on the PATH (Debian: {package})")


def refuse_few(asked: Asked, nodes: int) -> None:
    """Raises ClusterError where there are fewer places than nodes."""
    if nodes > asked.nodes:
        raise ClusterError(
            f"--hosts {asked.text}: no network of the plan has fewer than {nodes} nodes, and"
            f" {place(asked, nodes)}"
        )


def place(asked: Asked, nodes: int) -> str:
    """Say how many nodes there is place for, and how to have as many as these."""
    more = (
        f"add hosts, or say `nodes:` of those that may have several; {_SEE}"
        if asked.scheme == "ssh"
        else f"ask for as many, as {asked.scheme}:{nodes}"
    )
    return f"there is place for {asked.nodes}; {more}"
