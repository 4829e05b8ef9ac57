"""A command inside User-Mode Linux: on this machine's files, under another kernel.

The guest reads the files of this machine and writes to memory, but for one folder, which is the
machine's own. Its output comes by its console. It is a process like any other: it ends with whoever
started it, and nothing of it is left.
"""

import contextlib
import os
import select
import shlex
import shutil
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import psutil

from dramaturg import files
from dramaturg.errors import HarnessFault
from dramaturg.machine.usermode import WANTED, Kernel
from dramaturg.processes import fence, interrupts
from dramaturg.processes.supervised import Supervised

MARK = "dramaturg-guest:"
"""The prefix of lines for the process that started the guest; all others are the kernel's."""

UP = f"{MARK}up"
"""The line that it prints when its files are there, before the command."""

LOG = "user-mode-linux.log"
"""The file in the folder for further output of the kernel and the command."""

BOOT_TIME = 300.0
"""Seconds until it is up. Two are usual; many more where others take the machine."""

LEAST_MEMORY, MOST_MEMORY = 1024, 8192
"""MiB. It has half of what is available, within these bounds; what it does not use, others have."""

_SHORT = "/tmp"
"""A folder whose name the kernel's command line can have: no spaces, and short."""

_LAST = 3
"""Lines of the log that an error quotes."""

_SCRIPT = """\
#!/bin/sh
# The first process of the guest. Everything is written to memory, but for one folder.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
mount -t proc proc /proc
# However this ends, the guest ends.
trap 'sync; echo o > /proc/sysrq-trigger; sleep 60' EXIT
set -e
mount -t sysfs sysfs /sys
mount -t tmpfs tmpfs /run
mkdir -p /run/modules/lib/modules /run/written /run/root
ln -s {modules} /run/modules/lib/modules/{release}
for module in {wanted}; do
    modprobe -d /run/modules "$module"
done
mount -t tmpfs tmpfs /run/written
mkdir /run/written/upper /run/written/work
layers=lowerdir=/,upperdir=/run/written/upper,workdir=/run/written/work
mount -t overlay overlay -o "$layers" /run/root
cd /run/root
mount -t proc proc proc
mount -t sysfs sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs tmpfs run
mount -t devtmpfs devtmpfs dev
mkdir -p dev/pts dev/shm
mount -t devpts devpts dev/pts
mount -t tmpfs tmpfs dev/shm
# At once, and not when the kernel finds time: it may be killed.
mount -t hostfs -o {hostfs} hostfs .{folder}
# Not chroot alone: who enters the namespaces of a host gets the root that they have.
mkdir -p run/outside
pivot_root . run/outside
cd /
# Lazily: this shell was read from there.
umount -l /run/outside
rmdir /run/outside
ip link set lo up
echo {up}
/usr/bin/env -i {environment} \\
    /bin/sh -c 'cd "$1"; shift; exec "$@"' sh {cwd} {command} <<'DRAMATURG'
{given}
DRAMATURG
"""


class GuestFailed(HarnessFault):
    """The guest did not start, or ended before its command did."""


@dataclass(frozen=True, slots=True)
class Guest:
    """The command to run inside, and its circumstances."""

    command: Sequence[str]
    given: str
    """Its standard input, one line."""
    cwd: Path
    folder: Path
    """The only one that it writes to, and nobody else meanwhile."""
    environment: Mapping[str, str]

    def script(self, kernel: Kernel) -> str:
        """The script that the guest runs first. Raises GuestFailed for a folder that cannot be
        mounted."""
        folder = str(self.folder.resolve())
        if "," in folder or "\n" in folder:
            raise GuestFailed(
                f"{folder!r} has a comma or a line break in its name, which mount(8) takes for its"
                " own: give another --output"
            )
        return _SCRIPT.format(
            modules=shlex.quote(str(kernel.modules)),
            release=shlex.quote(kernel.release),
            wanted=" ".join(WANTED),
            hostfs=shlex.quote(f"sync,{folder}"),
            folder=shlex.quote(folder),
            up=UP,
            environment=shlex.join(f"{name}={value}" for name, value in self.environment.items()),
            cwd=shlex.quote(str(self.cwd)),
            command=shlex.join(self.command),
            given=self.given,
        )


