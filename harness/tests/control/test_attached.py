"""--connect: a process that somebody else has started."""

import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from waiting import wait_until

from dramaturg import paths
from dramaturg.control import scratch
from dramaturg.control.attached import attached, parsed
from dramaturg.errors import Unreachable
from dramaturg.implementation import variables
from dramaturg.implementation.manifest import find, load
from dramaturg.results import CONFORMANCE

PATIENCE = 60.0
PROGRAM = [sys.executable, "-m", "dramaturg.cli.main"]


class Started:
    """An implementation that nobody of the harness has started."""

    def __init__(self, name: str, socket: Path, words: list[str], piped: bool) -> None:
        implementation = find(name)
        self.socket = socket
        command = [*implementation.manifest.run.command, *words]
        if piped:
            script = socket.parent / "run"
            script.write_text(f"#!/bin/sh\nexec {shlex.join(command)}\n")
            script.chmod(0o755)
            command = ["socat", f"UNIX-LISTEN:{socket}", f"EXEC:{script}"]
        else:
            command += ["--socket", str(socket)]
        self.process = subprocess.Popen(
            command, cwd=implementation.folder, env=variables.for_run(implementation, {}),
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        # A socket has a name before anybody listens there; socat takes one connection alone.
        ready = socket.exists if piped else lambda: listens(socket)
        assert wait_until(ready, PATIENCE)

    def end(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def listens(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as asking:
        return asking.connect_ex(str(path)) == 0


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder in which a socket's path is short enough."""
    with scratch.folder() as folder:
        yield folder


@pytest.fixture
def start(place: Path) -> Iterator[Callable[..., Started]]:
    began: list[Started] = []

    def begin(name: str = "reference", *words: str, piped: bool = False) -> Started:
        began.append(Started(name, place / f"{len(began)}.sock", list(words), piped))
        return began[-1]

    yield begin
    for each in began:
        each.end()


def certify(folder: Path, name: str, address: object, *words: str) -> subprocess.Popen[str]:
    command = [*PROGRAM, "certify", str(paths.IMPLEMENTATIONS / name), "--connect", str(address)]
    return subprocess.Popen(
        [*command, *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def outcomes(folder: Path) -> dict[str, str]:
    (file,) = (folder / "results").glob(f"2*/{CONFORMANCE}")
    lines = list(map(json.loads, file.read_text().splitlines()))
    return {line["case"]: line["outcome"] for line in lines if line["record"] == "case"}


def test_cases_pass_certify_nothing_and_the_process_is_left_alone(
    start: Callable[..., Started], tmp_path: Path
) -> None:
    started = start()
    words = ["--level", "0", "--level", "1", "--", "-k", "introduces or vectors or one-round"]
    running = certify(tmp_path, "reference", f"unix:{started.socket}", *words)
    said, complaint = running.communicate(timeout=PATIENCE)
    assert running.returncode == 7, said + complaint
    assert set(outcomes(tmp_path).values()) == {"pass"}
    assert "connected, not certified" in said
    assert not (tmp_path / "results" / "latest" / "certificate.json").exists()
    assert started.process.poll() is None


def test_endings_come_last_and_wait_for_who_can_end_the_input(
    start: Callable[..., Started], tmp_path: Path
) -> None:
    started = start()
    running = certify(tmp_path, "reference", f"unix:{started.socket}", "--level", "0")
    assert running.stderr is not None
    asked = next(line for line in running.stderr if "end the standard input" in line)
    assert "reference" in asked
    there = outcomes(tmp_path)
    assert "introduces-itself" in there
    assert not [case for case in there if "ends" in case]
    assert started.process.stdin is not None
    started.process.stdin.close()
    running.communicate(timeout=PATIENCE)
    found = outcomes(tmp_path)
    first, *others = [outcome for case, outcome in found.items() if case not in there]
    assert first == "pass"
    assert set(others) == {"not run"}
    assert started.process.wait(PATIENCE) == 0
    assert running.returncode == 7


def test_over_pipes_a_socket_takes_the_place_of_both(
    start: Callable[..., Started], tmp_path: Path
) -> None:
    if shutil.which("socat") is None:
        pytest.skip("not run: socat is missing")
    started = start("asyncio", piped=True)
    words = ["--level", "0", "--level", "1", "--", "-k", "handshake or pingpong"]
    running = certify(tmp_path, "asyncio", f"unix:{started.socket}", *words)
    said, complaint = running.communicate(timeout=PATIENCE)
    found = outcomes(tmp_path)
    assert set(found.values()) == {"pass", "not run"}, said + complaint
    assert [case for case, outcome in found.items() if "ends" in case and outcome == "pass"]
    assert started.process.wait(PATIENCE) == 0


def test_who_is_stopped_has_all_the_time_there_is(
    start: Callable[..., Started], tmp_path: Path
) -> None:
    started = start()
    os.kill(started.process.pid, signal.SIGSTOP)
    address = f"unix:{started.socket}"
    running = certify(tmp_path, "reference", address, "--level", "0", "--", "-k", "introduces")
    assert running.stderr is not None
    assert "does not answer over gRPC; waiting" in running.stderr.readline()
    os.kill(started.process.pid, signal.SIGCONT)
    running.communicate(timeout=PATIENCE)
    assert outcomes(tmp_path) == {"introduces-itself": "pass"}


def test_a_manifests_limits_do_not_count(place: Path, reference_copy: Path) -> None:
    manifest = reference_copy / "dramaturg.toml"
    manifest.write_text(manifest.read_text().replace("call_timeout = 60", "call_timeout = 0.5"))
    implementation = load(reference_copy)
    path = place / "s.sock"
    process = subprocess.Popen(
        [*implementation.manifest.run.command, "--socket", str(path)], cwd=reference_copy,
        env=variables.for_run(implementation, {}), stdin=subprocess.PIPE,
    )  # fmt: skip
    try:
        assert wait_until(lambda: listens(path), PATIENCE)
        with attached(implementation, f"unix:{path}", print) as session:
            os.kill(process.pid, signal.SIGSTOP)
            wake = ["sh", "-c", f"sleep 1.5; kill -CONT {process.pid}"]
            with subprocess.Popen(wake):
                assert session.describe(timeout=0.1).runtime
    finally:
        process.kill()
        process.wait()


def test_who_dies_in_the_middle_is_one_crash_and_the_rest_is_not_run(
    start: Callable[..., Started], tmp_path: Path
) -> None:
    started = start()
    address = f"unix:{started.socket}"
    running = certify(tmp_path, "reference", address, "--level", "3")
    assert wait_until(lambda: any((tmp_path / "results").glob(f"2*/{CONFORMANCE}")), PATIENCE)
    assert wait_until(lambda: len(outcomes(tmp_path)) > 0, PATIENCE)
    os.kill(started.process.pid, signal.SIGKILL)
    said, complaint = running.communicate(timeout=PATIENCE)
    assert running.returncode == 3
    found = list(outcomes(tmp_path).values())
    assert found.count("crash") == 1
    assert set(found[found.index("crash") + 1 :]) == {"not run"}
    assert (said + complaint).count("the connected process has ended") == 1


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (
            lambda path: None,
            "there is no such socket; start the implementation first, with --socket",
        ),
        (lambda path: path.write_text("x"), "that is no socket; it takes a Unix socket"),
        (lambda path: path.mkdir(), "that is a folder; it takes a Unix socket"),
        (lambda path: path.symlink_to("nowhere"), "there is no such socket"),
        (lambda path: socket.socket(socket.AF_UNIX).bind(str(path)), "nobody listens there"),
    ],
)
@pytest.mark.parametrize("name", ["reference", "asyncio"])
def test_where_nobody_is_there_is_one_error_and_nothing_else(
    tmp_path: Path, place: Path, make: Callable[[Path], object], complaint: str, name: str
) -> None:
    path = place / "it"
    make(path)
    running = certify(tmp_path, name, f"unix:{path}")
    said, wrong = running.communicate(timeout=PATIENCE)
    assert (running.returncode, said) == (2, "")
    assert f"dramaturg: --connect unix:{path}: {complaint}" in " ".join(wrong.split())
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "unix:",
        "x:",
        ":1",
        "x:0",
        "x:65536",
        "x:-1",
        "x:1x",
        "x:²",
        "http://x",
        "unix:a\0b",
    ],
)
def test_an_address_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(Unreachable, match="it takes unix:PATH, or HOST:PORT"):
        parsed(text)


def test_addresses() -> None:
    assert parsed("unix:x").path == Path.cwd() / "x"
    assert (parsed("[::1]:80").host, parsed("[::1]:80").port) == ("::1", 80)
    with pytest.raises(Unreachable, match="longer than 107 bytes"):
        parsed("unix:/" + "x" * 107).open()
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with pytest.raises(Unreachable, match="nobody listens there"):
        parsed(f"127.0.0.1:{port}").open()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["certify", "reference", "--connect", "unix:x", "--level", "4"], "level 4 takes several"),
        (["bench", "first", "--connect", "unix:x"], "No such option"),
    ],
)
def test_several_nodes_and_timing_refuse_it(words: list[str], complaint: str) -> None:
    done = subprocess.run([*PROGRAM, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert complaint in done.stderr
