"""Who does not say where it is, is not waited for longer than it may take, whatever it says."""

import os
import time
from collections.abc import Iterator

import pytest

from dramaturg.cluster import started_members
from dramaturg.cluster.started_members import Member
from dramaturg.errors import ClusterError

TALKS_ON = "for i in $(seq 300); do sleep 0.1; echo fortune; done"
PLACE = """echo '{"address": "tls://192.0.2.1:1"}'"""


@pytest.fixture
def members(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Member]]:
    monkeypatch.setattr(started_members, "_START", 0.5)
    monkeypatch.setattr(started_members, "_LAST", 0.5)
    found: list[Member] = []
    yield found
    for each in found:
        each.process.kill()
        each.end(time.monotonic())


def shell(members: list[Member], program: str) -> Member:
    members.append(Member("host h1", ["sh", "-c", program], os.environ))
    return members[-1]


@pytest.mark.parametrize(
    ("program", "number", "seconds", "said"),
    [
        ("echo no such user >&2; exec sleep 30", 1, 0.5, "did not say .* in time: no such user"),
        (TALKS_ON, 1, 1.0, "did not say where it is in time"),
        ("yes | head -c 3000000", 1, 600.0, "says what no member says"),
        ("echo gone >&2; exec >&- ; exec sleep 30", 1, 60.0, "closed its output: gone"),
        ("echo gone >&2; exit 3", 1, 60.0, "ended with status 3: gone"),
        (f"{PLACE}; echo no module >&2; exec sleep 30", 2, None, "1 of 2 said .*: no module"),
    ],
    ids=["silent", "talks_on", "shouts", "closes", "ends", "one_of_two"],
)
def test_nobody_is_waited_for_without_end(
    program: str, number: int, seconds: float | None, said: str, members: list[Member]
) -> None:
    with pytest.raises(ClusterError, match=f"host h1.* ?{said}"):
        shell(members, program).addresses(number, seconds)


def test_a_queue_is_waited_for_and_what_a_shell_prints_is_skipped(
    members: list[Member], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(started_members, "_START", 60.0)
    queued = shell(members, f"sleep 1.5; echo Welcome; {PLACE}; echo; {PLACE}; exec sleep 30")
    assert queued.addresses(2, None) == ["tls://192.0.2.1:1"] * 2
