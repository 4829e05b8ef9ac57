"""The networks that this kernel and this user can emulate; each capability is tried for real.

Kernels of micro virtual machines lack modules, containers lack privileges, and
neither says so in a way that a program can ask. So every probe does the thing
itself in a throw-away network namespace, which takes it away again.
"""

import importlib
import importlib.metadata
import os
import shutil
import subprocess
import warnings
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from dramaturg.machine import usermode

PROBE_TIMEOUT = 10.0
"""Seconds for one probe; each is one or two system calls deep."""

NEEDED_BY_MININET = (
    "root", "network namespaces", "veth", "bridge", "mininet", "mnexec", "bridge-utils",
    "net-tools", "ethtool",
)  # fmt: skip
"""Without any one of these no emulated network can be built at all."""


USER_MODE = "user-mode-linux"
"""The capability to run inside another kernel, whatever this one lacks."""


@dataclass(frozen=True, slots=True)
class Capability:
    """One thing and whether it works here; ``explanation`` is one line for a person."""

    name: str
    available: bool
    explanation: str


@dataclass(frozen=True, slots=True)
class Capabilities:
    """All of them, in the order in which they depend on each other."""

    all: tuple[Capability, ...]

    def __getitem__(self, name: str) -> Capability:
        return next(capability for capability in self.all if capability.name == name)

    def has(self, name: str) -> bool:
        return self[name].available

    @property
    def missing_for_mininet(self) -> list[Capability]:
        """The capabilities that this machine lacks for an emulated network; empty if it lacks
        none."""
        return [self[name] for name in NEEDED_BY_MININET if not self.has(name)]

    @property
    def why_no_mininet(self) -> str:
        """One line that says why networks cannot be emulated; empty if they can."""
        missing = self.missing_for_mininet
        if missing and missing[0].name == "root":
            # Without it the others cannot even be tried.
            missing = missing[:1]
        # One cause is said once: without a right, nothing that needs it works.
        causes: dict[str, Capability] = {}
        for each in missing:
            causes.setdefault(each.explanation.removeprefix(f"{each.name}: "), each)
        return "; ".join(each.explanation for each in causes.values())

    def to_dict(self) -> list[dict[str, object]]:
        return [asdict(capability) for capability in self.all]


@cache
def probe() -> Capabilities:
    """Try everything, once in the life of this process. Takes about a tenth of a second."""
    return Capabilities(
        (
            _root(),
            _in_namespace("network namespaces", "true", "CONFIG_NET_NS, and the right to unshare"),
            _in_namespace("veth", "ip link add d0 type veth peer name d1", "CONFIG_VETH"),
            _in_namespace("bridge", "ip link add d0 type bridge", "CONFIG_BRIDGE"),
            _shaper("htb", "htb default 1", "bandwidth"),
            _shaper("tbf", "tbf rate 1mbit burst 15000 latency 10ms", "bandwidth"),
            _shaper("netem", "netem delay 1ms", "delay and loss"),
            _mininet(),
            _tool("mnexec", "mnexec", "mininet", "starts processes inside a host"),
            _tool("bridge-utils", "brctl", "bridge-utils", "LinuxBridge is made with it"),
            _tool("net-tools", "ifconfig", "net-tools", "Mininet configures addresses with it"),
            _tool("ethtool", "ethtool", "ethtool", "switches offloads off"),
            _user_mode(),
        )
    )


def _root() -> Capability:
    root = os.geteuid() == 0
    text = "running as root" if root else "not root; emulated networks need `sudo`"
    return Capability("root", root, text)


def _shaper(name: str, qdisc: str, shapes: str) -> Capability:
    script = f"ip link add d0 type veth peer name d1 && tc qdisc add dev d0 root handle 1: {qdisc}"
    return _in_namespace(name, script, f"sch_{name}", f"shapes {shapes}")


def _in_namespace(name: str, script: str, kernel: str, use: str = "") -> Capability:
    """Run ``script`` in a namespace of its own; ``kernel`` is what its failure would mean."""
    for tool in ("unshare", *(word for word in ("ip", "tc") if f"{word} " in script)):
        if shutil.which(tool) is None:
            return Capability(name, False, f"{name}: cannot be tried, {tool} is not installed")
    command = ["unshare", "--net", "sh", "-c", script]
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            text=True,
            errors="replace",
            timeout=PROBE_TIMEOUT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Capability(name, False, f"{name}: {error}")
    if done.returncode == 0:
        return Capability(name, True, f"{name}: works" + (f" ({use})" if use else ""))
    said = " ".join((done.stderr.strip().splitlines() or ["no reason given"])[-1:])
    release = os.uname().release
    if os.geteuid() != 0:
        return Capability(name, False, f"{name}: cannot be tried without root ({said})")
    if refused := _no_right(said):
        return Capability(name, False, f"{name}: {refused} ({said})")
    lack = f"{name}: kernel {release} lacks {kernel}"
    return Capability(name, False, f"{lack}, which {use} ({said})" if use else f"{lack} ({said})")


_RIGHTS = {
    "NET_ADMIN": (12, "no right to make networks"),
    "SYS_ADMIN": (21, "no right to make namespaces"),
}
"""Capabilities of a process, by their bit in its status, and what is missing without."""


def _no_right(said: str) -> str:
    """Name the right that root was not given, as in a container, where a refusal is what was
    ``said``; not what the kernel could do with it."""
    if "not permitted" not in said and "ermission denied" not in said:
        return ""
    held = _effective()
    lacking = [name for name, (bit, _) in _RIGHTS.items() if not held >> bit & 1]
    if not lacking:
        return "no right to do this, though root has the capabilities: a seccomp or LSM profile"
    # A process that may make no namespace has not come to making a network.
    name = "SYS_ADMIN" if "unshare" in said and "SYS_ADMIN" in lacking else lacking[0]
    given = " ".join(f"--cap-add {each}" for each in lacking)
    return f"{_RIGHTS[name][1]}: this container, or whatever started it, withholds {name}; {given}"


def _effective() -> int:
    """The capabilities of this process, a bit for each; all where the kernel does not say."""
    try:
        status = Path("/proc/self/status").read_text(encoding="utf-8", errors="replace")
        line = next(line for line in status.splitlines() if line.startswith("CapEff"))
        return int(line.split()[1], 16)
    except (OSError, StopIteration, IndexError, ValueError):
        return -1


def _mininet() -> Capability:
    try:
        with warnings.catch_warnings():
            # Mininet 2.3 imports distutils, which Python 3.11 warns about.
            warnings.simplefilter("ignore")
            version = importlib.import_module("mininet.net").VERSION
    except ImportError as error:
        debian = Path("/usr/lib/python3/dist-packages/mininet").exists()
        hint = (
            "it is installed for /usr/bin/python3: make the venv with --system-site-packages"
            if debian
            else "install it with `apt-get install mininet`"
        )
        return Capability("mininet", False, f"Mininet cannot be imported ({error}); {hint}")
    return Capability("mininet", True, f"Mininet {version}")


def _user_mode() -> Capability:
    kernel, why_not = usermode.find()
    if kernel is None:
        return Capability(USER_MODE, False, f"User-Mode Linux: {why_not}")
    text = f"User-Mode Linux {kernel.release} has netem and htb: `--kernel uml`"
    return Capability(USER_MODE, True, text)


def _tool(name: str, program: str, package: str, use: str) -> Capability:
    path = shutil.which(program)
    if path is None:
        text = f"{program} is not installed ({use}): `apt-get install {package}`"
        return Capability(name, False, text)
    return Capability(name, True, f"{program} is {path}")
