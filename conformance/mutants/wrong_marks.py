"""Wrong marks: what a run says of itself while it is under way (CTRL-6)."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from dramaturg.model.workload import ChatAppWorkload

from changes import marks
from reference.control import world
from reference.control.world import World


def _total(run: Any) -> int:
    """Turns or windows of this world; 0 if it has neither."""
    parameters = run._workload.parameters
    return int(getattr(parameters, "turns", getattr(parameters, "windows", 0)))


def marks_everything_at_once() -> None:
    """The first mark says that all turns are done, before any was begun."""

    async def change(run: World, right: AsyncIterator[int]) -> AsyncIterator[int]:
        if _total(run):
            yield _total(run)
        async for done in right:
            yield done

    marks(change)


def marks_one_ahead() -> None:
    """Marks speak of the turn that is under way; the last one is right."""

    async def change(run: World, right: AsyncIterator[int]) -> AsyncIterator[int]:
        ahead = 1
        if _total(run):
            yield ahead
        async for done in right:
            yield min(done + 1, _total(run))

    marks(change)


def marks_every_turn() -> None:
    """There is a mark for each turn, however fast they come."""
    world.MARK_INTERVAL = 0


def marks_count_down() -> None:
    """Marks say how many turns are left, and the last one that none is."""

    async def change(run: World, right: AsyncIterator[int]) -> AsyncIterator[int]:
        total = _total(run)
        async for done in right:
            yield total - done

    marks(change)


def marks_one_too_many() -> None:
    """Marks count from one."""

    async def change(run: World, right: AsyncIterator[int]) -> AsyncIterator[int]:
        async for done in right:
            yield done + 1

    marks(change)


def marks_count_acts() -> None:
    """Marks count what clients did, and not turns."""

    async def change(run: World, right: AsyncIterator[int]) -> AsyncIterator[int]:
        clients = getattr(run._workload.parameters, "clients", 1)
        async for done in right:
            yield done * clients

    marks(change)


def marks_number_windows() -> None:
    """A mark has the number of the window that ended, and the first one's number is 0."""

    async def change(run: World, right: AsyncIterator[int]) -> AsyncIterator[int]:
        chatapp = isinstance(run._workload, ChatAppWorkload)
        async for done in right:
            yield done if chatapp else done - 1

    marks(change)


def marks_no_end() -> None:
    """A mark a tenth of a second after the other, and none in the end: it would say nothing new."""

    async def change(run: World, right: AsyncIterator[int]) -> AsyncIterator[int]:
        async for done in right:
            if done < _total(run):
                yield done

    marks(change)


def marks_nothing() -> None:
    """There are no marks: nobody looks at a progress bar."""

    async def change(run: World, right: AsyncIterator[int]) -> AsyncIterator[int]:
        async for _ in right:
            pass
        for never in ():
            yield never

    marks(change)


def marks_the_unmarked() -> None:
    """Every run ends with a mark, also of what has neither turns nor windows."""

    async def change(run: World, right: AsyncIterator[int]) -> AsyncIterator[int]:
        async for done in right:
            yield done
        if not _total(run):
            yield 1

    marks(change)


def marks_go_on_counting() -> None:
    """The count of what is done is the process's: the next run goes on with it."""
    before = [0]

    async def change(run: World, right: AsyncIterator[int]) -> AsyncIterator[int]:
        async for done in right:
            yield before[0] + done
        before[0] += _total(run)

    marks(change)


def run_ends_with_its_last_act() -> None:
    """Run says that all is done, and ends, when the last poke was sent."""

    async def run(self: World, salt: int) -> AsyncIterator[int]:
        if not isinstance(self._workload, ChatAppWorkload):
            async for done in right(self, salt):
                yield done
            return
        self._workload.run(salt)
        self._stopwatch.start()
        self._tell()
        while len(self._stopwatch._starts) < _total(self):
            await asyncio.sleep(0)
        yield _total(self)

    right = World.run
    World.run = run  # type: ignore[method-assign]
