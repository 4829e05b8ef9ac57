"""The patches of the native cast compile, and which of them is built again when."""

import os
import shutil
from pathlib import Path

import pytest
from sampling import VARIABLE, commit, is_chosen

from dramaturg.errors import ManifestError, ToolchainMissing
from dramaturg.mutation import built_before, native_mutants, patches
from dramaturg.mutation.native_mutants import Judged, Member
from dramaturg.mutation.reference_mutants import Accepted, Equivalent, Verdict
from dramaturg.outcomes import Outcome

EVERYBODY = native_mutants.everybody()
BUILT = built_before.recorded()

SHARE = 100
"""One in so many is built although neither it nor what it changes has changed: the rest of the
sources may have."""


@pytest.mark.parametrize("member", EVERYBODY, ids=[member.name for member in EVERYBODY])
def test_a_patched_implementation_compiles(member: Member) -> None:
    due = built_before.is_due(member, BUILT) or is_chosen(member.name, SHARE, commit())
    if VARIABLE in os.environ and not due:
        pytest.skip("not run: built before, from the same files; `make test WHOLE=1` builds it")
    try:
        with patches.built(member.source, member.variant, member.patch):
            pass
    except ToolchainMissing as error:
        pytest.skip(f"not run: {error}")


def test_only_members_are_recorded() -> None:
    assert BUILT.keys() <= {member.name for member in EVERYBODY}


def test_it_is_due_when_it_or_a_file_that_it_changes_has_changed(tmp_path: Path) -> None:
    original = next(member for member in EVERYBODY if member.name == "go/sends_when_answered")
    tree, patch = tmp_path / "go", tmp_path / "a.patch"
    shutil.copytree(original.source, tree, ignore=shutil.ignore_patterns(".build"))
    shutil.copy(original.patch, patch)

    class Moved(Member):
        @property
        def source(self) -> Path:
            return tree

        @property
        def patch(self) -> Path:
            return patch

    member = Moved("go", None, original.entry, "go")
    known = {member.name: built_before.sum_of(original)}
    assert not built_before.is_due(member, known)
    assert built_before.is_due(member, {})

    text = patch.read_text()
    patch.write_text(text.replace(patches.docstring(patch), "In other words."))
    assert not built_before.is_due(member, known)
    (tree / "README.md").write_text("Other words.\n")
    assert not built_before.is_due(member, known)

    patch.write_text(text + "\n--- /dev/null\n+++ b/new.go\n@@ -0,0 +1 @@\n+package main\n")
    assert built_before.is_due(member, known)
    patch.write_text(text)
    name = built_before.changed(text)[0]
    (tree / name).write_text((tree / name).read_text() + "\n")
    assert built_before.is_due(member, known)


def test_only_what_was_built_is_written_down_and_what_left_the_cast_goes(tmp_path: Path) -> None:
    file = tmp_path / "built.yaml"
    names = ["go/who_left", *(member.name for member in EVERYBODY[1:4])]
    file.write_text("".join(f"{name}: '0'\n" for name in names))
    right = Equivalent(name="right", cases=["pingpong"], allowed=["ACT-1"])

    def judged(member: Member, outcome: Outcome) -> Judged:
        return Judged(member, Accepted(right, Verdict(None, outcome, "", "", "", 1.0)))

    outcomes = [Outcome.FAIL, Outcome.HARNESS_FAULT]
    done = [judged(member, outcome) for member, outcome in zip(EVERYBODY, outcomes, strict=False)]
    done.append(judged(EVERYBODY[3], Outcome.TOOLCHAIN_MISSING))
    built_before.record(done, {member.name: "then" for member in EVERYBODY}, file)
    first, _, third, fourth = (member.name for member in EVERYBODY[:4])
    assert built_before.recorded(file) == {first: "then", third: "0", fourth: "0"}


@pytest.mark.parametrize("text", ["- a list", "go/a: 1.5", "go: ["])
def test_a_record_that_cannot_be_used_is_named(text: str, tmp_path: Path) -> None:
    (tmp_path / "built.yaml").write_text(text)
    with pytest.raises(ManifestError, match=r"built\.yaml"):
        built_before.recorded(tmp_path / "built.yaml")
