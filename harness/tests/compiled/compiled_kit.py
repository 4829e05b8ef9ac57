"""The translated model, as it is: the interpreter runs it where nothing is compiled."""

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from dramaturg.compiled import loading, translation

NAME = "translated_for_tests"


@contextmanager
def imported(folder: Path) -> Iterator[str]:
    """A package of the translated sources, not compiled; its name."""
    (folder / NAME).mkdir()
    for file, text in translation.package(NAME).items():
        (folder / NAME / file).write_text(text)
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield NAME
    finally:
        sys.path.remove(str(folder))
        for each in [name for name in sys.modules if name.partition(".")[0] == NAME]:
            del sys.modules[each]


def module(package: str, name: str) -> ModuleType:
    return importlib.import_module(f"{package}.{name}")


def compiled() -> str:
    """The compiled package of these sources; empty if there is none."""
    return loading.package()
