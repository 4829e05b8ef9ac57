"""Says which wrong harnesses of the cast name a text that is not in the harness, or more than once.

Their tests say so as well, in twenty minutes; this takes none.
"""

import sys

from dramaturg import paths
from dramaturg.casts import traceability

PACKAGE = paths.ROOT / "harness" / "dramaturg"

lost = [
    f"{wrong.name}: its text is {found} times in {wrong.file}, and has to be there once"
    for wrong in traceability.wrong_harnesses()
    if (found := (PACKAGE / wrong.file).read_text().count(wrong.replace)) != 1
]
if lost:
    sys.exit("\n".join(lost))
