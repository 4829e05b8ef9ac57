"""The main program: an event loop for the actors, and a thread that reads requests."""

import asyncio
import os
import sys
from threading import Thread

from asyncio_actors.control.port import Answers, Port

GRACE = 0.2
"""Seconds after the end of the input in which a last answer may still be given."""


def main() -> None:
    """Take calls until the input ends, and then end, whatever is under way (CTRL-11)."""
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="actors", daemon=True).start()
    port = Port(loop, Answers(sys.stdout.buffer))
    for line in sys.stdin.buffer:
        port.take(line)
    port.rest(GRACE)
    # An orderly exit would wait for the actors' thread, which may be computing for minutes.
    os._exit(0)
