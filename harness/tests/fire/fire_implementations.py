"""Implementations to set on fire, in folders of their own."""

import sys
from pathlib import Path

from dramaturg import paths
from dramaturg.control.manifest import Implementation, load

FAULTY = Path(__file__).with_name("faulty.py")

START, CALL = 5.0, 1.2
"""Seconds that it may take to start and to answer: short, and long for what it does."""


def faulty(folder: Path, control: str, step: str, fault: str) -> Implementation:
    """``faulty.py`` with this fault at this step."""
    folder.mkdir(parents=True)
    arguments = [control, step, fault, str(folder / "mark")]
    words = ", ".join(f'"{word}"' for word in [sys.executable, str(FAULTY), *arguments])
    (folder / "dramaturg.toml").write_text(
        f'name = "reference"\nlanguage = "Python"\nspec = "1"\ncontrol = "{control}"\n'
        'benchmarks = ["chatapp", "pingpong"]\n[build]\ninputs = ["*.toml"]\n'
        f"[run]\ncommand = [{words}]\n"
        f"start_timeout = {START}\ncall_timeout = {CALL}\nsettle_timeout = {CALL}\n"
        f'[run.environment]\nPYTHONPATH = "{paths.ROOT / "harness"}"\n'
        'PYTHONDONTWRITEBYTECODE = "1"\n'
    )
    return load(folder)
