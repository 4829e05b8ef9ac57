"""The folder in which a command is typed is anybody's: nothing in it becomes part of the judge."""

import importlib.metadata
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from dramaturg import paths
from dramaturg.certificates import trust
from dramaturg.cli.main import COMMANDS

NAMES = sorted(
    {*sys.stdlib_module_names, *importlib.metadata.packages_distributions()}
    | {"sitecustomize", "usercustomize"}
)
"""Whatever Python could import from there instead of what was meant."""

POISON = """\
import posix
said = posix.open("/proc/self/cmdline", posix.O_RDONLY)
file = posix.open({mark!r}, posix.O_WRONLY | posix.O_CREAT | posix.O_APPEND)
posix.write(file, __name__.encode() + b" in " + posix.read(said, 4096) + b"\\n")
"""
"""With what is there before anything can be imported."""

SCRIPT = [sys.executable, str(Path(sys.executable).with_name("dramaturg"))]
"""As it is installed: by itself it heeds variables, and what it starts need not."""

THIS = f"import sys; sys.path.insert(0, {str(paths.ROOT / 'harness')!r})\n"
"""This harness, and not the one that is installed: a wrong one is a copy."""

LAUNCHER = [str(paths.ROOT / "dramaturg")]

WORDS: dict[str, list[list[str]]] = {
    "new": [["new", "made", "--language", "python"]],
    "update": [["update", "made"]],
    "doctor": [["doctor", "reference"]],
    "certify": [["certify", "reference", "--level", "0", "--", "-k", "introduces", "-n", "2"]],
    "review": [["review", "reference", "--checklist"]],
    "sign": [["sign", "results/latest/certificate.json", "--key", "nokey.pem"]],
    "verify": [["verify", "results/latest/certificate.json", "--no-run"]],
    "bench": [[*["bench", "pingpong", "-i", "reference", "--scale", "tiny", "--uncertified"],
               *["--invocations", "1", "--iterations", "1"]]],
    "warmup": [["warmup", "--from", "results/latest"]],
    "compare": [["compare", "results/latest:reference", "results/latest:reference"]],
    "history": [["history", "results"]],
    "report": [["report"]],
    "claims": [["claims", "--check"]],
    "site": [["site", "results"]],
    "golden": [["golden", "--check"]],
    "facts": [["facts", "chatapp", "--clients", "24", "--directories", "3"]],
    "replay": [["replay", "nothing.run"]],
    "trace": [["trace", "nothing.run"]],
    "mutants": [["mutants", "dropped_forward", "-j", "1"]],
    "requirements": [["requirements", "--check"]],
    "spec": [["spec"]],
    "proto": [["proto"]],
    "completion": [["completion", "bash"]],
    "table": [["table", "--check"]],
}  # fmt: skip
"""Some have nothing to do here, and say so: they have been imported by then."""

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def poison(folder: Path, mark: Path) -> None:
    folder.mkdir(parents=True)
    for name in NAMES:
        (folder / f"{name}.py").write_text(POISON.format(mark=str(mark)))


def imported(mark: Path) -> list[str]:
    """Each module of the folder that was imported, and in which process."""
    return mark.read_text().splitlines() if mark.exists() else []


