"""Where things are: the project's folders, found from this file."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
IMPLEMENTATIONS = ROOT / "implementations"
CONFORMANCE = ROOT / "conformance"
CASES = CONFORMANCE / "cases"
GOLDEN = CONFORMANCE / "golden"
SPEC = ROOT / "spec"
RESULTS = ROOT / "results"
