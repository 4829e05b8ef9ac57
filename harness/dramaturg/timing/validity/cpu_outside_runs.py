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

ENDING, ENDING_OF_CORE = 0.3, 0.02
"""Seconds of CPU time in Teardown, and for each core: twice as many as any honest iteration of a
short run that was seen had."""

OF_NODE, ENDING_OF_NODE = 0.2, 0.5
"""And for each node but one, outside of calls and in Teardown. A runtime of its own ends its
connections, and compiles what it has not come to in Run, since the nodes share the cores: eight of
Akka's and Pekko's on two cores consumed 0.97 s and 1.77 s in the worst iteration."""

ENDING_OF_NODES = 1.5
"""Or, in a timed iteration, this share of what Run consumed, if that is less: nodes that did little
leave little to a compiler. Four of Akka's consumed 1.18 s in Teardown after 0.82 s in Run."""

WARMING_UP = 2
"""How many times ENDING_OF_NODE in a warm-up, in which a runtime does everything for the first
time, and of which no figure is summarised: 2.6 s in the worst that was seen."""

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
    consumed: Consumed, rows: int, actors: int, cores: int, nodes: int = 1, warmup: bool = False
) -> tuple[list[str], dict[str, float]]:
    """The faults of an iteration, and the shares of the bounds that it used. ``rows``: those that
    Trace brought; ``actors``: of the world, those that are there whatever happens."""
    others = nodes - 1
    ending_of_others = ENDING_OF_NODE * (WARMING_UP if warmup else 1) * others
    if not warmup:
        ending_of_others = min(ending_of_others, ENDING_OF_NODES * consumed.run)
    bounds = {
        "outside_cpu": (
            consumed.outside - rows * ROW / 1e9,
            max(IDLE + IDLE_OF_CORE * cores + OF_NODE * others, OF_RUN * consumed.run),
            f"outside of its calls it consumed {consumed.outside:.3f} s of CPU time, and"
            f" {consumed.run:.3f} s in Run",
            "idle schedulers, a collector and a compiler take less: work that belongs to a run was"
            " done before or after it (MEAS-39)",
        ),
        "teardown_cpu": (
            consumed.teardown,
            ENDING
            + ENDING_OF_CORE * cores
            + ending_of_others
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
