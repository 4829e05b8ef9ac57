"""A name that is misspelt is refused, with what was meant: commands, options, values, paths."""

import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
import yaml

from dramaturg import meant, paths
from dramaturg.certificates import trust
from dramaturg.certificates.envelope import CertificateError
from dramaturg.claims import catalogue
from dramaturg.claims.catalogue import ClaimsError
from dramaturg.cli import main
from dramaturg.errors import ManifestError
from dramaturg.implementation import revision
from dramaturg.implementation.manifest import BENCHMARKS, load
from dramaturg.model.workload import MICRO
from dramaturg.processes import interrupts
from dramaturg.timing.planning import suites
from dramaturg.timing.planning.suites import SuiteError


@pytest.mark.parametrize(
    ("command", "intended"),
    [
        ("certfy reference", "'certify'"),
        ("certify reference --levl 2", "'--level'"),
        ("certify erlng", "'erlang'"),
        ("certify erlang+globl", "'global'"),
        ("certify ./implementation/erlang", "'implementations/erlang/dramaturg.toml'"),
        ("certify reference --cases conformance/cases/chatap.yaml", "cases/chatapp.yaml'"),
        ("bench pingpnog", "'pingpong'"),
        ("bench smok", "'smoke'"),
        ("bench chatapp --scenario mixd", "'mixed'"),
        ("bench chatapp --scale smal", "'small'"),
        ("bench pingpong -p round=3", "'rounds'"),
        ("bench micro --only caff", "'caf'"),
        ("bench smoke -i erlng", "'erlang'"),
        ("compare erlng erlang", "'erlang'"),
        ("warmup pingpnog", "'pingpong'"),
        ("bench claims/suite/actr.yaml", "'claims/suites/actr.yaml'"),
        ("facts chatap", "'chatapp'"),
        ("new mine --language pythn", "'python'"),
        ("table --format pythn", "'python'"),
        ("report implementaton", "'implementations'"),
        ("history implementaton", "'implementations'"),
        ("site implementaton --output unmade", "'implementations'"),
        ("verify README.m", "'README.md'"),
        ("replay README.m", "'README.md'"),
        ("doctor erlng", "'erlang'"),
        ("mutants dropped_forwar", "'dropped_forward'"),
    ],
)
def test_what_is_misspelt_on_the_command_line_is_refused_with_what_was_meant(
    command: str, intended: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(paths.ROOT)
    monkeypatch.setattr(sys, "argv", ["dramaturg", *command.split()])
    monkeypatch.setattr(interrupts, "install", lambda: None)
    monkeypatch.setattr(interrupts, "over", lambda: None)
    with pytest.raises(SystemExit) as ended:
        main.main()
    said = capsys.readouterr()
    output = " ".join((said.out + said.err).split())
    assert ended.value.code not in (0, 1), output
    assert "id you mean" in output, output
    assert intended in output.partition("id you mean")[2][:80], output


def rewritten(folder: Path, old: str, new: str) -> Path:
    file = folder / "dramaturg.toml"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    return folder


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('["chatapp"]', '["chatapp", "sleeper"]', "'sleeper'; did you mean 'sleepers'"),
        ('["chatapp"]', '["chatapp", "tennis"]', "'tennis'; there are: chatapp"),
        ('["chatapp"]', '["chatapp"]\ndistributed = ["pingpnog"]', "did you mean 'pingpong'"),
        ('["chatapp"]', '["chatapp"]\ndistributed = ["chain"]', "chain runs on one node"),
        ("[run]", '[several_cores]\nchatap = "why"\n[run]', "did you mean 'chatapp'"),
        ("[run]", '[variants.few]\nbenchmarks = ["chatap"]\n[run]', "did you mean 'chatapp'"),
        ("[run]", "[run]\nstart_timout = 3", "run.start_timout: no such key; did you mean"),
        ("[run]", "[variants.few]\nargument = []\n[run]", "did you mean 'arguments'"),
        ("[build]", '[bulid]\ncommands = []\n[build]', "did you mean 'build'"),
    ],
)  # fmt: skip
def test_a_manifest_that_names_what_there_is_not_is_refused_with_what_was_meant(
    implementation_folder: Path, old: str, new: str, complaint: str
) -> None:
    with pytest.raises(ManifestError, match=complaint):
        load(rewritten(implementation_folder, old, new))


