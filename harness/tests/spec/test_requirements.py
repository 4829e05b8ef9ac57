"""Every requirement has one identifier, and every reference to one leads somewhere."""

import re
from collections import Counter

from dramaturg import paths
from dramaturg.conformance.cases import load_all

_ID = (
    r"(?:ACT|TRACE|LCG|CHAT|PING|BIG|BANG|WIN|DIST|WEB|COUNT|CHAIN|FANOUT|SLEEP|SORT|BROKER"
    r"|CTRL|STDIO|IMPL|LEVEL|MEAS)-\d+"
)
_DEFINED = re.compile(rf"^(?:\| (?:\*\*)?({_ID})(?:\*\*)? \||\*\*({_ID})\*\*)", re.MULTILINE)


def defined() -> Counter[str]:
    found: Counter[str] = Counter()
    for file in paths.SPEC.glob("*.md"):
        found.update(a or b for a, b in _DEFINED.findall(file.read_text()))
    return found


def test_every_identifier_is_defined_once() -> None:
    counts = defined()
    assert len(counts) > 100
    assert [name for name, count in counts.items() if count > 1] == []


def test_every_reference_leads_to_a_requirement() -> None:
    known = set(defined())
    places = [*paths.SPEC.glob("*.md"), *(paths.ROOT / "proto").rglob("*.proto")]
    places += [*(paths.ROOT / "harness" / "dramaturg").rglob("*.py")]
    places += [*paths.IMPLEMENTATIONS.rglob("*.py"), *paths.CASES.glob("*.yaml")]
    lost = {
        (file.name, name)
        for file in places
        for name in re.findall(rf"\b{_ID}\b", file.read_text())
        if name not in known
    }
    assert lost == set()


def test_cases_name_requirements_that_exist() -> None:
    known = set(defined())
    for case in load_all():
        assert set(case.message.requirements) <= known, case.name