@pytest.fixture(scope="module")
def mark(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file that a poisoned module leaves behind once it is imported."""
    return tmp_path_factory.mktemp("mark") / "imported"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, mark: Path) -> Path:
    found = tmp_path_factory.mktemp("poisoned") / "here"
    poison(found, mark)
    return found


@pytest.fixture(scope="module")
def run(folder: Path, mark: Path) -> Run:
    def ran(command: Sequence[str], **variables: str) -> "subprocess.CompletedProcess[str]":
        mark.unlink(missing_ok=True)
        return subprocess.run(
            command, cwd=folder, env=os.environ | variables, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip

    return ran


def test_the_poison_works(run: Run, mark: Path) -> None:
    """Else the tests below would say nothing."""
    run([sys.executable, "-c", "import queue"])
    assert "queue in" in mark.read_text()


def test_every_command_is_among_those_that_are_typed() -> None:
    assert WORDS.keys() == COMMANDS.keys()


@pytest.mark.parametrize("command", WORDS)
def test_no_command_imports_what_lies_where_it_is_typed(
    command: str, run: Run, mark: Path, folder: Path
) -> None:
    if command != "certify" and not (folder / "results").exists():
        run([*SCRIPT, *WORDS["certify"][0]])
    for words in WORDS[command]:
        done = run([*SCRIPT, *words])
        assert not mark.exists(), mark.read_text()
        assert "Traceback" not in done.stderr, done.stderr
        if command == "bench":
            assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", ["certify", "bench", "verify", "mutants"])
def test_the_launcher_heeds_neither_variables_nor_the_users_own_packages(
    command: str, run: Run, mark: Path, folder: Path, tmp_path: Path
) -> None:
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    poison(tmp_path / ".local" / "lib" / version / "site-packages", mark)
    variables = {
        "HOME": str(tmp_path),
        "PYTHONPATH": str(folder),
        "PYTHONSTARTUP": str(folder / "queue.py"),
        "PYTHONUSERBASE": str(tmp_path / ".local"),
    }
    run([sys.executable, "-c", "pass"], **variables)
    assert mark.exists(), "what is tried here works"
    for words in WORDS[command]:
        done = run([*LAUNCHER, *words], **variables, PYTHONHOME="/nowhere")
        # An implementation in Python may heed the user's own packages: it is no part of the judge.
        assert [line for line in imported(mark) if "--socket" not in line] == []
        assert f'File "{paths.ROOT / "harness"}' not in done.stderr, done.stderr


def test_a_current_folder_that_a_variable_names_by_nothing_is_not_heeded_by_children(
    run: Run, mark: Path
) -> None:
    """``PYTHONPATH=$PYTHONPATH:/more``, with nothing before: Python takes it for the folder.
    Imports before this program has a say are the user's word; no worker is."""
    run([*SCRIPT, *WORDS["certify"][0]], PYTHONPATH=os.pathsep)
    first = f" in {SCRIPT[0]}\0{SCRIPT[1]}\0"
    assert [line for line in imported(mark) if first not in line] == []


def test_an_environment_for_another_python_is_not_heeded(run: Run) -> None:
    """As those of cross compilers are; Python itself would end with an error."""
    elsewhere = {"_PYTHON_SYSCONFIGDATA_NAME": "no_such_module"}
    asked = [sys.executable, "-I", "-c", "import sysconfig; sysconfig.get_config_vars()"]
    assert "no_such_module" in run(asked, **elsewhere).stderr
    done = run([*SCRIPT, *WORDS["doctor"][0]], **elsewhere)
    assert "no_such_module" not in done.stderr, done.stderr


@pytest.mark.parametrize("home", ["", "home", None])
def test_a_home_that_is_no_whole_path_is_not_looked_for_in_the_folder(
    home: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stranger's clone may have a list of keys in it, and stamps; its files are the user's."""
    monkeypatch.chdir(tmp_path)
    for variable in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(variable, "below")
    if home is None:
        monkeypatch.delenv("HOME")
    else:
        monkeypatch.setenv("HOME", home)
    for place in (paths.cache(), trust.usual_file()):
        assert place.is_absolute() and not place.is_relative_to(tmp_path)


def test_a_user_of_whom_the_system_knows_nothing_has_no_home(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("HOME")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr("os.getuid", lambda: 2**31 - 7)
    assert paths.cache() == Path("/.cache/dramaturg")


def test_no_file_there_says_where_a_library_of_ours_keeps_its_code(
    run: Run, folder: Path, tmp_path: Path
) -> None:
    """Numba takes its settings from there, and executes what lies in the folder that they name."""
    kept, file = tmp_path / "kept", folder / ".numba_config.yaml"
    file.write_text(f"cache_dir: {kept}\n")
    asked = "import numba; print([numba.config.CACHE_DIR]); numba.config.reload_config()"
    try:
        plain = run([sys.executable, "-I", "-c", asked])
        assert plain.stdout == f"['{kept}']\n", "what is tried here works"
        # It looks again each time that it compiles something.
        ours = (
            f"{THIS}from dramaturg.trace.columns import store\n{asked}; "
            "print([numba.config.CACHE_DIR])"
        )
        done = run([sys.executable, "-I", "-c", ours])
        assert (done.stdout, done.stderr) == ("['']\n['']\n", "")
    finally:
        file.unlink()


def test_a_cache_that_is_no_whole_path_is_none_for_libraries_either(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each has its own below: Numba machine code, git what may be trusted."""
    names = ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")
    for name in names:
        monkeypatch.setenv(name, "below")
    monkeypatch.setenv("XDG_DATA_HOME", "/whole")
    paths.forget_relative_homes()
    assert [os.environ.get(name) for name in (*names, "XDG_DATA_HOME")] == [*[None] * 3, "/whole"]


def test_a_search_draws_from_nothing_that_lies_there_and_leaves_nothing(
    run: Run, folder: Path, tmp_path: Path
) -> None:
    """Hypothesis keeps constants in the current folder, and reads them again."""
    asked = "print(configuration.storage_directory('constants').path)"
    imported = "from hypothesis import configuration; "
    plain = run([sys.executable, "-I", "-c", imported + asked])
    assert plain.stdout == f"{folder}/.hypothesis/constants\n", "what is tried here works"
    ours = (
        f"{THIS}{imported}\nfrom dramaturg.cases.cases import load_all\n"
        "from dramaturg.conformance.search import Attempt, search\n"
        "from dramaturg.outcomes import Outcome\n"
        f"def perform(case, haste):\n    {asked}\n"
        "    return Attempt(case, None, None, Outcome.PASS)\n"
        "case = next(case for case in load_all() if case.drive == 'search')\n"
        f"case.message.search.examples = 2\nsearch(case, perform)\n{asked}"
    )
    done = run([sys.executable, "-I", "-c", ours], XDG_CACHE_HOME=str(tmp_path))
    there = f"{tmp_path}/dramaturg/hypothesis/constants"
    lines = done.stdout.splitlines()
    assert (lines[0], lines[-1]) == (there, f"{folder}/.hypothesis/constants"), done.stderr
    assert not (folder / ".hypothesis").exists()
