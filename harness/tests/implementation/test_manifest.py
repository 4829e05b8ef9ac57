"""Manifests: bad ones are refused with file, field and what to do."""

import stat
from pathlib import Path

import pytest

from dramaturg.control.starting import start
from dramaturg.errors import BuildFailed, Crashed, ManifestError, ToolchainMissing
from dramaturg.implementation import build, toolchain
from dramaturg.implementation.manifest import available, find, load


def rewrite(folder: Path, old: str, new: str) -> None:
    file = folder / "dramaturg.toml"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_the_project_has_its_implementations() -> None:
    assert {"reference", "erlang"} <= set(available())


def test_an_unknown_implementation_is_refused_with_those_there_are() -> None:
    with pytest.raises(ManifestError, match=r"no implementation is called 'cobol'.*reference"):
        find("cobol")


def test_an_unknown_variant_is_refused() -> None:
    with pytest.raises(ManifestError, match="has no variant 'turbo'"):
        find("reference+turbo")


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('control = "stdio"', 'control = "soap"', "control"),
        ('spec = "2"', 'spec = "1"', "is '1', and this harness holds to version 2"),
        ('spec = "2"', 'spec = "3"', "is '3', and this harness holds to version 2"),
        ('name = "sketch"', 'name = "Sketch!"', "name"),
        ('benchmarks = ["chatapp"]', "benchmarks = []", "benchmarks"),
        ('command = ["true"]', "", "run.command"),
        ('command = ["true"]', 'command = ["true"]\nstart_timeout = -1', "start_timeout"),
        ("[run]", "[runs]", "runs"),
        ('name = "sketch"', "name = ", "line 1"),
    ],
)
def test_a_bad_manifest_is_refused_with_the_field(
    implementation_folder: Path, old: str, new: str, complaint: str
) -> None:
    rewrite(implementation_folder, old, new)
    with pytest.raises(ManifestError, match=complaint):
        load(implementation_folder)


def test_a_folder_without_manifest_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ManifestError, match="no such file"):
        load(tmp_path)


def test_inputs_that_match_nothing_are_refused(implementation_folder: Path) -> None:
    rewrite(implementation_folder, '"*.py"', '"*.rs"')
    with pytest.raises(ManifestError, match="matches no file"):
        build.digest(load(implementation_folder))


