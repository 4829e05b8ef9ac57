"""Scenarios that take no time, and an implementation whose process is never started."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from timing_fakes import FakeSession, Tell, honest
from timing_kit import Run

from dramaturg.implementation import manifest
from dramaturg.implementation.manifest import Implementation
from dramaturg.timing.planning.scenarios import Scenario, scenario


@pytest.fixture(scope="session")
def small_chat() -> Scenario:
    """Little work, every action, and a history to replay."""
    overrides = {"clients": 24, "directories": 3, "turns": 6, "compute": 10, "post": 35}
    overrides |= {"leave": 20, "invite": 20, "befriend": 25, "fib_n": 7}
    return scenario("chatapp", "default", overrides=overrides)


@pytest.fixture(scope="session")
def pingpong() -> Scenario:
    return scenario("pingpong", overrides={"rounds": 10})


@pytest.fixture
def fake(tmp_path: Path) -> Implementation:
    """An implementation whose process is never started."""
    folder = tmp_path / "fake"
    folder.mkdir()
    (folder / manifest.FILE_NAME).write_text(
        'name = "fake"\nlanguage = "none"\nspec = "2"\ncontrol = "grpc"\n'
        'benchmarks = ["chatapp", "pingpong", "chain", "fanout", "broker", "openweb"]\n'
        'distributed = ["pingpong"]\n'
        '[run]\ncommand = ["true"]\n'
    )
    return manifest.load(folder)


@pytest.fixture
def run(tmp_path: Path, fake: Implementation) -> Run:
    return Run(tmp_path, fake)


@pytest.fixture
def start_fake() -> Callable[..., Any]:
    """In the place of ``session.start``: sessions with the receipts that ``tell`` gives, or of
    a kind of their own."""

    def make(of: Scenario, tell: Tell = honest, kind: type[FakeSession] = FakeSession) -> Any:
        @contextlib.contextmanager
        def start(implementation: Implementation, **rest: Any) -> Iterator[FakeSession]:
            yield kind(of, tell)

        return start

    return make
