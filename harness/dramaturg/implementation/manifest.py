"""``dramaturg.toml``: how an implementation is found, built and run (spec/implementers.md)."""

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails

from dramaturg import files, meant, paths
from dramaturg.errors import ManifestError
from dramaturg.levels import SPEC
from dramaturg.model import placement
from dramaturg.v2 import benchmarks_pb2

FILE_NAME = "dramaturg.toml"

BUILD = ".build"
"""The subfolder of an implementation below which a build writes everything."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _one_group(text: str) -> str:
    try:
        groups = re.compile(text).groups
    except re.error as error:
        raise ValueError(f"it is no regular expression ({error})") from None
    if groups < 1:
        raise ValueError("it must have a group, which is the version")
    return text


def _relative(text: str) -> str:
    if not text or Path(text).is_absolute():
        raise ValueError("it must be relative to the implementation's folder")
    if ".." in Path(text).parts:
        raise ValueError(
            "leads out of the folder by '..'; a build is of its own folder, the protocol"
            " (DRAMATURG_PROTO), packages (build.packages) and implementations beside it"
            " (build.beside)"
        )
    return text


MOST_DEEP = 2
"""Maximum number of *any folders* in a pattern. The time to match one is the number of folders to
that power, and a few links of a chain are enough for a day."""

MOST_PATTERNS = 100
"""Patterns in one list: each looks through the whole folder."""


def _bounded(text: str) -> str:
    if Path(text).parts.count("**") > MOST_DEEP:
        raise ValueError(f"has '**' more than {MOST_DEEP} times; what it matches takes no more")
    return text


def _version(text: str) -> str:
    if text != SPEC:
        raise ValueError(
            f"it is {text!r}, and this harness holds to version {SPEC} of the specification:"
            " spec/versions.md says what changed"
        )
    return text


def _no_nul(text: str) -> str:
    if "\0" in text:
        raise ValueError("it has a NUL character, which no command can be given")
    return text


def _package(text: str) -> str:
    # apt removes what ends with a minus, and takes a dot for any letter.
    if not re.fullmatch(r"[a-z0-9](?:[a-z0-9+-]|(?<=[0-9])\.(?=[0-9]))*[a-z0-9+]", text):
        raise ValueError("it is no name of a package")
    return text


def _variable(text: str) -> str:
    if not text or "=" in text:
        raise ValueError("it is no name of a variable")
    return _no_nul(text)


BENCHMARKS = tuple(
    field.name for field in benchmarks_pb2.Benchmark.DESCRIPTOR.oneofs_by_name["parameters"].fields
)
"""All there are, as the protocol has them."""


def _benchmark(text: str) -> str:
    if text not in BENCHMARKS:
        raise ValueError(
            f"no benchmark is called {text!r}{meant.hint(text, BENCHMARKS) or ';'} there are:"
            f" {', '.join(BENCHMARKS)}"
        )
    return text


def _distributable(text: str) -> str:
    if _benchmark(text) not in placement.MOST:
        raise ValueError(f"{text} runs on one node; over several: {', '.join(placement.MOST)}")
    return text


Seconds = Annotated[float, Field(gt=0, le=31_536_000)]
"""A time limit of at most a year: not infinite, which no clock can wait for."""

Distributable = Annotated[str, AfterValidator(_distributable)]
Word = Annotated[str, AfterValidator(_no_nul)]
Command = Annotated[list[Word], Field(min_length=1)]
Variable = Annotated[str, AfterValidator(_variable)]
Environment = dict[Variable, Word]
Pattern = Annotated[
    str, AfterValidator(_relative), AfterValidator(_no_nul), AfterValidator(_bounded)
]
Patterns = Annotated[list[Pattern], Field(max_length=MOST_PATTERNS)]
NAME = r"^[a-z][a-z0-9_-]*$"
Name = Annotated[str, Field(pattern=NAME)]
"""The name of an implementation or a variant: a part of paths and of words that people type."""


Module = Annotated[str, Field(pattern=r"^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)*$")]
"""A Python package, or a module."""

Package = Annotated[str, Field(max_length=100), AfterValidator(_package)]
"""A name by Debian's policy: no version, no option, nothing that a shell or apt takes for
more."""


Benchmark = Annotated[str, AfterValidator(_benchmark)]
"""A name of :data:`BENCHMARKS`: one that is misspelt would be certified as if it were nothing."""


Reason = Annotated[str, Field(min_length=1, max_length=300)]
"""Stands beside each verdict."""


class Tool(_Strict):
    """One tool that must be there, and how to ask for its version."""

    what: str
    probe: Command
    version: Annotated[str, Field(max_length=200), AfterValidator(_one_group)] = r"(\d+(?:\.\d+)*)"
    minimum: Annotated[str, Field(max_length=100)] = "0"


class Install(_Strict):
    """The tools to install: packages by distribution, and words for everybody else."""

    debian: list[Package] = []
    other: str = ""


class Toolchain(_Strict):
    needs: list[Tool] = []
    install: Install = Install()


class Build(_Strict):
    """Commands that build it, run in its folder; ``timeout`` in seconds."""

    commands: list[Command] = []
    inputs: Annotated[Patterns, Field(min_length=1)] | None = None
    """The patterns of its inputs. Without it, all files that git tracks."""
    beside: dict[Name, Annotated[Patterns, Field(min_length=1)]] = {}
    """Files of the folders with these names that lie beside this one: part of the build's digest.
    For one program on two runtimes."""
    packages: list[Module] = []
    """Python packages of the harness that it imports: part of the build's digest."""
    outputs: Patterns | None = None
    """The files of the build's folder that are run: their digest is that of the artefact. Without
    it, all that the commands leave there."""
    environment: list[Variable] = []
    """Names of the variables that decide what is built, such as where a library is: handed on
    to builds, probes and runs, and part of the build's digest. No others are."""
    timeout: Seconds = 600


