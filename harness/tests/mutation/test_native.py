"""The negative cast in the languages themselves: what can be said of it without building it."""

import json
import re
import subprocess
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from click import UsageError

from dramaturg import paths
from dramaturg.cases.cases import load_all
from dramaturg.errors import ManifestError, ToolchainMissing
from dramaturg.implementation import toolchain
from dramaturg.implementation.manifest import load
from dramaturg.levels import LEVELS
from dramaturg.mutation import native_mutants, patches
from dramaturg.mutation.native_mutants import Judged, Kind, Member, Wrong
from dramaturg.mutation.reference_mutants import TIMED, Accepted, Caught, Equivalent, Verdict
from dramaturg.outcomes import Outcome
from dramaturg.terminal import native_verdicts as command

EVERYBODY = native_mutants.everybody()
WRONG = [member for member in EVERYBODY if isinstance(member.entry, Wrong)]
RIGHT = [member for member in EVERYBODY if not isinstance(member.entry, Wrong)]
NAMES = [member.name for member in EVERYBODY]
LEAST = {Kind.WORLD: 16, Kind.ACTOR: 8, Kind.TIME: 12, Kind.SIZE: 12}


@pytest.mark.parametrize("member", EVERYBODY, ids=NAMES)
def test_a_patch_applies_and_says_what_it_is(member: Member) -> None:
    patches.check(member.source, member.patch)
    assert patches.docstring(member.patch).endswith(".")


def test_a_folder_has_a_patch_for_each_name_and_no_other() -> None:
    assert set(native_mutants.FOLDER.glob("*/*.patch")) == {member.patch for member in EVERYBODY}
    assert len(NAMES) == len(set(NAMES))


def test_who_shares_sources_shares_patches(tmp_path: Path) -> None:
    (tmp_path / "sockets").mkdir()
    (tmp_path / "sockets" / "expected.yaml").write_text(
        "implementations: [nng, zeromq]\nright: []\n"
        "wrong:\n- {name: a, kind: size, cases: [broker],"
        " level: 1, outcome: fail, breaks: [BROKER-3], says: words}\n"
    )
    found = native_mutants.everybody(tmp_path)
    assert [member.name for member in found] == ["nng/a", "zeromq/a"]
    assert {member.patch for member in found} == {native_mutants.FOLDER / "sockets" / "a.patch"}
    assert [member.source.name for member in found] == ["nng", "zeromq"]


def test_everybody_names_requirements_and_cases_that_exist() -> None:
    text = "".join(file.read_text() for file in paths.SPEC.glob("*.md"))
    defined = set(re.findall(r"^\| ([A-Z]+-\d+) \|", text, re.MULTILINE))
    known = {case.benchmark for case in load_all()} | {case.name for case in load_all()}
    for member in EVERYBODY:
        entry = member.entry
        named = entry.breaks if isinstance(entry, Wrong) else entry.allowed
        assert set(named) <= defined, member.name
        assert set(entry.cases) <= known, member.name


def test_there_are_as_many_of_each_kind_as_the_page_on_belief_says() -> None:
    kinds = Counter(member.entry.kind for member in WRONG if isinstance(member.entry, Wrong))
    assert all(kinds[kind] >= least for kind, least in LEAST.items())
    assert len(RIGHT) >= 12
    page = (paths.ROOT / "docs" / "why-believe-a-verdict.md").read_text()
    assert f"{len(WRONG)} wrong versions" in page
    assert f"{len(RIGHT)} other right ones" in page


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("wrong: []", "right"),
        ("wrong: [{name: a, kind: luck}]\nright: []", "kind"),
        ("wrong: [", "expected.yaml"),
        ("- a list", "expected.yaml"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_what_is_wrong(
    text: str, said: str, tmp_path: Path
) -> None:
    (tmp_path / "expected.yaml").write_text(text)
    with pytest.raises(ManifestError, match=said) as raised:
        native_mutants.cast(tmp_path)
    assert str(tmp_path / "expected.yaml") in str(raised.value)


def test_who_is_caught_timed_says_how_it_is_timed() -> None:
    for member in WRONG:
        assert isinstance(member.entry, Wrong)
        assert bool(member.entry.bench) == (member.entry.level == TIMED), member.name


def test_the_variant_that_is_built_is_the_manifests() -> None:
    for member in EVERYBODY:
        load(member.source, member.variant)


# --- patches ---


@pytest.fixture
def plain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An implementation of one line, and a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "dramaturg.toml").write_text(
        'name = "plain"\nlanguage = "none"\nspec = "2"\ncontrol = "stdio"\n'
        'benchmarks = ["pingpong"]\n[build]\ncommands = [["sh", "build"]]\n'
        'inputs = ["*"]\n[run]\ncommand = ["true"]\n'
    )
    (folder / "build").write_text('mkdir -p "$BUILD" && cp words "$BUILD/words"\n')
    (folder / "words").write_text("one\ntwo\nthree\n")
    (folder / "others").write_text("four\n")
    return folder


