"""Finding what was compiled of just these sources."""

import dataclasses
import hashlib
import importlib
import importlib.util
import sysconfig
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from dramaturg.v2 import trace_pb2

_PACKAGE = Path(__file__).resolve().parents[1]

PREFIX = "dramaturg_compiled_"

REPLACED = tuple(
    _PACKAGE / "trace" / file
    for file in (
        "replay/steps/players.py", "replay/token_game.py", "partial/part_replay.py",
    )
)  # fmt: skip
"""The modules that the engine and the game replace: a change of them is to be seen running."""

MOST = (1 << 32) - 1
"""The largest parameter. An actor takes less than 2^31 messages, so a sum that grows by a number of
32 bits upon each stays below 2^63, where numbers of 64 bits and the model's are the same."""

_LESS = {"fib_n": 47, "shift": 32}
"""Smaller limits: the index of the largest Fibonacci number of 32 bits, and the widest shift."""


def sources() -> list[Path]:
    """The files that a compiled model is made from, or stands for."""
    folders = (_PACKAGE / "model", _PACKAGE / "compiled")
    return [*(file for folder in folders for file in sorted(folder.glob("*.py"))), *REPLACED]


def digest() -> str:
    """Over these, and the kinds of messages."""
    total = hashlib.sha256(trace_pb2.DESCRIPTOR.serialized_pb)
    for file in sources():
        name = str(file.relative_to(_PACKAGE))
        total.update(b"%s %s\n" % (name.encode(), hashlib.sha256(file.read_bytes()).digest()))
    return total.hexdigest()


def name() -> str:
    """The package of what is compiled of these sources, whether there is one or not."""
    return PREFIX + digest()[:20]


def folder() -> Path:
    """The folder of the package: with the packages of this Python, which imports from it anyway."""
    return Path(sysconfig.get_path("platlib"))


@cache
def package() -> str:
    """Its name; empty if there is none. One of other sources has another name."""
    called = name()
    try:
        engine = importlib.import_module(f"{called}.engine")
    except ImportError:
        return ""
    # A folder of sources would be found as well, and would be slow.
    return "" if str(engine.__file__).endswith(".py") else called


def stale() -> bool:
    """True if there is a package of other sources."""
    return any(folder().glob(PREFIX + "*"))


def described() -> str:
    """Name the model that runs here, for people."""
    if package():
        return "compiled"
    return "not compiled: its sources have changed since" if stale() else "not compiled"


@dataclasses.dataclass(frozen=True, slots=True)
class Machine:
    """The compiled model, for one workload."""

    engine: ModuleType
    game: ModuleType
    model: ModuleType
    parameters: Any
    """The model's own."""
    initial: list[Any]
    """Its actors that exist before the first message."""


def machine(parameters: Any) -> Machine | None:
    """The machine code of the benchmark with these parameters; None if nothing is compiled, or
    numbers might be too large for it."""
    called, (layer, _, model) = package(), type(parameters).__module__.rpartition(".")
    if not called or layer != "dramaturg.model" or not _fits(parameters):
        return None
    return machine_of(called, model, parameters)


def machine_of(called: str, model: str, parameters: Any) -> Machine:
    """The same, of this package and for this model."""
    engine, game, module = (
        importlib.import_module(f"{called}.{name}") for name in ("engine", "game", model)
    )
    values = {
        field.name: getattr(parameters, field.name) for field in dataclasses.fields(parameters)
    }
    own = module.Parameters(**values)
    return Machine(engine, game, module, own, module.initial(own))


def _fits(parameters: Any) -> bool:
    return all(0 <= value <= most for value, most in _values(parameters))


def _values(parameters: Any) -> Iterator[tuple[int, int]]:
    for field in dataclasses.fields(parameters):
        yield int(getattr(parameters, field.name)), _LESS.get(field.name, MOST)
