"""Trace of all nodes at the same moment (MEAS-38)."""

import threading
from pathlib import Path
from typing import Any

import pytest

from dramaturg.errors import Crashed
from dramaturg.results import RecordsLost
from dramaturg.timing.validity import fetching
from dramaturg.trace.events import TraceError


class Node:
    """Answers when all others are asked too."""

    def __init__(self, together: threading.Barrier, raises: Exception | None = None) -> None:
        self.together, self.raises = together, raises
        self.asked = 0

    def spool(self, file: Any, timeout: float, meanwhile: Any = None) -> int:
        self.asked += 1
        if meanwhile is not None:
            meanwhile()
        self.together.wait(30)
        file.write(b"a trace")
        if self.raises is not None:
            raise self.raises
        return 2


def nodes(*raises: Exception | None) -> Any:
    together = threading.Barrier(len(raises))
    return [Node(together, each) for each in raises]


def test_all_nodes_are_asked_before_any_has_answered(tmp_path: Path) -> None:
    looked: list[int] = []
    with fetching.prepared(nodes(None, None, None), tmp_path / "deep", "x", 1) as fetch:
        came = fetch(lambda: looked.append(1))
    assert [file.name for file in came.files] == [f"x-node{n}.trace" for n in range(3)]
    assert [file.read_bytes() for file in came.files] == [b"a trace"] * 3
    assert (came.rows, came.problem, looked) == (6, "", [1])


def test_files_are_there_before_anybody_is_asked(tmp_path: Path) -> None:
    sessions = nodes(None)
    with fetching.prepared(sessions, tmp_path, "x", 1):
        assert (tmp_path / "x-node0.trace").exists()
        assert sessions[0].asked == 0


def test_where_run_fails_nobody_is_asked_and_nobody_waits(tmp_path: Path) -> None:
    before, sessions = threading.active_count(), nodes(None, None)
    with (
        pytest.raises(Crashed),
        fetching.prepared(sessions, tmp_path, "x", 1),
    ):
        raise Crashed("Run")
    for thread in threading.enumerate():
        if isinstance(thread, fetching._Waiting):
            thread.join(30)
    assert threading.active_count() <= before
    assert [each.asked for each in sessions] == [0, 0]


def test_what_is_no_trace_is_said_with_its_node(tmp_path: Path) -> None:
    came = fetching.fetch(nodes(None, TraceError("torn")), tmp_path, "x", 1)
    assert came.problem == "node 1: torn"
    assert fetching.fetch(nodes(TraceError("torn")), tmp_path, "x", 1).problem == "torn"


@pytest.mark.parametrize(
    ("raised", "seen"), [(Crashed("it fell"), Crashed), (OSError(28, "full"), RecordsLost)]
)
def test_who_fails_in_another_thread_fails_the_call(
    raised: Exception, seen: type[Exception], tmp_path: Path
) -> None:
    with pytest.raises(seen):
        fetching.fetch(nodes(None, raised), tmp_path, "x", 1)


@pytest.mark.parametrize("raised", [None, TraceError("torn")], ids=["a trace", "none"])
def test_a_disk_that_is_full_is_named_with_its_file_however_often_it_is_written(
    raised: Exception | None, tmp_path: Path
) -> None:
    file = tmp_path / "x-node0.trace"
    file.symlink_to("/dev/full")
    with pytest.raises(RecordsLost, match=f"^{file}: No space left on device$"):
        fetching.fetch(nodes(raised), tmp_path, "x", 1)
