"""An implementation on another host, by digest: the same folder where the host sees our files, else
a copy of all that its build is of."""

import base64
import contextlib
import os
import socket
import stat
import tempfile
from pathlib import Path, PurePosixPath
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from dramaturg import paths
from dramaturg.errors import ManifestError
from dramaturg.implementation import build, sources
from dramaturg.implementation.manifest import Implementation, load

_KEPT = "cluster"
"""Below the user's cache: sources that were sent, by their digest, with what was built of them."""


class File(BaseModel):
    """A file of a build's inputs."""

    model_config = ConfigDict(extra="forbid")

    content: str
    """The content in base64."""
    executable: bool


class Sent(BaseModel):
    """An implementation, and its sources."""

    model_config = ConfigDict(extra="forbid")

    folder: str
    """Its path, for a host that sees our files; for others its name alone counts."""
    variant: str | None
    build: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    """The digest of its sources, which they have to have there as well."""
    files: dict[str, File] | None = None
    """The files of the folder, by the path from the folder above it; None if they were sent
    before."""

    def found(self, shares: bool) -> Implementation:
        """On a host that sees our files (``shares``), or does not. Raises ManifestError where the
        sources are not those."""
        folder = Path(self.folder) if shares else self._unpacked()
        implementation = load(folder, self.variant)
        if (there := build.digest(implementation)) != self.build:
            raise ManifestError(
                f"{implementation.name} is another build there: digest {there[:12]}, here"
                f" {self.build[:12]}: sources, packages of the harness or variables of"
                " build.environment differ"
            )
        return implementation

    def _unpacked(self) -> Path:
        """A folder of this digest, made whole or not at all."""
        name = Path(self.folder).name
        if name in ("", ".", ".."):
            raise ManifestError(f"{self.folder!r} is no folder")
        # Hosts may have one home: what is built there is each one's own.
        kept = paths.cache() / _KEPT / socket.gethostname()
        place = kept / self.build
        if not place.exists():
            if self.files is None:
                raise ManifestError(f"no sources of digest {self.build[:12]} were sent")
            kept.mkdir(parents=True, exist_ok=True, mode=0o700)
            with tempfile.TemporaryDirectory(dir=kept, prefix=".sent-") as made:
                for path, file in self.files.items():
                    _write(Path(made), path, file)
                # Another worker of this host may have been quicker.
                with contextlib.suppress(OSError):
                    Path(made).rename(place)
                    Path(made).mkdir()
        return place / name


def _write(folder: Path, name: str, file: File) -> None:
    parts = PurePosixPath(name).parts
    if not parts or name.startswith("/") or ".." in parts or "\0" in name:
        raise ManifestError(f"{name!r} leads out of the folder")
    place = folder.joinpath(*parts)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(base64.b64decode(file.content, validate=True))
    place.chmod(0o755 if file.executable else 0o644)


def of(implementation: Implementation, *, whole: bool = False) -> Sent:
    """The message that sends it; with its files (``whole``) once to each host that does not see
    ours. Raises ManifestError."""
    return Sent(
        folder=str(implementation.folder.resolve()),
        variant=implementation.variant,
        build=build.digest(implementation),
        files=_packed(implementation) if whole else None,
    )


def _packed(implementation: Implementation) -> dict[str, File]:
    folder = implementation.folder.resolve()
    return {
        os.path.normpath(f"{folder.name}/{name}"): _file(file)
        for name, file in sources.inputs(implementation).items()
    }


def _file(file: Path) -> File:
    executable = bool(file.stat().st_mode & stat.S_IXUSR)
    return File(content=base64.b64encode(file.read_bytes()).decode(), executable=executable)
