"""``commands.yaml``: what becomes of each command that a document shows."""

import re
from functools import cache
from pathlib import Path

import yaml
from documents_kit import Command, everything, normal, words_of
from pydantic import BaseModel, ConfigDict, Field

from dramaturg import paths

FILE = Path(__file__).with_name("commands.yaml")


class Entry(BaseModel):
    """The way in which one command is performed or parsed."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    instead: str = Field(default="", alias="as")
    made: tuple[str, ...] = ()
    after: str = ""
    needs: str = ""
    where: str = Field(default="", alias="in")
    exit: int = 0
    because: str = ""


class Registry(BaseModel):
    """The file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    stand_for: dict[str, str]
    performed: dict[str, Entry | None]
    only_parsed: dict[str, Entry]

    def entry(self, command: str) -> Entry | None:
        """None if nothing becomes of it."""
        if command in self.performed:
            return self.performed[command] or Entry()
        return self.only_parsed.get(command)

    def put(self, command: str) -> str:
        """The command with what its words in capitals stand for."""
        return re.sub(r"\S+", lambda word: self.stand_for.get(word[0], word[0]), command)

    def meant(self, command: str) -> str:
        """Return the command that is performed or parsed. Raises ValueError if that is another
        command."""
        entry = self.entry(command) or Entry()
        put = self.put(command)
        if not entry.instead:
            return put
        left = iter(words_of(entry.instead))
        for word in words_of(re.sub(r"[\[\]]", "", put)):
            if word == "..." or word in entry.made:
                continue
            if word not in left:
                raise ValueError(
                    f"{entry.instead!r} has lost {word!r} of {command!r}, or its place"
                )
        return entry.instead


@cache
def registry() -> Registry:
    return Registry.model_validate(yaml.safe_load(FILE.read_text(encoding="utf-8")))


def mention(text: str) -> str | None:
    """The name, where running text only names one of dramaturg's commands."""
    named = re.fullmatch(r"dramaturg ([a-z]+)", text)
    return named[1] if named else None


def shown() -> dict[tuple[str, Path], list[Command]]:
    """Every command to be looked at, with the folder in which it is typed: where it stands."""
    found: dict[tuple[str, Path], list[Command]] = {}
    for command in everything():
        if mention(command.text) is None:
            found.setdefault((normal(command.text), command.folder), []).append(command)
    return found


def to_perform() -> dict[tuple[str, Path], list[Command]]:
    """Return the commands that are performed for the shown ones: some have the same standing for
    them."""
    found: dict[tuple[str, Path], list[Command]] = {}
    for (text, folder), places in shown().items():
        if text in registry().performed:
            found.setdefault((registry().meant(text), folder), []).extend(places)
    return found


def named(folder: Path) -> str:
    return "" if folder == paths.ROOT else f" in {folder.name}"


def report() -> str:
    """The commands that no test performs, and why."""
    rows = registry().only_parsed.items()
    width = max(len(text) for text, _ in rows)
    listed = "\n".join(f"  {text:<{width}}  {entry.because}" for text, entry in rows)
    return f"documents show {len(rows)} commands that are parsed and not performed:\n{listed}"


if __name__ == "__main__":
    print(report())
