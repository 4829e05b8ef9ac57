"""The paths of files: those that the harness reads, in a clone or as installed, and those that it
writes."""

import os
import pwd
import site
import sys
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_SHIPPED = _PACKAGE / "data"

IN_CLONE = not _SHIPPED.is_dir()
"""True if this runs from a clone of the repository, and not as an installed package."""

ROOT = _PACKAGE.parents[1] if IN_CLONE else _SHIPPED
"""The clone; of an installed package the folder that has the same in it, as far as it is read."""

PROTO = ROOT / "proto"
CONFORMANCE = ROOT / "conformance"
CASES = CONFORMANCE / "cases"
GOLDEN = CONFORMANCE / "golden"
SPEC = ROOT / "spec"
IMPLEMENTATIONS = ROOT / "implementations"
"""The project's own. An installed package has none."""

TEMPLATES = (_PACKAGE.parent if IN_CLONE else _SHIPPED) / "templates"

PLUMBING = IMPLEMENTATIONS if IN_CLONE else _SHIPPED / "plumbing"
"""The folder in which templates find their files of the project's implementations."""

PACKAGES = (
    _PACKAGE.parent,
    *((IMPLEMENTATIONS / "reference" / "src", CONFORMANCE / "mutants") if IN_CLONE else ()),
)
"""Folders of Python packages that others may have in common with the harness."""

PYTHON = Path(sys.executable)
"""The harness's own, which has what these packages need."""


def isolation() -> tuple[str, ...]:
    """The options by which a Python process of ours imports nothing from the current folder, the
    user's own packages or what variables name (SECURITY.md): ``-I``. If the harness itself was
    found in one of the latter two, that one stays: it is the user's word."""
    root = str(_PACKAGE.parent)
    named = root in os.environ.get("PYTHONPATH", "").split(os.pathsep)
    homely = site.ENABLE_USER_SITE and root == site.getusersitepackages()
    if not named and not homely:
        return ("-I",)
    return ("-P", *(() if named else ("-E",)), *(() if homely else ("-s",)))


def python(*words: str) -> list[str]:
    """The command that starts a Python process of ours."""
    return [str(PYTHON), *isolation(), *words]


COMMAND = "./dramaturg" if IN_CLONE else "dramaturg"
"""The command that runs this harness."""


def results() -> Path:
    """Return the folder of results: below the folder in which the command was typed."""
    return Path.cwd() / "results"


def cache() -> Path:
    """Return the folder in which the user's programs keep what can be made again."""
    return of_user("XDG_CACHE_HOME", ".cache")


def of_user(variable: str, usual: str) -> Path:
    """Our folder where this variable says, else below the user's home. A path that does not begin
    at the root counts as none: it would be in the folder in which one stands, which may be a
    stranger's."""
    named = Path(os.environ.get(variable, ""))
    return (named if named.is_absolute() else _home() / usual) / "dramaturg"


def forget_relative_homes() -> None:
    """Forget the variables of the user's folders that count as none, for libraries and programs
    too: each has a cache or settings of its own there."""
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        if not Path(os.environ.get(name, "/")).is_absolute():
            del os.environ[name]


def _home() -> Path:
    named = Path(os.environ.get("HOME", ""))
    if named.is_absolute():
        return named
    try:
        return Path(pwd.getpwuid(os.getuid()).pw_dir)
    except KeyError:  # A number for which the system has no user, as in a container.
        return Path("/")
