"""False alarms: right implementations, certified again and again on a machine in distress.

Certifies each implementation in turn while a busy loop keeps each core, most of the memory
is taken, and one process or another is stopped for 20 ms. Nothing may be found wrong. FOLDER
keeps a line for each certification; it can be interrupted at any moment, and goes on where it was:

    certify_often.py --output /tmp/often --times 1000 erlang caf
    certify_often.py --output /tmp/often --times 1000 erlang caf --minutes 30

The results folder of a certification is kept if something was found wrong, else not. Exit code
0: all were done and none was found wrong; 1: one was; 2: not all are done.
"""

import argparse
import contextlib
import itertools
import json
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import psutil
from distress import distressed, outlived

from dramaturg import paths

LOG = "certifications.jsonl"

LEVELS = (0, 1, 2, 3)
"""The levels that certify; level 4 emulates a network, for which stalls are loss of the machine."""

STALL = 0.02
"""Seconds for which a process stands still."""

BETWEEN = 0.2
"""Seconds from one such stall to the next."""


def stall(above: int, done: threading.Event) -> None:
    """Stop a descendant of a process, at random, for a moment, and again, until done."""
    while not done.wait(BETWEEN):
        with contextlib.suppress(psutil.Error, IndexError):
            victim = random.choice(psutil.Process(above).children(recursive=True))
            victim.suspend()
            time.sleep(STALL)
            victim.resume()


def certified(name: str, folder: Path) -> tuple[int, str]:
    """Certify once, amid stalls: the exit code, and what was found wrong."""
    command = outlived("TERM", str(paths.ROOT / "dramaturg"), "certify", name, "--json")
    command += ["--output", str(folder)]
    for level in LEVELS:
        command += ["--level", str(level)]
    done = threading.Event()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as certify:
        stalls = threading.Thread(target=stall, args=(certify.pid, done))
        stalls.start()
        try:
            told, _ = certify.communicate()
        except KeyboardInterrupt:
            certify.send_signal(signal.SIGTERM)
            certify.wait()
            raise
        finally:
            done.set()
            stalls.join()
    if certify.returncode == 0:
        return 0, ""
    try:
        said = json.loads(told)
        wrong = [
            failure for each in said["implementations"].values() for failure in each["failures"]
        ]
        return certify.returncode, json.dumps(wrong or said["errors"])
    except (ValueError, KeyError):
        return certify.returncode, told.decode(errors="replace")[-2000:]


def recorded(log: Path) -> list[dict[str, Any]]:
    """Return the certifications so far. A last line that was cut off counts for nothing."""
    if not log.exists():
        return []
    whole = log.read_text(encoding="utf-8").rpartition("\n")[0]
    return [json.loads(line) for line in whole.splitlines()]


def go_on(names: list[str], folder: Path, times: int, until: float) -> None:
    """Certify whoever is behind the others, until each was so often or the time is over."""
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / LOG
    done = recorded(log)
    log.write_text("".join(json.dumps(line) + "\n" for line in done), encoding="utf-8")
    counts = Counter(dict.fromkeys(names, 0))
    counts.update(line["implementation"] for line in done)
    for number in itertools.count(len(done)):
        name = min(names, key=counts.__getitem__)
        if counts[name] >= times or time.monotonic() >= until:
            return
        results = folder / f"{number:06}"
        shutil.rmtree(results, ignore_errors=True)
        began = time.monotonic()
        code, wrong = certified(name, results)
        seconds = round(time.monotonic() - began, 1)
        line = {"implementation": name, "exit_code": code, "seconds": seconds, "wrong": wrong}
        with log.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        counts[name] += 1
        print(f"{name} {counts[name]}/{times}: exit code {code}, {seconds} s", file=sys.stderr)
        if code == 0:
            shutil.rmtree(results)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="+", help="implementations")
    parser.add_argument("--output", type=Path, required=True, help="folder for what was done")
    parser.add_argument("--times", type=int, default=1000, help="certifications of each")
    parser.add_argument("--minutes", type=float, help="so long, and then the last one's end")
    parser.add_argument("--leave", type=float, default=3, help="GiB of memory left free")
    options = parser.parse_args()
    until = time.monotonic() + 60 * options.minutes if options.minutes else float("inf")
    ballast = psutil.virtual_memory().available - int(options.leave * 2**30)
    with contextlib.suppress(KeyboardInterrupt), distressed(ballast):
        go_on(options.names, options.output, options.times, until)
    done = recorded(options.output / LOG)
    wrong = [line for line in done if line["exit_code"] != 0]
    for line in wrong:
        print(f"{line['implementation']}: exit code {line['exit_code']}: {line['wrong']}")
    counts = Counter(line["implementation"] for line in done)
    for name in options.names:
        print(f"{name}: {counts[name]} of {options.times} certifications")
    if wrong:
        return 1
    return 0 if all(counts[name] >= options.times for name in options.names) else 2


if __name__ == "__main__":
    sys.exit(main())
