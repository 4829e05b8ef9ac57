"""The package as a stranger has it: installed into an empty environment, used in an empty
folder, with an implementation that shares nothing with this repository."""

import json
import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from installed import Installed, stranger

from dramaturg import paths
from dramaturg.cli.main import OF_THE_CLONE
from dramaturg.implementation.build import digest
from dramaturg.implementation.manifest import find


def test_what_the_harness_reads_is_in_it_and_nothing_of_the_repositorys_own(
    installed: Installed,
) -> None:
    with zipfile.ZipFile(installed.wheel) as wheel:
        names = set(wheel.namelist())
    data = {name.removeprefix("dramaturg/data/") for name in names if "/data/" in name}
    for folder in (paths.SPEC, paths.PROTO, paths.CASES, paths.GOLDEN):
        kept = {file for file in folder.rglob("*") if file.is_file() and "__py" not in str(file)}
        assert {str(file.relative_to(paths.ROOT)) for file in kept} <= data
    # Messages and chapters cite these: without them, a user of the wheel has nowhere to look.
    cited = {str(file.relative_to(paths.ROOT)) for file in (paths.ROOT / "docs").glob("*.md")}
    assert cited | {"README.md", "CONFORMANCE.md", "CONTRIBUTING.md", "SECURITY.md"} <= data
    assert {"dramaturg/v2/control_pb2.py", "dramaturg/v2/control_pb2_grpc.py"} <= names
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    templates = {name for name in names if re.search(r"/data/(templates|plumbing)/", name)}
    beginnings = {name for name in names - templates if "/tests/" in name}
    assert beginnings == set()
    strays = [name for name in names if re.search(r"mutants/|__pycache__|\.build/", name)]
    assert strays == []


def test_every_link_of_its_documents_leads_to_a_file_in_it(installed: Installed) -> None:
    data = installed.package / "data"
    pages = [*(data / "docs").rglob("*.md"), *data.glob("*.md")]
    assert len(pages) > 20
    dead = {
        f"{page.relative_to(data)}: {link}"
        for page in pages
        for link in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
        if "://" not in link and not (page.parent / link).exists()
    }
    assert dead == set()
    # A place that only the repository has is named instead.
    text = (data / "docs" / "findings.md").read_text(encoding="utf-8")
    assert "Akka's README (`implementations/akka/README.md` in the repository)" in text


def test_the_bounds_are_those_of_the_generated_code(installed: Installed) -> None:
    with zipfile.ZipFile(installed.wheel) as wheel:
        grpc = wheel.read("dramaturg/v2/control_pb2_grpc.py").decode()
        message = wheel.read("dramaturg/v2/control_pb2.py").decode()
        (metadata,) = (name for name in wheel.namelist() if name.endswith("/METADATA"))
        said = wheel.read(metadata).decode()
    (least,) = re.findall(r"^GRPC_GENERATED_VERSION = '(.+)'", grpc, re.MULTILINE)
    assert f"Requires-Dist: grpcio<{int(least.split('.')[0]) + 1},>={least}\n" in said
    (version,) = re.findall(r"^# Protobuf Python Version: (.+)$", message, re.MULTILINE)
    assert f"Requires-Dist: protobuf<{int(version.split('.')[0]) + 2},>={version}\n" in said


def test_it_says_its_version_and_what_it_has(installed: Installed, elsewhere: Path) -> None:
    said = installed.run("--version", cwd=elsewhere)
    version = "dramaturg, version 0.2.0, the model not compiled\n"
    assert (said.returncode, said.stdout) == (0, version)
    listed = installed.run("--help", cwd=elsewhere).stdout
    assert "certify" in listed
    assert not [name for name in OF_THE_CLONE if re.search(rf"^  {name} ", listed, re.MULTILINE)]


@pytest.mark.parametrize(
    "words", [(name,) for name in OF_THE_CLONE] + [("table", "--check"), ("table", "--update")]
)
def test_what_is_for_the_specification_itself_says_so(
    installed: Installed, elsewhere: Path, words: tuple[str, ...]
) -> None:
    said = installed.run(*words, cwd=elsewhere)
    assert said.returncode == 2
    assert "clone of the" in " ".join(said.stderr.split())
    assert "Traceback" not in said.stderr


