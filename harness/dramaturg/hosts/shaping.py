"""The bandwidth of a host's link, limited by ``tc`` on the interface of its nodes.

Only an interface that carries no control is limited: otherwise the harness's calls would wait in
the same queue as messages. The limit holds for packets that the host sends.
"""

import os
import re
import shutil
import subprocess

from dramaturg.errors import HarnessFault
from dramaturg.hosts.interfaces import Interface, carries_control

HANDLE = "d5a6:"
"""The handle of our qdisc. So one that a killed host left behind is known for ours."""

KIND = "htb"

_SECONDS = 10.0

_REMOVES = 'cat >/dev/null; exec tc qdisc del dev "$0" root handle "$1" 2>/dev/null'
"""A shell that removes the limit at the end of its input: also if its starter was killed."""


class Unshapeable(HarnessFault):
    """The link of this host cannot be given a bandwidth; says why, and what to do."""


class Limit:
    """A limit that holds until it is closed, or its process ends."""

    def __init__(self, interface: Interface, bandwidth: float) -> None:
        """``bandwidth`` in Mbit/s. Raises Unshapeable."""
        _clear(interface)
        self._name = interface.name
        self._remover: subprocess.Popen[bytes] | None = subprocess.Popen(
            ["sh", "-c", _REMOVES, self._name, HANDLE],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            rate = f"{bandwidth:g}mbit"
            _tc("qdisc", "add", *self._root, KIND, "default", "1")
            _tc(
                *("class", "add", "dev", self._name, "parent", HANDLE, "classid", f"{HANDLE}1"),
                *(KIND, "rate", rate, "burst", "15k"),
            )
            shown = _tc("class", "show", "dev", self._name)
            if not re.search(rf"^class {KIND} {HANDLE}1 ", shown, re.M):
                raise Unshapeable(f"{self._name}: {KIND} {rate} was not accepted by the kernel")
        except BaseException:
            self.close()
            raise

    @property
    def _root(self) -> list[str]:
        return ["dev", self._name, "root", "handle", HANDLE]

    def close(self) -> None:
        """The link is as it was."""
        remover, self._remover = self._remover, None
        if remover is None:
            return
        assert remover.stdin is not None
        remover.stdin.close()
        try:
            remover.wait(_SECONDS)
        except subprocess.TimeoutExpired:
            remover.kill()
            remover.wait()


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


def _tc(*words: str) -> str:
    """Raises Unshapeable."""
    try:
        done = subprocess.run(
            ["tc", *words],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unshapeable(f"tc {' '.join(words)}: {error}") from None
    if done.returncode:
        said = " ".join(done.stderr.split()) or "no reason given"
        who = "" if os.geteuid() == 0 else "; only root may (CAP_NET_ADMIN)"
        raise Unshapeable(f"tc {' '.join(words)}: {said}{who}")
    return done.stdout
