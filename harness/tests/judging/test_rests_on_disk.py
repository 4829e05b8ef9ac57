"""Looks between calls find the same in logs on disk as in logs in memory."""

import pytest
from judging_kit import RUNS
from mutation_kit import run_of

from dramaturg.model import names
from dramaturg.trace import codec
from dramaturg.trace.codec import LogBuilder, encode
from dramaturg.trace.events import Event, LaidDown, Logs
from dramaturg.trace.rest import _SET_UP, FAREWELLS, AtRest, SetUp, _ends


def _parts(name: str) -> tuple[Logs, Logs, Logs]:
    """Return the events before Run, in it, and behind it: cut where each actor takes its first
    message of the next."""
    before: Logs = {}
    run: Logs = {}
    behind: Logs = {}
    for actor, log in run_of(name)[1].items():
        for event in log:
            part = before if event[1][0] in _SET_UP else behind if _ends(event[1]) else run
            part.setdefault(actor, []).append(event)
    return before, run, behind


def _said(name: str, large: bool, moved: str, monkeypatch: pytest.MonkeyPatch, limit: int) -> str:
    """Return the words of the looks on a run of which an event came in another part than it
    should."""
    before, run, behind = ({a: [*log] for a, log in part.items()} for part in _parts(name))
    _move(moved, before, run, behind)
    monkeypatch.setattr(codec, "IN_MEMORY", limit)
    builder = LogBuilder(laid_down=large)

    def fetch(part: Logs) -> None:
        for batch in encode(part, 3):
            builder.add(batch)

    fetch(before)
    there = SetUp(builder.logs, {})
    fetch(run)
    rest = AtRest(builder.logs, {})
    fetch(behind)
    assert isinstance(builder.logs, LaidDown) == large
    return there.broken(builder.logs) or rest.broken(builder.logs, {})


def _move(moved: str, before: Logs, run: Logs, behind: Logs) -> None:
    """One event to where it does not belong."""

    def take(part: Logs) -> tuple[int, Event]:
        actor = max(part, key=lambda each: (len(part[each]), each))
        return actor, part[actor].pop()

    to = {"set up late": (before, run), "run early": (run, before), "run late": (run, behind)}
    if moved == "farewell early":
        actor = next(a for a, log in behind.items() if log[0][1][0] in FAREWELLS)
        run.setdefault(actor, []).append(behind[actor].pop(0))
    elif moved in to:
        source, target = to[moved]
        if not source:
            return
        actor, event = take(source)
        target.setdefault(actor, []).insert(0, event)


@pytest.mark.parametrize("name", ["chatapp", "web", "pingpong"])
@pytest.mark.parametrize("limit", [0, 4, 30])
@pytest.mark.parametrize("moved", ["nothing", "set up late", "run early", "run late"])
def test_looks_say_the_same_of_logs_on_disk(
    name: str, limit: int, moved: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if sum(map(len, run_of(name)[1].values())) <= limit:
        limit = 0
    in_memory = _said(name, False, moved, monkeypatch, limit)
    on_disk = _said(name, True, moved, monkeypatch, limit)
    assert bool(in_memory) == bool(on_disk)
    assert _kind_of(on_disk) == _kind_of(in_memory)
    assert bool(in_memory) == (moved != "nothing" and (moved, name) not in NOTHING_TO_MOVE)


NOTHING_TO_MOVE = {("set up late", "web"), ("set up late", "pingpong")}
"""Only ChatApp is set up by messages."""


def _kind_of(said: str) -> str:
    """Return the rule that was broken: another one of several events may be named, since those on
    disk are looked at as they came."""
    return said.rpartition("(")[2]


def test_a_farewell_before_teardown_is_seen_on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "CTRL-16" in _said("web", True, "farewell early", monkeypatch, 4)
    assert "CTRL-16" in _said("web", False, "farewell early", monkeypatch, 4)
    assert names.name(names.DISPATCHER) in run_of("web")[1]
    assert set(RUNS) >= {"chatapp", "web", "pingpong"}
