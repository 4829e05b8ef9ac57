"""A build is on another host what it was here, or is refused there."""

import io
import tarfile
from pathlib import Path

import pytest

from dramaturg import paths
from dramaturg.errors import ManifestError
from dramaturg.hosts import sent_builds
from dramaturg.implementation import build
from dramaturg.implementation.manifest import Implementation, find


@pytest.fixture
def reference(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Implementation:
    monkeypatch.setattr(paths, "cache", lambda: tmp_path / "cache")
    return find("reference")


def test_what_is_unpacked_is_the_same_build(reference: Implementation) -> None:
    built = build.built(reference)
    sent = sent_builds.of(reference, built, certified=True)
    sent_builds.unpack(sent, sent_builds.packed(reference))
    assert build.built(sent_builds.found(sent)) == built


def test_what_is_another_build_there_is_refused(reference: Implementation) -> None:
    sent = sent_builds.of(reference, build.built(reference), certified=True)
    sent_builds.unpack(sent, sent_builds.packed(reference))
    changed = next(sent_builds.place(sent).rglob("*.py"))
    changed.write_text(changed.read_text() + "\n# Another.\n")
    with pytest.raises(ManifestError, match="sources is not what was sent"):
        sent_builds.found(sent)


def test_what_was_altered_there_is_sent_anew(reference: Implementation) -> None:
    sent = sent_builds.of(reference, build.built(reference), certified=True)
    assert not sent_builds.is_there(sent)
    sent_builds.unpack(sent, sent_builds.packed(reference))
    assert sent_builds.is_there(sent)
    changed = next(sent_builds.place(sent).rglob("*.py"))
    changed.write_bytes(b"")
    assert not sent_builds.is_there(sent)
    sent_builds.unpack(sent, sent_builds.packed(reference))
    assert sent_builds.is_there(sent)
    assert list(sent_builds.place(sent).parent.iterdir()) == [sent_builds.place(sent)]


@pytest.mark.parametrize("name", ["../x", "/x", "side/../../x"])
def test_nothing_is_unpacked_beside_the_folder(
    name: str, reference: Implementation, tmp_path: Path
) -> None:
    into = io.BytesIO()
    with tarfile.open(fileobj=into, mode="w") as tar:
        entry = tarfile.TarInfo(name)
        entry.size = 1
        tar.addfile(entry, io.BytesIO(b"x"))
    sent = sent_builds.of(reference, build.built(reference), certified=True)
    with pytest.raises(ManifestError, match="leads out of the folder"):
        sent_builds.unpack(sent, into.getvalue())
    assert not sent_builds.place(sent).exists()


def test_nothing_is_written_through_a_link(reference: Implementation, tmp_path: Path) -> None:
    into = io.BytesIO()
    with tarfile.open(fileobj=into, mode="w") as tar:
        link = tarfile.TarInfo("side/out")
        link.type, link.linkname = tarfile.SYMTYPE, str(tmp_path)
        tar.addfile(link)
        entry = tarfile.TarInfo("side/out/x")
        entry.size = 1
        tar.addfile(entry, io.BytesIO(b"x"))
    sent = sent_builds.of(reference, build.built(reference), certified=True)
    with pytest.raises((ManifestError, OSError)):
        sent_builds.unpack(sent, into.getvalue())
    assert not (tmp_path / "x").exists()
