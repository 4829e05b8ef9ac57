"""Suites, and who is timed, as the words and options of a command name them."""

from collections.abc import Iterable, Sequence
from typing import Any

from dramaturg import meant
from dramaturg.implementation.manifest import Implementation, Manifest, everybody
from dramaturg.timing.planning import scenarios, suites
from dramaturg.timing.planning.suites import Suite, SuiteError

TO_BE_READ = frozenset({"reference", "asyncio"})
"""Written to be read, not to be fast: they are timed only when they are named."""


_PARAMETERS = (*scenarios.PARAMETERS, "rounds")


_NETWORK = ("nodes", "bandwidth", "delay", "loss")


def chosen(
    what: Iterable[str], given: dict[str, Any], *, suites_first: bool = False
) -> list[Suite]:
    """Suites by name, and one made of each benchmark that is named. Raises SuiteError.

    ``suites_first``: a word that is both (``broker``) means the suite, unless something is given
    beside it that only a benchmark takes.
    """
    repeats: dict[str, Any] = {
        key: given[key]
        for key in ("invocations", "iterations", "warmup", "timeout")
        if key in given
    }
    other = given.keys() - repeats.keys() - {"scale"}
    found = []
    both = set(suites.available()) if suites_first and not other else set()
    for word in what:
        if word in scenarios.BENCHMARKS and word not in both:
            content = {"suite": word, "benchmarks": [_entry(word, given)]} | repeats
            found.append(suites.checked(content))
            continue
        try:
            suite = suites.load(word)
        except SuiteError:
            if suites.is_file(word):
                raise
            there = [*suites.available(), *scenarios.BENCHMARKS]
            raise SuiteError(
                f"no suite is called {word!r}{meant.hint(word, there) or ';'} there are:"
                f" {', '.join(suites.available())}; benchmarks are:"
                f" {', '.join(scenarios.BENCHMARKS)}"
            ) from None
        if other:
            options = ", ".join(f"--{key.replace('_', '-')}" for key in sorted(other))
            raise SuiteError(f"{options} goes with a benchmark; the suite {word} says it itself")
        found.append(_changed(suite, repeats, given.get("scale")))
    return found


def _changed(suite: Suite, repeats: dict[str, Any], scale: str | None) -> Suite:
    """The suite, run otherwise. Raises SuiteError where an entry cannot be at that scale."""
    content = suite.model_dump(exclude_unset=True) | repeats
    for entry in content["benchmarks"]:
        for key in repeats:
            entry.pop(key, None)
        if scale:
            entry["scale"] = scale
    where = f"suite {suite.suite}" + (f" at --scale {scale}" if scale else "")
    return suites.checked(content, where)


def _pair(text: str) -> tuple[str, int]:
    name, equals, number = text.partition("=")
    if not equals or not number.isdecimal():
        raise SuiteError(f"--parameter {text} must be NAME=NUMBER, such as peers=100")
    return name, int(number)


def manifests(found: Sequence[Implementation]) -> dict[str, Manifest]:
    """Return the manifests by name."""
    return {each.name: each.manifest for each in found}


def everyone() -> list[Implementation]:
    """All that are timed where none is named."""
    return [each for each in everybody() if each.name not in TO_BE_READ]


def _entry(benchmark: str, given: dict[str, Any]) -> dict[str, Any]:
    entry: dict[str, Any] = {"benchmark": benchmark}
    entry |= {key: given[key] for key in ("scenario", "scale", "history") if key in given}
    entry["parameters"] = {
        key: given[key] for key in _PARAMETERS if key in given and key != "history"
    }
    entry["parameters"] |= dict(map(_pair, given.get("pairs", ())))
    entry["network"] = {key: given[key] for key in _NETWORK if key in given}
    return entry
