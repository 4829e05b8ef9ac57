"""Variants of ZeroMQ, nanomsg and nng that no certificate is about: each ends in its outcome."""

import re
import tempfile
from pathlib import Path

import pytest

from dramaturg import results
from dramaturg.errors import ToolchainMissing
from dramaturg.implementation import toolchain
from dramaturg.implementation.manifest import find
from dramaturg.outcomes import Outcome
from dramaturg.performance.certification import certify
from dramaturg.plan.plan import make
from dramaturg.records import CaseRecord

LIBRARIES = ["zeromq", "nanomsg", "nng"]


@pytest.fixture(params=LIBRARIES)
def library(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    try:
        toolchain.require(find(name))
    except ToolchainMissing as error:
        pytest.skip(str(error))
    return name


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


@pytest.mark.parametrize("variant", ["ipc", "ipc-processes"])
def test_no_file_of_a_socket_is_left(library: str, variant: str, tmp_path: Path) -> None:
    there = Path(tempfile.gettempdir())
    before = set(there.glob("dramaturg-*-back-*"))
    _performed(f"{library}+{variant}", "broker-one-employee", tmp_path)
    assert set(there.glob("dramaturg-*-back-*")) - before == set()
