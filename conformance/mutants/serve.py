"""Serve one mutant: ``serve.py --mutant NAME --socket PATH``."""

import argparse
import asyncio
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "implementations" / "reference"))

import wrong_exchanges
import wrong_work

import mutants


def main() -> None:
    parser = argparse.ArgumentParser(description="A wrong implementation's control port.")
    parser.add_argument("--mutant", required=True)
    parser.add_argument("--socket", required=True)
    options = parser.parse_args()
    files = (mutants, wrong_exchanges, wrong_work)
    next(getattr(file, options.mutant) for file in files if hasattr(file, options.mutant))()
    from main import serve

    asyncio.run(serve(f"unix:{options.socket}"))


if __name__ == "__main__":
    main()
