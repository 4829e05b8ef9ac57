"""The variables of a command that somebody else wrote, set when it alone is left.

The programs that stand before it (setpriv, a shell, unshare) are the user's. A search path of a
manifest would choose others, and a library to load would be loaded into them: they would not do
what they are there for. So env(1), the last of them, sets what is not the user's own word.
"""

import os
from collections.abc import Mapping, Sequence

PATH = "PATH"

_AS_IT_IS = ("sh", "-c", 'exec "$@"', "sh")
"""Stands before a program with an equals sign in its name: env takes that for a variable."""


def parted(
    environment: Mapping[str, str], command: Sequence[str]
) -> tuple[dict[str, str], list[str]]:
    """The variables for the programs before ``command``, and the words that set the rest for it and
    end with it."""
    path = _whole(os.environ.get(PATH, os.defpath))
    own = {name: each for name, each in environment.items() if os.environ.get(name) == each}
    before = own | {PATH: path}
    rest = [f"{name}={each}" for name, each in environment.items() if before.get(name) != each]
    without = [] if PATH in environment else ["-u", PATH]
    if not rest and not without:
        return before, [*command]
    called = [*_AS_IT_IS, *command] if "=" in command[0] else command
    return before, ["env", *without, "--", *rest, *called]


def _whole(path: str) -> str:
    """Without places that are below the folder in which a program is started."""
    return os.pathsep.join(filter(os.path.isabs, path.split(os.pathsep))) or os.defpath
