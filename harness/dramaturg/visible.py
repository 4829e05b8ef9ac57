"""Text from outside, as it is: nothing in it acts on whoever shows it.

Terminals obey control characters, and text with marks of direction reads otherwise than it
is written. Both are shown as escapes. The writers of Markdown, HTML and XML escape the rest in
their own way.
"""

import re
import shlex
import unicodedata

_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Categories of Unicode: control, format, surrogate, private, unassigned, and separators of
lines and paragraphs."""

_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Letters, marks and symbols that show nothing, though their categories are of what does: with one
of them two names look like one."""

_LAYOUT = "\n\t"


def visible(text: str) -> str:
    """The text with every character that does not show spelt out: ``\\x1b``, ``\\u202e``.

    Ends of lines and tabs stay.
    """
    if text.isprintable() and (text.isascii() or not _UNSEEN.search(text)):
        return text
    return "".join(map(_spelt, text))


def quoted(text: str) -> str:
    """As :func:`visible`; all lines but the first are marked, so that none of them can pass
    for a line of ours."""
    return visible(text).replace("\n", "\n  | ")


def line(text: str) -> str:
    """As :func:`visible`, and what would begin another line is spelt out as well: for a name that
    stands within a line of ours."""
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")


def typed(word: object) -> str:
    """A word of a command that we print, as a shell takes it: nothing that a stranger has called a
    file is a command."""
    return shlex.quote(str(word))


def _spelt(character: str) -> str:
    shows = unicodedata.category(character) not in _HIDDEN and not _UNSEEN.match(character)
    if character in _LAYOUT or shows:
        return character
    return character.encode("unicode_escape").decode("ascii")
