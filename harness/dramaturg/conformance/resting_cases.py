"""Cases in which hardly anything is done, performed beside all others: a world that rests for
twenty seconds needs no core, and nobody should wait for it.

Each lane is a thread with an implementation's process of its own. The first of several workers that
comes to an implementation has its lanes; the others find the results in files.
"""

import os
import pickle
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar, cast

from dramaturg import files
from dramaturg.conformance.performer import Performed, Performer
from dramaturg.conformance.pool import Pool
from dramaturg.errors import HarnessFault
from dramaturg.implementation.manifest import Implementation
from dramaturg.plan.case_plan import Item

LANES = 4
"""Processes of one implementation that rest at the same time: memory that is held for nothing."""

PAUSE = 0.1
"""Seconds between two looks at whether somebody else's lane has come to a result."""

RESULTS = "beside"
"""The folder below a run's for the results of each, while the run lasts."""

T = TypeVar("T")


def lanes(items: Sequence[T], seconds: Callable[[T], float], most: int = LANES) -> list[list[T]]:
    """All of these in so many lanes at most, which take about as long: the longest first, each
    where there is least so far."""
    made: list[list[T]] = [[] for _ in range(min(most, len(items)))]
    for item in sorted(items, key=seconds, reverse=True):
        min(made, key=lambda lane: sum(map(seconds, lane))).append(item)
    return made


class Beside:
    """The lanes of a session of pytest; close it to end them all."""

    def __init__(self, items: Sequence[Item], folder: Path, pool: Pool) -> None:
        self._items = [item for item in items if item.case.rests]
        self._folder = folder
        self._place = folder / RESULTS
        self._pool = pool
        self._threads: list[threading.Thread] = []
        self._pools: list[Pool] = []
        self._begun: set[str] = set()
        self._own: set[str] = set()
        self._over = threading.Event()

    def __contains__(self, item: Item) -> bool:
        return item in self._items

    def begin(self, implementation: Implementation) -> None:
        """Let what rests of it begin, unless that was done here or by another worker."""
        name = implementation.name
        of_it = [item for item in self._items if item.implementation.name == name]
        if name in self._begun or not of_it:
            return
        self._begun.add(name)
        self._place.mkdir(parents=True, exist_ok=True)
        try:
            with self._owner(name).open("x") as file:
                file.write(str(os.getpid()))
        except FileExistsError:
            return
        self._own.add(name)
        for number, lane in enumerate(lanes(of_it, lambda item: item.case.waits)):
            pool = self._pool.twin(implementation, self._folder / "stderr" / f"beside-{number}")
            self._pools.append(pool)
            thread = threading.Thread(target=self._perform, args=(lane, pool), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _perform(self, lane: Sequence[Item], pool: Pool) -> None:
        performer = Performer(pool, self._folder / "traces")
        try:
            for item in lane:
                if self._over.is_set():
                    return
                performed = performer.perform(item)
                if not self._over.is_set():
                    files.write_bytes(self._file(item), pickle.dumps(performed))
        finally:
            pool.close()

    def result(self, item: Item) -> Performed:
        """Waits for the result of an item. Raises HarnessFault if none can come any more."""
        self.begin(item.implementation)
        file = self._file(item)
        while not file.exists():
            gone = not self._is_under_way(item.implementation.name)
            if gone and not file.exists():
                raise HarnessFault(f"{item.path}: its process ended without a result")
            time.sleep(PAUSE)
        return cast("Performed", pickle.loads(file.read_bytes()))

    def _is_under_way(self, name: str) -> bool:
        """True if the worker that has this implementation's lanes is still there."""
        if name in self._own:
            return any(thread.is_alive() for thread in self._threads)
        try:
            os.kill(int(self._owner(name).read_text() or 0), 0)
        except ProcessLookupError:
            return False
        return True

    def close(self, *, abandon: bool = False) -> None:
        """Wait for all lanes, since other workers wait for them; or end them at once."""
        try:
            if not abandon:
                for thread in self._threads:
                    thread.join()
        finally:
            self._over.set()
            for pool in self._pools:
                pool.close()

    def _file(self, item: Item) -> Path:
        return self._place / f"{item.path.replace('/', '.')}.pickle"

    def _owner(self, name: str) -> Path:
        return self._place / f"{name}.owner"