def test_it_knows_what_it_was_made_of(installed: Installed) -> None:
    said = json.loads((installed.package / "data" / "source.json").read_text())
    assert said.keys() == {"revision", "dirty"}
    assert said["revision"] is None or re.fullmatch("[0-9a-f]{40}", said["revision"])


def test_commands_that_run_nothing_need_nothing_of_the_clone(
    installed: Installed, elsewhere: Path
) -> None:
    doctor = installed.run("doctor", "--json", cwd=elsewhere)
    assert (doctor.returncode, json.loads(doctor.stdout)["implementations"]) == (0, {})
    table = installed.run("table", "--format", "vectors", cwd=elsewhere)
    assert table.stdout == (paths.SPEC / "vectors.json").read_text()
    words = ["--clients", "4", "--directories", "1", "--turns", "2", "--compute", "0"]
    words += ["--post", "95", "--leave", "0", "--invite", "5", "--befriend", "10"]
    found = installed.run("facts", "chatapp", *words, "--json", cwd=elsewhere)
    assert json.loads(found.stdout)["picks"]
    assert list(elsewhere.iterdir()) == []


def test_a_stranger_is_certified_where_it_lies_by_a_package_that_nobody_may_write_to(
    installed: Installed, elsewhere: Path
) -> None:
    commit = _committed(stranger(elsewhere))
    before = _listing(installed.package)
    levels = [word for level in "0123" for word in ("--level", level)]
    done = installed.run("certify", "./mine", *levels, "--json", cwd=elsewhere, nobody=True)
    assert done.returncode == 0, done.stdout + done.stderr
    said = json.loads(done.stdout)
    assert said["implementations"]["mine"]["certified"]
    results = Path(said["results"])
    assert results.parent == elsewhere / "results"
    assert _listing(installed.package) == before

    verify = ("verify", "results/latest/certificate.json", "-i", "mine", "--json")
    held = installed.run(*verify, cwd=elsewhere, nobody=True)
    assert json.loads(held.stdout)["outcome"] == "holds, signer unknown", held.stderr
    document = json.loads((results / "certificate.json").read_text())
    assert document["predicate"]["implementations"]["mine"]["repository"] == {
        "url": "https://example.org/mine", "commit": commit, "modified": False
    }  # fmt: skip
    other = elsewhere / "another" / "place"
    ignored = shutil.ignore_patterns(".git", ".build")
    shutil.copytree(elsewhere / "mine", other, ignore=ignored)
    verify = ("verify", str(results / "certificate.json"), "-i", "./another/place", "--json")
    there = installed.run(*verify, "--no-run", cwd=elsewhere, nobody=True)
    assert there.stdout, there.stderr
    assert json.loads(there.stdout)["differences"] == []
    assert installed.run("report", cwd=elsewhere, nobody=True).returncode == 0
    assert "mine" in (results / "report.html").read_text()
    site = "site", "results", "--output", "site", "--json"
    made = installed.run(*site, cwd=elsewhere, nobody=True)
    assert made.returncode == 0, made.stderr
    [one] = json.loads(made.stdout)["implementations"]
    assert (one["name"], one["standing"]) == ("mine", "certified")
    caught = (elsewhere / "site" / "requirements" / "ACT-1.html").read_text()
    assert "shuffles_with_the_runtimes_generator" in caught


def _committed(folder: Path) -> str:
    git = ["git", "-C", str(folder), "-c", "user.name=A", "-c", "user.email=a@example.org"]
    for words in (
        ["init", "--quiet"],
        ["remote", "add", "origin", "https://me:secret@example.org/mine"],
        ["add", "."],
        ["commit", "--quiet", "-m", "x"],
    ):
        subprocess.run([*git, *words], check=True)
    done = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_one_that_counts_wrong_is_caught_and_its_run_replayed(
    installed: Installed, elsewhere: Path
) -> None:
    source = stranger(elsewhere) / "src" / "asyncio_actors" / "benchmarks" / "pingpong.py"
    right, wrong = "self._shift, self._pings)", "self._shift, self._pings + 1)"
    assert right in source.read_text()
    source.write_text(source.read_text().replace(right, wrong))
    words = ("certify", "mine", "--level", "1", "--json", "--", "-x")
    failed = installed.run(*words, cwd=elsewhere)
    assert failed.returncode == 1, failed.stderr
    (failure,) = json.loads(failed.stdout)["implementations"]["mine"]["failures"]
    program, command, file = failure["command"].split()
    assert (program, command) == ("dramaturg", "replay")
    again = installed.run(command, file, "--json", cwd=elsewhere)
    assert again.returncode == 1, again.stderr
    assert "pong" in json.loads(again.stdout)["divergence"]["headline"]


