"""A build on another host, by digest: all that it is run from, as it was made and judged here.

Nothing is built there. The unpacked files are held against both digests of LEVEL-16, so they are
the build made here, and run from a copy of that (control/place.py).
"""

import contextlib
import io
import os
import socket
import stat
import tarfile
import tempfile
from pathlib import Path, PurePosixPath

from pydantic import BaseModel, ConfigDict

from dramaturg import paths
from dramaturg.errors import ControlError, ManifestError
from dramaturg.implementation import build, layout
from dramaturg.implementation.build import Built
from dramaturg.implementation.manifest import Implementation, load
from dramaturg.implementation.outputs import Link

_KEPT = "hosts"
"""Below the user's cache: builds that were sent, by their digests."""


class SentBuild(BaseModel):
    """A build, and its implementation."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    folder: str
    """The name of its folder."""
    variant: str | None
    build: str
    artefact: str
    certified: bool

    @property
    def built(self) -> Built:
        return Built(self.build, self.artefact)


def of(implementation: Implementation, built: Built, *, certified: bool) -> SentBuild:
    """Return the description of it for a host."""
    return SentBuild(
        folder=implementation.folder.resolve().name,
        variant=implementation.variant,
        build=built.build,
        artefact=built.artefact,
        certified=certified,
    )


def packed(implementation: Implementation) -> bytes:
    """Its inputs and what was made of them, as a tar file. Raises ManifestError and OSError."""
    name = implementation.folder.resolve().name
    found = layout.of(implementation)
    made = {f"{implementation.build}/{path}": file for path, file in (found.outputs or {}).items()}
    into = io.BytesIO()
    with tarfile.open(fileobj=into, mode="w") as tar:
        for path, file in sorted({**found.inputs, **made}.items()):
            entry = tarfile.TarInfo(os.path.normpath(f"{name}/{path}"))
            if isinstance(file, Link):
                entry.type, entry.linkname = tarfile.SYMTYPE, file.target
                tar.addfile(entry)
                continue
            if file.is_dir():
                entry.type, entry.mode = tarfile.DIRTYPE, 0o755
                tar.addfile(entry)
                continue
            content = file.read_bytes()
            entry.size = len(content)
            entry.mode = 0o755 if file.stat().st_mode & stat.S_IXUSR else 0o644
            tar.addfile(entry, io.BytesIO(content))
    return into.getvalue()


def place(sent: SentBuild) -> Path:
    """Return its path on this host, now or later. Hosts may have one home: each has its own."""
    digest = f"{sent.build}-{sent.artefact}"
    return paths.cache() / _KEPT / socket.gethostname() / digest


def unpack(sent: SentBuild, content: bytes) -> None:
    """Whole, or not at all. Raises ManifestError for names that lead out of it, and OSError."""
    there = place(sent)
    there.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with tempfile.TemporaryDirectory(dir=there.parent, prefix=".sent-") as made:
        root = Path(made) / "new"
        root.mkdir(mode=0o700)
        with tarfile.open(fileobj=io.BytesIO(content)) as tar:
            members = tar.getmembers()
            # Links last: nothing is written through one.
            for member in sorted(members, key=lambda each: each.issym()):
                _enter(root, tar, member)
        with contextlib.suppress(OSError):
            if not is_there(sent):
                # What was altered since it was sent would be refused each time.
                there.rename(Path(made) / "altered")
        # Another agent of this host may have been quicker.
        with contextlib.suppress(OSError):
            root.rename(there)


def _enter(root: Path, tar: tarfile.TarFile, member: tarfile.TarInfo) -> None:
    parts = PurePosixPath(member.name).parts
    if not parts or member.name.startswith("/") or ".." in parts:
        raise ManifestError(f"{member.name!r} leads out of the folder")
    file = root.joinpath(*parts)
    file.parent.mkdir(parents=True, exist_ok=True)
    if member.issym():
        file.symlink_to(member.linkname)
        return
    if member.isdir():
        file.mkdir(exist_ok=True)
        return
    stream = tar.extractfile(member)
    if stream is None:
        raise ManifestError(f"{member.name!r} is neither a file nor a link")
    file.write_bytes(stream.read())
    file.chmod(0o755 if member.mode & stat.S_IXUSR else 0o644)


def is_there(sent: SentBuild) -> bool:
    """Whether it lies on this host as it was sent."""
    try:
        found(sent)
    except (ControlError, OSError):
        return False
    return True


def found(sent: SentBuild) -> Implementation:
    """As it lies on this host. Raises ManifestError where that is another build."""
    implementation = load(place(sent) / sent.folder, sent.variant)
    there = build.built(implementation)
    if there != sent.built:
        what = "sources" if there.build != sent.build else "what was built"
        raise ManifestError(
            f"{implementation.name}: {what} is not what was sent: packages of the harness, tools"
            " that its links lead to, or variables of build.environment differ on this host"
        )
    return implementation