def test_manifests_know_the_benchmarks_that_the_model_has() -> None:
    assert set(BENCHMARKS) == {"chatapp", *MICRO}


def test_a_suites_file_is_refused_with_what_was_meant(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("suite: mine\nbenchmarks: [{benchmark: pingpnog}]\n")
    with pytest.raises(SuiteError, match="did you mean 'pingpong'"):
        suites.load(str(file))
    file.write_text("suite: mine\nbenchmarks: [{benchmark: pingpong, scal: tiny}]\n")
    with pytest.raises(SuiteError, match="did you mean 'scale'"):
        suites.load(str(file))


@pytest.mark.parametrize(
    ("old", "new", "meant_key"),
    [
        ("level: 0.05", "lvel: 0.05", "level"),
        ("systems:", "sytems:", "systems"),
        ("implementation: erlang", "implementaton: erlang", "implementation"),
        ("version: ", "verson: ", "version"),
        ("above: 1.36", "abov: 1.36", "above"),
    ],
)
def test_a_key_of_the_claims_is_refused_with_what_was_meant(
    old: str, new: str, meant_key: str
) -> None:
    text = catalogue.FILE.read_text()
    assert old in text
    content = yaml.safe_load(text.replace(old, new, 1))
    with pytest.raises(ClaimsError) as caught:
        catalogue.checked(content, "claims.yaml")
    assert f"did you mean {meant_key!r}?" in str(caught.value)


def test_a_key_of_the_list_of_keys_is_refused_with_what_was_meant(tmp_path: Path) -> None:
    file = tmp_path / "trusted.toml"
    file.write_text('[[keys]]\nname = "ada"\nkey = "ada.pem"\nexpire = 2099-01-01\n')
    with pytest.raises(CertificateError, match="no such key; did you mean 'expires'"):
        trust.load(file, date.today())


def test_a_revision_is_refused_with_what_was_meant(
    implementation_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(implementation_folder.parent))
    git = ["git", "-C", str(implementation_folder), "-c", "user.name=n", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "x"], ["tag", "v1.0-final"],
                  ["branch", "feature/actors"]):  # fmt: skip
        subprocess.run([*git, *words], check=True)
    for word, said in [
        ("v1.0-finale", "'v1.0-final'"),
        ("feature/actor~2", "'feature/actors~2'"),
        ("HAED", "'HEAD'"),
    ]:
        with pytest.raises(ManifestError, match=r"git knows no such revision; did you mean") as no:
            revision.named(f"{implementation_folder}@{word}")
        assert f"did you mean {said}?" in str(no.value)
    with pytest.raises(ManifestError, match="git log --oneline"):
        revision.named(f"{implementation_folder}@0123456789")


def test_nothing_is_guessed_where_nothing_is_like_it(tmp_path: Path) -> None:
    assert meant.hint("cobol", ["erlang", "akka"]) == ""
    assert meant.path_hint(tmp_path / "nothing" / "there") == ""
    (tmp_path / "results").mkdir()
    assert meant.path_hint(tmp_path / "result" / "there") == ""
    assert str(tmp_path / "results") in meant.path_hint(tmp_path / "result")


def test_a_word_is_not_compared_with_names_without_end() -> None:
    """As many branches as a repository likes, say."""

    def endless() -> Iterator[str]:
        yield "erlang"
        while True:
            yield f"branch-{time.monotonic_ns()}"

    assert meant.closest("erlnag", endless()) == "erlang"
