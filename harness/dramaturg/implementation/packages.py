"""Python packages that an implementation has in common with the harness: by name, since they
are elsewhere in a clone than in what was installed."""

import os
from dataclasses import dataclass
from pathlib import Path

from dramaturg import paths
from dramaturg.errors import ManifestError
from dramaturg.implementation.manifest import FILE_NAME, Implementation


@dataclass(frozen=True, slots=True)
class Package:
    """A package or a module."""

    name: str
    root: Path
    """The folder that has to be in ``PYTHONPATH``."""

    @property
    def files(self) -> dict[str, Path]:
        """Its sources, by their path from the root."""
        place = self.root.joinpath(*self.name.split("."))
        found = [place.with_suffix(".py")] if not place.is_dir() else sorted(place.rglob("*.py"))
        return {str(file.relative_to(self.root)): file for file in found}


def named(implementation: Implementation) -> list[Package]:
    """Return the packages that the manifest names. Raises ManifestError for one that is not
    here."""
    return [_found(implementation, name) for name in implementation.manifest.build.packages]


def variables(
    implementation: Implementation, environment: dict[str, str], copy: Path | None = None
) -> dict[str, str]:
    """The variables by which a program finds the harness's own Python, as ``python3``, and these
    packages: where they lie, or in this copy of them all."""
    packages = named(implementation)
    if not packages:
        return {}
    roots = dict.fromkeys(str(copy or package.root) for package in packages)
    own = environment.get("PYTHONPATH")
    before = environment.get("PATH")
    return {
        "PATH": os.pathsep.join([str(paths.PYTHON.parent), *([before] if before else [])]),
        "PYTHONPATH": os.pathsep.join([*([own] if own else []), *roots]),
    }


def _found(implementation: Implementation, name: str) -> Package:
    for root in paths.PACKAGES:
        place = root.joinpath(*name.split("."))
        if place.is_dir() or place.with_suffix(".py").is_file():
            return Package(name, root)
    raise ManifestError(
        f"{implementation.folder / FILE_NAME}: build.packages names {name!r}, which this harness"
        f" has not; it has: dramaturg, and what is in it"
    )
