"""Results as no machine made them: every outcome, several implementations, bad samples."""

import json
import random
from pathlib import Path
from typing import Any

from dramaturg import requirements, results
from dramaturg.levels import REQUIRED
from dramaturg.outcomes import Outcome
from dramaturg.records import AuditRecord, CaseRecord, SampleRecord, UnitRecord
from dramaturg.results import Writer

LOST = {
    "kind": "lost",
    "turn": 3,
    "headline": "turn 3: client/17 never received forward(turn=3, level=1, payload=17)"
    " from chat/2.1",
    "actor": "client/17",
    "sender": "chat/2.1",
    "position": 41,
    "expected": "forward(turn=3, level=1, payload=17)",
    "actual": None,
    "lcg": {"client/17": 51230},
    "actor_state": {
        "lcg": 51230,
        "directory": "directory/1",
        "friends": [f"client/{number}" for number in range(40)],
        "chats": ["chat/17.0", "chat/2.1"],
    },
    "sender_state": {"members": ["client/2", "client/17"], "history": [4, 17], "alive": True},
    "history": [
        "directory/1 -> client/17  act(turn=2)",
        "chat/2.1 -> client/17  forward(turn=2, level=1, payload=4)",
        "directory/1 -> client/17  act(turn=3)",
    ],
}


def why(*ids: str) -> list[dict[str, str]]:
    """Return a record's quotes of these requirements."""
    return [requirements.load()[name].to_dict() for name in ids]


TRACED: dict[str, Any] = {
    **LOST,
    "cause": {
        "actor": "chat/2.1", "position": 3,
        "event": "client/2 -> chat/2.1  post(turn=3, payload=17)",
    },
    "note": "Sent, and never seen again.",
    "requirements": why("CHAT-37", "ACT-5"),
    "related": ["CHAT-38"],
    "sequence": [
        {"from": "client/2", "to": "chat/2.1", "message": "post(turn=3, payload=17)",
         "status": "taken"},
        {"more": 4},
        {"from": "chat/2.1", "to": "client/17", "message": LOST["expected"], "status": "lost"},
    ],
}  # fmt: skip


def case(implementation: str = "erlang", **values: Any) -> CaseRecord:
    """A case that passed, unless told otherwise."""
    standard: dict[str, Any] = {
        "level": 1,
        "benchmark": "chatapp",
        "case": "cumulative",
        "outcome": Outcome.PASS,
        "events": 1200,
        "seconds": 0.25,
        "requirements": ["CHAT-7"],
    }
    return CaseRecord(implementation=implementation, **{**standard, **values})


def sample(implementation: str = "erlang", **values: Any) -> SampleRecord:
    """A valid sample of a certified implementation, unless told otherwise."""
    standard: dict[str, Any] = {
        "build": f"{implementation}-0123456789abcdef",
        "benchmark": "chatapp",
        "scenario": "mixed",
        "scale": "small",
        "parameters": {"clients": 1024, "directories": 8, "turns": 32, "fib_n": 25},
        "network": {"kind": "local"},
        "invocation": 0,
        "iteration": 0,
        "valid": True,
        "certified": True,
        "receipt": {},
        "salt": 0xC0FFEE,
        "setup_nanos": 15_000_000,
        "runtime_nanos": 0,
        "run_nanos": 100_000_000,
        "teardown_nanos": 5_000_000,
        "turn_nanos": [3_000_000, 3_200_000],
        "messages": 168_184,
        "cpu_seconds": 0.19,
        "peak_memory": 80 << 20,
    }
    return SampleRecord(implementation=implementation, **{**standard, **values})


def audit(implementation: str = "erlang", **values: Any) -> AuditRecord:
    """The audit that ends the first invocation of what ``sample`` times, unless told otherwise."""
    of = sample(implementation)
    standard: dict[str, Any] = {
        field: getattr(of, field)
        for field in ("build", "benchmark", "scenario", "scale", "parameters", "network", "salt")
    } | {
        "invocation": 0,
        "iteration": 6,
        "depth": "parts",
        "outcome": Outcome.PASS,
        "messages": 168_184,
        "events": 420_000,
        "decided": 168_184,
        "pairs": 9_000,
    }
    return AuditRecord(implementation=implementation, **{**standard, **values})


def audited(*samples: SampleRecord, **values: Any) -> list[Any]:
    """These samples of one invocation, its audit, and its end: a number that is certified."""
    one = samples[0]
    of = {
        field: getattr(one, field)
        for field in (
            "implementation",
            "benchmark",
            "scenario",
            "scale",
            "parameters",
            "network",
            "cores",
        )
    } | {"invocation": one.invocation}
    end = unit(**of, samples=len(samples), audits=1, certified=True, **values)
    return [*samples, audit(**of, build=one.build), end]


