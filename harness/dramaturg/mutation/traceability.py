"""Finds for every MUST of the specification the checks that would notice a breach.

A requirement is held if a mutant that breaks it was killed by a case that names it, or by a
verdict that quotes it: ``conformance/kills.yaml`` is the record of who killed whom.
``conformance/requirements.yaml`` is the result. Only its ``review`` entries are written by
hand: they say of a requirement why no run can show that it is broken, and so who has to look.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from dramaturg import files, paths, requirements
from dramaturg.cases.cases import load_all
from dramaturg.errors import ManifestError
from dramaturg.mutation import kills, native_mutants, reference_mutants
from dramaturg.mutation.requirements_file import Trace

PAGE = paths.ROOT / "docs" / "requirements.md"
HARNESS = reference_mutants.FOLDER / "harness"

_HEAD = """\
# From every MUST to its cases and mutants. Made by `dramaturg requirements`, except for
# `review`: why no run can show that it is broken, and what has to be looked at instead.
"""


class WrongHarness(BaseModel):
    """A harness with one thing changed, and the tests that must fail with it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    breaks: list[str]
    file: str
    """The path in ``harness/dramaturg``."""
    replace: str
    by: str
    caught_by: str
    """The arguments of pytest, in ``harness/tests``: a file or a test, and perhaps ``-k``."""

    @property
    def tests(self) -> str:
        """The file, or test, without what is chosen of it."""
        return self.caught_by.partition(" -k ")[0]


def wrong_harnesses() -> list[WrongHarness]:
    """The wrong harnesses. Raises ManifestError for a file that cannot be used."""
    file = HARNESS / "expected.yaml"
    try:
        return TypeAdapter(list[WrongHarness]).validate_python(files.read_yaml(file))
    except (files.Unreadable, ValidationError) as error:
        raise ManifestError(f"{file}: {files.brief(str(error))}") from None


def musts() -> dict[str, requirements.Requirement]:
    """The requirements that somebody MUST fulfil, in the order of the chapters."""
    return {name: each for name, each in requirements.load().items() if "MUST" in each.text}


def collect(reviewed: dict[str, Trace]) -> dict[str, Trace]:
    """Collects what cases, mutants and reviews say now, by requirement."""
    found = {name: Trace() for name in musts()}
    for name, trace in reviewed.items():
        if trace.review and name in found:
            found[name].review = trace.review
    for case in load_all():
        for name in _known(case.message.requirements, found):
            found[name].cases.append(case.path)
    record = kills.written()
    for called, mutant in broken():
        kill = record.get(called)
        for name in _known(mutant.breaks, found):
            if kill and (kill.by in found[name].cases or name in kill.quoted):
                found[name].mutants[called] = kill.by
            else:
                found[name].elsewhere.append(called)
    for wrong in wrong_harnesses():
        for name in _known(wrong.breaks, found):
            found[name].mutants[f"harness/{wrong.name}"] = wrong.tests
            if wrong.tests not in found[name].tests:
                found[name].tests.append(wrong.tests)
    return found


def broken() -> Iterator[tuple[str, reference_mutants.Mutant]]:
    """All wrong implementations, the native ones too, as the record of kills calls them."""
    for folder in reference_mutants.FOLDERS:
        for mutant in reference_mutants.expected(folder):
            yield mutant.name, mutant
    for member in native_mutants.everybody():
        if isinstance(member.entry, reference_mutants.Mutant):
            yield f"native/{member.name}", member.entry


def _known(names: Iterable[str], found: dict[str, Trace]) -> list[str]:
    return [name for name in names if name in found]


def text(traces: dict[str, Trace]) -> str:
    """As the file has it."""
    content = {name: trace.model_dump(exclude_defaults=True) for name, trace in traces.items()}
    return _HEAD + yaml.safe_dump(content, sort_keys=False, width=100, allow_unicode=True)


def page(traces: dict[str, Trace]) -> str:
    """As people read it: Markdown, a table for each chapter."""
    known = musts()
    shown = {name: trace for name, trace in traces.items() if not trace.review}
    lines = [
        "# From requirement to check",
        "",
        "Made by `dramaturg requirements` from the chapters, the cases and the mutants."
        f" {len(known)} requirements say MUST; {len(shown)} have checks that were seen to fail,"
        f" {len(known) - len(shown)} can only be reviewed.",
    ]
    for chapter in dict.fromkeys(each.file for each in known.values()):
        here = [name for name, each in known.items() if each.file == chapter]
        lines += [
            "",
            f"## [{Path(chapter).stem}](../{chapter})",
            "",
            "| id | cases, or tests of the harness | wrong ones that are caught |",
            "|---|---|---|",
            *(_row(name, traces[name]) for name in here),
        ]
    return "\n".join(lines) + "\n"


def _row(name: str, trace: Trace) -> str:
    checks = [path.rpartition("/")[2] for path in trace.cases] + trace.tests
    caught = ", ".join(filter(None, [_list(trace.mutants), trace.review and f"*{trace.review}*"]))
    return f"| {name} | {_list(checks)} | {caught} |"


def _list(items: Iterable[str]) -> str:
    return ", ".join(f"`{item}`" for item in items)
