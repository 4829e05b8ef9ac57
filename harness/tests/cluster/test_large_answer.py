"""An answer may be large: it is looked through once, and has time to come."""

import json
import sys
import time
from types import SimpleNamespace
from typing import Any

import pytest

from dramaturg import paths
from dramaturg.cluster import reached, task
from dramaturg.cluster.reached import Reached
from dramaturg.errors import ClusterLost

LARGE = 48 << 20

_CHILD = """
import json, sys
sys.stdin.readline()
print(json.dumps({"told": 1}))
print(json.dumps({"told": 2}), flush=True)
print(json.dumps({"returned": "x" * LARGE}))
print(json.dumps({"told": 3}), end="", flush=True)
"""


def test_an_answer_takes_time_by_its_length_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[Any] = []
    worker = SimpleNamespace(address="tcp://w:1", log_event=lambda topic, event: said.append(event))
    monkeypatch.setattr(task, "get_worker", lambda: worker)
    monkeypatch.setattr(task, "_key", lambda: "key")
    monkeypatch.setattr(task, "_wanted", lambda worker, key: True)
    child = _CHILD.replace("LARGE", str(LARGE))
    monkeypatch.setattr(paths, "python", lambda *words: [sys.executable, "-c", child])
    asked = {"number": 7, "function": "x:y", "given": {}, "sharing": []}
    before = time.thread_time()
    answer = json.loads(json.loads(task.perform(json.dumps(asked), "topic"))["answer"])
    taken = time.thread_time() - before
    assert len(answer["returned"]) == LARGE
    assert [each for event in said for each in event["told"]] == ['{"told": 1}', '{"told": 2}']
    assert taken < 4, "it was read again with each piece that came"


class Slow:
    """An answer that comes only if somebody has time for it."""

    def __init__(self, takes: float) -> None:
        self.takes = takes

    def result(self, timeout: float) -> str:
        if timeout < self.takes:
            raise TimeoutError
        return "came"


def test_an_answer_that_takes_minutes_is_waited_for_while_the_scheduler_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found: Any = Reached(None, None, "slurm:2")  # type: ignore[arg-type]
    looked: list[int] = []
    monkeypatch.setattr(found, "_there", lambda: looked.append(1))
    assert found._fetched(Slow(30)) == "came"
    assert looked == [1]
    with pytest.raises(TimeoutError, match="its answer did not come in 670 s"):
        found._fetched(Slow(10_000))

    def gone() -> None:
        raise ClusterLost("slurm:2: the scheduler was lost")

    monkeypatch.setattr(found, "_there", gone)
    with pytest.raises(ClusterLost):
        found._ended(0, Slow(30), {})
    assert reached._FETCHES[0] <= reached.SILENT
