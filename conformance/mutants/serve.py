"""Serve the reference with one thing changed: ``serve.py --change NAME --socket PATH``.

``--folder`` is where the change is to be found, if not beside this file. Without a socket
standard input and output are served.
"""

import argparse
import asyncio
import sys
from importlib import import_module
from pathlib import Path

import over_pipes
from reference import __main__ as reference

HERE = Path(__file__).resolve().parent
NOT_CHANGES = ("changes", "over_pipes", "serve")


def apply(name: str, folder: Path) -> None:
    """Call the function of that name, from whichever file of the folder has it."""
    sys.path.insert(0, str(folder))
    for file in sorted(folder.glob("*.py")):
        if file.stem not in NOT_CHANGES and f"\ndef {name}(" in file.read_text():
            getattr(import_module(file.stem), name)()
            return
    sys.exit(f"{folder}: no file defines {name}")


def main() -> None:
    parser = argparse.ArgumentParser(description="A changed reference's control port.")
    parser.add_argument("--change", required=True)
    parser.add_argument("--folder", type=Path, default=HERE)
    parser.add_argument("--socket")
    options = parser.parse_args()
    apply(options.change, options.folder.resolve())
    if options.socket is None:
        asyncio.run(over_pipes.serve())
    else:
        reference.exit_with_input()
        asyncio.run(reference.serve(f"unix:{options.socket}"))


if __name__ == "__main__":
    main()
