"""Says which wrong harnesses of the cast name a text that is not in the harness, or more than once.

Their tests say so as well, in twenty minutes; this takes none. With ``--record FOLDER``, the
``--basetemp`` of such a run of the tests, it keeps which test caught each: that one comes first
the next time, and `make test` leaves most of those out whose code is still the same.
"""

import argparse
import sys
from pathlib import Path

import yaml

from dramaturg import files, paths
from dramaturg.mutation import traceability

PACKAGE = paths.ROOT / "harness" / "dramaturg"
CAUGHT = traceability.HARNESS / "caught.yaml"
HEAD = """\
# By wrong harness, the test that caught it last, and a sum of the code that this rests on:
# wrong_harnesses.py --record.
"""


def record(folder: Path) -> None:
    names = {wrong.name for wrong in traceability.wrong_harnesses()}
    caught = files.read_yaml(CAUGHT)
    for found in folder.rglob("caught.yaml"):
        caught |= files.read_yaml(found)
    kept = {name: caught[name] for name in sorted(names & caught.keys())}
    CAUGHT.write_text(HEAD + yaml.safe_dump(kept, width=1000, allow_unicode=True))


def lost() -> list[str]:
    return [
        f"{wrong.name}: its text is {found} times in {wrong.file}, and has to be there once"
        for wrong in traceability.wrong_harnesses()
        if (found := (PACKAGE / wrong.file).read_text().count(wrong.replace)) != 1
    ]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", type=Path, metavar="FOLDER")
    if given := parser.parse_args().record:
        record(given)
    if missing := lost():
        sys.exit("\n".join(missing))
