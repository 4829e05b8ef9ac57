"""Finds the reason why a command cannot be started, in words for whoever wrote it.

The program that starts it stands in between (setpriv, a shell in the control group), and would name
itself.
"""

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from dramaturg import files
from dramaturg.visible import typed

_BOM = b"\xef\xbb\xbf"

_HEAD = 4096
"""Bytes of a script that are looked at."""

CRLF = (
    "has lines that end in CRLF, as git checks them out where core.autocrlf is set; a"
    " .gitattributes with `* text=auto eol=lf` keeps them as they are (then, with all work"
    " committed: `git rm --cached -rq . && git reset --hard`)"
)


def problem(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> str:
    """Return the reason why ``command`` cannot be started in ``folder``; empty if there is none."""
    tool = command[0]
    if "/" not in tool:
        path = environment.get("PATH", os.defpath)
        if shutil.which(tool, path=path):
            return ""
        near = f"; ./{tool} is in {folder}" if (folder / tool).is_file() else ""
        return f"{tool} is not on the PATH ({path}){near}"
    file = folder / tool
    if not _is_there(file):
        return f"{files.brief(tool)} is not in {folder}"
    if not file.is_file():  # Opening a pipe waits for a writer.
        return f"{tool} is a {'folder' if file.is_dir() else 'pipe or a device'}"
    said = _of_script(tool, file, folder)
    if said or os.access(file, os.X_OK):
        return said
    return f"{tool} is not executable: chmod +x {typed(file)} (and `git update-index --chmod=+x`)"


def suspicion(command: Sequence[str], folder: Path) -> str:
    """The likely reason why a command failed, as words that follow on the rest; mostly nothing."""
    for word in command:
        try:
            file = folder / word
            if file.is_file() and _head(file).startswith(b"#!") and b"\r\n" in _head(file):
                return f"; {word} {CRLF}"
        except (OSError, ValueError):
            continue
    return ""


def _of_script(tool: str, file: Path, folder: Path) -> str:
    """The fault of the interpreter that its first line names."""
    try:
        head = _head(file)
    except OSError:
        return ""
    first, _, _ = head.partition(b"\n")
    if first.startswith(_BOM + b"#!"):
        return f"{tool} begins with a byte order mark, so the kernel does not see its #! line"
    if not first.startswith(b"#!"):
        return ""
    if first.endswith(b"\r"):
        return f"{tool} {CRLF}"
    words = first[2:].decode("utf-8", "replace").split(maxsplit=1)
    if words and not _is_there(folder / words[0]):
        return f"{tool} is for {files.brief(words[0])}, which is not there"
    return ""


def _is_there(file: Path) -> bool:
    """A text that cannot be the name of a file (too long, a NUL in it) is not there either."""
    try:
        return file.exists()
    except (OSError, ValueError):
        return False


def _head(file: Path) -> bytes:
    with files.come_upon(file) as stream:
        return stream.read(_HEAD)
