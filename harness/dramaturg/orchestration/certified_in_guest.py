"""``dramaturg certify --kernel uml``, from outside: the same command is carried out inside, and the
lines that it prints there are printed here."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from dramaturg import files, paths
from dramaturg.implementation.manifest import Implementation
from dramaturg.machine.usermode import Kernel
from dramaturg.net import guest
from dramaturg.net.guest import Guest, GuestFailed
from dramaturg.orchestration import guest_kernel
from dramaturg.terminal import show


def certify(
    implementations: Sequence[Implementation],
    words: Sequence[str],
    folder: Path,
    kernel: Kernel,
    as_json: bool,
) -> int:
    """Have ``dramaturg certify`` carried out inside, with these words, and with its results in
    ``folder``, which is there. Return its exit code. Raises GuestFailed if it has none."""
    guest_kernel.build_outside(implementations, as_json)
    inside = Guest(
        command=paths.python("-m", "dramaturg.orchestration.inside_certification"),
        given=json.dumps([*words]),
        cwd=Path.cwd(),
        folder=folder,
        environment=guest_kernel.environment_of(implementations),
    )
    if not as_json:
        show.notices().print(f"Linux {kernel.release} starts", style="dim")
    with guest.started(kernel, inside) as lines:
        for line in lines:
            status = _heard(line)
            if status is not None:
                return status
    raise GuestFailed(
        f"User-Mode Linux ended before certify did: see the end of {folder / guest.LOG}"
    )


def _heard(line: str) -> int | None:
    """Print a line from inside (inside_certification.py), or return the exit code that it says."""
    try:
        match json.loads(line):
            case {"out": str(text)}:
                print(text, flush=True)
            case {"error": str(text)}:
                print(text, file=sys.stderr, flush=True)
            case {"status": int(status)}:
                return status
            case _:
                raise ValueError("no line of certify")
    except ValueError as error:
        raise GuestFailed(f"User-Mode Linux says {files.brief(repr(line))}: {error}") from None
    return None