def test_the_digest_changes_with_a_variable_that_decides_what_is_built(
    implementation_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = implementation_folder / "dramaturg.toml"
    file.write_text(file.read_text().replace("[build]", '[build]\nenvironment = ["LIBRARY_ROOT"]'))
    monkeypatch.delenv("LIBRARY_ROOT", raising=False)
    first = build.digest(load(implementation_folder))
    monkeypatch.setenv("LIBRARY_ROOT", "/opt/library-2")
    second = build.digest(load(implementation_folder))
    monkeypatch.setenv("LIBRARY_ROOT", "/opt/library-3")
    assert len({first, second, build.digest(load(implementation_folder))}) == 3


def test_the_digest_changes_with_every_input_and_with_the_manifest(
    implementation_folder: Path,
) -> None:
    first = build.digest(load(implementation_folder))
    (implementation_folder / "main.py").write_text("print()")
    second = build.digest(load(implementation_folder))
    rewrite(implementation_folder, "[run]", "[run]\ncall_timeout = 5")
    third = build.digest(load(implementation_folder))
    assert len({first, second, third}) == 3


def test_a_build_runs_once(implementation_folder: Path) -> None:
    text = '[build]\ncommands = [["sh", "-c", "echo x >> .build/ran"]]'
    rewrite(implementation_folder, "[build]", text)
    implementation = load(implementation_folder)
    build.build(implementation)
    build.build(implementation)
    assert (implementation_folder / ".build" / "ran").read_text() == "x\n"
    assert build.is_current(implementation)


def test_a_variant_with_build_settings_has_a_build_of_its_own(implementation_folder: Path) -> None:
    text = '[build]\ncommands = [["sh", "-c", "echo $KIND >> $BUILD/ran"]]'
    rewrite(implementation_folder, "[build]", text)
    variants = '[variants.bare]\nbuild_environment = {KIND = "bare"}\n[variants.slow]\n'
    rewrite(implementation_folder, "[run]", variants + '[run]\nenvironment = {KIND = "whole"}')
    ordinary, bare, slow = (load(implementation_folder, name) for name in (None, "bare", "slow"))
    build.build(bare)
    assert not build.is_current(ordinary)
    build.build(ordinary)
    build.build(slow)
    assert build.is_current(bare)
    assert (implementation_folder / ".build" / "ran").read_text() == "whole\n"
    assert (implementation_folder / ".build" / "bare" / "ran").read_text() == "bare\n"


def test_a_variant_runs_the_benchmarks_that_it_names_and_all_without(
    implementation_folder: Path,
) -> None:
    rewrite(implementation_folder, "benchmarks = [", 'benchmarks = ["count", ')
    variants = '[variants.few]\nbenchmarks = ["count"]\n[variants.all]\n[run]'
    rewrite(implementation_folder, "[run]", variants)
    ordinary, few, every = (load(implementation_folder, name) for name in (None, "few", "all"))
    assert few.manifest.benchmarks == ["count"]
    assert len(ordinary.manifest.benchmarks) > 1
    assert every.manifest.benchmarks == ordinary.manifest.benchmarks


def test_a_variant_names_no_benchmark_that_its_manifest_does_not(
    implementation_folder: Path,
) -> None:
    rewrite(implementation_folder, "[run]", '[variants.few]\nbenchmarks = ["web"]\n[run]')
    for variant in (None, "few"):
        with pytest.raises(ManifestError, match=r"variants\.few\.benchmarks: web: not in"):
            load(implementation_folder, variant)


def test_a_variant_says_itself_what_of_it_is_distributed(implementation_folder: Path) -> None:
    rewrite(
        implementation_folder,
        "benchmarks = [",
        'distributed = ["bang"]\nbenchmarks = ["bang", "web", ',
    )
    variants = '[variants.more]\ndistributed = ["bang", "web"]\n[variants.none]\ndistributed = []\n'
    rewrite(implementation_folder, "[run]", variants + "[variants.same]\n[run]")
    distributed = {
        name: load(implementation_folder, name).manifest.distributed
        for name in (None, "more", "none", "same")
    }
    assert distributed == {
        None: ["bang"],
        "more": ["bang", "web"],
        "none": [],
        "same": ["bang"],
    }


@pytest.mark.parametrize(
    ("distributed", "words"),
    [("web", r"variants\.few\.distributed: web: not in"), ("chain", "chain runs on one node")],
)
def test_a_variant_distributes_nothing_that_its_manifest_does_not_run(
    implementation_folder: Path, distributed: str, words: str
) -> None:
    text = f'[variants.few]\ndistributed = ["{distributed}"]\n[run]'
    rewrite(implementation_folder, "[run]", text)
    with pytest.raises(ManifestError, match=words):
        load(implementation_folder)


def test_a_variant_distributes_nothing_that_it_does_not_run_itself(
    implementation_folder: Path,
) -> None:
    rewrite(implementation_folder, "benchmarks = [", 'benchmarks = ["bang", "web", ')
    text = '[variants.few]\nbenchmarks = ["web"]\ndistributed = ["bang"]\n[run]'
    rewrite(implementation_folder, "[run]", text)
    with pytest.raises(ManifestError, match=r"variants\.few\.distributed: bang: not in"):
        load(implementation_folder)


def test_a_program_is_told_where_its_build_is(implementation_folder: Path) -> None:
    rewrite(implementation_folder, '["true"]', '["sh", "-c", "echo $BUILD >&2"]')
    rewrite(
        implementation_folder,
        "[run]",
        '[variants.bare]\nbuild_environment = {KIND = "bare"}\n[run]',
    )
    for variant, folder in ((None, ".build"), ("bare", ".build/bare")):
        implementation = load(implementation_folder, variant)
        with pytest.raises(Crashed) as caught, start(implementation):
            pass
        assert caught.value.said == folder


def test_a_build_that_hangs_is_ended(implementation_folder: Path, no_process_left: None) -> None:
    rewrite(implementation_folder, "[build]", '[build]\ncommands = [["sleep", "60"]]\ntimeout = 1')
    with pytest.raises(BuildFailed, match="ran out of time"):
        build.build(load(implementation_folder))


def test_a_build_command_that_does_not_exist_is_named(implementation_folder: Path) -> None:
    rewrite(implementation_folder, "[build]", '[build]\ncommands = [["no-such-compiler"]]')
    with pytest.raises(BuildFailed, match="no-such-compiler"):
        build.build(load(implementation_folder))


TOOL = '[[toolchain.needs]]\nwhat = "Tool"\nprobe = ["./tool"]\nminimum = "2.5"\n'
HINT = '[toolchain.install]\ndebian = ["tool"]\nother = "get tool"\n[build]'


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        (None, "Tool is not here"),
        ("echo 2.4.9", "Tool is 2.4.9, needed is 2.5"),
        ("echo broken; exit 1", "Tool is not usable"),
        ("echo no numbers", "Tool is not usable"),
    ],
)
def test_a_missing_toolchain_says_what_and_how_to_install(
    implementation_folder: Path, script: str | None, problem: str
) -> None:
    rewrite(implementation_folder, "[build]", TOOL + HINT)
    if script is not None:
        tool = implementation_folder / "tool"
        tool.write_text(f"#!/bin/sh\n{script}\n")
        tool.chmod(tool.stat().st_mode | stat.S_IEXEC)
    with pytest.raises(ToolchainMissing, match=f"{problem}.*Install: "):
        toolchain.require(load(implementation_folder))