def patch(folder: Path, old: str, new: str, file: str = "words") -> Path:
    """One line of a file exchanged for another."""
    written = folder.parent / f"{new}.patch"
    lines = (folder / file).read_text().splitlines()
    place = lines.index(old) if old in lines else 0
    body = "".join(
        f"-{line}\n+{new}\n" if n == place else f" {line}\n" for n, line in enumerate(lines)
    )
    body = body.replace(f"-{lines[place]}\n", f"-{old}\n")
    size = len(lines)
    head = f"Says {new}.\n\ndiff --git a/{file} b/{file}\n--- a/{file}\n+++ b/{file}\n"
    head += f"@@ -1,{size} +1,{size} @@\n"
    written.write_text(head + body)
    return written


def test_a_copy_is_patched_and_built_and_the_next_patch_starts_from_the_original(
    plain: Path,
) -> None:
    with patches.built(plain, None, patch(plain, "two", "TWO")) as first:
        assert (first.folder / ".build" / "words").read_text() == "one\nTWO\nthree\n"
    with patches.built(plain, None, patch(plain, "one", "ONE")) as second:
        assert second.folder == first.folder
        assert (second.folder / ".build" / "words").read_text() == "ONE\ntwo\nthree\n"
    with patches.built(plain, None, None) as nothing:
        assert (nothing.folder / ".build" / "words").read_text() == "one\ntwo\nthree\n"
    assert (plain / "words").read_text() == "one\ntwo\nthree\n"
    assert not (plain / ".build").exists()


def test_only_what_differs_is_written_and_is_newer_by_whole_seconds_than_what_was_built(
    plain: Path,
) -> None:
    with patches.built(plain, None, None) as first:
        untouched = (first.folder / "others").stat().st_mtime_ns
        made = (first.folder / ".build" / "words").stat().st_mtime
    with patches.built(plain, None, patch(plain, "two", "TWO")) as second:
        assert (second.folder / "others").stat().st_mtime_ns == untouched
        assert int((second.folder / "words").stat().st_mtime) > int(made)


def test_a_file_that_only_the_last_patch_had_goes(plain: Path) -> None:
    added = plain.parent / "added.patch"
    added.write_text("Adds a file.\n\n--- /dev/null\n+++ b/more\n@@ -0,0 +1 @@\n+more\n")
    with patches.built(plain, None, added) as first:
        assert (first.folder / "more").exists()
    with patches.built(plain, None, None) as second:
        assert not (second.folder / "more").exists()


def test_two_runs_do_not_build_in_one_copy_at_once(plain: Path) -> None:
    """The second waits, and says so, for as long as the first holds what it has built."""
    told: list[str] = []
    waits, seen = threading.Event(), []

    def second() -> None:
        with patches.built(plain, None, patch(plain, "one", "ONE"), tell) as built:
            seen.append((built.folder / ".build" / "words").read_text())

    def tell(said: str) -> None:
        told.append(said)
        waits.set()

    with patches.built(plain, None, patch(plain, "two", "TWO")) as first:
        thread = threading.Thread(target=second)
        thread.start()
        assert waits.wait(60)
        assert (first.folder / ".build" / "words").read_text() == "one\nTWO\nthree\n"
        assert seen == []
    thread.join(60)
    assert seen == ["ONE\ntwo\nthree\n"]
    assert "another run has" in told[0]


def test_a_patch_that_does_not_apply_any_more_says_so(plain: Path) -> None:
    stale = patch(plain, "zwei", "TWO")
    with pytest.raises(patches.DoesNotApply, match=r"does not apply to plain any more.*words"):
        patches.check(plain, stale)
    with pytest.raises(patches.DoesNotApply), patches.built(plain, None, stale):
        pass


# --- judging ---


def wrong(**changed: object) -> Wrong:
    content: dict[str, object] = {
        "name": "nobody",
        "kind": "world",
        "cases": ["pingpong"],
        "level": 1,
        "outcome": "fail",
        "says": "words",
        "breaks": ["ACT-1"],
    }
    return Wrong.model_validate(content | changed)


@pytest.fixture
def cast_of_one(plain: Path, monkeypatch: pytest.MonkeyPatch) -> Member:
    """A member whose patch and folder are made up."""
    member = Member("plain", None, wrong(), "plain")
    made = patch(plain, "two", "TWO")
    monkeypatch.setattr(Member, "source", property(lambda self: plain))
    monkeypatch.setattr(Member, "patch", property(lambda self: made))
    return member


