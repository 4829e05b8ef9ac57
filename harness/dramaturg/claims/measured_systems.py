"""The exact subject of a claim: one system on one setup, as records name it."""

from dataclasses import dataclass
from typing import Any, Literal

from pydantic import ValidationError

from dramaturg.timing.planning import scenarios
from dramaturg.timing.planning.suites import NetworkRequest

AXES = ("nodes", "bandwidth", "delay", "loss", "cores")
"""Fields of a setup that may be an axis; every other axis is a parameter of the benchmark."""

Measure = Literal["rate", "runs", "payload"]
"""Messages a second, one over the run time, or messages a second times the parameter ``size``."""

_CALLED = ("benchmark", "scenario", "scale", "history")


@dataclass(frozen=True)
class Place:
    """A system on a setup of which everything is decided."""

    system: str
    called: dict[str, Any]
    """Benchmark, scenario, scale and parameters, as records have them."""
    nodes: int
    link: dict[str, Any]
    """The shaping of the links; delay and loss are one way, from host to host."""
    cores: int | None
    """None: all that the machine has."""
    measure: Measure

    @property
    def benchmark(self) -> str:
        return str(self.called["benchmark"])

    def __str__(self) -> str:
        nodes = "" if self.nodes == 1 else f" on {self.nodes} nodes"
        link = "".join(f", {name} {value:g}" for name, value in self.link.items())
        cores = f" on {self.cores} of the cores" if self.cores else ""
        said = self.called
        name = " ".join(
            part for part in (said["benchmark"], said["scenario"], said["scale"]) if part
        )
        return f"{name}{nodes}{link}{cores}"


def place(system: str, said: dict[str, Any], parameters: dict[str, Any]) -> Place:
    """Return the place of a setup, as records call it. Raises ValueError for what cannot be run."""
    if "benchmark" not in said:
        raise ValueError("a setup names a benchmark")
    named = {key: said[key] for key in _CALLED if key in said}
    made = scenarios.scenario(
        named["benchmark"],
        named.get("scenario"),
        named.get("scale", "full"),
        named.get("history"),
        parameters,
    )
    asked = {key: said[key] for key in ("nodes", "bandwidth", "delay", "loss") if key in said}
    try:
        request = NetworkRequest(**asked)
    except ValidationError as error:
        problem: Any = error.errors()[0]
        raise ValueError(str(problem.get("ctx", {}).get("error") or problem["msg"])) from None
    request.check()
    if said.get("measure") == "payload" and "size" not in made.parameters:
        raise ValueError(f"{made.benchmark} has no parameter `size`, which `payload` multiplies by")
    link = request.asked()
    return Place(
        system=system,
        called=made.called(),
        nodes=int(link.pop("nodes", 1)),
        link=link,
        cores=said.get("cores"),
        measure=said.get("measure", "runs"),
    )
