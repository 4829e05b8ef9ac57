"""The environment variables that an implementation, its build and its probes are given.

Not the harness's own: continuous integration keeps its secrets there, and what is inherited
by chance makes two builds of one digest differ.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from dramaturg import paths
from dramaturg.implementation import packages
from dramaturg.implementation.manifest import Implementation

KEPT = ("PATH", "HOME", "LANG", "TMPDIR")
"""Handed on as they are: where tools and files are, and how text is written."""

PACKAGES, PROTOCOL = "Packages", "Protocol"
"""The folders of the harness's packages and of the protocol in a copy. No folder beside is called
so: the names of implementations have no capitals."""

_USUAL = {"LANG": "C.UTF-8"}


def named(implementation: Implementation) -> dict[str, str]:
    """The variables that the manifest names in ``build.environment``, as far as they are set: they
    decide what is built, and so they count for the build's digest."""
    names = implementation.manifest.build.environment
    return {name: os.environ[name] for name in names if name in os.environ}


def for_build(implementation: Implementation) -> dict[str, str]:
    """For build commands and probes."""
    settings = implementation.settings.build_environment
    return _composed(implementation, settings)


def for_run(
    implementation: Implementation, extra: dict[str, str], copy: Path | None = None
) -> dict[str, str]:
    """For the implementation itself, in its folder or in this copy of all that it is run from;
    ``extra`` is what its place in a network asks for."""
    settings = implementation.settings.environment | extra
    if copy is None:
        return _composed(implementation, settings)
    return _composed(implementation, settings, copy / PROTOCOL, copy / PACKAGES)


def _composed(
    implementation: Implementation,
    settings: Mapping[str, str],
    protocol: Path = paths.PROTO,
    root: Path | None = None,
) -> dict[str, str]:
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    composed = {
        **_USUAL,
        **kept,
        **named(implementation),
        **implementation.manifest.run.environment,
        **settings,
        "BUILD": implementation.build,
        "DRAMATURG_PROTO": str(protocol),
    }
    return composed | packages.variables(implementation, composed, root)
