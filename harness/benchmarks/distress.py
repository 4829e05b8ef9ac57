"""A machine that has no time to spare, for those that look for false alarms on it."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator

from dramaturg.processes import interrupts

_BUSY = "while True: pass"

_BALLAST = "import sys, time; held = bytearray(b'1') * int(sys.argv[1]); time.sleep(10**9)"


def outlived(signal: str, *command: str) -> list[str]:
    """This command, which gets that signal when whoever starts it has ended, however."""
    return ["setpriv", "--pdeathsig", signal, *command]


@contextlib.contextmanager
def distressed(ballast: int = 0) -> Iterator[None]:
    """A busy loop keeps each core, and so many bytes of memory are taken. They end with whoever
    started them, also if that is killed."""
    interrupts.install()
    commands = [["-c", _BUSY] for _ in range(os.cpu_count() or 1)]
    if ballast > 0:
        commands.append(["-c", _BALLAST, str(ballast)])
    with contextlib.ExitStack() as started:
        for words in commands:
            command = outlived("KILL", sys.executable, *words)
            process = started.enter_context(subprocess.Popen(command))
            started.callback(process.kill)
        yield
