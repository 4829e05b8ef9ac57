"""Measure what other hosts cost, with workers of this machine: to have them, to ask, to be told.

``bench_cluster.py [--cluster local:2] [--jobs 20]``
"""

import argparse
import statistics
import time
from collections.abc import Sequence

from dramaturg.cluster import host_tools, reached
from dramaturg.cluster.reached import Ended, Job, Reached
from dramaturg.implementation.manifest import find


def main() -> None:
    """Print seconds, each with what it is of."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--cluster", default="local:2")
    words.add_argument("--jobs", type=int, default=20)
    asked = words.parse_args()
    begun = time.perf_counter()
    with reached.reached(asked.cluster) as hosts:
        print(f"{time.perf_counter() - begun:8.3f} s  until {len(hosts.hosts)} workers are there")
        begun = time.perf_counter()
        host_tools.ask(hosts, [find("reference")])
        print(f"{time.perf_counter() - begun:8.3f} s  to ask all for a toolchain")
        one = [_seconds(hosts, 1) for _ in range(asked.jobs)]
        print(f"{statistics.median(one):8.3f} s  for a job that does nothing (median)")
        many = _seconds(hosts, asked.jobs) / asked.jobs
        print(f"{many:8.3f} s  for each of {asked.jobs} such jobs at once")
        begun = time.perf_counter()
    print(f"{time.perf_counter() - begun:8.3f} s  until all have ended")


def _seconds(hosts: Reached, number: int) -> float:
    job = Job("dramaturg.cluster.host_tools:asked", {"implementations": {}}, hosts.hosts)
    jobs: Sequence[Job] = [job] * number
    begun = time.perf_counter()
    ended = [event for event in hosts.perform(jobs) if isinstance(event, Ended)]
    assert [event.returned for event in ended] == [{}] * number, ended
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()
