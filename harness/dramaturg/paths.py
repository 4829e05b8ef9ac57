"""Where things are: what the harness reads, in a clone or in what was installed, and where it
writes."""

import os
import sys
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_SHIPPED = _PACKAGE / "data"

IN_CLONE = not _SHIPPED.is_dir()
"""Whether this runs from a clone of the repository, and not as an installed package."""

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
"""Where templates find what they take of the project's implementations."""

PACKAGES = (
    _PACKAGE.parent,
    *((IMPLEMENTATIONS / "reference" / "src", CONFORMANCE / "mutants") if IN_CLONE else ()),
)
"""Where Python packages are that others may have in common with the harness."""

PYTHON = Path(sys.executable)
"""The harness's own, which has what these packages need."""

COMMAND = "./dramaturg" if IN_CLONE else "dramaturg"
"""What one types to run this harness."""


def results() -> Path:
    """Where results go: below the folder in which the command was typed."""
    return Path.cwd() / "results"


def cache() -> Path:
    """Where the user's programs keep what can be made again."""
    root = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(root) / "dramaturg"
