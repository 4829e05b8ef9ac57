"""Claims and runs as nobody made them: systems that are so many times as fast as each other."""

import random
from typing import Any

from dramaturg.claims import catalogue, claim_verdicts
from dramaturg.claims.catalogue import Catalogue
from dramaturg.claims.claim_verdicts import ClaimVerdict, Judged
from dramaturg.claims.measured_systems import place
from dramaturg.claims.runs import Invocation, Machine, Ran, Row, Run

MACHINE = Machine(
    processor="AMD EPYC", cores=2, memory_gib=24, virtualised="kvm", kernel="6.1", netem=False
)

SYSTEMS: dict[str, Any] = {
    "quick": {"implementation": "quick", "version": ">=1,<2"},
    "slow": {"implementation": "slow"},
    "third": {"implementation": "third"},
    "fourth": {"implementation": "fourth"},
    "gone": {"refused": "it was never ported"},
}

SETUP: dict[str, Any] = {"benchmark": "broker", "scale": "tiny", "measure": "rate"}

RAN = {
    "quick": Ran(runtime="Quick", version="1.2.3-abc [release]", build="quick-build"),
    "slow": Ran(runtime="Slow", version="7", build="slow-build"),
    "third": Ran(runtime="Third", version="0.1", build="third-build"),
}


def claims(*predicates: dict[str, Any], **rest: Any) -> Catalogue:
    """A catalogue of one claim, X1."""
    said = {"says": "It is so."}
    claim = {"study": "a study", "says": "It is so.", "setup": SETUP, **rest}
    claim["predicates"] = [said | each for each in predicates]
    return several({"X1": claim})


def several(found: dict[str, Any], **rest: Any) -> Catalogue:
    return catalogue.checked({"systems": SYSTEMS, "claims": found, **rest}, "claims.yaml")


def row(implementation: str, speed: float = 1.0, **rest: Any) -> Row:
    """Ten invocations at about this speed, on the setup of ``SETUP`` with these parameters.

    The state of the machine affects all rows of one ``seed`` alike, as it does in turns.
    """
    noise, n = rest.pop("noise", 0.01), rest.pop("n", 10)
    own = random.Random(f"{implementation} {sorted(rest.get('parameters', {}).items())}")
    machine = random.Random(rest.pop("seed", 1))
    speeds = [
        speed * 1e6 * (1 + machine.gauss(0, 0.1)) * (1 + own.gauss(0, noise)) for _ in range(n)
    ]
    setup = {key: value for key, value in SETUP.items() if key != "measure"}
    said = place("", setup, rest.pop("parameters", {}))
    standard: dict[str, Any] = {
        "called": said.called,
        "network": {"kind": "local"},
        "cores": 2,
        "certified": True,
        "planned": n,
        "invocations": [
            Invocation(number=number, run_nanos=1e12 / each, rate=each, iterations=3)
            for number, each in enumerate(speeds)
        ],
    }
    return Row(implementation=implementation, **standard | rest)


def run(known: Catalogue | None, *rows: Row, **rest: Any) -> Run:
    """Rows that were measured after the claims were written."""
    standard: dict[str, Any] = {
        "name": "20260101-000000",
        "started": "2026-01-01T00:00:00+00:00",
        "digest": "d0",
        "machine": MACHINE,
        "harness": "0.1.0",
        "revision": "abcdef",
        "dirty": False,
        "suites": ["broker"],
        "written": sorted(known.digests()) if known else [],
        "implementations": RAN,
        "rows": list(rows),
    }
    return Run(**standard | rest)


def verdict(known: Catalogue, *runs: Run) -> ClaimVerdict:
    """On X1."""
    [found] = [
        claim for claim in claim_verdicts.judge(known, list(runs)).claims if claim.id == "X1"
    ]
    return found


def judged(known: Catalogue, *rows: Row, **rest: Any) -> Judged:
    """On the one predicate of X1."""
    [found] = verdict(known, run(known, *rows, **rest)).predicates
    return found