def unit(implementation: str = "erlang", **values: Any) -> UnitRecord:
    """The end of the first invocation of what ``sample`` times, unless told otherwise."""
    standard: dict[str, Any] = {
        "benchmark": "chatapp",
        "scenario": "mixed",
        "scale": "small",
        "parameters": {"clients": 1024, "directories": 8, "turns": 32, "fib_n": 25},
        "network": {"kind": "local"},
        "invocation": 0,
        "outcome": Outcome.PASS,
    }
    return UnitRecord(implementation=implementation, **{**standard, **values})


def write_cases(folder: Path, *cases: CaseRecord, complete: bool = True, **header: Any) -> None:
    """``conformance.jsonl``; without ``complete`` as a killed harness leaves it."""
    _write(folder / results.CONFORMANCE, cases, complete, header)


def write_samples(
    folder: Path,
    *samples: SampleRecord | AuditRecord | UnitRecord,
    complete: bool = True,
    **header: Any,
) -> None:
    """``timings.jsonl``; without ``complete`` as a killed harness leaves it."""
    _write(folder / results.TIMINGS, samples, complete, header)


def _write(file: Path, records: tuple[Any, ...], complete: bool, header: dict[str, Any]) -> None:
    writer = Writer(file, **header)
    for record in records:
        writer.write(record)
    if not complete:
        writer.abandon()
    writer.__exit__(None)


def certified(implementation: str) -> list[CaseRecord]:
    """The least that certifies: a pass at each required level."""
    return [case(implementation, level=level, case=f"case-{level}") for level in REQUIRED]


def exhibition(folder: Path, *, complete: bool = True) -> None:
    """A folder with everything that a report can show; for looking at it.

    ``python tests/report/report_records.py FOLDER`` and then ``dramaturg report FOLDER``.
    """
    draw = random.Random(7)
    write_cases(
        folder,
        *_all_cases(),
        complete=complete,
        levels=list(REQUIRED),
        directory="/home/ada/dramaturg",
    )
    write_samples(folder, *_all_samples(draw), complete=complete)
    environment = {
        "captured": 1706702400.0,
        "cpu": {"model": "EPYC 7763", "cores": 2, "pinned_to": [0, 1], "governor": "powersave"},
        "memory": {"total": 8326508544, "available": 7126508544},
        "kernel": {"system": "Linux", "release": "6.1.0-18-amd64", "machine": "x86_64"},
        "distribution": "Debian GNU/Linux 12 (bookworm)",
        "virtualised": "kvm",
        "load": {"1min": 1.82, "5min": 1.1, "15min": 0.7},
        "network": [
            {"name": "veth", "available": True, "explanation": ""},
            {"name": "netem", "available": False, "explanation": "the kernel lacks sch_netem"},
        ],
        "packages": {"dramaturg": "0.1.0", "grpcio": "1.60.0", "scipy": None},
        "source": {"revision": "75df5db0c1", "dirty": False},
        "implementations": {
            "erlang": {
                "build": "0123456789abcdef",
                "runtime": "Erlang/OTP",
                "runtime_version": "25.2.3",
                "schedulers": 2,
                "details": {"emulator": "jit"},
                "command": ["erl", "-noshell", "-s", "main"],
            }
        },
    }
    (folder / "environment.json").write_text(json.dumps(environment), encoding="utf-8")


