"""The results of templates: complete, the same everywhere, and nothing left to fill in."""

import ast
import json
import re
import stat
import tomllib
from pathlib import Path

import pytest
import yaml

from dramaturg import paths
from dramaturg.cli.main import COMMANDS
from dramaturg.implementation import sources
from dramaturg.implementation.manifest import load
from dramaturg.table.registry import registry
from dramaturg.table.source_files import FORMS, source
from dramaturg.template import description, making, writing
from dramaturg.template import record as records
from dramaturg.template.making import TemplateError

TEMPLATES = making.templates()
LANGUAGES = sorted(TEMPLATES)
WITH_CODE = sorted(TEMPLATES.keys() - {"generic"})
GUIDE = {"actors", "registry", "test", "layout", "ignore", "setup"}


def made(language: str, folder: Path, name: str = "mine") -> Path:
    """The repository that `dramaturg new` makes, but for git."""
    files = making.make(name, TEMPLATES[language])
    writing.create(folder / name, files)
    return folder / name


def test_there_are_templates() -> None:
    assert {"python", "erlang", "pony", "go", "rust", "typescript"} <= TEMPLATES.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_template_says_all_that_common_files_ask_for(language: str) -> None:
    template = TEMPLATES[language]
    assert template.guide.keys() >= GUIDE
    assert set(template.tables.values()) <= set(FORMS)
    assert "vectors" in template.tables.values()


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_left_to_fill_in(language: str) -> None:
    template = TEMPLATES[language]
    words = "|".join({"name", "package", "language", "template", "repository", *template.guide})
    for path, file in making.make("mine", template).items():
        assert not re.search(f"@({words})@", path + "\n" + file.content.decode()), path
        for word in template.words:
            assert word not in file.content.decode(), f"{path} says {word}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_glob_finds_something(language: str) -> None:
    template = TEMPLATES[language]
    globs = [*template.plumbing, *template.without]
    root = paths.IMPLEMENTATIONS / template.implementation
    assert [glob for glob in globs if not any(root.glob(glob))] == []
    one = making.make("mine", template)
    yours = [path for path, file in one.items() if file.yours]
    # The manifest, the guide, the ignored, at least one file of actors, and one that finds it.
    assert len(yours) >= 3 + len(template.yours)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_manifest_is_one_of_pingpong_alone_with_inputs_that_are_there(
    language: str, tmp_path: Path
) -> None:
    implementation = load(made(language, tmp_path))
    manifest = implementation.manifest
    assert (manifest.name, manifest.benchmarks) == ("mine", ["pingpong"])
    if language not in WITH_CODE:
        return
    assert manifest.toolchain.needs
    assert manifest.toolchain.install.other or manifest.toolchain.install.debian
    found = sources.inputs(implementation)
    for glob in manifest.build.inputs or ():
        assert any(description.matches(name, (glob,)) for name in found), glob


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_other_benchmark_is_in_it(language: str) -> None:
    """The author writes eleven benchmarks, and finds no half of one."""
    others = set(registry().parameters) - {"pingpong"}
    found = [
        path
        for path in making.make("mine", TEMPLATES[language])
        if others & {word.lower() for word in re.findall("[A-Z]?[a-z]+", Path(path).stem)}
    ]
    assert found == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_tables_and_vectors_are_those_of_this_package(language: str) -> None:
    template = TEMPLATES[language]
    files = making.make("mine", template)
    made_by_form = {file.content.decode() for file in files.values()}
    assert {source(form) for form in template.tables.values()} <= made_by_form


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_workflow_has_steps_with_actions_that_are_pinned(language: str) -> None:
    (job,) = yaml.safe_load(
        making.make("mine", TEMPLATES[language])[".github/workflows/certify.yml"].content
    )["jobs"].values()
    uses = [step["uses"] for step in job["steps"] if "uses" in step]
    assert uses[-1] == f"{making.REPOSITORY}@v0"
    assert all(re.search("@[0-9a-f]{40}$", used) for used in uses[:-1])


@pytest.mark.parametrize("language", LANGUAGES)
def test_scripts_can_be_executed_and_nothing_else(language: str, tmp_path: Path) -> None:
    folder = made(language, tmp_path)
    for file in folder.rglob("*"):
        if file.is_file():
            executable = bool(file.stat().st_mode & stat.S_IXUSR)
            assert executable == file.read_bytes().startswith(b"#!"), file


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["a", "class", "a-b_c", "test", "x" * 60])
def test_names_of_every_form_give_one_repository(language: str, name: str) -> None:
    template = TEMPLATES[language]
    if name in template.reserved:
        pytest.skip(f"{template.language} cannot take it")
    files = making.make(name, template)
    assert len(files) == len(making.make("mine", template))
    for path, file in files.items():
        if path.endswith(".py"):
            ast.parse(file.content)
        elif path.endswith(".toml"):
            tomllib.loads(file.content.decode())
        elif path.endswith(".json"):
            json.loads(file.content)


@pytest.mark.parametrize(
    "name",
    ["", "Mine", "1st", "-x", "a b", "a/b", "../a", ".", "a\n", "ä", "a.b", "results", "x" * 61],
)
def test_what_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(TemplateError, match=r"name|longer|verdicts"):
        making.make(name, TEMPLATES["python"])


def test_a_name_that_a_language_cannot_take_is_refused(tmp_path: Path) -> None:
    (tmp_path / "template.toml").write_text('language = "Cobol"\nreserved = ["move"]\n')
    with pytest.raises(TemplateError, match="'move' means something else in Cobol"):
        making.make("move", description.read(tmp_path))


def test_a_word_with_a_line_to_itself_indents_all_its_lines_or_takes_it_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "x"
    (folder / "files").mkdir(parents=True)
    (folder / "template.toml").write_text(
        'language = "X"\n[guide]\nmany = """\n- a: @name@\n  b\n"""\nnone = ""\n'
    )
    (folder / "files" / "@name@.yml").write_text("to:\n  @many@\n  @none@\nend @none@@name@\n")
    monkeypatch.setattr(paths, "TEMPLATES", tmp_path)
    (file,) = making.make("it", description.read(folder)).items()
    assert file[0] == "it.yml"
    assert file[1].content.decode() == "to:\n  - a: it\n    b\nend it\n"


def test_the_record_has_the_plumbing_and_none_of_the_author_s(tmp_path: Path) -> None:
    files = making.make("mine", TEMPLATES["python"])
    record = records.of("mine", "python", files)
    assert "run" in record.files
    assert record.files.keys().isdisjoint({"dramaturg.toml", "README.md", ".gitignore"})
    assert "src/mine_actors/benchmarks/pingpong.py" not in record.files


def test_words_of_a_name_are_not_exchanged_again() -> None:
    files = making.make("asyncio_actors", TEMPLATES["python"])
    assert "src/asyncio_actors_actors/__main__.py" in files


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_guide_names_commands_and_files_that_there_are(language: str) -> None:
    files = making.make("mine", TEMPLATES[language])
    guide = files["README.md"].content.decode()
    named = set(re.findall(r"^dramaturg (\w+)|`dramaturg (\w+)", guide, re.MULTILINE))
    assert {one or other for one, other in named} <= COMMANDS.keys()
    folders = {str(parent) for path in files for parent in Path(path).parents}
    rows = re.findall(r"^\| (`.+?) \|", guide, re.MULTILINE)
    paths_named = {path for row in rows for path in re.findall("`([^`]+)`", row)}
    assert paths_named <= files.keys() | folders | {records.PLACE}
