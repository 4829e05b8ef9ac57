"""``dramaturg.toml``: how an implementation is found, built and run (spec/implementers.md)."""

import tomllib
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from dramaturg import paths
from dramaturg.control.errors import ManifestError

FILE_NAME = "dramaturg.toml"

SPEC: Literal["1"] = "1"
"""The version of the specification that this harness holds implementations to."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Tool(_Strict):
    """One tool that must be there, and how to ask for its version."""

    what: str
    probe: list[str] = Field(min_length=1)
    version: str = r"(\d+(?:\.\d+)*)"
    minimum: str = "0"


class Install(_Strict):
    """How to get the tools: commands by distribution, and words for everybody else."""

    debian: list[str] = []
    other: str = ""


class Toolchain(_Strict):
    needs: list[Tool] = []
    install: Install = Install()


class Build(_Strict):
    """Commands that build it, run in its folder; ``timeout`` in seconds."""

    commands: list[list[str]] = []
    inputs: list[str] = Field(default=["**/*"], min_length=1)
    environment: list[str] = []
    """Names of the variables that decide what is built, such as where a library is."""
    timeout: float = Field(default=600, gt=0)


class Run(_Strict):
    """How it is started; time limits in seconds, as this runtime needs them."""

    command: list[str] = Field(min_length=1)
    start_timeout: float = Field(default=30, gt=0)
    call_timeout: float = Field(default=120, gt=0)
    settle_timeout: float = Field(default=60, gt=0)
    environment: dict[str, str] = {}


class Variant(_Strict):
    """The same program, run differently."""

    environment: dict[str, str] = {}
    arguments: list[str] = []
    build_environment: dict[str, str] = {}


class Manifest(_Strict):
    name: str = Field(pattern=r"^[a-z][a-z0-9_-]*$")
    language: str
    spec: Literal["1"]
    control: Literal["grpc", "stdio"]
    benchmarks: list[str] = Field(min_length=1)
    distributed: list[str] = []
    distributed_reason: str = ""
    toolchain: Toolchain = Toolchain()
    build: Build = Build()
    run: Run
    variants: dict[str, Variant] = {}
    known_failures: dict[str, str] = {}


class Implementation:
    """A manifest and the folder that it speaks of."""

    def __init__(self, folder: Path, manifest: Manifest, variant: str | None = None) -> None:
        self.folder = folder
        self.manifest = manifest
        self.variant = variant

    @property
    def name(self) -> str:
        """``caf``, or ``caf+sharing`` for a variant: as the command line takes it."""
        return self.manifest.name + (f"+{self.variant}" if self.variant else "")

    @property
    def designation(self) -> str:
        """What :func:`find` takes to find this one again, from any folder."""
        if self.folder == paths.IMPLEMENTATIONS / self.manifest.name:
            return self.name
        return str(self.folder.resolve()) + (f"+{self.variant}" if self.variant else "")

    @property
    def settings(self) -> Variant:
        """What the variant adds; nothing without one."""
        return self.manifest.variants[self.variant] if self.variant else Variant()

    @property
    def build(self) -> str:
        """``BUILD`` for its commands: where it is built, relative to its folder. A variant
        with build settings is another program, and has a build of its own."""
        return f".build/{self.variant}" if self.settings.build_environment else ".build"

    def __repr__(self) -> str:
        return f"Implementation({self.name!r})"


def load(folder: Path, variant: str | None = None) -> Implementation:
    """The implementation in ``folder``. Raises ManifestError with file and field."""
    file = folder / FILE_NAME
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ManifestError(f"{file}: no such file; see spec/implementers.md") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ManifestError(f"{file}: {error}") from None
    try:
        manifest = Manifest.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ManifestError(f"{file}: {error}") from None
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(str(part) for part in problem['loc'])}: {problem['msg']}"
            for problem in error.errors()
        )
        raise ManifestError(f"{file}: {problems}; see spec/implementers.md") from None
    if variant is not None and variant not in manifest.variants:
        known = ", ".join(manifest.variants) or "none"
        raise ManifestError(f"{manifest.name} has no variant {variant!r}; its variants: {known}")
    return Implementation(folder, manifest, variant)


def available(root: Path = paths.IMPLEMENTATIONS) -> list[str]:
    """Names of all implementations below ``root`` that have a manifest."""
    return sorted(file.parent.name for file in root.glob(f"*/{FILE_NAME}"))


def find(name: str, root: Path = paths.IMPLEMENTATIONS) -> Implementation:
    """The implementation called ``name``, ``name+variant``, or at the path ``name``.

    Raises ManifestError that lists those there are.
    """
    base, _, variant = name.partition("+")
    if "/" in base:
        return load(Path(base), variant or None)
    if base not in available(root):
        raise ManifestError(
            f"no implementation is called {base!r}; there are: {', '.join(available(root))}"
        )
    implementation = load(root / base, variant or None)
    if implementation.manifest.name != base:
        raise ManifestError(
            f"{implementation.folder / FILE_NAME}: name is {implementation.manifest.name!r},"
            f" the folder is {base!r}; they must be equal"
        )
    return implementation
