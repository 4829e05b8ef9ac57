"""The bandwidth of a host's link, limited by ``tc`` on the interface of its nodes.

Only an interface that carries no control is limited: otherwise the harness's calls would wait in
the same queue as messages. The limit holds for packets that the host sends.
"""

import contextlib
import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator

from dramaturg.errors import HarnessFault
from dramaturg.hosts.interfaces import Interface, carries_control

HANDLE = "d5a6:"
"""The handle of our qdisc. So one that a killed host left behind is known for ours."""

KIND = "htb"

_SECONDS = 10.0

_REMOVES = (
    "trap '' HUP INT TERM; cat >/dev/null;"
    ' exec tc qdisc del dev "$0" root handle "$1" >/dev/null 2>&1'
)
"""A shell that removes the limit at the end of its input: also if its starter was killed, or all of
its session is told to end."""


class Unshapeable(HarnessFault):
    """The link of this host cannot be given a bandwidth; says why, and what to do."""


@contextlib.contextmanager
def limited(interface: Interface, bandwidth: float) -> Iterator[str]:
    """``bandwidth`` in Mbit/s, until the end of the block or of this process; yields the classes
    that it has. Raises Unshapeable."""
    name, rate = interface.name, f"{bandwidth:g}mbit"
    with _alone(name) as held:
        _clear(interface)
        with _removed_at_the_end(name, held) as until:
            root = ("dev", name, "root", "handle", HANDLE)
            _tc("qdisc", "add", *root, KIND, "default", "1", of=until)
            which = ("dev", name, "parent", HANDLE, "classid", f"{HANDLE}1")
            _tc("class", "add", *which, KIND, "rate", rate, "burst", "15k", of=until)
            shown = classes(interface)
            if not of_ours(shown):
                raise Unshapeable(f"{name}: {KIND} {rate} was not accepted by the kernel")
            yield shown


def of_ours(classes: str) -> bool:
    """True if these are the classes of a limit of ours."""
    return f"class {KIND} {HANDLE}1 " in classes


def classes(interface: Interface) -> str:
    """The classes of its qdisc, with their rates: as they were, if nobody has changed them. Raises
    Unshapeable."""
    return _tc("class", "show", "dev", interface.name)


@contextlib.contextmanager
def _alone(name: str) -> Iterator[int]:
    """Hold a word that one process of this network can have, for as long as it is there; yields the
    descriptor that holds it. Raises Unshapeable if another run limits this interface: it would lose
    what it was promised."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as held:
        try:
            held.bind(f"\0dramaturg-limit-{name}")
        except OSError:
            raise Unshapeable(
                f"another run limits {name} now, or another host that is this machine; wait until"
                " that has ended, or give each host an interface of its own"
            ) from None
        yield held.fileno()


@contextlib.contextmanager
def _removed_at_the_end(name: str, held: int) -> Iterator[int]:
    """Yields the descriptor of what has to be closed by everybody before the limit is removed."""
    with subprocess.Popen(
        ["sh", "-c", _REMOVES, name, HANDLE],
        stdin=subprocess.PIPE,
        start_new_session=True,
        # If its starter was killed, nobody limits this interface before the limit is removed.
        pass_fds=[held],
    ) as remover:
        assert remover.stdin is not None
        try:
            yield remover.stdin.fileno()
        finally:
            remover.stdin.close()
            try:
                remover.wait(_SECONDS)
            except subprocess.TimeoutExpired:
                remover.kill()


def _clear(interface: Interface) -> None:
    """Remove a limit that a killed host left. Raises Unshapeable for an interface that is not the
    nodes' alone, or that has a qdisc of the user's."""
    name = interface.name
    if not interface.is_counted:
        raise Unshapeable(f"{name} has the bandwidth of this machine's memory, and no link")
    if carries_control(interface):
        raise Unshapeable(
            f"{name} carries the harness's calls too, which would wait in the same queue; give the"
            " nodes another one (`interface:` in the hosts file)"
        )
    if shutil.which("tc") is None:
        raise Unshapeable("tc is not here (Debian: iproute2)")
    for handle in re.findall(r"^qdisc \S+ (\S+) root", _tc("qdisc", "show", "dev", name), re.M):
        # The kernel's own has the handle 0.
        if handle == HANDLE:
            _tc("qdisc", "del", "dev", name, "root", "handle", HANDLE)
        elif handle != "0:":
            raise Unshapeable(
                f"{name} has a qdisc of somebody's ({handle}), which we do not remove"
            )


def _tc(*words: str, of: int | None = None) -> str:
    """``of`` is a descriptor that stays open as long as this takes, if its starter is killed.
    Raises Unshapeable."""
    try:
        done = subprocess.run(
            ["tc", *words],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
            pass_fds=[] if of is None else [of],
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unshapeable(f"tc {' '.join(words)}: {error}") from None
    if done.returncode:
        said = " ".join(done.stderr.split()) or "no reason given"
        who = "" if os.geteuid() == 0 else "; only root may (CAP_NET_ADMIN)"
        raise Unshapeable(f"tc {' '.join(words)}: {said}{who}")
    return done.stdout
