"""The reader of a stranger's file has limits; a file beyond one is a clear line, and is alone."""

import contextlib
import dataclasses
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
import pytest
from waiting import wait_until

from dramaturg import paths
from dramaturg.processes import confined
from dramaturg.processes.confined import Confined, Exceeded, Limits
from dramaturg.results import ResultsError

MIB = 1024 * 1024
SMALL = Limits(cpu=1, memory=64 * MIB, written=MIB, answer=MIB, files=32)

BEYOND = {
    "while True: pass": "takes more than 1 s of CPU time",
    "x = bytearray(500_000_000)": "takes more than 64 MiB of memory",
    "x = [object() for _ in range(10**8)]": "takes more than 64 MiB of memory",
    "import numpy; x = numpy.ones(10**8)": "takes more than 64 MiB of memory",
    "open({file!r}, 'wb').write(bytes(5_000_000))": "writes a file of more than 1 MiB",
    "x = [open('/dev/null') for _ in range(99)]": "opens more than 32 files at a time",
    "import os; os.kill(os.getpid(), 9)": "takes more than 64 MiB of memory",
    "import os; os._exit(7)": "ended with status 7",
}


@pytest.fixture
def runs(no_process_left: None) -> Confined:
    """Executes text: the worst of all readers."""
    with Confined("builtins:exec") as made:
        yield made


@pytest.mark.parametrize("text", BEYOND)
def test_what_goes_beyond_a_limit_names_the_file_and_the_limit_and_the_next_is_read(
    runs: Confined, text: str, tmp_path: Path
) -> None:
    text = text.replace("{file!r}", repr(str(tmp_path / "written")))
    with pytest.raises(Exceeded) as raised:
        runs.read("theirs.json", text, SMALL)  # type: ignore[arg-type]
    (line,) = str(raised.value).splitlines()
    assert line.startswith("theirs.json: reading it ")
    assert BEYOND[text.replace(repr(str(tmp_path / "written")), "{file!r}")] in line
    assert "DRAMATURG_LIMITS" in line
    assert runs.read("mine.json", "x = 1", SMALL) is None  # type: ignore[arg-type]


def test_a_reader_makes_itself_ready_once_and_before_it_reads() -> None:
    program = """
import sys, types
from dramaturg.processes import confined
reader = types.ModuleType("reader")
reader.ready = lambda: print("ready", file=sys.stderr)
reader.read = lambda given: print("reads", file=sys.stderr)
sys.modules["reader"] = reader
confined._serve("reader:read")
"""
    request = json.dumps({"given": {}, "limits": dataclasses.asdict(SMALL)})
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=2 * f"{request}\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stderr.split() == ["ready", "reads", "reads"]


def test_what_comes_back_is_bounded_on_either_side() -> None:
    with Confined("builtins:eval") as evaluates:
        with pytest.raises(Exceeded, match="comes to more than 1 MiB"):
            evaluates.read("theirs", "'x' * 2_000_000", SMALL)  # type: ignore[arg-type]
        # Past the bound of whoever answers.
        flood = "[__import__('os').write(n, b'x' * 65536) for n in range(3, 9) for _ in range(99)]"
        with pytest.raises((Exceeded, ResultsError)) as raised:
            evaluates.read("theirs", flood, SMALL)  # type: ignore[arg-type]
        assert "theirs: " in str(raised.value)
        assert evaluates.read("mine", "'y' * 500_000", SMALL) == "y" * 500_000  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("[][1]", "IndexError"),
        ("__import__('sys').exit(0)", "SystemExit"),
        ("{1, 2}", "TypeError"),
        ("(lambda f: f(f))(lambda f: f(f))", "RecursionError"),
    ],
)
def test_a_reader_that_fails_is_one_line_and_no_traceback(
    text: str, says: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ResultsError) as raised:
        confined.read("builtins:eval", "theirs", text, SMALL)  # type: ignore[arg-type]
    (line,) = str(raised.value).splitlines()
    assert line.startswith("theirs cannot be read (")
    assert says in line
    assert capfd.readouterr() == ("", "")


def test_what_a_library_prints_is_no_answer() -> None:
    text = "print('{\"returned\": 1}', flush=True)"
    assert confined.read("builtins:eval", "x", text, SMALL) is None  # type: ignore[arg-type]


