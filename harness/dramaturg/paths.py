"""Where things are: the project's folders, found from this file."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
IMPLEMENTATIONS = ROOT / "implementations"
CONFORMANCE = ROOT / "conformance"
CASES = CONFORMANCE / "cases"
GOLDEN = CONFORMANCE / "golden"
SPEC = ROOT / "spec"
RESULTS = ROOT / "results"


def cache() -> Path:
    """Where the user's programs keep what can be made again."""
    root = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(root) / "dramaturg"
