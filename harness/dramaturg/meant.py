"""The name that a user who misspelt one most likely meant: a word among those there are, or a
path."""

import difflib
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

if TYPE_CHECKING:  # Commands are there before their models are.
    from pydantic import BaseModel

_LIKE = 0.66
"""The likeness of two names, from 0 to 1, from which one is taken for the other."""


_MOST = 10_000
"""Names that a word is compared with: a stranger's folder, or repository, has as many as it
likes."""


def closest(word: str, known: Iterable[str]) -> str:
    """The one of ``known`` that is most like ``word``; empty if none is."""
    by_fold = {each.casefold(): each for each in islice(known, _MOST)}
    found = difflib.get_close_matches(word.casefold(), list(by_fold), 1, _LIKE)
    return by_fold[found[0]] if found else ""


def hint(word: str, known: Iterable[str]) -> str:
    """``; did you mean 'sleepers'?``, to stand behind what was wrong; empty if nothing is like
    it."""
    found = closest(word, known)
    return f"; did you mean {found!r}?" if found else ""


def keys_at(model: "type[BaseModel]", place: Sequence[int | str]) -> list[str]:
    """The keys that there are where the last of this place stands, in a document that a model
    reads: the name that was written there is none of them."""
    there = [model]
    for part in place[:-1]:
        if isinstance(part, int):
            continue
        fields = [each.model_fields[part] for each in there if part in each.model_fields]
        if fields:
            there = [inside for field in fields for inside in _models(field.annotation)]
        else:  # A union has the kind that was written; else it is a key of the user's own.
            there = [each for each in there if _is_kind(each, part)] or there
    return sorted({name for each in there for name in each.model_fields})


def _models(annotation: Any) -> "Iterator[type[BaseModel]]":
    if isinstance(annotation, type) and hasattr(annotation, "model_fields"):
        yield annotation
    for argument in get_args(annotation):
        yield from _models(argument)


def _is_kind(model: "type[BaseModel]", word: str) -> bool:
    return word == model.__name__ or any(
        word in get_args(field.annotation) for field in model.model_fields.values()
    )


def path_hint(path: Path) -> str:
    """As :func:`hint`, for a path of which a part is not there: the path with that part put
    right."""
    found = _put_right(path)
    return f"; did you mean {str(found)!r}?" if found else ""


def _put_right(path: Path) -> Path | None:
    """The path with its first part that is not there exchanged, if that makes one that is."""
    there = Path(path.anchor) if path.is_absolute() else Path()
    parts = path.parts[1:] if path.is_absolute() else path.parts
    try:
        for number, part in enumerate(parts):
            if (there / part).exists():
                there /= part
                continue
            near = closest(part, sorted(each.name for each in islice(there.iterdir(), _MOST)))
            made = there.joinpath(near, *parts[number + 1 :])
            return made if near and made.exists() else None
    except (OSError, ValueError):
        pass
    return None
