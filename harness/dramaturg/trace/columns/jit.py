"""Loops over columns, compiled by Numba at their first call."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

Loop = TypeVar("Loop", bound=Callable[..., Any])


def compiled(loop: Loop) -> Loop:
    """The loop as machine code. An index that is out of bounds raises IndexError, as in Python:
    what is counted in a log was written by a stranger."""
    options: dict[str, Any] = {"nogil": True, "boundscheck": True}
    try:
        return cast("Loop", numba.njit(cache=True, **options)(loop))
    except RuntimeError:
        # Neither the folder of this file nor the user's cache can be written.
        return cast("Loop", numba.njit(**options)(loop))
