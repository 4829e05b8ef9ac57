"""The sessions of spec/stdio.md: read off the page, and held with the reference over pipes.

``python harness/tests/spec/stdio_kit.py`` prints them as the page has to show them.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dramaturg import paths

PAGE = paths.SPEC / "stdio.md"

FAILING = """
from dramaturg.model.chatapp import Client
def accepted(self, sender, turn, level):
    raise IndexError("list index out of range")
Client.accepted = accepted
Client.handlers |= {k: accepted for k, h in Client.handlers.items() if h.__name__ == "accepted"}
"""
"""The code that makes the second session's actor fail."""

SERVE = "import asyncio, over_pipes; asyncio.run(over_pipes.serve())"

Line = dict[str, Any]


@dataclass
class Exchange:
    """A request and what it was answered with."""

    request: Line
    answers: list[Line] = field(default_factory=list)


Session = list[Exchange]


def shown() -> list[Session]:
    """The sessions on the page."""
    blocks = re.findall(r"^```text\n(> .*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    return [_exchanges(block.splitlines()) for block in blocks]


def _exchanges(lines: Sequence[str]) -> Session:
    session: Session = []
    for line in lines:
        if line.startswith("> {"):
            session.append(Exchange(json.loads(line[2:])))
        elif line.startswith("< {"):
            answer = json.loads(line[2:])
            next(each for each in session if each.request["id"] == answer["id"]).answers.append(
                answer
            )
    return session


def held(requests: Sequence[Line], changes: str = "") -> tuple[Session, int]:
    """A session with these requests, each made when the one before was answered; and the exit
    status at the end of input."""
    folders = ("harness", "implementations/reference/src", "conformance/mutants")
    environment = os.environ | {"PYTHONPATH": ":".join(str(paths.ROOT / f) for f in folders)}
    with subprocess.Popen(
        [sys.executable, "-c", changes + SERVE], env=environment, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        session = []
        for request in requests:
            process.stdin.write(spelt(request) + "\n")
            process.stdin.flush()
            session.append(Exchange(request))
            for line in process.stdout:
                answer = json.loads(line)
                session[-1].answers.append(answer)
                if "item" not in answer:
                    break
        process.stdin.close()
        return session, process.wait(30)


def spelt(line: Line) -> str:
    """As short as JSON can be."""
    return json.dumps(line, separators=(",", ":"))


if __name__ == "__main__":
    for session, changes in zip(shown(), ("", FAILING), strict=True):
        print("```text")
        for exchange in held([each.request for each in session], changes)[0]:
            print(">", spelt(exchange.request))
            for answer in exchange.answers:
                print("<", spelt(answer))
        print("```\n")
