"""``.dramaturg/template.json``: of which template and version a repository was made, and the
digest of each file of the plumbing as it was then."""

import hashlib
import json
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path, PurePosixPath
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from dramaturg import files
from dramaturg.template.making import Made, TemplateError

PLACE = ".dramaturg/template.json"

_FORMAT = 1


class Record(BaseModel):
    """As it is written."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: int
    package: str
    """The version of the package that made the repository, or brought it up to date last."""
    template: str
    name: str
    """The implementation's name, when it was made: packages are called by it."""
    files: dict[str, str]
    """The digest of each file of the plumbing, by its path."""

    def agreed(self, now: Mapping[str, Made | None]) -> "Record":
        """Return the record with these files as this package has them; nothing for one that is
        gone."""
        files = self.files | {
            path: digest(file.content, file.executable) for path, file in now.items() if file
        }
        kept = {path: files[path] for path in sorted(files) if now.get(path, True)}
        return self.model_copy(update={"files": kept, "package": version()})

    def text(self) -> str:
        """The file."""
        return json.dumps(self.model_dump(), indent=2) + "\n"


def of(name: str, template: str, made: Mapping[str, Made]) -> Record:
    """The record of a repository that was just made."""
    plumbing = {
        path: digest(file.content, file.executable) for path, file in made.items() if not file.yours
    }
    return Record(format=_FORMAT, package=version(), template=template, name=name, files=plumbing)


def read(folder: Path) -> Record:
    """The record of the repository in ``folder``. Raises TemplateError."""
    file = folder / PLACE
    if not file.exists():
        raise TemplateError(
            f"{file}: no such file; only what `dramaturg new` has made can be brought up to date"
        )
    try:
        document: Any = json.loads(files.read_text(file))
        _refuse_later(document)
        record = Record.model_validate(document)
        for path in record.files:
            _check(path)
    except (files.Unreadable, RecursionError, ValidationError, ValueError) as error:
        raise TemplateError(f"{file}: {files.brief(error)}") from None
    return record


def version() -> str:
    """The package's."""
    return metadata.version("dramaturg")


def digest(content: bytes, executable: bool) -> str:
    """The digest of a file's content, and of whether it can be executed."""
    return hashlib.sha256((b"x" if executable else b"-") + content).hexdigest()


def _refuse_later(document: Any) -> None:
    """Before anything else of it is looked at: a later version may have other fields."""
    made_by, form = (
        (str(document.get("package")), document.get("format"))
        if isinstance(document, dict)
        else ("", None)
    )
    if not isinstance(form, int) or isinstance(form, bool):
        raise ValueError("it is no record of `dramaturg new`")  # noqa: TRY004
    if form > _FORMAT or _order(made_by) > _order(version()):
        raise ValueError(
            f"it was written by dramaturg {made_by}, and this is {version()}: install that version,"
            " or a later one"
        )


def _order(version: str) -> tuple[int, ...]:
    """Numbers to compare by; a part that is no number ends them."""
    numbers = []
    for part in version.split("."):
        if not part.isdecimal():
            break
        numbers.append(int(part))
    return tuple(numbers)


def _check(path: str) -> None:
    """Checks a path that an update may compare, and remove: a file of the repository, and nothing
    of git's."""
    parts = PurePosixPath(path).parts
    if not parts or path.startswith("/") or ".." in parts or parts[0] == ".git" or "\0" in path:
        raise ValueError(f"{path!r} is no file of this repository")
