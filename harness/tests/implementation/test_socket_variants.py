"""Variants of ZeroMQ, nanomsg and nng that no certificate is about: each is what its name says, and
ends in its outcome."""

import os
import re
import signal
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from dramaturg import results
from dramaturg.conformance.certification import certify
from dramaturg.control import starting
from dramaturg.errors import CallFailed, Crashed, ToolchainMissing
from dramaturg.implementation import build, toolchain
from dramaturg.implementation.manifest import find
from dramaturg.outcomes import Outcome
from dramaturg.plan.case_plan import make
from dramaturg.records import CaseRecord
from dramaturg.trace.watches import NOBODY
from dramaturg.v2 import benchmarks_pb2

LIBRARIES = ["zeromq", "nanomsg", "nng"]

HEADER = 48
"""Bytes before each payload (``message.h``)."""

LEADS_BACK = {"zeromq": 0, "nanomsg": 4, "nng": 8}
"""Bytes that the library puts before them."""


@pytest.fixture(params=LIBRARIES)
def library(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    try:
        toolchain.require(find(name))
    except ToolchainMissing as error:
        pytest.skip(str(error))
    return name


def _broker(employees: int, tasks: int, size: int) -> benchmarks_pb2.Benchmark:
    parameters = benchmarks_pb2.BrokerParameters(employees=employees, tasks=tasks, size=size)
    return benchmarks_pb2.Benchmark(broker=parameters)


def _folder(length: int) -> Path:
    """A new one, whose path has so many bytes."""
    short = Path(tempfile.mkdtemp())
    made = short / ("x" * (length - len(f"{short}/")))
    made.mkdir()
    return made


def _performed(designation: str, case: str, folder: Path) -> CaseRecord:
    implementation = find(designation)
    certify(make([implementation], [1, 3]), folder, pytest_arguments=["-k", case])
    (record,) = results.read(folder / results.CONFORMANCE).cases
    return record


@pytest.mark.parametrize("transport", ["ipc", "tcp"])
@pytest.mark.parametrize("case", ["broker-one-employee", "broker-fewer-tasks-than-employees"])
def test_employees_may_be_processes(
    library: str, transport: str, case: str, tmp_path: Path, no_process_left: None
) -> None:
    record = _performed(f"{library}+{transport}-processes", case, tmp_path)
    assert (record.outcome, record.message) == (Outcome.PASS, "")


@pytest.mark.parametrize("variant", ["device", "tcp-device"])
def test_the_librarys_own_device_is_refused(library: str, variant: str, tmp_path: Path) -> None:
    """It passes everything on, and takes nothing as an actor does."""
    record = _performed(f"{library}+{variant}", "broker-one-employee", tmp_path)
    assert record.outcome is Outcome.FAIL
    assert "router/0" in record.message


def test_a_payload_above_the_librarys_limit_is_said_with_both_sizes(
    library: str, tmp_path: Path, no_process_left: None
) -> None:
    """The library itself would close the connection, and all would wait."""
    record = _performed(f"{library}+tcp-4096-bytes", "broker-large-payloads", tmp_path)
    assert record.outcome is Outcome.CRASH
    assert re.search(r"a message has 65\d+ bytes, and \w+ takes 4096 here", record.stderr)


def test_what_the_library_adds_to_a_message_counts(
    library: str, tmp_path: Path, no_process_left: None
) -> None:
    """It was left out, and a payload of a few bytes less was waited for until the call's time was
    over."""
    implementation, words = find(f"{library}+tcp-4096-bytes"), tmp_path / "stderr.log"
    build.build(implementation)
    largest = 4096 - HEADER - LEADS_BACK[library]
    with starting.start(implementation, stderr=words) as started:
        started.prepare(_broker(employees=1, tasks=9, size=largest))
        started.run(timeout=20)
        assert started.teardown(timeout=20).done.arguments[0] == 9
        with pytest.raises(Crashed):
            started.prepare(_broker(employees=1, tasks=9, size=largest + 1))
    assert re.search(r"a message has 4097 bytes, and \w+ takes 4096 here", words.read_text())


@pytest.mark.parametrize("variant", ["ipc", "ipc-processes"])
def test_no_file_of_a_socket_is_left(
    library: str, variant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = Path(tempfile.mkdtemp())  # Its own: others' sockets come and go meanwhile.
    monkeypatch.setenv("TMPDIR", str(there))
    record = _performed(f"{library}+{variant}", "broker-one-employee", tmp_path)
    assert record.outcome is Outcome.PASS
    assert list(there.glob("dramaturg-*-back-*")) == []


def _processes(pid: int) -> list[int]:
    """Return the processes of its employees, in their order."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(child) for child in children.split()]


def _connections(pid: int) -> tuple[int, int]:
    """Return the number of a process's connections' ends over TCP, and over sockets of its own in
    files."""
    links = [str(file.readlink()) for file in Path(f"/proc/{pid}/fd").iterdir()]
    own = {link[len("socket:[") : -1] for link in links if link.startswith("socket:[")}
    tables = {
        of: [line.split() for line in Path(f"/proc/{pid}/net/{of}").read_text().splitlines()[1:]]
        for of in ("tcp", "unix")
    }
    established = [row for row in tables["tcp"] if row[3] == "01" and row[9] in own]
    connected = [
        row
        for row in tables["unix"]
        if row[5] == "03" and row[6] in own and f"dramaturg-{pid}-" in row[-1]
    ]
    return len(established), len(connected)


@pytest.mark.parametrize(
    ("variant", "over", "processes"),
    [
        ("", "", 0),
        ("ipc", "unix", 0),
        ("tcp", "tcp", 0),
        ("ipc-processes", "unix", 3),
        ("tcp-processes", "tcp", 3),
    ],
)
def test_a_transport_is_the_one_that_is_named(
    library: str, variant: str, over: str, processes: int
) -> None:
    """No run shows it (REVIEW-16): inproc in the place of another gives right logs, and is fast."""
    implementation = find(f"{library}+{variant}" if variant else library)
    build.build(implementation)
    folder = {"TMPDIR": tempfile.mkdtemp()}
    with starting.start(implementation, environment=folder) as started:
        assert started.process is not None
        pid = started.process.pid
        started.prepare(_broker(employees=3, tasks=1, size=4))
        tcp, unix = _connections(pid)
        assert (tcp >= 3, unix >= 3) == (over == "tcp", over == "unix")
        assert over or (tcp, unix) == (0, 0)
        assert len(_processes(pid)) == processes


def _kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("when", ["before the run", "in the run", "after the run"])
def test_a_process_that_is_killed_is_named_by_the_next_answer(
    library: str, when: str, no_process_left: None
) -> None:
    """Nobody noticed, and the run was waited for until the call's time was over."""
    implementation = find(f"{library}+tcp-processes")
    build.build(implementation)
    tasks = 10_000_000 if when == "in the run" else 9
    with starting.start(implementation) as started:
        assert started.process is not None
        started.prepare(_broker(employees=3, tasks=tasks, size=4), watches=NOBODY)
        process = _processes(started.process.pid)[1]
        if when == "before the run":
            _kill(process)
        elif when == "in the run":
            threading.Timer(0.5, _kill, [process]).start()
        else:
            started.run(timeout=20)
            _kill(process)
        with pytest.raises(CallFailed) as failed:
            if when == "after the run":
                started.teardown(timeout=20)
            else:
                started.run(timeout=20)
    assert "employee/1 failed: its process was ended by signal 9: Killed" in str(failed.value)


def _said_at_once(
    designation: str, folder: Path, prefix: Sequence[str] = (), **environment: str
) -> str:
    """The last words of one that does not come up."""
    implementation, words = find(designation), folder / "stderr.log"
    build.build(implementation)
    with (
        pytest.raises(Crashed),
        starting.start(implementation, prefix=prefix, stderr=words, environment=environment),
    ):
        pass
    return words.read_text()


def test_tcp_without_a_loopback_device_is_said_before_anything_is_asked(
    library: str, tmp_path: Path
) -> None:
    """Whoever connected through ZeroMQ or nanomsg waited until the call's time was over."""
    apart = ["unshare", "--net"]
    if subprocess.run([*apart, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("no network namespace can be made here")
    said = _said_at_once(f"{library}+tcp", tmp_path, apart)
    assert "tcp over the loopback device: " in said


def test_a_folder_that_is_too_long_for_a_socket_is_said_and_another_long_one_is_used(
    library: str, tmp_path: Path
) -> None:
    """Its first 60 bytes were taken for another folder."""
    long = _folder(66)
    implementation = find(f"{library}+ipc")
    build.build(implementation)
    with starting.start(implementation, environment={"TMPDIR": str(long)}) as started:
        started.prepare(_broker(employees=1, tasks=1, size=4))
        assert list(long.iterdir())
    said = _said_at_once(f"{library}+ipc", tmp_path, TMPDIR=str(_folder(107)))
    assert "ipc: TMPDIR is too long for the path of a socket" in said


def test_a_folder_with_room_for_the_first_socket_alone_is_too_long(
    library: str, tmp_path: Path
) -> None:
    """The first `Prepare` said so, whose sockets have longer names."""
    said = _said_at_once(f"{library}+ipc", tmp_path, TMPDIR=str(_folder(78)))
    assert "ipc: TMPDIR is too long for the path of a socket" in said


def _said_with_files(designation: str, files: int, folder: Path) -> str:
    """The last words of one that may open so many files, and cannot prepare a world with them."""
    implementation, words = find(designation), folder / "stderr.log"
    build.build(implementation)
    few = ["prlimit", f"--nofile={files}"]
    with (
        starting.start(implementation, prefix=few, stderr=words) as started,
        pytest.raises(Crashed),
    ):
        started.prepare(_broker(employees=128, tasks=1, size=4), timeout=60)
    return words.read_text()


@pytest.mark.parametrize(
    ("variant", "files"),
    [("tcp", 200), ("tcp", 300), ("tcp", 500), ("tcp-processes", 300), ("tcp-processes", 380)],
)
def test_too_few_files_are_said_in_prepare(
    library: str, variant: str, files: int, tmp_path: Path, no_process_left: None
) -> None:
    """ZeroMQ waited until the call's time was over, and nng spoke of a time that was."""
    assert "Too many open files" in _said_with_files(f"{library}+{variant}", files, tmp_path)


@pytest.mark.parametrize("missing", [1, 2, 9])
@pytest.mark.parametrize("variant", ["tcp", "tcp-processes"])
def test_a_few_files_too_few_are_said_in_prepare(
    library: str, variant: str, missing: int, tmp_path: Path, no_process_left: None
) -> None:
    """nanomsg has all its sockets then and lacks a connection: `Prepare` or `Run` waited for it."""
    implementation = find(f"{library}+{variant}")
    build.build(implementation)
    with starting.start(implementation) as started:
        assert started.process is not None
        started.prepare(_broker(employees=128, tasks=1, size=4))
        wanted = len(list(Path(f"/proc/{started.process.pid}/fd").iterdir()))
    said = _said_with_files(f"{library}+{variant}", wanted - missing, tmp_path)
    assert "Too many open files" in said
