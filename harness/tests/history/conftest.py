"""Results folders are made as the tests of reports make them."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "report"))
