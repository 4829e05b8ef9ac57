"""A network namespace with nothing in it but a loopback device.

Root makes one; so does a user who may make a user namespace, and is root in there alone.
"""

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from dramaturg.net.unavailable import NetworkUnavailable
from dramaturg.processes import interrupts
from dramaturg.processes.supervised import Supervised

_HOLD = "ip link set lo up && echo up && exec sleep infinity"
"""A process that runs this keeps the namespace in existence."""

_PATH = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}


@contextlib.contextmanager
def namespace() -> Iterator[tuple[str, ...]]:
    """The prefix of a command line that runs inside. Raises NetworkUnavailable."""
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    command = ["unshare", *user, "--net", "sh", "-c", _HOLD]
    with contextlib.ExitStack() as stack:
        try:
            with interrupts.held():
                keeper = stack.enter_context(
                    Supervised.start(
                        command,
                        cwd=Path("/"),
                        environment=_PATH,
                        stdin=subprocess.DEVNULL,
                        stderr=subprocess.STDOUT,
                    )
                )
        except OSError as error:
            raise _unavailable(str(error)) from None
        assert keeper.popen.stdout is not None
        said = keeper.popen.stdout.readline().decode("utf-8", "replace").strip()
        if said != "up":
            raise _unavailable(said or f"unshare {keeper.describe_end_soon()}")
        whose = ["--user", "--preserve-credentials"] if user else []
        yield ("nsenter", *whose, "--net", f"--target={keeper.pid}", "--")


def _unavailable(why: str) -> NetworkUnavailable:
    hint = "; in a container: --cap-add SYS_ADMIN --cap-add NET_ADMIN" if "ermi" in why else ""
    return NetworkUnavailable(
        f"nodes on loopback need a network namespace of their own, and there is none: {why}{hint}"
    )
