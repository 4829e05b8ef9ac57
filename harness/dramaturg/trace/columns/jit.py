"""Loops over columns, compiled by Numba at their first call."""

import os
import sys
import warnings
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any, TypeVar, cast

Loop = TypeVar("Loop", bound=Callable[..., Any])


def _imported() -> ModuleType:
    """Numba, without what a file in the current folder says (``.numba_config.yaml``): that may name
    the folder from which it reads machine code and pickles. It looks for one when it is imported,
    where it finds no YAML, and again each time that it compiles, where it finds no such file."""
    absent: Any = None
    kept = sys.modules.get("yaml")
    sys.modules["yaml"] = absent
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = import_module("numba")
    finally:
        if kept is None:
            del sys.modules["yaml"]
        else:
            sys.modules["yaml"] = kept
    found.core.config._config_fname = os.devnull
    return found


numba = _imported()


def compiled(loop: Loop) -> Loop:
    """The loop as machine code. An index that is out of bounds raises IndexError, as in Python:
    a stranger has written the counts of a log."""
    options: dict[str, Any] = {"nogil": True, "boundscheck": True}
    try:
        return cast("Loop", numba.njit(cache=True, **options)(loop))
    except RuntimeError:
        # Neither the folder of this file nor the user's cache can be written.
        return cast("Loop", numba.njit(**options)(loop))
