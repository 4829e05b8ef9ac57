"""The environment section: whatever was captured is shown, under the name it has."""

import time
from collections.abc import Iterator
from typing import Any

from dramaturg.report import formatting

_CPU = ("model", "cores", "physical", "pinned_to", "quota", "governor")

Pairs = list[tuple[str, str]]


def sections(environment: dict[str, Any]) -> list[tuple[str, Pairs]]:
    """Titled lists of plain pairs; pairs without a section of their own come first, untitled.

    The keys are those of ``machine.environment``, but none is required and none is left
    out: a field that a later version captures is shown without a change here.
    """
    plain, titled = [], []
    for key, value in environment.items():
        if key == "implementations" and isinstance(value, dict):
            titled += [(name, list(_pairs(of))) for name, of in value.items()]
        elif _nested(value):
            titled.append((key, list(_pairs(value))))
        else:
            plain.append((key, _spell(key, value)))
    return [section for section in [("", plain), *titled] if section[1]]


def circumstances(environment: dict[str, Any]) -> dict[str, str]:
    """The machine and the harness of a run, in words: runs that differ here may not be compared
    (MEAS-14). Empty if that was not recorded."""
    if not environment:
        return {}
    cpu, memory, kernel = (part(environment, name) for name in ("cpu", "memory", "kernel"))
    source, packages = part(environment, "source"), part(environment, "packages")
    told = {
        **{name: cpu.get(name) for name in _CPU},
        "memory": _bytes(memory.get("total")),
        "distribution": environment.get("distribution"),
        "virtualised": environment.get("virtualised"),
    }
    return {
        "machine": formatting.pairs({name: value for name, value in told.items() if value}),
        "kernel": " ".join(str(value) for value in kernel.values()),
        "harness": f"{packages.get('dramaturg')}, revision {source.get('revision')}",
    }


def known_source(environment: dict[str, Any]) -> bool:
    """True if the harness was what its revision says."""
    source = part(environment, "source")
    return source.get("revision") is not None and source.get("dirty") is False


def _bytes(total: Any) -> str:
    """Write it to the byte: it tells machines of one make apart."""
    return f"{total:,} bytes" if isinstance(total, int) else ""


def part(of: dict[str, Any], name: str) -> dict[str, Any]:
    """An object in what was captured; an empty one where it is none."""
    found = of.get(name)
    return found if isinstance(found, dict) else {}


def _nested(value: Any) -> bool:
    return isinstance(value, dict) or _named_list(value)


def _named_list(value: Any) -> bool:
    """A list of things that each have a name, as capabilities are captured."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(item, dict) and "name" in item for item in value)
    )


def _pairs(value: Any, prefix: str = "") -> Iterator[tuple[str, str]]:
    if _named_list(value):
        for item in value:
            rest = [formatting.spell(of) for key, of in item.items() if key != "name" and of != ""]
            yield f"{prefix}{item['name']}", ": ".join(rest)
        return
    if not isinstance(value, dict):
        yield prefix.strip() or "value", formatting.spell(value)
        return
    for key, item in value.items():
        if _nested(item):
            yield from _pairs(item, f"{prefix}{key} ")
        else:
            yield f"{prefix}{key}", _spell(key, item)


def _spell(key: str, value: Any) -> str:
    if key == "captured" and formatting.is_moment(value):
        return time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(value))
    if key in ("total", "available") and isinstance(value, int) and not isinstance(value, bool):
        return formatting.memory(value)
    if key == "command" and isinstance(value, list):
        return " ".join(str(word) for word in value)
    return "unknown" if value is None else formatting.spell(value)
