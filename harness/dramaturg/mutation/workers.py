"""Processes that judge the members of a cast, and end with who started them."""

import contextlib
import functools
import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from typing import ParamSpec, TypeVar

from dramaturg.processes import interrupts

_Given = ParamSpec("_Given")
_Judged = TypeVar("_Judged")


class Workers:
    """Some processes, to which jobs are handed."""

    def __init__(self, executor: ProcessPoolExecutor) -> None:
        self._executor = executor

    def submit(
        self, job: Callable[_Given, _Judged], *given: _Given.args, **more: _Given.kwargs
    ) -> "Future[_Judged]":
        """Have it done by the next that is free."""
        return self._executor.submit(functools.partial(_done, job, *given, **more))


@contextlib.contextmanager
def workers(number: int) -> Iterator[Workers]:
    """So many processes. They are spawned, since the threads of gRPC do not survive a fork.

    If an exception leaves this, such as Ctrl-C, no further job begins, and each that runs is
    interrupted in its turn and ends what it has started.
    """
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(
        number, mp_context=context, initializer=interrupts.install
    ) as executor:
        try:
            yield Workers(executor)
        except BaseException:
            for process in multiprocessing.active_children():
                process.terminate()
            executor.shutdown(cancel_futures=True)
            raise


def _done(job: Callable[_Given, _Judged], *given: _Given.args, **more: _Given.kwargs) -> _Judged:
    try:
        return job(*given, **more)
    except KeyboardInterrupt:
        # Whatever it had started has ended. The executor would go on with the next job, which
        # it hands out before a process is free.
        os._exit(130)
