"""A process that is interrupted interrupts its workers, and each ends what it has started."""

import time
from pathlib import Path

import pytest
from waiting import wait_until

from dramaturg.mutation.workers import workers


def _doubled(number: int) -> int:
    return 2 * number


def _fails() -> None:
    raise ValueError("no such member")


def _sleeps(folder: Path, number: int) -> None:
    (folder / f"begun-{number}").touch()
    try:
        time.sleep(3600)
    finally:
        (folder / f"ended-{number}").touch()


def test_jobs_are_done_and_their_faults_are_told() -> None:
    with workers(2) as at_work:
        assert [at_work.submit(_doubled, number).result() for number in range(4)] == [0, 2, 4, 6]
        with pytest.raises(ValueError, match="no such member"):
            at_work.submit(_fails).result()


def test_an_interrupt_ends_the_jobs_that_run_and_begins_no_other(
    tmp_path: Path, no_process_left: None
) -> None:
    with pytest.raises(KeyboardInterrupt), workers(2) as at_work:
        for number in range(6):
            at_work.submit(_sleeps, tmp_path, number)
        assert wait_until(lambda: len(list(tmp_path.glob("begun-*"))) == 2, 60)
        raise KeyboardInterrupt
    assert sorted(tmp_path.glob("begun-*")) == [tmp_path / "begun-0", tmp_path / "begun-1"]
    assert sorted(tmp_path.glob("ended-*")) == [tmp_path / "ended-0", tmp_path / "ended-1"]
