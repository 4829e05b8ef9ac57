"""The revision of this project from which the measuring harness comes."""

import json
import os
from pathlib import Path
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
    return of_clone(paths.ROOT)


def of_clone(clone: Path) -> dict[str, Any]:
    """The same of this checkout; nothing is known of a folder that is none."""
    try:
        # A folder that is no checkout may lie in somebody else's.
        top = (git.ask(clone, "rev-parse", "--show-toplevel") or b"").removesuffix(b"\n")
        if top != os.fsencode(clone):
            return {"revision": None, "dirty": None}
        revision = (git.ask(clone, "rev-parse", "--verify", "--quiet", "HEAD") or b"").decode()
        return {"revision": revision.strip() or None, "dirty": committed.differs(clone)}
    except ManifestError:
        # The repository has another owner, as if all users of a machine share one: its files are
        # read only.
        return {"revision": None, "dirty": None}