CORES = "{cores}"
"""Stands for how many there are."""


class Told(_Strict):
    """The settings that tell a runtime the number of cores it may use."""

    environment: Environment = {}
    arguments: list[Word] = []

    def of(self, cores: int) -> "Told":
        """Return it with the number filled in."""

        def filled(text: str) -> str:
            return text.replace(CORES, str(cores))

        return Told(
            environment={key: filled(value) for key, value in self.environment.items()},
            arguments=[filled(word) for word in self.arguments],
        )

    def __str__(self) -> str:
        return " ".join(
            [*(f"{key}={value}" for key, value in self.environment.items()), *self.arguments]
        )


def _tells(told: Told) -> Told:
    if told != told.of(1):
        return told
    raise ValueError(f"says {CORES} nowhere, so the runtime is told nothing")


class Run(_Strict):
    """The command that starts it; time limits in seconds, as this runtime needs them."""

    command: Command
    start_timeout: Seconds = 30
    call_timeout: Seconds = 120
    settle_timeout: Seconds = 60
    environment: Environment = {}
    node_environment: Environment = {}
    """Added where the process is one of several nodes."""
    cores: Annotated[Told, AfterValidator(_tells)] | None = None
    """Added where it is confined to some of the machine's cores. Without it, the runtime finds out
    by itself, or does not."""
    heap: Annotated[int, Field(ge=0, le=1 << 20)] = 0
    """MiB that a garbage collector may fill before it begins: so much may be held after a world
    has ended, and no more (MEAS-22). 0 where nothing is left for a collector."""


class Variant(_Strict):
    """The same program, run differently."""

    environment: Environment = {}
    arguments: list[Word] = []
    build_environment: Environment = {}
    benchmarks: Annotated[list[Benchmark], Field(min_length=1)] | None = None
    """Those of the manifest's benchmarks that it runs. Without it, all."""
    distributed: list[Distributable] | None = None
    """Its benchmarks that run over several nodes. Without it, those of the manifest."""


