"""A browser without a window, to look at pages as readers do.

It is spoken to over two pipes in the words of the DevTools protocol. A driver is not worth its size
here: the tests load a page, ask it something and click.
"""

import contextlib
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
MISSING = f"no browser here ({', '.join(PROGRAMS)}): apt-get install chromium-headless-shell"
PATIENCE = 120.0
"""Seconds in which it answers; it takes a hundredth of that where it has a core to itself."""


class Browser:
    """One process, with a page at a time."""

    def __init__(self, to: int, back: int) -> None:
        self._to, self._back = to, back
        self._last, self._rest = 0, b""
        self._session = ""
        self.events: list[dict[str, Any]] = []

    def ask(self, method: str, **values: Any) -> dict[str, Any]:
        """Its answer; what it says meanwhile goes to ``events``."""
        self._last += 1
        of = {"sessionId": self._session} if self._session else {}
        words = {"id": self._last, "method": method, "params": values, **of}
        os.write(self._to, json.dumps(words).encode() + b"\0")
        while (said := self._next()).get("id") != self._last:
            self.events.append(said)
        assert "error" not in said, f"{method}: {said['error']}"
        answer: dict[str, Any] = said["result"]
        return answer

    def wait(self, method: str, **values: Any) -> dict[str, Any]:
        """The first event of this name with these values, if it was or is said."""
        heard = 0
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            while heard == len(self.events):
                self.events.append(self._next())
            event, heard = self.events[heard], heard + 1
            found: dict[str, Any] = event.get("params", {})
            if event.get("method") == method and values.items() <= found.items():
                return found
        raise AssertionError(f"no {method} in {PATIENCE} s")

    def open(self, file: Path, width: int = 1100, scheme: str = "light") -> None:
        """Show a file in a new page."""
        self._session = ""
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.ask("Emulation.setEmulatedMedia", features=[feature])
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=900, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip
        self.events.clear()
        self.ask("Page.navigate", url=file.resolve().as_uri())
        self.wait("Page.loadEventFired")

    def close(self) -> None:
        """End the process."""
        self._session = ""
        self.ask("Browser.close")

    def value(self, expression: str) -> Any:
        """Return the value of an expression, in the page."""
        said = self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in said, said["exceptionDetails"]
        return said["result"].get("value")

    def complaints(self) -> list[str]:
        """Return the errors and warnings of the page's console."""
        self.value("0")
        wrong = ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")
        return [str(event) for event in self.events if event.get("method") in wrong]

    def asked_for(self) -> list[str]:
        """Return the addresses that the page loaded."""
        sent = (
            event for event in self.events if event.get("method") == "Network.requestWillBeSent"
        )
        return [event["params"]["request"]["url"] for event in sent]

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            more = os.read(self._back, 1 << 16)
            assert more, "the browser ended"
            self._rest += more
        said, _, self._rest = self._rest.partition(b"\0")
        found: dict[str, Any] = json.loads(said)
        return found


def program() -> str | None:
    """The first that is here."""
    return next((found for name in PROGRAMS if (found := shutil.which(name))), None)


@contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """One that ends with the block, with its files in ``folder``; without one the test is
    skipped."""
    found = program()
    if found is None:
        pytest.skip(MISSING)
    (requests, to), (back, answers) = os.pipe(), os.pipe()
    command = [
        found, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--remote-debugging-pipe", f"--user-data-dir={folder}", "--no-first-run",
    ]  # fmt: skip
    process = subprocess.Popen(
        # It reads at 3 and writes at 4.
        ["bash", "-c", f'exec "$@" 3<&{requests} 4>&{answers}', "bash", *command],
        pass_fds=(requests, answers),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    for end in (requests, answers):
        os.close(end)
    one = Browser(to, back)
    try:
        yield one
    finally:
        with contextlib.suppress(AssertionError, OSError):
            one.close()
        os.close(to)
        os.close(back)
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
