"""A controller of Slurm with nodes that are all this machine, for as long as a test takes."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from waiting import wait_until

PROGRAMS = ("munged", "slurmctld", "slurmd", "srun", "sinfo", "mungekey")

_CONF = """
ClusterName=t
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
CryptoType=crypto/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
StateSaveLocation={folder}/ctl
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/ctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/ctld.log
SlurmdLogFile={folder}/slurmd.%n.log
KillWait=5
MessageTimeout=60
TCPTimeout=30
UnkillableStepTimeout=120
{nodes}
PartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def why_not() -> str:
    """Return the reason why there can be no Slurm here; empty if there can."""
    if os.geteuid() != 0:
        return "only root can start a controller of Slurm with its nodes"
    missing = [name for name in PROGRAMS if shutil.which(name, path=_path()) is None]
    return f"not here: {', '.join(missing)} (Debian: slurm-wlm munge)" if missing else ""


@contextlib.contextmanager
def slurm(folder: Path, nodes: int = 2) -> Iterator[dict[str, str]]:
    """The variables that a program needs to find it."""
    with claimed(nodes + 1) as ports, _slurm(folder, nodes, ports) as found:
        yield found


@contextlib.contextmanager
def _slurm(folder: Path, nodes: int, ports: list[int]) -> Iterator[dict[str, str]]:
    host = socket.gethostname().partition(".")[0]
    (folder / "ctl").mkdir(parents=True)
    folder.chmod(0o755)
    lines = [
        f"NodeName=n{number} NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[number]} CPUs=1"
        " State=UNKNOWN"
        for number in range(1, nodes + 1)
    ]
    conf = folder / "slurm.conf"
    conf.write_text(_CONF.format(host=host, ports=ports, folder=folder, nodes="\n".join(lines)))
    environment = os.environ | {"SLURM_CONF": str(conf), "PATH": _path()}
    started: list[subprocess.Popen[bytes]] = []

    def start(*words: object) -> None:
        log = (folder / f"{Path(str(words[0])).name}-{len(started)}.out").open("wb")
        with log:
            started.append(
                subprocess.Popen(
                    list(map(str, words)), env=environment, stdout=log, stderr=log,
                    stdin=subprocess.DEVNULL, start_new_session=True,
                )
            )  # fmt: skip

    key = folder / "munge.key"
    subprocess.run(["mungekey", "--create", f"--keyfile={key}"], env=environment, check=True)
    try:
        start(
            "munged", "--foreground", "--force", f"--key-file={key}",
            f"--socket={folder}/munge.sock", f"--pid-file={folder}/munged.pid",
            f"--log-file={folder}/munged.log", f"--seed-file={folder}/munged.seed",
        )  # fmt: skip
        assert wait_until((folder / "munge.sock").exists, 30, 0.05)
        start("slurmctld", "-D", "-f", conf)
        for number in range(1, nodes + 1):
            start("slurmd", "-D", "-f", conf, "-N", f"n{number}")
        assert wait_until(lambda: _idle(environment) == nodes, 60, 0.2), _logs(folder)
        yield {"SLURM_CONF": str(conf), "PATH": _path()}
    finally:
        for process in reversed(started):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
        deadline = time.monotonic() + 10
        for process in started:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.1, deadline - time.monotonic()))
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _idle(environment: dict[str, str]) -> int:
    done = subprocess.run(
        ["sinfo", "-h", "-N", "-t", "idle"], env=environment, capture_output=True, check=False
    )
    return len(done.stdout.splitlines())


def _path() -> str:
    return f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin"


@contextlib.contextmanager
def claimed(number: int) -> Iterator[list[int]]:
    """So many ports that nobody listens at, and that no other test claims meanwhile. Slurm listens
    at them seconds later, so they are none that the kernel gives to whoever connects or asks for
    any: one of those would be taken again by then."""
    with contextlib.ExitStack() as stack:
        found: list[int] = []
        for port in _never_given():
            if len(found) == number:
                break
            # A name that the kernel frees with the process, however that ends.
            claim = stack.enter_context(socket.socket(socket.AF_UNIX))
            with contextlib.suppress(OSError), socket.socket() as probe:
                claim.bind(f"\0dramaturg-test-port-{port}")
                probe.bind(("127.0.0.1", port))
                found.append(port)
        assert len(found) == number
        yield found


def _never_given() -> Iterator[int]:
    """Ports that only those get who ask for just these."""
    said = Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()
    low, high = map(int, said)
    below, above = range(low - 1, 9_999, -1), range(65_535, high, -1)
    yield from below
    yield from above


def logs(variables: dict[str, str]) -> str:
    """The end of what its daemons have logged."""
    return _logs(Path(variables["SLURM_CONF"]).parent)


def _logs(folder: Path) -> str:
    return "\n".join(file.read_text()[-1500:] for file in sorted(folder.glob("*.log")))
