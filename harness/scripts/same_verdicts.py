"""Every single-event mutation of a run of each benchmark, decided by the three steps and by the
token game: are the verdicts the same? Tests try a sample.

    .venv/bin/python harness/scripts/same_verdicts.py [--json] [--interpreted] [BENCHMARK ...]
"""

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "trace"))

from columns_kit import decided, stored
from mutation_kit import RUNS, mutations, run_of
from rich.console import Console
from rich.progress import track

from dramaturg.compiled import loading
from dramaturg.trace.replay.steps.three_steps import decide
from dramaturg.trace.replay.token_game import replay

LIMITED = "by the token game, behind a limit"


def compare(name: str) -> Counter[str]:
    """Count the verdicts on the mutations of that benchmark's run that are the same."""
    workload, logs = run_of(name)
    decide(workload, stored(logs).sort())  # After this, everything is compiled.
    found: Counter[str] = Counter()
    changed = list(mutations(logs))
    for how, other in track(changed, name, console=Console(stderr=True)):
        expected, said = replay(workload, other).conforms, decided(workload, other)
        if said.conforms is None:
            # Whoever runs away is no run of the model.
            found["differ" if expected else LIMITED] += 1
        elif said.conforms == expected:
            found["accepted by both" if expected else "refused by both"] += 1
        else:
            found["differ"] += 1
            print(f"{name}: {how}: token game {expected}, three steps {said}", file=sys.stderr)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("benchmarks", nargs="*", metavar="BENCHMARK", help="one of these; else all")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--interpreted", action="store_true", help="leave machine code alone")
    options = parser.parse_args()
    if options.interpreted:
        loading.package = lambda: ""
    print(f"the model: {loading.described()}", file=sys.stderr)
    unknown = [name for name in options.benchmarks if name not in RUNS]
    if unknown:
        parser.error(f"{unknown[0]} is no benchmark; there are {', '.join(RUNS)}")
    found = {name: compare(name) for name in options.benchmarks or RUNS}
    if options.json:
        print(json.dumps(found, indent=2))
    else:
        for name, counts in found.items():
            print(f"{name}: {', '.join(f'{many} {what}' for what, many in sorted(counts.items()))}")
    return 1 if any(counts["differ"] for counts in found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
