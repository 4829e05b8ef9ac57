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
{nodes}
PartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def why_not() -> str:
    """Why there can be no Slurm here; empty if there can."""
    if os.geteuid() != 0:
        return "only root can start a controller of Slurm with its nodes"
    missing = [name for name in PROGRAMS if shutil.which(name, path=_path()) is None]
    return f"not here: {', '.join(missing)} (Debian: slurm-wlm munge)" if missing else ""


@contextlib.contextmanager
def slurm(folder: Path, nodes: int = 2) -> Iterator[dict[str, str]]:
    """The variables that a program needs to find it."""
    host = socket.gethostname().partition(".")[0]
    (folder / "ctl").mkdir(parents=True)
    folder.chmod(0o755)
    ports = _free(nodes + 1)
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


def _free(number: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        found = []
        for _ in range(number):
            each = stack.enter_context(socket.socket())
            each.bind(("127.0.0.1", 0))
            found.append(each.getsockname()[1])
        return found


def _logs(folder: Path) -> str:
    return "\n".join(file.read_text()[-1500:] for file in sorted(folder.glob("*.log")))
