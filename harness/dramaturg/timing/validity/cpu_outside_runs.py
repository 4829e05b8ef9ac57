"""CPU time that is in no run: the computing of an implementation between the calls, and while a
world is torn down (spec/measurements.md, MEAS-39).

Time between the calls is the ledger's. But threads that wait for a core excuse time there, and a
program that plays the rest of a run with more threads than cores makes them wait. The kernel knows
their CPU time. Schedulers spin for a while before they sleep, collectors and compilers work on the
remains of a run; none of that is as much as a run.
"""

from dataclasses import dataclass

from dramaturg.timing.validity.ledger import ROW

IDLE, IDLE_OF_CORE = 0.5, 0.1
"""Seconds of CPU time outside of calls, beside rows, and for each core: more than twice as many as
any honest iteration that was seen had on a busy machine. A compiler has as much to do on one core
as on many; schedulers that look for work are as many as the cores."""

OF_RUN = 0.5
"""Or of what Run consumed, if that is more: collectors and compilers have more to do after a
longer run."""

ENDING, ENDING_OF_CORE = 0.16, 0.02
"""Seconds of CPU time in Teardown, and for each core: twice as many as any honest iteration of a
short run that was seen had."""

ENDING_OF_NODE = 0.025
"""And for each node but one: a runtime of its own ends its connections. Sixteen of Erlang's took
0.34 s, and Run 0.48 s."""

ENDING_OF_RUN = 0.25
"""The share of what Run consumed that may be added: a collector and a compiler go on for longer
after a longer run, for a ninth of it in the worst that was seen."""

ACTOR = 100e-6
"""Seconds of CPU time that an actor takes to be ended, at most."""


@dataclass(frozen=True, slots=True)
class Consumed:
    """CPU time of all processes of an iteration. In seconds."""

    run: float
    outside: float
    """CPU seconds from the last iteration's end to this one's Prepare, and from the end of Run to
    Teardown."""
    teardown: float
    wall: float
    """Seconds of Run by the harness's clock."""
    late: float
    """Seconds by which the kernel's account may be late."""


def problems(
    consumed: Consumed, rows: int, actors: int, cores: int, nodes: int = 1
) -> tuple[list[str], dict[str, float]]:
    """The faults of an iteration, and the shares of the bounds that it used. ``rows``: those that
    Trace brought; ``actors``: of the world, those that are there whatever happens."""
    bounds = {
        "outside_cpu": (
            consumed.outside - rows * ROW / 1e9,
            max(IDLE + IDLE_OF_CORE * cores, OF_RUN * consumed.run),
            f"outside of its calls it consumed {consumed.outside:.3f} s of CPU time, and"
            f" {consumed.run:.3f} s in Run",
            "idle schedulers, a collector and a compiler take less: work that belongs to a run was"
            " done before or after it (MEAS-39)",
        ),
        "teardown_cpu": (
            consumed.teardown,
            ENDING
            + ENDING_OF_CORE * cores
            + ENDING_OF_NODE * (nodes - 1)
            + ENDING_OF_RUN * consumed.run
            + ACTOR * actors,
            f"in Teardown it consumed {consumed.teardown:.3f} s of CPU time, and"
            f" {consumed.run:.3f} s in Run",
            f"ending {actors} actors takes less: the run went on in Teardown (MEAS-39)",
        ),
        "run_cpu": (
            consumed.run,
            consumed.wall * cores + consumed.late,
            f"{consumed.run:.3f} s of CPU time in a Run of {consumed.wall:.3f} s",
            f"{cores} cores have no more: a clock has jumped, or the kernel's account is wrong"
            " (MEAS-30)",
        ),
    }
    found = [
        f"{said}, expected at most {most:.3f} s: {why}"
        for used, most, said, why in bounds.values()
        if used > most
    ]
    return found, {name: max(0.0, used) / most for name, (used, most, *_) in bounds.items()}