def command_line(kernel: Kernel, init: Path, memory: int) -> list[str]:
    """Return the command that starts the kernel. ``init`` is its first process, in a folder of its
    own; ``memory`` is in MiB."""
    return [
        kernel.program,
        "root=/dev/root", "rootfstype=hostfs", "rootflags=/", "ro",
        f"init={init}",
        "con=null", "con0=fd:0,fd:1", "quiet",
        f"mem={memory}M",
        f"uml_dir={init.parent}", "umid=guest",
    ]  # fmt: skip


def memory() -> int:
    """MiB that a guest is given here."""
    half = psutil.virtual_memory().available // 2 >> 20
    return min(MOST_MEMORY, max(LEAST_MEMORY, half))


@contextlib.contextmanager
def started(kernel: Kernel, guest: Guest) -> Iterator[Iterator[str]]:
    """Yields the lines that the command prints with MARK, until the guest has ended. Leaving it
    ends the guest. Raises GuestFailed if it does not come up."""
    script = guest.script(kernel)
    with contextlib.ExitStack() as stack, (guest.folder / LOG).open("ab", buffering=0) as log:
        place = Path(tempfile.mkdtemp(prefix="dramaturg-", dir=_SHORT))
        stack.callback(shutil.rmtree, place, ignore_errors=True)
        fence.guard(place)
        init = place / "init"
        init.write_text(script, encoding="utf-8")
        init.chmod(0o700)
        try:
            with interrupts.held():
                process = stack.enter_context(
                    Supervised.start(
                        command_line(kernel, init, memory()),
                        cwd=Path("/"),
                        environment={"PATH": os.defpath, "HOME": str(place)},
                        stderr=subprocess.STDOUT,
                    )
                )
        except OSError as error:
            raise GuestFailed(f"{kernel.program}: {error.strerror}") from None
        yield _said(process, log, guest.folder / LOG)


def _said(process: Supervised, log: IO[bytes], file: Path) -> Iterator[str]:
    """Lines that are for us, without the mark; the others are kept."""
    assert process.popen.stdout is not None
    lines = _Lines(process.popen.stdout, time.monotonic() + BOOT_TIME)
    last: deque[str] = deque(maxlen=_LAST)
    for raw in lines:
        line = raw.decode("utf-8", "replace").rstrip()
        if line == UP:
            lines.deadline = None
        elif line.startswith(MARK):
            yield line.removeprefix(MARK)
        elif line:
            log.write(line.encode() + b"\n")
            last.append(line)
    if lines.deadline is not None:
        late = time.monotonic() >= lines.deadline
        how = f"is not up after {BOOT_TIME:g} s" if late else process.describe_end_soon()
        said = f"; its last words: {files.brief(' / '.join(last))}" if last else ""
        raise GuestFailed(f"User-Mode Linux {how}{said}; all of them are in {file}")


class _Lines:
    """The lines of an output, until its end or the deadline."""

    def __init__(self, output: IO[bytes], deadline: float | None) -> None:
        self._output = output
        os.set_blocking(output.fileno(), False)  # Whoever writes there may read as well.
        self.deadline = deadline

    def __iter__(self) -> Iterator[bytes]:
        rest = b""
        while True:
            left = None if self.deadline is None else max(0, self.deadline - time.monotonic())
            ready, _, _ = select.select([self._output], [], [], left)
            try:
                data = os.read(self._output.fileno(), 65536) if ready else b""
            except BlockingIOError:
                continue
            if not data:
                yield from [rest] if rest else []
                return
            *whole, rest = (rest + data).split(b"\n")
            yield from whole
