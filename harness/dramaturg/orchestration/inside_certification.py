"""``dramaturg certify`` inside User-Mode Linux: takes its words from the input, and tells on the
console what it prints.

Each line is a JSON object after a mark: ``out`` and ``error`` with a line of an output, and at the
end ``status``, the exit code. It is started by certified_in_guest.py, and by nobody else. It starts
``cli``, which lies above it, as a process.
"""

import json
import subprocess
import sys
import threading
from typing import IO

from dramaturg import paths
from dramaturg.net.guest import MARK

_console = threading.Lock()


def main() -> None:
    """Carry it out, and say how it ended."""
    words = json.loads(sys.stdin.readline())
    command = paths.python("-m", "dramaturg.cli.main", "certify", *words)
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe) as child:
        assert child.stdout is not None and child.stderr is not None
        said = [
            threading.Thread(target=_tell, args=(name, output))
            for name, output in (("out", child.stdout), ("error", child.stderr))
        ]
        for each in said:
            each.start()
        for each in said:
            each.join()
    _say(status=child.returncode)


def _tell(name: str, output: IO[bytes]) -> None:
    for line in output:
        _say(**{name: line.decode("utf-8", "replace").rstrip("\n")})


def _say(**said: str | int) -> None:
    with _console:
        sys.stdout.write(f"{MARK}{json.dumps(said)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
