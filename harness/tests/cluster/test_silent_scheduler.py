"""A scheduler that is stopped answers nobody, and closes nothing: it is lost all the same."""

import asyncio
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from distributed import Client
from distributed.utils import LoopRunner, SyncMethodMixin

from dramaturg.cluster import reached, worker_hosts
from dramaturg.cluster.reached import Reached
from dramaturg.errors import ClusterError, ClusterLost


class Connected(SyncMethodMixin):  # type: ignore[misc]
    """A client, as far as it asks who is there."""

    status = "running"
    asynchronous = False
    scheduler_info = Client.scheduler_info
    _update_scheduler_info = Client._update_scheduler_info

    def __init__(self, loop: Any, workers: dict[str, Any] | None) -> None:
        self.loop = loop
        self._workers = workers
        self._scheduler_identity: dict[str, Any] = {"workers": {}}
        self.scheduler = SimpleNamespace(identity=self._identity)

    async def _identity(self, n_workers: int = -1) -> dict[str, Any]:
        if self._workers is None:
            await asyncio.sleep(3600)
        return {"workers": self._workers}


@pytest.fixture
def loop() -> Iterator[Any]:
    runner = LoopRunner(asynchronous=False)
    runner.start()
    yield runner.loop
    runner.stop()


def ended(do: Any) -> Exception | None:
    """What it raises. Fails if it goes on."""
    raised: list[Exception] = []

    def perform() -> None:
        try:
            do()
        except Exception as error:
            raised.append(error)

    thread = threading.Thread(target=perform, daemon=True)
    thread.start()
    thread.join(60)
    assert not thread.is_alive(), "it waits for what never comes"
    return raised[0] if raised else None


def test_it_is_lost_while_it_performs(loop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reached, "_CONNECT", 0.2)
    monkeypatch.setattr(reached, "SILENT", 0.1)
    found = Reached(Connected(loop, None), None, "tls://there:1")
    error = ended(found._there)
    assert isinstance(error, ClusterLost)
    assert "tls://there:1: the scheduler was lost" in str(error)


def test_it_is_refused_before_anything_is_performed(
    loop: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_hosts, "_ANSWER", 0.2)
    client: Any = Connected(loop, None)
    error = ended(lambda: worker_hosts.ask(client, "tls://there:1"))
    assert isinstance(error, ClusterError)
    assert "does not say who is there" in str(error)


def test_one_that_answers_is_there_with_its_workers(loop: Any) -> None:
    found = Reached(Connected(loop, {"tls://w:1": {"last_seen": 1.0}}), None, "tls://there:1")
    assert found._there() == {"tls://w:1"}
