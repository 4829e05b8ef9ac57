"""Makes the certificate of a certification: everything that LEVEL-15 asks it to name."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from dramaturg import files, results
from dramaturg.cases import cases
from dramaturg.certificates.intoto import Digest, Subject
from dramaturg.certificates.statement import (
    CaseClaim,
    Cases,
    Claim,
    Harness,
    LevelClaim,
    Manifest,
    Predicate,
    Repository,
    Runtime,
    Statement,
)
from dramaturg.errors import ControlError
from dramaturg.implementation import build, repository, toolchain, variables
from dramaturg.implementation.manifest import FILE_NAME, Implementation
from dramaturg.levels import LEVELS, OFFERED, SPEC
from dramaturg.machine import environment, source
from dramaturg.outcomes import Outcome
from dramaturg.plan import case_plan
from dramaturg.records import CaseRecord
from dramaturg.standing import Certification, Standing
from dramaturg.v2 import control_pb2

Describe = Callable[[Implementation], control_pb2.DescribeResponse]
"""Starts an implementation, to ask what it runs on. Raises ControlError if it does not answer."""


def issue(
    done: Certification,
    implementations: Iterable[Implementation],
    describe: Describe,
) -> dict[str, str]:
    """Write ``certificate.json`` for those that were certified, beside the records.

    Nobody certified: no file. Returns why not, for each that is not in it.
    """
    claims: dict[str, Claim] = {}
    refused: dict[str, str] = {}
    for implementation in implementations:
        standing = done.standings[implementation.name]
        if standing.obstacles:
            refused[implementation.name] = ", ".join(standing.obstacles)
            continue
        if implementation.name in done.away:
            refused[implementation.name] = done.away[implementation.name]
            continue
        try:
            claims[implementation.name] = claim(implementation, standing, describe)
        except ControlError as error:
            refused[implementation.name] = f"it could not be asked what it is: {error}"
    if claims:
        text = statement(claims).to_json(indent=2) + "\n"
        files.write_text(done.folder / results.CERTIFICATE, text)
    return refused


@dataclass(frozen=True, slots=True)
class Circumstances:
    """The circumstances common to all claims of one certificate."""

    harness: Harness
    cases: Cases
    environment: dict[str, Any]


def circumstances() -> Circumstances:
    """As they are here and now."""
    captured, revision = environment.capture(), source.found()
    del captured["implementations"]
    return Circumstances(
        Harness(
            version=captured["packages"]["dramaturg"],
            revision=revision["revision"],
            modified=revision["dirty"],
        ),
        Cases(
            digest=cases.digest(),
            each={case.path: cases.digest_of(case) for case in cases.load_all()},
            recommended=[case.path for case in cases.load_all() if case.recommended],
        ),
        captured,
    )


def statement(claims: dict[str, Claim]) -> Statement:
    """The claims, one subject for each."""
    here = circumstances()
    return Statement(
        subject=[
            Subject(name=name, digest=Digest(sha256=claim.build)) for name, claim in claims.items()
        ],
        predicate=Predicate(
            spec=SPEC,
            harness=here.harness,
            cases=here.cases,
            environment=here.environment,
            implementations=claims,
        ),
    )


def claim(implementation: Implementation, standing: Standing, describe: Describe) -> Claim:
    """All that one implementation's certificate says. Raises ControlError if it does not answer
    what it runs on."""
    passed = [record for record in standing.records if not record.excused]
    return Claim(
        build=standing.build,
        artefact=build.artefact(implementation) or None,
        manifest=manifest_of(implementation),
        repository=repository_of(implementation),
        toolchain=toolchain_of(implementation),
        runtime=runtime_of(describe(implementation)),
        planned=standing.levels,
        levels=levels_of(map(path_of, passed), standing.levels),
        cases={
            path_of(record): CaseClaim(outcome="pass", events=record.events) for record in passed
        },
        recommended={
            path_of(record): record.outcome for record in standing.records if record.excused
        },
        unsupported=unsupported_of(implementation),
        undistributed=undistributed_of(implementation),
        several_cores=case_plan.several_cores(implementation),
    )


def unsupported_of(implementation: Implementation) -> dict[str, str]:
    """Benchmarks of which nothing is said, and why."""
    return dict.fromkeys(case_plan.unsupported(implementation), "its manifest does not name it")


def undistributed_of(implementation: Implementation) -> dict[str, str]:
    """Benchmarks of which nothing is said over several nodes, and why."""
    reason = implementation.manifest.distributed_reason
    return dict.fromkeys(case_plan.undistributed(implementation), reason)


def manifest_of(implementation: Implementation) -> Manifest:
    """The manifest, with what its variant and the environment make of it."""
    manifest, settings = implementation.manifest, implementation.settings
    file = implementation.folder / FILE_NAME
    return Manifest(
        digest=hashlib.sha256(file.read_bytes()).hexdigest(),
        language=manifest.language,
        control=manifest.control,
        benchmarks=manifest.benchmarks,
        distributed=manifest.distributed,
        log_limit=manifest.log_limit,
        remark=manifest.remark,
        build=manifest.build.commands,
        build_environment=variables.named(implementation) | settings.build_environment,
        command=manifest.run.command + settings.arguments,
        environment=manifest.run.environment | settings.environment,
        known_failures=manifest.known_failures,
    )


def repository_of(implementation: Implementation) -> Repository | None:
    """Return the address and commit of its sources; None outside of a repository."""
    found = repository.of(implementation)
    if found is None:
        return None
    return Repository(url=found.url, commit=found.commit, modified=found.modified)


def toolchain_of(implementation: Implementation) -> dict[str, str | None]:
    """Each tool's version; None if it is absent."""
    return {finding.tool: finding.version for finding in toolchain.probe(implementation)}


def runtime_of(said: control_pb2.DescribeResponse) -> Runtime:
    """The runtime that an implementation's answer to Describe describes."""
    return Runtime(
        name=said.runtime,
        version=said.runtime_version,
        schedulers=said.schedulers,
        details=dict(said.details),
    )


def levels_of(paths: Iterable[str], planned: Sequence[int]) -> dict[int, LevelClaim]:
    """Every level of the specification, as these cases that passed leave it; with the reason,
    if it was not run."""
    counts = Counter(int(path.partition("-")[0]) for path in paths)
    return {
        level: LevelClaim(
            name=name,
            outcome=Outcome.PASS if counts[level] else Outcome.NOT_RUN,
            cases=counts[level],
            reason="" if counts[level] else _why_not_run(level, planned),
        )
        for level, name in LEVELS.items()
    }


def _why_not_run(level: int, planned: Sequence[int]) -> str:
    if level not in OFFERED:
        return "it has no cases"
    return "no case of it concerns this build" if level in planned else "not in the plan"


def path_of(record: CaseRecord) -> str:
    """The path of the case that a record speaks of."""
    return f"{record.level}-{LEVELS[record.level]}/{record.benchmark}/{record.case}"