def test_a_new_enough_tool_is_found(implementation_folder: Path) -> None:
    rewrite(implementation_folder, "[build]", TOOL + "[build]")
    tool = implementation_folder / "tool"
    tool.write_text("#!/bin/sh\necho Tool version 2.10.1\n")
    tool.chmod(0o755)
    (finding,) = toolchain.require(load(implementation_folder))
    assert finding.version == "2.10.1"


def test_a_program_that_cannot_be_started_is_a_crash_with_its_reason(
    implementation_folder: Path,
) -> None:
    rewrite(implementation_folder, '"true"', '"./not-there"')
    with pytest.raises(Crashed) as caught, start(load(implementation_folder)):
        pass
    assert "not-there" in caught.value.in_full


def test_a_version_that_nobody_has_is_refused_with_its_field(implementation_folder: Path) -> None:
    tool = '[[toolchain.needs]]\nwhat = "x"\nprobe = ["true"]\nminimum = "' + "9" * 5000 + '"\n'
    rewrite(implementation_folder, "[build]", f"{tool}[build]")
    with pytest.raises(ManifestError, match=r"toolchain\.needs\.0\.minimum: .* 100 characters"):
        load(implementation_folder)


@pytest.mark.parametrize("where", ["inputs", "outputs", "beside"])
def test_a_pattern_that_takes_time_without_end_is_refused(
    implementation_folder: Path, where: str
) -> None:
    """A chain of fifteen folders and twenty times *any folders* are more than a day."""
    chain = implementation_folder.joinpath(*["a"] * 15)
    chain.mkdir(parents=True)
    rewrite(implementation_folder, 'inputs = ["*.py"]', 'inputs = ["*.py"]\nPATTERNS')
    original = (implementation_folder / "dramaturg.toml").read_text()
    for patterns, complaint in (
        (["**/" * 20 + "*"], r"has '\*\*' more than 2 times"),
        (["**/*.py"] * 101, "at most 100 items"),
    ):
        said = str(patterns).replace("'", '"')
        line = f"beside = {{x = {said}}}" if where == "beside" else f"{where} = {said}"
        text = original.replace("PATTERNS", line)
        if where == "inputs":
            text = text.replace('inputs = ["*.py"]\n', "")
        (implementation_folder / "dramaturg.toml").write_text(text)
        with pytest.raises(ManifestError, match=complaint):
            load(implementation_folder)
