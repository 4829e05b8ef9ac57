"""A CPU quota is part of the machine: recorded, warned of, and what it stops is a wait."""

from pathlib import Path

import pytest

from dramaturg.history import points
from dramaturg.machine import environment, interference, quota
from dramaturg.report import cautions, machine
from dramaturg.timing.running import moments


def written(root: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    return root


V2 = {"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/cpu.weight": "100\n"}


@pytest.mark.parametrize(
    ("files", "cores"),
    [
        (V2 | {"sys/fs/cgroup/a/cpu.max": "50000 100000\n"}, 0.5),
        (V2 | {"sys/fs/cgroup/a/b/cpu.max": "max 100000\n"}, None),
        (
            V2
            | {
                "sys/fs/cgroup/a/b/cpu.max": "300000 100000\n",
                "sys/fs/cgroup/a/cpu.max": "150000 100000\n",
            },
            1.5,
        ),
        # A container: the path is the host's, and its own group is what is mounted.
        ({"proc/self/cgroup": "0::/x/y\n", "sys/fs/cgroup/cpu.max": "200000 100000\n"}, 2.0),
        (
            {
                "proc/self/cgroup": "3:cpuset:/\n1:cpu:/pt\n0::/\n",
                "sys/fs/cgroup/cpu/pt/cpu.cfs_quota_us": "50000\n",
                "sys/fs/cgroup/cpu/pt/cpu.cfs_period_us": "100000\n",
            },
            0.5,
        ),
        (
            {
                "proc/self/cgroup": "1:cpu,cpuacct:/\n",
                "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "-1\n",
                "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000\n",
            },
            None,
        ),
        (V2 | {"sys/fs/cgroup/a/cpu.max": "nonsense\n"}, None),
        ({}, None),
    ],
)
def test_the_least_quota_on_the_way_to_the_root_holds(
    tmp_path: Path, files: dict[str, str], cores: float | None
) -> None:
    assert quota.cores(written(tmp_path, files)) == cores


def test_what_a_quota_stops_is_counted_in_nanoseconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = written(tmp_path / "2", {"cpu.stat": "nr_throttled 3\nthrottled_usec 25\n"})
    one = written(tmp_path / "1", {"cpu.stat": "nr_throttled 3\nthrottled_time 7\n"})
    monkeypatch.setattr(quota, "_limited", lambda: (one, two, tmp_path))
    assert quota.throttled() == 25_007


def test_throttled_time_is_in_the_waits_of_the_ledger(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interference, "stolen", lambda: 40)
    monkeypatch.setattr(quota, "throttled", lambda: 2)
    assert moments.look([]).waits[moments._HOST] == 42


def test_it_is_part_of_the_machine_and_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    free, here = environment.capture(), environment.identity()
    monkeypatch.setattr(environment.quota, "cores", lambda: 0.5)
    limited = environment.capture()
    assert limited["cpu"]["quota"] == environment.identity()["quota"] == 0.5
    assert environment.identity() != here
    assert machine.circumstances(free) != machine.circumstances(limited)
    said = [list(cautions._of_machine(each)) for each in (free, limited)]
    assert ["CPU quota left 0.5 cores" in " ".join(each) for each in said] == [False, True]


def test_a_machine_keeps_the_name_that_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DRAMATURG_MACHINE", raising=False)
    unnamed = environment.identity()
    monkeypatch.setenv("DRAMATURG_MACHINE", "runner-7")
    named = environment.identity()
    monkeypatch.setattr(environment, "_read", lambda path: "another container")
    monkeypatch.setattr(environment.platform, "node", lambda: "f00ba5")
    assert environment.identity()["id"] == named["id"] != unnamed["id"]
    monkeypatch.delenv("DRAMATURG_MACHINE")
    assert environment.identity()["id"] not in (named["id"], unnamed["id"])


def test_history_is_cut_by_it() -> None:
    class Recorded:
        header: dict[str, object] = {}

    class Session:
        folder, recorded = Path("x"), Recorded()

        def __init__(self, cpu: dict[str, object]) -> None:
            self.environment = {"cpu": cpu, "kernel": {"release": "6"}}

    free, limited = ({"cores": 4}, {"cores": 4, "quota": 0.5})
    one, other = (points._machine(Session(cpu)) for cpu in (free, limited))  # type: ignore[arg-type]
    assert one["cores"] != other["cores"]
    assert one["machine"] == other["machine"]
