"""The revision of this project from which the measuring harness comes."""

import json
from typing import Any

from dramaturg import paths
from dramaturg.errors import ManifestError
from dramaturg.processes import committed, git


def found() -> dict[str, Any]:
    """The revision of this project, and whether the checkout differs from it; of a package, what
    it was built from."""
    if not paths.IN_CLONE:
        said: dict[str, Any] = json.loads((paths.ROOT / "source.json").read_text(encoding="utf-8"))
        return said
    try:
        # A folder that is no checkout may lie in somebody else's.
        top = (git.ask(paths.ROOT, "rev-parse", "--show-toplevel") or b"").decode().rstrip("\n")
        if top != str(paths.ROOT):
            return {"revision": None, "dirty": None}
        revision = (git.ask(paths.ROOT, "rev-parse", "--verify", "--quiet", "HEAD") or b"").decode()
        return {"revision": revision.strip() or None, "dirty": committed.differs(paths.ROOT)}
    except ManifestError:
        # Of another owner, as where all users of a machine share one: its files are read only.
        return {"revision": None, "dirty": None}
