"""Waits for the end of the harness, however it comes, and clears what it left: run by
fence.py, with the standard library alone.

``warden.py ROOT PREFIX`` reads folders from standard input, each with a zero after it. At the
end of the input it kills all control groups of ROOT whose names begin with PREFIX, and removes
the folders, if they are still there.
"""

import contextlib
import os
import shutil
import signal
import sys
import time
from pathlib import Path


def main() -> None:
    """Detached from whoever started it: nobody waits for it, and no terminal ends it."""
    if os.fork():
        os._exit(0)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    folders = [Path(os.fsdecode(each)) for each in sys.stdin.buffer.read().split(b"\0") if each]
    root, prefix = sys.argv[1:]
    deadline = time.monotonic() + 10
    while root and time.monotonic() < deadline:
        groups = list(Path(root).glob(f"{prefix}*"))
        if not groups:
            break
        for group in groups:
            with contextlib.suppress(OSError):
                (group / "cgroup.kill").write_text("1")
            for below, _, _ in os.walk(group, topdown=False):
                with contextlib.suppress(OSError):
                    Path(below).rmdir()
        time.sleep(0.01)
    for folder in folders:
        # Processes in one may be kept from writing there (control/place.py), and may have kept
        # others from looking.
        with contextlib.suppress(OSError):
            folder.chmod(0o700)
        for place, inside, _ in os.walk(folder):
            for each in (Path(place, name) for name in inside):
                with contextlib.suppress(OSError):
                    if not each.is_symlink():
                        each.chmod(0o700)
        shutil.rmtree(folder, ignore_errors=True)


main()