def _all_cases() -> list[CaseRecord]:
    cases = []
    for name in ("akka", "caf", "caf+sharing", "erlang", "reference"):
        for level, number in ((0, 6), (1, 24), (3, 18)):
            cases += [
                case(name, level=level, case=f"case-{level}-{place}") for place in range(number)
            ]
    for place in range(48):
        missing = "ponyc is absent; install it: ponyup update ponyc release"
        level = 0 if place < 6 else 1 if place < 30 else 3
        cases.append(
            case("pony", level=level, case=f"case-{level}-{place}",
                 outcome=Outcome.TOOLCHAIN_MISSING, message=missing)
        )  # fmt: skip
    command = "./dramaturg replay results/20240131-120000/traces/caf/late-joiner.trace"
    altered = {
        **LOST,
        "kind": "altered",
        "turn": 0,
        "headline": "turn 0: accumulator/0 received stop(level=1, value=0) from client/4,"
        " expected stop(level=2, value=0)",
        "actor": "accumulator/0",
        "sender": "client/4",
        "expected": "stop(level=2, value=0)",
        "actual": "stop(level=1, value=0)",
        "lcg": {"client/4": 1033},
        "actor_state": {"expected": [16, 40, 12], "reported": [16, 31, 2]},
        "sender_state": {"lcg": 1033, "friends": [], "chats": ["chat/3.0"]},
    }
    cases += [
        case("caf", level=3, case="late-joiner", outcome=Outcome.FAIL, divergence=TRACED,
             message=str(LOST["headline"]), command=command, requirements=["CHAT-17", "CHAT-18"],
             why=why("CHAT-37", "ACT-5", "CHAT-17", "CHAT-18")),
        case("caf", level=1, case="replayed-history", outcome=Outcome.FAIL, divergence=altered,
             message=str(altered["headline"]), command=command.replace("late", "history")),
        case("caf", level=1, case="big-fibonacci", outcome=Outcome.CRASH,
             message="its process ended with signal 11 during Act\nstderr, last lines:\n"
             "  terminate called after throwing an instance of 'std::bad_alloc'",
             command="./dramaturg certify caf -- -k big-fibonacci", why=why("IMPL-6")),
        case("caf+sharing", level=3, case="pipelined-leave", outcome=Outcome.TIMEOUT,
             message="Run took longer than 120 s; no message is missing",
             command="./dramaturg certify caf+sharing -- -k pipelined-leave"),
        case("akka", level=3, case="windowed", benchmark="pingpong", outcome=Outcome.FAIL,
             message="the receipt says 99 rounds, asked were 100", known="akka/akka#31234",
             command="./dramaturg certify akka -- -k windowed"),
        case("erlang", level=3, case="two-nodes", outcome=Outcome.UNSUPPORTED,
             message="erlang does not implement chatapp on several nodes"),
        case("erlang", level=3, case="last", outcome=Outcome.NOT_RUN,
             message="the run ended short of its plan"),
        case("akka", level=1, case="socket", outcome=Outcome.HARNESS_FAULT,
             message="no space left on device"),
    ]  # fmt: skip
    return cases


def _all_samples(draw: random.Random) -> list[SampleRecord | UnitRecord]:
    samples: list[SampleRecord | UnitRecord] = []
    speeds = {"akka": 64.0, "caf": 41.0, "caf+sharing": 38.5, "erlang": 92.0}
    for scenario, spread in (("mixed", 1.0), ("message-bound", 1.0), ("compute-bound", 40.0)):
        for invocation in range(6):
            for name, speed in speeds.items():
                for iteration in range(6):
                    stretch = spread if name == "erlang" else 1.0
                    run = speed * 1e6 * stretch * draw.gauss(1, 0.03) * (1 + (iteration == 0))
                    wrong = name == "caf" and iteration == 4 and invocation < 2
                    samples.append(
                        sample(
                            name,
                            scenario=scenario,
                            invocation=invocation,
                            iteration=iteration,
                            run_nanos=int(run),
                            salt=draw.getrandbits(32),
                            setup_nanos=int(run * 0.15),
                            runtime_nanos=240_000_000 if iteration == 0 else 0,
                            teardown_nanos=int(run * 0.05),
                            turn_nanos=[int(run / 32 * draw.gauss(1, 0.1)) for _ in range(32)],
                            certified=name != "caf+sharing",
                            valid=not wrong,
                            problems=["joins: 13,512, expected 13,513"] if wrong else [],
                        )
                    )
                rule = "iterations slower than 109% of the second half's median"
                samples.append(unit(name, scenario=scenario, invocation=invocation, samples=6,
                                    warmup=1, warmup_rule=rule))  # fmt: skip
    samples.append(
        unit(
            "pony",
            invocation=None,
            outcome=Outcome.TOOLCHAIN_MISSING,
            message="ponyc is absent; install it: ponyup update ponyc release",
        )
    )
    network = {"kind": "mininet", "nodes": 2, "delay_ms": 5, "loss_percent": 1}
    for name in ("akka", "erlang"):
        samples += [
            sample(name, benchmark="pingpong", scenario="", network=network, invocation=place,
                   parameters={"rounds": 1000}, turn_nanos=[], messages=2000,
                   run_nanos=int(20.4e9 * draw.gauss(1, 0.01)))
            for place in range(10)
        ]  # fmt: skip
    samples.append(
        sample("caf", benchmark="pingpong", scenario="", network=network, valid=False,
               parameters={"rounds": 1000}, turn_nanos=[], messages=2000,
               run_nanos=3, problems=["faster than possible: 3 ns, at least 20.0 s"])
    )  # fmt: skip
    return samples


if __name__ == "__main__":
    import sys

    exhibition(Path(sys.argv[1]), complete="--interrupted" not in sys.argv)
