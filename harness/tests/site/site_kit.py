"""The parts of sites in tests: certificates of implementations that nobody has run, and times that
nobody has taken."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from attack_kit import Prey, document, written
from click.testing import CliRunner, Result
from report_records import audited, sample, write_samples

from dramaturg import results
from dramaturg.cli.main import cli

ENVIRONMENT: dict[str, Any] = {
    "captured": 1706702400.0,
    "cpu": {"model": "EPYC 7763", "cores": 2, "pinned_to": [0, 1], "frequency_mhz": 2600.0},
    "memory": {"total": 8326508544, "available": 7126508544},
    "kernel": {"system": "Linux", "release": "6.1.0-18-amd64", "machine": "x86_64"},
    "distribution": "Debian GNU/Linux 12 (bookworm)",
    "load": {"1min": 0.02},
    "packages": {"dramaturg": "0.1.0"},
    "source": {"revision": "75df5db0c1", "dirty": False},
}


def certificate(folder: Path, *names: str, when: float = 1706702400.0) -> dict[str, Any]:
    """A certificate of implementations of these names, in which everything passed."""
    kept = folder / "sources"
    builds = [Prey(kept / name, name).implementation for name in names]
    with pytest.MonkeyPatch.context() as patch:
        made = document(patch, *builds)
    made["predicate"]["environment"]["captured"] = when
    return made


def build_of(made: dict[str, Any], name: str) -> str:
    return str(made["predicate"]["implementations"][name]["build"])


def handed(folder: Path, made: dict[str, Any]) -> Path:
    """A results folder with this certificate in it."""
    folder.mkdir(parents=True, exist_ok=True)
    written(folder / results.CERTIFICATE, made)
    return folder


def timed(
    folder: Path, builds: dict[str, str], medians: dict[str, float], *,
    complete: bool = True, environment: dict[str, Any] | None = None, **values: Any,
) -> Path:  # fmt: skip
    """A results folder with times of ping-pong: of each, eight invocations around a median in
    milliseconds, two per cent wide."""
    folder.mkdir(parents=True, exist_ok=True)
    common: dict[str, Any] = {
        "benchmark": "pingpong", "scenario": "counted", "parameters": {"rounds": 1000},
        "turn_nanos": [], "messages": 2000,
    } | values  # fmt: skip
    records = []
    for name, median in medians.items():
        for invocation in range(8):
            each = [
                sample(
                    name, build=builds[name], invocation=invocation, iteration=iteration,
                    run_nanos=int(median * 1e6 * (1 + (invocation - 3.5) / 350)), **common,
                )
                for iteration in range(3)
            ]  # fmt: skip
            sealed = audited(*each)
            sealed[-2] = sealed[-2].model_copy(
                update={"messages": 2000, "decided": 2000, "run_nanos": each[0].run_nanos * 2}
            )
            records += sealed
    write_samples(folder, *records, complete=complete)
    said = json.dumps(environment or ENVIRONMENT)
    (folder / results.ENVIRONMENT).write_text(said, encoding="utf-8")
    return folder


def site(*words: object) -> Result:
    """``dramaturg site``, in this process."""
    return CliRunner().invoke(cli, ["site", *(str(word) for word in words)])


def made(output: Path) -> dict[str, Any]:
    """The site as data."""
    said: dict[str, Any] = json.loads((output / "site.json").read_text())
    return said


class Page(HTMLParser):
    """A page, read strictly: what it refers to, its addresses, and what is not well formed."""

    VOID = {"meta", "link", "img", "br", "hr", "wbr", "input"}

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.links: list[str] = []
        self.loads: list[str] = []
        self.ids: list[str] = []
        self.problems: list[str] = []
        self.words = ""
        self._open: list[str] = []
        self.feed(text)
        self.close()
        self.problems += [f"<{tag}> is never closed" for tag in self._open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if len(values) != len(attrs):
            self.problems.append(f"<{tag}> has an attribute twice")
        if tag == "script" or any(name.startswith("on") for name in values):
            self.problems.append(f"<{tag}> acts")
        if tag not in self.VOID:
            self._open.append(tag)
        if tag == "link" or "src" in values:
            self.loads.append(values.get("href") or values.get("src") or "")
        elif "href" in values:
            self.links.append(values["href"] or "")
        if "style" in values:
            self.problems.append(f"<{tag}> has a style of its own")
        if values.get("id"):
            self.ids.append(str(values["id"]))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open[-1] != tag:
            self.problems.append(f"</{tag}> closes <{self._open[-1] if self._open else 'nothing'}>")
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] == "style":
            self.loads += re.findall(r"url\(([^)]*)\)|@import\s+(\S+)", data)
        self.words += data


def exhibition(folder: Path) -> Path:
    """A centre's sources as they may be: some signed, some not, one dead; for looking at it."""
    names = ("akka", "caf", "erlang", "pony")
    one = certificate(folder / "one", *names)
    handed(folder / "results", one)
    builds = {name: build_of(one, name) for name in names}
    timed(folder / "results", builds, {"akka": 64, "caf": 41, "erlang": 41.5, "pony": 90})
    return folder / "results"