class Manifest(_Strict):
    name: Name
    language: str
    spec: Annotated[str, AfterValidator(_version)]
    control: Literal["grpc", "stdio"]
    benchmarks: list[Benchmark] = Field(min_length=1)
    distributed: list[Distributable] = []
    distributed_reason: str = ""
    several_cores: dict[Benchmark, Reason] = {}
    """Benchmarks that it cannot perform on one core, and why: their cases there are not planned."""
    log_limit: bool = False
    """True if its actors wait while its log is full (CTRL-18). Otherwise it holds all events that
    were not fetched yet, and cases with a limit are not planned."""
    remark: Annotated[str, Field(max_length=300)] = ""
    """A remark that a reader of its verdicts has to know; it stands beside each."""
    toolchain: Toolchain = Toolchain()
    build: Build = Build()
    run: Run
    variants: dict[Name, Variant] = {}
    known_failures: dict[str, str] = {}

    @model_validator(mode="after")
    def _needs_cores_for_what_it_has(self) -> Self:
        unknown = sorted(self.several_cores.keys() - set(self.benchmarks))
        if unknown:
            raise ValueError(f"several_cores: {', '.join(unknown)}: not in benchmarks")
        return self

    def of_variant(self, variant: str) -> Self:
        """Return it with the benchmarks of this variant alone; as it is without one of that
        name."""
        if variant not in self.variants:
            return self
        settings = self.variants[variant]
        kept = self.benchmarks if settings.benchmarks is None else settings.benchmarks
        own = self.distributed if settings.distributed is None else settings.distributed
        distributed = [name for name in own if name in kept]
        several = {name: reason for name, reason in self.several_cores.items() if name in kept}
        update = {"benchmarks": kept, "distributed": distributed, "several_cores": several}
        return self.model_copy(update=update)


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
        """The word by which :func:`find` finds this one again, from any folder."""
        if self.folder == paths.IMPLEMENTATIONS / self.manifest.name:
            return self.name
        return str(self.folder.resolve()) + (f"+{self.variant}" if self.variant else "")

    @property
    def settings(self) -> Variant:
        """The settings that the variant adds; none without one."""
        return self.manifest.variants[self.variant] if self.variant else Variant()

    def told(self, cores: int) -> Told:
        """The settings for a runtime that is confined to so many cores; none if the manifest has
        none, or for 0: it is not confined."""
        return self.manifest.run.cores.of(cores) if self.manifest.run.cores and cores else Told()

    @property
    def build(self) -> str:
        """``BUILD`` for its commands: where it is built, relative to its folder. A variant
        with build settings is another program, and has a build of its own."""
        return f"{BUILD}/{self.variant}" if self.settings.build_environment else BUILD

    def __repr__(self) -> str:
        return f"Implementation({self.name!r})"


def load(folder: Path, variant: str | None = None) -> Implementation:
    """The implementation in ``folder``. Raises ManifestError with file and field."""
    file = folder / FILE_NAME
    for link in (folder, file):
        if link.is_symlink():
            raise ManifestError(
                f"{link} is a link; name what it leads to: {os.path.realpath(link)}"
            )
    if not file.exists():
        near = meant.path_hint(file)
        raise ManifestError(f"{file}: no such file{near or ';'} see spec/implementers.md")
    if not file.is_file():
        raise ManifestError(f"{file} is no file; see spec/implementers.md")
    try:
        manifest = Manifest.model_validate(files.read_toml(file))
    except files.Unreadable as error:
        raise ManifestError(f"{file}: {error}") from None
    except ValidationError as error:
        said = files.brief("; ".join(_spell(problem) for problem in error.errors()))
        raise ManifestError(f"{file}: {said}; see spec/implementers.md") from None
    except ValueError as error:  # An integer of more digits than Python reads.
        raise ManifestError(f"{file}: {files.brief(error)}") from None
    if variant is not None and variant not in manifest.variants:
        known = ", ".join(manifest.variants) or "none"
        near = meant.hint(variant, manifest.variants) or ";"
        raise ManifestError(
            f"{manifest.name} has no variant {variant!r}{near} its variants: {known}"
        )
    return Implementation(folder, _narrowed(file, manifest, variant), variant)


def _narrowed(file: Path, manifest: Manifest, variant: str | None) -> Manifest:
    """Return the manifest with the benchmarks of the variant alone. Raises ManifestError for those
    of a variant that the manifest itself does not name."""
    for name, settings in manifest.variants.items():
        own = manifest.benchmarks if settings.benchmarks is None else settings.benchmarks
        for field, named, known in (
            ("benchmarks", settings.benchmarks, manifest.benchmarks),
            ("distributed", settings.distributed, own),
        ):
            unknown = sorted(set(named or ()) - set(known))
            if unknown:
                raise ManifestError(
                    f"{file}: variants.{name}.{field}: {', '.join(unknown)}: not in benchmarks, of"
                    " which a variant has some; see spec/implementers.md"
                )
    return manifest.of_variant(variant or "")


