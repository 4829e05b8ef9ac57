"""All that an implementation is run from: what its digests cover, and nothing else. A copy of it
is what is certified and what is timed (control/scratch.py)."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from dramaturg import paths
from dramaturg.implementation import outputs, packages
from dramaturg.implementation.manifest import Implementation
from dramaturg.implementation.outputs import Link
from dramaturg.implementation.sources import inputs
from dramaturg.implementation.variables import PACKAGES, PROTOCOL

OWN = "side"
"""The name of the implementation's own folder in a copy. It shows neither the implementation's
name, nor whether it is certified or timed."""

_PROTO = "dramaturg/v2"
"""Below the protocol's folder, its files; below the harness's, what was generated of them."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Each part's files, by their names in the digest: where those of the implementation's folder
    are, or those of a copy."""

    inputs: Mapping[str, Path]
    protocol: Mapping[str, Path]
    packages: tuple[Mapping[str, Path], ...]
    outputs: Mapping[str, Path | Link] | None
    """None where nothing is made: the inputs are run."""

    def placed(self, implementation: Implementation) -> Iterator[tuple[str, Path | Link]]:
        """Everything, by its path in a copy."""
        own = own_name(implementation)
        for name, file in self.inputs.items():
            yield os.path.normpath(f"{own}/{name}"), file
        for name, made in (self.outputs or {}).items():
            yield f"{own}/{implementation.build}/{name}", made
        for name, file in self.protocol.items():
            yield f"{PROTOCOL}/{_PROTO}/{name}", file
        for package in (*self.packages, self._needed_by_packages()):
            for name, file in package.items():
                yield f"{PACKAGES}/{name}", file

    def copied(self, implementation: Implementation, to: Path) -> "Layout":
        """The same, of the copy in ``to``. Raises ManifestError for outputs that lead elsewhere."""
        own = to / own_name(implementation)
        return Layout(
            {name: Path(os.path.normpath(own / name)) for name in self.inputs},
            {name: to / PROTOCOL / _PROTO / name for name in self.protocol},
            tuple({name: to / PACKAGES / name for name in each} for each in self.packages),
            outputs.all_of(implementation, own),
        )

    def _needed_by_packages(self) -> dict[str, Path]:
        """Files that are in no digest, since they are the harness's: those of the packages above
        the named ones, and those generated from the protocol."""
        found: dict[str, Path] = {}
        for package in self.packages:
            root = paths.PACKAGES[0]
            found |= {str(file.relative_to(root)): file for file in (root / _PROTO).glob("*.py")}
            for name, file in package.items():
                for above, place in zip(Path(name).parents, file.parents, strict=False):
                    initial = place / "__init__.py"
                    if above.parts and initial.is_file():
                        found[str(above / initial.name)] = initial
        return found


def own_name(implementation: Implementation) -> str:
    """The name of the implementation's own folder in a copy: the same for all, except one that has
    a folder of that name beside it."""
    return OWN.title() if OWN in implementation.manifest.build.beside else OWN


def of(implementation: Implementation) -> Layout:
    """As it lies in its folder. Raises ManifestError for inputs that match nothing, or that no
    digest can stand for, and for outputs that lead elsewhere."""
    made = outputs.all_of(implementation, implementation.folder.resolve())
    return replace(of_sources(implementation), outputs=made)


def of_sources(implementation: Implementation) -> Layout:
    """As :func:`of`, without what was made."""
    return Layout(
        inputs(implementation),
        {file.name: file for file in sorted(paths.PROTO.glob(f"{_PROTO}/*.proto"))},
        tuple(package.files for package in packages.named(implementation)),
        None,
    )