def test_who_cannot_be_built_for_want_of_tools_is_not_run_and_not_killed(
    cast_of_one: Member, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(implementation: object) -> None:
        raise ToolchainMissing("no such tool")

    monkeypatch.setattr(toolchain, "require", missing)
    judged = native_mutants.judge(cast_of_one, tmp_path)
    assert isinstance(judged.judged, Caught)
    assert (judged.judged.killed, judged.was_run, judged.departs) == (False, False, "")
    assert judged.outcome is Outcome.TOOLCHAIN_MISSING
    found = command.index([judged])
    assert (found["killed"], found["total"], found["not_run"]) == (0, 1, ["plain/nobody"])


def test_who_does_not_compile_is_a_fault_and_not_killed(
    cast_of_one: Member, plain: Path, tmp_path: Path
) -> None:
    (plain / "build").write_text("echo no such thing >&2; exit 1\n")
    judged = native_mutants.judge(cast_of_one, tmp_path)
    assert isinstance(judged.judged, Caught)
    assert not judged.judged.killed
    assert "harness fault" in judged.departs
    assert "no such thing" in judged.departs
    assert judged.outcome is Outcome.FAIL


def test_who_survives_and_who_is_caught_elsewhere_departs() -> None:
    member = Member("plain", None, wrong(), "plain")
    survived = Judged(member, Caught(wrong(), Verdict(None, Outcome.PASS, "", "", "", 1.0)))
    assert survived.departs == "pass: it passed"
    late = Judged(member, Caught(wrong(), Verdict(3, Outcome.FAIL, "c", "words", "", 1.0)))
    assert late.departs == "fail at level 3, expected fail at level 1: words"
    foreseen = wrong(cases=["pingpong-one-round", "pingpong"])
    verdict = Verdict(1, Outcome.FAIL, "pingpong-hundred-rounds", "words", "", 1.0)
    elsewhere = Judged(Member("plain", None, foreseen, "plain"), Caught(foreseen, verdict))
    assert elsewhere.departs.startswith("passed pingpong-one-round, which was to catch it")
    refused = Equivalent(name="right", cases=["pingpong"], allowed=["ACT-1"])
    wronged = Accepted(refused, Verdict(5, Outcome.FAIL, "pingpong", "said", "", 1.0))
    assert Judged(Member("plain", None, refused, "plain"), wronged).outcome is Outcome.FAIL


def test_the_index_says_who_was_killed_where() -> None:
    caught = Judged(
        Member("plain", None, wrong(), "plain"),
        Caught(wrong(), Verdict(1, Outcome.FAIL, "c", "words", "", 1.0)),
    )
    found = command.index([caught])
    assert found["by_level"] == {"1": {"name": LEVELS[1], "killed": ["plain/nobody"]}}
    assert found["by_kind"]["world"] == {"plain": {"killed": 1, "total": 1}}


def test_names_mean_languages_and_members() -> None:
    assert command.chosen(EVERYBODY, ["erlang"], None) == [
        each for each in EVERYBODY if each.language == "erlang"
    ]
    assert command.chosen(EVERYBODY, [NAMES[0]], None) == [EVERYBODY[0]]
    assert command.chosen(EVERYBODY, [], "equivalents") == RIGHT
    with pytest.raises(UsageError, match="nobody is called cobol"):
        command.chosen(EVERYBODY, ["cobol", "erlang"], None)


def test_the_table_counts_by_level_kind_and_language(capsys: pytest.CaptureFixture[str]) -> None:
    caught = Judged(
        Member("plain", None, wrong(), "plain"),
        Caught(wrong(), Verdict(1, Outcome.FAIL, "c", "words", "", 1.0)),
    )
    missing = Judged(
        Member("rare", None, wrong(kind="time"), "rare"),
        Caught(wrong(), Verdict(None, Outcome.TOOLCHAIN_MISSING, "", "no tool", "", 0.0)),
    )
    command.show_table([caught, missing], 2.0)
    shown = capsys.readouterr().out
    assert re.search(r"level +plain +rare", shown)
    assert re.search(rf"1 {LEVELS[1]} +1 +0", shown)
    assert re.search(r"time +0/0 +0/1|time +0/1", shown)
    assert "1 of 2 mutants killed" in shown
    assert "1 not run" in shown


def test_who_was_judged_is_kept_line_by_line_and_decides_the_exit_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    member = Member("plain", None, wrong(), "plain")
    survived = Judged(member, Caught(wrong(), Verdict(None, Outcome.PASS, "", "", "", 1.0)))

    def perform(
        members: list[Member], output: Path, jobs: int, watch: Callable[[Judged], None]
    ) -> list[Judged]:
        watch(survived)
        return [survived]

    monkeypatch.setattr(command, "everybody", lambda: [member])
    monkeypatch.setattr(command, "perform", perform)
    with pytest.raises(SystemExit) as ended:
        command.run([], None, 1, False, tmp_path / "out", as_json=True)
    assert ended.value.code == Outcome.FAIL.exit_code
    (line,) = (tmp_path / "out" / command.JUDGED).read_text().splitlines()
    shown = json.loads(capsys.readouterr().out)
    assert json.loads(line) == shown["mutants"][0]
    assert (shown["killed"], shown["total"], shown["exit_code"]) == (0, 1, 1)


def test_a_repository_around_it_changes_nothing(plain: Path) -> None:
    """By its paths git would pass over all that the patch names, and call that applied."""
    subprocess.run(["git", "init", "--quiet", str(plain.parent)], check=True)
    with patches.built(plain, None, patch(plain, "two", "TWO")) as built:
        assert (built.folder / "words").read_text() == "one\nTWO\nthree\n"
    stale = patch(plain, "zwei", "DEUX")
    git_says = ["git", "-C", str(plain), "apply", "--check", str(stale)]
    assert subprocess.run(git_says, check=False).returncode == 0
    with pytest.raises(patches.DoesNotApply):
        patches.check(plain, stale)
