"""A small run of each micro-benchmark, as its chapter shows it.

``python harness/tests/spec/runs_kit.py`` puts the runs into the chapters.
"""

import re
import textwrap

from dramaturg import paths
from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import MICRO, MicroWorkload
from dramaturg.trace.events import spell_event

SALT = 42

SHOWN: dict[str, dict[str, int]] = {
    "pingpong": {"rounds": 2},
    "count": {"adders": 2, "adds": 1},
    "chain": {"length": 3},
    "fanout": {"runners": 2, "tasks": 3, "window": 2},
    "sleepers": {"sleepers": 1, "naps": 2, "delay": 5},
    "bang": {"senders": 1, "messages": 2},
    "big": {"peers": 3, "rounds": 1},
    "web": {"browsers": 1, "workers": 2, "requests": 2, "fib_n": 6},
    "mergesort": {"length": 3, "leaf": 1, "seed": 42},
    "broker": {"employees": 1, "tasks": 1, "size": 4},
    "openweb": {"servers": 2, "requests": 2, "gap": 1000, "seed": 42, "fib_n": 6},
}
"""Each as small as it can be and still have every message."""

FREE = ("big", "count", "fanout", "mergesort", "openweb", "web")
"""The benchmarks that have other schedules as well."""

HEAD = "## A small run\n"


def section(benchmark: str) -> str:
    """Return the text that the chapter has to show."""
    parameters = MICRO[benchmark].parameters(**SHOWN[benchmark])
    workload = MicroWorkload(MICRO[benchmark], parameters).run(SALT).disconnect()
    logs = Simulation(workload).perform().logs
    lines = [spell_event(actor, event) for actor, log in logs.items() for event in log]
    given = ", ".join(f"`{name}` {value}" for name, value in SHOWN[benchmark].items())
    which = "By one of its schedules each actor" if benchmark in FREE else "Each actor"
    text = f"{given}, salt {SALT}. {which} takes these messages, in this order:"
    receipt = MICRO[benchmark].receipt(parameters, SALT, {})
    said = ", ".join(f"`{name}` {value}" for name, value in receipt.items())
    block = "\n".join(lines)
    wrapped = textwrap.fill(text, 96, break_on_hyphens=False)
    return f"{HEAD}\n{wrapped}\n\n```text\n{block}\n```\n\nThe receipt: {said}.\n"


def shown(benchmark: str) -> str:
    """Return the text that the chapter shows; empty if it does not."""
    text = (paths.SPEC / f"{benchmark}.md").read_text(encoding="utf-8")
    found = re.findall(rf"^{HEAD}.*?^The receipt: .*?\n", text, re.MULTILINE | re.DOTALL)
    return found[0] if found else ""


def write(benchmark: str) -> None:
    """Put it into the chapter: in its place, or before the published programs, or at the end."""
    file = paths.SPEC / f"{benchmark}.md"
    text, old, new = file.read_text(encoding="utf-8"), shown(benchmark), section(benchmark)
    if old:
        text = text.replace(old, new)
    elif "## The published programs" in text:
        text = text.replace("## The published programs", f"{new}\n## The published programs")
    else:
        text = f"{text.rstrip()}\n\n{new}"
    file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for each in SHOWN:
        write(each)
