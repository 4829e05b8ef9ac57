"""Measure what nodes on hosts of their own cost, with agents of this machine: to have them, to ask,
to send a build, to start a node on each.

``bench_hosts.py [--hosts local:4] [--implementation asyncio] [--questions 200]``
"""

import argparse
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from dramaturg.hosts import asked_hosts, sent_builds, started_agents
from dramaturg.hosts.started_agents import Started
from dramaturg.implementation import build
from dramaturg.implementation.manifest import find
from dramaturg.orchestration.bench_on_hosts import PROGRAM


def main() -> None:
    """Print seconds, each with what it is of."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--hosts", default="local:4")
    words.add_argument("--implementation", default="asyncio")
    words.add_argument("--questions", type=int, default=200)
    asked = words.parse_args()
    implementation = find(asked.implementation)
    build.build(implementation)
    sent = sent_builds.of(implementation, build.built(implementation), certified=False)
    said, content = sent.model_dump(), sent_builds.packed(implementation)
    hosts = asked_hosts.parse(asked.hosts)
    begun = time.perf_counter()
    with started_agents.started(hosts, PROGRAM, lambda *heard: None, print) as agents:
        many = len(agents.all)
        _each(agents.all, {"op": "facts", "variables": {}})
        _tell(begun, f"until {many} agents have said what their hosts are")
        trips = []
        for _ in range(asked.questions):
            begun = time.perf_counter()
            agents.all[0].one({"op": "ping"})
            trips.append(time.perf_counter() - begun)
        print(f"{statistics.median(trips):9.4f} s  for a question to one of them (median)")
        for each in agents.all:
            _each([each], {"op": "place", "interface": None, "address": each.address})
        begun = time.perf_counter()
        _each(agents.all, {"op": "build", "sent": said}, content)
        _tell(begun, f"until all have the build ({len(content):,} bytes), and its tools were asked")
        words_of = [
            {"op": "start", "node": node, "name": sent.folder, "environment": {}, "cores": []}
            for node in range(many)
        ]
        begun = time.perf_counter()
        with ThreadPoolExecutor(many) as pool:
            list(
                pool.map(lambda pair: pair[0].one(pair[1]), zip(agents.all, words_of, strict=True))
            )
        _tell(begun, f"until {many} nodes, one on each, have said what they are")
        begun = time.perf_counter()
    _tell(begun, "until all have ended")


def _each(agents: list[Started], asked: dict[str, Any], content: bytes = b"") -> None:
    with ThreadPoolExecutor(len(agents)) as pool:
        list(pool.map(lambda each: each.one(asked, content), agents))


def _tell(begun: float, of: str) -> None:
    print(f"{time.perf_counter() - begun:9.4f} s  {of}")


if __name__ == "__main__":
    main()