def _spell(problem: ErrorDetails) -> str:
    place = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "extra_forbidden":
        keys = _keys(problem["loc"])
        near = meant.hint(str(problem["loc"][-1]), keys) or ";"
        return f"{place}: no such key{near} keys are: {', '.join(keys)}"
    return f"{place}: {problem['msg'].removeprefix('Value error, ')}"


def _keys(place: Sequence[int | str]) -> list[str]:
    """Return the keys that there are at the last part of this place."""
    inside: dict[tuple[str, ...], type[BaseModel]] = {
        ("toolchain",): Toolchain,
        ("toolchain", "needs"): Tool,
        ("toolchain", "install"): Install,
        ("build",): Build,
        ("run",): Run,
        ("run", "cores"): Told,
        ("variants",): Variant,
    }
    above = tuple(part for part in place[:-1] if isinstance(part, str))
    above = above[:1] if above[:1] == ("variants",) else above
    return sorted(inside.get(above, Manifest).model_fields)


def available() -> list[str]:
    """The words that :func:`find` takes, one for each implementation there is: ``.`` for the
    folder in which one stands, and the names of folders with a manifest in it, in its
    ``implementations``, and in the project's own."""
    names = {file.parent.name for root in _roots() for file in root.glob(f"*/{FILE_NAME}")}
    here = ["."] if Path(FILE_NAME).exists() else []
    return here + sorted(name for name in names if not name.startswith("."))


def find(name: str) -> Implementation:
    """The implementation in the folder ``name``, or ``name+variant``; of several, the nearest.

    Raises ManifestError that lists those there are.
    """
    base, variant = _parted(name)
    if "/" in base or base in (".", ".."):
        return load(Path(base), variant)
    for root in _roots():
        if (root / base / FILE_NAME).exists():
            return _called(base, load(root / base, variant))
    if Path(base).is_dir():
        raise ManifestError(f"{base}/{FILE_NAME}: no such file; see spec/implementers.md")
    there_are = ", ".join(available()) or "none here; a path, such as ./mine, is taken as well"
    if "." in available():
        there_are += " (this folder; its variant NAME is .+NAME)"
    near = meant.hint(base, available()) or ";"
    raise ManifestError(f"no implementation is called {base!r}{near} there are: {there_are}")


def everybody() -> list[Implementation]:
    """All that are :func:`available`, each once."""
    found = [find(name) for name in available()]
    return list({each.folder.resolve(): each for each in found}.values())


def find_all(names: Iterable[str]) -> list[Implementation]:
    """Each once. Raises ManifestError also for two that could not be told apart."""
    found: dict[str, Implementation] = {}
    for each in map(find, names):
        other = found.setdefault(each.name, each)
        if other.folder.resolve() != each.folder.resolve():
            raise ManifestError(
                f"{other.folder} and {each.folder} are both called {each.name!r}: verdicts of one"
                " run are told apart by the manifest's name"
            )
    return list(found.values())


def _roots() -> tuple[Path, ...]:
    """Return the folders that implementations are looked for in by name, the nearest first."""
    return Path.cwd(), Path.cwd() / "implementations", paths.IMPLEMENTATIONS


def _parted(name: str) -> tuple[str, str | None]:
    """The folder and the variant; a folder's name may have a plus in it as well."""
    base, _, variant = name.rpartition("+")
    if not base or not variant or "/" in variant or (Path(name) / FILE_NAME).exists():
        return name, None
    return base, variant


def _called(base: str, implementation: Implementation) -> Implementation:
    """Raises ManifestError for a folder of ``implementations`` that is called otherwise."""
    folder, manifest = implementation.folder, implementation.manifest
    if folder.parent.name == "implementations" and manifest.name != base:
        raise ManifestError(
            f"{folder / FILE_NAME}: name is {manifest.name!r}, the folder is {base!r};"
            " they must be equal"
        )
    return implementation
