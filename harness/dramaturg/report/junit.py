"""``junit.xml``: the records as continuous integration reads them.

One test suite for each implementation, one test case for each case, and one for each
timing group, which fails if a receipt does not hold. A *fail* is a failure; a crash, a
timeout and a harness fault are errors; a case that could not be run is skipped and says in ``type``
which kind of not-run it is. A records file without its footer is an error of its own suite, so that
an interrupted run is never green.
"""

import xml.etree.ElementTree as ET
from typing import Any

from dramaturg.outcomes import Outcome
from dramaturg.records import CaseRecord
from dramaturg.report import audits, formatting
from dramaturg.report.summary import State, Summary, TimedImplementation, TimingGroup, UnitFinding
from dramaturg.trace.explanation.render import last_words
from dramaturg.visible import visible

_TAGS = {
    Outcome.FAIL: "failure",
    Outcome.CRASH: "error",
    Outcome.TIMEOUT: "error",
    Outcome.HARNESS_FAULT: "error",
    Outcome.NOT_RUN: "skipped",
    Outcome.TOOLCHAIN_MISSING: "skipped",
    Outcome.UNSUPPORTED: "skipped",
}
_COUNTED = {"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"}
_LISTED = ("history", "sequence")
"""The parts of a divergence that take a line for each entry; its requirements are told with the
case's."""


def document(summary: Summary, cases: list[CaseRecord]) -> str:
    """The text of ``junit.xml`` for these cases and what the summary says of timings."""
    root = ET.Element("testsuites", name="dramaturg")
    for verdict in summary.implementations:
        name = verdict.implementation
        suite = ET.SubElement(root, "testsuite", name=visible(name))
        for case in cases:
            if case.implementation == name:
                _case(suite, case)
        for group in summary.groups:
            for timed in group.implementations:
                if timed.implementation == name:
                    _timed(suite, group, timed)
        for unit in summary.units:
            if unit.implementation == name:
                _unit(suite, unit)
    _interrupted(root, summary)
    for suite in root:
        _count(suite, suite)
        suite.set("time", f"{sum(float(case.get('time', '0')) for case in suite):.3f}")
    _count(root, root)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _case(suite: ET.Element, case: CaseRecord) -> None:
    group = f"{case.implementation}.level{case.level}.{case.benchmark}"
    element = _testcase(suite, group, case.case, case.seconds)
    properties = ET.SubElement(element, "properties")
    ET.SubElement(properties, "property", name="level", value=str(case.level))
    for requirement in case.requirements:
        ET.SubElement(properties, "property", name="requirement", value=visible(requirement))
    if case.command:
        ET.SubElement(properties, "property", name="command", value=visible(case.command))
    if case.known:
        message = f"{case.outcome}, a known failure: {case.known}"
        _result(element, "skipped", "known failure", message, _details(case))
    elif case.excused:
        message = f"{case.outcome}, recommended: {case.message}"
        _result(element, "skipped", "recommended", message, _details(case))
    elif case.outcome is not Outcome.PASS:
        _outcome(element, case.outcome, case.message, _details(case))


def _details(case: CaseRecord) -> str:
    divergence = case.divergence or {}
    lines = [case.message]
    for key, value in divergence.items():
        if key not in (*_LISTED, "requirements"):
            lines.append(f"{key}: {formatting.spell(value)}")
    for key in (key for key in divergence if key in _LISTED):
        lines += [f"{key}:", *(f"  {_line(entry)}" for entry in divergence[key])]
    if case.why:
        lines += ["why:", *(f"  {r['id']}, {r['chapter']}: {r['text']}" for r in case.why)]
    lines += last_words(case.stderr)
    if case.command:
        lines.append(f"command: {case.command}")
    return "\n".join(line for line in lines if line)


def _line(entry: str | dict[str, Any]) -> str:
    """An event of the history, or a step of the sequence."""
    if isinstance(entry, str):
        return entry
    if "more" in entry:
        return f"{entry['more']} more"
    return f"{entry['from']} -> {entry['to']}  {entry['message']}  {entry['status']}"


def _timed(suite: ET.Element, group: TimingGroup, timed: TimedImplementation) -> None:
    element = _timed_case(suite, timed.implementation, group)
    properties = ET.SubElement(element, "properties")
    ET.SubElement(properties, "property", name="samples", value=str(len(timed.samples)))
    ET.SubElement(properties, "property", name="certified", value=str(timed.certified).lower())
    ET.SubElement(properties, "property", name="audited", value=audits.spell(timed.audit))
    if timed.invalid:
        total = len(timed.samples) + len(timed.invalid)
        message = f"{len(timed.invalid)} of {total} iterations are invalid"
        marked = formatting.mark(timed)
        message += f", {marked}" if marked else ""
        lines = [
            f"invocation {sample.invocation}, iteration {sample.iteration}: {problem}"
            for sample in timed.invalid
            for problem in sample.problems or ["marked invalid, without a reason"]
        ]
        _outcome(element, Outcome.FAIL, message, "\n".join(lines))
    elif not timed.samples:
        _outcome(element, Outcome.NOT_RUN, "nothing but warm-up was recorded")


def _unit(suite: ET.Element, unit: UnitFinding) -> None:
    element = _timed_case(suite, unit.implementation, unit)
    if unit.invocation is not None:
        element.set("name", f"{element.get('name')}, invocation {unit.invocation}")
    marked = formatting.mark(unit)
    _outcome(element, unit.outcome, f"{marked}: {unit.message}" if marked else unit.message)


def _timed_case(
    suite: ET.Element, implementation: str, unit: TimingGroup | UnitFinding
) -> ET.Element:
    return _testcase(suite, f"{implementation}.timed.{unit.benchmark}", formatting.setting(unit))


def _interrupted(root: ET.Element, summary: Summary) -> None:
    files = {"conformance.jsonl": summary.conformance, "timings.jsonl": summary.timings}
    torn = {name: file for name, file in files.items() if file.state is State.INTERRUPTED}
    if not torn and summary.state is State.COMPLETE:
        return
    suite = ET.SubElement(root, "testsuite", name="dramaturg")
    if not torn:
        element = _testcase(suite, "dramaturg.records", "results")
        _outcome(element, Outcome.HARNESS_FAULT, "interrupted before anything was recorded")
    for file_name, file in torn.items():
        element = _testcase(suite, "dramaturg.records", file_name)
        message = f"interrupted after {file.records} records"
        _outcome(element, Outcome.HARNESS_FAULT, message)


def _testcase(suite: ET.Element, group: str, name: str, seconds: float = 0.0) -> ET.Element:
    return ET.SubElement(
        suite, "testcase", classname=visible(group), name=visible(name), time=f"{seconds:.3f}"
    )


def _outcome(element: ET.Element, outcome: Outcome, message: str, text: str = "") -> None:
    _result(element, _TAGS[outcome], str(outcome), message, text)


def _result(element: ET.Element, tag: str, kind: str, message: str, text: str) -> None:
    result = ET.SubElement(element, tag, type=kind, message=visible(message))
    result.text = visible(text) or None


def _count(element: ET.Element, scope: ET.Element) -> None:
    for attribute, tag in _COUNTED.items():
        element.set(attribute, str(sum(1 for _ in scope.iter(tag))))