def test_the_reference_runs_on_the_package_and_is_the_same_build_as_in_the_clone(
    installed: Installed, elsewhere: Path
) -> None:
    """It imports packages of the harness, which lie elsewhere here."""
    original = find("reference")
    made = elsewhere / "deep" / "reference"
    ignored = shutil.ignore_patterns(".build", "__pycache__", "*.egg-info", ".*")
    shutil.copytree(original.folder, made, ignore=ignored)
    words = ("certify", "./deep/reference", "--level", "0", "--json")
    done = installed.run(*words, cwd=elsewhere, nobody=True)
    said = json.loads(done.stdout)["implementations"]["reference"]
    assert (done.returncode, said["outcome"]) == (0, "pass"), done.stderr
    assert said["build"] == digest(original)


def test_authors_find_the_specification(installed: Installed, elsewhere: Path) -> None:
    said = installed.run("spec", cwd=elsewhere).stdout.strip()
    assert (Path(said) / "README.md").is_file()
    assert (Path(said) / "implementers.md").is_file()
    installed.run("spec", "--copy", "here", cwd=elsewhere)
    for name in ("chatapp.md", "vectors.json", "tla/README.md"):
        assert (elsewhere / "here" / name).read_bytes() == (Path(said) / name).read_bytes()


def test_builds_find_the_protocol(installed: Installed, elsewhere: Path) -> None:
    said = installed.run("proto", cwd=elsewhere).stdout.strip()
    assert Path(said) == installed.package / "data" / "proto"
    copied = installed.run("proto", "--copy", "here", cwd=elsewhere)
    assert copied.returncode == 0, copied.stderr
    for file in paths.PROTO.rglob("*.proto"):
        assert (
            elsewhere / "here" / file.relative_to(paths.PROTO)
        ).read_bytes() == file.read_bytes()
    manifest = stranger(elsewhere) / "dramaturg.toml"
    script = 'test -f "$DRAMATURG_PROTO/dramaturg/v2/control.proto" && ./build'
    text = manifest.read_text().replace('[["./build"]]', f"[['sh', '-c', '{script}']]")
    manifest.write_text(text)
    done = installed.run("certify", "mine", "--level", "0", cwd=elsewhere)
    assert done.returncode == 0, done.stdout + done.stderr


def _without_a_manifest(folder: Path) -> tuple[str, ...]:
    (folder / "dramaturg.toml").unlink()
    return "certify", "mine"


def _of_a_later_version(folder: Path) -> tuple[str, ...]:
    manifest = folder / "dramaturg.toml"
    manifest.write_text(manifest.read_text().replace('spec = "2"', 'spec = "3"'))
    return "certify", "mine"


def _leading_out(folder: Path) -> tuple[str, ...]:
    manifest = folder / "dramaturg.toml"
    manifest.write_text(manifest.read_text().replace('"build", "run"', '"build", "../run"'))
    return "doctor", "mine"


def _damaged_results(folder: Path) -> tuple[str, ...]:
    results = folder.parent / "results" / "1"
    results.mkdir(parents=True)
    (results / "conformance.jsonl").write_text('{"record": "header", "schema": 3}\n{"rec\n{}\n')
    return "report", "results/1"


def _no_results(folder: Path) -> tuple[str, ...]:
    return ("report",)


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (_without_a_manifest, "mine/dramaturg.toml: no such file; see"),
        (_of_a_later_version, "spec: it is '3', and this harness holds to version 2"),
        (_leading_out, "leads out of the folder by '..'"),
        (_damaged_results, "results/1/conformance.jsonl"),
        (_no_results, "results/latest"),
    ],
)
def test_bad_input_is_one_clear_line(
    installed: Installed, elsewhere: Path, spoil: Callable[[Path], tuple[str, ...]], complaint: str
) -> None:
    said = installed.run(*spoil(stranger(elsewhere)), cwd=elsewhere)
    assert said.returncode == 2
    assert complaint in said.stderr
    assert len(said.stderr.strip().splitlines()) == 1
    assert "Traceback" not in said.stderr


def _listing(folder: Path) -> set[tuple[str, int]]:
    return {(str(file), file.stat().st_mtime_ns) for file in folder.rglob("*")}