def test_it_has_the_users_own_limits_where_these_are_lower() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    asked = "__import__('resource').getrlimit(__import__('resource').RLIMIT_FSIZE)"
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
        found = confined.read("builtins:eval", "x", asked, SMALL)  # type: ignore[arg-type]
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert found[0] <= MIB


def test_nothing_is_imported_from_the_folder_in_which_one_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("json", "base64", "resource", "numpy", "dramaturg"):
        (tmp_path / f"{name}.py").write_text("import os; os._exit(66)\n")
    monkeypatch.chdir(tmp_path)
    assert confined.read("builtins:eval", "x", "__import__('json').dumps(1)", SMALL) == "1"  # type: ignore[arg-type]


def test_what_a_reader_has_kept_goes_with_it_however_it_ends(
    runs: Confined, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    kept = "__import__('pathlib').Path(__import__('tempfile').mkdtemp(), 'x').write_text('y')"
    for end in ("pass", "1 / 0", "__import__('os')._exit(1)", "while True: pass"):
        with contextlib.suppress(ResultsError):
            runs.read("x", f"{kept}\n{end}", SMALL)  # type: ignore[arg-type]
        (folder,) = tmp_path.glob("dramaturg-reading-*")
        assert list(folder.iterdir()) == []
    runs.close()
    assert not folder.exists()


def test_who_reads_ends_with_who_asked(no_process_left: None) -> None:
    ours = psutil.Process()
    with Confined("builtins:eval") as made:
        made.read("x", "1", SMALL)  # type: ignore[arg-type]
        # Some processes of other tests may have ended, and have no command line any more.
        there = [each.as_dict(["pid", "cmdline"]) for each in ours.children()]
        (pid,) = [each["pid"] for each in there if "confined" in " ".join(each["cmdline"] or ())]
        server = psutil.Process(pid)
    assert wait_until(lambda: not server.is_running(), 20)


KILLED = """
import os, signal
from dramaturg.processes.confined import Confined, Limits
with Confined("builtins:eval") as made:
    made.read("x", "open(__import__('tempfile').mkdtemp() + '/x', 'w').write('y')", Limits())
    made.read("x", "1", Limits())
    print(*os.listdir(os.environ["TMPDIR"]), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_reader_has_kept_goes_with_who_asked_even_if_that_one_is_killed(
    tmp_path: Path,
) -> None:
    done = subprocess.run(
        paths.python("-c", KILLED), env=os.environ | {"TMPDIR": str(tmp_path)},
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert "dramaturg-reading-" in done.stdout, done.stderr
    assert wait_until(lambda: not list(tmp_path.glob("dramaturg-reading-*")), 60)


def test_standard_input_is_that_of_who_asked() -> None:
    """`verify /dev/stdin`: a process of ours gets its requests where another has its input."""
    program = (
        "from dramaturg.processes.confined import Limits, read\n"
        "asked = \"open('/dev/stdin').read()\"\n"
        "print(read('builtins:eval', 'x', asked, Limits()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input="said", capture_output=True, text=True, timeout=300,
        check=False,
    )  # fmt: skip
    assert done.stdout == "said\n", done.stderr


@pytest.mark.parametrize("factor", ["x", "0", "-1", "nan", "inf", "1e9"])
def test_a_factor_that_is_none_is_refused(factor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(confined.FACTOR, factor)
    with pytest.raises(ResultsError, match=r"DRAMATURG_LIMITS is .* a factor"):
        confined.read("builtins:eval", "x", "1", SMALL)  # type: ignore[arg-type]


def test_a_factor_makes_limits_larger(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "'x' * 2_000_000"
    monkeypatch.setenv(confined.FACTOR, "4")
    assert len(confined.read("builtins:eval", "x", text, SMALL)) == 2_000_000  # type: ignore[arg-type]


def test_limits_grow_with_what_is_read_and_not_with_what_it_names(tmp_path: Path) -> None:
    file = tmp_path / "sparse"
    file.touch()
    least = Limits.of(file)
    assert (least, Limits.of(tmp_path / "none")) == (Limits(), Limits())
    os.truncate(file, 10 * MIB)
    assert Limits.of(file) == least
    file.write_bytes(bytes(range(256)) * (10 * MIB // 256))
    of_a_folder = Limits.of(tmp_path)
    assert of_a_folder == Limits.of(file)
    assert of_a_folder.cpu > least.cpu
