"""Packs into a wheel, beside the package, the protocol's generated code and what the harness reads.

Sources stay where they are in the repository; a wheel takes them from there. Nothing is added
to an editable install, which goes on reading them in the clone. Run as a program, this writes
the generated code into the clone.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_HARNESS = Path(__file__).resolve().parent
_CLONE = _HARNESS.parent

SHIPPED = ("spec", "proto", "conformance/cases", "conformance/golden", "conformance/endurance")
"""Folders that the installed harness reads, by `dramaturg.paths`, below dramaturg/data."""

SHIPPED_FILES = ("conformance/requirements.yaml", "claims/claims.yaml")
"""And files: which wrong implementations were caught breaking what, for `dramaturg site`; what
studies claimed."""


CITED = ("README.md", "CONFORMANCE.md", "CONTRIBUTING.md", "SECURITY.md")
"""Files that messages and chapters name, beside all of docs/: users of a wheel read them there."""

_LINK = re.compile(r"(?<!!)\[([^]]*)\]\(([^)#\s]+)(#[^)]*)?\)")


_KEPT = (*SHIPPED, *SHIPPED_FILES, "docs")
"""Where a link of a document may lead inside of a wheel."""


def generate(root: Path) -> Path:
    """Write ``dramaturg/v2`` below ``root``; returns it."""
    folder = root / "dramaturg" / "v2"
    folder.mkdir(parents=True, exist_ok=True)
    sources = sorted((_CLONE / "proto" / "dramaturg" / "v2").glob("*.proto"))
    outputs = [f"--{kind}_out={root}" for kind in ("python", "pyi", "grpc_python")]
    command = ["-m", "grpc_tools.protoc", f"-I{_CLONE / 'proto'}", *outputs, *map(str, sources)]
    subprocess.run([sys.executable, "-P", *command], check=True)
    return folder


def documents() -> dict[str, str]:
    """The documents of a wheel by their paths. A link to what a wheel lacks becomes plain text that
    names the place in the repository."""
    made = {}
    for page in sorted([*(_CLONE / "docs").rglob("*.md"), *map(_CLONE.joinpath, CITED)]):
        resolved = partial(_resolved, page)
        name = str(page.relative_to(_CLONE))
        made[name] = _LINK.sub(resolved, page.read_text(encoding="utf-8"))
    return made


def _resolved(page: Path, link: "re.Match[str]") -> str:
    words, target, _ = link.groups()
    if "://" in target or target.startswith("mailto:"):
        return link[0]
    place = Path(os.path.normpath(page.parent / target))
    name = str(place.relative_to(_CLONE)) if place.is_relative_to(_CLONE) else ""
    if name and any(name == each or name.startswith(f"{each}/") for each in (*_KEPT, *CITED)):
        return link[0]
    return words if name in words else f"{words} (`{name}` in the repository)"


def _source() -> dict[str, Any]:
    """The revision that a wheel is built from, and whether the clone differed from it. Git is asked
    as the harness asks it: the clone's own configuration may name programs."""
    sys.path.insert(0, str(_HARNESS))
    from dramaturg.machine import source

    return source.of_clone(_CLONE)


def _templates() -> dict[str, str]:
    """The templates, and of the implementations what these take."""
    sys.path.insert(0, str(_HARNESS))
    from dramaturg.template import description

    folder, implementations = _HARNESS / "templates", _CLONE / "implementations"
    include = {str(folder): "dramaturg/data/templates"}
    for template in description.read_all(folder).values():
        for name, file in template.borrowed(implementations).items():
            include[str(file)] = f"dramaturg/data/plumbing/{template.implementation}/{name}"
    return include


class WheelHook(BuildHookInterface[Any]):
    """Called by hatchling."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        absent = [each for each in (*SHIPPED, *SHIPPED_FILES) if not (_CLONE / each).exists()]
        if absent:
            raise SystemExit(
                f"dramaturg: {_CLONE} has no {', '.join(absent)}; a wheel is built from a clone of"
                " the repository, by `make wheel` or `pip install ./harness`"
            )
        self._generated = Path(tempfile.mkdtemp(prefix="dramaturg-"))
        include = build_data["force_include"]
        include[str(generate(self._generated))] = "dramaturg/v2"
        source = self._generated / "source.json"
        source.write_text(json.dumps(_source()) + "\n", encoding="utf-8")
        include[str(source)] = "dramaturg/data/source.json"
        for folder in (*SHIPPED, *SHIPPED_FILES):
            include[str(_CLONE / folder)] = f"dramaturg/data/{folder}"
        for folder in ("docs/pictures", "docs/findings"):
            for file in sorted((_CLONE / folder).rglob("*")):
                if file.is_file() and file.suffix != ".md":
                    include[str(file)] = f"dramaturg/data/{file.relative_to(_CLONE)}"
        for name, text in documents().items():
            made = self._generated / "documents" / name
            made.parent.mkdir(parents=True, exist_ok=True)
            made.write_text(text, encoding="utf-8")
            include[str(made)] = f"dramaturg/data/{name}"
        include.update(_templates())

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            shutil.rmtree(self._generated)


if __name__ == "__main__":
    generate(_HARNESS)
