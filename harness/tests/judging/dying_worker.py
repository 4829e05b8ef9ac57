"""A worker that is killed at its work."""

import os
import signal
from typing import Any


def decide(given: dict[str, Any]) -> None:
    os.kill(os.getpid(), signal.SIGKILL)
